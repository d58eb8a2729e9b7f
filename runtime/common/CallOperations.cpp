//===- CallOperations.cpp - Copies and combinations of a call ------------===//

#include "CallParts.h"

#include <functional>
#include <utility>

using namespace quadrille;
using namespace quadrille::detail;

/// The range from the lowest to the highest byte of a region that is not empty.
CallBase::Bytes CallBase::bytesOf(const Region &region) const {
  Bytes result{nullptr, nullptr};
  for (const Segment &segment : region.segments()) {
    const std::byte *first = segment.data;
    const std::byte *last = first + (segment.elements - 1) * shape_.extentBytes;
    if (shape_.extentBytes < 0)
      std::swap(first, last);
    first += shape_.lowerBoundBytes;
    last += shape_.lowerBoundBytes + shape_.trueExtentBytes;
    if (!result.begin || std::less<>()(first, result.begin))
      result.begin = first;
    if (!result.end || std::less<>()(result.end, last))
      result.end = last;
  }
  return result;
}

bool CallBase::overlap(const Region &a, const Region &b) {
  // A plan depends on which arguments overlap, but not on n.
  if (isRecording() && recorder_->isKnown(a) && recorder_->isKnown(b))
    return recorder_->mayOverlap(a, b);
  // Two arguments that this rank does not have share no memory.
  if (a.isNull() || b.isNull())
    return false;
  // std::less compares pointers into different objects, `<` need not.
  const Bytes x = bytesOf(a), y = bytesOf(b);
  return std::less<>()(x.begin, y.end) && std::less<>()(y.begin, x.end);
}

static bool sameMemory(const Region &a, const Region &b) {
  auto i = a.segments().begin(), j = b.segments().begin();
  const auto end = a.segments().end();
  for (; i != end && j != end; ++i, ++j)
    if (i->data != j->data || i->elements != j->elements)
      return false;
  return i == end && j == end;
}

static bool isContiguous(const Region &region) {
  auto i = region.segments().begin();
  const auto end = region.segments().end();
  return i == end || !(++i != end);
}

void CallBase::copyPieces(const Region &dst, const Region &src) {
  SegmentCursor to(dst), from(src);
  while (const Index n = minimum(to.available(), from.available())) {
    if (to.data() != from.data())
      copyElements(to.data(), from.data(), n);
    to.skip(n);
    from.skip(n);
  }
}

bool CallBase::checkCopy(const Region &dst, const Region &src) {
  if (failure_)
    return false;
  if (dst.isBroken() || src.isBroken()) {
    (void)fail(Status::format(ErrorCode::OutOfMemory,
                              "%s: rank %lld has no memory for a list of blocks",
                              name_, number(rank_)));
    return false;
  }
  const Index elements = src.elements();
  // Lengths in a plan are compared when it is bound to an n.
  if (!isRecording() && dst.elements() != elements) {
    (void)fail(Status::format(ErrorCode::Transport,
                              "%s: rank %lld copies %lld elements to %lld", name_,
                              number(rank_), number(elements),
                              number(dst.elements())));
    return false;
  }
  return true;
}

void CallBase::copy(const Region &dst, const Region &src) {
  if (!checkCopy(dst, src))
    return;
  if (isRecording())
    return record([&] { recorder_->copy(dst, src); });
  const Index elements = src.elements();
  if (elements == 0 || sameMemory(dst, src))
    return;
  if (!overlap(dst, src) ||
      (shape_.dense && isContiguous(dst) && isContiguous(src))) {
    copyPieces(dst, src);
    return;
  }
  const Arena::Mark mark = arena_.mark();
  const Region between = temporary(1, elements);
  if (!failure_) {
    copyPieces(between, src);
    copyPieces(dst, between);
  }
  arena_.rewind(mark);
}

bool CallBase::checkCombine(const Region &dst, const Region &a, const Region &b) {
  if (failure_)
    return false;
  if (dst.isBroken() || a.isBroken() || b.isBroken()) {
    (void)fail(Status::format(ErrorCode::OutOfMemory,
                              "%s: rank %lld has no memory for a list of blocks",
                              name_, number(rank_)));
    return false;
  }
  const Index elements = dst.elements();
  if (hasOperator_ && isRecording())
    return true;
  if (!hasOperator_ || a.elements() != elements || b.elements() != elements) {
    (void)fail(Status::format(
        hasOperator_ ? ErrorCode::Transport : ErrorCode::BadParameter,
        hasOperator_
            ? "%s: rank %lld combines %lld and %lld elements into %lld"
            : "%s: rank %lld combines %lld and %lld elements into %lld, but the "
              "call has no operator",
        name_, number(rank_), number(a.elements()), number(b.elements()),
        number(elements)));
    return false;
  }
  return true;
}

/// Whether writing `dst` could change `from` before it is read, so that `from`
/// must be copied first.
bool CallBase::isOverwritten(const Region &from, const Region &dst) {
  return !sameMemory(dst, from) && overlap(dst, from);
}

