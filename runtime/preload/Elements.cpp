//===- Elements.cpp - Elements of the program as bytes --------------------===//

#include "Elements.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>

using namespace quadrille;
using namespace quadrille::preload;

Bytes::Bytes(Scratch &scratch, MPI_Comm comm, const void *elements, std::size_t count, const mpi::Datatype &type, bool isApart)
    : elements_(static_cast<std::byte *>(const_cast<void *>(elements))), count_(count),
      size_(static_cast<std::size_t>(type.sizeBytes())), type_(type), comm_(comm), isDirect_(type.isPlain() && !isApart),
      data_(isDirect_ ? elements_ : scratch.get(count * size_)) {}

/// The address of an element; the buffer may be MPI_BOTTOM.
static std::byte *at(std::byte *elements, std::ptrdiff_t element, const mpi::Datatype &type) {
  return reinterpret_cast<std::byte *>(reinterpret_cast<std::uintptr_t>(elements) +
                                       static_cast<std::uintptr_t>(element * type.shape().extentBytes));
}

static Status failed(const char *what, int error) {
  return Status::format(ErrorCode::Transport, "%s failed with error %d", what, error);
}

/// Calls part(done, n) for parts of `count` elements, each so small that MPI can count its bytes.
template <class Part> static int inParts(std::size_t count, std::size_t size, Part part) {
  const std::size_t most = std::max<std::size_t>(1, static_cast<std::size_t>(std::numeric_limits<int>::max()) / std::max<std::size_t>(size, 1));
  for (std::size_t done = 0; done < count;) {
    const std::size_t n = std::min(most, count - done);
    if (const int error = part(done, static_cast<int>(n)))
      return error;
    done += n;
  }
  return MPI_SUCCESS;
}

/// Calls move(address, count, type) for `n` elements. MPI_Pack and MPI_Unpack of MPICH 4.0 refuse MPI_BOTTOM, so elements there are
/// described as seen from another address.
template <class Move> static int moveFrom(std::byte *elements, int n, MPI_Datatype type, Move move) {
  if (elements)
    return move(elements, n, type);
  MPI_Aint here = 0;
  int error = PMPI_Get_address(&here, &here);
  const MPI_Aint bottom = -here;
  MPI_Datatype seen = MPI_DATATYPE_NULL;
  if (!error)
    error = PMPI_Type_create_hindexed(1, &n, &bottom, type, &seen);
  if (error)
    return error;
  error = PMPI_Type_commit(&seen);
  if (!error)
    error = move(reinterpret_cast<std::byte *>(&here), 1, seen);
  PMPI_Type_free(&seen);
  return error;
}

Status Bytes::packTo(std::size_t place, std::ptrdiff_t element, std::size_t count) {
  if (type_.isPlain()) {
    std::memmove(data_ + place * size_, at(elements_, element, type_), count * size_);
    return {};
  }
  const int error = inParts(count, size_, [&](std::size_t done, int n) {
    return moveFrom(at(elements_, element + static_cast<std::ptrdiff_t>(done), type_), n, type_.handle(),
                    [&](const std::byte *from, int m, MPI_Datatype type) {
                      int position = 0;
                      return PMPI_Pack(from, m, type, data_ + (place + done) * size_, n * static_cast<int>(size_), &position, comm_);
                    });
  });
  return error ? failed("MPI_Pack", error) : Status();
}

Status Bytes::unpackFrom(std::size_t place, std::ptrdiff_t element, std::size_t count) {
  if (type_.isPlain()) {
    std::memmove(at(elements_, element, type_), data_ + place * size_, count * size_);
    return {};
  }
  const int error = inParts(count, size_, [&](std::size_t done, int n) {
    return moveFrom(at(elements_, element + static_cast<std::ptrdiff_t>(done), type_), n, type_.handle(),
                    [&](std::byte *to, int m, MPI_Datatype type) {
                      int position = 0;
                      return PMPI_Unpack(data_ + (place + done) * size_, n * static_cast<int>(size_), &position, to, m, type, comm_);
                    });
  });
  return error ? failed("MPI_Unpack", error) : Status();
}

// ---- blocks with places of their own -----------------------------------------

std::size_t Blocks::sum(const std::vector<std::size_t> &counts) {
  std::size_t result = 0;
  for (const std::size_t count : counts)
    result += count;
  return result;
}

template <class Move> Status Blocks::forEach(int except, Move move) {
  if (data_.isDirect())
    return {};
  std::size_t at = 0;
  for (std::size_t i = 0; i < table_.counts.size(); ++i) {
    if (static_cast<int>(i) != except && table_.counts[i] > 0)
      if (Status bad = move(at, table_.places[i], table_.counts[i]))
        return bad;
    at += table_.counts[i];
  }
  return {};
}

Status Blocks::pack(int except) {
  return forEach(except, [&](std::size_t at, std::ptrdiff_t place, std::size_t count) { return data_.packTo(at, place, count); });
}
Status Blocks::unpack(int except) {
  return forEach(except, [&](std::size_t at, std::ptrdiff_t place, std::size_t count) { return data_.unpackFrom(at, place, count); });
}
Status Blocks::packOnly(int block) {
  std::size_t at = 0;
  for (int i = 0; i < block; ++i)
    at += table_.counts[static_cast<std::size_t>(i)];
  const std::size_t own = static_cast<std::size_t>(block);
  return data_.isDirect() ? Status() : data_.packTo(at, table_.places[own], table_.counts[own]);
}
