//===- Comparison.cpp - Formulas and exact costs -----------------------------------------------------------------------===//

#include "Comparison.h"

#include "llvm/ADT/STLExtras.h"

namespace quadrille::compiler::closedforms {

void Comparison::compare(const Case &instance, const CheckOptions &options, TreeCache &trees) {
  const CaseResult run = checkCase(schedule, instance, options, schedule.requiresCommutative, trees);
  for (size_t s = 0; s < options.lengths.size(); ++s) {
    std::vector<std::pair<const Formula *, std::optional<Rational>>> known; // both readings often have the same formula
    const Lengths lengths = run.cost.perBlock ? Lengths(options.lengths[s]) : run.cost.samples[s];
    const auto values = functions.at(instance.p, instance.numbers, lengths);
    const Cost sync = run.cost.at(run.cost.synchronous, s, lengths.n), async = run.cost.at(run.cost.asynchronous, s, lengths.n);
    const CostReading &a = forms.synchronous, &b = forms.asynchronous;
    for (const auto &[what, factor, exact] :
         {std::tuple("rounds", &a.alpha, sync.a), {"words", &a.beta, sync.b}, {"applications", &a.gamma, sync.c},
          {"asynchronous rounds", &b.alpha, async.a}, {"asynchronous words", &b.beta, async.b},
          {"asynchronous applications", &b.gamma, async.c}}) {
      if (!*factor)
        continue;
      ++compared;
      const Formula &formula = (*factor)->formula;
      auto same = llvm::find_if(known, [&](const auto &before) { return *before.first == formula; });
      const std::optional<Rational> value = same != known.end() ? same->second : evaluate(formula, *values);
      known.push_back({&formula, value});
      if (value && ((*factor)->isBound ? Rational(exact) <= *value : *value == Rational(exact)))
        continue;
      ++wrong;
      onWrong({instance, lengths.n, what, exact, value ? value->text() : "undefined", **factor});
    }
  }
}

} // namespace quadrille::compiler::closedforms
