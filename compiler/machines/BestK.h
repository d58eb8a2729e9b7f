//===- BestK.h - The best number of packets ------------------------------------------------------*- C++ -*-===//
//
// The time of a pipeline as a function of the number k of packets, with ceil(n/k) replaced by n/k, is T = A*k + B/k + C: more
// packets cost more startups, fewer packets make longer messages. The minimum is at k* = sqrt(B/A), T* = C + 2*sqrt(A*B)
// (Sanders et al., Sect. 13.1.2). For given p and n, k is an integer, and T is computed with its roundings.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_MACHINES_BESTK_H
#define QUADRILLE_MACHINES_BESTK_H

#include "MachineDescription.h"

#include "cost/CostFormulas.h"
#include "limits/Limits.h"

namespace quadrille::compiler {

/// T = perPacket * k + perLength / k + fixed, in p, n, alpha, beta, gamma.
struct PacketCost {
  Formula perPacket, perLength, fixed;
  /// A condition in the formula that was assumed to hold, or not to hold. `text`: what is assumed, "p > 2".
  struct Assumption {
    Formula condition;
    bool holds = true;
    std::string text;
  };
  std::vector<Assumption> assumptions;

  /// The k that minimizes T; nothing if T is monotonic in k.
  std::optional<Formula> bestK() const;
  /// The minimum of T. With the roundings of packets T is not smaller.
  std::optional<Formula> leastCost() const;
  /// Why bestK() does not apply to these values: an assumption does not hold, or it is not in 1 .. n. Empty if it applies.
  std::string whyNotAt(const FormulaValues &values, const MachineParameters &machine) const;
};

/// The form of T in the symbol `k`; nothing if it has another form.
std::optional<PacketCost> packetCost(const Formula &total, llvm::StringRef k);

struct BestK {
  std::int64_t k = 1;
  double seconds = 0;   // T at this k
  bool isExact = false; // no other k has a smaller T; otherwise the best of those tried
};

/// Finds the best number of packets of a schedule for given p and n. Compiled for many calls.
class PacketChoice {
public:
  /// `symbols`: those whose values `at` gets, in this order: p, n, then others, without `k`.
  PacketChoice(const Formula &total, llvm::StringRef k, llvm::ArrayRef<std::string> symbols, const MachineParameters &machine,
               const FormulaValues *values);

  /// The best k in 1 .. max(1, n), by T with its roundings. `values`: of the symbols, so the second one is n. `effort`: the largest number
  /// of k that are tried. Nothing if T has no value.
  std::optional<BestK> at(llvm::ArrayRef<double> values, unsigned effort = limits::packetCounts) const;

private:
  MachineParameters machine;
  CompiledFormula exact; // T in the symbols, alpha, beta, gamma, k
  std::optional<CompiledFormula> perPacket, perLength, fixed;
};

} // namespace quadrille::compiler

#endif // QUADRILLE_MACHINES_BESTK_H
