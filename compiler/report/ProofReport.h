//===- ProofReport.h - Verdicts of proofs as lines of text ---------------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_REPORT_PROOFREPORT_H
#define QUADRILLE_REPORT_PROOFREPORT_H

#include "prove/Prove.h"
#include "source/Sources.h"

#include "llvm/Support/raw_ostream.h"

namespace quadrille::compiler {

/// "proved for all p", "proved for all p, but cost"; empty if no claim was proved.
std::string proofText(const prove::ProofVerdict &verdict);

/// The names of the claims that were not proved: "cost", "result, operand order".
std::string openClaims(const prove::ProofVerdict &verdict);

/// Why not all claims were proved: the first reason and its place. Empty if all were.
std::string whyNotProved(const prove::ProofVerdict &verdict, const Sources &sources);

/// For which p the claims of a schedule are known to hold, for a table: "all p", "all but cost", "all but the clauses", "p tried", "wrong".
std::string provedText(const prove::ProofVerdict &verdict);

/// What is known of a schedule that is not refuted, in one line.
std::string proofSummary(const prove::ProofVerdict &verdict, const Sources &sources);

/// Reports which of the `required` claims ("all", or their names) are not proved for all p. Proofs of costs and of clocks are missing also if
/// the schedule states none.
void reportMissingProofs(const prove::ProofVerdict &verdict, llvm::ArrayRef<std::string> required, Diagnostics &diagnostics);

/// The word for a schedule that the diagnostic `id` refutes. If only an invariant or a lemma is false, the results may still be right.
llvm::StringRef refutedText(diag::Id id);

/// Prints a line for each claim, then what may help to prove those that are open, and the obligations that hold vacuously.
void printClaims(const prove::ProofVerdict &verdict, const Sources &sources, llvm::raw_ostream &out);

} // namespace quadrille::compiler

#endif // QUADRILLE_REPORT_PROOFREPORT_H
