//===- Collectives.h - Each collective of MPI, by a schedule ----*- C++ -*-===//
//
// The arguments are those of MPI's function, with counts of any type; `mpi` has the MPI
// library carry out the same call. For C and for Fortran.
//
//===----------------------------------------------------------------------===//

#ifndef QUADRILLE_RUNTIME_PRELOAD_COLLECTIVES_H
#define QUADRILLE_RUNTIME_PRELOAD_COLLECTIVES_H

#include "Taking.h"

namespace quadrille {
namespace preload {

/// Whether MPI accepts a buffer with so many elements. The null address is MPI_BOTTOM in some
/// libraries, for datatypes that have addresses in them.
inline bool isBuffer(const void *buffer, std::int64_t count, const mpi::Datatype &type) {
  return count >= 0 && !type.isNull() && buffer != MPI_IN_PLACE && (count == 0 || buffer || !type.isPlain());
}

/// Whether MPI refuses the same memory as input and output, other than by MPI_IN_PLACE.
inline bool isRefusedAlias(const void *x, const void *y) {
#ifdef MPICH_VERSION
  return x == y && x;
#else
  (void)x, (void)y;
  return false;
#endif
}

/// The data of `count` elements in bytes; 0 also if there is no such number.
inline std::uint64_t bytesOf(std::int64_t count, const mpi::Datatype &type) {
  std::uint64_t bytes = 0;
  if (count <= 0 || type.isNull() ||
      __builtin_mul_overflow(static_cast<std::uint64_t>(count), static_cast<std::uint64_t>(type.sizeBytes()), &bytes))
    return 0;
  return bytes;
}

/// Whether a reduction has arguments that MPI accepts.
inline bool isReduction(const void *x, const void *y, std::int64_t count, const mpi::Datatype &type, MPI_Op op) {
  return !type.isNull() && isBuffer(y, count, type) && (x == MPI_IN_PLACE || (isBuffer(x, count, type) && !isRefusedAlias(x, y))) &&
         op != MPI_OP_NULL && isDefined(op, type.handle());
}

template <class Mpi> int barrier(MPI_Comm comm, Mpi mpi) {
  const Taking<Mpi> call(Function::Barrier, comm, mpi);
  if (!call)
    return call.byMpi();
  return call.carryOut(0, [](Collectives &library) { return library.barrier(); });
}

template <class Count, class Mpi> int bcast(void *buffer, Count count, MPI_Datatype type, int root, MPI_Comm comm, Mpi mpi) {
  const Taking<Mpi> call(Function::Bcast, comm, mpi);
  const mpi::Datatype elements(type);
  const std::uint64_t bytes = bytesOf(count, elements);
  if (!call || bytes == 0 || !call.own().has(root) || !isBuffer(buffer, count, elements))
    return call.byMpi(bytes);
  return call.carryOut(bytes, [&](Collectives &library) -> Status {
    OwnComm &own = call.own();
    Bytes data(own.sent, own.library(), buffer, static_cast<std::size_t>(count), elements);
    if (own.rank() != root) {
      const Status bad = library.broadcast(root, nullptr, data.data(), bytes, MPI_BYTE);
      return bad ? bad : data.unpack();
    }
    const Status bad = data.pack();
    return bad ? bad : library.broadcast(root, data.data(), data.data(), bytes, MPI_BYTE);
  });
}

// ---- reductions: all ranks pass the same count and type ------------------------

template <class Count, class Mpi>
int reduce(const void *x, void *y, Count count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm, Mpi mpi) {
  const Taking<Mpi> call(Function::Reduce, comm, mpi);
  const mpi::Datatype elements(type);
  const std::uint64_t bytes = bytesOf(count, elements);
  if (!call || bytes == 0 || !call.own().has(root))
    return call.byMpi(bytes);
  const bool isRoot = call.own().rank() == root;
  if (isRoot ? !isReduction(x, y, count, elements, op)
             : !isBuffer(x, count, elements) || op == MPI_OP_NULL || !isDefined(op, type))
    return call.byMpi(bytes);
  return call.carryOut(bytes, [&](Collectives &library) {
    return library.reduce(root, x, isRoot ? y : nullptr, static_cast<std::size_t>(count), elements, op);
  });
}

/// Allreduce, Scan and Exscan: `run` is the collective of the library.
template <class Count, class Mpi, class Run>
int reduceToAll(Function function, const void *x, void *y, Count count, MPI_Datatype type, MPI_Op op, MPI_Comm comm, Mpi mpi, Run run) {
  const Taking<Mpi> call(function, comm, mpi);
  const mpi::Datatype elements(type);
  const std::uint64_t bytes = bytesOf(count, elements);
  if (!call || bytes == 0)
    return call.byMpi(bytes);
  // Rank 0 gets nothing from an Exscan, and may have no buffer for it.
  const bool hasResult = function != Function::Exscan || call.own().rank() > 0 || x == MPI_IN_PLACE;
  if (!isReduction(x, hasResult ? y : nullptr, hasResult ? count : 0, elements, op) || (x != MPI_IN_PLACE && !isBuffer(x, count, elements)))
    return call.byMpi(bytes);
  return call.carryOut(bytes, [&](Collectives &library) {
    return (library.*run)(x, y, static_cast<std::size_t>(count), elements, op);
  });
}

template <class Count, class Mpi>
int allreduce(const void *x, void *y, Count count, MPI_Datatype type, MPI_Op op, MPI_Comm comm, Mpi mpi) {
  return reduceToAll(Function::Allreduce, x, y, count, type, op, comm, mpi, &Collectives::allreduce);
}
template <class Count, class Mpi> int scan(const void *x, void *y, Count count, MPI_Datatype type, MPI_Op op, MPI_Comm comm, Mpi mpi) {
  return reduceToAll(Function::Scan, x, y, count, type, op, comm, mpi, &Collectives::scan);
}
template <class Count, class Mpi> int exscan(const void *x, void *y, Count count, MPI_Datatype type, MPI_Op op, MPI_Comm comm, Mpi mpi) {
  return reduceToAll(Function::Exscan, x, y, count, type, op, comm, mpi, &Collectives::exscan);
}
template <class Count, class Mpi>
int reduceScatterBlock(const void *x, void *y, Count count, MPI_Datatype type, MPI_Op op, MPI_Comm comm, Mpi mpi) {
  return reduceToAll(Function::ReduceScatterBlock, x, y, count, type, op, comm, mpi, &Collectives::reduceScatter);
}

/// The lengths of all blocks, each times `bytesOfElement`; null if one is negative. `sum`: of all.
template <class Count>
const std::size_t *lengthsOf(OwnComm &own, const Count *counts, std::size_t bytesOfElement, std::uint64_t &sum) {
  const std::size_t p = static_cast<std::size_t>(own.size());
  if (!own.lengths)
    own.lengths.reset(new std::size_t[p]);
  sum = 0;
  for (std::size_t i = 0; i < p; ++i) {
    if (counts[i] < 0)
      return nullptr;
    own.lengths[i] = static_cast<std::size_t>(counts[i]) * bytesOfElement;
    sum += own.lengths[i];
  }
  return own.lengths.get();
}

template <class Count, class Mpi>
int reduceScatter(const void *x, void *y, const Count *counts, MPI_Datatype type, MPI_Op op, MPI_Comm comm, Mpi mpi) {
  const Taking<Mpi> call(Function::ReduceScatter, comm, mpi);
  const mpi::Datatype elements(type);
  if (!call || !counts || elements.isNull())
    return call.byMpi();
  std::uint64_t sum = 0;
  const std::size_t *const lengths = lengthsOf(call.own(), counts, 1, sum);
  const std::uint64_t bytes = sum / static_cast<std::uint64_t>(call.own().size()) * static_cast<std::uint64_t>(elements.sizeBytes());
  const std::int64_t own = lengths ? counts[call.own().rank()] : -1;
  // A rank that gets nothing may have no buffer for it, but puts in as much as all others.
  if (!lengths || sum == 0 || elements.sizeBytes() == 0 || op == MPI_OP_NULL || !isDefined(op, type) ||
      !isBuffer(y, x == MPI_IN_PLACE ? static_cast<std::int64_t>(sum) : own, elements) ||
      (x != MPI_IN_PLACE && (!isBuffer(x, static_cast<std::int64_t>(sum), elements) || isRefusedAlias(x, y))))
    return call.byMpi(bytes);
  return call.carryOut(bytes, [&](Collectives &library) { return library.reduceScatterv(lengths, x, y, elements, op); });
}

// ---- data that are moved -------------------------------------------------------

/// A block of this rank, or MPI_IN_PLACE, for the schedule. Throws std::bad_alloc.
class OwnBlock {
public:
  OwnBlock(OwnComm &own, const void *buffer, std::int64_t count, const mpi::Datatype &type)
      : isInPlace_(buffer == MPI_IN_PLACE) {
    if (!isInPlace_)
      bytes_.emplace(own.sent, own.library(), buffer, static_cast<std::size_t>(count), type);
  }
  Status pack() { return isInPlace_ ? Status() : bytes_->pack(); }
  Status unpack() { return isInPlace_ ? Status() : bytes_->unpack(); }
  void *data() { return isInPlace_ ? MPI_IN_PLACE : bytes_->data(); }

private:
  bool isInPlace_;
  std::optional<Bytes> bytes_;
};

template <class Count, class Mpi>
int allgather(const void *x, Count sendCount, MPI_Datatype sendType, void *y, Count count, MPI_Datatype type, MPI_Comm comm, Mpi mpi) {
  const Taking<Mpi> call(Function::Allgather, comm, mpi);
  const mpi::Datatype elements(type), sent(x == MPI_IN_PLACE ? type : sendType);
  const std::uint64_t bytes = bytesOf(count, elements);
  if (!call || bytes == 0 || !isBuffer(y, count, elements) ||
      (x != MPI_IN_PLACE && (!isBuffer(x, sendCount, sent) || isRefusedAlias(x, y))))
    return call.byMpi(bytes);
  return call.carryOut(bytes, [&](Collectives &library) -> Status {
    OwnComm &own = call.own();
    const std::size_t n = static_cast<std::size_t>(count), mine = static_cast<std::size_t>(own.rank()) * n;
    OwnBlock put(own, x, sendCount, sent);
    Bytes got(own.received, own.library(), y, n * static_cast<std::size_t>(own.size()), elements);
    Status bad = put.pack();
    if (!bad && x == MPI_IN_PLACE && !got.isDirect())
      bad = got.packTo(mine, static_cast<std::ptrdiff_t>(mine), n);
    if (!bad)
      bad = library.allgather(put.data(), got.data(), bytes, MPI_BYTE);
    return bad ? bad : got.unpack();
  });
}

template <class Count, class Offset, class Mpi>
int allgatherv(const void *x, Count sendCount, MPI_Datatype sendType, void *y, const Count *counts, const Offset *offsets, MPI_Datatype type,
               MPI_Comm comm, Mpi mpi) {
  const Taking<Mpi> call(Function::Allgatherv, comm, mpi);
  const mpi::Datatype elements(type), sent(x == MPI_IN_PLACE ? type : sendType);
  if (!call || !counts || !offsets || elements.isNull() || elements.sizeBytes() == 0)
    return call.byMpi();
  OwnComm &own = call.own();
  const std::size_t p = static_cast<std::size_t>(own.size()), size = static_cast<std::size_t>(elements.sizeBytes());
  std::uint64_t sum = 0;
  const std::size_t *const lengths = lengthsOf(own, counts, size, sum);
  if (!lengths || sum == 0 || !isBuffer(y, static_cast<std::int64_t>(sum), elements) ||
      (x != MPI_IN_PLACE && !isBuffer(x, sendCount, sent)))
    return call.byMpi(sum / p);
  return call.carryOut(sum / p, [&](Collectives &library) -> Status {
    // Where the blocks lie is this rank's business.
    bool isApart = false;
    std::int64_t end = 0;
    for (std::size_t i = 0; i < p; ++i) {
      isApart |= counts[i] > 0 && offsets[i] != end;
      end += counts[i];
    }
    OwnBlock put(own, x, sendCount, sent);
    Bytes got(own.received, own.library(), y, static_cast<std::size_t>(end), elements, isApart);
    Status bad = put.pack();
    std::size_t at = 0;
    if (!got.isDirect() && x == MPI_IN_PLACE) {
      for (int i = 0; i < own.rank(); ++i)
        at += static_cast<std::size_t>(counts[i]);
      if (!bad)
        bad = got.packTo(at, static_cast<std::ptrdiff_t>(offsets[own.rank()]), static_cast<std::size_t>(counts[own.rank()]));
    }
    if (!bad)
      bad = library.allgatherv(lengths, put.data(), got.data(), MPI_BYTE);
    at = 0;
    for (std::size_t i = 0; i < p && !got.isDirect(); ++i) {
      if (!bad)
        bad = got.unpackFrom(at, static_cast<std::ptrdiff_t>(offsets[i]), static_cast<std::size_t>(counts[i]));
      at += static_cast<std::size_t>(counts[i]);
    }
    return bad;
  });
}

template <class Count, class Mpi>
int alltoall(const void *x, Count sendCount, MPI_Datatype sendType, void *y, Count count, MPI_Datatype type, MPI_Comm comm, Mpi mpi) {
  const Taking<Mpi> call(Function::Alltoall, comm, mpi);
  const mpi::Datatype elements(type), sent(x == MPI_IN_PLACE ? type : sendType);
  const std::uint64_t bytes = bytesOf(count, elements);
  if (!call || bytes == 0 || !isBuffer(y, count, elements) ||
      (x != MPI_IN_PLACE && (!isBuffer(x, sendCount, sent) || isRefusedAlias(x, y))))
    return call.byMpi(bytes);
  return call.carryOut(bytes, [&](Collectives &library) -> Status {
    OwnComm &own = call.own();
    const std::size_t p = static_cast<std::size_t>(own.size());
    OwnBlock put(own, x, sendCount * static_cast<std::int64_t>(p), sent);
    Bytes got(own.received, own.library(), y, static_cast<std::size_t>(count) * p, elements);
    Status bad = x == MPI_IN_PLACE ? got.pack() : put.pack();
    if (!bad)
      bad = library.alltoall(put.data(), got.data(), bytes, MPI_BYTE);
    return bad ? bad : got.unpack();
  });
}

template <class Count, class Mpi>
int gather(const void *x, Count sendCount, MPI_Datatype sendType, void *y, Count count, MPI_Datatype type, int root, MPI_Comm comm, Mpi mpi) {
  const Taking<Mpi> call(Function::Gather, comm, mpi);
  if (!call || !call.own().has(root))
    return call.byMpi();
  OwnComm &own = call.own();
  const bool isRoot = own.rank() == root;
  // The root knows what it receives, the others what they send.
  const mpi::Datatype elements(isRoot ? type : sendType), sent(x == MPI_IN_PLACE ? type : sendType);
  const std::uint64_t bytes = bytesOf(isRoot ? count : sendCount, elements);
  if (bytes == 0 || (isRoot && !isBuffer(y, count, elements)) ||
      ((!isRoot || x != MPI_IN_PLACE) && !isBuffer(x, sendCount, sent)) || (isRoot && isRefusedAlias(x, y)))
    return call.byMpi(bytes);
  return call.carryOut(bytes, [&](Collectives &library) -> Status {
    OwnBlock put(own, x, sendCount, sent);
    Status bad = put.pack();
    if (bad || !isRoot)
      return bad ? bad : library.gather(root, put.data(), nullptr, bytes, MPI_BYTE);
    const std::size_t n = static_cast<std::size_t>(count), mine = static_cast<std::size_t>(root) * n;
    Bytes got(own.received, own.library(), y, n * static_cast<std::size_t>(own.size()), elements);
    bad = library.gather(root, put.data(), got.data(), bytes, MPI_BYTE);
    // In place the root's block stays where it was: it is not packed, and not unpacked.
    if (bad || x != MPI_IN_PLACE || got.isDirect())
      return bad ? bad : got.unpack();
    bad = got.unpackFrom(0, 0, mine);
    return bad ? bad : got.unpackFrom(mine + n, static_cast<std::ptrdiff_t>(mine + n), n * static_cast<std::size_t>(own.size()) - mine - n);
  });
}

template <class Count, class Mpi>
int scatter(const void *x, Count count, MPI_Datatype type, void *y, Count recvCount, MPI_Datatype recvType, int root, MPI_Comm comm, Mpi mpi) {
  const Taking<Mpi> call(Function::Scatter, comm, mpi);
  if (!call || !call.own().has(root))
    return call.byMpi();
  OwnComm &own = call.own();
  const bool isRoot = own.rank() == root;
  const mpi::Datatype elements(isRoot ? type : recvType), received(y == MPI_IN_PLACE ? type : recvType);
  const std::uint64_t bytes = bytesOf(isRoot ? count : recvCount, elements);
  if (bytes == 0 || (isRoot && !isBuffer(x, count, elements)) ||
      ((!isRoot || y != MPI_IN_PLACE) && !isBuffer(y, recvCount, received)) || (isRoot && isRefusedAlias(x, y)))
    return call.byMpi(bytes);
  return call.carryOut(bytes, [&](Collectives &library) -> Status {
    OwnBlock got(own, y, recvCount, received);
    if (!isRoot) {
      const Status bad = library.scatter(root, nullptr, got.data(), bytes, MPI_BYTE);
      return bad ? bad : got.unpack();
    }
    Bytes put(own.received, own.library(), x, static_cast<std::size_t>(count) * static_cast<std::size_t>(own.size()), elements);
    Status bad = put.pack();
    if (!bad)
      bad = library.scatter(root, put.data(), got.data(), bytes, MPI_BYTE);
    return bad ? bad : got.unpack();
  });
}

} // namespace preload
} // namespace quadrille

#endif // QUADRILLE_RUNTIME_PRELOAD_COLLECTIVES_H