void CallBase::combine(const Region &dst, const Region &a, const Region &b) {
  if (!checkCombine(dst, a, b))
    return;
  if (isRecording())
    return record([&] { recorder_->combine(dst, a, b); });
  const Arena::Mark mark = arena_.mark();
  const Region first = isOverwritten(a, dst) ? copyOf(a) : a;
  const Region second = isOverwritten(b, dst) ? copyOf(b) : b;
  if (failure_)
    return;
  SegmentCursor to(dst), left(first), right(second);
  while (const Index n = minimum(
             to.available(), minimum(left.available(), right.available()))) {
    combineElements(to.data(), left.data(), right.data(), n);
    to.skip(n);
    left.skip(n);
    right.skip(n);
  }
  arena_.rewind(mark);
}

//===--- Blocks that may be empty ----------------------------------------===//

static Presence::Alike alike(const Presence *presence, const SegmentCursor &at,
                             Index stride, Index elements) {
  return presence ? presence->alike(at.data(), stride, elements)
                  : Presence::Alike{true, elements};
}

/// Copies consecutive elements, or records the copy by their addresses.
void CallBase::copyRun(std::byte *dst, std::byte *src, Index elements) {
  if (isRecording())
    record([&] { recorder_->copyAt(dst, src, elements); });
  else
    copyElements(dst, src, elements);
}

void CallBase::combineRun(std::byte *dst, std::byte *a, std::byte *b, Index elements) {
  if (isRecording())
    record([&] { recorder_->combineAt(dst, a, b, elements); });
  else
    combineElements(dst, a, b, elements);
}

/// Copies the elements that are present. `dst` and `src` are the same or do not
/// overlap.
void CallBase::copyPieces(const Region &dst, Presence *dstThere,
                          const Region &src, const Presence *srcThere) {
  const Index stride = shape_.extentBytes;
  SegmentCursor to(dst), from(src);
  while (const Index most = minimum(to.available(), from.available())) {
    const auto [there, n] = alike(srcThere, from, stride, most);
    if (there && to.data() != from.data())
      copyRun(to.data(), from.data(), n);
    if (dstThere)
      dstThere->set(to.data(), stride, n, there);
    to.skip(n);
    from.skip(n);
  }
}

void CallBase::copy(const Region &dst, Presence *dstThere, const Region &src,
                    const Presence *srcThere) {
  if (srcThere && !srcThere->any(src)) {
    if (dstThere)
      dstThere->remove(dst);
    return;
  }
  if (!checkCopy(dst, src))
    return;
  if (!isOverwritten(src, dst))
    return copyPieces(dst, dstThere, src, srcThere);
  const Arena::Mark mark = arena_.mark();
  const Region between = temporaryLike(src);
  Presence betweenThere;
  if (!failure_) {
    copyPieces(between, &betweenThere, src, srcThere);
    copyPieces(dst, dstThere, between, &betweenThere);
  }
  arena_.rewind(mark);
}

void CallBase::combine(const Region &dst, Presence *dstThere, const Region &a,
                       const Presence *aThere, const Region &b,
                       const Presence *bThere) {
  if (aThere && !aThere->any(a))
    return copy(dst, dstThere, b, bThere);
  if (bThere && !bThere->any(b))
    return copy(dst, dstThere, a, aThere);
  if (!checkCombine(dst, a, b))
    return;
  const Arena::Mark mark = arena_.mark();
  Region first = a, second = b;
  Presence firstThere, secondThere;
  const auto keep = [&](Region &operand, const Presence *&there, Presence &own) {
    if (!isOverwritten(operand, dst))
      return;
    const Region kept = temporaryLike(operand);
    if (!failure_)
      copyPieces(kept, &own, operand, there);
    operand = kept;
    there = &own;
  };
  keep(first, aThere, firstThere);
  keep(second, bThere, secondThere);
  if (failure_)
    return;
  const Index stride = shape_.extentBytes;
  SegmentCursor to(dst), left(first), right(second);
  while (const Index most = minimum(
             to.available(), minimum(left.available(), right.available()))) {
    const Presence::Alike ofLeft = alike(aThere, left, stride, most);
    const Presence::Alike ofRight = alike(bThere, right, stride, ofLeft.elements);
    const Index n = ofRight.elements;
    if (ofLeft.there && ofRight.there)
      combineRun(to.data(), left.data(), right.data(), n);
    else if (ofLeft.there && to.data() != left.data())
      copyRun(to.data(), left.data(), n);
    else if (ofRight.there && to.data() != right.data())
      copyRun(to.data(), right.data(), n);
    if (dstThere)
      dstThere->set(to.data(), stride, n, ofLeft.there || ofRight.there);
    to.skip(n);
    left.skip(n);
    right.skip(n);
  }
  arena_.rewind(mark);
}
