//===- Straight.h - Short calls that are made again, operation by operation ===//
//
// Private to the runtime. Ranks that share memory use it: threads of one process,
// and processes of one node.
//
//===----------------------------------------------------------------------===//

#ifndef QUADRILLE_CHANNEL_STRAIGHT_H
#define QUADRILLE_CHANNEL_STRAIGHT_H

#include "Channel.h"

#include "../common/Kernels.h"
#include "../common/Tasks.h"
#include "../plan/Moves.h"
#include "../plan/Program.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace quadrille {
namespace detail {

/// A program whose messages all fit into the slots that announce them. What is the
/// same in each call is found beforehand: channels, partners, lengths and the
/// function that combines. A call only goes through the steps, one for each
/// operation, in order.
///
/// A step does what the window of an execution would do, by the same functions of
/// Channel, so the memory orders are argued for there. Whatever is not as expected
/// (a slot that is not free, a message that does not come or has another length) is
/// left to the window, which goes on behind the steps that are done. So there are no
/// errors here.
///
/// Blocking calls use lane 0. Started ones take the other lanes in turn, whose channels
/// are found when a lane is needed for the first time.
///
/// `Partner` is the state that a rank publishes; it has a `bell` and an `attendance`.
template <class Partner> class StraightProgram {
public:
  /// Where the messages of an operation go to, or come from.
  struct Way {
    Channel *channel = nullptr; ///< null: there is none
    Partner *partner = nullptr;
  };

  bool exists() const { return !steps_.empty(); }
  std::size_t count() const { return steps_.size(); }
  void clear() {
    steps_.clear();
    channels_.clear();
    open_ = 0;
  }

  /// Makes the steps of a program; none if it is not short and straight. Elements
  /// are plain, of `elementBytes` each; a message without data announces elements of
  /// `emptyBytes`. `kernel` combines; null: what combines is not straight. Channels
  /// of blocking calls have `slots` slots; `wayOf(operation, 0)` returns the Way of a
  /// message. Throws std::bad_alloc.
  template <class WayOf>
  void make(const Program &program, const std::vector<std::byte *> &bases, Index elementBytes, Index emptyBytes,
            Kernel *kernel, Announcing announcing, std::size_t slots, WayOf wayOf) {
    clear();
    if (program.count > mostSteps || elementBytes < 0 || elementBytes > mostBytes)
      return;
    kernel_ = kernel;
    announcing_ = announcing;
    slots_ = slots;
    emptyBytes_ = static_cast<std::uint32_t>(emptyBytes);
    steps_.reserve(program.count);
    channels_.resize(program.count);
    open_ = 1;
    for (std::size_t at = 0; at < program.count; ++at) {
      Step step;
      if (!makeStep(program, program.operations[at], bases, elementBytes, wayOf, step, channels_[at]))
        return clear();
      step.isAwaitedAlone = !canSendBeside(program, at);
      steps_.push_back(step);
    }
  }

  /// Makes calls in a lane possible, with the channels of `wayOf(operation, lane)` for
  /// the program's messages. False if one does not exist. Throws std::bad_alloc.
  template <class WayOf> bool open(unsigned lane, const Program &program, WayOf wayOf) {
    static_assert(startedLanes < 32, "lanes are bits");
    if (open_ >> lane & 1)
      return true;
    const std::size_t first = lane * steps_.size();
    if (channels_.size() < (1 + startedLanes) * steps_.size())
      channels_.resize((1 + startedLanes) * steps_.size());
    for (std::size_t at = 0; at < steps_.size(); ++at)
      if (const Operation &operation = program.operations[at]; operation.isMessage())
        if (!(channels_[first + at] = wayOf(operation, lane).channel))
          return false;
    open_ |= std::uint32_t{1} << lane;
    return true;
  }

  /// Carries out the steps from `from` on as the call `call` in a lane that is open, up
  /// to the first one that cannot be done; no other part of the call has sent or
  /// received. Returns how many are done now. If a message has not come, it spins for it,
  /// as long as spinsOfNextWait(spins) says, unless isBusy(): then the rank has other
  /// calls to look at. Whoever waits further goes on with this `patience`.
  template <class IsBusy>
  std::size_t run(std::uint64_t call, unsigned lane, std::size_t from, std::byte *const *bases, int spins, IsBusy isBusy,
                  std::optional<Patience> &patience) const {
    const Tag first = makeTag(call, 0);
    const Step *const steps = steps_.data();
    const std::size_t count = steps_.size();
    Channel *const *const channels = channels_.data() + lane * count;
    const std::uint64_t turn = turnIn(lane, call);
    const std::size_t slots = lane == 0 ? slots_ : fewSlots;
    for (std::size_t at = from; at < count; ++at) {
      const Step &step = steps[at];
      if (step.kind == Kind::Copy) {
        if (step.bytes > 0)
          copyBytes(step.target.in(bases), step.left.in(bases), step.bytes);
        continue;
      }
      if (step.kind == Kind::Combine) {
        kernel_(step.target.in(bases), step.left.in(bases), step.right.in(bases), step.elements);
        continue;
      }
      Channel &channel = *channels[at];
      const Tag tag = first + makeTag(0, step.message);
      const std::size_t place = Channel::slotOf(turn, step.message, slots);
      Slot &slot = channel.slot(place);
      if (step.kind == Kind::Send) {
        if (!channel.isFree(place, slots, [&] { return step.partner->attendance.left(); }))
          return at;
        slot.brief.elements = step.elements;
        slot.brief.elementBytes = step.elementBytes;
        if (step.bytes > 0)
          copyBytes(slot.brief.bytes, step.target.in(bases), step.bytes);
        channel.post(place, slots, tag, Phase::Inline, announcing_);
        step.partner->bell.ring();
        continue;
      }
      const auto isThere = [&] { return channel.postedAt(place) == withPhase(tag, Phase::Inline); };
      if (!isThere() && !(step.isAwaitedAlone && !isBusy() && passUntil(isThere, spins, patience)))
        return at;
      if (slot.brief.elements != step.elements || slot.brief.elementBytes != step.elementBytes)
        return at;
      if (step.bytes > 0) {
        std::byte *const target = step.target.in(bases);
        if (step.kind == Kind::Receive)
          copyBytes(target, slot.brief.bytes, step.bytes);
        else if (step.kind == Kind::CombineBefore)
          kernel_(target, slot.brief.bytes, step.right.in(bases), step.elements);
        else
          kernel_(target, step.left.in(bases), slot.brief.bytes, step.elements);
      }
      channel.consume(tag, announcing_);
      step.partner->bell.ring();
    }
    return count;
  }

  /// Whether step `at` is a receive, and nothing else can be done before its message
  /// comes.
  bool isAwaitedAlone(std::size_t at) const { return steps_[at].isAwaitedAlone && steps_[at].isReceive(); }

private:
  /// Beyond these a call is not short: finding its way takes little of its time.
  static constexpr std::size_t mostSteps = 64;
  static constexpr Index mostBytes = 4096; ///< that a step moves inside of this rank

  /// CombineBefore, CombineBehind: the incoming operand is the left, or right, one.
  enum class Kind : std::uint8_t { Send, Receive, CombineBefore, CombineBehind, Copy, Combine };

  /// An address that moves with its buffer.
  struct Address {
    std::uint32_t buffer = 0;
    std::uint32_t offset = 0; ///< in bytes

    std::byte *in(std::byte *const *bases) const { return bases[buffer] + offset; }
  };

  struct Step {
    Kind kind = Kind::Copy;
    /// On a receive: no later send can begin before this message arrives. So the
    /// rank may wait for this message alone.
    bool isAwaitedAlone = false;
    std::uint32_t message = 0, elements = 0, elementBytes = 0, bytes = 0;
    Address target, left, right; ///< a send: the source is `target`
    Partner *partner = nullptr;

    bool isReceive() const { return kind == Kind::Receive || kind == Kind::CombineBefore || kind == Kind::CombineBehind; }
  };

  template <class WayOf>
  bool makeStep(const Program &program, const Operation &operation, const std::vector<std::byte *> &bases,
                Index elementBytes, WayOf wayOf, Step &step, Channel *&channel) const {
    const bool isMessage = operation.isMessage();
    const Index most = isMessage ? static_cast<Index>(Slot::inlineBytes) : mostBytes;
    Address addresses[3];
    std::uintptr_t alignment = 0;
    if (operation.operandCount > 3)
      return false;
    step.elementBytes = operation.operandCount == 0 ? emptyBytes_ : static_cast<std::uint32_t>(elementBytes);
    for (std::size_t i = 0; i < operation.operandCount; ++i) {
      const Operand &operand = program.operand(operation, i);
      constexpr Index farthest = Index{1} << 31;
      // Operands without elements are left to the window: between processes their
      // messages announce elements of 0 bytes.
      if (elementBytes == 0 || operand.pieces != 0 || operand.elements <= 0 || operand.elements > most ||
          operand.elements * elementBytes > most || operand.offset < 0 ||
          operand.offset > farthest / elementBytes ||
          operand.elements != program.operand(operation, 0).elements)
        return false;
      step.elements = static_cast<std::uint32_t>(operand.elements);
      step.bytes = static_cast<std::uint32_t>(operand.elements * elementBytes);
      addresses[i] = {operand.buffer, static_cast<std::uint32_t>(operand.offset * elementBytes)};
      alignment |= reinterpret_cast<std::uintptr_t>(addresses[i].in(bases.data()));
    }
    step.target = addresses[0];
    step.left = addresses[1];
    step.right = addresses[2];
    const auto mayCombine = [&](std::uintptr_t all) {
      return kernel_ && (all & static_cast<std::uintptr_t>(elementBytes - 1)) == 0;
    };
    switch (operation.kind) {
    case Operation::Kind::Send:
      step.kind = Kind::Send;
      break;
    case Operation::Kind::Receive:
      step.kind = Kind::Receive;
      break;
    case Operation::Kind::ReceiveUpTo:
      return false;
    case Operation::Kind::ReceiveCombine:
      if (operation.operandCount != 2 || !mayCombine(alignment | (offsetof(Slot, brief) + offsetof(Slot::Short, bytes))))
        return false;
      step.kind = operation.side == Side::Left ? Kind::CombineBefore : Kind::CombineBehind;
      step.right = step.left; // the operand that is not the message
      break;
    case Operation::Kind::Copy:
      step.kind = Kind::Copy;
      return operation.operandCount == 2;
    case Operation::Kind::Combine:
      step.kind = Kind::Combine;
      return operation.operandCount == 3 && mayCombine(alignment);
    }
    const Way way = wayOf(operation, 0);
    step.message = operation.message;
    step.partner = way.partner;
    channel = way.channel;
    return channel != nullptr;
  }

  /// Whether isThere() became true before it was time to sleep.
  template <class IsThere> static bool passUntil(IsThere isThere, int spins, std::optional<Patience> &patience) {
    const int now = spinsOfNextWait(spins);
    if (patience)
      patience->renew(now);
    else
      patience.emplace(now);
    while (patience->pass())
      if (isThere())
        return true;
    return false;
  }

  /// Whether a send behind operation `at` can begin while that is not done.
  static bool canSendBeside(const Program &program, std::size_t at) {
    std::uint64_t blocked = 1; // bit i: operation at + i waits for this one, or is it
    for (std::size_t i = 1; at + i < program.count; ++i) {
      const Operation &later = program.operations[at + i];
      bool waits = later.follows > at;
      for (std::size_t back = 1; back <= i && !waits; ++back)
        waits = (blocked >> (i - back) & 1) != 0 && (later.waitsFor >> (window - back) & 1) != 0;
      if (waits)
        blocked |= std::uint64_t{1} << i;
      else if (later.isSend())
        return true;
    }
    return false;
  }

  std::vector<Step> steps_;
  std::vector<Channel *> channels_; ///< of the steps, lane after lane; null: it is no message
  std::uint32_t open_ = 0;          ///< bit i: lane i is open
  Kernel *kernel_ = nullptr;
  std::size_t slots_ = fewSlots;
  std::uint32_t emptyBytes_ = 0;
  Announcing announcing_ = Announcing::Fenced;
};

/// A started call that goes through a straight program, and how far it has come.
class StraightCall {
public:
  /// Begins the call that is the first part of `task`, with the channels of
  /// `wayOf(operation, lane)`. False: there is no straight program, or not all of its
  /// channels. Throws std::bad_alloc.
  template <class Partner, class WayOf>
  bool begin(StraightProgram<Partner> &straight, const Program &program, Task &task, unsigned lane, WayOf wayOf) {
    if (!straight.exists() || !straight.open(lane, program, wayOf))
      return false;
    task_ = &task;
    lane_ = lane;
    looks_ = 0;
    done_ = 0;
    return true;
  }
  void end() { task_ = nullptr; }

