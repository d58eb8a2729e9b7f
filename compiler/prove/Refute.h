//===- Refute.h - Counterexamples at large p -------------------------------------------------------------------------*- C++ -*-===//
//
// An obligation that cannot be proved may fail at some p. A model of its negation names a case, and the checks decide whether the
// schedule is wrong there: an invariant that is not inductive refutes nothing. If models lead to no failure, cases are guessed
// (check/CaseSearch.h).
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_PROVE_REFUTE_H
#define QUADRILLE_PROVE_REFUTE_H

#include "Prove.h"

#include "prove/solver/Solver.h"

namespace quadrille::compiler::prove {

/// Returns the verdict of the checks on a case that they refuse, found from obligations that could not be proved (`open`) or from
/// the text; nothing if no case was found. A case from an obligation is made as small as possible. `claims`: of the schedule; where all
/// but those of clauses are proved, fewer cases are guessed. `mayOverflow`: numbers may leave 64 bits.
std::optional<Verdict> refute(const ir::Schedule &schedule, llvm::ArrayRef<ClaimVerdict> claims, llvm::ArrayRef<Obligation> open,
                              bool mayOverflow, TermPool &pool, Solver &solver, const ProofOptions &options);

/// The same from the text alone, where there are no obligations.
std::optional<Verdict> refuteByCases(const ir::Schedule &schedule, const ProofOptions &options);

} // namespace quadrille::compiler::prove

#endif // QUADRILLE_PROVE_REFUTE_H
