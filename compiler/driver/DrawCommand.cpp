//===- DrawCommand.cpp - quadrille draw -----------------------------------------------------------------------------------------------===//

#include "Given.h"
#include "Pictures.h"
#include "Plans.h"
#include "SingleCase.h"

#include "cost/LinearCost.h"
#include "diagnostics/OutputFile.h"
#include "draw/ContentsTrace.h"
#include "draw/DiagramScene.h"
#include "draw/NetworkScene.h"
#include "draw/TextDiagram.h"
#include "instantiate/ObserverList.h"
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
  Frame frame = clauseFrame(schedule, instance, trees);
  return static_cast<std::uint64_t>(std::max<std::int64_t>(0, evaluate(*schedule.inputs[0]->count, frame)));
}

using Format = std::optional<scene::PictureFormat>; // nothing: text

/// The steps of a page: one for the whole picture, with what ranks hold at the start, and one for each round, with what they hold after it.
std::vector<scene::Page::Step> stepsOf(const draw::Diagram &diagram, const draw::Look &look, llvm::ArrayRef<scene::Table> tables) {
  auto tableOf = [&](const std::string &heading) {
    scene::Table shown;
    for (const scene::Table &table : tables)
      if (table[0][0] == heading)
        for (size_t row = 0; row < table.size(); ++row)
          if (row == 0 || !look.ranks || look.ranks->contains(static_cast<std::uint32_t>(row - 1)))
            shown.push_back(table[row]);
    if (!shown.empty())
      shown[0][0] = "rank"; // in place of the heading, which is the name of the step
    return shown;
  };
  std::vector<scene::Page::Step> steps = {{"start", scene::Open::always, tableOf("start")}};
  for (size_t i = 0; i < diagram.rounds.size(); ++i) {
    const std::string name = "round " + std::to_string(diagram.rounds[i].number);
    steps.push_back({name, static_cast<int>(i), tableOf(name)});
  }
  return steps;
}

void write(Session &session, const draw::Diagram &diagram, Format format, llvm::ArrayRef<scene::Table> tables) {
  const draw::Look &look = session.options.look;
  if (format) {
    scene::Page page{draw::diagramScene(diagram, look), {}, {}};
    page.steps = stepsOf(diagram, look, tables);
    return writePicture(session, page, *format);
  }
  unsigned width = 100;
  if (session.options.output.empty())
    if (unsigned terminal = terminalColumns(llvm::outs()))
      width = std::max(60u, terminal);
  if (look.width)
    width = static_cast<unsigned>(*look.width);
  writeOutput(session.options.output, [&](llvm::raw_ostream &out) { draw::writeText(diagram, width, look, out); }, session.diagnostics);
}

/// Reports that --rounds leaves nothing to be seen, which is known when the rounds have been counted.
bool leavesNothing(Session &session, const ir::Schedule &schedule, std::uint64_t rounds) {
  const auto &wanted = session.options.look.rounds;
  if (!wanted || wanted->first < rounds)
    return false;
  session.diagnostics.report(schedule.nameRange, diag::NoSuchRound{.round = wanted->first, .rounds = rounds});
  return true;
}

/// Draws the loads of a network's links. Throws Finding.
void drawNetwork(Session &session, const ir::Schedule &schedule, const Case &instance, const topology::Topology &network, Format format,
                 CheckOptions &check, TreeCache &trees) {
  const Options &options = session.options;
  const bool hasManyNodes = network.nodes() > limits::pictureRanks;
  if (format && (network.linkNumbers() > limits::pictureLinks || hasManyNodes)) {
    session.diagnostics.report(schedule.nameRange,
                               diag::PictureTooLarge{.count = network.nodes(), .more = false, .what = diag::ShownNodesAndLinks{},
                                                     .limit = hasManyNodes ? LimitInForce(limits::pictureRanks) : limits::pictureLinks});
    return;
  }
  draw::NetworkPicture picture{network, schedule.path(), headingOf(schedule, instance, instance.nodes), static_cast<std::uint32_t>(instance.p)};
  picture.shownRounds = options.look.rounds;
  const bool isPage = format == scene::PictureFormat::Html;
  if (isPage) // a page shows one round after the other, so it may have more of them
    picture.mostRounds = std::max<size_t>(picture.mostRounds, limits::pictureArrows / std::max<std::uint64_t>(1, network.linkNumbers()));
  if (picture.shownRounds)
    picture.mostRounds = std::max<size_t>(picture.mostRounds, isPage ? picture.mostRounds : 64);
  check.tables = options.tables;
  check.lengths = {options.ns.empty() ? granularityOf(schedule, instance).unit() : options.ns[0]};
  picture.caseText += ", n = " + std::to_string(check.lengths[0]);
  draw::LoadTrace trace(picture, format ? limits::pictureLinks : limits::textLinks);
  try {
    const CaseResult result = checkCase(schedule, instance, check, schedule.requiresCommutative, trees, &trace);
    if (result.cost.perBlock && !picture.scale(check.lengths[0]))
      throw topology::findingAbout(network.name, diag::LoadOverflow{});
  } catch (const draw::TooManyLoads &) { // only for text: a picture would have been refused above
    session.diagnostics.report(
        schedule.nameRange,
        diag::TraceTooLong{.count = limits::textLinks.value(), .more = true, .what = diag::ShownLinks{}, .loads = true, .parameter = false, .limit = limits::textLinks});
    return;
  }
  if (leavesNothing(session, schedule, picture.roundsSeen))
    return;
  if (!format) {
    writeOutput(options.output, [&](llvm::raw_ostream &out) { draw::writeNetworkText(picture, options.look.title, out); }, session.diagnostics);
    return;
  }
  scene::Page page{draw::networkScene(picture, options.look, isPage ? draw::Sheet::Stack : draw::Sheet::Spread), scene::Page::Others::Hide, {}};
  for (const draw::NetworkPicture::Panel &panel : picture.panels())
    page.steps.push_back({panel.name, static_cast<int>(page.steps.size()), {}});
  writePicture(session, page, *format);
}

