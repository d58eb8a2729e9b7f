//===- CostCommand.cpp - quadrille cost -----------------------------------------------------------------------------------------------===//

#include "DataOutput.h"
#include "Given.h"

#include "cache/CostCache.h"
#include "cost/LinearCost.h"
#include "instantiate/ObserverList.h"
#include "prove/solver/SharedAnswers.h"
#include "report/ContentionReport.h"
#include "report/CostData.h"
#include "report/CostFacts.h"
#include "report/CostReport.h"
#include "report/DelayReport.h"
#include "report/FormulaCosts.h"
#include "report/ProgressLine.h"
#include "report/Text.h"
#include "report/VerdictReport.h"
#include "source/Counted.h"
#include "topology/Topologies.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

#include <deque>

namespace quadrille::compiler {

using Networks = std::vector<std::shared_ptr<const topology::Topology>>;

/// Prints what a case costs with startups and words of two kinds. Words are in multiples of `scale`.
static void printNodeCost(const NodeMap &nodes, const NodeCost &cost, std::int64_t scale, llvm::raw_ostream &out) {
  auto part = [&](const Cost &of, const char *kind) {
    return std::to_string(of.a) + "*alpha_" + kind + " + " + std::to_string(of.b * scale) + "*beta_" + kind;
  };
  out << "  on nodes " << nodes.text() << '\n'
      << "    by nodes    " << part(cost.between, "between") << " + " << part(cost.inside, "inside") << '\n'
      << "    between     " << cost.messagesBetween << " of " << counted(cost.messages, "message") << ", " << cost.wordsBetween * scale << " of "
      << counted(cost.words * scale, "word") << '\n';
}

/// Prints the costs of one case for every n of the options, with its load on every network and with the given delays; in seconds
/// too if there is a machine.
static void printCase(const ir::Schedule &schedule, const Case &instance, const CheckOptions &options, const Networks &networks,
                      const Delays &delays, const std::optional<MachineParameters> &machine, CostFacts &facts,
                      TreeCache &trees, CostData &data, llvm::raw_ostream &out) {
  checkLateRanks(delays, instance.p);
  std::deque<topology::ContentionMeter> meters; // per length and network
  std::deque<DelayMeter> delayMeters;           // per length
  std::deque<NodeMeter> nodeMeters;             // per length
  ObserverList observers;
  for (size_t s = 0; s < options.lengths.size(); ++s)
    for (const auto &network : networks)
      observers.list.push_back(&meters.emplace_back(*network, static_cast<std::uint32_t>(instance.p), s));
  for (size_t s = 0; s < options.lengths.size() && delays.any(); ++s)
    observers.list.push_back(&delayMeters.emplace_back(machine.value_or(commonMachine), delays,
                                                       static_cast<std::uint32_t>(instance.p), s, options.lengths[s]));
  const Nodes nodes = schedule.usesNodes ? nodesOf(schedule, instance) : options.nodes.at(instance.p);
  for (size_t s = 0; s < options.lengths.size() && nodes; ++s)
    observers.list.push_back(&nodeMeters.emplace_back(nodes, s));
  CaseResult result = checkCase(schedule, instance, options, schedule.requiresCommutative, trees, &observers);
  for (size_t s = 0; s < options.lengths.size(); ++s) {
    std::int64_t n = options.lengths[s];
    bool gamma = schedule.usesOperator;
    Lengths lengths = result.cost.perBlock ? Lengths(n) : result.cost.samples[s];
    CaseCost &found = data.add(instance, lengths);
    found.rounds = result.rounds;
    out << schedule.path() << " at " << caseText(schedule, instance) << ", "
        << (lengths.tables ? lengthsText(lengths) : "n = " + std::to_string(n)) << '\n';
    if (lengths.tables)
      for (const LengthTable &table : *lengths.tables)
        out << (table.extents.size() == 1 ? "  total         " : "  volume h      ") << bottleneckVolume(lengths, table) << '\n';
    out << "  rounds        " << result.rounds << '\n';
    found.synchronous = result.cost.at(result.cost.synchronous, s, n);
    found.asynchronous = result.cost.at(result.cost.asynchronous, s, n);
    auto text = [&](const Cost &cost) {
      return LinearCost::of(cost).text(gamma) + (machine ? " = " + durationText(machine->seconds(cost)) : "");
    };
    out << "  synchronous   " << text(found.synchronous) << '\n';
    out << "  asynchronous  " << text(found.asynchronous) << '\n';
    if (schedule.cost) {
      const ir::CostClause &claim = *schedule.cost;
      Frame frame = clauseFrame(schedule, instance, trees);
      found.claimed = evaluateClause(*claim.formula, frame, lengths);
      out << "  claimed       " << (claim.upperBound ? "at most " : "") << claim.text << " = "
          << found.claimed->text(claim.mentionsGamma) << '\n';
    }
    found.facts = facts.at(instance, lengths, result.rounds, result.strictest, found.synchronous, trees);
    printFacts(found.facts, out);
    for (size_t i = 0; i < networks.size(); ++i) {
      const std::int64_t scale = result.cost.perBlock ? n : 1;
      found.networks.push_back({networks[i], meters[s * networks.size() + i].result(), scale});
      printContention(*networks[i], found.networks.back().contention, found.synchronous, scale, gamma, machine, out);
    }
    if (nodes) {
      found.byNodes = nodeMeters[s].result();
      found.nodeScale = result.cost.perBlock ? n : 1;
      printNodeCost(*nodes, *found.byNodes, found.nodeScale, out);
    }
    if (!delayMeters.empty()) {
      found.completions = delayMeters[s].completions();
      printDelays(machine.value_or(commonMachine), delays, found.completions, !networks.empty(), out);
    }
  }
}

/// Prints the costs of a case that is too large to be run, for every n of the options, by formulas. Throws
/// Finding if there are none.
static void printByFormula(const ir::Schedule &schedule, const Case &instance, const CheckOptions &options, bool wantsRun,
                           const Diagnostic &whyNotRun, const std::optional<MachineParameters> &machine, std::optional<FormulaCosts> &formulas, TreeCache &trees,
                           CostData &data, llvm::raw_ostream &out) {
  auto fail = [&](const diag::NoFormula &reason) {
    Diagnostic none(schedule.nameRange, diag::NoFormulaHere{.p = instance.p, .reason = reason});
    throw Finding{std::move(none.note(whyNotRun.range, whyNotRun.facts))};
  };
  if (wantsRun)
    fail(diag::NoFormulaTakesRun{});
  if (!formulas)
    formulas.emplace(schedule, ClosedFormOptions{.limits = options.limits});
  if (const std::optional<diag::NoFormula> why = formulas->whyNot())
    fail(*why);
  for (std::int64_t n : options.lengths) {
    CaseCost &found = data.add(instance, n);
    if (!formulas->set(found))
      fail(diag::NoFormulaOverflow{});
    const bool gamma = schedule.usesOperator && found.hasApplications;
    out << schedule.path() << " at " << caseText(schedule, instance) << ", n = " << n << ", by formulas that are proved for "
        << prove::scopeOf(schedule) << '\n';
    out << "  rounds        " << found.rounds << '\n';
    auto text = [&](const Cost &cost) {
      return LinearCost::of(cost).text(gamma) + (schedule.usesOperator && !gamma ? " + ?*gamma" : "") +
             (machine && (found.hasApplications || machine->gamma == 0) ? " = " + durationText(machine->seconds(cost)) : "");
    };
    out << "  synchronous   " << text(found.synchronous) << '\n';
    if (found.hasAsynchronous)
      out << "  asynchronous  " << text(found.asynchronous) << '\n';
    if (schedule.cost) {
      Frame frame = clauseFrame(schedule, instance, trees);
      found.claimed = evaluateClause(*schedule.cost->formula, frame, n);
      out << "  claimed       " << (schedule.cost->upperBound ? "at most " : "") << schedule.cost->text << " = "
          << found.claimed->text(schedule.cost->mentionsGamma) << '\n';
    }
  }
}

/// Prints the costs of every case of the options that the schedule admits, and the p that have no such case.
static void printCases(Session &session, const ir::Schedule &schedule, const CheckOptions &options, topology::Topologies &topologies,
                       const std::optional<MachineParameters> &machine, CostFacts &facts, CostData &data, llvm::raw_ostream &out) {
  ProgressLine progress;
  TreeCache trees;
  bool allRoots = true;
  std::vector<std::int64_t> leftOut;
  std::optional<FormulaCosts> formulas;
  for (std::int64_t p : options.ps) {
    bool any = false;
    CheckOptions here = options;
    if (schedule.usesNodes && !here.nodes.isGiven()) // one map, as one root
      here.nodes.nodes = NodeMap::usual(p).nodes();
    const Nodes nodes = session.options.nodes.at(p);
    const Networks networks = nodes ? topologies.at(*nodes) : topologies.at(p, !session.options.ps.empty());
    for (const Case &instance : casesAt(schedule, p, here, allRoots)) {
      if (!admits(schedule, instance, trees))
        continue;
      any = true;
      progress.show(schedule.path() + " at " + caseText(schedule, instance));
      std::string text;
      llvm::raw_string_ostream lines(text);
      try {
        printCase(schedule, instance, options, networks, session.options.delays, machine, facts, trees, data, lines);
      } catch (const Finding &finding) {
        if (!isLimit(finding.diagnostic.id()))
          throw;
        lines.flush();
        text.clear();
        const bool wantsRun = !networks.empty() || session.options.delays.any();
        printByFormula(schedule, instance, options, wantsRun, finding.diagnostic, machine, formulas, trees, data, lines);
      }
      progress.hide();
      out << '\n';
      constexpr unsigned labels = 16; // columns before the values, where the labels stand
      printLines(lines.str(), terminalColumns(out), labels, out);
      out.flush();
    }
    if (!any)
      leftOut.push_back(p);
  }
  if (leftOut.size() == options.ps.size())
    session.diagnostics.report(noAdmissibleCase(schedule, options));
  else if (!leftOut.empty())
    out << '\n' << schedule.path() << " at p = " << rangeText(leftOut) << ": left out, as `" << conditionText(schedule, options) << "` does not hold\n";
}

int costCommand(Session &session) {
  if (!session.options.compare.empty())
    return compareCommand(session);
  CheckOptions options = checkOptions(session.options);
  DataOutput output(session, "cost");
  std::optional<topology::Topologies> topologies =
      topology::Topologies::load(session.options.topologies, session.sources, session.diagnostics);
  if (!topologies)
    return output.finish(1);
  if (session.options.ps.empty())
    options.ps = topologies->defaultRanks(8);
  options.lengths = session.options.ns.empty() ? std::vector<std::int64_t>{1000} : session.options.ns;
  options.tables = session.options.tables;
  if (options.parameters.empty())
    options.parameters = {4};
  if (!options.root && !session.options.allRoots)
    options.root = 0;
  const std::optional<MachineParameters> machine = givenParameters(session);
  if (session.diagnostics.errorCount())
    return output.finish(1);
  if (machine)
    output.text() << "machine: " << machine->text() << '\n';
  std::optional<CostCache> cache;
  if (session.options.useCache)
    cache.emplace(session.library, session.sources, session.options.executable, session.diagnostics);
  prove::SharedAnswers shared;
  std::vector<const ir::Schedule *> schedules;
  for (const std::string &file : session.options.files)
    llvm::append_range(schedules, session.library.find(file));
  warnOfUnreadOptions(schedules, session);
  bool first = !machine;
  output.results.begin();
  for (const ir::Schedule *schedule : schedules) {
    CostData data(*schedule, machine);
    try {
      CostFacts facts(*schedule, machine.value_or(commonMachine));
      if (!first)
        output.text() << '\n';
      first = false;
      data.summary = costSummary(*schedule, ClosedFormOptions{.limits = options.limits, .shared = &shared}, cache);
      printCostSummary(*schedule, *data.summary, output.text());
      printCases(session, *schedule, options, *topologies, machine, facts, data, output.text());
    } catch (Finding &finding) {
      if (!finding.diagnostic.range.isValid() && finding.diagnostic.file.empty())
        finding.diagnostic.range = schedule->nameRange;
      session.diagnostics.report(std::move(finding.diagnostic));
    } catch (const EvaluationError &error) {
      session.diagnostics.report(error.range, error.facts);
    }
    const std::vector<size_t> about = output.results.reportedSince();
    const bool isWrong = llvm::any_of(about, [&](size_t number) {
      return session.diagnostics.severityOf(session.diagnostics.reported()[number]) == diag::Severity::Error;
    });
    output.results.add(data.entry(isWrong, about));
  }
  return output.finish(session.diagnostics.errorCount() ? 1 : 0);
}

} // namespace quadrille::compiler
