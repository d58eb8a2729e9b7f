//===- Timetables.h - In which round every message is, at the latest -------------------------------------------------*- C++ -*-===//
//
// A timetable is a clock of one word that counts rounds from 0. A transfer takes place in the earliest round in which both of its
// sides have reached it, so none takes place later than its timetable says: by induction on that number, since all transfers of
// earlier steps of both ranks have smaller ones. Hence there are at most as many rounds as one more than the largest number.
//
// A timetable is a guess: a sum of loop variables, depths and other formulas with factors such that it fits all small cases. That it
// fits all cases is proved (RankCosts.cpp).
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_PROVE_RANKS_TIMETABLES_H
#define QUADRILLE_PROVE_RANKS_TIMETABLES_H

#include "RankOperations.h"

namespace quadrille::compiler::prove {

/// Searches for times of all ops, in the symbols of each, that lie in 0 ..< `rounds`, a formula in p and the numbers of the schedule.
/// Whether there are times that fit the small cases and that `isSound` accepts.
bool findTimetable(RankOperations &program, TermPool &pool, DefinedTerms &defined, Oracle &oracle, Term rounds,
                   llvm::function_ref<bool(llvm::ArrayRef<Term> times)> isSound);

} // namespace quadrille::compiler::prove

#endif // QUADRILLE_PROVE_RANKS_TIMETABLES_H
