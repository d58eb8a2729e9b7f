//===- RefuteClauses.cpp - Cost clauses that contradict what is proved --------------------------------------------------------===//

#include "RefuteClauses.h"

#include "check/Check.h"
#include "limits/Limits.h"

namespace quadrille::compiler {

/// The cost of a case, computed by formulas as far as these have values.
static std::optional<KnownCost> costBy(const Formula &startups, const Formula &words, const ScheduleFunctions &functions,
                                       const Case &instance, std::int64_t unit) {
  auto at = [&](std::int64_t n) -> std::optional<Cost> {
    const std::unique_ptr<FormulaValues> values = functions.at(instance.p, instance.numbers, n);
    const std::optional<Rational> a = evaluate(startups, *values), b = evaluate(words, *values);
    if (!a || !b || !a->isInteger() || !b->isInteger())
      return std::nullopt;
    return Cost{a->num(), b->num(), 0};
  };
  std::vector<Cost> costs;
  for (std::int64_t n = 0; n < std::min(2 * unit, limits::scalesOfContradiction.value()); ++n)
    if (const std::optional<Cost> cost = at(n))
      costs.push_back(*cost);
    else
      return std::nullopt;
  KnownCost result;
  result.rounds = static_cast<std::uint32_t>(costs.front().a);
  result.lines.push_back({1, CostByScale(unit, std::move(costs))});
  if (const std::optional<Cost> cost = at(1000))
    result.samples.push_back({1000, *cost});
  result.hasWork = false;
  return result;
}

/// The first case in which a clause contradicts the formulas.
static std::optional<Case> firstContradiction(const ir::Schedule &schedule, const Formula &startups, const Formula &words,
                                              const Limits &limits) {
  const ScheduleFunctions functions(schedule);
  TreeCache trees;
  for (std::int64_t p = 1; p <= limits::ranksOfContradiction; ++p)
    for (std::int64_t parameter : {1, 3}) {
      Case instance{p, std::vector<std::int64_t>(schedule.numberCount, 0)};
      std::fill_n(instance.numbers.begin(), schedule.parameterCount, parameter);
      if ((parameter > 1 && schedule.parameterCount == 0) || !isAdmitted(schedule, instance, trees))
        continue;
      try {
        const CaseRun run(schedule, instance, trees, limits);
        if (const std::optional<KnownCost> known = costBy(startups, words, functions, instance, run.granularity.unit()))
          checkCostClaims(run, *known);
      } catch (const Finding &) {
        return instance;
      } catch (const EvaluationError &) {
      }
    }
  return std::nullopt;
}

void refuteClauses(const ir::Schedule &schedule, const ClosedForms &forms, const Limits &limits) {
  const std::optional<CostFactor> &startups = forms.synchronous.alpha, &words = forms.synchronous.beta;
  auto isExact = [](const std::optional<CostFactor> &f) { return f && f->evidence == Evidence::Proved && !f->isBound; };
  if (forms.clause != Evidence::Claimed || !isExact(startups) || !isExact(words) || !schedule.tables.empty())
    return;
  const std::optional<Case> where = firstContradiction(schedule, startups->formula, words->formula, limits);
  if (!where)
    return;
  CheckOptions check;
  check.limits = limits;
  TreeCache trees;
  try {
    checkCase(schedule, *where, check, schedule.requiresCommutative, trees);
  } catch (const Finding &finding) {
    if (!isLimit(finding.diagnostic.id()))
      throw;
  }
}

} // namespace quadrille::compiler
