//===- Meter.h - What a run costs --------------------------------------------------------------------------------------*- C++ -*-===//
//
// T = a*alpha + b*beta + c*gamma in two readings:
//   - synchronous: each round costs one startup, its longest message and the most operator applications of a rank;
//   - asynchronous: the longest path through transfers and local work, compared by startups, then by words, then by operator
//     applications. A transfer begins when both sides have reached it.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_COST_METER_H
#define QUADRILLE_COST_METER_H

#include "instantiate/Round.h"

#include <cassert>

namespace quadrille::compiler {

/// Startups (a), words (b) and operator applications (c, in words).
struct Cost {
  std::int64_t a = 0, b = 0, c = 0;
  auto operator<=>(const Cost &) const = default;
};

/// The cost of a run for each sample of lengths of the machine. If the machine counts whole blocks (`perBlock`), there is one
/// cost, whose b and c are multiplied by n.
struct MeasuredCost {
  std::vector<Lengths> samples;
  bool perBlock = false;             // b and c count blocks, not elements
  std::vector<Cost> synchronous, asynchronous;

  /// Removes all samples but the first `count`.
  void keep(size_t count) {
    if (perBlock)
      return;
    assert(count <= samples.size() && synchronous.size() == samples.size() && asynchronous.size() == samples.size());
    samples.erase(samples.begin() + static_cast<std::ptrdiff_t>(count), samples.end());
    synchronous.resize(count);
    asynchronous.resize(count);
  }

  Cost at(const std::vector<Cost> &costs, size_t sample, std::int64_t n) const {
    assert((perBlock ? 0 : sample) < costs.size() && "there is a cost for each sample");
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
