//===- quadrille/region.h - A list of blocks in memory ----------*- C++ -*-===//

#ifndef QUADRILLE_REGION_H
#define QUADRILLE_REGION_H

#include "quadrille/index.h"

#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace quadrille {

namespace detail {
class Divisions;
class Recorder;
class Fragment;
} // namespace detail

/// Consecutive elements in memory.
struct Segment {
  std::byte *data;
  Index elements;
};

/// A list of blocks in memory: the run-time form of `x`, `y[a ..< b]` and
/// `y[j in 0 ..< p if c]`.
///
/// A region is a view: it owns no elements and, like a pointer, does not pass
/// its constness on to them. It has a *layout*, which gives the place and length
/// of every block of an underlying array, and a list of *ranges* of block
/// numbers of that array. Slicing changes the ranges only. Up to two ranges,
/// enough for a cyclic slice, need no heap.
///
/// Indices are counted in blocks, lengths and offsets in elements.
class Region {
public:
  class Segments;

  /// A region without blocks.
  Region() = default;

  /// `count` blocks of `n` elements each, one after the other from `base`. An
  /// element begins every `elementBytes` bytes.
  static Region uniform(void *base, Index elementBytes, Index count, Index n);

  /// `count` blocks of any lengths, one after the other from `base`: block j
  /// lies in elements offsets[j] ..< offsets[j + 1]. The `count + 1` offsets
  /// begin with 0, do not decrease, and must outlive the region and all that is
  /// made from it.
  static Region uneven(void *base, Index elementBytes, Index count,
                       const Index *offsets);

  Index count() const { return count_; }
  Index elementBytes() const { return elementBytes_; }

  /// Total number of elements.
  Index elements() const;

  /// Number of elements of block `i`.
  Index length(Index i) const { return layout_.length(blockAt(i)); }

  /// Number of elements of the longest block, 0 if there is none.
  Index longest() const;

  /// Block `i` as a region of one block; if blocks are split, the packets of
  /// block `i`.
  Region operator[](Index i) const;

  /// Splits every block into `k` >= 1 packets whose lengths differ by at most
  /// one, the longer ones first. A region of one block becomes the region of its
  /// packets; otherwise `r.split(k)[i]` is the region of the packets of block i.
  Region split(Index k) const { return count_ == 1 ? splitEach(k)[0] : splitEach(k); }

  /// As `split`, but with two levels even if there is only one block, as needed
  /// for `split y into k` with an array y. The blocks must not be split yet.
  Region splitEach(Index k) const;

  /// The elements first ..+ elements of a region of one block, as one block.
  Region part(Index first, Index elements) const;

  /// The first other.elements() elements of this region, as one block. This
  /// region must be contiguous and have that many.
  Region like(const Region &other) const;

  /// A block of length 0 at the same place.
  Region nothing() const;

  /// The blocks lo ..< hi; none if hi <= lo.
  Region slice(Index lo, Index hi) const { return run(lo, hi - lo); }

  /// The blocks lo ..+ len; none if len <= 0.
  Region run(Index lo, Index len) const;

  /// The blocks (lo + i) mod m for i in 0 ..< len: at most two ranges if len <= m.
  Region cyclic(Index lo, Index len, Index m) const;

  /// The blocks j in lo ..< hi with pred(j), in increasing order.
  template <class Predicate>
  Region select(Index lo, Index hi, Predicate pred) const {
    Region result = withoutBlocks();
    for (Index j = lo; j < hi;) {
      if (!pred(j)) {
        ++j;
        continue;
      }
      const Index first = j++;
      while (j < hi && pred(j))
        ++j;
      result.append(*this, first, j - first);
    }
    return result;
  }

  /// The maximal runs of consecutive elements, in order, none of them empty.
  /// The region must outlive the result, so it cannot be a temporary.
  Segments segments() const &;
  Segments segments() const && = delete;

  /// Whether the region has no memory: of an argument that this rank does not have.
  bool isNull() const { return !base_; }

  /// Whether there was not enough memory for the ranges of this region. Such a
  /// region must not be used; a step with it reports ErrorCode::OutOfMemory.
  bool isBroken() const { return broken_; }

  /// A region with the same block lengths and split, with a minimal span of
  /// elements, and with a null base.
  Region shape() const;

  /// Number of elements from the beginning of the array to the end of its last
  /// block: the size of the memory that a `shape()` needs.
  Index spanElements() const;

