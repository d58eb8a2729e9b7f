//===- CallChecks.cpp - What a call requires of its arguments ------------===//

#include "CallParts.h"

using namespace quadrille;
using namespace quadrille::detail;

/// Whether the size of so many elements, in bytes, fits into an Index: else no buffer
/// can hold them.
static bool fitsIntoMemory(Index elements, const ElementShape &shape) {
  Index bytes = 0;
  return multiply(elements, maximum(absolute(shape.extentBytes), shape.trueExtentBytes), bytes);
}

/// Whether no elements can lie at the address: it is in the first page, which no system hands out, or too near to the end of the
/// address space. MPI_IN_PLACE is such an address: a small number or the largest one.
static bool isImpossible(const void *data, Index elements, const ElementShape &shape) {
  constexpr std::uintptr_t firstPage = 4096;
  const std::uintptr_t address = reinterpret_cast<std::uintptr_t>(data);
  const std::uintptr_t bytes = static_cast<std::uintptr_t>(elements) *
                               static_cast<std::uintptr_t>(maximum(absolute(shape.extentBytes), shape.trueExtentBytes));
  return elements > 0 && data && (address < firstPage || address > std::numeric_limits<std::uintptr_t>::max() - bytes);
}

Status CallBase::failAtAddress(const char *buffer, const void *data) {
  return fail(Status::format(ErrorCode::BadParameter,
                             "%s: buffer %s is at %p on rank %lld, where no memory can be; "
                             "MPI_IN_PLACE stands for an input of which the output has the place",
                             name_, buffer, data, number(rank_)));
}

const void *CallBase::elementOf(const void *data, Index block, Index length) const {
  Index elements = 0, bytes = 0;
  if (!data || !multiply(block, length, elements) || !multiply(elements, shape_.extentBytes, bytes))
    return data; // too large, which the check of the buffer reports
  return static_cast<const std::byte *>(data) + bytes;
}

Status CallBase::requireSize(bool holds, const char *what) {
  if (holds || failure_)
    return failure_;
  return fail(Status::format(ErrorCode::UnsupportedSize,
                             "%s: requires %s, but p = %lld", name_, what,
                             number(size_)));
}

Status CallBase::requireMap(bool holds, const char *what) {
  if (holds || failure_)
    return failure_;
  return fail(Status::format(ErrorCode::UnsupportedSize,
                             "%s: requires %s, which is not so for the nodes of these ranks", name_, what));
}

Status CallBase::requireBuffer(const char *name, const void *data, Index blocks,
                               std::size_t n) {
  if (failure_)
    return failure_;
  if (recorder_->isNextAsBefore(data, blocks, static_cast<Index>(n))) {
    recorder_->noteAsBefore(name);
    noteLength(static_cast<Index>(n));
    return {};
  }
  Index elements = 0;
  if (blocks < 0 ||
      n > static_cast<std::size_t>(std::numeric_limits<std::ptrdiff_t>::max()) ||
      !multiply(blocks, static_cast<Index>(n), elements) ||
      !fitsIntoMemory(elements, shape_))
    return fail(Status::format(
        ErrorCode::TooLarge,
        "%s: buffer %s of %lld blocks of %zu elements of %lld bytes is larger "
        "than the address space",
        name_, name, number(blocks), n, number(shape_.extentBytes)));
  if (!data && elements > 0)
    return fail(Status::format(
        ErrorCode::NullBuffer,
        "%s: buffer %s is null on rank %lld, but %lld blocks of %zu elements "
        "are expected there",
        name_, name, number(rank_), number(blocks), n));
  if (isImpossible(data, elements, shape_))
    return failAtAddress(name, data);
  noteLength(static_cast<Index>(n));
  noteArgument(name, data, blocks, static_cast<Index>(n), elements);
  return failure_;
}

/// Notes the length of an argument's blocks. The first one is the call's
/// length.
void CallBase::noteLength(Index n) {
  longest_ = maximum(longest_, n);
  if (!hasLength_) {
    lengthOfCall_ = n;
    hasLength_ = true;
  }
}

/// Notes an argument that the plan may use.
void CallBase::noteArgument(const char *name, const void *data, Index blocks, Index n,
                            Index elements) {
  if (recorder_ && !failure_)
    record([&] {
      recorder_->note({const_cast<std::byte *>(static_cast<const std::byte *>(data)), blocks, n,
                       elements, name});
    });
}

Status CallBase::requireLengths(const char *name, const std::size_t *lengths,
                                Index count) {
  if (failure_)
    return failure_;
  if (!lengths && count > 0)
    return fail(Status::format(
        ErrorCode::NullBuffer,
        "%s: %s is null on rank %lld, but %lld lengths are expected there",
        name_, name, number(rank_), number(count)));
  const Index extent =
      maximum(absolute(shape_.extentBytes), maximum(shape_.trueExtentBytes, 1));
  const std::size_t most = static_cast<std::size_t>(
      std::numeric_limits<std::ptrdiff_t>::max() / extent);
  std::size_t sum = 0;
  for (Index i = 0; i < count; ++i) {
    if (lengths[i] > most - sum)
      return fail(Status::format(
          ErrorCode::TooLarge,
          "%s: blocks of the lengths in %s, elements of %lld bytes, are larger "
          "than the address space",
          name_, name, number(shape_.extentBytes)));
    sum += lengths[i];
    longest_ = maximum(longest_, static_cast<Index>(lengths[i]));
  }
  record([&] { recorder_->tables.emplace_back(lengths, count); });
  return failure_;
}

Status CallBase::requireElements(const char *name, const void *data, Index blocks,
                                 Index elements) {
  if (failure_)
    return failure_;
  if (elements < 0 || !fitsIntoMemory(elements, shape_))
    return fail(Status::format(
        ErrorCode::TooLarge,
        "%s: buffer %s of elements of %lld bytes is larger than the address "
        "space",
        name_, name, number(shape_.extentBytes)));
  if (!data && elements > 0)
    return fail(Status::format(
        ErrorCode::NullBuffer,
        "%s: buffer %s is null on rank %lld, but %lld elements are expected "
        "there",
        name_, name, number(rank_), number(elements)));
  if (isImpossible(data, elements, shape_))
    return failAtAddress(name, data);
  noteArgument(name, data, blocks, -1, elements);
  return failure_;
}

void CallBase::failTooLong() {
  (void)fail(Status::format(
      ErrorCode::TooLarge,
      "%s: blocks of rank %lld together are larger than the address space",
      name_, number(rank_)));
}

Status CallBase::requireCommutative() {
  if ((hasOperator_ && commutative_) || failure_)
    return failure_;
  return fail(Status::format(
      ErrorCode::NotCommutative,
      "%s: requires a commutative operator, but %s", name_,
      hasOperator_ ? "the operator is not commutative" : "none was given"));
}

Status CallBase::requireMemory(const void *memory) {
  return memory || failure_ ? failure_ : fail(outOfMemory());
}

Status CallBase::requireRoot(Index root) {
  if ((0 <= root && root < size_) || failure_)
    return failure_;
  return fail(Status::format(ErrorCode::BadRoot,
                             "%s: root %lld is not a rank in 0 ..< %lld", name_,
                             number(root), number(size_)));
}

Status CallBase::requireParameter(const char *name, Index value, bool holds,
                                  const char *what) {
  if (holds || failure_)
    return failure_;
  return fail(Status::format(ErrorCode::BadParameter,
                             "%s: requires %s, but %s = %lld", name_, what, name,
                             number(value)));
}

void CallBase::synchronizes() {
  if (recorder_)
    recorder_->keepOrder();
}
