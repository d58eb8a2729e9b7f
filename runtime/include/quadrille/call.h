//===- quadrille/call.h - What the calls of all backends share --*- C++ -*-===//
//
// A Call is one execution of one collective by one rank: it checks the
// arguments, gives out regions and temporaries, and remembers the first error.
// What it does is recorded once as a plan, and carried out from that. The
// backends add what moves and combines elements.
//
//===----------------------------------------------------------------------===//

#ifndef QUADRILLE_CALL_H
#define QUADRILLE_CALL_H

#include "quadrille/arena.h"
#include "quadrille/call_key.h"
#include "quadrille/group.h"
#include "quadrille/index.h"
#include "quadrille/nodes.h"
#include "quadrille/presence.h"
#include "quadrille/region.h"
#include "quadrille/status.h"

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

namespace quadrille {

/// Where the incoming operand stands in `Step::recvCombine`.
enum class Side {
  Left, ///< dst := incoming <> dst
  Right ///< dst := dst <> incoming
};

namespace detail {

class CallBase;
class Fragment;
class Plan;
struct KnownCall;
class Plans;
class Recorder;
struct StepPlace;

/// Where the bytes of an element are. Elements begin `extentBytes` apart; the
/// bytes of one lie in lowerBoundBytes ..+ trueExtentBytes from its beginning.
struct ElementShape {
  Index extentBytes = 0;
  Index lowerBoundBytes = 0;
  Index trueExtentBytes = 0;
  /// No gaps in or between elements: they may be copied as bytes.
  bool dense = true;

  static ElementShape ofBytes(Index size) { return {size, 0, size, true}; }
};

/// A blocking call that is open: its number among all calls of the communicator,
/// and the call around it.
struct OpenCall {
  std::uint64_t sequence = 0;
  OpenCall *outer = nullptr;
};

/// The number in an environment variable; 0 if it is not set, or is no number from
/// 0 on, of which standard error is told.
Index numberFromEnvironment(const char *name) noexcept;

} // namespace detail

/// Sends and receives that run at the same time. They begin in `finish`, at
/// the latest; no buffer of theirs may be touched in between.
///
/// In a call that is recorded (`Call::run`, or in what `start` runs) nothing
/// moves before the call's end, and `finish` only tells what was wrong.
class Step {
public:
  Step(const Step &) = delete;
  Step &operator=(const Step &) = delete;
  ~Step();

  /// Sends the elements of `region` to the group's rank `to` as one message;
  /// no message if the region has no blocks.
  void send(const Region &region, Index to);
  /// Sends a message without data.
  void send(Index to);

  /// Receives exactly as many elements as `region` has.
  void recv(const Region &region, Index from);
  /// Receives a message without data.
  void recv(Index from);

  /// Receives at most as many elements as `room` has, which is in one piece,
  /// and fills it from its beginning. When the step is done, `arrived` is what
  /// came, as one block.
  void recvUpTo(const Region &room, Index from, Region &arrived);
  /// The same into any region; the number is stored in `received`. Not in calls
  /// that are recorded (ErrorCode::BadParameter).
  void recvUpTo(const Region &region, Index from, Index *received = nullptr);

  /// Receives exactly as many elements as `dst` has and combines them into it.
  void recvCombine(const Region &dst, Index from, Side side);

  /// Communicates. Returns when all sends and receives of this step are done
  /// for this rank, so that their buffers may be used again, or with the error
  /// that prevents it. After an error nobody touches the buffers any more
  /// either, but for a message of MPI that it cannot cancel: the buffers given
  /// to `send` and `recv` then have to stay valid until the communicator is
  /// destroyed.
  Status finish();

private:
  friend class detail::CallBase;
  Step(detail::CallBase &call, const Group &group, int line, bool lockstep);

  bool locate(Index partner, const Region *region, const char *what, Index &rank);
  template <class Add> void add(Index partner, const Region *region, const char *what, Add append);
  detail::StepPlace place() const;
  void fail(Status status);

  detail::CallBase &call_;
  Group group_;
  int line_;
  Status failure_;
  detail::Fragment *fragment_ = nullptr; ///< null: the call is recorded
};

namespace detail {

class CallBase {
public:
  CallBase(const CallBase &) = delete;
  CallBase &operator=(const CallBase &) = delete;

  /// When this call has ended well, calls with the same key, type and operator are
  /// repeated by `Communicator::repeat`. `key` must exist as long as this object,
  /// and have all that the call depends on.
  void keepAs(const CallKey &key) { key_ = &key; }

  //===--- Checks: an error, or the first error met before --------------===//

  /// The schedule exists for this number of ranks; `what` says for which ones,
  /// as in "p is a power of two". Else ErrorCode::UnsupportedSize.
  Status requireSize(bool holds, const char *what);

