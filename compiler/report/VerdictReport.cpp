//===- VerdictReport.cpp - Verdicts of checks as lines of text -----------------------------------------------------------------===//

#include "VerdictReport.h"

#include "Text.h"

#include "limits/Limits.h"
#include "source/Counted.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Format.h"

#include <algorithm>

namespace quadrille::compiler {

Diagnostic noAdmissibleCase(const ir::Schedule &schedule, const CheckOptions &options) {
  const std::int64_t most = options.ps.empty() ? 0 : *std::max_element(options.ps.begin(), options.ps.end());
  if (options.root && schedule.rootVariable() && *options.root >= most)
    return Diagnostic(schedule.nameRange, diag::RootOutOfRange{.root = *options.root, .p = most});
  return Diagnostic(schedule.nameRange, diag::NoAdmissibleCase{.ps = options.ps,
                                                               .condition = conditionText(schedule, options),
                                                               .tried = triedParameters(schedule, options, most)});
}

std::optional<diag::Tried> triedParameters(const ir::Schedule &schedule, const CheckOptions &options, std::int64_t most) {
  std::vector<std::string> names;
  for (unsigned i = 0; i < schedule.parameterCount; ++i)
    if (isRequired(schedule, i))
      names.push_back(schedule.variables[ir::Schedule::firstNumber + i].name);
  if (names.empty())
    return std::nullopt;
  if (!options.parameters.empty())
    return diag::TriedGiven{.names = names, .values = options.parameters};
  if (const std::int64_t largest = largestSought(schedule); largest < most)
    return diag::TriedUpTo{.names = names, .most = largest};
  return diag::TriedUpToRanks{.names = names};
}

std::string conditionText(const ir::Schedule &schedule, const CheckOptions &options) {
  std::vector<std::string> parts;
  for (const ir::Requirement &r : schedule.requirements)
    parts.push_back(r.text);
  if (options.root.value_or(0) > 0 && schedule.rootVariable())
    parts.push_back(std::to_string(*options.root) + " < p");
  return llvm::join(parts, " and ");
}

std::string lawText(const ir::Schedule &schedule) {
  return !schedule.usesOperator ? "-" : schedule.requiresCommutative ? "commutative" : "associative";
}

static std::string claimText(const ir::Schedule &schedule) {
  std::string result;
  auto add = [&](const std::optional<ir::CostClause> &claim, const char *word) {
    if (claim)
      result += (result.empty() ? "" : ", ") + std::string(word) + (claim->upperBound ? " <= " : " ") + claim->text;
  };
  add(schedule.cost, "cost");
  add(schedule.rounds, "rounds");
  return result.empty() ? "cost not claimed" : result;
}

std::string mapsText(const Verdict &verdict) {
  if (!verdict.schedule || !verdict.schedule->usesNodes)
    return "";
  if (verdict.allMaps)
    return "all maps to nodes";
  const bool hasAll = llvm::any_of(verdict.checkedPs, [](std::int64_t p) { return p <= limits::ranksOfAllMaps; });
  return verdict.mapsGiven ? "one map to nodes"
         : hasAll          ? "all maps to nodes for p <= " + std::to_string(limits::ranksOfAllMaps.value()) + ", some beyond"
                           : "some maps to nodes";
}

VerdictTable::VerdictTable(const std::vector<const ir::Schedule *> &schedules, bool verbose) : verbose(verbose) {
  for (const ir::Schedule *schedule : schedules)
    width = std::max(width, schedule->path().size());
}

void VerdictTable::print(const Verdict &verdict, const std::string &proof, const std::string &whyNot, bool clausesAreProved,
                         llvm::raw_ostream &out) const {
  const ir::Schedule &schedule = *verdict.schedule;
  if (!verdict.ok) {
    out << llvm::left_justify(schedule.path(), width + 2) << (verdict.reachedLimit() ? "not checked" : "FAILED") << '\n';
    out.flush();
    return;
  }
  std::string ps = "p = " + rangeText(verdict.checkedPs);
  if (!verdict.allRoots)
    ps += " (roots 0, 1, p div 2, p - 1 for p > " + std::to_string(limits::ranksOfAllRoots.value()) + ": " +
          LimitInForce(limits::ranksOfAllRoots).name() + ")";
  if (verdict.root)
    ps += ", root = " + std::to_string(*verdict.root);
  if (!verdict.parameters.empty())
    ps += ", " + (schedule.parameterCount == 1 ? schedule.variables[ir::Schedule::firstNumber].name + " = " : "parameters ") + rangeText(verdict.parameters);
  if (const std::string maps = mapsText(verdict); !maps.empty())
    ps += " (" + maps + ")";
  if (verdict.guessedCases > 0)
    ps += ", and " + counted(verdict.guessedCases, "case") + " up to p = " + std::to_string(verdict.mostRanks);
  const bool isComparedForSome = !clausesAreProved && !verdict.clauses.isEverything();
  std::string text;
  llvm::raw_string_ostream(text) << "ok  " << llvm::left_justify(ps, 16) << "  " << llvm::left_justify(verdict.strictest.text(), 11) << "  "
                                 << llvm::left_justify(lawText(schedule), 11) << "  " << claimText(schedule)
                                 << (isComparedForSome ? " (for " + verdict.clauses.text(schedule) + ")" : "")
                                 << (proof.empty() ? "" : "  ") << proof;
  const unsigned columns = terminalColumns(out);
  printBeside(schedule.path(), width + 2, text, columns, out);
  if (verbose) {
    auto line = [&](llvm::StringRef name, const llvm::Twine &text) {
      printBeside("    " + name.str(), 16, text.str(), columns, out);
    };
    line("cases", llvm::Twine(verdict.cases) + ", " + llvm::Twine(verdict.transfers) + " transfers, each for every n and every input");
    for (const ir::Knowledge &known : schedule.knowledge)
      if (known.toldBy)
        line("lengths", "told by " + known.toldBy->path() + ", which has been checked, too");
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
