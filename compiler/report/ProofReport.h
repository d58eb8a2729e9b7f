//===- ProofReport.h - Verdicts of proofs as lines of text ---------------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_REPORT_PROOFREPORT_H
#define QUADRILLE_REPORT_PROOFREPORT_H

#include "prove/Prove.h"
#include "source/Sources.h"

#include "llvm/Support/raw_ostream.h"

namespace quadrille::compiler {

/// "proved for all p", "proved for all p, but cost"; empty if no claim was.
std::string proofText(const prove::ProofVerdict &verdict);

/// The names of the claims that were not proved: "cost", "result, operand order".
std::string openClaims(const prove::ProofVerdict &verdict);

/// Why not all claims were: the first reason and its place. Empty if they were.
std::string whyNotProved(const prove::ProofVerdict &verdict, const Sources &sources);

/// For which p the claims of a schedule are known to hold, for a table: "all p", "all but cost", "all but the clauses", "p tried", "wrong".
std::string provedText(const prove::ProofVerdict &verdict);

/// What is known of a schedule that is not refuted, in one line.
std::string proofSummary(const prove::ProofVerdict &verdict, const Sources &sources);

/// Reports that claims are not proved for all p, of those that are required: "all", or their names. Also if a schedule that is to be
/// proved in its cost or its clocks states none.
void reportMissingProofs(const prove::ProofVerdict &verdict, llvm::ArrayRef<std::string> required, Diagnostics &diagnostics);

/// What a schedule is called that the diagnostic `id` refutes. That what is stated to help the proof is false says nothing about
/// what ranks end with.
llvm::StringRef refutedText(diag::Id id);

/// Prints a line for each claim, what may help where one is open, and the obligations that say nothing.
void printClaims(const prove::ProofVerdict &verdict, const Sources &sources, llvm::raw_ostream &out);

} // namespace quadrille::compiler

#endif // QUADRILLE_REPORT_PROOFREPORT_H
