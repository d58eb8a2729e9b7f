//===- CallMemory.cpp - A call's arguments and temporaries ---------------===//

#include "CallParts.h"

#include <cstdint>

using namespace quadrille;
using namespace quadrille::detail;

/// An address as a number, for arithmetic with intermediate results outside of
/// the object.
static std::uintptr_t address(const void *pointer) {
  return reinterpret_cast<std::uintptr_t>(pointer);
}

std::byte *CallBase::allocateElements(Index elements) {
  // An upper bound first, so that the exact size cannot overflow.
  const Index extent = absolute(shape_.extentBytes);
  Index bytes = 0;
  if (elements < 0 ||
      !multiply(elements, maximum(extent, 1), bytes) ||
      bytes > std::numeric_limits<std::ptrdiff_t>::max() - shape_.trueExtentBytes) {
    (void)fail(Status::format(
        ErrorCode::TooLarge,
        "%s: a temporary of %lld elements of %lld bytes is larger than the "
        "address space",
        name_, number(elements), number(extent)));
    return nullptr;
  }
  bytes = elements == 0 ? 0 : (elements - 1) * extent + shape_.trueExtentBytes;
  void *memory = arena_.allocate(static_cast<std::size_t>(bytes));
  if (!memory) {
    (void)fail(Status::format(ErrorCode::OutOfMemory,
                              "%s: rank %lld has no memory for a temporary of "
                              "%lld bytes",
                              name_, number(rank_), number(bytes)));
    return nullptr;
  }
  // Return the beginning of the first element, which need not be the lowest
  // byte.
  Index below = shape_.lowerBoundBytes;
  if (shape_.extentBytes < 0 && elements > 0)
    below -= (elements - 1) * extent;
  if (below == 0)
    return static_cast<std::byte *>(memory);
  return reinterpret_cast<std::byte *>(address(memory) -
                                       static_cast<std::uintptr_t>(below));
}

Index *CallBase::allocateIndices(Index count) {
  if (failure_)
    return nullptr;
  void *memory =
      arena_.allocate(static_cast<std::size_t>(count) * sizeof(Index));
  if (!memory)
    (void)fail(Status::format(ErrorCode::OutOfMemory,
                              "%s: rank %lld has no memory for %lld numbers",
                              name_, number(rank_), number(count)));
  return static_cast<Index *>(memory);
}

Region CallBase::argument(void *data, Index blocks, Index n) {
  Region region = Region::uniform(data, shape_.extentBytes, blocks, n);
  if (isRecording())
    record([&] { recorder_->attachUniform(region, data, blocks, n); });
  return region;
}

Region CallBase::argumentOf(void *data, Index blocks, const Index *offsets) {
  Region region = Region::uneven(data, shape_.extentBytes, blocks, offsets);
  if (isRecording() && offsets)
    record([&] { recorder_->attachUneven(region, data, blocks, offsets); });
  return region;
}

/// Whether an input overlaps another argument without being the same. False if
/// the call is not recorded: then copies check this themselves.
bool CallBase::overlapsInPart(const void *data, Index blocks, Index n) {
  return isRecording() && recorder_->overlapsAnother(data, blocks, n);
}

/// Allocates memory for `shape`. `attach(region)` tells the recorder about it.
template <class Attach> Region CallBase::allocateFor(const Region &shape, Attach attach) {
  if (shape.isBroken())
    (void)fail(Status::format(ErrorCode::OutOfMemory,
                              "%s: rank %lld has no memory for a list of blocks",
                              name_, number(rank_)));
  if (failure_)
    return shape;
  Region region = shape.at(allocateElements(shape.spanElements()));
  if (isRecording() && !failure_)
    record([&] { attach(region); });
  return region;
}

Region CallBase::named(const char *name, Region temporary) {
  if (isRecording() && !failure_)
    recorder_->name(temporary, name);
  return temporary;
}

Region CallBase::temporary(Index count, Index n) {
  return allocateFor(Region::uniform(nullptr, shape_.extentBytes, count, n),
                     [&](Region &region) { recorder_->attachTemporary(region, count, n); });
}

Region CallBase::temporaryBetween(Index count, const Index *offsets) {
  return allocateFor(Region::uneven(nullptr, shape_.extentBytes, count, offsets),
                     [&](Region &region) { recorder_->attachTemporaryOf(region, count, offsets); });
}

Region CallBase::temporaryLike(const Region &like) {
  return allocateFor(like.shape(),
                     [&](Region &region) { recorder_->attachTemporaryLike(region, like); });
}

Region CallBase::temporaryBlocks(const Region &like, Index count) {
  return allocateFor(Region::uniform(nullptr, shape_.extentBytes, count, like.longest()),
                     [&](Region &region) { recorder_->attachTemporaryBlocks(region, like, count); });
}

Region CallBase::copyOf(const Region &region) {
  Region result = temporaryLike(region);
  copy(result, region);
  return result;
}
