//===- CostCommand.cpp - quadrille cost -----------------------------------------------------------------------------------------------===//

#include "Given.h"

#include "cache/CostCache.h"
#include "cost/LinearCost.h"
#include "instantiate/ObserverList.h"
#include "report/ContentionReport.h"
#include "report/CostFacts.h"
#include "report/CostReport.h"
#include "report/DelayReport.h"
#include "report/ProgressLine.h"
#include "report/Text.h"
#include "report/VerdictReport.h"
#include "topology/Topologies.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

#include <deque>

namespace quadrille::compiler {

using Networks = std::vector<std::shared_ptr<const topology::Topology>>;

/// Prints the costs of one case for every n of the options, with its load on every network and with the given delays; in seconds
/// too if there is a machine.
static void printCase(const ir::Schedule &schedule, const Case &instance, const CheckOptions &options, const Networks &networks,
                      const Delays &delays, const std::optional<MachineParameters> &machine, CostFacts &facts,
                      TreeCache &trees, llvm::raw_ostream &out) {
  checkLateRanks(delays, instance.p);
  std::deque<topology::ContentionMeter> meters; // per length and network
  std::deque<DelayMeter> delayMeters;           // per length
  ObserverList observers;
  for (size_t s = 0; s < options.lengths.size(); ++s)
    for (const auto &network : networks)
      observers.list.push_back(&meters.emplace_back(*network, static_cast<std::uint32_t>(instance.p), s));
  for (size_t s = 0; s < options.lengths.size() && delays.any(); ++s)
    observers.list.push_back(&delayMeters.emplace_back(machine.value_or(commonMachine), delays,
                                                       static_cast<std::uint32_t>(instance.p), s, options.lengths[s]));
  CaseResult result = checkCase(schedule, instance, options, schedule.requiresCommutative, trees, &observers);
  for (size_t s = 0; s < options.lengths.size(); ++s) {
    std::int64_t n = options.lengths[s];
    bool gamma = schedule.usesOperator;
    Lengths lengths = result.cost.perBlock ? Lengths(n) : result.cost.samples[s];
    out << schedule.path() << " at " << caseText(schedule, instance) << ", "
        << (lengths.tables ? lengthsText(lengths) : "n = " + std::to_string(n)) << '\n';
    if (lengths.tables)
      for (const LengthTable &table : *lengths.tables)
        out << (table.extents.size() == 1 ? "  total         " : "  volume h      ") << bottleneckVolume(lengths, table) << '\n';
    out << "  rounds        " << result.rounds << '\n';
    auto text = [&](const std::vector<Cost> &reading) {
      const Cost cost = result.cost.at(reading, s, n);
      return LinearCost::of(cost).text(gamma) + (machine ? " = " + durationText(machine->seconds(cost)) : "");
    };
    out << "  synchronous   " << text(result.cost.synchronous) << '\n';
    out << "  asynchronous  " << text(result.cost.asynchronous) << '\n';
    if (schedule.cost) {
      const ir::Claim &claim = *schedule.cost;
      Frame frame = clauseFrame(schedule, instance.p, instance.numbers, trees);
      out << "  claimed       " << (claim.upperBound ? "at most " : "") << claim.text << " = "
          << evaluateClause(*claim.formula, frame, lengths).text(claim.mentionsGamma) << '\n';
    }
    facts.print(instance, lengths, result, result.cost.at(result.cost.synchronous, s, n), trees, out);
    for (size_t i = 0; i < networks.size(); ++i)
      printContention(*networks[i], meters[s * networks.size() + i].result(), result.cost.at(result.cost.synchronous, s, n),
                      result.cost.perBlock ? n : 1, gamma, machine, out);
    if (!delayMeters.empty())
      printDelays(machine.value_or(commonMachine), delays, delayMeters[s].completions(), !networks.empty(), out);
  }
}

/// The costs for all p, from the cache if they are there; else they are derived, which may ask the solver.
static CostSummary costSummary(const ir::Schedule &schedule, const Limits &limits, std::optional<CostCache> &cache) {
  ClosedFormOptions options;
  options.limits = limits;
  if (cache)
    if (std::optional<CostSummary> known = cache->find(schedule, options))
      return std::move(*known);
  const ClosedForms forms = closedForms(schedule, options);
  CostSummary summary = summaryOf(schedule, forms);
  if (cache && !forms.outOfMemory)
    cache->keep(schedule, options, summary);
  return summary;
}

/// Prints the costs of every case of the options that the schedule admits, and the p that have no such case.
static void printCases(Session &session, const ir::Schedule &schedule, const CheckOptions &options, topology::Topologies &topologies,
                       const std::optional<MachineParameters> &machine, CostFacts &facts, llvm::raw_ostream &out) {
  ProgressLine progress;
  TreeCache trees;
  bool allRoots = true;
  std::vector<std::int64_t> leftOut;
  for (std::int64_t p : options.ps) {
    const Networks networks = topologies.at(p, !session.options.ps.empty());
    bool any = false;
    for (const Case &instance : casesAt(schedule, p, options, allRoots)) {
      if (!admits(schedule, instance, trees))
        continue;
      any = true;
      progress.show(schedule.path() + " at " + caseText(schedule, instance));
      std::string text;
      llvm::raw_string_ostream lines(text);
      printCase(schedule, instance, options, networks, session.options.delays, machine, facts, trees, lines);
      progress.hide();
      out << '\n' << lines.str();
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
  std::optional<topology::Topologies> topologies =
      topology::Topologies::load(session.options.topologies, session.sources, session.diagnostics);
  if (!topologies)
    return 1;
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
    return 1;
  if (machine)
    llvm::outs() << "machine: " << machine->text() << '\n';
  std::optional<CostCache> cache;
  if (session.options.useCache)
    cache.emplace(session.library, session.sources, session.options.executable, session.diagnostics);
  std::vector<const ir::Schedule *> schedules;
  for (const std::string &file : session.options.files)
    llvm::append_range(schedules, session.library.find(file));
  warnOfUnreadOptions(schedules, session);
  bool first = !machine;
  for (const ir::Schedule *schedule : schedules)
    try {
      CostFacts facts(*schedule, machine.value_or(commonMachine));
      if (!first)
        llvm::outs() << '\n';
      first = false;
      printCostSummary(*schedule, costSummary(*schedule, options.limits, cache), llvm::outs());
      printCases(session, *schedule, options, *topologies, machine, facts, llvm::outs());
    } catch (Finding &finding) {
      if (!finding.diagnostic.range.isValid() && finding.diagnostic.file.empty())
        finding.diagnostic.range = schedule->nameRange;
      session.diagnostics.report(std::move(finding.diagnostic));
    } catch (const EvaluationError &error) {
      session.diagnostics.report(error.range, error.facts);
    }
  return session.diagnostics.errorCount() ? 1 : 0;
}

} // namespace quadrille::compiler
