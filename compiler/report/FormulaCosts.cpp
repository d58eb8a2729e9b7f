//===- FormulaCosts.cpp - What a case costs by the formulas for all p -------------------------------------------------------===//

#include "FormulaCosts.h"

namespace quadrille::compiler {

static bool isProved(const std::optional<CostFactor> &factor) {
  return factor && factor->evidence == Evidence::Proved && !factor->isBound;
}

std::optional<diag::NoFormula> FormulaCosts::whyNot() const {
  if (!schedule.tables.empty())
    return diag::NoFormulaLengths{};
  const std::optional<diag::Gap> gap = forms.whyNotDerived ? std::optional(forms.whyNotDerived->fact()) : std::nullopt;
  if (!isProved(forms.synchronous.alpha))
    return diag::NoFormulaNotProved{.factor = diag::NamedFactorRounds{}, .gap = gap};
  if (!isProved(forms.synchronous.beta))
    return diag::NoFormulaNotProved{.factor = diag::NamedFactorWords{}, .gap = gap};
  return std::nullopt;
}

bool FormulaCosts::set(Cost &cost, const CostReading &reading, const FormulaValues &values) const {
  auto setTo = [&](std::int64_t &number, const std::optional<CostFactor> &factor) {
    const std::optional<Rational> value = evaluate(factor->formula, values);
    if (!value || !value->isInteger())
      return false;
    number = value->num();
    return true;
  };
  return setTo(cost.a, reading.alpha) && setTo(cost.b, reading.beta) && (!isProved(reading.gamma) || setTo(cost.c, reading.gamma));
}

bool FormulaCosts::set(CaseCost &c) const {
  const std::unique_ptr<FormulaValues> values = functions.at(c.instance.p, c.instance.numbers, c.lengths);
  c.isByFormula = true;
  c.hasApplications = isProved(forms.synchronous.gamma);
  c.hasAsynchronous = isProved(forms.asynchronous.alpha) && isProved(forms.asynchronous.beta);
  if (!set(c.synchronous, forms.synchronous, *values) || (c.hasAsynchronous && !set(c.asynchronous, forms.asynchronous, *values)))
    return false;
  c.rounds = c.synchronous.a;
  return true;
}

} // namespace quadrille::compiler
