//===- HeardTracker.h - Who has heard of whom -------------------------------------------------------------------------*- C++ -*-===//
//
// `heard(i, j)`: rank i leaves after rank j has entered, which is to say that a chain of messages leads from the start
// of j to the end of i.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_CHECK_HEARDTRACKER_H
#define QUADRILLE_CHECK_HEARDTRACKER_H

#include "instantiate/Round.h"

namespace quadrille::compiler {

class HeardTracker : public RunObserver {
public:
  /// Takes ranks^2 / 4 bytes; throws Finding beyond the limit.
  HeardTracker(std::uint32_t ranks, const Limits &limits);

  void onRound(const Round &round, const Machine &machine) override;
  void onStepEnd(std::uint32_t first, std::uint32_t count) override;
  bool hasHeard(std::uint32_t rank, std::uint32_t from) const { return known[rank * words + from / 64] >> (from % 64) & 1; }
  /// Throws Finding if a rank has not heard of another one at the end.
  void check(const ir::Promise &promise) const;

private:
  std::uint32_t ranks;
  size_t words;
  // What a rank knew when its step began is what it sends; what it hears counts from the next step on.
  std::vector<std::uint64_t> known, hearing;
  std::vector<std::uint8_t> changed;
};

} // namespace quadrille::compiler

#endif // QUADRILLE_CHECK_HEARDTRACKER_H
