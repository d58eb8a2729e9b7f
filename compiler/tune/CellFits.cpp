//===- CellFits.cpp - The cost model, fitted to what was measured -----------------------------------------------------------===//

#include "CellFits.h"

#include "source/Counted.h"

#include <cmath>

namespace quadrille::compiler::tune {

std::map<std::int64_t, CostFit> fitCells(llvm::MutableArrayRef<Cell> cells, llvm::function_ref<MachineParameters(std::int64_t p)> before) {
  std::map<std::int64_t, std::vector<TimedCost>> known;
  for (const Cell &cell : cells)
    for (const Timed &timed : cell.schedules)
      if (timed.measured && *timed.measured > 0 && !timed.hasFreePorts)
        known[cell.p].push_back({timed.cost, *timed.measured});
  std::map<std::int64_t, CostFit> fits;
  for (const auto &[p, times] : known)
    if (const std::optional<CostFit> fit = fitCosts(times, before(p)))
      fits[p] = *fit;
  for (Cell &cell : cells)
    if (const auto fit = fits.find(cell.p); fit != fits.end())
      for (Timed &timed : cell.schedules)
        timed.predicted = fit->second.parameters.seconds(timed.cost);
  return fits;
}

std::vector<std::string> fitTexts(const std::map<std::int64_t, CostFit> &fits, std::int64_t wordBytes) {
  std::vector<std::string> lines;
  for (const auto &[p, fit] : fits)
    lines.push_back("p = " + std::to_string(p) + ": " + fit.parameters.text() + " for words of " + counted(wordBytes, "byte") + " fit " +
                    counted(fit.times, "time") + "; half of these differ by at most " + std::to_string(std::lround(100 * fit.typicalError)) + " %");
  return lines;
}

} // namespace quadrille::compiler::tune