  bool isUnderWay() const { return task_ != nullptr; }
  Task &task() const { return *task_; }
  unsigned lane() const { return lane_; }
  std::size_t done() const { return done_; }

  /// Goes on. A patient look spins as long as spinsOfNextWait(spins) says. Nothing: the
  /// window has to go on, since it might do something else, since it has to find out
  /// whether it waits in vain, or since the messages of further calls in this task are
  /// counted from here. See Job::look.
  template <class Partner>
  std::optional<Looked> look(const StraightProgram<Partner> &program, std::byte *const *bases, int spins, Look how) {
    constexpr unsigned mostLooks = 64;
    const std::size_t before = done_;
    std::optional<Patience> patience;
    done_ = program.run(task_->sequence, lane_, before, bases, spins, [how] { return how != Look::Patient; }, patience);
    if (done_ == program.count()) {
      if (!task_->hasOneJob())
        return std::nullopt;
      end();
      return Looked::Over;
    }
    if (how != Look::Quick || !program.isAwaitedAlone(done_) || ++looks_ == mostLooks)
      return std::nullopt;
    return done_ != before ? Looked::Moved : Looked::Idle;
  }

private:
  Task *task_ = nullptr; ///< null: no call is under way
  unsigned lane_ = 0, looks_ = 0;
  std::size_t done_ = 0;
};

} // namespace detail
} // namespace quadrille

#endif // QUADRILLE_CHANNEL_STRAIGHT_H