  /// The same region at another base.
  Region at(void *base) const {
    Region result = *this;
    result.base_ = static_cast<std::byte *>(base);
    return result;
  }

private:
  friend class detail::Divisions;
  friend class detail::Recorder;
  friend class detail::Fragment;

  /// Places and lengths of blocks. Block j has quotient + (j < remainder)
  /// elements; or, if `offsets` is not null, offsets[j] ..< offsets[j + 1].
  struct Layout {
    Index origin = 0; ///< where block 0 begins, in elements from the base
    Index quotient = 0;
    Index remainder = 0;
    const Index *offsets = nullptr;
    /// While a plan is recorded: the index in `divisions_` of the form of this
    /// layout for all n. 0: only the numbers are known.
    std::uint32_t division = 0;

    Index offset(Index j) const {
      if (offsets)
        return origin + offsets[j];
      return origin + j * quotient + (j < remainder ? j : remainder);
    }
    Index length(Index j) const {
      if (offsets)
        return offsets[j + 1] - offsets[j];
      return quotient + (j < remainder ? 1 : 0);
    }
  };

  /// The blocks lo ..+ len of the layout; they are blocks `first`, first + 1, ...
  /// of this region.
  struct Range {
    Index first, lo, len;
  };
  static constexpr std::size_t inlineRanges = 2;

  const Range &range(std::size_t i) const {
    return rangeCount_ > inlineRanges ? (*spilled_)[i] : few_[i];
  }
  Range &range(std::size_t i) {
    return rangeCount_ > inlineRanges ? (*spilled_)[i] : few_[i];
  }
  std::size_t rangeOf(Index i) const;
  Index blockAt(Index i) const {
    assert(0 <= i && i < count_ && "block number out of range");
    const Range &at = rangeCount_ == 1 ? few_[0] : range(rangeOf(i));
    return at.lo + (i - at.first);
  }

  Region withoutBlocks() const;
  Region beginning(Index elements) const;
  void append(const Region &of, Index lo, Index len);
  void appendRange(Index lo, Index len);

  std::byte *base_ = nullptr;
  Index elementBytes_ = 0;
  Layout layout_;
  detail::Divisions *divisions_ = nullptr; ///< null: no plan is recorded
  Index packets_ = 0; ///< per block; 0: blocks are not split
  Index count_ = 0;
  bool broken_ = false;
  std::size_t rangeCount_ = 0;
  std::array<Range, inlineRanges> few_{};
  /// All ranges, if there are more than `inlineRanges`. Shared by copies; written
  /// only while the region is constructed, before it is copied.
  std::shared_ptr<std::vector<Range>> spilled_;
};

/// A sequence of segments, computed while it is walked.
class Region::Segments {
public:
  explicit Segments(const Region &region) : region_(&region) {}

  class iterator {
  public:
    const Segment &operator*() const { return segment_; }
    const Segment *operator->() const { return &segment_; }
    iterator &operator++() {
      advance();
      return *this;
    }
    bool operator!=(const iterator &other) const {
      return region_ != other.region_;
    }
    bool operator==(const iterator &other) const { return !(*this != other); }

  private:
    friend class Segments;
    void advance();

    const Region *region_ = nullptr; ///< null: the end
    std::size_t next_ = 0;
    Segment segment_{nullptr, 0};
  };

  iterator begin() const {
    iterator it;
    it.region_ = region_;
    it.advance();
    return it;
  }
  iterator end() const { return {}; }

private:
  const Region *region_;
};

inline Region::Segments Region::segments() const & { return Segments(*this); }

namespace detail {

/// Walks through the elements of a region in pieces whose lengths the caller
/// determines.
class SegmentCursor {
public:
  explicit SegmentCursor(const Region &region)
      : elementBytes_(region.elementBytes()), at_(region.segments().begin()) {
    load();
  }

  /// The number of contiguous elements from here on; 0 at the end.
  Index available() const { return available_; }
  std::byte *data() const { return data_; }

  /// Skips `elements` <= available() elements.
  void skip(Index elements) {
    available_ -= elements;
    if (available_ > 0) {
      data_ += elements * elementBytes_;
      return;
    }
    ++at_;
    load();
  }

private:
  void load() {
    const bool done = at_ == Region::Segments::iterator();
    data_ = done ? nullptr : at_->data;
    available_ = done ? 0 : at_->elements;
  }

  Index elementBytes_;
  Region::Segments::iterator at_;
  std::byte *data_ = nullptr;
  Index available_ = 0;
};

} // namespace detail
} // namespace quadrille

#endif // QUADRILLE_REGION_H
