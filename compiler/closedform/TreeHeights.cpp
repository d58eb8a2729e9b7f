//===- TreeHeights.cpp - The heights of the trees of a schedule ----------------------------------------------------------------===//

#include "TreeHeights.h"

#include "Fit.h"

#include "cost/Coefficients.h"
#include "cost/CostFormulas.h"

#include "llvm/ADT/STLExtras.h"

namespace quadrille::compiler {

std::vector<TreeHeight> treeHeights(const ir::Schedule &schedule, const CostSamples &samples) {
  std::vector<const ir::LetStmt *> trees;
  for (const auto &stmt : schedule.body)
    if (auto *let = llvm::dyn_cast<ir::LetStmt>(stmt.get());
        let && schedule.variables[let->variable].type == ir::Type::Tree && !let->value->dependsOnRank)
      trees.push_back(let);
  std::vector<TreeHeight> result;
  if (trees.empty())
    return result;
  const Formula p = Formula::symbol("p"), floor = Formula::apply(FormulaFunction::FloorLog2, {p}),
                ceiling = Formula::apply(FormulaFunction::CeilLog2, {p});
  for (const ir::LetStmt *let : trees) {
    std::vector<FitSample> heights;
    for (const CostSample &sample : samples.samples) {
      Frame frame = clauseFrame(schedule, sample.instance, *samples.trees);
      const std::int64_t tree = frame[let->variable];
      if (samples.trees->has(tree))
        heights.push_back({sample.values.get(), Rational((*samples.trees)[tree].height)});
    }
    auto isAtLeast = [&](const Formula &formula) {
      return llvm::all_of(heights, [&](const FitSample &sample) {
        std::optional<Rational> value = evaluate(formula, *sample.values);
        return value && sample.wanted <= *value;
      });
    };
    const std::string text = formulaText(*let->value, schedule);
    if (heights.empty())
      continue;
    if (auto exact = fit({Formula(1), floor, ceiling, p}, heights, 2)) {
      result.push_back({text, {simplify(*exact, factsOf(schedule)), Evidence::Fitted, false}});
      continue;
    }
    for (const Formula &bound : {floor, ceiling, floor + 1, ceiling + 1, Formula(2) * floor, Formula(2) * ceiling})
      if (isAtLeast(bound)) {
        result.push_back({text, {simplify(bound, factsOf(schedule)), Evidence::Fitted, true}});
        break;
      }
  }
  return result;
}

} // namespace quadrille::compiler
