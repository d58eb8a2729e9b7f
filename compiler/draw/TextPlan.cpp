//===- TextPlan.cpp - A picture of plans as text -----------------------------------------------------------------------------===//

#include "PlanDiagram.h"

#include "plan/PlanText.h"
#include "source/Counted.h"
#include "source/Utf8.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

namespace quadrille::compiler::draw {

using plan::RankPlan;

size_t PlanDiagram::operations() const {
  size_t sum = 0;
  for (const RankPlan &plan : plans)
    sum += plan.operations.size();
  return sum;
}

size_t PlanDiagram::times() const {
  size_t latest = 0;
  for (const RankPlan &plan : plans)
    for (const plan::PlannedOperation &operation : plan.operations)
      latest = std::max(latest, operation.time);
  return latest;
}

std::string PlanDiagram::summary() const {
  std::string text = plans.size() == 1 ? "rank " : "ranks ";
  for (const RankPlan &plan : plans)
    text += (&plan == &plans.front() ? "" : ", ") + std::to_string(plan.rank);
  return text + " · " + counted(operations(), "operation") + " · " + counted(times(), "column");
}

namespace {

/// What a rank does at one time: "3 send y[1] to 2 ←1, 2".
using Cells = std::vector<std::string>;

Cells cellsAt(const RankPlan &plan, size_t time) {
  Cells cells;
  for (size_t i = 0; i < plan.operations.size(); ++i) {
    const plan::PlannedOperation &operation = plan.operations[i];
    if (operation.time == time)
      cells.push_back(std::to_string(i + 1) + " " + operation.text() + (operation.after.empty() ? "" : " ←" + plan::numbersText(operation.after)));
  }
  return cells;
}

} // namespace

void writePlanText(const PlanDiagram &diagram, unsigned width, bool hasTitle, llvm::raw_ostream &out) {
  if (hasTitle)
    out << diagram.schedule << ", " << diagram.caseText << '\n' << diagram.summary() << "\n";
  if (diagram.operations() > 0)
    out << "operations at the earliest time; ← what each waits for\n";
  size_t rankWidth = 4;
  for (const RankPlan &plan : diagram.plans)
    rankWidth = std::max(rankWidth, std::to_string(plan.rank).size());
  const size_t end = diagram.times() + 1;
  for (size_t next = 1; next < end;) {
    // As many times as fit beside each other.
    const size_t begin = next;
    std::vector<std::vector<Cells>> panel; // by time, by rank
    std::vector<size_t> widths;
    for (size_t used = rankWidth + 2; next < end; ++next) {
      std::vector<Cells> ofRanks;
      size_t wide = columnsOf("time " + std::to_string(next));
      for (const RankPlan &plan : diagram.plans) {
        ofRanks.push_back(cellsAt(plan, next));
        for (const std::string &cell : ofRanks.back())
          wide = std::max(wide, columnsOf(cell));
      }
      if (next > begin && used + 1 + wide > width)
        break;
      used += 1 + wide + 2;
      panel.push_back(std::move(ofRanks));
      widths.push_back(wide);
    }
    auto line = [&](const std::string &head, auto cellAt) {
      std::string text = std::string(rankWidth - head.size(), ' ') + head + " │";
      for (size_t i = 0; i < panel.size(); ++i) {
        const std::string cell = cellAt(i);
        text += ' ' + cell + std::string(widths[i] - columnsOf(cell) + 1, ' ');
      }
      out << llvm::StringRef(text).rtrim(' ') << '\n';
    };
    out << '\n';
    line("rank", [&](size_t i) { return "time " + std::to_string(begin + i); });
    for (size_t r = 0; r < diagram.plans.size(); ++r) {
      size_t rows = 1;
      for (const std::vector<Cells> &ofRanks : panel)
        rows = std::max(rows, ofRanks[r].size());
      for (size_t row = 0; row < rows; ++row)
        line(row == 0 ? std::to_string(diagram.plans[r].rank) : "",
             [&](size_t i) { return row < panel[i][r].size() ? panel[i][r][row] : std::string(); });
    }
  }
}

} // namespace quadrille::compiler::draw
