//===- DrawCommand.cpp - quadrille draw -----------------------------------------------------------------------------------------------===//

#include "Given.h"
#include "Plans.h"
#include "SingleCase.h"

#include "cost/LinearCost.h"
#include "diagnostics/OutputFile.h"
#include "draw/Network.h"
#include "draw/SvgDiagram.h"
#include "draw/TextDiagram.h"
#include "limits/Limits.h"
#include "report/Text.h"
#include "report/VerdictReport.h"
#include "topology/Topologies.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

namespace quadrille::compiler {

namespace {

/// The text of a cost, "8*alpha + 8/3*beta*n". `perElement`: words are counted for blocks of `unit` elements, and printed as
/// multiples of n.
std::string costText(const Cost &cost, std::int64_t unit, bool perElement, bool greek) {
  std::string text;
  auto add = [&](const Rational &factor, const char *name, const char *letter, bool timesN) {
    if (factor.isZero())
      return;
    std::string part;
    if (greek)
      part = (factor == Rational(1) ? "" : factor.isInteger() ? factor.text() : "(" + factor.text() + ")") + letter +
             (timesN ? "n" : "");
    else
      part = (factor == Rational(1) ? "" : factor.text() + "*") + name + (timesN ? "*n" : "");
    text += (text.empty() ? "" : " + ") + part;
  };
  add(Rational(cost.a), "alpha", "α", false);
  add(Rational(cost.b, perElement ? unit : 1), "beta", "β", perElement);
  add(Rational(cost.c, perElement ? unit : 1), "gamma", "γ", perElement);
  return text.empty() ? "0" : text;
}

std::uint64_t blocksOf(const ir::Schedule &schedule, const Case &instance, TreeCache &trees) {
  if (schedule.inputs.empty() || !schedule.inputs[0]->isArray)
    return 1;
  Frame frame = clauseFrame(schedule, instance.p, instance.numbers, trees);
  return static_cast<std::uint64_t>(std::max<std::int64_t>(0, evaluate(*schedule.inputs[0]->count, frame)));
}

void write(Session &session, const draw::Diagram &diagram, bool svg) {
  unsigned width = 100;
  if (session.options.output.empty())
    if (unsigned terminal = terminalColumns(llvm::outs()))
      width = std::max(60u, terminal);
  writeOutput(
      session.options.output,
      [&](llvm::raw_ostream &out) { svg ? draw::writeSvg(diagram, out) : draw::writeText(diagram, width, out); },
      session.diagnostics);
}

/// Draws the loads of a network's links. Throws Finding.
void drawNetwork(Session &session, const ir::Schedule &schedule, const Case &instance, const topology::Topology &network, bool svg,
                 CheckOptions &check, TreeCache &trees) {
  const Options &options = session.options;
  const bool hasManyNodes = network.nodes() > limits::pictureRanks;
  if (svg && (network.linkNumbers() > limits::pictureLinks || hasManyNodes)) {
    session.diagnostics.report(schedule.nameRange,
                               diag::PictureTooLarge{.what = std::to_string(network.nodes()) + " nodes and their links",
                                                     .limit = hasManyNodes ? LimitInForce(limits::pictureRanks) : limits::pictureLinks});
    return;
  }
  draw::NetworkPicture picture{network, schedule.path(), caseText(schedule, instance), static_cast<std::uint32_t>(instance.p),
                               {}, {}, {}};
  check.tables = options.tables;
  check.lengths = {options.ns.empty() ? granularityOf(schedule, instance).unit() : options.ns[0]};
  picture.caseText += ", n = " + std::to_string(check.lengths[0]);
  draw::LoadTrace trace(picture, svg ? limits::pictureLinks : limits::textLinks);
  try {
    const CaseResult result = checkCase(schedule, instance, check, schedule.requiresCommutative, trees, &trace);
    if (result.cost.perBlock && !picture.scale(check.lengths[0]))
      throw topology::findingAbout(network.name, diag::LoadOverflow{});
  } catch (const draw::TooManyLoads &) { // only for text: an SVG would have been refused above
    session.diagnostics.report(
        schedule.nameRange,
        diag::TraceTooLong{.what = "the loads of more than " + std::to_string(limits::textLinks.value()) + " links", .parameter = false, .limit = limits::textLinks});
    return;
  }
  writeOutput(
      session.options.output,
      [&](llvm::raw_ostream &out) { svg ? draw::writeNetworkSvg(picture, out) : draw::writeNetworkText(picture, out); },
      session.diagnostics);
}

} // namespace

int drawCommand(Session &session) {
  const Options &options = session.options;
  if (options.plan)
    return drawPlans(session);
  std::vector<const ir::Schedule *> schedules = session.library.find(options.files[0]);
  if (schedules.size() > 1)
    session.diagnostics.reportFile(options.files[0], diag::SeveralSchedules{.schedules = schedules.size(), .command = "draw"});
  if (schedules.size() != 1)
    return 1;
  const ir::Schedule &schedule = *schedules[0];
  bool svg = options.format == "svg" || (options.format.empty() && llvm::StringRef(options.output).ends_with(".svg"));
  CheckOptions check = checkOptions(options);
  check.tables.pattern = LengthPattern::Even;
  // A picture does not show bracketing.
  check.wantBrackets = false;
  TreeCache trees;
  std::optional<topology::Topologies> topologies =
      topology::Topologies::load(session.options.topologies, session.sources, session.diagnostics);
  if (!topologies)
    return 1;
  try {
    std::optional<Case> instance = singleCase(session, schedule, topologies->defaultRanks(8)[0], trees);
    if (!instance)
      return 1;
    if (!topologies->empty()) {
      drawNetwork(session, schedule, *instance, *topologies->at(instance->p, /*asked=*/true)[0], svg, check, trees);
      return session.diagnostics.errorCount() ? 1 : 0;
    }
    if (svg && instance->p > limits::pictureRanks) {
      session.diagnostics.report(schedule.nameRange, diag::PictureTooLarge{.what = std::to_string(instance->p) + " ranks", .limit = limits::pictureRanks});
      return 1;
    }
    std::int64_t unit = granularityOf(schedule, *instance).unit();
    check.lengths = {options.ns.empty() ? unit : options.ns[0]};
    draw::DiagramRecorder trace(schedule, blocksOf(schedule, *instance, trees), limits::pictureArrows, /*refuseMore=*/svg);
    draw::Diagram &diagram = trace.diagram;
    diagram.ranks = static_cast<std::uint32_t>(instance->p);
    diagram.caseText = caseText(schedule, *instance);
    if (!schedule.tables.empty())
      diagram.caseText += ", all lengths " + (options.ns.empty() ? "n" : std::to_string(options.ns[0]));
    else if (!options.ns.empty())
      diagram.caseText += ", n = " + std::to_string(options.ns[0]);
    if (auto root = schedule.rootVariable())
      diagram.root = static_cast<std::uint32_t>(instance->numbers[*root - ir::Schedule::firstNumber]);
    try {
      CaseResult result = checkCase(schedule, *instance, check, schedule.requiresCommutative, trees, &trace);
      diagram.model = result.strictest.text();
      Cost cost = result.cost.at(result.cost.synchronous, 0, check.lengths[0]);
      diagram.cost = costText(cost, unit, options.ns.empty(), false);
      diagram.costGreek = costText(cost, unit, options.ns.empty(), true);
    } catch (const draw::TooManyArrows &) {
      session.diagnostics.report(schedule.nameRange,
                                 diag::PictureTooLarge{.what = "more than " + std::to_string(limits::pictureArrows.value()) + " arrows", .limit = limits::pictureArrows});
      return 1;
    } catch (Finding &finding) {
      if (!finding.diagnostic.range.isValid())
        finding.diagnostic.range = schedule.nameRange;
      // Draw the rounds up to the error.
      diagram.failure = formatMessage(finding.diagnostic.facts) + " [" +
                        diag::codeText(finding.diagnostic.id()) + "]";
      write(session, diagram, svg);
      llvm::outs().flush();
      session.diagnostics.report(std::move(finding.diagnostic));
      return 1;
    }
    write(session, diagram, svg);
  } catch (Finding &finding) {
    if (!finding.diagnostic.range.isValid() && finding.diagnostic.file.empty())
      finding.diagnostic.range = schedule.nameRange;
    session.diagnostics.report(std::move(finding.diagnostic));
  } catch (const EvaluationError &error) {
    session.diagnostics.report(error.range, error.facts);
  }
  return session.diagnostics.errorCount() ? 1 : 0;
}

} // namespace quadrille::compiler
