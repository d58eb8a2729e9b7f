//===- ClockCheck.cpp - Do stated clocks hold? ------------------------------------------------------------------------------------===//

#include "ClockCheck.h"

#include <algorithm>

namespace quadrille::compiler {

/// a < b in lexicographic order; the shorter one is padded with zeros.
static bool isEarlier(llvm::ArrayRef<std::int64_t> a, llvm::ArrayRef<std::int64_t> b) {
  auto at = [](llvm::ArrayRef<std::int64_t> time, size_t i) { return i < time.size() ? time[i] : 0; };
  for (size_t i = 0; i < std::max(a.size(), b.size()); ++i)
    if (at(a, i) != at(b, i))
      return at(a, i) < at(b, i);
  return false;
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
      Diagnostic diagnostic(sent.clock->range, diag::ClockOfTwoSides{.from = transfer.source, .to = transfer.destination,
                                                                     .sent = sent.time, .received = received.time});
      if (sent.clock != received.clock)
        diagnostic.note(received.clock->range, diag::ClockOfReceiver{});
      throw Finding{std::move(diagnostic)};
    }
    happens(transfer.source, std::move(sent));
    happens(transfer.destination, std::move(received));
  }
}

void ClockCheck::happens(std::uint32_t rank, Event event) {
  auto &[latest, current] = ranks[rank];
  if (latest.clock && !isEarlier(latest.time, event.time)) {
    Diagnostic diagnostic(event.clock->range, diag::ClockOutOfOrder{.rank = rank,
                                                                    .sends = latest.isSend,
                                                                    .peer = latest.peer,
                                                                    .time = latest.time,
                                                                    .laterSends = event.isSend,
                                                                    .laterPeer = event.peer,
                                                                    .laterTime = event.time});
    if (latest.clock != event.clock)
      diagnostic.note(latest.clock->range, diag::ClockOfEarlierStep{});
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

} // namespace quadrille::compiler
