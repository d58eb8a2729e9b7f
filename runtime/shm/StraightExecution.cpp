//===- StraightExecution.cpp - Short calls that threads make again ---------===//
//
// What an Execution does with its StraightProgram.
//
//===----------------------------------------------------------------------===//

#include "Execution.h"

#include <new>
#include <optional>

using namespace quadrille;
using namespace quadrille::shm;
using namespace quadrille::shm::detail;

/// The channel of an operation's message in a lane, and its partner; no channel if there
/// is no memory.
auto Execution::wayOf() const {
  return [this](const Operation &operation, unsigned lane) -> decltype(straight_)::Way {
    const Index other = operation.partner;
    Channel *const channel = operation.isSend() ? state_->world.channel(lane, rank_, other)
                                                : state_->world.channel(lane, other, rank_);
    return {channel, &state_->world.rank(other)};
  };
}

void Execution::straighten() noexcept {
  try {
    if (!state_->peersOf(0))
      return;
    straight_.make(window_.program(), bases_, elementBytes_, /*emptyBytes=*/elementBytes_, ops_.kernel(),
                   state_->world.announcing(), state_->world.slots(0), wayOf());
  } catch (const std::bad_alloc &) {
    straight_.clear();
  }
}

/// Goes through the straight program as far as it gets without sleeping; the window
/// does the rest. Throws std::bad_alloc, but only before the first message.
Status Execution::repeatStraight(std::uint64_t sequence, quadrille::detail::Arena &arena) {
  placeAgain(arena);
  std::optional<Patience> patience;
  const std::size_t done =
      straight_.run(sequence, 0, 0, bases_.data(), state_->world.spins(), [&] { return state_->any(); }, patience);
  if (done == straight_.count())
    return {};
  goOnBehind(done, sequence, 0, arena);
  return waitLonger(patience);
}

/// Makes the straight program ready for a started call, whose only messages so far are
/// its. False: the call has to go through the window. Throws std::bad_alloc.
bool Execution::startStraight(quadrille::detail::Task &task, unsigned lane) {
  if (!state_->peersOf(lane) || !started_.begin(straight_, window_.program(), task, lane, wayOf()))
    return false;
  forgetFailure();
  return true;
}

/// The window goes on with the started call.
void Execution::leaveStraight() noexcept {
  goOnBehind(started_.done(), started_.task().sequence, started_.lane(), started_.task().arena);
  started_.end();
}
