//===- CostClaims.cpp - Are the `cost` and `rounds` clauses true? -------------------------------------------------------------------===//

#include "CostClaims.h"

#include "Check.h"

#include "cost/Formula.h"

#include <set>

namespace quadrille {

std::vector<std::int64_t> sampleLengths(std::int64_t unit) {
  std::set<std::int64_t> lengths = {1, unit, 3 * unit + 1, 1000};
  if (unit > 2)
    lengths.insert(2 * unit - 1);
  return {lengths.begin(), lengths.end()};
}

static LinearCost linear(const Cost &cost) { return {Rational(0), Rational(cost.a), Rational(cost.b), Rational(cost.c)}; }

void checkCostClaims(const ir::Schedule &schedule, const Case &instance, const MeasuredCost &cost,
                     std::uint32_t rounds, std::int64_t unit, TreeCache &trees) {
  if (!schedule.cost && !schedule.rounds)
    return;
  Frame frame = clauseFrame(schedule, instance.p, instance.numbers, trees);
  std::vector<std::int64_t> lengths = cost.perBlock ? sampleLengths(unit) : cost.samples;
  for (size_t s = 0; s < lengths.size(); ++s) {
    std::int64_t n = lengths[s];
    std::string at = caseText(schedule, instance) + ", n = " + std::to_string(n);
    if (schedule.cost) {
      const ir::Claim &claim = *schedule.cost;
      LinearCost wanted = evaluateFormula(*claim.formula, frame, n);
      if (!wanted.constant.isZero())
        throw EvaluationError{diag::Id::CostNotLinear, claim.formula->range, {}};
      LinearCost found = linear(cost.at(cost.synchronous, s, n));
      auto holds = [&](const Rational &x, const Rational &y) { return claim.upperBound ? x <= y : x == y; };
      if (!holds(found.a, wanted.a) || !holds(found.b, wanted.b) || (claim.mentionsGamma && !holds(found.c, wanted.c)))
        throw Finding{Diagnostic(claim.upperBound ? diag::Id::CostExceeded : diag::Id::CostWrong, claim.formula->range,
                                 {found.text(claim.mentionsGamma), wanted.text(claim.mentionsGamma), at})};
    }
    if (schedule.rounds) {
      const ir::Claim &claim = *schedule.rounds;
      LinearCost wanted = evaluateFormula(*claim.formula, frame, n);
      if (!wanted.isNumber())
        throw EvaluationError{diag::Id::TypeMismatch, claim.formula->range, {"a number", "a cost"}};
      Rational found(rounds);
      if (claim.upperBound ? !(found <= wanted.constant) : found != wanted.constant)
        throw Finding{Diagnostic(claim.upperBound ? diag::Id::RoundsExceeded : diag::Id::RoundsWrong, claim.formula->range,
                                 {found.text(), wanted.constant.text(), at})};
    }
  }
}

} // namespace quadrille
