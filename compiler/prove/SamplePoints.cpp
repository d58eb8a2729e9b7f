//===- SamplePoints.cpp ----------------------------------------------------------------------------------------------===//

#include "SamplePoints.h"

#include "llvm/ADT/STLExtras.h"

namespace quadrille::prove {

static constexpr unsigned wanted = 10, maxTries = 300;
static constexpr std::int64_t largestP = 17;

SamplePoints::SamplePoints(DefinedTerms &defined, TermPool &pool, llvm::ArrayRef<Term> hypotheses)
    : defined(defined), p(pool.variable("p")) {
  llvm::SmallVector<Term, 8> variables = variablesOf(hypotheses);
  for (unsigned i = 0; i < maxTries && points.size() < wanted; ++i) {
    Point point;
    point[p] = choose(p, point);
    for (Term variable : variables)
      if (variable != p)
        point[variable] = choose(variable, point);
    if (llvm::all_of(hypotheses, [&](Term hypothesis) { return evaluate(hypothesis, point) == 1; }))
      points.push_back(std::move(point));
  }
}

/// Mostly a rank or a number of rounds, sometimes one that is neither.
std::int64_t SamplePoints::choose(Term variable, const Point &point) {
  auto below = [&](std::int64_t bound) { return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(bound)); };
  if (variable->isPower)
    return std::int64_t(1) << below(5);
  if (variable == p) // as many powers of two as others
    return below(2) == 0 ? std::int64_t(1) << below(5) : 1 + below(largestP);
  const std::int64_t ranks = point.lookup(p);
  switch (below(8)) {
  case 0:
    return below(2 * largestP) - 2;
  case 1:
  case 2:
    return std::int64_t(1) << below(5);
  case 3:
  case 4:
    return below(5);
  default:
    return below(ranks);
  }
}

std::optional<std::int64_t> SamplePoints::evaluate(Term term, Point &point) {
  auto valueOf = [&](Term variable) -> std::optional<std::int64_t> {
    auto [known, isNew] = point.try_emplace(variable);
    if (isNew) {
      const std::int64_t value = variable->kind == TermKind::BooleanVariable ? static_cast<std::int64_t>(random() % 2)
                                                                             : choose(variable, point);
      return point[variable] = value;
    }
    return known->second;
  };
  return defined.evaluate(term, valueOf, trees);
}

bool SamplePoints::refute(Term goal) {
  return llvm::any_of(points, [&](Point &point) { return evaluate(goal, point) == 0; });
}

} // namespace quadrille::prove
