//===- Region.cpp - A list of blocks in memory ----------------------------===//

#include "quadrille/region.h"

#include "../plan/Divisions.h"

#include "quadrille/math.h"

#include <algorithm>
#include <new>

using namespace quadrille;

Region Region::uniform(void *base, Index elementBytes, Index count, Index n) {
  Region result;
  result.base_ = static_cast<std::byte *>(base);
  result.elementBytes_ = elementBytes;
  result.layout_.quotient = n;
  result.appendRange(0, count);
  return result;
}

Region Region::uneven(void *base, Index elementBytes, Index count,
                      const Index *offsets) {
  Region result;
  result.base_ = static_cast<std::byte *>(base);
  result.elementBytes_ = elementBytes;
  result.layout_.offsets = offsets;
  result.appendRange(0, count);
  return result;
}

Index Region::elements() const {
  Index sum = 0;
  for (std::size_t i = 0; i < rangeCount_; ++i) {
    const Range &r = range(i);
    sum += layout_.offset(r.lo + r.len) - layout_.offset(r.lo);
  }
  return sum;
}

Index Region::longest() const {
  if (count_ == 0)
    return 0;
  if (layout_.offsets) {
    Index most = 0;
    for (std::size_t i = 0; i < rangeCount_; ++i)
      for (Index j = range(i).lo; j < range(i).lo + range(i).len; ++j)
        most = maximum(most, layout_.length(j));
    return most;
  }
  for (std::size_t i = 0; i < rangeCount_; ++i)
    if (range(i).lo < layout_.remainder)
      return layout_.quotient + 1;
  return layout_.quotient;
}

Region Region::operator[](Index i) const {
  const Index block = blockAt(i);
  Region result = withoutBlocks();
  if (packets_ == 0) {
    result.appendRange(block, 1);
    return result;
  }
  result.packets_ = 0;
  if (divisions_)
    result.layout_.division = divisions_->packets(layout_.division, block, packets_);
  result.layout_.origin = layout_.offset(block);
  result.layout_.quotient = layout_.length(block) / packets_;
  result.layout_.remainder = layout_.length(block) % packets_;
  result.layout_.offsets = nullptr;
  result.appendRange(0, packets_);
  return result;
}

Region Region::splitEach(Index k) const {
  assert(k >= 1 && "split into no packets");
  assert(packets_ == 0 && "the blocks are split already");
  Region result = *this;
  result.packets_ = maximum(k, 1);
  return result;
}

/// One block of `elements` elements that begins where the first block begins.
Region Region::beginning(Index elements) const {
  const Index first = count_ > 0 ? layout_.offset(range(0).lo) : 0;
  return uniform(base_ ? base_ + first * elementBytes_ : nullptr, elementBytes_, 1,
                 elements);
}

Region Region::part(Index first, Index elements) const {
  assert(count_ == 1 && packets_ == 0 && "not one block");
  assert(0 <= first && first + elements <= length(0) && "elements out of range");
  Region result = beginning(elements);
  result.base_ += first * elementBytes_;
  if (divisions_)
    divisions_->partOf(*this, first, result);
  return result;
}

Region Region::like(const Region &other) const {
  Region result = beginning(other.elements());
  if (divisions_)
    divisions_->likeOf(*this, other, result);
  return result;
}

Region Region::nothing() const {
  Region result = beginning(0);
  if (divisions_)
    divisions_->nothingOf(*this, result);
  return result;
}

Region Region::run(Index lo, Index len) const {
  Region result = withoutBlocks();
  result.append(*this, lo, len);
  return result;
}

Region Region::cyclic(Index lo, Index len, Index m) const {
  Region result = withoutBlocks();
  if (len <= 0)
    return result;
  assert(0 < m && m <= count_ && "a cycle longer than the region");
  for (Index at = floorMod(lo, m); len > 0; at = 0) {
    const Index piece = minimum(len, m - at);
    result.append(*this, at, piece);
    len -= piece;
  }
  return result;
}

