//===- quadrille/call.h - What the calls of all backends share --*- C++ -*-===//
//
// A Call is one execution of one collective by one rank: it checks the
// arguments, gives out regions and temporaries, and remembers the first error.
// The backends add what moves and combines elements.
//
//===----------------------------------------------------------------------===//

#ifndef QUADRILLE_CALL_H
#define QUADRILLE_CALL_H

#include "quadrille/arena.h"
#include "quadrille/group.h"
#include "quadrille/index.h"
#include "quadrille/presence.h"
#include "quadrille/region.h"
#include "quadrille/status.h"

#include <cstddef>
#include <limits>
#include <utility>

namespace quadrille {

/// Where the incoming operand stands in `Step::recvCombine`.
enum class Side {
  Left, ///< dst := incoming <> dst
  Right ///< dst := dst <> incoming
};

namespace detail {

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

/// An environment variable, 0 if it is unset or not a positive number.
Index positiveFromEnvironment(const char *name) noexcept;

class CallBase {
public:
  CallBase(const CallBase &) = delete;
  CallBase &operator=(const CallBase &) = delete;

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

  /// `data` has `blocks` blocks, block j of lengthOf(j) elements, among lengths
  /// that have been checked: addressable (TooLarge), and not null unless there
  /// are no elements (NullBuffer).
  template <class Length>
  Status requireBufferOf(const char *name, const void *data, Index blocks,
                         Length lengthOf) {
    Index elements = 0;
    for (Index j = 0; elements >= 0 && j < blocks; ++j)
      elements = sumOrNone(elements, lengthOf(j));
    return requireElements(name, data, elements);
  }

  /// The operator commutes. Else ErrorCode::NotCommutative.
  Status requireCommutative();

  /// 0 <= root < p. Else ErrorCode::BadRoot.
  Status requireRoot(Index root);

  /// `what` says what is required of the parameter, as in "k >= 1". Else
  /// ErrorCode::BadParameter.
  Status requireParameter(const char *name, Index value, bool holds,
                          const char *what);

  //===--- Memory --------------------------------------------------------===//
  //
  // Temporaries are not initialized and live until this call object dies. If
  // there is no memory for one, the call fails: its next check, step or
  // `finish` returns ErrorCode::OutOfMemory.

  /// `blocks` blocks of `n` elements that the collective writes.
  Region output(void *data, Index blocks, std::size_t n) const {
    return Region::uniform(data, shape_.extentBytes, blocks, static_cast<Index>(n));
  }

  /// `blocks` blocks of `n` elements that the collective reads: a view of the
  /// caller's memory, or a private copy of it if it overlaps one of `outputs`
  /// (a call in place).
  template <class... Outputs>
  Region input(const void *data, Index blocks, std::size_t n,
               const Outputs &...outputs) {
    // The view is never written to; regions have no constness of their own.
    const Region view = output(const_cast<void *>(data), blocks, n);
    return (false || ... || overlap(view, outputs)) ? copyOf(view) : view;
  }

  /// Elements of the longest block there can be on any rank, by the lengths that
  /// have been checked.
  Index longest() const { return longest_; }

  /// `count` blocks of `n` elements.
  Region temporary(Index count, Index n) {
    return allocateFor(Region::uniform(nullptr, shape_.extentBytes, count, n));
  }

  /// As `output`, `input` and `temporary`, of blocks with lengths of their own:
  /// block j has lengthOf(j) elements.
  template <class Length>
  Region outputOf(void *data, Index blocks, Length lengthOf) {
    const Index *offsets = offsetsOf(blocks, lengthOf);
    return Region::uneven(data, shape_.extentBytes, offsets ? blocks : 0, offsets);
  }
  template <class Length, class... Outputs>
  Region inputOf(const void *data, Index blocks, Length lengthOf,
                 const Outputs &...outputs) {
    const Region view = outputOf(const_cast<void *>(data), blocks, lengthOf);
    return (false || ... || overlap(view, outputs)) ? copyOf(view) : view;
  }
  template <class Length> Region temporaryOf(Index count, Length lengthOf) {
    return allocateFor(outputOf(nullptr, count, lengthOf));
  }

  /// As many blocks as `region` has, of the same lengths, split alike.
  Region temporaryLike(const Region &region) { return allocateFor(region.shape()); }

  /// `count` blocks, each as long as the longest block of `region`.
  Region temporaryBlocks(const Region &region, Index count) {
    return temporary(count, region.longest());
  }

  /// dst := src, element by element whatever the division into blocks. They
  /// have the same number of elements; they may overlap.
  void copy(const Region &dst, const Region &src);

