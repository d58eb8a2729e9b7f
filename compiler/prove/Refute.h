//===- Refute.h - Counterexamples at large p -------------------------------------------------------------------------*- C++ -*-===//
//
// An obligation that cannot be proved may fail at some p. A model of its negation names one; whether the schedule is
// wrong there, the checks decide. An invariant that is not inductive refutes nothing. Where formulas lead nowhere, numbers
// in the text do: a schedule that treats 2048 ranks in its own way is tried on 2048 and 2049. Numbers that double from rank to
// rank are too large for 64 bits where there are as many ranks.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_PROVE_REFUTE_H
#define QUADRILLE_PROVE_REFUTE_H

#include "Prove.h"

#include "prove/solver/Solver.h"

namespace quadrille::compiler::prove {

/// The verdict of the checks at a case where they fail, found from obligations that could not be proved or from the text;
/// nothing if there is none. The smallest p that the formulas lead to comes first. `mayOverflow`: numbers may be too large.
std::optional<Verdict> refute(const ir::Schedule &schedule, llvm::ArrayRef<Obligation> open, bool mayOverflow, TermPool &pool,
                              Solver &solver, const ProofOptions &options);

} // namespace quadrille::compiler::prove

#endif // QUADRILLE_PROVE_REFUTE_H
