//===- Times.cpp - When a rank does the operations of a call --------------===//

#include "Times.h"

#include <algorithm>
#include <chrono>
#include <fstream>
#include <functional>

using namespace quadrille;
using namespace quadrille::harness;
using quadrille::detail::Operation;
using quadrille::detail::Plan;
using quadrille::detail::Recorder;

long long harness::nowNs() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// The clock counts from the start of the machine, which the kernel gives an identifier.
std::string harness::clockName() {
  std::string name;
  std::ifstream("/proc/sys/kernel/random/boot_id") >> name;
  return name.empty() ? "-" : name;
}

Status OperationTimes::see(std::shared_ptr<Plan> plan, const Recorder &, Index) {
  const std::size_t count = plan->operations.size();
  calls_.back().parts.push_back({std::move(plan), std::vector<Times>(count)});
  return {};
}

/// Null if the operation is of no plan that was seen, such as that of a step made by hand.
OperationTimes::Times *OperationTimes::timesOf(const Operation &operation) {
  if (calls_.empty() || calls_.back().parts.empty())
    return nullptr;
  Part &part = calls_.back().parts.back();
  const Operation *const first = part.plan->operations.data(), *const end = first + part.plan->operations.size();
  const std::less<> isBefore;
  const bool isOfPlan = !isBefore(&operation, first) && isBefore(&operation, end);
  return isOfPlan ? &part.times[static_cast<std::size_t>(&operation - first)] : nullptr;
}

void OperationTimes::tries(const Operation &operation) {
  if (Times *const times = timesOf(operation)) {
    times->beginNs = nowNs();
    if (times->readyNs == 0)
      times->readyNs = times->beginNs;
  }
}

void OperationTimes::isDone(const Operation &operation, Index bytes) {
  if (Times *const times = timesOf(operation)) {
    times->endNs = nowNs();
    times->bytes = bytes;
  }
}

static const char *kindOf(const Operation &operation) {
  static constexpr const char *names[] = {"send", "receive", "receive", "receive-combine", "copy", "combine"};
  return names[static_cast<std::size_t>(operation.kind)];
}

void OperationTimes::write(Report &report, Index id, Index ranks) const {
  constexpr std::size_t most = std::size_t{1} << 20; // operations of all ranks in all calls together
  std::size_t left = most / static_cast<std::size_t>(std::max<Index>(1, ranks));
  report.line("clock", id, clockName());
  for (std::size_t number = 0; number < calls_.size(); ++number) {
    const Call &call = calls_[number];
    std::size_t operations = 0;
    for (const Part &part : call.parts)
      operations += part.times.size();
    if (number > 0 && operations > left)
      return;
    left -= std::min(left, operations);
    report.line("traced", id, number, call.enteredNs, call.leftNs);
    for (const Part &part : call.parts)
      for (std::size_t i = 0; i < part.times.size(); ++i) {
        const Operation &operation = part.plan->operations[i];
        const Times &times = part.times[i];
        const bool isMessage = operation.isMessage();
        report.line("moved", id, number, kindOf(operation), operation.line, isMessage ? operation.step : 0,
                    isMessage ? operation.partner : -1, isMessage ? operation.message : 0, times.bytes, times.readyNs, times.beginNs, times.endNs);
      }
  }
}