  /// dst := a <> b. All have the same number of elements, and they may overlap;
  /// what is not `dst` is left intact. Operators that do not commute keep their
  /// order.
  void combine(const Region &dst, const Region &a, const Region &b);

  /// The same where blocks may be empty: what is not there is not copied, and
  /// what one operand has not is the other's. `dstThere` is told what `dst` has
  /// afterwards; null: nobody asks. It may be that of an operand. An operand of
  /// which nothing is there may have any length.
  void copy(const Region &dst, Presence *dstThere, const Region &src,
            const Presence *srcThere);
  void combine(const Region &dst, Presence *dstThere, const Region &a,
               const Presence *aThere, const Region &b, const Presence *bThere);

  //===--- Errors --------------------------------------------------------===//

  /// Records `status` as the call's outcome and returns it, or returns an
  /// error that had been met before.
  Status finish(Status status) { return fail(std::move(status)); }

  const char *name() const { return name_; }
  Index rank() const { return rank_; }
  Index size() const { return size_; }

protected:
  CallBase(Arena &arena, const char *name, Index rank, Index size,
           const ElementShape &shape, bool hasOperator, bool commutative)
      : arena_(arena), mark_(arena.mark()), name_(name), rank_(rank),
        size_(size), shape_(shape), hasOperator_(hasOperator),
        commutative_(commutative) {}
  ~CallBase() { arena_.rewind(mark_); }

  /// Copies consecutive elements. `dst` and `src` are not the same; they
  /// overlap only if the element shape is dense.
  virtual void copyElements(std::byte *dst, const std::byte *src,
                            Index elements) = 0;

  /// dst := a <> b on consecutive elements, with `combine`'s rules.
  virtual void combineElements(std::byte *dst, const std::byte *a,
                               const std::byte *b, Index elements) = 0;

  /// Keeps the first error, returns it (or success).
  Status fail(Status status);

  /// `combineElements` for operators that are given as inout := in <> inout
  /// in `apply(in, inout, elements)`. Goes through pieces of a small temporary
  /// where the operands' order leaves no other way.
  template <class Apply>
  void combineInTwoAddresses(std::byte *dst, const std::byte *a,
                             const std::byte *b, Index elements, Apply apply);

  /// Memory of the arena for consecutive elements; null (and the call has
  /// failed) if there is none.
  std::byte *allocateElements(Index elements);

  Arena &arena_;
  const Arena::Mark mark_;
  const char *name_;
  Index rank_, size_;
  ElementShape shape_;
  bool hasOperator_, commutative_;
  Index longest_ = 0;
  Status failure_;

private:
  struct Bytes {
    const std::byte *begin, *end;
  };
  Bytes bytesOf(const Region &region) const;
  bool overlap(const Region &a, const Region &b) const;
  Region allocateFor(const Region &shape);
  /// a + length; `none` if that is no number of elements.
  template <class Number> static Index sumOrNone(Index a, Number length) {
    const Index most = std::numeric_limits<Index>::max() - a;
    return static_cast<std::size_t>(length) > static_cast<std::size_t>(most)
               ? none
               : a + static_cast<Index>(length);
  }
  Status requireElements(const char *name, const void *data, Index elements);
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
  bool isOverwritten(const Region &from, const Region &dst) const;
  bool checkCopy(const Region &dst, const Region &src);
  bool checkCombine(const Region &dst, const Region &a, const Region &b);
  void copyPieces(const Region &dst, Presence *dstThere, const Region &src,
                  const Presence *srcThere);
};

template <class Apply>
void CallBase::combineInTwoAddresses(std::byte *dst, const std::byte *a,
                                     const std::byte *b, Index elements,
                                     Apply apply) {
  if (dst != a) {
    if (dst != b)
      copyElements(dst, b, elements);
    apply(a, dst, elements);
    return;
  }
  if (dst != b && commutative_) {
    apply(b, dst, elements);
    return;
  }
  // dst = a, and b has to stand right of it: b goes through a temporary, in
  // pieces that stay in the first-level cache.
  constexpr Index pieceBytes = 16 * 1024;
  const Index extent = shape_.extentBytes;
  Index piece = extent > 0 ? pieceBytes / extent : pieceBytes;
  piece = piece < 1 ? 1 : piece > elements ? elements : piece;
  const Arena::Mark mark = arena_.mark();
  if (std::byte *right = allocateElements(piece)) {
    for (Index done = 0; done < elements; done += piece) {
      const Index now = elements - done < piece ? elements - done : piece;
      copyElements(right, b + done * extent, now);
      apply(a + done * extent, right, now);
      copyElements(dst + done * extent, right, now);
    }
  }
  arena_.rewind(mark);
}

} // namespace detail
} // namespace quadrille

#endif // QUADRILLE_CALL_H
