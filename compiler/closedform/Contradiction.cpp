//===- Contradiction.cpp - Cost clauses that contradict what is proved --------------------------------------------------------===//

#include "Contradiction.h"

#include "check/Check.h"

namespace quadrille {

/// Such a case is run in about a second.
static constexpr std::int64_t mostRanks = 1024;

namespace {

struct Contradiction {
  Case instance;
  std::int64_t n;
};

/// `said` at most or exactly, `proved` exactly.
bool contradicts(const Formula &said, bool isBound, const Formula &proved, const FormulaValues &values) {
  const std::optional<Rational> x = evaluate(said, values), y = evaluate(proved, values);
  return x && y && (isBound ? *x < *y : *x != *y);
}

std::optional<Contradiction> firstContradiction(const ir::Schedule &schedule, const Formula &startups, const Formula &words,
                                                const std::optional<CostFormulas> &cost, const std::optional<CostFormulas> &rounds) {
  const ScheduleFunctions functions(schedule);
  TreeCache trees;
  for (std::int64_t p = 1; p <= mostRanks; ++p)
    for (std::int64_t parameter : {1, 3}) {
      Case instance{p, std::vector<std::int64_t>(schedule.numberCount, 0)};
      std::fill_n(instance.numbers.begin(), schedule.parameterCount, parameter);
      if ((parameter > 1 && schedule.parameterCount == 0) || !isAdmitted(schedule, instance, trees))
        continue;
      for (std::int64_t n : {1, 1000}) {
        const std::unique_ptr<FormulaValues> values = functions.at(p, instance.numbers, n);
        if ((cost && (contradicts(cost->alpha, schedule.cost->upperBound, startups, *values) ||
                      contradicts(cost->beta, schedule.cost->upperBound, words, *values))) ||
            (rounds && contradicts(rounds->rounds, schedule.rounds->upperBound, startups, *values)))
          return Contradiction{std::move(instance), n};
      }
    }
  return std::nullopt;
}

} // namespace

void refuteClauses(const ir::Schedule &schedule, const ClosedForms &forms, const std::optional<CostFormulas> &cost,
                   const std::optional<CostFormulas> &rounds, const Limits &limits) {
  const std::optional<CostFactor> &startups = forms.synchronous.alpha, &words = forms.synchronous.beta;
  auto isExact = [](const std::optional<CostFactor> &f) { return f && f->evidence == Evidence::Proved && !f->isBound; };
  if (forms.clause != Evidence::Claimed || !isExact(startups) || !isExact(words) || !schedule.tables.empty())
    return;
  const std::optional<Contradiction> where = firstContradiction(schedule, startups->formula, words->formula, cost, rounds);
  if (!where)
    return;
  CheckOptions check;
  check.limits = limits;
  check.lengths = {where->n};
  TreeCache trees;
  try {
    checkCase(schedule, where->instance, check, schedule.requiresCommutative, trees);
  } catch (const Finding &finding) {
    if (!isLimit(finding.diagnostic.id))
      throw;
  }
}

} // namespace quadrille
