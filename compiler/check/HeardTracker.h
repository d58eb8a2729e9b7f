//===- HeardTracker.h - Who has heard of whom -------------------------------------------------------------------------*- C++ -*-===//
//
// Tracks the promise `heard(i, j)`: rank i leaves after rank j has entered. It holds if a chain of messages leads from the
// start of j to the end of i.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_CHECK_HEARDTRACKER_H
#define QUADRILLE_CHECK_HEARDTRACKER_H

#include "instantiate/Round.h"

#include <cassert>

namespace quadrille::compiler {

class HeardTracker : public RunObserver {
public:
  /// Needs ranks^2 / 4 bytes; throws Finding if that exceeds the memory limit.
  HeardTracker(std::uint32_t ranks, const Limits &limits);

  void onRound(const Round &round, const Machine &machine) override;
  void onStepEnd(std::uint32_t first, std::uint32_t count) override;
  bool hasHeard(std::uint32_t rank, std::uint32_t from) const {
    assert(rank < ranks && from < ranks && "machine ranks");
    return known[rank * words + from / 64] >> (from % 64) & 1;
  }
  /// After the run: throws Finding if a rank has not heard of another one.
  void check(const ir::Promise &promise) const;

private:
  std::uint32_t ranks;
  size_t words;
  // Bit sets [rank][other rank]. A rank sends what it knew when the step began; what it hears in a step is added at the end.
  std::vector<std::uint64_t> known, hearing;
  std::vector<std::uint8_t> changed;
};

} // namespace quadrille::compiler

#endif // QUADRILLE_CHECK_HEARDTRACKER_H
