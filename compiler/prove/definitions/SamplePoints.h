//===- SamplePoints.h - Small numbers that satisfy hypotheses ---------------------------------------------------*- C++ -*-===//
//
// Of many forms that something may have, a solver takes long to tell that most do not fit. A few small numbers tell it at
// once. What they do not refute is as unproved as before. And where there are such numbers at all, with the functions of
// trees and those that call themselves being what they are, hypotheses do not contradict each other.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_PROVE_DEFINITIONS_SAMPLEPOINTS_H
#define QUADRILLE_PROVE_DEFINITIONS_SAMPLEPOINTS_H

#include "DefinedTerms.h"

#include <random>

namespace quadrille::compiler::prove {

/// Values of variables for which hypotheses hold, the same ones whenever the hypotheses are the same.
class SamplePoints {
public:
  SamplePoints(DefinedTerms &defined, TermPool &pool, llvm::ArrayRef<Term> hypotheses, unsigned wanted = 10);

  /// Whether such values were found.
  bool any() const { return !points.empty(); }
  /// Whether the goal is false at one of the points. Its further variables get values of their own.
  bool refute(Term goal);

private:
  using Point = llvm::DenseMap<Term, std::int64_t>;
  /// A variable and the hypotheses that can be told when it is the last to get a value.
  struct Step {
    Term variable;
    std::vector<Term> decided;
  };
  void makeSteps(llvm::ArrayRef<Term> hypotheses);
  bool extend(Point &point, size_t step, unsigned &effort);
  std::optional<std::int64_t> solved(const Step &step, Point &point);
  std::int64_t choose(Term variable, const Point &point);
  std::optional<std::int64_t> evaluate(Term term, Point &point);

  DefinedTerms &defined;
  const Term p;
  std::vector<Step> steps;
  std::vector<Point> points;
  TreeCache trees;
  std::minstd_rand random; // its numbers are those of the standard, everywhere the same
};

} // namespace quadrille::compiler::prove

#endif // QUADRILLE_PROVE_DEFINITIONS_SAMPLEPOINTS_H
