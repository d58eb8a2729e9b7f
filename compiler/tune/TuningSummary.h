//===- TuningSummary.h - How far tuning has come ----------------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_TUNE_TUNINGSUMMARY_H
#define QUADRILLE_TUNE_TUNINGSUMMARY_H

#include "TuningTimes.h"

#include "llvm/Support/raw_ostream.h"

namespace quadrille::compiler::tune {

/// Prints how many times have been measured, and what is left if the budget of seconds is used up.
void printSummary(llvm::ArrayRef<Cell> cells, const TuningTimes &times, std::uint64_t budget, llvm::raw_ostream &out);
/// The same where nothing is measured.
void printPredicted(llvm::ArrayRef<Cell> cells, llvm::raw_ostream &out);

} // namespace quadrille::compiler::tune

#endif // QUADRILLE_TUNE_TUNINGSUMMARY_H