  /// `data` can hold `blocks` blocks of `n` elements: not null unless they are
  /// empty (NullBuffer), and all addressable (TooLarge).
  Status requireBuffer(const char *name, const void *data, Index blocks,
                       std::size_t n);

  /// `lengths` are `count` lengths of blocks, in elements: not null unless
  /// there are none (NullBuffer), and all such blocks together addressable
  /// (TooLarge).
  Status requireLengths(const char *name, const std::size_t *lengths,
                        Index count);

  /// The same of those `lengths[i]` for which isKnown(i); the others are not read.
  template <class Known>
  Status requireLengths(const char *name, const std::size_t *lengths,
                        Index count, Known isKnown) {
    for (Index i = 0; i < count; ++i)
      if (isKnown(i))
        if (Status bad = requireLengths(name, lengths ? lengths + i : lengths, 1))
          return bad;
    return failure_;
  }

  /// `memory` is not null. Else ErrorCode::OutOfMemory.
  Status requireMemory(const void *memory);

  /// `data` has `blocks` blocks, block j of lengthOf(j) elements, among lengths
  /// that have been checked: addressable (TooLarge), and not null unless there
  /// are no elements (NullBuffer).
  template <class Length>
  Status requireBufferOf(const char *name, const void *data, Index blocks,
                         Length lengthOf) {
    Index elements = 0;
    for (Index j = 0; elements >= 0 && j < blocks; ++j)
      elements = sumOrNone(elements, lengthOf(j));
    return requireElements(name, data, blocks, elements);
  }

  /// Where block `j` begins in memory at `data`, where blocks have `n` elements each,
  /// or block i has lengthOf(i) elements, which are lengths that have been checked.
  /// Null if `data` is; not checked otherwise.
  const void *blockOf(const void *data, Index j, std::size_t n) const {
    return elementOf(data, j, static_cast<Index>(n));
  }
  template <class Length>
  auto blockOf(const void *data, Index j, Length lengthOf) const
      -> std::enable_if_t<std::is_invocable_v<Length, Index>, const void *> {
    Index before = 0;
    for (Index i = 0; i < j; ++i)
      before += lengthOf(i);
    return elementOf(data, before, 1);
  }

  /// The operator commutes. Else ErrorCode::NotCommutative.
  Status requireCommutative();

  /// 0 <= root < p. Else ErrorCode::BadRoot.
  Status requireRoot(Index root);

  /// `what` says what is required of the parameter, as in "k >= 1". Else
  /// ErrorCode::BadParameter.
  Status requireParameter(const char *name, Index value, bool holds,
                          const char *what);

  /// The collective promises that no rank ends before others have begun. So every
  /// message signals that all has happened for which its sender had to wait. Without
  /// this call only messages without data signal that.
  void synchronizes();

  /// On which node each rank of `group` is, counted from its rank `origin`.
  /// Always the same, on all ranks. Does not communicate. Throws std::bad_alloc.
  Nodes nodes(const Group &group, Index origin = 0) const;

  /// The schedule exists for this map from ranks to nodes: holds(nodes), with the
  /// arguments as above. `what` says for which ones, as in "consecutive_nodes".
  /// Else ErrorCode::UnsupportedSize.
  template <class Holds>
  Status requireNodes(const Group &group, Index origin, const char *what, Holds holds) {
    try {
      const Nodes map = nodes(group, origin);
      return requireMap(holds(map), what);
    } catch (const std::bad_alloc &) {
      return fail(outOfMemory());
    }
  }

  //===--- Memory --------------------------------------------------------===//
  //
  // Temporaries are not initialized and live until this call object dies. If
  // there is no memory for one, the call fails: its next check, step or
  // `finish` returns ErrorCode::OutOfMemory.

  /// `blocks` blocks of `n` elements that the collective writes.
  Region output(void *data, Index blocks, std::size_t n) {
    return argument(data, blocks, static_cast<Index>(n));
  }

  /// `blocks` blocks of `n` elements that the collective reads: a view of the
  /// caller's memory, or a private copy of it if it overlaps one of `outputs`
  /// (a call in place).
  template <class... Outputs>
  Region input(const void *data, Index blocks, std::size_t n,
               const Outputs &...outputs) {
    // The view is never written to; regions have no constness of their own.
    const Region view = output(const_cast<void *>(data), blocks, n);
    return (false || ... || overlap(view, outputs)) || overlapsInPart(data, blocks, static_cast<Index>(n))
               ? copyOf(view)
               : view;
  }

  /// The number of elements of the longest block on any rank, as far as the lengths
  /// that have been checked say.
  Index longest() const { return longest_; }

