//===- Refute.h - Counterexamples at large p -------------------------------------------------------------------------*- C++ -*-===//
//
// An obligation that cannot be proved may fail at some p. A model of its negation names one; whether the schedule is
// wrong there, the checks decide. An invariant that is not inductive refutes nothing.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_PROVE_REFUTE_H
#define QUADRILLE_PROVE_REFUTE_H

#include "Prove.h"
#include "Solver.h"

namespace quadrille::prove {

/// The verdict of the checks at a case where they fail, found from obligations that could not be proved; nothing if
/// there is none.
std::optional<Verdict> refute(const ir::Schedule &schedule, llvm::ArrayRef<Obligation> open, TermPool &pool,
                              Solver &solver, const ProofOptions &options);

} // namespace quadrille::prove

#endif // QUADRILLE_PROVE_REFUTE_H
