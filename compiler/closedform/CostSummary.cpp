//===- CostSummary.cpp - The cost of a schedule for all p, as text -------------------------------------------------------------===//

#include "CostSummary.h"

#include "TreeHeights.h"

namespace quadrille::compiler {

namespace {

class Summarizer {
public:
  Summarizer(const ir::Schedule &schedule, const ClosedForms &forms) : schedule(schedule), forms(forms) {
    for (const auto &buffer : schedule.buffers)
      if (buffer->parts && buffer->parts->op == ir::Op::Variable && forms.synchronous.alpha) {
        packets = schedule.variables[buffer->parts->variable].name;
        break;
      }
  }

  CostSummary run() const {
    const CostReading &sync = forms.synchronous, &async = forms.asynchronous;
    CostSummary result;
    setTotal(result);
    result.synchronous = {part(sync.alpha), part(sync.beta), part(sync.gamma)};
    result.asynchronous = {part(async.alpha), part(async.beta), part(async.gamma)};
    auto same = [](const std::optional<CostFactor> &a, const std::optional<CostFactor> &b) {
      return a && b && a->formula == b->formula && !a->isBound && !b->isBound;
    };
    result.isSame = same(sync.alpha, async.alpha) && same(sync.beta, async.beta) &&
                    (!schedule.usesOperator || same(sync.gamma, async.gamma));
    result.ps = forms.samples.ps;
    result.parameters = forms.samples.parameters;
    result.clausesBelow = forms.samples.clauses.below;
    result.clausesOfTables = forms.samples.clauses.ofTables;
    result.clausesLimit = forms.samples.clauses.limit;
    result.clause = forms.clause;
    for (const TreeHeight &tree : treeHeights(schedule, forms.samples))
      result.heights.push_back({tree.tree, part(tree.height)});
    result.whyNotDerived = forms.whyNotDerived;
    return result;
  }

private:
  static bool isZero(const std::optional<CostFactor> &factor) { return factor && factor->formula.number() == Rational(0); }

  /// Whether a factor is written in terms of the rounds of a pipeline: r(k)*(n div k) + r(n mod k).
  bool isPipelined(const std::optional<CostFactor> &factor) const {
    return factor && factor->steps && forms.synchronous.alpha && forms.synchronous.alpha->formula == *factor->steps;
  }

  /// The formula as text, multiplied by `unit` unless that is empty.
  std::string text(const CostFactor &factor, llvm::StringRef unit = "") const {
    if (isPipelined(factor)) {
      const std::string inRounds = "r(" + packets + ")*(n div " + packets + ") + r(n mod " + packets + ")";
      return unit.empty() ? inRounds : "(" + inRounds + ")*" + unit.str();
    }
    return (unit.empty() ? factor.formula : factor.formula * Formula::symbol(unit)).text();
  }

  CostSummary::Part part(const std::optional<CostFactor> &factor) const {
    if (!factor)
      return {};
    return {text(*factor), factor->evidence, factor->isBound, isZero(factor)};
  }

  void setTotal(CostSummary &result) const {
    const CostReading &sync = forms.synchronous;
    const bool inRounds = isPipelined(sync.beta) || isPipelined(sync.gamma);
    std::string &total = result.total;
    for (const auto &[factor, unit] : {std::pair(&sync.alpha, "alpha"), {&sync.beta, "beta"}, {&sync.gamma, "gamma"}}) {
      if (isZero(*factor))
        continue;
      total += total.empty() ? "" : " + ";
      if (*factor) {
        total += inRounds && factor == &sync.alpha ? "r(" + packets + ")*alpha" : text(**factor, unit);
        result.isBound |= (*factor)->isBound;
      } else {
        total += std::string("?*") + unit;
      }
    }
    if (total.empty())
      total = "0";
    if (inRounds)
      total += ", r(" + packets + ") = " + sync.alpha->formula.text() + ", r(0) = 0";
  }

  const ir::Schedule &schedule;
  const ClosedForms &forms;
  std::string packets = "k"; // the name of their number
};

} // namespace

ClauseReach CostSummary::clauses() const {
  ClauseReach result;
  result.below = clausesBelow;
  result.ofTables = clausesOfTables;
  result.limit = clausesLimit;
  return result;
}

CostSummary summaryOf(const ir::Schedule &schedule, const ClosedForms &forms) { return Summarizer(schedule, forms).run(); }

} // namespace quadrille::compiler
