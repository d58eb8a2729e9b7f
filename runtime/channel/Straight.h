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
  void clear() { steps_.clear(); }

  /// Makes the steps of a program; none if it is not short and straight. Elements
  /// are plain, of `elementBytes` each; a message without data announces elements of
  /// `emptyBytes`. `kernel` combines; null: what combines is not straight. Channels
  /// have `slots` slots; `wayOf(operation)` returns the Way of a message.
  /// Throws std::bad_alloc.
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
    for (std::size_t at = 0; at < program.count; ++at) {
      Step step;
      if (!makeStep(program, program.operations[at], bases, elementBytes, wayOf, step))
        return clear();
      step.isAwaitedAlone = !canSendBeside(program, at);
      steps_.push_back(step);
    }
  }

  /// Carries out the steps as the call `call`, in which no message was sent or
  /// received before, up to the first one that cannot be done. Returns how many it
  /// has done. If a message has not come, it spins for it, as long as
  /// spinsOfNextWait(spins) says, unless isBusy(): then the rank has other calls in
  /// flight. Whoever waits further goes on with this `patience`.
  template <class IsBusy>
  std::size_t run(std::uint64_t call, std::byte *const *bases, int spins, IsBusy isBusy,
                  std::optional<Patience> &patience) const {
    const Tag first = makeTag(call, 0);
    const Step *const steps = steps_.data();
    const std::size_t count = steps_.size();
    for (std::size_t at = 0; at < count; ++at) {
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
      Channel &channel = *step.channel;
      const Tag tag = first + makeTag(0, step.message);
      const std::size_t place = Channel::slotOf(call, step.message, slots_);
      Slot &slot = channel.slot(place);
      if (step.kind == Kind::Send) {
        if (!channel.isFree(place, slots_, [&] { return step.partner->attendance.left(); }))
          return at;
        slot.brief.elements = step.elements;
        slot.brief.elementBytes = step.elementBytes;
        if (step.bytes > 0)
          copyBytes(slot.brief.bytes, step.target.in(bases), step.bytes);
        channel.post(place, slots_, tag, Phase::Inline, announcing_);
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
    Channel *channel = nullptr;
    Partner *partner = nullptr;
  };

  template <class WayOf>
  bool makeStep(const Program &program, const Operation &operation, const std::vector<std::byte *> &bases,
                Index elementBytes, WayOf wayOf, Step &step) const {
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
    const Way way = wayOf(operation);
    step.message = operation.message;
    step.channel = way.channel;
    step.partner = way.partner;
    return way.channel != nullptr;
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
  Kernel *kernel_ = nullptr;
  std::size_t slots_ = fewSlots;
  std::uint32_t emptyBytes_ = 0;
  Announcing announcing_ = Announcing::Fenced;
};

} // namespace detail
} // namespace quadrille

#endif // QUADRILLE_CHANNEL_STRAIGHT_H
