//===- SamplePoints.cpp ----------------------------------------------------------------------------------------------===//

#include "SamplePoints.h"

#include "limits/Limits.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <limits>

namespace quadrille::compiler::prove {

SamplePoints::SamplePoints(DefinedTerms &defined, TermPool &pool, llvm::ArrayRef<Term> hypotheses, unsigned wanted)
    : defined(defined), p(pool.variable("p")) {
  makeSteps(hypotheses);
  for (unsigned i = 0; i < limits::sampleSearches && points.size() < wanted; ++i) {
    Point point;
    unsigned effort = limits::sampleTries;
    given.clear();
    if (extend(point, 0, effort))
      points.push_back(std::move(point));
  }
}

/// Makes a step for each variable, p first since the others are chosen in relation to it. Each hypothesis belongs to the step of the
/// last of its variables.
void SamplePoints::makeSteps(llvm::ArrayRef<Term> hypotheses) {
  steps.push_back({p, {}});
  llvm::DenseMap<Term, size_t> position;
  position[p] = 0;
  for (Term variable : variablesOf(hypotheses))
    if (position.try_emplace(variable, steps.size()).second)
      steps.push_back({variable, {}});
  // Take conjunctions apart: each part can be evaluated as soon as its own variables have values.
  std::vector<Term> open(hypotheses.rbegin(), hypotheses.rend());
  while (!open.empty()) {
    const Term hypothesis = open.back();
    open.pop_back();
    if (hypothesis->kind == TermKind::And) {
      open.insert(open.end(), hypothesis->operands.rbegin(), hypothesis->operands.rend());
      continue;
    }
    size_t last = 0;
    for (Term variable : variablesOf({hypothesis}))
      last = std::max(last, position.lookup(variable));
    steps[last].decided.push_back(hypothesis);
  }
}

/// Gives values to the variables of `step` and later ones. False if none were found; `point` is then unchanged.
bool SamplePoints::extend(Point &point, size_t step, unsigned &effort) {
  if (step == steps.size())
    return true;
  const Step &current = steps[step];
  // `solved` may take away a value that the variable has been given where a function's arguments contain it.
  const auto known = point.find(current.variable);
  const bool isKnown = known != point.end();
  const std::int64_t earlier = isKnown ? known->second : 0;
  for (unsigned i = 0; i < limits::sampleValues && effort > 0; ++i) {
    --effort;
    const size_t before = given.size();
    const std::optional<std::int64_t> only = i == 0 ? solved(current, point) : std::nullopt;
    give(point, current.variable, only ? *only : choose(current.variable, point));
    if (llvm::all_of(current.decided, [&](Term hypothesis) { return evaluate(hypothesis, point) == 1; }) &&
        extend(point, step + 1, effort))
      return true;
    for (; given.size() > before; given.pop_back())
      point.erase(given.back());
    if (isKnown)
      point[current.variable] = earlier;
  }
  return false;
}

/// Sets the value of a variable, unless it has one.
void SamplePoints::give(Point &point, Term variable, std::int64_t value) {
  if (point.try_emplace(variable, value).second)
    given.push_back(variable);
}

/// The value of the step's variable that an equation among the hypotheses determines, if there is one.
std::optional<std::int64_t> SamplePoints::solved(const Step &step, Point &point) {
  for (Term hypothesis : step.decided) {
    if (hypothesis->kind != TermKind::IsZero || hypothesis->operands[0]->kind != TermKind::Sum)
      continue;
    const Term sum = hypothesis->operands[0];
    auto own = llvm::find_if(sum->monomials, [&](const Monomial &m) { return m.atom == step.variable; });
    if (own == sum->monomials.end())
      continue;
    point[step.variable] = 0;
    const std::optional<std::int64_t> rest = evaluate(sum, point);
    point.erase(step.variable);
    if (rest && *rest != std::numeric_limits<std::int64_t>::min() && *rest % own->coefficient == 0)
      return -*rest / own->coefficient;
  }
  return std::nullopt;
}

/// A random value: mostly a rank or a small number, sometimes a power of two or an out-of-range number.
std::int64_t SamplePoints::choose(Term variable, const Point &point) {
  auto below = [&](std::int64_t bound) { return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(bound)); };
  if (variable->isPower)
    return std::int64_t(1) << below(5);
  if (variable == p) // half of them powers of two
    return below(2) == 0 ? std::int64_t(1) << below(5) : 1 + below(limits::sampleRanks);
  const std::int64_t ranks = point.lookup(p);
  switch (below(8)) {
  case 0:
    return below(2 * limits::sampleRanks) - 2;
  case 1:
  case 2:
    return std::int64_t(1) << below(5);
  case 3:
  case 4:
    return below(5);
  default:
    return below(std::max<std::int64_t>(1, ranks)); // `solved` asks with p = 0, too
  }
}

std::optional<std::int64_t> SamplePoints::evaluate(Term term, Point &point) {
  auto valueOf = [&](Term variable) -> std::optional<std::int64_t> {
    auto known = point.find(variable);
    if (known != point.end())
      return known->second;
    const std::int64_t value = choose(variable, point);
    give(point, variable, value);
    return value;
  };
  return defined.evaluate(term, valueOf, trees);
}

std::optional<std::int64_t> SamplePoints::valueAt(size_t point, Term term, Term variable, std::int64_t value) {
  Point other = points[point];
  other[variable] = value;
  return evaluate(term, other);
}

bool SamplePoints::refute(Term goal) {
  return llvm::any_of(points, [&](Point &point) { return evaluate(goal, point) == 0; });
}

} // namespace quadrille::compiler::prove
