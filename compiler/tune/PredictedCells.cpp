//===- PredictedCells.cpp - What the schedules of a table are expected to take ---------------------------------------===//

#include "PredictedCells.h"

#include "llvm/ADT/STLExtras.h"

namespace quadrille::compiler::tune {

std::vector<Cell> predictedCells(const TuningGrid &grid, Contestants &contestants, run::Predictions &predictions, run::RunRequest request,
                                 ProgressLine &progress, Diagnostics &diagnostics) {
  std::vector<Cell> cells;
  for (const std::string &collective : grid.collectives) {
    const std::vector<Contestant> all = contestants.of(collective);
    for (std::int64_t p : grid.ps) {
      progress.show("predicting " + collective + ", p = " + std::to_string(p));
      const size_t first = cells.size();
      const bool hasData = collective != "barrier";
      const llvm::ArrayRef<std::int64_t> lengths = grid.ns;
      for (std::int64_t n : hasData ? lengths : lengths.take_front())
        cells.push_back({collective, p, TuningGrid::bytesFor(collective, n), {}});
      for (const Contestant &contestant : all) {
        if (!contestant.admits(p))
          continue;
        const bool hasFreePorts = contestants.needsPorts(*contestant.schedule);
        request.parameters = {contestant.parameter.value_or(4)};
        std::optional<std::vector<run::CallCase>> cases = run::casesFor(*contestant.schedule, request, p, diagnostics);
        for (const run::CallCase &c : cases ? *cases : std::vector<run::CallCase>()) {
          const size_t place = hasData ? static_cast<size_t>(llvm::find(grid.ns, static_cast<std::int64_t>(c.n)) - grid.ns.begin()) : 0;
          if (std::optional<Cost> cost = predictions.cost(c))
            cells[first + place].schedules.push_back({contestant.schedule, contestant.parameterText(),
                                                      predictions.parameters(p, TuningGrid::elementBytes).seconds(*cost), std::nullopt, hasFreePorts, *cost});
        }
      }
    }
  }
  progress.hide();
  for (Cell &cell : cells) {
    const std::optional<TuningGrid::Wish> wanted = grid.wishFor(cell);
    llvm::erase_if(cell.schedules, [&](const Timed &timed) { return !wanted || (wanted->isOrdered && timed.needsCommutative()); });
  }
  llvm::erase_if(cells, [](const Cell &cell) { return cell.schedules.empty(); });
  return cells;
}

} // namespace quadrille::compiler::tune
