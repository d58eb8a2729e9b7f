//===- SelectionTable.cpp - From times to a table that chooses ------------------------------------------------------------===//

#include "SelectionTable.h"

#include "machines/MachineDescription.h"
#include "source/Counted.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <cassert>
#include <cmath>

namespace quadrille::compiler::tune {

static bool isSame(const Timed &a, const Timed &b) { return a.schedule == b.schedule && a.parameter == b.parameter; }

bool Timed::admitsAll() const {
  const unsigned first = ir::Schedule::firstNumber, end = first + schedule->parameterCount;
  return llvm::all_of(schedule->requirements, [&](const ir::Requirement &requirement) {
    return !ir::anyPart(*requirement.condition, [&](const ir::Expr &part) {
      return ir::isOfNodes(part.op) || (part.op == ir::Op::Variable && (part.variable < first || part.variable >= end));
    });
  });
}

std::vector<const Timed *> preferencesOf(const Cell &cell, llvm::ArrayRef<const Timed *> before) {
  constexpr double almost = 1.03;
  const bool anyMeasured = llvm::any_of(cell.schedules, [](const Timed &timed) { return timed.measured.has_value(); });
  const bool anyComparable = llvm::any_of(cell.schedules, [](const Timed &timed) { return !timed.hasFreePorts; });
  std::vector<const Timed *> sorted;
  for (const Timed &timed : cell.schedules)
    if (anyMeasured ? timed.measured.has_value() : !timed.hasFreePorts || !anyComparable)
      sorted.push_back(&timed);
  llvm::stable_sort(sorted, [](const Timed *a, const Timed *b) { return a->seconds() < b->seconds(); });
  if (sorted.empty())
    return {};
  if (!before.empty())
    for (const Timed *&timed : sorted)
      if (isSame(*timed, *before[0]) && timed->seconds() <= almost * sorted[0]->seconds()) {
        std::swap(timed, sorted[0]);
        break;
      }
  std::vector<const Timed *> result;
  // For each kind of call, take the fastest schedule that serves it, unless one that was taken before does.
  for (const auto &[anyOperator, anyRanks] : {std::pair(false, false), std::pair(true, false), std::pair(false, true), std::pair(true, true)}) {
    auto serves = [&, ofOperators = anyOperator, ofRanks = anyRanks](const Timed *timed) {
      return (!ofOperators || !timed->needsCommutative()) && (!ofRanks || timed->admitsAll());
    };
    if (llvm::any_of(result, serves))
      continue;
    if (auto found = llvm::find_if(sorted, serves); found != sorted.end())
      result.push_back(*found);
  }
  return result;
}

namespace {

/// Cells of one collective and one p that have the same preferences.
struct Stretch {
  std::uint64_t from = 0;
  std::optional<std::uint64_t> to;
  std::vector<const Timed *> preferences; // at its first cell

  bool hasSame(llvm::ArrayRef<const Timed *> others) const {
    return preferences.size() == others.size() &&
           llvm::all_of(llvm::zip(preferences, others), [](const auto &pair) { return isSame(*std::get<0>(pair), *std::get<1>(pair)); });
  }
};

/// Consecutive numbers of ranks that have the same stretches.
struct Ranks {
  std::int64_t from = 1;
  std::optional<std::int64_t> to;
  std::vector<Stretch> stretches;
};

} // namespace

/// The last number that is nearer to a than to b on a logarithmic scale.
static std::uint64_t lastBefore(std::uint64_t a, std::uint64_t b) {
  const double middle = std::sqrt(static_cast<double>(std::max<std::uint64_t>(a, 1)) * static_cast<double>(b));
  return std::max(a, std::min(b - 1, static_cast<std::uint64_t>(middle)));
}

static std::vector<Stretch> stretchesOf(llvm::ArrayRef<Cell> cells) {
  std::vector<Stretch> result;
  std::vector<const Timed *> before;
  for (size_t i = 0; i < cells.size(); ++i) {
    assert((i == 0 || cells[i - 1].bytes < cells[i].bytes) && "the cells of one p ascend in bytes");
    before = preferencesOf(cells[i], before);
    const std::optional<std::uint64_t> to = i + 1 < cells.size() ? std::optional(lastBefore(cells[i].bytes, cells[i + 1].bytes)) : std::nullopt;
    if (result.empty() || !result.back().hasSame(before))
      result.push_back({result.empty() ? 0 : *result.back().to + 1, to, before});
    result.back().to = to;
  }
  return result;
}

static bool haveSame(llvm::ArrayRef<Stretch> a, llvm::ArrayRef<Stretch> b) {
  return a.size() == b.size() && llvm::all_of(llvm::zip(a, b), [](const auto &pair) {
           const auto &[one, other] = pair;
           return one.from == other.from && one.to == other.to && one.hasSame(other.preferences);
         });
}

static void writeRow(const Ranks &ranks, const Stretch &stretch, const Timed &timed, llvm::raw_ostream &out) {
  std::string conditions;
  if (ranks.from > 1 || ranks.to)
    conditions += "p=" + std::to_string(ranks.from) + (ranks.to == ranks.from ? "" : ".." + (ranks.to ? std::to_string(*ranks.to) : std::string())) + " ";
  if (stretch.from > 0 || stretch.to)
    conditions += "bytes=" + binaryText(stretch.from) + ".." + (stretch.to ? binaryText(*stretch.to) : "");
  out << llvm::left_justify(timed.schedule->collective->name, 15) << ' ' << llvm::left_justify(conditions, 29) << ' '
      << llvm::left_justify(timed.schedule->name + (timed.parameter.empty() ? "" : " " + timed.parameter), 29) << " predicted=" << durationText(timed.predicted);
  if (timed.measured)
    out << " measured=" << durationText(*timed.measured);
  out << '\n';
}

std::string rowsText(llvm::ArrayRef<Cell> cells) {
  std::string text;
  llvm::raw_string_ostream out(text);
  for (size_t first = 0; first < cells.size();) {
    size_t last = first;
    std::vector<Ranks> all;
    // One p after the other.
    while (last < cells.size() && cells[last].collective == cells[first].collective) {
      size_t end = last;
      while (end < cells.size() && cells[end].collective == cells[first].collective && cells[end].p == cells[last].p)
        ++end;
      const bool isLast = end == cells.size() || cells[end].collective != cells[first].collective;
      Ranks ranks;
      ranks.from = all.empty() ? 1 : *all.back().to + 1;
      ranks.stretches = stretchesOf(cells.slice(last, end - last));
      if (!isLast)
        ranks.to = static_cast<std::int64_t>(lastBefore(static_cast<std::uint64_t>(cells[last].p), static_cast<std::uint64_t>(cells[end].p)));
      if (!all.empty() && haveSame(all.back().stretches, ranks.stretches))
        all.back().to = ranks.to;
      else
        all.push_back(std::move(ranks));
      last = end;
    }
    for (const Ranks &ranks : all)
      for (const Stretch &stretch : ranks.stretches)
        for (const Timed *timed : stretch.preferences)
          writeRow(ranks, stretch, *timed, out);
    first = last;
  }
  return text;
}

std::string tableText(llvm::ArrayRef<Cell> cells, llvm::StringRef backend, llvm::StringRef machine, llvm::ArrayRef<std::string> remarks) {
  std::string text = ("quadrille-table 1\nmachine " + machine + "\nbackend " + backend + "\n\n").str();
  for (const std::string &remark : remarks)
    text += "# " + remark + "\n";
  return text + (remarks.empty() ? "" : "\n") + rowsText(cells);
}

} // namespace quadrille::compiler::tune
