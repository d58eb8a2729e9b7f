//===- Hints.cpp - Rounds and cost beside the steps of a text ------------------------------------------------------------------------===//

#include "Features.h"

#include "algebra/Rational.h"
#include "cost/StepCosts.h"
#include "source/Counted.h"

namespace quadrille::compiler::lsp {

namespace json = llvm::json;

namespace {

/// The numbers of ranks that are tried for hints. The first ones suit most schedules.
constexpr std::int64_t ranksTried[] = {8, 9, 16, 6, 7, 4, 5, 3, 12, 10, 2, 1};

std::optional<Case> usualCase(const ir::Schedule &schedule, const CheckOptions &options, TreeCache &trees) {
  for (std::int64_t p : ranksTried) {
    bool allRoots = true;
    CheckOptions usual = options;
    usual.nodes.nodes = NodeMap::usual(p).nodes();
    for (const CheckOptions *tried : {&std::as_const(usual), &options}) // the schedule may not admit the usual map
      for (const Case &instance : casesAt(schedule, p, *tried, allRoots))
        if (isAdmitted(schedule, instance, trees))
          return instance;
  }
  return std::nullopt;
}

/// "3 rounds, 3α + (7/2)βn": words are counted for blocks of `unit` elements.
std::string costText(const Cost &cost, std::int64_t unit) {
  std::string text = counted(cost.a, "round") + ", ";
  bool isFirst = true;
  auto add = [&](const Rational &factor, const char *letter) {
    if (factor.isZero())
      return;
    const std::string number = factor == Rational(1) ? "" : factor.isInteger() ? factor.text() : "(" + factor.text() + ")";
    text += (isFirst ? "" : " + ") + number + letter;
    isFirst = false;
  };
  add(Rational(cost.a), "α");
  add(Rational(cost.b, unit), "βn");
  add(Rational(cost.c, unit), "γn");
  return text;
}

/// Adds hints for the statements of a schedule that stand in `wanted`.
void addHints(const Analysis &analysis, const ir::Schedule &schedule, std::pair<llvm::SMLoc, llvm::SMLoc> wanted, json::Array &into) {
  TreeCache trees;
  CheckOptions options = analysis.world.settings.checks;
  options.root = 0;
  options.wantBrackets = false;
  options.tables.pattern = LengthPattern::Even;
  const std::optional<Case> instance = usualCase(schedule, options, trees);
  if (!instance)
    return;
  const std::int64_t unit = granularityOf(schedule, *instance).unit();
  options.lengths = {unit};
  StepCosts costs(schedule);
  checkCase(schedule, *instance, options, schedule.requiresCommutative, trees, &costs);
  for (const StepCosts::Entry &entry : costs.entries()) {
    const llvm::SMRange range = entry.statement->range;
    // The statements of an instance stand elsewhere.
    const bool isOwn = range.Start.getPointer() >= schedule.range.Start.getPointer() && range.End.getPointer() <= schedule.range.End.getPointer();
    if (!isOwn || !entry.isKnown || entry.cost.a == 0 || range.End.getPointer() < wanted.first.getPointer() ||
        range.Start.getPointer() > wanted.second.getPointer())
      continue;
    // At the end of its first line.
    const llvm::StringRef text(range.Start.getPointer(), static_cast<std::size_t>(range.End.getPointer() - range.Start.getPointer()));
    const std::size_t line = text.split('\n').first.rtrim().size();
    into.push_back(json::Object{{"position", toJson(analysis.lines.at(analysis.offset(range.Start) + line))},
                                {"label", costText(entry.cost, costs.countsBlocks() ? 1 : unit)},
                                {"tooltip", schedule.path() + " at " + caseText(schedule, *instance)},
                                {"paddingLeft", true}});
  }
}

} // namespace

json::Value hints(const World &world, const Document &document, const json::Object &params) {
  const Analysis analysis(world, document);
  const Range range = rangeFrom(params.get("range")).value_or(Range{{}, analysis.lines.at(document.text.size())});
  json::Array result;
  for (const ast::Schedule *text : analysis.schedulesHere())
    if (const ir::Schedule *schedule = analysis.analyzed(*text)) {
      try {
        addHints(analysis, *schedule, {analysis.place(range.start), analysis.place(range.end)}, result);
      } catch (const Finding &) { // its diagnostics say what is wrong
      } catch (const EvaluationError &) {
      }
    }
  return result;
}

} // namespace quadrille::compiler::lsp
