//===- Shrinker.h - The smallest program that shows the same ----------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_TEST_FUZZ_SHRINKER_H
#define QUADRILLE_TEST_FUZZ_SHRINKER_H

#include "Oracle.h"

#include <functional>

namespace quadrille::compiler::fuzz {

/// Searches for a smaller text that shows the same finding. Tries several at once, in separate processes.
struct Shrinker {
  Compiler &compiler;
  unsigned jobs = 1;
  unsigned tries = 600;     // the largest number of tries
  unsigned seconds = 120;   // no new tries after this time
  /// `work` examines a text in a separate process; `shows` says whether the result shows the finding.
  std::function<void(const std::string &text, const Teller &teller)> work;
  std::function<bool(const Ended &)> shows;
  Bounds bounds;

  std::string run(std::string text);

private:
  std::vector<std::string> candidates(const std::string &text);
  /// The first text that shows the finding.
  std::optional<std::string> firstThatShows(llvm::ArrayRef<std::string> texts);
};

} // namespace quadrille::compiler::fuzz

#endif // QUADRILLE_TEST_FUZZ_SHRINKER_H
