//===- SamplePoints.h - Small numbers that satisfy hypotheses ---------------------------------------------------*- C++ -*-===//
//
// A solver needs long to reject wrong guesses, but most wrong guesses are false at a few small numbers. A guess that passes is
// not proved by that. If any numbers satisfy the hypotheses, with trees and recursive functions evaluated exactly, the hypotheses
// do not contradict each other.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_PROVE_DEFINITIONS_SAMPLEPOINTS_H
#define QUADRILLE_PROVE_DEFINITIONS_SAMPLEPOINTS_H

#include "DefinedTerms.h"

#include <random>

namespace quadrille::compiler::prove {

/// Points: values of variables for which hypotheses hold. Equal hypotheses give equal points.
class SamplePoints {
public:
  SamplePoints(DefinedTerms &defined, TermPool &pool, llvm::ArrayRef<Term> hypotheses, unsigned wanted = 10);

  /// Whether a point was found.
  bool any() const { return !points.empty(); }
  /// Whether the goal is false at a point. Variables that occur only in goals get random values.
  bool refute(Term goal);

  size_t count() const { return points.size(); }
  /// The value of a term at a point; where a variable is named, with its value in the place of the point's. Nothing if it has none.
  std::optional<std::int64_t> valueAt(size_t point, Term term) { return evaluate(term, points[point]); }
  std::optional<std::int64_t> valueAt(size_t point, Term term, Term variable, std::int64_t value);

private:
  using Point = llvm::DenseMap<Term, std::int64_t>;
  /// A variable, and the hypotheses that can be evaluated once it has a value.
  struct Step {
    Term variable;
    std::vector<Term> decided;
  };
  void makeSteps(llvm::ArrayRef<Term> hypotheses);
  void give(Point &point, Term variable, std::int64_t value);
  bool extend(Point &point, size_t step, unsigned &effort);
  std::optional<std::int64_t> solved(const Step &step, Point &point);
  std::int64_t choose(Term variable, const Point &point);
  std::optional<std::int64_t> evaluate(Term term, Point &point);

  DefinedTerms &defined;
  const Term p;
  std::vector<Step> steps;
  std::vector<Point> points;
  std::vector<Term> given; // the variables of the point that is being extended, in the order in which they were given values
  TreeCache trees;
  std::minstd_rand random; // std::minstd_rand yields the same numbers everywhere
};

} // namespace quadrille::compiler::prove

#endif // QUADRILLE_PROVE_DEFINITIONS_SAMPLEPOINTS_H
