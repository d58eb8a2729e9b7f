//===- Elements.cpp - Elements copied, packed and combined by MPI ---------===//

#include "Execution.h"

#include "../common/Transfer.h"
#include "../plan/Moves.h"

#include <algorithm>
#include <cstring>

using namespace quadrille;
using namespace quadrille::mpi;
using namespace quadrille::mpi::detail;

void ElementOperations::copy(std::byte *dst, const std::byte *src, Index elements) {
  const quadrille::detail::ElementShape &shape = type_.shape();
  if (shape.dense) {
    quadrille::detail::copyBytes(dst, src, static_cast<std::size_t>(elements * shape.extentBytes));
    return;
  }
  // The gaps of a type must not be written. MPI copies such elements by a
  // message to the rank itself.
  const int tag = state_->localTag();
  const int self = static_cast<int>(rank_);
  for (Index done = 0; done < elements && !failure_;) {
    const int now = static_cast<int>(std::min(elements - done, largestCount));
    const Index offset = done * shape.extentBytes;
    error_ = MPI_Sendrecv(src + offset, now, type_.handle(), self, tag, dst + offset, now,
                          type_.handle(), self, tag, state_->comm, MPI_STATUS_IGNORE);
    if (error_ != MPI_SUCCESS)
      failure_ = "a local copy";
    done += now;
  }
}

/// inout := in <> inout, by MPI_Reduce_local.
void ElementOperations::apply(const std::byte *in, std::byte *inout, Index count) {
  for (Index done = 0; done < count && !failure_;) {
    const int now = static_cast<int>(std::min(count - done, largestCount));
    const Index offset = done * elementBytes();
    error_ = MPI_Reduce_local(in + offset, inout + offset, now, type_.handle(), op_.handle());
    if (error_ != MPI_SUCCESS)
      failure_ = "MPI_Reduce_local";
    done += now;
  }
}

/// Calls part(first, count) for parts of some elements that MPI can count.
template <class Part> void ElementOperations::inParts(Index elements, const char *what, Part part) {
  const Index most = std::max<Index>(1, largestCount / std::max<Index>(1, type_.sizeBytes()));
  if (type_.sizeBytes() > largestCount) {
    failure_ = what;
    error_ = MPI_ERR_COUNT;
  }
  for (Index done = 0; done < elements && !failure_;) {
    const Index now = std::min(elements - done, most);
    error_ = part(done, static_cast<int>(now));
    if (error_ != MPI_SUCCESS)
      failure_ = what;
    done += now;
  }
}

void ElementOperations::pack(std::byte *bytes, const std::byte *src, Index elements) {
  if (type_.isPlain()) {
    std::memcpy(bytes, src, static_cast<std::size_t>(elements * type_.sizeBytes()));
    return;
  }
  inParts(elements, "MPI_Pack", [&](Index first, int count) {
    int position = 0;
    const int room = count * static_cast<int>(type_.sizeBytes());
    return MPI_Pack(src + first * elementBytes(), count, type_.handle(), bytes + first * type_.sizeBytes(), room,
                    &position, state_->comm);
  });
}

void ElementOperations::unpack(std::byte *dst, const std::byte *bytes, Index elements) {
  if (type_.isPlain()) {
    std::memcpy(dst, bytes, static_cast<std::size_t>(elements * type_.sizeBytes()));
    return;
  }
  inParts(elements, "MPI_Unpack", [&](Index first, int count) {
    int position = 0;
    const int room = count * static_cast<int>(type_.sizeBytes());
    return MPI_Unpack(bytes + first * type_.sizeBytes(), room, &position, dst + first * elementBytes(), count,
                      type_.handle(), state_->comm);
  });
}

std::byte *ElementOperations::allocate(Index elements) {
  // The memory has to cover the elements from their lowest byte to their highest.
  const quadrille::detail::ElementShape &shape = type_.shape();
  const Index span = (elements - 1) * std::abs(shape.extentBytes);
  void *const memory = arena_->allocate(static_cast<std::size_t>(span + shape.trueExtentBytes));
  if (!memory) {
    failure_ = "memory to combine";
    error_ = MPI_ERR_NO_MEM;
    return nullptr;
  }
  const Index below = shape.lowerBoundBytes - (shape.extentBytes < 0 ? span : 0);
  return reinterpret_cast<std::byte *>(reinterpret_cast<std::uintptr_t>(memory) -
                                       static_cast<std::uintptr_t>(below));
}

void ElementOperations::combineByMpi(std::byte *dst, const std::byte *a, const std::byte *b,
                                     Index elements) {
  const quadrille::detail::Arena::Mark mark = arena_->mark();
  quadrille::detail::combineInTwoAddresses(
      dst, a, b, elements, elementBytes(), op_.isCommutative(),
      [this](std::byte *to, const std::byte *from, Index count) { copy(to, from, count); },
      [this](const std::byte *in, std::byte *inout, Index count) { apply(in, inout, count); },
      [this](Index count) { return allocate(count); });
  arena_->rewind(mark);
}
