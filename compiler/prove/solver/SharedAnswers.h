//===- SharedAnswers.h - Answers that serve several schedules --------------------------------------------*- C++ -*-===//
//
// Questions about functions and trees alone, such as the lemmas of a file, recur in every schedule that uses them. Each is asked
// once, in a context of its own, so its answer and its resources depend on its text only. A proof that uses the answer is the same
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
  /// An outcome without terms. Indices in the question stand for the variables of the model and for the suppositions.
  struct Answered {
    SolverResult outcome; // without `model` and `restsOn`
    std::vector<unsigned> restsOn;
    std::vector<std::pair<unsigned, std::int64_t>> model;
    std::uint64_t resources = 0;
  };

  /// The answer that was kept under the key; nothing if there is none.
  std::optional<Answered> find(llvm::StringRef key) const;
  /// Keeps an answer, unless there are already as many as `limits::sharedAnswers` allows.
  void keep(llvm::StringRef key, Answered answer);
  size_t size() const;

private:
  mutable std::mutex mutex;
  llvm::StringMap<Answered> answers;
};

} // namespace quadrille::compiler::prove

#endif // QUADRILLE_PROVE_SOLVER_SHAREDANSWERS_H
