//===- BestK.h - The number of packets that costs least ------------------------------------------------------*- C++ -*-===//
//
// T as a function of the number k of packets, with ceil(n/k) read as n/k, is A*k + B/k + C for pipelines: more packets
// cost more startups, fewer packets longer messages. So k* = sqrt(B/A), and T* = C + 2*sqrt(A*B). (Sanders et al.,
// Sect. 13.1.2.) At given numbers k is whole, and the true T, with its roundings, is what counts.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_MACHINES_BESTK_H
#define QUADRILLE_MACHINES_BESTK_H

#include "MachineDescription.h"

#include "cost/CostFormulas.h"

namespace quadrille::compiler {

/// T = perPacket * k + perLength / k + fixed, in p, n, alpha, beta, gamma.
struct PacketCost {
  Formula perPacket, perLength, fixed;
  /// A condition of the formula that was taken to hold, or not to: "p > 2".
  struct Assumption {
    Formula condition;
    bool holds = true;
    std::string text;
  };
  std::vector<Assumption> assumptions;

  /// Where T is least; nothing if it falls or grows with k, whatever k is.
  std::optional<Formula> bestK() const;
  /// T there; with the roundings of whole packets it is not less.
  std::optional<Formula> leastCost() const;
  /// Why this is not about these values: an assumption does not hold, or the best k is none of 1 .. n. Empty: it is.
  std::string whyNotAt(const FormulaValues &values, const MachineParameters &machine) const;
};

/// Nothing if T has no such form in the symbol `k`.
std::optional<PacketCost> packetCost(const Formula &total, llvm::StringRef k);

struct BestK {
  std::int64_t k = 1;
  double seconds = 0;   // T there
  bool isExact = false; // no other k costs less; else the best of those that were tried
};

/// T at numbers of packets, for one schedule; to be asked often.
class PacketChoice {
public:
  /// `symbols` are what `at` gets values for: p, n, then others; `k` is not among them.
  PacketChoice(const Formula &total, llvm::StringRef k, llvm::ArrayRef<std::string> symbols, const MachineParameters &machine,
               const FormulaValues *values);

  /// The best of 1 .. max(1, n), by the true T; n is the second of the values. `effort`: how many k to try at most.
  /// Nothing if T has no value.
  std::optional<BestK> at(llvm::ArrayRef<double> values, unsigned effort = 4096) const;

private:
  MachineParameters machine;
  CompiledFormula exact; // of the symbols, alpha, beta, gamma, k
  std::optional<CompiledFormula> perPacket, perLength, fixed;
};

} // namespace quadrille::compiler

#endif // QUADRILLE_MACHINES_BESTK_H
