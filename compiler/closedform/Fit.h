//===- Fit.h - Formulas through exact values ---------------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_CLOSEDFORM_FIT_H
#define QUADRILLE_CLOSEDFORM_FIT_H

#include "algebra/Formula.h"

namespace quadrille::compiler {

/// The values of the symbols in a case, and the exact value to match.
struct FitSample {
  const FormulaValues *values;
  Rational wanted;
};

/// Whether a formula has the wanted value in every sample; false if there are no samples.
bool fits(const Formula &formula, llvm::ArrayRef<FitSample> samples);

/// Fits a linear combination of `terms` with rational factors to all samples, with as few terms as possible, at most `mostTerms`;
/// among several the first in the order of terms. There must be at least `spare` more samples than terms, so that some samples
/// confirm the formula. Nothing if there is none.
std::optional<Formula> fit(llvm::ArrayRef<Formula> terms, llvm::ArrayRef<FitSample> samples, unsigned mostTerms,
                           unsigned spare = 4);

} // namespace quadrille::compiler

#endif // QUADRILLE_CLOSEDFORM_FIT_H
