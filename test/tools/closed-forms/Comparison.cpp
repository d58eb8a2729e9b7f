//===- Comparison.cpp - Formulas and exact costs -----------------------------------------------------------------------===//

#include "Comparison.h"

#include "llvm/ADT/STLExtras.h"

namespace quadrille::compiler::closedforms {

void Comparison::compare(const Case &instance, const CheckOptions &options, TreeCache &trees) {
  const CaseResult run = checkCase(schedule, instance, options, schedule.requiresCommutative, trees);
  for (size_t s = 0; s < options.lengths.size(); ++s) {
    const Lengths lengths = run.cost.perBlock ? Lengths(options.lengths[s]) : run.cost.samples[s];
    const auto values = functions.at(instance.p, instance.numbers, lengths);
    const Cost sync = run.cost.at(run.cost.synchronous, s, lengths.n), async = run.cost.at(run.cost.asynchronous, s, lengths.n);
    std::vector<std::pair<const Formula *, std::optional<Rational>>> known; // readings often have the same formula
    auto compareFactor = [&](const char *what, const std::optional<CostFactor> &factor, std::int64_t exact) {
      if (!factor)
        return;
      ++compared;
      const Formula &formula = factor->formula;
      auto same = llvm::find_if(known, [&](const auto &before) { return *before.first == formula; });
      const std::optional<Rational> value = same != known.end() ? same->second : evaluate(formula, *values);
      known.push_back({&formula, value});
      if (value && (factor->isBound ? Rational(exact) <= *value : *value == Rational(exact)))
        return;
      ++wrong;
      onWrong({instance, lengths.n, what, exact, value ? value->text() : "undefined", *factor});
    };
    for (const ClosedForms &found : forms) {
      const CostReading &a = found.synchronous, &b = found.asynchronous;
      compareFactor("rounds", a.alpha, sync.a);
      compareFactor("words", a.beta, sync.b);
      compareFactor("applications", a.gamma, sync.c);
      compareFactor("asynchronous rounds", b.alpha, async.a);
      compareFactor("asynchronous words", b.beta, async.b);
      compareFactor("asynchronous applications", b.gamma, async.c);
    }
  }
}

} // namespace quadrille::compiler::closedforms
