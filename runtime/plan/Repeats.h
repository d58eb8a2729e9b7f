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
/// that calls which are made once cost nothing.
///
/// Accessed by the thread that makes calls.
template <class Execution> class Repeats {
public:
  using Repeat = detail::Repeat<Execution>;

  /// The call with this key, if it is ready to be made again; else null.
  Repeat *find(const CallKey &key) noexcept {
    for (Repeat &each : setOf(key))
      if (each.isLoaded && !each.isInUse && *each.key == key) {
        each.lastUse = ++uses_;
        return &each;
      }
    return nullptr;
  }

  /// Notes a call that was not found, and has ended well. Returns where it should
  /// be loaded if it had been noted before, else null.
  Repeat *note(const CallKey &key) noexcept {
    Repeat *place = nullptr;
    for (Repeat &each : setOf(key)) {
      if (each.key && *each.key == key) {
        each.lastUse = ++uses_;
        return each.isInUse || !hasExecution(each) ? nullptr : &each;
      }
      if (!each.isInUse && (!place || each.lastUse < place->lastUse))
        place = &each;
    }
    if (place) {
      place->key = key;
      place->isLoaded = false;
      place->lastUse = ++uses_;
    }
    return nullptr;
  }

private:
  static constexpr std::size_t setBits = 3, ways = 2;
  using Set = std::array<Repeat, ways>;

  Set &setOf(const CallKey &key) { return sets_[static_cast<std::size_t>(key.hash() >> (64 - setBits))]; }
  static bool hasExecution(Repeat &repeat) noexcept {
    if (!repeat.execution)
      repeat.execution.reset(new (std::nothrow) Execution);
    return repeat.execution != nullptr;
  }

  std::array<Set, std::size_t{1} << setBits> sets_;
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
