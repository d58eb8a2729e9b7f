//===- Clocks.cpp - Do stated clocks run? -----------------------------------------------------------------------------------------===//

#include "Clocks.h"

#include <algorithm>

namespace quadrille {

/// a < b, number by number; those that are missing at the end are 0.
static bool isEarlier(llvm::ArrayRef<std::int64_t> a, llvm::ArrayRef<std::int64_t> b) {
  auto at = [](llvm::ArrayRef<std::int64_t> time, size_t i) { return i < time.size() ? time[i] : 0; };
  for (size_t i = 0; i < std::max(a.size(), b.size()); ++i)
    if (at(a, i) != at(b, i))
      return at(a, i) < at(b, i);
  return false;
}

static std::string textOf(llvm::ArrayRef<std::int64_t> time) {
  std::string result;
  for (std::int64_t number : time)
    result += (result.empty() ? "" : ", ") + std::to_string(number);
  return time.size() == 1 ? result : "(" + result + ")";
}

void ClockCheck::onRound(const Round &round, const Machine &) {
  for (const Transfer &transfer : round.transfers) {
    if (!transfer.sentAt.clock || !transfer.receivedAt.clock)
      continue;
    auto event = [](const StatedTime &stated, bool isSend, std::uint32_t peer) {
      return Event{stated.clock, {stated.numbers.begin(), stated.numbers.end()}, isSend, peer};
    };
    Event sent = event(transfer.sentAt, true, transfer.destination);
    Event received = event(transfer.receivedAt, false, transfer.source);
    if (isEarlier(sent.time, received.time) || isEarlier(received.time, sent.time)) {
      Diagnostic diagnostic(diag::Id::ClockOfTwoSides, sent.clock->range,
                            {std::to_string(transfer.source), std::to_string(transfer.destination), textOf(sent.time),
                             textOf(received.time)});
      if (sent.clock != received.clock)
        diagnostic.note(diag::Id::ClockOfReceiver, received.clock->range);
      throw Finding{std::move(diagnostic)};
    }
    happens(transfer.source, std::move(sent));
    happens(transfer.destination, std::move(received));
  }
}

void ClockCheck::happens(std::uint32_t rank, Event event) {
  auto &[latest, current] = ranks[rank];
  if (latest.clock && !isEarlier(latest.time, event.time)) {
    auto doing = [](const Event &of) { return (of.isSend ? "sends to rank " : "receives from rank ") + std::to_string(of.peer); };
    Diagnostic diagnostic(diag::Id::ClockOutOfOrder, event.clock->range,
                          {std::to_string(rank), doing(latest), textOf(latest.time), doing(event), textOf(event.time)});
    if (latest.clock != event.clock)
      diagnostic.note(diag::Id::ClockOfEarlierStep, latest.clock->range);
    throw Finding{std::move(diagnostic)};
  }
  if (!current.clock || isEarlier(current.time, event.time))
    current = std::move(event);
}

void ClockCheck::onStepEnd(std::uint32_t first, std::uint32_t count) {
  for (std::uint32_t rank = first; rank < first + count; ++rank)
    if (Rank &of = ranks[rank]; of.current.clock) {
      of.latest = std::move(of.current);
      of.current = {};
    }
}

} // namespace quadrille
