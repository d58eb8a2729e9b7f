//===- ExportCommand.cpp - quadrille tune --export ----------------------------------------------------------------------------------===//

#include "ExportCommand.h"

#include "ChoiceTable.h"

#include "diagnostics/OutputFile.h"
#include "tune/OpenMpiRules.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <limits>
#include <set>

namespace quadrille::compiler {

using tune::OpenMpiCollective;
using tune::OpenMpiRule;
using tune::OpenMpiRules;

/// The rules for p ranks. Where Open MPI has no algorithm like the schedule that the table chooses, the choice is left to Open MPI. Rules do not
/// depend on the operator, so they are those for operators that commute.
static std::vector<OpenMpiRule> openMpiRules(const ChoiceTable &table, const OpenMpiCollective &collective, std::int64_t p, std::set<std::string> &leftOut) {
  const auto rows = table.rowsFor(collective.ours, p);
  std::vector<OpenMpiRule> rules;
  // If ranks know different lengths, blocks count as longer than all others, as in libquadrille.
  const bool isKnown = collective.bytes != OpenMpiCollective::NotKnown;
  for (std::uint64_t change : isKnown ? ChoiceTable::changes(rows) : std::vector<std::uint64_t>{0}) {
    const std::uint64_t bytes = isKnown ? change : std::numeric_limits<std::uint64_t>::max();
    const Chosen chosen = ChoiceTable::choose(rows, bytes, /*commutative=*/true);
    const int algorithm = chosen.row ? openMpiAlgorithm(collective, chosen.row->candidate->schedule, chosen.row->parameter) : 0;
    // What the table leaves to the MPI library is left to it here, too.
    if (chosen.row && algorithm == 0 && !quadrille::detail::isMpiLibrary(chosen.row->candidate))
      leftOut.insert(std::string(collective.ours) + "/" + chosen.text());
    OpenMpiRule rule{change, algorithm, chosen.text()};
    // Neighbours with the same algorithm, or both with none, are one rule.
    if (rules.empty() || rules.back().algorithm != algorithm)
      rules.push_back(std::move(rule));
  }
  return rules;
}

/// The rules for all `ps`. Rules hold from their number of ranks on, so further ones leave the choice to Open MPI between and behind `ps`.
static std::vector<OpenMpiRules> openMpiRules(const ChoiceTable &table, const OpenMpiCollective &collective, llvm::ArrayRef<std::int64_t> ps,
                                              std::set<std::string> &leftOut) {
  const std::vector<OpenMpiRule> none{{0, 0, ""}};
  std::vector<OpenMpiRules> result{{0, none}};
  auto add = [&](std::int64_t p, const std::vector<OpenMpiRule> &rules) {
    // Rules with bytes of all blocks differ for every p, even if they look the same here.
    const bool isSame = result.back().rules == rules && (collective.bytes != OpenMpiCollective::OfAllBlocks || rules.size() == 1);
    if (!isSame)
      result.push_back({p, rules});
  };
  for (size_t i = 0; i < ps.size(); ++i) {
    std::vector<OpenMpiRule> rules = openMpiRules(table, collective, ps[i], leftOut);
    const bool isLeft = llvm::all_of(rules, [](const OpenMpiRule &rule) { return rule.algorithm == 0; });
    add(ps[i], isLeft ? none : rules);
    if (i + 1 == ps.size() || ps[i + 1] != ps[i] + 1)
      add(ps[i] + 1, none);
  }
  return result.size() == 1 ? std::vector<OpenMpiRules>() : result;
}

int exportCommand(Session &session) {
  const Options &options = session.options;
  const std::string file = options.files.empty() ? "" : options.files[0];
  ChoiceTable table(session);
  if (!table.read(file, "mpi"))
    return 1;
  if (!file.empty() && table.rowsOfFile() == 0) {
    session.diagnostics.reportFile(file, diag::TableForThreads{});
    return 1;
  }
  constexpr std::int64_t usualEnd = 128; // if the command line does not say which
  std::vector<std::int64_t> ps = options.ps;
  for (std::int64_t p = 2; options.ps.empty() && p <= usualEnd; ++p)
    ps.push_back(p);
  std::set<std::string> leftOut;
  std::vector<std::vector<OpenMpiRules>> rules;
  for (const OpenMpiCollective &collective : tune::openMpiCollectives())
    rules.push_back(openMpiRules(table, collective, ps, leftOut));
  const std::string name = file.empty() ? "the table of the library" : file;
  writeOutput(options.output.empty() ? "-" : options.output, [&](llvm::raw_ostream &out) { out << tune::openMpiFile(rules, name); }, session.diagnostics);
  if (!leftOut.empty())
    llvm::errs() << "quadrille: Open MPI has no counterpart of " << llvm::join(leftOut, ", ") << "; where the table chooses these, Open MPI chooses\n";
  llvm::errs() << "quadrille: Open MPI does not ask whether an operator commutes: the rules for reductions are for those that do\n";
  return session.diagnostics.errorCount() ? 1 : 0;
}

} // namespace quadrille::compiler
