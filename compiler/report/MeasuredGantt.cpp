//===- MeasuredGantt.cpp - What every rank did when ---------------------------------------------------------------------------===//

#include "MeasuredGantt.h"

#include "source/Counted.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace quadrille::compiler {

using run::OperationTimes;

/// Sender, receiver and number of a message, and whether this is the sender's end of it.
using MessageEnd = std::tuple<std::int64_t, std::int64_t, std::int64_t, bool>;

static MessageEnd endOf(const OperationTimes &operation, bool ofSender) {
  return {operation.isSend() ? operation.rank : operation.partner, operation.isSend() ? operation.partner : operation.rank, operation.message, ofSender};
}

static draw::GanttBar::Kind kindOf(const OperationTimes &operation) {
  return operation.isSend()              ? draw::GanttBar::Send
         : operation.isReceive()         ? draw::GanttBar::Receive
         : operation.kind == "combine" ? draw::GanttBar::Combine
                                         : draw::GanttBar::Copy;
}

draw::Gantt measuredGantt(const MeasuredCase &measured) {
  const run::CallTrace &trace = *measured.trace;
  draw::Gantt gantt;
  gantt.schedule = measured.schedule;
  gantt.caseText = measured.text;
  gantt.source = "measured, the median of " + counted(trace.calls, "call") + (trace.hasOneClock ? "" : ", each rank by its own clock");
  gantt.ranks = static_cast<std::uint32_t>(measured.p);
  gantt.isMeasured = true;
  std::map<MessageEnd, double> ready;
  if (trace.hasOneClock)
    for (const OperationTimes &operation : trace.operations)
      if (operation.isSend() || operation.isReceive())
        ready[endOf(operation, operation.isSend())] = operation.ready;
  for (const OperationTimes &operation : trace.operations) {
    const bool isMessage = operation.isSend() || operation.isReceive();
    double begin = trace.hasOneClock && isMessage ? operation.ready : operation.begin;
    if (auto other = ready.find(endOf(operation, !operation.isSend())); isMessage && other != ready.end())
      begin = std::clamp(other->second, begin, std::max(begin, operation.end));
    gantt.bars.push_back({kindOf(operation), static_cast<std::uint32_t>(operation.rank), static_cast<std::uint32_t>(isMessage ? operation.partner : operation.rank),
                          static_cast<std::uint32_t>(operation.step), begin, operation.end, static_cast<double>(operation.bytes), operation.ready,
                          static_cast<std::uint32_t>(operation.line)});
  }
  return gantt;
}

} // namespace quadrille::compiler
