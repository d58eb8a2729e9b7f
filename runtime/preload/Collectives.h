//===- Collectives.h - Each collective of MPI, by a schedule ----*- C++ -*-===//
//
// The functions take the arguments of MPI's function, with counts of any type, and `mpi`,
// which has the MPI library carry out the same call. C and Fortran use the same functions.
//
//===----------------------------------------------------------------------===//

#ifndef QUADRILLE_RUNTIME_PRELOAD_COLLECTIVES_H
#define QUADRILLE_RUNTIME_PRELOAD_COLLECTIVES_H

#include "Predefined.h"
#include "Taking.h"
#include "Works.h"

namespace quadrille {
namespace preload {

/// Whether MPI accepts a buffer with so many elements. The null address is MPI_BOTTOM in some
/// libraries, for datatypes that have addresses in them.
[[gnu::always_inline]] inline bool isBuffer(const void *buffer, std::int64_t count, const mpi::Datatype &type) {
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

/// The number of bytes of the data of `count` elements; 0 also if it does not fit into 64 bits.
[[gnu::always_inline]] inline std::uint64_t bytesOf(std::int64_t count, const mpi::Datatype &type) {
  std::uint64_t bytes = 0;
  if (count <= 0 || type.isNull() ||
      __builtin_mul_overflow(static_cast<std::uint64_t>(count), static_cast<std::uint64_t>(type.sizeBytes()), &bytes))
    return 0;
  return bytes;
}

/// Whether a reduction has arguments that MPI accepts.
[[gnu::always_inline]] inline bool isReduction(const void *x, const void *y, std::int64_t count, const PassedType &type, const PassedOp &op) {
  return !type->isNull() && isBuffer(y, count, *type) && (x == MPI_IN_PLACE || (isBuffer(x, count, *type) && !isRefusedAlias(x, y))) &&
         op.isDefinedFor(type);
}

/// Whether schedules can use a buffer as it is: elements lie in it as in a message, or it is MPI_IN_PLACE.
inline bool isDirect(const void *buffer, const mpi::Datatype &type) { return buffer == MPI_IN_PLACE || type.isPlain(); }

/// The elements of all blocks; nothing if a count is negative.
template <class Count> std::optional<std::uint64_t> sumOf(const Count *counts, int p) {
  std::uint64_t sum = 0;
  for (int i = 0; i < p; ++i) {
    if (counts[i] < 0)
      return std::nullopt;
    sum += static_cast<std::uint64_t>(counts[i]);
  }
  return sum;
}

template <class Mpi> int barrier(MPI_Comm comm, Mpi mpi) {
  const Taking<Mpi> call(Function::Barrier, comm, mpi);
  if (!call)
    return call.byMpi();
  if constexpr (Taking<Mpi>::mayBeDirect)
    return call.carryOutDirectly(0, [](Collectives &library) { return library.barrier(); });
  else
    return call.carryOut(0, [](Memory &) { return BarrierWork(); });
}

template <class Count, class Mpi> int bcast(void *buffer, Count count, MPI_Datatype type, int root, MPI_Comm comm, Mpi mpi) {
  const Taking<Mpi> call(Function::Bcast, comm, mpi);
  const PassedType elements(type);
  const std::uint64_t bytes = bytesOf(count, *elements);
  if (!call || bytes == 0 || !call.own().has(root) || !isBuffer(buffer, count, *elements))
    return call.byMpi(bytes);
  OwnComm &own = call.own();
  const bool isRoot = own.rank() == root;
  if constexpr (Taking<Mpi>::mayBeDirect)
    if (elements->isPlain()) [[likely]]
      return call.carryOutDirectly(
          bytes, [=](Collectives &library) { return library.broadcast(root, isRoot ? buffer : nullptr, buffer, bytes, byteType()); });
  return call.carryOut(bytes, [&](Memory &memory) {
    return BroadcastWork{root, isRoot, bytes, Bytes(memory.sent, own.library(), buffer, static_cast<std::size_t>(count), *elements)};
  }, {type});
}

// ---- reductions: all ranks pass the same count and type ------------------------

template <class Count, class Mpi>
int reduce(const void *x, void *y, Count count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm, Mpi mpi) {
  const Taking<Mpi> call(Function::Reduce, comm, mpi);
  const PassedType elements(type);
  const std::uint64_t bytes = bytesOf(count, *elements);
  if (!call || bytes == 0 || !call.own().has(root))
    return call.byMpi(bytes);
  const bool isRoot = call.own().rank() == root;
  PassedOp combine(op);
  if (isRoot ? !isReduction(x, y, count, elements, combine) : !isBuffer(x, count, *elements) || !combine.isDefinedFor(elements))
    return call.byMpi(bytes);
  void *const result = isRoot ? y : nullptr;
  const std::size_t n = static_cast<std::size_t>(count);
  if constexpr (Taking<Mpi>::mayBeDirect)
    return call.carryOutDirectly(
        bytes, [&](Collectives &library) { return library.reduce(root, x, result, n, *elements, combine.get()); }, {type}, op);
  else
    return call.carryOut(bytes, [&](Memory &) { return ReduceWork{root, x, result, n, *elements, op}; }, {type}, op);
}

/// Allreduce, Scan, Exscan and Reduce_scatter_block: `run` is the collective of the library.
template <Function function, auto run, class Count, class Mpi>
int reduceToAll(const void *x, void *y, Count count, MPI_Datatype type, MPI_Op op, MPI_Comm comm, Mpi mpi) {
  const Taking<Mpi> call(function, comm, mpi);
  const PassedType elements(type);
  const std::uint64_t bytes = bytesOf(count, *elements);
  if (!call || bytes == 0)
    return call.byMpi(bytes);
  PassedOp combine(op);
  // Rank 0 gets nothing from an Exscan, and may have no buffer for it.
  const bool hasResult = function != Function::Exscan || call.own().rank() > 0 || x == MPI_IN_PLACE;
  if (!isReduction(x, hasResult ? y : nullptr, hasResult ? count : 0, elements, combine) || (x != MPI_IN_PLACE && !isBuffer(x, count, *elements)))
    return call.byMpi(bytes);
  const std::size_t n = static_cast<std::size_t>(count);
  if constexpr (Taking<Mpi>::mayBeDirect)
    return call.carryOutDirectly(bytes, [&](Collectives &library) { return (library.*run)(x, y, n, *elements, combine.get()); }, {type}, op);
  else
    return call.carryOut(bytes, [&](Memory &) { return ReduceToAllWork<run>{x, y, n, *elements, op}; }, {type}, op);
}

template <class Count, class Mpi>
int allreduce(const void *x, void *y, Count count, MPI_Datatype type, MPI_Op op, MPI_Comm comm, Mpi mpi) {
  return reduceToAll<Function::Allreduce, &Collectives::allreduce>(x, y, count, type, op, comm, mpi);
}
template <class Count, class Mpi> int scan(const void *x, void *y, Count count, MPI_Datatype type, MPI_Op op, MPI_Comm comm, Mpi mpi) {
  return reduceToAll<Function::Scan, &Collectives::scan>(x, y, count, type, op, comm, mpi);
}
template <class Count, class Mpi> int exscan(const void *x, void *y, Count count, MPI_Datatype type, MPI_Op op, MPI_Comm comm, Mpi mpi) {
  return reduceToAll<Function::Exscan, &Collectives::exscan>(x, y, count, type, op, comm, mpi);
}
template <class Count, class Mpi>
int reduceScatterBlock(const void *x, void *y, Count count, MPI_Datatype type, MPI_Op op, MPI_Comm comm, Mpi mpi) {
  return reduceToAll<Function::ReduceScatterBlock, &Collectives::reduceScatter>(x, y, count, type, op, comm, mpi);
}

template <class Count, class Mpi>
int reduceScatter(const void *x, void *y, const Count *counts, MPI_Datatype type, MPI_Op op, MPI_Comm comm, Mpi mpi) {
  const Taking<Mpi> call(Function::ReduceScatter, comm, mpi);
  const PassedType elements(type);
  if (!call || !counts || elements->isNull())
    return call.byMpi();
  OwnComm &own = call.own();
  const std::optional<std::uint64_t> sum = sumOf(counts, own.size());
  if (!sum || *sum == 0)
    return call.byMpi();
  const std::uint64_t bytes = *sum / static_cast<std::uint64_t>(own.size()) * static_cast<std::uint64_t>(elements->sizeBytes());
  const std::int64_t all = static_cast<std::int64_t>(*sum);
  // A rank that gets nothing may have no buffer for it, but puts in as much as all others.
  if (elements->sizeBytes() == 0 || !PassedOp(op).isDefinedFor(elements) ||
      !isBuffer(y, x == MPI_IN_PLACE ? all : counts[own.rank()], *elements) ||
      (x != MPI_IN_PLACE && (!isBuffer(x, all, *elements) || isRefusedAlias(x, y))))
    return call.byMpi(bytes);
  return call.carryOut(bytes, [&](Memory &memory) { return ReduceScatterWork(own, memory, x, y, counts, *elements, op); }, {type}, op);
}

// ---- data that are moved -------------------------------------------------------

template <class Count, class Mpi>
int allgather(const void *x, Count sendCount, MPI_Datatype sendType, void *y, Count count, MPI_Datatype type, MPI_Comm comm, Mpi mpi) {
  const Taking<Mpi> call(Function::Allgather, comm, mpi);
  const PassedType elements(type), sent(elements, x == MPI_IN_PLACE ? type : sendType);
  const std::uint64_t bytes = bytesOf(count, *elements);
  if (!call || bytes == 0 || !isBuffer(y, count, *elements) ||
      (x != MPI_IN_PLACE && (!isBuffer(x, sendCount, *sent) || isRefusedAlias(x, y))))
    return call.byMpi(bytes);
  if constexpr (Taking<Mpi>::mayBeDirect)
    if (isDirect(x, *sent) && isDirect(y, *elements)) [[likely]]
      return call.carryOutDirectly(bytes, [=](Collectives &library) { return library.allgather(x, y, bytes, byteType()); });
  OwnComm &own = call.own();
  return call.carryOut(bytes, [&](Memory &memory) {
    const std::size_t n = static_cast<std::size_t>(count);
    return AllgatherWork{static_cast<std::size_t>(own.rank()), n, bytes, OwnBlock(memory.sent, own, x, sendCount, *sent),
                         Bytes(memory.received, own.library(), y, n * static_cast<std::size_t>(own.size()), *elements)};
  }, {elements->handle(), sent->handle()});
}

template <class Count, class Offset, class Mpi>
int allgatherv(const void *x, Count sendCount, MPI_Datatype sendType, void *y, const Count *counts, const Offset *offsets, MPI_Datatype type,
               MPI_Comm comm, Mpi mpi) {
  const Taking<Mpi> call(Function::Allgatherv, comm, mpi);
  const PassedType elements(type), sent(elements, x == MPI_IN_PLACE ? type : sendType);
  if (!call || !counts || !offsets || elements->isNull() || elements->sizeBytes() == 0)
    return call.byMpi();
  OwnComm &own = call.own();
  const std::size_t p = static_cast<std::size_t>(own.size());
  const std::optional<std::uint64_t> sum = sumOf(counts, own.size());
  if (!sum || *sum == 0 || !isBuffer(y, static_cast<std::int64_t>(*sum), *elements) || (x != MPI_IN_PLACE && !isBuffer(x, sendCount, *sent)))
    return call.byMpi();
  return call.carryOut(*sum * static_cast<std::uint64_t>(elements->sizeBytes()) / p, [&](Memory &memory) {
    return AllgathervWork{own.rank(), OwnBlock(memory.sent, own, x, sendCount, *sent),
                          Blocks(memory.ofReceived, memory.received, own.library(), y, p, counts, offsets, *elements)};
  }, {elements->handle(), sent->handle()});
}

template <class Count, class Mpi>
int alltoall(const void *x, Count sendCount, MPI_Datatype sendType, void *y, Count count, MPI_Datatype type, MPI_Comm comm, Mpi mpi) {
  const Taking<Mpi> call(Function::Alltoall, comm, mpi);
  const PassedType elements(type), sent(elements, x == MPI_IN_PLACE ? type : sendType);
  const std::uint64_t bytes = bytesOf(count, *elements);
  if (!call || bytes == 0 || !isBuffer(y, count, *elements) ||
      (x != MPI_IN_PLACE && (!isBuffer(x, sendCount, *sent) || isRefusedAlias(x, y))))
    return call.byMpi(bytes);
  if constexpr (Taking<Mpi>::mayBeDirect)
    if (isDirect(x, *sent) && isDirect(y, *elements)) [[likely]]
      return call.carryOutDirectly(bytes, [=](Collectives &library) { return library.alltoall(x, y, bytes, byteType()); });
  OwnComm &own = call.own();
  return call.carryOut(bytes, [&](Memory &memory) {
    const std::size_t p = static_cast<std::size_t>(own.size());
    return AlltoallWork{bytes, OwnBlock(memory.sent, own, x, sendCount * static_cast<std::int64_t>(p), *sent),
                        Bytes(memory.received, own.library(), y, static_cast<std::size_t>(count) * p, *elements)};
  }, {elements->handle(), sent->handle()});
}

template <class Count, class Mpi>
int gather(const void *x, Count sendCount, MPI_Datatype sendType, void *y, Count count, MPI_Datatype type, int root, MPI_Comm comm, Mpi mpi) {
  const Taking<Mpi> call(Function::Gather, comm, mpi);
  if (!call || !call.own().has(root))
    return call.byMpi();
  OwnComm &own = call.own();
  const bool isRoot = own.rank() == root;
  // The root knows what it receives, the others what they send.
  const PassedType elements(isRoot ? type : sendType), sent(elements, x == MPI_IN_PLACE ? type : sendType);
  const std::uint64_t bytes = bytesOf(isRoot ? count : sendCount, *elements);
  if (bytes == 0 || (isRoot && !isBuffer(y, count, *elements)) ||
      ((!isRoot || x != MPI_IN_PLACE) && !isBuffer(x, sendCount, *sent)) || (isRoot && isRefusedAlias(x, y)))
    return call.byMpi(bytes);
  if constexpr (Taking<Mpi>::mayBeDirect)
    if (isDirect(x, *sent) && isDirect(y, *elements)) [[likely]]
      return call.carryOutDirectly(bytes, [=](Collectives &library) { return library.gather(root, x, isRoot ? y : nullptr, bytes, byteType()); });
  return call.carryOut(bytes, [&](Memory &memory) {
    const std::size_t p = static_cast<std::size_t>(own.size()), n = isRoot ? static_cast<std::size_t>(count) : 0;
    GatherWork work{root, p, n, bytes, OwnBlock(memory.sent, own, x, sendCount, *sent), std::nullopt};
    if (isRoot)
      work.received.emplace(memory.received, own.library(), y, n * p, *elements);
    return work;
  }, {elements->handle(), sent->handle()});
}

template <class Count, class Mpi>
int scatter(const void *x, Count count, MPI_Datatype type, void *y, Count recvCount, MPI_Datatype recvType, int root, MPI_Comm comm, Mpi mpi) {
  const Taking<Mpi> call(Function::Scatter, comm, mpi);
  if (!call || !call.own().has(root))
    return call.byMpi();
  OwnComm &own = call.own();
  const bool isRoot = own.rank() == root;
  const PassedType elements(isRoot ? type : recvType), received(elements, y == MPI_IN_PLACE ? type : recvType);
  const std::uint64_t bytes = bytesOf(isRoot ? count : recvCount, *elements);
  if (bytes == 0 || (isRoot && !isBuffer(x, count, *elements)) ||
      ((!isRoot || y != MPI_IN_PLACE) && !isBuffer(y, recvCount, *received)) || (isRoot && isRefusedAlias(x, y)))
    return call.byMpi(bytes);
  if constexpr (Taking<Mpi>::mayBeDirect)
    if (isDirect(x, *elements) && isDirect(y, *received)) [[likely]]
      return call.carryOutDirectly(bytes, [=](Collectives &library) { return library.scatter(root, isRoot ? x : nullptr, y, bytes, byteType()); });
  return call.carryOut(bytes, [&](Memory &memory) {
    ScatterWork work{root, bytes, std::nullopt, OwnBlock(memory.received, own, y, recvCount, *received)};
    if (isRoot)
      work.sent.emplace(memory.sent, own.library(), x, static_cast<std::size_t>(count) * static_cast<std::size_t>(own.size()), *elements);
    return work;
  }, {elements->handle(), received->handle()});
}

// ---- blocks whose lengths only some ranks know ----------------------------------
//
// The library also carries out a call in which this rank has no data, since other ranks do not
// know that.

/// Whether MPI accepts these arguments for `p` blocks.
template <class Count, class Offset>
bool areBlocks(const void *buffer, const Count *counts, const Offset *offsets, int p, const mpi::Datatype &type) {
  if (!counts || !offsets || type.isNull())
    return false;
  const std::optional<std::uint64_t> sum = sumOf(counts, p);
  return sum && isBuffer(buffer, static_cast<std::int64_t>(*sum), type);
}

template <class Count, class Offset, class Mpi>
int gatherv(const void *x, Count sendCount, MPI_Datatype sendType, void *y, const Count *counts, const Offset *offsets, MPI_Datatype type, int root,
            MPI_Comm comm, Mpi mpi) {
  const Taking<Mpi> call(Function::Gatherv, comm, mpi);
  if (!call || !call.own().has(root))
    return call.byMpi();
  OwnComm &own = call.own();
  const bool isRoot = own.rank() == root, isInPlace = isRoot && x == MPI_IN_PLACE;
  const PassedType elements(isRoot ? type : sendType), sent(elements, isInPlace ? type : sendType);
  if ((isRoot && !areBlocks(y, counts, offsets, own.size(), *elements)) || (!isInPlace && !isBuffer(x, sendCount, *sent)) ||
      (isRoot && isRefusedAlias(x, y)))
    return call.byMpi();
  const std::uint64_t mine = bytesOf(isInPlace ? counts[root] : sendCount, *sent);
  return call.carryOut(mine, [&](Memory &memory) {
    GathervWork work{root, mine, OwnBlock(memory.sent, own, x, sendCount, *sent), std::nullopt};
    if (isRoot)
      work.received.emplace(memory.ofReceived, memory.received, own.library(), y, static_cast<std::size_t>(own.size()), counts, offsets, *elements);
    return work;
  }, {elements->handle(), sent->handle()});
}

template <class Count, class Offset, class Mpi>
int scatterv(const void *x, const Count *counts, const Offset *offsets, MPI_Datatype type, void *y, Count recvCount, MPI_Datatype recvType, int root,
             MPI_Comm comm, Mpi mpi) {
  const Taking<Mpi> call(Function::Scatterv, comm, mpi);
  if (!call || !call.own().has(root))
    return call.byMpi();
  OwnComm &own = call.own();
  const bool isRoot = own.rank() == root, isInPlace = isRoot && y == MPI_IN_PLACE;
  const PassedType elements(isRoot ? type : recvType), received(elements, isInPlace ? type : recvType);
  if ((isRoot && !areBlocks(x, counts, offsets, own.size(), *elements)) || (!isInPlace && !isBuffer(y, recvCount, *received)) ||
      (isRoot && isRefusedAlias(x, y)))
    return call.byMpi();
  const std::uint64_t mine = bytesOf(isInPlace ? counts[root] : recvCount, *received);
  return call.carryOut(mine, [&](Memory &memory) {
    ScattervWork work{root, mine, std::nullopt, OwnBlock(memory.received, own, y, recvCount, *received)};
    if (isRoot)
      work.sent.emplace(memory.ofSent, memory.sent, own.library(), x, static_cast<std::size_t>(own.size()), counts, offsets, *elements);
    return work;
  }, {elements->handle(), received->handle()});
}

template <class Count, class Offset, class Mpi>
int alltoallv(const void *x, const Count *sendCounts, const Offset *sendOffsets, MPI_Datatype sendType, void *y, const Count *counts,
              const Offset *offsets, MPI_Datatype type, MPI_Comm comm, Mpi mpi) {
  const Taking<Mpi> call(Function::Alltoallv, comm, mpi);
  if (!call)
    return call.byMpi();
  OwnComm &own = call.own();
  const bool isInPlace = x == MPI_IN_PLACE;
  const PassedType elements(type), sent(elements, isInPlace ? type : sendType);
  if (!areBlocks(y, counts, offsets, own.size(), *elements) || (!isInPlace && !areBlocks(x, sendCounts, sendOffsets, own.size(), *sent)) ||
      isRefusedAlias(x, y))
    return call.byMpi();
  const std::size_t p = static_cast<std::size_t>(own.size());
  const std::uint64_t bytes = *sumOf(counts, own.size()) * static_cast<std::uint64_t>(elements->sizeBytes()) / p;
  return call.carryOut(bytes, [&](Memory &memory) {
    return AlltoallvWork{isInPlace ? Blocks(memory.ofSent, memory.sent, own.library(), y, p, counts, offsets, *elements)
                                   : Blocks(memory.ofSent, memory.sent, own.library(), x, p, sendCounts, sendOffsets, *sent),
                         Blocks(memory.ofReceived, memory.received, own.library(), y, p, counts, offsets, *elements)};
  }, {elements->handle(), sent->handle()});
}

} // namespace preload
} // namespace quadrille

#endif // QUADRILLE_RUNTIME_PRELOAD_COLLECTIVES_H
