//===- CostReport.cpp - Costs for all p, as lines of text ----------------------------------------------------------------------===//

#include "CostReport.h"

#include "Text.h"

#include "closedform/TreeHeights.h"
#include "limits/Limits.h"

namespace quadrille::compiler {

static bool isNothing(const std::optional<CostFactor> &factor) { return factor && factor->formula.number() == Rational(0); }

/// Whether a factor may be said in terms of the rounds of a pipeline: r(k)*(n div k) + r(n mod k).
static bool isPipelined(const CostFactor &factor, const CostReading &reading) {
  return factor.steps && reading.alpha && reading.alpha->formula == *factor.steps;
}

static std::string packetsName(const CostReading &reading, const ir::Schedule &schedule) {
  for (const auto &buffer : schedule.buffers)
    if (buffer->parts && buffer->parts->op == ir::Op::Variable && reading.alpha)
      return schedule.variables[buffer->parts->variable].name;
  return "k";
}

/// Of a factor, times `unit` if there is one.
static std::string factorText(const CostFactor &factor, const CostReading &reading, const ir::Schedule &schedule,
                              llvm::StringRef unit = "") {
  if (isPipelined(factor, reading)) {
    const std::string k = packetsName(reading, schedule), text = "r(" + k + ")*(n div " + k + ") + r(n mod " + k + ")";
    return unit.empty() ? text : "(" + text + ")*" + unit.str();
  }
  return (unit.empty() ? factor.formula : factor.formula * Formula::symbol(unit)).text();
}

std::string totalText(const CostReading &reading, const ir::Schedule &schedule) {
  const bool pipelined = (reading.beta && isPipelined(*reading.beta, reading)) ||
                         (reading.gamma && isPipelined(*reading.gamma, reading));
  std::string text;
  bool isBound = false;
  for (const auto &[factor, unit] : {std::pair(&reading.alpha, "alpha"), {&reading.beta, "beta"}, {&reading.gamma, "gamma"}}) {
    if (isNothing(*factor))
      continue;
    text += text.empty() ? "" : " + ";
    if (*factor) {
      text += pipelined && factor == &reading.alpha ? "r(" + packetsName(reading, schedule) + ")*alpha"
                                                    : factorText(**factor, reading, schedule, unit);
      isBound |= (*factor)->isBound;
    } else {
      text += std::string("?*") + unit;
    }
  }
  text = (isBound ? "at most " : "") + (text.empty() ? "0" : text);
  if (pipelined)
    text += ", r(" + packetsName(reading, schedule) + ") = " + reading.alpha->formula.text() + ", r(0) = 0";
  return text;
}

/// The cases that formulas were compared with.
static std::string checkedText(const ir::Schedule &schedule, const ClosedForms &forms) {
  if (forms.samples.ps.empty())
    return "nothing checked";
  std::string text = "checked for p in " + rangeText(forms.samples.ps);
  for (unsigned i = 0; i < schedule.parameterCount; ++i)
    text += (i == 0 ? ", " : " and ") + schedule.variables[ir::Schedule::firstNumber + i].name + (i + 1 < schedule.parameterCount ? "" : " in " + rangeText(forms.samples.parameters));
  return text;
}

static std::string evidenceText(const CostFactor &factor, const ir::Schedule &schedule, const ClosedForms &forms) {
  const std::string ps = checkedText(schedule, forms);
  switch (factor.evidence) {
  case Evidence::Proved:
    return "proved for " + forms.scope;
  case Evidence::Claimed:
    return "the author's, " + ps;
  case Evidence::Reached:
    return "the author's bound, reached; " + ps;
  case Evidence::Fitted:
    return "fitted, " + ps;
  }
  return "";
}

void printClosedForms(const ir::Schedule &schedule, const ClosedForms &forms, llvm::raw_ostream &out) {
  out << schedule.path() << '\n';
  std::vector<std::vector<std::string>> rows;
  auto add = [&](const char *name, const std::optional<CostFactor> &factor, const CostReading &reading) {
    if (isNothing(factor))
      return;
    if (factor)
      rows.push_back({name, (factor->isBound ? "at most " : "") + factorText(*factor, reading, schedule), evidenceText(*factor, schedule, forms)});
    else
      rows.push_back({name, "-", "no formula was found, within " + LimitInForce(limits::fittedTerms).text()});
  };
  add("  rounds", forms.synchronous.alpha, forms.synchronous);
  add("  words", forms.synchronous.beta, forms.synchronous);
  if (schedule.usesOperator)
    add("  applications", forms.synchronous.gamma, forms.synchronous);
  const CostReading &sync = forms.synchronous, &async = forms.asynchronous;
  auto same = [](const std::optional<CostFactor> &a, const std::optional<CostFactor> &b) {
    return a && b && a->formula == b->formula && !a->isBound && !b->isBound;
  };
  if (same(sync.alpha, async.alpha) && same(sync.beta, async.beta) && (!schedule.usesOperator || same(sync.gamma, async.gamma))) {
    const bool isProved = async.alpha->evidence == Evidence::Proved && async.beta->evidence == Evidence::Proved;
    std::string how = isProved ? "proved for " + forms.scope : checkedText(schedule, forms);
    if (isProved && schedule.usesOperator && async.gamma->evidence != Evidence::Proved)
      how += "; applications " + checkedText(schedule, forms);
    rows.push_back({"  asynchronous", "the same", how});
  } else {
    add("  asynchronous rounds", async.alpha, sync);
    add("  asynchronous words", async.beta, sync);
    if (schedule.usesOperator)
      add("  asynchronous applications", async.gamma, sync);
  }
  if (schedule.cost)
    rows.push_back({"  claimed", (schedule.cost->upperBound ? "at most " : "") + schedule.cost->text,
                    forms.clause == Evidence::Proved ? "proved for " + forms.scope : "not proved, " + checkedText(schedule, forms) + ", " +
                                                                                    forms.samples.clauses.text(schedule)});
  for (const TreeHeight &tree : treeHeights(schedule, forms.samples))
    rows.push_back({"  height(" + tree.tree + ")", (tree.height.isBound ? "at most " : "") + tree.height.formula.text(),
                    "fitted, " + checkedText(schedule, forms)});
  out << "  T = " << totalText(sync, schedule) << '\n';
  printColumns(rows, 0, out);
  if (forms.whyNotDerived)
    out << "  not derived: " << forms.whyNotDerived->text() << '\n';
}

} // namespace quadrille::compiler
