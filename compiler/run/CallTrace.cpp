//===- CallTrace.cpp - When every rank did what in a call that was run ---------------------------------------------------------===//

#include "CallTrace.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <limits>

namespace quadrille::compiler::run {

namespace {

/// A call on all ranks. Times count from when the first rank began it or, without a common clock, from when each rank itself began it.
class Chosen {
public:
  Chosen(const std::vector<std::vector<RankTrace>> &calls, bool hasOneClock, size_t number) : calls(calls), hasOneClock(hasOneClock), number(number) {
    for (const auto &ofRank : calls)
      firstNs = std::min(firstNs, ofRank[number].enteredNs);
  }

  double since(size_t rank, std::int64_t ns) const {
    return static_cast<double>(ns - (hasOneClock ? firstNs : calls[rank][number].enteredNs)) / 1e9;
  }
  double seconds() const {
    double latest = 0;
    for (size_t rank = 0; rank < calls.size(); ++rank)
      latest = std::max(latest, since(rank, calls[rank][number].leftNs));
    return latest;
  }

private:
  const std::vector<std::vector<RankTrace>> &calls;
  const bool hasOneClock;
  const size_t number;
  std::int64_t firstNs = std::numeric_limits<std::int64_t>::max();
};

} // namespace

CallTrace callTrace(const std::vector<std::vector<RankTrace>> &calls, const std::vector<std::string> &clocks) {
  CallTrace trace;
  trace.hasOneClock = llvm::all_equal(clocks);
  // Ranks with many operations report fewer calls than others.
  size_t common = calls.empty() ? 0 : calls[0].size();
  for (const auto &ofRank : calls)
    common = std::min(common, ofRank.size());
  if (common == 0)
    return trace;
  std::vector<std::pair<double, size_t>> order;
  for (size_t number = 0; number < common; ++number)
    order.push_back({Chosen(calls, trace.hasOneClock, number).seconds(), number});
  llvm::sort(order);
  const auto [seconds, number] = order[(order.size() - 1) / 2];
  const Chosen chosen(calls, trace.hasOneClock, number);
  trace.call = static_cast<std::int64_t>(number);
  trace.calls = static_cast<std::int64_t>(common);
  trace.seconds = seconds;
  for (size_t rank = 0; rank < calls.size(); ++rank)
    for (const RankTrace::Operation &operation : calls[rank][number].operations) {
      OperationTimes times = operation.about;
      times.rank = static_cast<std::int64_t>(rank);
      times.ready = chosen.since(rank, operation.readyNs);
      times.begin = chosen.since(rank, operation.beginNs);
      times.end = chosen.since(rank, operation.endNs);
      trace.operations.push_back(std::move(times));
    }
  return trace;
}

} // namespace quadrille::compiler::run