  /// `count` blocks of `n` elements.
  Region temporary(Index count, Index n);

  /// As `output`, `input` and `temporary`, of blocks with lengths of their own:
  /// block j has lengthOf(j) elements.
  template <class Length>
  Region outputOf(void *data, Index blocks, Length lengthOf) {
    const Index *offsets = offsetsOf(blocks, lengthOf);
    return argumentOf(data, offsets ? blocks : 0, offsets);
  }
  template <class Length, class... Outputs>
  Region inputOf(const void *data, Index blocks, Length lengthOf,
                 const Outputs &...outputs) {
    const Region view = outputOf(const_cast<void *>(data), blocks, lengthOf);
    return (false || ... || overlap(view, outputs)) || overlapsInPart(data, blocks, -1)
               ? copyOf(view)
               : view;
  }
  template <class Length> Region temporaryOf(Index count, Length lengthOf) {
    const Index *offsets = offsetsOf(count, lengthOf);
    return temporaryBetween(offsets ? count : 0, offsets);
  }

  /// As many blocks as `region` has, of the same lengths, split alike.
  Region temporaryLike(const Region &region);

  /// `count` blocks, each as long as the longest block of `region`.
  Region temporaryBlocks(const Region &region, Index count);

  /// The same with names, by which plans are explained: string literals.
  Region temporary(const char *name, Index count, Index n) { return named(name, temporary(count, n)); }
  template <class Length> Region temporaryOf(const char *name, Index count, Length lengthOf) {
    return named(name, temporaryOf(count, lengthOf));
  }
  Region temporaryLike(const char *name, const Region &region) { return named(name, temporaryLike(region)); }
  Region temporaryBlocks(const char *name, const Region &region, Index count) {
    return named(name, temporaryBlocks(region, count));
  }

  /// dst := src, element by element whatever the division into blocks. They
  /// have the same number of elements; they may overlap.
  void copy(const Region &dst, const Region &src);

  /// dst := a <> b. All have the same number of elements, and they may overlap;
  /// what is not `dst` is left intact. Operators that do not commute keep their
  /// order.
  void combine(const Region &dst, const Region &a, const Region &b);

  /// The same where elements may be missing: these are not copied, and where one
  /// operand has none, the result is the other one. `dstThere` becomes what `dst` has
  /// afterwards (null: nobody asks); it may be the Presence of an operand. An operand
  /// of which nothing is there may have any length.
  void copy(const Region &dst, Presence *dstThere, const Region &src,
            const Presence *srcThere);
  void combine(const Region &dst, Presence *dstThere, const Region &a,
               const Presence *aThere, const Region &b, const Presence *bThere);

  /// The next step among `group`; `line` is its line in the schedule's source.
  Step step(const Group &group, int line) { return Step(*this, group, line, false); }

  /// The same, but none of its messages begins before all earlier steps of this
  /// rank are complete: for schedules that keep messages apart in time.
  Step lockstep(const Group &group, int line) { return Step(*this, group, line, true); }

  //===--- Carrying out ---------------------------------------------------===//

  /// Does what `body` does: takes regions of the arguments that have been
  /// checked, sends, receives, copies and combines, and returns a Status. That
  /// depends on nothing but p, the rank, lengths that have been checked by
  /// `requireLengths`, and `numbers`: not on data, n, types or addresses.
  ///
  /// So `body` runs once, to be recorded; the next call with the same numbers
  /// goes straight to what it recorded. See docs/runtime.md.
  template <class Body> Status run(std::initializer_list<Index> numbers, Body body) {
    // Its address stands for the function that `body` is in.
    static char site;
    if (beginPlan(&site, numbers)) {
      try {
        endPlan(&site, body());
      } catch (const std::bad_alloc &) {
        endPlan(&site, outOfMemory());
      }
    }
    return finishPlan();
  }

  /// Ends a call that has been made step by step: records `status` as its
  /// outcome and returns it, or returns an error that had been met before.
  Status finish(Status status);

  //===--- Errors --------------------------------------------------------===//

  const char *name() const { return name_; }
  Index rank() const { return rank_; }
  Index size() const { return size_; }

protected:
  /// `isStarted`: the call is recorded from its beginning, and carried out when
  /// it has returned.
  CallBase(Plans &plans, Arena &arena, const char *name, Index rank, Index size,
           const ElementShape &shape, bool hasOperator, bool commutative, bool isStarted);
  ~CallBase();

  /// Carries out the plan `plan_` with the arguments of `recorder_`, or hands it
  /// to the task that was started.
  virtual Status carryOut() = 0;
  /// Carries out one step.
  virtual Status carryOut(Fragment &fragment) = 0;
  /// Whether a message cannot be combined as it arrives.
  virtual bool combinesThroughMemory() const = 0;

