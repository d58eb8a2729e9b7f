//===- ExportCommand.cpp - quadrille tune --export ----------------------------------------------------------------------------------===//

#include "ExportCommand.h"

#include "diagnostics/OutputFile.h"
#include "tune/ChoiceTable.h"
#include "tune/MpichRules.h"
#include "tune/OpenMpiRules.h"
#include "tune/UccRules.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <limits>
#include <map>
#include <set>

namespace quadrille::compiler {

using tune::ExportedRule;
using tune::MpichRules;
using tune::OpenMpiRules;
using tune::RuleBytes;
using tune::UccRules;

namespace {

/// Turns rows of a table into rules of a library.
class Exporter {
public:
  Exporter(const tune::ChoiceTable &table, std::string library, llvm::ArrayRef<tune::Counterpart> counterparts, std::uint64_t mostBytes = std::numeric_limits<std::uint64_t>::max())
      : table(table), library(std::move(library)), counterparts(counterparts), mostBytes(mostBytes) {}

  /// The rules for p ranks. Where the library has no algorithm like the schedule that the table chooses, the choice is left to it.
  std::vector<ExportedRule> rulesFor(const std::string &collective, RuleBytes bytes, std::int64_t p, bool commutative);

  /// Keeps one setting for each collective, the one of most rules; what needs another is left to the library.
  void settle(std::vector<UccRules> &rules, const std::string &collective);

  /// Says on standard error what is left to the library although the table chooses something.
  void tellWhatIsLeft() const;

private:
  const tune::ChoiceTable &table;
  const std::string library;
  const llvm::ArrayRef<tune::Counterpart> counterparts;
  const std::uint64_t mostBytes; // in rules
  /// Why what the table chooses is not what the library does.
  void noteUnlike(const std::string &collective, const tune::Chosen &chosen, std::int64_t p, bool commutative);

