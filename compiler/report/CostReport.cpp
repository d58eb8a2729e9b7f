//===- CostReport.cpp - Costs for all p, as lines of text ----------------------------------------------------------------------===//

#include "CostReport.h"

#include "Text.h"

#include "ir/Print.h"
#include "ir/Telling.h"
#include "limits/Limits.h"
#include "prove/Prove.h"

#include <algorithm>

namespace quadrille::compiler {

using Part = CostSummary::Part;

static std::string atMost(bool isBound, const std::string &formula) { return (isBound ? "at most " : "") + formula; }

/// The cases that formulas were compared with.
static std::string checkedText(const ir::Schedule &schedule, const CostSummary &summary) {
  if (summary.ps.empty())
    return "nothing checked";
  std::string text = "checked for p in " + rangeText(summary.ps);
  for (unsigned i = 0; i < schedule.parameterCount; ++i)
    text += (i == 0 ? ", " : " and ") + schedule.variables[ir::Schedule::firstNumber + i].name +
            (i + 1 < schedule.parameterCount ? "" : " in " + rangeText(summary.parameters));
  return text;
}

static std::string evidenceText(const Part &part, const ir::Schedule &schedule, const CostSummary &summary) {
  const std::string ps = checkedText(schedule, summary);
  switch (part.evidence) {
  case Evidence::Proved:
    return "proved for " + prove::scopeOf(schedule);
  case Evidence::Claimed:
    return "the author's, " + ps;
  case Evidence::Reached:
    return "the author's bound, reached; " + ps;
  case Evidence::Fitted:
    return "fitted, " + ps;
  }
  return "";
}

/// What it costs that ranks tell each other a table: "ceil_log2(p)*alpha + (p - 1)*beta*n with n = 1, before, by allgather/bruck".
static std::string tellingText(const ir::Schedule &schedule, const ir::Knowledge &known) {
  const ir::Schedule &by = *known.toldBy;
  std::string n;
  const bool isOfRows = ir::tellingBy(by) == ir::Telling::Rows;
  for (const ir::Expr *extent : llvm::drop_begin(schedule.tables[known.table].extents, isOfRows ? 1 : 0))
    n += (n.empty() ? "" : "*") + ir::shortText(*extent, schedule);
  return (by.cost ? atMost(by.cost->upperBound, by.cost->text) + " with n = " + (n.empty() ? "1" : n) + ", " : "") + "before, by " + by.path();
}

void printCostSummary(const ir::Schedule &schedule, const CostSummary &summary, llvm::raw_ostream &out) {
  out << schedule.path() << '\n';
  if (schedule.usesNodes) {
    out << "  no formula in p: each map from ranks to nodes has a cost of its own\n";
    if (schedule.cost)
      out << "  claimed  " << atMost(schedule.cost->upperBound, schedule.cost->text) << '\n';
    return;
  }
  std::vector<std::vector<std::string>> rows;
  auto add = [&](const std::string &name, const Part &part) {
    if (part.isZero)
      return;
    if (!part.formula.empty())
      rows.push_back({name, atMost(part.isBound, part.formula), evidenceText(part, schedule, summary)});
    else
      rows.push_back({name, "-", "no formula was found, within " + LimitInForce(limits::fittedTerms).text()});
  };
  auto addAll = [&](const std::string &before, const CostSummary::Reading &reading) {
    const char *const names[] = {"rounds", "words", "applications"};
    for (size_t i = 0; i < (schedule.usesOperator ? 3 : 2); ++i)
      add(before + names[i], reading[i]);
  };
  addAll("  ", summary.synchronous);
  if (summary.isSame) {
    const auto &[startups, words, applications] = summary.asynchronous;
    const bool isProved = startups.evidence == Evidence::Proved && words.evidence == Evidence::Proved;
    std::string how = isProved ? "proved for " + prove::scopeOf(schedule) : checkedText(schedule, summary);
    if (isProved && schedule.usesOperator && applications.evidence != Evidence::Proved)
      how += "; applications " + checkedText(schedule, summary);
    rows.push_back({"  asynchronous", "the same", how});
  } else {
    addAll("  asynchronous ", summary.asynchronous);
  }
  if (schedule.cost)
    rows.push_back({"  claimed", atMost(schedule.cost->upperBound, schedule.cost->text),
                    summary.clause == Evidence::Proved
                        ? "proved for " + prove::scopeOf(schedule)
                        : "not proved, " + checkedText(schedule, summary) + ", " + summary.clauses().text(schedule)});
  for (const ir::Knowledge &known : schedule.knowledge)
    if (known.toldBy)
      rows.push_back({"  telling lengths", tellingText(schedule, known), ""});
  for (const auto &[tree, height] : summary.heights)
    rows.push_back({"  height(" + tree + ")", atMost(height.isBound, height.formula), "fitted, " + checkedText(schedule, summary)});
  const unsigned columns = terminalColumns(out);
  const std::vector<std::string> total = wrapped(atMost(summary.isBound, summary.total), columns ? columns - std::min(columns, 6U) : std::string::npos);
  for (size_t i = 0; i < total.size(); ++i)
    out << (i == 0 ? "  T = " : "      ") << total[i] << '\n';
  printWrapped(rows, columns, out);
  if (summary.whyNotDerived)
    out << "  not derived: " << summary.whyNotDerived->text() << '\n';
}

} // namespace quadrille::compiler
