//===- Fit.h - Formulas through exact values ---------------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_CLOSEDFORM_FIT_H
#define QUADRILLE_CLOSEDFORM_FIT_H

#include "algebra/Formula.h"

namespace quadrille::compiler {

/// A case, and what was counted in it.
struct FitSample {
  const FormulaValues *values;
  Rational wanted;
};

/// Whether a formula has the value of every sample, of which there is at least one.
bool fits(const Formula &formula, llvm::ArrayRef<FitSample> samples);

/// The sum of as few of the `terms` as possible, each with a rational factor, that has the value of every sample; of
/// several the one whose terms come first. There must be more samples than terms in it, by `spare` at least: what fits has
/// been seen to hold, not only been made to. Nothing if there is none with at most `mostTerms` terms.
std::optional<Formula> fit(llvm::ArrayRef<Formula> terms, llvm::ArrayRef<FitSample> samples, unsigned mostTerms,
                           unsigned spare = 4);

} // namespace quadrille::compiler

#endif // QUADRILLE_CLOSEDFORM_FIT_H