  // What has no counterpart, at least for some p; none for operators that need not commute; another one for other lengths; what begins at
  // more bytes; what needs another setting.
  std::set<std::string> unlike, unlikeInOrder, notAsked, tooLong, otherwiseSet;
};

} // namespace

std::vector<ExportedRule> Exporter::rulesFor(const std::string &collective, RuleBytes bytes, std::int64_t p, bool commutative) {
  const auto rows = table.rowsFor(collective, p);
  std::vector<ExportedRule> rules;
  // If ranks know different lengths, blocks count as longer than all others, as in libquadrille.
  const bool isKnown = bytes != RuleBytes::NotKnown;
  for (std::uint64_t change : isKnown ? tune::ChoiceTable::changes(rows) : std::vector<std::uint64_t>{0}) {
    const tune::Chosen chosen = tune::ChoiceTable::choose(rows, isKnown ? change : std::numeric_limits<std::uint64_t>::max(), commutative);
    ExportedRule rule{change, "", 0, chosen.text()};
    const tune::Counterpart *counterpart =
        chosen.row ? counterpartOf(counterparts, collective, chosen.row->candidate->schedule, chosen.row->parameter, p, commutative) : nullptr;
    const std::string name = collective + "/" + rule.schedule;
    if (counterpart) {
      rule.algorithm = counterpart->algorithm;
      rule.setting = counterpart->setting == tune::Counterpart::Own ? chosen.row->parameter : counterpart->setting;
    } else if (chosen.row && !quadrille::detail::isMpiLibrary(chosen.row->candidate)) {
      // What the table leaves to the MPI library is left to it here, too.
      noteUnlike(collective, chosen, p, commutative);
    }
    // Neighbours with the same algorithm, or both with none, are one rule.
    if (!rules.empty() && rules.back().takesSame(rule))
      continue;
    if (change > mostBytes / (bytes == RuleBytes::OfAllBlocks ? static_cast<std::uint64_t>(p) : 1)) {
      tooLong.insert(name);
      break;
    }
    rules.push_back(std::move(rule));
  }
  if (bytes == RuleBytes::NotAsked && rules.size() > 1) {
    notAsked.insert(collective);
    return {ExportedRule()};
  }
  return rules;
}

void Exporter::noteUnlike(const std::string &collective, const tune::Chosen &chosen, std::int64_t p, bool commutative) {
  const std::string schedule = chosen.row->candidate->schedule, name = collective + "/" + chosen.text();
  if (!commutative && counterpartOf(counterparts, collective, schedule, chosen.row->parameter, p, /*commutative=*/true)) {
    unlikeInOrder.insert(name);
    return;
  }
  const auto other = llvm::find_if(counterparts, [&](const tune::Counterpart &one) {
    return collective == one.collective && schedule == one.schedule && one.ranks != tune::Counterpart::ForAny && (commutative || one.operators == tune::Counterpart::Any);
  });
  unlike.insert(other == counterparts.end() ? name : name + (other->ranks == tune::Counterpart::ForOthers ? " (p a power of two)" : " (p no power of two)"));
}

void Exporter::settle(std::vector<UccRules> &rules, const std::string &collective) {
  std::map<std::int64_t, size_t> counts;
  for (const UccRules &ofRanks : rules)
    for (const ExportedRule &rule : ofRanks.rules)
      if (rule.setting != 0)
        ++counts[rule.setting];
  const auto most = std::max_element(counts.begin(), counts.end(), [](const auto &a, const auto &b) { return a.second < b.second; });
  for (UccRules &ofRanks : rules)
    for (ExportedRule &rule : ofRanks.rules)
      if (rule.setting != 0 && rule.setting != most->first) {
        otherwiseSet.insert(collective + "/" + rule.schedule);
        rule = {rule.bytes, "", 0, rule.schedule};
      }
}

void Exporter::tellWhatIsLeft() const {
  auto tell = [&](const std::set<std::string> &what, llvm::StringRef before, llvm::StringRef after) {
    if (!what.empty())
      llvm::errs() << "quadrille: " << library << ' ' << before << ' ' << llvm::join(what, ", ") << after << '\n';
  };
  tell(unlike, "has no counterpart of", "; where the table chooses these, " + library + " chooses");
  tell(unlikeInOrder, "has no counterpart that keeps the order of ranks of", "; where the table chooses these for operators that need not commute, " + library + " chooses");
  tell(notAsked, "does not ask for the lengths of blocks in", "; where the table has different choices for them, " + library + " chooses");
  tell(tooLong, "cannot count the bytes from which on the table chooses", "; the choice for shorter blocks holds on");
  tell(otherwiseSet, "has one radix for all calls of a collective, which is not that of", "; where the table chooses these, " + library + " chooses");
}

/// The rules for all `ps`. Rules hold from their number of ranks on, so further ones leave the choice to Open MPI between and behind `ps`.
static std::vector<OpenMpiRules> openMpiRules(Exporter &exporter, const tune::OpenMpiCollective &collective, llvm::ArrayRef<std::int64_t> ps) {
  const std::vector<ExportedRule> none{ExportedRule()};
  std::vector<OpenMpiRules> result{{0, none}};
  auto add = [&](std::int64_t p, const std::vector<ExportedRule> &rules) {
    // Rules with bytes of all blocks differ for every p, even if they look the same here.
    const bool isSame = result.back().rules == rules && (collective.bytes != RuleBytes::OfAllBlocks || rules.size() == 1);
    if (!isSame)
      result.push_back({p, rules});
  };
  for (size_t i = 0; i < ps.size(); ++i) {
    // Rules do not depend on the operator, so they are those for operators that commute.
    std::vector<ExportedRule> rules = exporter.rulesFor(collective.ours, collective.bytes, ps[i], /*commutative=*/true);
    const bool isLeft = llvm::all_of(rules, [](const ExportedRule &rule) { return rule.algorithm.empty(); });
    add(ps[i], isLeft ? none : rules);
    if (i + 1 == ps.size() || ps[i + 1] != ps[i] + 1)
      add(ps[i] + 1, none);
  }
  return result.size() == 1 ? std::vector<OpenMpiRules>() : result;
}

static std::string openMpiText(const tune::ChoiceTable &table, llvm::ArrayRef<std::int64_t> ps, const std::string &name) {
  Exporter exporter(table, "Open MPI", tune::openMpiCounterparts());
  std::vector<std::vector<OpenMpiRules>> rules;
  for (const tune::OpenMpiCollective &collective : tune::openMpiCollectives())
    rules.push_back(openMpiRules(exporter, collective, ps));
  exporter.tellWhatIsLeft();
  llvm::errs() << "quadrille: Open MPI does not ask whether an operator commutes: the rules for reductions are for those that do\n";
  return tune::openMpiFile(rules, name);
}

static std::string mpichText(const tune::ChoiceTable &table, llvm::ArrayRef<std::int64_t> ps, const std::string &) {
  Exporter exporter(table, "MPICH", tune::mpichCounterparts(), tune::mostMpichBytes);
  std::vector<std::vector<MpichRules>> rules;
  for (const tune::MpichCollective &collective : tune::mpichCollectives()) {
    std::vector<MpichRules> ofCollective;
    for (std::int64_t p : ps) {
      auto rulesFor = [&](bool commutative) { return exporter.rulesFor(collective.ours, collective.bytes, p, commutative); };
      ofCollective.push_back({p, rulesFor(true), collective.hasOperator ? rulesFor(false) : std::vector<ExportedRule>()});
    }
    rules.push_back(std::move(ofCollective));
  }
  exporter.tellWhatIsLeft();
  return tune::mpichFile(rules);
}

static std::string uccText(const tune::ChoiceTable &table, llvm::ArrayRef<std::int64_t> ps, const std::string &) {
  Exporter exporter(table, "UCC", tune::uccCounterparts());
  std::vector<std::vector<UccRules>> rules;
  for (const tune::UccCollective &collective : tune::uccCollectives()) {
    std::vector<UccRules> ofCollective;
    for (std::int64_t p : ps)
      ofCollective.push_back({p, exporter.rulesFor(collective.ours, collective.bytes, p, /*commutative=*/true)});
    exporter.settle(ofCollective, collective.ours);
    rules.push_back(std::move(ofCollective));
  }
  exporter.tellWhatIsLeft();
  llvm::errs() << "quadrille: UCC does not ask whether an operator commutes: the rules for reductions are for those that do\n";
  return tune::uccVariables(rules);
}

int exportCommand(Session &session) {
  const Options &options = session.options;
  const std::string file = options.files.empty() ? "" : options.files[0];
  tune::ChoiceTable table(session.library.all(), session.options.sharesCores, session.diagnostics);
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
  const std::string name = file.empty() ? "the table of the library" : file;
  const auto textFor = options.exportFor == "ompi" ? openMpiText : options.exportFor == "mpich" ? mpichText : uccText;
  const std::string text = textFor(table, ps, name);
  writeOutput(options.output.empty() ? "-" : options.output, [&](llvm::raw_ostream &out) { out << text; }, session.diagnostics);
  return session.diagnostics.errorCount() ? 1 : 0;
}

} // namespace quadrille::compiler
