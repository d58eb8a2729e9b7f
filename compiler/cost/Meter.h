//===- Meter.h - What a run costs --------------------------------------------------------------------------------------*- C++ -*-===//
//
// T = a*alpha + b*beta + c*gamma in two readings:
//   - synchronous: over the rounds, the longest message and the most operator applications of a rank;
//   - asynchronous: the path through transfers and local work with the most startups; among those, with the most words;
//     among those, with the most applications. A transfer begins when both sides have reached it.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_COST_METER_H
#define QUADRILLE_COST_METER_H

#include "instantiate/Round.h"

namespace quadrille::compiler {

/// Startups, words and operator applications (in words).
struct Cost {
  std::int64_t a = 0, b = 0, c = 0;
  auto operator<=>(const Cost &) const = default;
};

/// Costs of a run, for each of the machine's samples of lengths; if the machine counts blocks, b and c are multiples of n.
struct MeasuredCost {
  std::vector<Lengths> samples;
  bool perBlock = false;             // b and c are to be multiplied by n
  std::vector<Cost> synchronous, asynchronous;

  /// Forgets all samples but the first ones.
  void keep(size_t count) {
    if (perBlock)
      return;
    samples.erase(samples.begin() + static_cast<std::ptrdiff_t>(count), samples.end());
    synchronous.resize(count);
    asynchronous.resize(count);
  }

  Cost at(const std::vector<Cost> &costs, size_t sample, std::int64_t n) const {
    Cost cost = costs[perBlock ? 0 : sample];
    if (perBlock) {
      cost.b *= n;
      cost.c *= n;
    }
    return cost;
  }
};

class Meter : public RunObserver {
public:
  explicit Meter(const Machine &machine);

  bool wantsTransfers() const override { return false; }
  void onRound(const Round &round, const Machine &machine) override;
  void onStepEnd(std::uint32_t first, std::uint32_t count) override;
  void onWork(std::uint32_t first, std::uint32_t count, const std::int64_t *words, const Machine &machine) override;
  MeasuredCost result(const Machine &machine);

private:
  void closeRound();
  void onPartners(const Partners &partners);

  size_t samples;
  std::vector<Cost> total;               // per sample
  std::vector<std::int64_t> mostWork;    // of the current round, per sample
  std::vector<Cost> time, afterTransfer; // [rank][sample]
};

} // namespace quadrille::compiler

#endif // QUADRILLE_COST_METER_H
