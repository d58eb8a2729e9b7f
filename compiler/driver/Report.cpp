//===- Report.cpp - Verdicts as lines of text ---------------------------------------------------------------------------------------===//

#include "Report.h"

#include "Commands.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Format.h"

#include <algorithm>

namespace quadrille::compiler {

std::string rangeText(const std::vector<std::int64_t> &values) {
  std::string result;
  for (size_t i = 0; i < values.size();) {
    size_t j = i;
    while (j + 1 < values.size() && values[j + 1] == values[j] + 1)
      ++j;
    if (!result.empty())
      result += ",";
    result += std::to_string(values[i]);
    if (j > i)
      result += (j == i + 1 ? "," : "..") + std::to_string(values[j]);
    i = j + 1;
  }
  return result.empty() ? "none" : result;
}

Diagnostic noAdmissibleCase(const ir::Schedule &schedule, const CheckOptions &options) {
  const std::int64_t most = options.ps.empty() ? 0 : *std::max_element(options.ps.begin(), options.ps.end());
  if (options.root && schedule.rootVariable() && *options.root >= most)
    return Diagnostic(schedule.nameRange, diag::RootOutOfRange{.root = *options.root, .p = most});
  return Diagnostic(schedule.nameRange,
                    diag::NoAdmissibleCase{.ps = rangeText(options.ps), .condition = conditionText(schedule, options)});
}

std::string conditionText(const ir::Schedule &schedule, const CheckOptions &options) {
  std::vector<std::string> parts;
  for (const ir::Requirement &r : schedule.requirements)
    parts.push_back(r.text);
  if (options.root.value_or(0) > 0 && schedule.rootVariable())
    parts.push_back(std::to_string(*options.root) + " < p");
  return llvm::join(parts, " and ");
}

void warnOfUnreadOptions(llvm::ArrayRef<const ir::Schedule *> schedules, Session &session) {
  const Options &options = session.options;
  auto warnUnless = [&](const char *option, const char *what, bool (*has)(const ir::Schedule *)) {
    if (!schedules.empty() && llvm::none_of(schedules, has))
      session.diagnostics.report(schedules[0]->nameRange,
                                 diag::OptionUnread{.option = option, .schedule = schedules[0]->path(), .has = what});
  };
  if (options.hasTableLengths)
    warnUnless("--lengths", "no blocks with lengths of their own", [](const ir::Schedule *s) { return !s->tables.empty(); });
  if (!options.ks.empty())
    warnUnless("-k", "no parameter", [](const ir::Schedule *s) { return s->parameterCount > 0; });
  if (options.root || options.allRoots)
    warnUnless("--root", "no root", [](const ir::Schedule *s) { return s->rootVariable().has_value(); });
}

std::string lawText(const ir::Schedule &schedule) {
  return !schedule.usesOperator ? "-" : schedule.requiresCommutative ? "commutative" : "associative";
}

/// Columns of UTF-8 text; all our characters are one column wide.
static size_t columnsOf(llvm::StringRef text) {
  return static_cast<size_t>(llvm::count_if(text, [](char c) { return (c & 0xC0) != 0x80; }));
}

void printColumns(const std::vector<std::vector<std::string>> &rows, unsigned width, llvm::raw_ostream &out) {
  std::vector<size_t> widths;
  for (const std::vector<std::string> &row : rows) {
    widths.resize(std::max(widths.size(), row.size()), 0);
    for (size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], columnsOf(row[i]));
  }
  constexpr size_t gap = 2;
  size_t shown = 0, used = 0;
  while (shown < widths.size() && (width == 0 || shown < 2 || used + widths[shown] <= width))
    used += widths[shown++] + gap;
  for (const std::vector<std::string> &row : rows) {
    size_t pending = 0; // blanks that the next cell needs before it
    for (size_t i = 0; i < std::min(shown, row.size()); ++i) {
      if (row[i].empty()) {
        pending += widths[i] + gap;
        continue;
      }
      out.indent(static_cast<unsigned>(pending)) << row[i];
      pending = widths[i] - columnsOf(row[i]) + gap;
    }
    out << '\n';
  }
}

static std::string claimText(const ir::Schedule &schedule) {
  std::string result;
  auto add = [&](const std::optional<ir::Claim> &claim, const char *word) {
    if (claim)
      result += (result.empty() ? "" : ", ") + std::string(word) + (claim->upperBound ? " <= " : " ") + claim->text;
  };
  add(schedule.cost, "cost");
  add(schedule.rounds, "rounds");
  return result.empty() ? "cost not claimed" : result;
}

VerdictTable::VerdictTable(const std::vector<const ir::Schedule *> &schedules, bool verbose) : verbose(verbose) {
  for (const ir::Schedule *schedule : schedules)
    width = std::max(width, schedule->path().size());
}

void VerdictTable::print(const Verdict &verdict, const std::string &proof, const std::string &whyNot, bool clausesAreProved,
                         llvm::raw_ostream &out) const {
  const ir::Schedule &schedule = *verdict.schedule;
  out << llvm::left_justify(schedule.path(), width + 2);
  if (!verdict.ok) {
    out << "FAILED\n";
    out.flush();
    return;
  }
  std::string ps = "p = " + rangeText(verdict.checkedPs);
  if (!verdict.allRoots)
    ps += " (roots 0, 1, p div 2, p - 1 for p > 64)";
  const bool isComparedForSome = !clausesAreProved && !verdict.clauses.isEverything();
  out << "ok  " << llvm::left_justify(ps, 16) << "  " << llvm::left_justify(verdict.strictest.text(), 11) << "  "
      << llvm::left_justify(lawText(schedule), 11) << "  " << claimText(schedule)
      << (isComparedForSome ? " (for " + verdict.clauses.text(schedule) + ")" : "") << (proof.empty() ? "" : "  ") << proof << '\n';
  if (verbose) {
    auto line = [&](llvm::StringRef name, const llvm::Twine &text) {
      out << "    " << llvm::left_justify(name, 12) << text << '\n';
    };
    line("cases", llvm::Twine(verdict.cases) + ", " + llvm::Twine(verdict.transfers) + " transfers, each for every n and every input");
    if (!whyNot.empty())
      line("not proved", whyNot);
    if ((schedule.cost || schedule.rounds) && !clausesAreProved)
      line("clauses", "compared in each case, for " + verdict.clauses.text(schedule));
    if (verdict.bracketsKnown && schedule.usesOperator) {
      if (verdict.sameBracketing)
        line("bracketing", "the same on all ranks: floating-point results are identical everywhere");
      else
        line("bracketing", "differs between ranks");
      if (schedule.rootVariable())
        line("", verdict.bracketingDependsOnRoot ? "depends on the root" : "does not depend on the root");
    }
  }
  out.flush();
}

} // namespace quadrille::compiler
