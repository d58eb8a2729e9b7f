//===- Finals.cpp - The fastest schedules of a cell, timed by turns ---------------------------------------------------------===//

#include "Finals.h"

#include "limits/Limits.h"
#include "report/RunReport.h"

#include "llvm/ADT/STLExtras.h"

#include <cmath>
#include <set>

namespace quadrille::compiler::tune {

std::vector<size_t> finalistsOf(const Cell &cell) {
  constexpr double close = 1.6; // times the fastest one: what a single measurement may be wrong by
  std::set<size_t> result;
  for (const auto &[anyOperator, anyRanks] : {std::pair(false, false), std::pair(true, false), std::pair(false, true), std::pair(true, true)}) {
    std::vector<size_t> serving;
    for (const auto &[i, timed] : llvm::enumerate(cell.schedules))
      if (timed.measured && (!anyOperator || !timed.needsCommutative()) && (!anyRanks || timed.admitsAll()))
        serving.push_back(i);
    llvm::stable_sort(serving, [&](size_t a, size_t b) { return *cell.schedules[a].measured < *cell.schedules[b].measured; });
    for (const auto &[place, i] : llvm::enumerate(serving))
      if (place < limits::finalistsPerKind && *cell.schedules[i].measured <= close * *cell.schedules[serving[0]].measured)
        result.insert(i);
  }
  return {result.begin(), result.end()};
}

bool FinalTimes::isComplete(const std::map<size_t, double> &round, llvm::ArrayRef<size_t> finalists) const {
  return llvm::all_of(finalists, [&](size_t schedule) {
    const auto found = round.find(schedule);
    return found != round.end() && found->second > 0;
  });
}

void FinalTimes::dropIncomplete(llvm::ArrayRef<size_t> finalists) {
  for (auto round = rounds.begin(); round != rounds.end();)
    round = isComplete(round->second, finalists) ? std::next(round) : rounds.erase(round);
}

unsigned FinalTimes::completeRounds(llvm::ArrayRef<size_t> finalists) const {
  return static_cast<unsigned>(llvm::count_if(rounds, [&](const auto &round) { return isComplete(round.second, finalists); }));
}

std::map<size_t, double> FinalTimes::settle(llvm::ArrayRef<size_t> finalists) const {
  std::map<size_t, double> result;
  if (completeRounds(finalists) < leastRounds)
    return result;
  std::map<size_t, std::vector<double>> ratios;
  std::vector<double> means;
  for (const auto &[number, round] : rounds) {
    if (!isComplete(round, finalists))
      continue;
    double sum = 0;
    for (size_t schedule : finalists)
      sum += std::log(round.at(schedule));
    const double mean = std::exp(sum / static_cast<double>(finalists.size()));
    means.push_back(mean);
    for (size_t schedule : finalists)
      ratios[schedule].push_back(round.at(schedule) / mean);
  }
  const double typical = median(means);
  for (const auto &[schedule, all] : ratios)
    result[schedule] = median(all) * typical;
  return result;
}

bool FinalTimes::decide(Cell &cell, llvm::ArrayRef<size_t> finalists) const {
  const std::map<size_t, double> settled = settle(finalists);
  if (settled.empty())
    return false;
  double logOfChange = 0;
  size_t compared = 0; // a clock may not have seen the shortest ones
  for (const auto &[schedule, seconds] : settled)
    if (const double before = cell.schedules[schedule].measured.value_or(0); before > 0) {
      logOfChange += std::log(seconds / before);
      ++compared;
    }
  const double change = compared ? std::exp(logOfChange / static_cast<double>(compared)) : 1;
  for (const auto &[i, timed] : llvm::enumerate(cell.schedules))
    if (const auto found = settled.find(i); found != settled.end())
      timed.measured = found->second;
    else if (timed.measured)
      timed.measured = *timed.measured * change;
  return true;
}

} // namespace quadrille::compiler::tune
