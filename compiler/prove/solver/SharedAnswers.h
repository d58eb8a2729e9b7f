//===- SharedAnswers.h - Answers that serve several schedules --------------------------------------------*- C++ -*-===//
//
// Questions about functions and trees alone, such as the lemmas of a file, recur in every schedule that uses them. Each is asked in a
// context of its own, so that its answer and what it takes depend on nothing but its text, and is asked once. So a proof is the same
// whatever was proved before, or is being proved at the same time.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_PROVE_SOLVER_SHAREDANSWERS_H
#define QUADRILLE_PROVE_SOLVER_SHAREDANSWERS_H

#include "Solver.h"

#include "llvm/ADT/StringMap.h"

#include <mutex>

namespace quadrille::compiler::prove {

/// May be used from several threads at once.
class SharedAnswers {
public:
  /// An outcome without terms: those of a model and of suppositions are their indices in the question.
  struct Answered {
    Outcome outcome; // without `model` and `restsOn`
    std::vector<unsigned> restsOn;
    std::vector<std::pair<unsigned, std::int64_t>> model;
    std::uint64_t resources = 0;
  };

  /// What was kept under a key; nothing if there is nothing.
  std::optional<Answered> find(llvm::StringRef key) const;
  /// Keeps an answer, within `limits::sharedAnswers`.
  void keep(llvm::StringRef key, Answered answer);
  size_t size() const;

private:
  mutable std::mutex mutex;
  llvm::StringMap<Answered> answers;
};

} // namespace quadrille::compiler::prove

#endif // QUADRILLE_PROVE_SOLVER_SHAREDANSWERS_H
