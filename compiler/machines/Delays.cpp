//===- Delays.cpp - How late ranks delay others ------------------------------------------------------------------------------===//

#include "Delays.h"

#include "instantiate/Messages.h"

#include <cmath>

namespace quadrille::compiler {

DelayMeter::DelayMeter(const MachineParameters &machine, const Delays &delays, std::uint32_t ranks, size_t sample, std::int64_t n)
    : machine(machine), delays(delays), sample(sample), n(static_cast<double>(n)), states(ranks) {
  onRestart();
}

void DelayMeter::onRestart() {
  states.assign(states.size(), RankState());
  for (const LateRank &late : delays.late)
    states[late.rank].delayed.now = late.seconds;
}

/// The delay before a step. It depends on rank, step and seed only, not on the order of evaluation.
double DelayMeter::noiseOf(std::uint32_t rank, std::uint64_t step) const {
  std::uint64_t x = delays.seed;
  for (std::uint64_t part : {std::uint64_t(rank), step}) {
    // Steele, Lea and Flood, Fast Splittable Pseudorandom Number Generators, 2014.
    x += 0x9E3779B97F4A7C15ull * (part + 1);
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ull;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBull;
    x ^= x >> 31;
  }
  const double uniform = (static_cast<double>(x >> 11) + 0.5) / static_cast<double>(std::uint64_t(1) << 53); // never 0 or 1
  return -delays.noise * std::log(uniform);
}

void DelayMeter::enterStep(std::uint32_t rank) {
  RankState &state = states[rank];
  if (state.inStep)
    return;
  state.inStep = true;
  if (delays.noise > 0) {
    const double held = noiseOf(rank, state.steps);
    state.noisy.now += held;
    state.delayed.now += held;
  }
  ++state.steps;
}

void DelayMeter::onRound(const Round &round, const Machine &run) {
  const double elements = run.countsBlocks() ? n : 1;
  const size_t at = sampleIn(run, sample);
  forEachMessage(round, run, at, [&](std::uint32_t source, std::uint32_t destination, std::int64_t) {
    enterStep(source);
    enterStep(destination);
  });
  forEachMessage(round, run, at, [&](std::uint32_t source, std::uint32_t destination, std::int64_t words) {
    const double takes = machine.alpha + machine.beta * static_cast<double>(words) * elements;
    for (LocalTime RankState::*clock : clocks) {
      LocalTime &from = states[source].*clock, &to = states[destination].*clock;
      const double end = std::max(from.now, to.now) + takes;
      from.afterStep = std::max(from.afterStep, end);
      to.afterStep = std::max(to.afterStep, end);
    }
  });
}

void DelayMeter::onStepEnd(std::uint32_t first, std::uint32_t count) {
  for (std::uint32_t rank = first; rank < first + count; ++rank) {
    states[rank].inStep = false;
    for (LocalTime RankState::*clock : clocks)
      (states[rank].*clock).now = std::max((states[rank].*clock).now, (states[rank].*clock).afterStep);
  }
}

void DelayMeter::onWork(std::uint32_t first, std::uint32_t count, const std::int64_t *words, const Machine &run) {
  const double elements = run.countsBlocks() ? n : 1;
  for (std::uint32_t i = 0; i < count; ++i) {
    const double takes = machine.gamma * static_cast<double>(words[i * run.sampleCount() + sampleIn(run, sample)]) * elements;
    for (LocalTime RankState::*clock : clocks)
      (states[first + i].*clock).now += takes;
  }
}

std::vector<Completion> DelayMeter::completions() const {
  std::vector<Completion> result;
  for (const RankState &state : states)
    result.push_back({state.planned.now, state.noisy.now, state.delayed.now});
  return result;
}

} // namespace quadrille::compiler