  /// Copies consecutive elements. `dst` and `src` are not the same; they
  /// overlap only if the element shape is dense.
  virtual void copyElements(std::byte *dst, const std::byte *src,
                            Index elements) = 0;

  /// dst := a <> b on consecutive elements, with `combine`'s rules.
  virtual void combineElements(std::byte *dst, const std::byte *a,
                               const std::byte *b, Index elements) = 0;

  Status requireMap(bool holds, const char *what);
  Status outOfMemory() const;

  /// The n that the user gave: what a plan's lengths depend on.
  Index lengthOfCall() const { return lengthOfCall_; }
  const std::shared_ptr<Plan> &plan() const;
  /// Whether this call has a key, and a plan that is short and holds for other calls,
  /// too.
  bool mayBeRepeated() const;

  /// Keeps the first error, returns it (or success).
  Status fail(Status status);

  /// Memory of the arena for consecutive elements; null (and the call has
  /// failed) if there is none.
  std::byte *allocateElements(Index elements);

  Plans &plans_;
  Recorder *recorder_;         ///< null: there is no memory for one
  KnownCall *known_ = nullptr; ///< has the plan to be carried out; null: `plan_` is it
  std::shared_ptr<Plan> plan_;
  Arena &arena_;
  const Arena::Mark mark_;
  const char *name_;
  const CallKey *key_ = nullptr; ///< null: the call is not to be repeated
  Index rank_, size_;
  ElementShape shape_;
  bool hasOperator_, commutative_;
  const bool isStarted_;
  Index longest_ = 0;
  Index lengthOfCall_ = 0;
  std::uint64_t planHint_ = 0; ///< see PlanCache::find
  bool hasLength_ = false;     ///< whether lengthOfCall_ is set, by the first argument of uniform blocks
  Status failure_;

private:
  friend class quadrille::Step;

  struct Bytes {
    const std::byte *begin, *end;
  };
  bool isRecording();
  bool receivesFirst() const;
  bool beginPlan(const void *site, std::initializer_list<Index> numbers);
  void endPlan(const void *site, Status status);
  Status finishPlan();
  template <class What> void record(What what);

  Region argument(void *data, Index blocks, Index n);
  Region argumentOf(void *data, Index blocks, const Index *offsets);
  Region named(const char *name, Region temporary);
  Region temporaryBetween(Index count, const Index *offsets);
  bool overlapsInPart(const void *data, Index blocks, Index n);

  Bytes bytesOf(const Region &region) const;
  bool overlap(const Region &a, const Region &b);
  template <class Attach> Region allocateFor(const Region &shape, Attach attach);
  /// a + length; `none` if that is no number of elements.
  template <class Number> static Index sumOrNone(Index a, Number length) {
    const Index most = std::numeric_limits<Index>::max() - a;
    return static_cast<std::size_t>(length) > static_cast<std::size_t>(most)
               ? none
               : a + static_cast<Index>(length);
  }
  Status requireElements(const char *name, const void *data, Index blocks, Index elements);
  Status failAtAddress(const char *buffer, const void *data);
  const void *elementOf(const void *data, Index block, Index length) const;
  void noteLength(Index n);
  void noteArgument(const char *name, const void *data, Index blocks, Index n, Index elements);
  void explain() const;
  void failTooLong();
  /// Memory for `count` indices; null (and the call has failed) if there is
  /// none.
  Index *allocateIndices(Index count);
  /// Where blocks begin that lie one after the other, and where the last ends.
  template <class Length> const Index *offsetsOf(Index blocks, Length lengthOf) {
    Index *const offsets = allocateIndices(blocks + 1);
    if (!offsets)
      return nullptr;
    offsets[0] = 0;
    for (Index j = 0; j < blocks; ++j) {
      offsets[j + 1] = sumOrNone(offsets[j], lengthOf(j));
      if (offsets[j + 1] < 0) {
        failTooLong();
        return nullptr;
      }
    }
    return offsets;
  }
  Region copyOf(const Region &region);
  void copyPieces(const Region &dst, const Region &src);
  bool isOverwritten(const Region &from, const Region &dst);
  bool checkCopy(const Region &dst, const Region &src);
  bool checkCombine(const Region &dst, const Region &a, const Region &b);
  void copyRun(std::byte *dst, std::byte *src, Index elements);
  void combineRun(std::byte *dst, std::byte *a, std::byte *b, Index elements);
  void copyPieces(const Region &dst, Presence *dstThere, const Region &src,
                  const Presence *srcThere);
};

} // namespace detail
} // namespace quadrille

#endif // QUADRILLE_CALL_H
