//===- DelayReport.cpp - What late ranks do to others, as a table ---------------------------------------------------------------------===//

#include "DelayReport.h"

#include "Text.h"

#include "source/Counted.h"

#include "llvm/Support/Format.h"

#include <cmath>

namespace quadrille::compiler {

/// Ranks with the same times share a row. At most so many rows are printed.
static constexpr size_t maxRows = 40;

void checkLateRanks(const Delays &delays, std::int64_t p) {
  for (const LateRank &late : delays.late)
    if (late.rank >= p)
      throw Finding{Diagnostic({}, diag::LateRank{.rank = late.rank, .p = p})};
}

static std::string percent(double share) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.0f%%", 100 * share);
  return text == "-0%" ? "0%" : text;
}

/// The difference; 0 if it is so small that it may come from adding in another order.
static double laterBy(double delayed, double planned) {
  const double difference = delayed - planned;
  return std::abs(difference) < 1e-13 * delayed ? 0 : difference;
}

void printDelays(const MachineParameters &machine, const Delays &delays, const std::vector<Completion> &completions,
                 bool hasNetwork, llvm::raw_ostream &out) {
  std::string what;
  double largest = 0;
  for (const LateRank &late : delays.late) {
    what += (what.empty() ? "" : ", ") + ("rank " + std::to_string(late.rank)) + " late by " + durationText(late.seconds);
    largest = std::max(largest, late.seconds);
  }
  if (delays.noise > 0)
    what += (what.empty() ? "" : ", ") + ("noise of " + durationText(delays.noise)) + " before each step (seed " +
            std::to_string(delays.seed) + ")";
  out << "  with " << what << ", " << machine.text() << (hasNetwork ? ", as if no link were shared" : "") << '\n';
  // With both late ranks and noise, `later by` compares with the noise alone.
  const bool isMixed = largest > 0 && delays.noise > 0;
  std::vector<std::vector<std::string>> rows{{"    rank", "planned"}};
  if (isMixed)
    rows[0].push_back("with noise");
  rows[0].insert(rows[0].end(), {"delayed", "later by"});
  if (largest > 0)
    rows[0].push_back("arrives");
  auto row = [&](const std::string &name, const Completion &completion) {
    const double difference = laterBy(completion.delayed, isMixed ? completion.noisy : completion.planned);
    std::vector<std::string> cells{name, durationText(completion.planned)};
    if (isMixed)
      cells.push_back(durationText(completion.noisy));
    cells.insert(cells.end(), {durationText(completion.delayed), durationText(difference)});
    if (largest > 0)
      cells.push_back(percent(difference / largest));
    return cells;
  };
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
    later += laterBy(completion.delayed, isMixed ? completion.noisy : completion.planned) > 0;
    for (double Completion::*time : {&Completion::planned, &Completion::noisy, &Completion::delayed})
      last.*time = std::max(last.*time, completion.*time);
    std::vector<std::string> cells = row("", completion);
    if (cells == current)
      continue;
    flush(rank);
    first = rank;
    current = std::move(cells);
  }
  flush(completions.size());
  rows.push_back(row("    all", last));
  printColumns(rows, 0, out);
  if (groups > maxRows)
    out << "    " << groups - maxRows << " more rows of ranks are left out\n";
  out << "    " << later << " of " << counted(completions.size(), "rank") << " later";
  if (largest > 0)
    out << "; of the delay " << percent(1 - std::min(1.0, laterBy(last.delayed, isMixed ? last.noisy : last.planned) / largest))
        << " is absorbed";
  out << '\n';
}

} // namespace quadrille::compiler
