//===- VerdictData.h - Verdicts of checks and proofs as data -----------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_REPORT_VERDICTDATA_H
#define QUADRILLE_REPORT_VERDICTDATA_H

#include "Results.h"

#include "prove/Prove.h"

namespace quadrille::compiler {

/// What the checks of a schedule have found, and what was proved if a proof was tried.
Results::Entry checkEntry(const Verdict &verdict, const std::optional<prove::ProofVerdict> &proof, const Sources &sources);

/// What was proved, with a test for each claim. `required`: the claims that must be proved, or "all".
Results::Entry proofEntry(const prove::ProofVerdict &verdict, llvm::ArrayRef<std::string> required, const Sources &sources);

} // namespace quadrille::compiler

#endif // QUADRILLE_REPORT_VERDICTDATA_H