Region Region::shape() const {
  Region result = *this;
  result.base_ = nullptr;
  result.layout_.origin = 0;
  if (rangeCount_ == 0)
    return result;
  Index lowest = range(0).lo;
  for (std::size_t i = 1; i < rangeCount_; ++i)
    lowest = minimum(lowest, range(i).lo);
  // While a plan is recorded: whether lengths differ for some n.
  const bool uneven = divisions_ ? divisions_->isUneven(layout_.division)
                                 : layout_.remainder > 0 || layout_.offsets;
  if (uneven && rangeCount_ > 1) {
    // Blocks of different lengths in an order that the layout cannot express
    // without gaps: keep the gaps.
    result.layout_.origin = -result.layout_.offset(lowest);
    return result;
  }
  if (layout_.offsets) {
    result.layout_.offsets += lowest;
    result.layout_.origin = -result.layout_.offsets[0];
  }
  // Blocks lowest ..+ count renumbered from 0.
  result.layout_.remainder =
      maximum(0, minimum(layout_.remainder - lowest, count_));
  result.spilled_.reset();
  result.rangeCount_ = 1;
  result.few_[0] = {0, 0, count_};
  return result;
}

Index Region::spanElements() const {
  Index end = 0;
  for (std::size_t i = 0; i < rangeCount_; ++i)
    end = maximum(end, layout_.offset(range(i).lo + range(i).len));
  return end;
}

/// The number of the range that holds this region's block `i`.
std::size_t Region::rangeOf(Index i) const {
  std::size_t lo = 0, hi = rangeCount_;
  while (hi - lo > 1) {
    const std::size_t middle = lo + (hi - lo) / 2;
    (range(middle).first <= i ? lo : hi) = middle;
  }
  return lo;
}

Region Region::withoutBlocks() const {
  Region result;
  result.base_ = base_;
  result.elementBytes_ = elementBytes_;
  result.layout_ = layout_;
  result.divisions_ = divisions_;
  result.packets_ = packets_;
  result.broken_ = broken_;
  return result;
}

/// Appends blocks lo ..+ len of a region with the same layout.
void Region::append(const Region &of, Index lo, Index len) {
  if (len <= 0)
    return;
  assert(0 <= lo && lo + len <= of.count_ && "slice out of range");
  for (std::size_t i = of.rangeOf(lo); len > 0; ++i) {
    const Range &r = of.range(i);
    const Index skip = lo - r.first;
    const Index piece = minimum(len, r.len - skip);
    appendRange(r.lo + skip, piece);
    lo += piece;
    len -= piece;
  }
}

/// Appends blocks lo ..+ len of the layout.
void Region::appendRange(Index lo, Index len) {
  if (len <= 0 || broken_)
    return;
  if (rangeCount_ > 0) {
    Range &last = range(rangeCount_ - 1);
    if (last.lo + last.len == lo) {
      last.len += len;
      count_ += len;
      return;
    }
  }
  const Range added{count_, lo, len};
  if (rangeCount_ < inlineRanges) {
    few_[rangeCount_] = added;
  } else {
    try {
      if (rangeCount_ == inlineRanges)
        spilled_ = std::make_shared<std::vector<Range>>(few_.begin(), few_.end());
      spilled_->push_back(added);
    } catch (const std::bad_alloc &) {
      broken_ = true;
      return;
    }
  }
  ++rangeCount_;
  count_ += len;
}

void Region::Segments::iterator::advance() {
  const Region &r = *region_;
  while (next_ < r.rangeCount_) {
    const Range &first = r.range(next_++);
    const Index begin = r.layout_.offset(first.lo);
    Index end = r.layout_.offset(first.lo + first.len);
    // Ranges whose numbers are not consecutive are adjacent in memory if the
    // blocks between them are empty.
    while (next_ < r.rangeCount_) {
      const Range &following = r.range(next_);
      const Index from = r.layout_.offset(following.lo);
      const Index to = r.layout_.offset(following.lo + following.len);
      if (from != end && from != to)
        break;
      if (from != to)
        end = to;
      ++next_;
    }
    if (begin != end) {
      segment_ = {r.base_ + begin * r.elementBytes_, end - begin};
      return;
    }
  }
  region_ = nullptr;
}
