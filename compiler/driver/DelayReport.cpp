//===- DelayReport.cpp - What late ranks do to others, as a table ---------------------------------------------------------------------===//

#include "DelayReport.h"

#include "Report.h"

#include "llvm/Support/Format.h"

#include <cmath>

namespace quadrille {

/// Ranks with the same times share a row; this many rows are read.
static constexpr size_t maxRows = 40;

void checkLateRanks(const Delays &delays, std::int64_t p) {
  for (const LateRank &late : delays.late)
    if (late.rank >= p)
      throw Finding{Diagnostic(diag::Id::LateRank, {}, {std::to_string(late.rank), std::to_string(p)})};
}

static std::string percent(double share) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.0f%%", 100 * share);
  return text == "-0%" ? "0%" : text;
}

void printDelays(const MachineParameters &machine, const Delays &delays, const std::vector<Completion> &completions,
                 llvm::raw_ostream &out) {
  std::string what;
  double largest = 0;
  for (const LateRank &late : delays.late) {
    what += (what.empty() ? "" : ", ") + ("rank " + std::to_string(late.rank)) + " late by " + durationText(late.seconds);
    largest = std::max(largest, late.seconds);
  }
  if (delays.noise > 0)
    what += (what.empty() ? "" : ", ") + ("noise of " + durationText(delays.noise)) + " before each step (seed " +
            std::to_string(delays.seed) + ")";
  out << "  with " << what << ", " << machine.text() << '\n';
  std::vector<std::vector<std::string>> rows{{"    rank", "planned", "delayed", "later by"}};
  if (largest > 0)
    rows[0].push_back("arrives");
  size_t first = 0, groups = 0;
  std::vector<std::string> current;
  auto flush = [&](size_t end) {
    if (current.empty())
      return;
    if (++groups <= maxRows) {
      current[0] = "    " + std::to_string(first) + (end - first > 1 ? ".." + std::to_string(end - 1) : "");
      rows.push_back(current);
    }
  };
  Completion last;
  size_t later = 0;
  for (size_t rank = 0; rank < completions.size(); ++rank) {
    const Completion &completion = completions[rank];
    // Sums in another order may differ in the last bits.
    double difference = completion.delayed - completion.planned;
    if (std::abs(difference) < 1e-9 * completion.delayed)
      difference = 0;
    later += difference > 0;
    last.planned = std::max(last.planned, completion.planned);
    last.delayed = std::max(last.delayed, completion.delayed);
    std::vector<std::string> row{"", durationText(completion.planned), durationText(completion.delayed), durationText(difference)};
    if (largest > 0)
      row.push_back(percent(difference / largest));
    if (row == current)
      continue;
    flush(rank);
    first = rank;
    current = std::move(row);
  }
  flush(completions.size());
  double difference = last.delayed - last.planned;
  if (std::abs(difference) < 1e-9 * last.delayed)
    difference = 0;
  rows.push_back({"    all", durationText(last.planned), durationText(last.delayed), durationText(difference)});
  if (largest > 0)
    rows.back().push_back(percent(difference / largest));
  printColumns(rows, 0, out);
  if (groups > maxRows)
    out << "    " << groups - maxRows << " more rows of ranks are left out\n";
  out << "    " << later << " of " << completions.size() << (completions.size() == 1 ? " rank" : " ranks") << " later";
  if (largest > 0)
    out << "; of the delay " << percent(1 - std::min(1.0, difference / largest)) << " is absorbed";
  out << '\n';
}

} // namespace quadrille