/// Sets what the heading says of the case.
void describeCase(draw::Diagram &diagram, const ir::Schedule &schedule, const Case &instance, const std::vector<std::int64_t> &ns) {
  diagram.ranks = static_cast<std::uint32_t>(instance.p);
  diagram.caseText = headingOf(schedule, instance);
  if (!schedule.tables.empty())
    diagram.caseText += ", all lengths " + (ns.empty() ? "n" : std::to_string(ns[0]));
  else if (!ns.empty())
    diagram.caseText += ", n = " + std::to_string(ns[0]);
  if (auto root = schedule.rootVariable())
    diagram.root = static_cast<std::uint32_t>(instance.numbers[*root - ir::Schedule::firstNumber]);
}

/// Draws the messages of a case. Throws Finding, EvaluationError.
void drawDiagram(Session &session, const ir::Schedule &schedule, const Case &instance, Format format, CheckOptions &check, TreeCache &trees) {
  const Options &options = session.options;
  const draw::Look &look = options.look;
  if (look.ranks && look.ranks->first >= instance.p) {
    session.diagnostics.report(schedule.nameRange, diag::RankOutOfRange{.rank = look.ranks->first, .p = instance.p});
    return;
  }
  const std::int64_t shownRanks = look.ranks ? std::min<std::int64_t>(look.ranks->last, instance.p - 1) - look.ranks->first + 1 : instance.p;
  if (format && shownRanks > limits::pictureRanks) {
    session.diagnostics.report(schedule.nameRange, diag::PictureTooLarge{.count = static_cast<std::uint64_t>(shownRanks), .more = false, .what = diag::ShownRanks{}, .limit = limits::pictureRanks});
    return;
  }
  std::int64_t unit = granularityOf(schedule, instance).unit();
  check.lengths = {options.ns.empty() ? unit : options.ns[0]};
  draw::DiagramRecorder trace(schedule, blocksOf(schedule, instance, trees), limits::pictureArrows, /*refuseMore=*/format.has_value(), look);
  // A page also shows what ranks hold, unless that is too much.
  std::optional<draw::ContentsTrace> contents;
  if (format == scene::PictureFormat::Html)
    contents.emplace(schedule, limits::tracedBlocks, std::nullopt);
  auto tables = [&] { return contents ? contents->tables() : std::vector<scene::Table>(); };
  draw::Diagram &diagram = trace.diagram;
  describeCase(diagram, schedule, instance, options.ns);
  try {
    auto run = [&] {
      ObserverList both;
      both.list = {&trace};
      if (contents)
        both.list.push_back(&*contents);
      return checkCase(schedule, instance, check, schedule.requiresCommutative, trees, &both);
    };
    CaseResult result;
    try {
      result = run();
    } catch (const draw::TooMuchToShow &) {
      contents.reset();
      trace.onRestart();
      result = run();
    }
    diagram.model = result.strictest.text();
    Cost cost = result.cost.at(result.cost.synchronous, 0, check.lengths[0]);
    diagram.cost = costText(cost, unit, options.ns.empty(), false);
    diagram.costGreek = costText(cost, unit, options.ns.empty(), true);
  } catch (const draw::TooManyArrows &) {
    session.diagnostics.report(schedule.nameRange,
                               diag::PictureTooLarge{.count = limits::pictureArrows.value(), .more = true, .what = diag::ShownArrows{}, .limit = limits::pictureArrows});
    return;
  } catch (Finding &finding) {
    if (!finding.diagnostic.range.isValid())
      finding.diagnostic.range = schedule.nameRange;
    // Draw the rounds up to the error.
    diagram.failure = formatMessage(finding.diagnostic.facts) + " [" +
                      diag::codeText(finding.diagnostic.id()) + "]";
    write(session, diagram, format, tables());
    llvm::outs().flush();
    session.diagnostics.report(std::move(finding.diagnostic));
    return;
  }
  if (!leavesNothing(session, schedule, diagram.roundsSeen))
    write(session, diagram, format, tables());
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
  const Format format = wantedPicture(options);
  if (format && !canWrite(*format, session.diagnostics))
    return 1;
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
    if (topologies->empty()) {
      drawDiagram(session, schedule, *instance, format, check, trees);
    } else {
      const auto networks = instance->nodes ? topologies->at(*instance->nodes) : topologies->at(instance->p, /*asked=*/true);
      drawNetwork(session, schedule, *instance, *networks[0], format, check, trees);
    }
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
