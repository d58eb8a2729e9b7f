//===- LemmaTrials.h - Are stated lemmas true? ---------------------------------------------------------------------------*- C++ -*-===//
//
// A lemma says something of functions, for all integers. For some of them one can see whether it is so.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_CHECK_LEMMATRIALS_H
#define QUADRILLE_CHECK_LEMMATRIALS_H

#include "diagnostics/Diagnostics.h"
#include "ir/Schedule.h"

#include <map>
#include <mutex>
#include <optional>

namespace quadrille::compiler {

/// Whether the lemma is wrong for these arguments; where its expressions have no value it says nothing.
bool isWrongFor(const ir::Lemma &lemma, llvm::ArrayRef<std::int64_t> arguments);

/// The first of some arguments, small ones first, for which the lemma is wrong.
std::optional<std::vector<std::int64_t>> whereWrong(const ir::Lemma &lemma);

/// What to say of it.
Diagnostic lemmaWrong(const ir::Lemma &lemma, llvm::ArrayRef<std::int64_t> arguments);

/// Lemmas that have been tried, each once for all schedules that call its functions. They have to live as long. Threads may share it.
class LemmaTrials {
public:
  /// Tries the lemmas about functions that the schedule calls, directly or by others. Throws Finding.
  void check(const ir::Schedule &schedule);

private:
  using Arguments = std::optional<std::vector<std::int64_t>>;
  const Arguments &whereWrong(const ir::Lemma &lemma);

  std::mutex mutex;
  std::map<const ir::Lemma *, Arguments> tried;
};

} // namespace quadrille::compiler

#endif // QUADRILLE_CHECK_LEMMATRIALS_H
