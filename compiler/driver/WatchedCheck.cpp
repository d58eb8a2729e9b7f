//===- WatchedCheck.cpp - Checks that show how far they are --------------------------------------------------------------------===//

#include "WatchedCheck.h"

#include "report/Pace.h"
#include "report/ProgressLine.h"
#include "report/Text.h"

#include <chrono>

namespace quadrille::compiler {

/// How many cases the checks of a schedule have at this p.
static double casesAtRanks(const ir::Schedule &schedule, std::int64_t p, const CheckOptions &options) {
  bool allRoots = true;
  TreeCache trees;
  try {
    const std::vector<Case> cases = casesAt(schedule, p, options, allRoots);
    // Requirements rarely depend on the root, and asking for each root takes time.
    return !cases.empty() && admits(schedule, cases[0], trees) ? static_cast<double>(cases.size()) : 0;
  } catch (const Finding &) {
    return 0; // the checks end there
  }
}

std::function<bool(std::int64_t p)> watching(const ir::Schedule &schedule, const CheckOptions &admitted, ProgressLine &progress,
                                             const std::optional<std::uint64_t> &maxSeconds) {
  CheckOptions counted = admitted;
  counted.goesOn = nullptr;
  Pace pace(admitted.ps, [&schedule, counted](std::int64_t p) { return casesAtRanks(schedule, p, counted); });
  const auto begun = std::chrono::steady_clock::now();
  const std::string all = rangeText(admitted.ps);
  const std::int64_t first = admitted.ps.empty() ? 0 : admitted.ps.front();
  return [&schedule, &progress, maxSeconds, pace = std::move(pace), begun, all, first, isLong = false](std::int64_t p) mutable {
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
    // The first p is checked in any case.
    if (maxSeconds && seconds >= static_cast<double>(*maxSeconds) && p != first)
      return false;
    pace.reach(p, seconds);
    const std::optional<double> rest = pace.secondsLeft();
    constexpr double longest = 30; // seconds that nobody has to be warned of
    const bool isNews = rest && *rest > longest && !isLong;
    isLong |= isNews;
    progress.show("checking " + schedule.path() + ": p = " + std::to_string(p) + " of " + all +
                      (rest ? ", some " + waitText(*rest) + " left" : ""),
                  isNews);
    return true;
  };
}

Verdict checkWatched(const ir::Schedule &schedule, CheckOptions admitted, const std::optional<std::uint64_t> &maxSeconds) {
  ProgressLine progress;
  admitted.goesOn = watching(schedule, admitted, progress, maxSeconds);
  return checkSchedule(schedule, admitted);
}

} // namespace quadrille::compiler
