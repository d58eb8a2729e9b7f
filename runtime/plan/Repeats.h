//===- Repeats.h - Calls that are made again and again --------------------===//
//
// Private to the runtime.
//
//===----------------------------------------------------------------------===//

#ifndef QUADRILLE_PLAN_REPEATS_H
#define QUADRILLE_PLAN_REPEATS_H

#include "../common/Tasks.h"

#include "quadrille/call_key.h"
#include "quadrille/status.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <optional>

namespace quadrille {
namespace detail {

/// A call that was made more than once, with an execution that is loaded with its
/// plan and arguments: to make it again, neither has to be looked at.
template <class Execution> struct Repeat {
  std::optional<CallKey> key;           ///< of the call that was noted last; none: no call
  std::unique_ptr<Execution> execution; ///< null: none was needed yet
  bool isLoaded = false;                ///< whether the execution is that of the key
  bool isInUse = false;                 ///< by a started call
  std::uint64_t lastUse = 0;
};

/// The calls of a communicator that are repeated: a few, as each keeps a plan. A
/// call is noted when it is made for the first time, and loaded at the second, so
/// that calls which are made once cost nothing. Of calls that are too many, those
/// that were not made for the longest time are forgotten.
///
/// Accessed by the thread that makes calls.
template <class Execution> class Repeats {
public:
  using Repeat = detail::Repeat<Execution>;
  static constexpr std::size_t most = 16;

  /// The call with this key, if it is ready to be made again; else null.
  Repeat *find(const CallKey &key) noexcept {
    Repeat *const known = withKey(key);
    if (!known || !known->isLoaded || known->isInUse)
      return nullptr;
    known->lastUse = ++uses_;
    return known;
  }

  /// Notes a call that was not found, and has ended well. Returns where it should
  /// be loaded if it had been noted before, else null.
  Repeat *note(const CallKey &key) noexcept {
    if (Repeat *const known = withKey(key)) {
      known->lastUse = ++uses_;
      return known->isInUse || !hasExecution(*known) ? nullptr : known;
    }
    Repeat *place = nullptr;
    for (Repeat &each : calls_)
      if (!each.isInUse && (!place || each.lastUse < place->lastUse))
        place = &each;
    if (place) {
      place->key = key;
      place->isLoaded = false;
      place->lastUse = ++uses_;
      hashes_[static_cast<std::size_t>(place - calls_.data())] = key.hash();
    }
    return nullptr;
  }

private:
  static constexpr int hintBits = 6;

  bool isAt(std::size_t i, const CallKey &key) const noexcept { return calls_[i].key && *calls_[i].key == key; }

  /// Looks first where a call with such a hash was found before.
  Repeat *withKey(const CallKey &key) noexcept {
    std::uint8_t &hint = hints_[static_cast<std::size_t>(key.hash() >> (64 - hintBits))];
    if (isAt(hint, key))
      return &calls_[hint];
    for (std::size_t i = 0; i < most; ++i)
      if (hashes_[i] == key.hash() && isAt(i, key)) {
        hint = static_cast<std::uint8_t>(i);
        return &calls_[i];
      }
    return nullptr;
  }

  static bool hasExecution(Repeat &repeat) noexcept {
    if (!repeat.execution)
      repeat.execution.reset(new (std::nothrow) Execution);
    return repeat.execution != nullptr;
  }

  std::array<Repeat, most> calls_;
  std::array<std::uint64_t, most> hashes_{}; ///< of their keys
  std::array<std::uint8_t, std::size_t{1} << hintBits> hints_{};
  std::uint64_t uses_ = 0;
};

/// Repeats the call that `state` knows by this key, type and operator (null: it has no
/// operator). False if it knows none, or its arguments have to be looked at again. If
/// a task is being started, the call becomes a part of it; otherwise
/// `carryOut(execution)` carries it out.
template <class State, class Datatype, class Operator, class CarryOut>
bool repeatCall(State &state, const CallKey &key, const Datatype &type, const Operator *op,
                Status &ended, CarryOut carryOut) {
  state.enter();
  auto *const known = state.repeats.find(key);
  Task *const task = state.current();
  const bool isReady = known && !state.plans.observer && known->execution->isFor(type, op) &&
                       !(task && task->isPersistent());
  if (isReady && task) {
    ended = known->execution->repeatIn(*task);
    known->isInUse = !ended;
  } else if (isReady) {
    ended = carryOut(*known->execution);
  }
  state.leave();
  return isReady;
}

} // namespace detail
} // namespace quadrille

#endif // QUADRILLE_PLAN_REPEATS_H
