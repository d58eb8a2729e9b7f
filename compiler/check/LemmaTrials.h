//===- LemmaTrials.h - Are stated lemmas true? ---------------------------------------------------------------------------*- C++ -*-===//
//
// A lemma is a statement about functions for all integers. It is tried for some integers, to refute wrong ones.
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

/// Whether the lemma is wrong for these arguments. If one of its expressions has no value, it is not wrong.
bool isWrongFor(const ir::Lemma &lemma, llvm::ArrayRef<std::int64_t> arguments);

/// Tries some arguments, small ones first, and returns the first for which the lemma is wrong; nothing if there is none.
std::optional<std::vector<std::int64_t>> whereWrong(const ir::Lemma &lemma);

/// The error about a lemma that is wrong for these arguments.
Diagnostic lemmaWrong(const ir::Lemma &lemma, llvm::ArrayRef<std::int64_t> arguments);

/// Tries each lemma once and remembers the result, for all schedules that call its functions. Thread-safe. The lemmas must outlive
/// this object.
class LemmaTrials {
public:
  /// Tries the lemmas about functions that the schedule calls, directly or indirectly. Throws Finding if one is wrong.
  void check(const ir::Schedule &schedule);

private:
  using Arguments = std::optional<std::vector<std::int64_t>>;
  const Arguments &whereWrong(const ir::Lemma &lemma);

  std::mutex mutex;
  std::map<const ir::Lemma *, Arguments> tried;
};

} // namespace quadrille::compiler

#endif // QUADRILLE_CHECK_LEMMATRIALS_H
