//===- Shrinker.h - The smallest program that shows the same ----------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_TEST_FUZZ_SHRINKER_H
#define QUADRILLE_TEST_FUZZ_SHRINKER_H

#include "Oracle.h"

#include <functional>

namespace quadrille::compiler::fuzz {

/// Looks for a smaller text which still shows it; several are tried at once, each in a process of its own.
struct Shrinker {
  Compiler &compiler;
  unsigned jobs = 1;
  unsigned tries = 600;     // at most so many
  unsigned seconds = 120;   // no new round of tries after this
  /// Is done with a text in a process of its own, and tells whether it shows what is looked for.
  std::function<void(const std::string &text, const Teller &teller)> work;
  std::function<bool(const Ended &)> shows;
  Bounds bounds;

  std::string run(std::string text);

private:
  std::vector<std::string> candidates(const std::string &text);
  /// The first of them that shows it.
  std::optional<std::string> firstThatShows(llvm::ArrayRef<std::string> texts);
};

} // namespace quadrille::compiler::fuzz

#endif // QUADRILLE_TEST_FUZZ_SHRINKER_H
