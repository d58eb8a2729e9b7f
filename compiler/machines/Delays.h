//===- Delays.h - How late ranks delay others -------------------------------------------------------------------*- C++ -*-===//
//
// Simulates the times of a run, in seconds, in three variants: without delays, with noise, and with noise and late ranks. A
// transfer begins when both sides have reached it and takes alpha + beta*words; local work takes gamma*words. A step ends for a
// rank when all its transfers have ended, as in the asynchronous reading of costs.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_MACHINES_DELAYS_H
#define QUADRILLE_MACHINES_DELAYS_H

#include "MachineDescription.h"

#include "instantiate/Round.h"

#include <vector>

namespace quadrille::compiler {

/// A rank that enters the collective later than the others.
struct LateRank {
  std::uint32_t rank = 0;
  double seconds = 0;
};

struct Delays {
  std::vector<LateRank> late; // sorted by rank, each at most once
  double noise = 0;           // mean delay in seconds of a rank before each of its steps, exponentially distributed
  std::uint64_t seed = 1;     // of the noise

  bool any() const { return !late.empty() || noise > 0; }
};

/// When a rank ends, in seconds from the start: without delays, with noise only, with all delays.
struct Completion {
  double planned = 0, noisy = 0, delayed = 0;
};

class DelayMeter : public RunObserver {
public:
  /// `sample`: index of the sample of lengths for which words are counted; `n`: elements of a block. Late ranks must be < `ranks`.
  DelayMeter(const MachineParameters &machine, const Delays &delays, std::uint32_t ranks, size_t sample, std::int64_t n);

  bool wantsTransfers() const override { return false; }
  void onRound(const Round &round, const Machine &machine) override;
  void onStepEnd(std::uint32_t first, std::uint32_t count) override;
  void onWork(std::uint32_t first, std::uint32_t count, const std::int64_t *words, const Machine &machine) override;
  void onRestart() override;

  std::vector<Completion> completions() const;

private:
  struct LocalTime {
    double now = 0, afterStep = 0;
  };
  struct RankState {
    LocalTime planned, noisy, delayed;
    std::uint64_t steps = 0; // that the rank has begun
    bool inStep = false;
  };
  static constexpr LocalTime RankState::*clocks[] = {&RankState::planned, &RankState::noisy, &RankState::delayed};
  void enterStep(std::uint32_t rank);
  double noiseOf(std::uint32_t rank, std::uint64_t step) const;

  const MachineParameters machine;
  const Delays delays;
  const size_t sample;
  const double n;
  std::vector<RankState> states;
};

} // namespace quadrille::compiler

#endif // QUADRILLE_MACHINES_DELAYS_H
