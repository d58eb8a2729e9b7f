//===- FormulaCosts.cpp - What a case costs by the formulas for all p -------------------------------------------------------===//

#include "FormulaCosts.h"

namespace quadrille::compiler {

static bool isProved(const std::optional<CostFactor> &factor) {
  return factor && factor->evidence == Evidence::Proved && !factor->isBound;
}

std::string FormulaCosts::whyNot() const {
  if (!schedule.tables.empty())
    return "its blocks have lengths of their own";
  for (const auto &[factor, name] : {std::pair(&forms.synchronous.alpha, "rounds"), {&forms.synchronous.beta, "words"}})
    if (!isProved(*factor))
      return std::string("that of its ") + name + " is not proved" +
             (forms.whyNotDerived ? " (" + forms.whyNotDerived->text() + ")" : "");
  return "";
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
