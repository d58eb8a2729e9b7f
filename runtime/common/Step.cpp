//===- Step.cpp - Sends and receives that run at the same time ------------===//

#include "Transfer.h"

#include "../plan/Plans.h"

#include "quadrille/call.h"

#include <new>

using namespace quadrille;
using namespace quadrille::detail;

Step::Step(CallBase &call, const Group &group, int line, bool lockstep)
    : call_(call), group_(group), line_(line) {
  if (call.isRecording()) {
    call.recorder_->beginStep(lockstep);
    return;
  }
  fragment_ = call.plans_.fragments.take();
  if (!fragment_) {
    fail(call.outOfMemory());
    return;
  }
  try {
    fragment_->reset(call.size());
  } catch (const std::bad_alloc &) {
    fail(call.outOfMemory());
  }
}

Step::~Step() { call_.plans_.fragments.giveBack(fragment_); }

StepPlace Step::place() const { return {call_.name(), line_, call_.rank()}; }

void Step::fail(Status status) {
  if (!failure_)
    failure_ = std::move(status);
}

/// Translates the group's rank `partner` to the communicator's. False if there is
/// no message.
bool Step::locate(Index partner, const Region *region, const char *what, Index &rank) {
  if (failure_ || partner == none || (region && region->count() == 0 && !region->isBroken()))
    return false;
  rank = group_.contains(partner) ? group_.at(partner) : none;
  if (rank < 0 || rank >= call_.size())
    fail(place().badPartner(partner, group_.size()));
  else if (region && region->isBroken())
    fail(place().noMemoryFor(what));
  return !failure_;
}

/// Calls append(rank) for a message with the group's rank `partner`, if there is
/// one.
template <class Add>
void Step::add(Index partner, const Region *region, const char *what, Add append) {
  Index rank = none;
  if (!locate(partner, region, what, rank))
    return;
  try {
    append(rank);
  } catch (const std::bad_alloc &) {
    fail(place().noMemoryFor(what));
  }
}

void Step::send(const Region &region, Index to) {
  add(to, &region, "a send", [&](Index rank) {
    fragment_ ? fragment_->send(&region, rank, line_)
              : call_.recorder_->send(&region, rank, line_);
  });
}

void Step::send(Index to) {
  add(to, nullptr, "a send", [&](Index rank) {
    fragment_ ? fragment_->send(nullptr, rank, line_)
              : call_.recorder_->send(nullptr, rank, line_);
  });
}

void Step::recv(const Region &region, Index from) {
  add(from, &region, "a receive", [&](Index rank) {
    fragment_ ? fragment_->receive(&region, rank, line_)
              : call_.recorder_->receive(&region, rank, line_);
  });
}

void Step::recv(Index from) {
  add(from, nullptr, "a receive", [&](Index rank) {
    fragment_ ? fragment_->receive(nullptr, rank, line_)
              : call_.recorder_->receive(nullptr, rank, line_);
  });
}

void Step::recvUpTo(const Region &room, Index from, Region &arrived) {
  arrived = room.nothing();
  add(from, &room, "a receive", [&](Index rank) {
    fragment_ ? fragment_->receiveUpTo(room, rank, line_, nullptr, &arrived)
              : call_.recorder_->receiveUpTo(room, rank, line_, &arrived);
  });
}

void Step::recvUpTo(const Region &region, Index from, Index *received) {
  if (received)
    *received = 0;
  if (!fragment_)
    return fail(place().notRecorded());
  add(from, &region, "a receive", [&](Index rank) {
    fragment_->receiveUpTo(region, rank, line_, received, nullptr);
  });
}

void Step::recvCombine(const Region &dst, Index from, Side side) {
  if (!call_.hasOperator_)
    return fail(place().noOperator());
  add(from, &dst, "a receive", [&](Index rank) {
    const bool throughMemory = call_.receivesFirst();
    if (!fragment_) {
      call_.recorder_->receiveCombine(dst, rank, side, line_, throughMemory);
    } else if (throughMemory) {
      const Region room = call_.temporary(1, dst.elements());
      if (!call_.failure_)
        fragment_->receiveAndCombine(dst, room, rank, side, line_);
    } else {
      fragment_->receiveCombine(dst, rank, side, line_);
    }
  });
}

Status Step::finish() {
  fail(call_.failure_);
  if (!failure_ && fragment_)
    fail(call_.carryOut(*fragment_));
  return call_.fail(failure_);
}
