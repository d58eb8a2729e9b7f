//===- Works.h - What a call does with data ---------------------*- C++ -*-===//
//
// A work is one call with arguments that were found right. It has three parts: `put` copies the
// program's elements to bytes, `call` is the collective of the library, and `get` copies bytes
// back to elements. Only `call` communicates.
//
//===----------------------------------------------------------------------===//

#ifndef QUADRILLE_RUNTIME_PRELOAD_WORKS_H
#define QUADRILLE_RUNTIME_PRELOAD_WORKS_H

#include "OwnComm.h"

#include <cstdint>

namespace quadrille {
namespace preload {

struct BarrierWork {
  Status put() { return {}; }
  Status call(Collectives &library) { return library.barrier(); }
  Status get() { return {}; }
};

/// Reductions keep their type, which is the same on all ranks. Blocking ones need no work: schedules take any type from where elements are.
struct ReduceWork {
  int root;
  const void *x;
  void *y;
  std::size_t n;
  mpi::Datatype type;
  MPI_Op op;

  Status put() { return {}; }
  Status call(Collectives &library) { return library.reduce(root, x, y, n, type, op); }
  Status get() { return {}; }
};

/// Allreduce, Scan, Exscan and Reduce_scatter_block: `run` is the collective of the library.
template <auto run> struct ReduceToAllWork {
  const void *x;
  void *y;
  std::size_t n;
  mpi::Datatype type;
  MPI_Op op;

  Status put() { return {}; }
  Status call(Collectives &library) { return (library.*run)(x, y, n, type, op); }
  Status get() { return {}; }
};

class ReduceScatterWork {
public:
  template <class Count>
  ReduceScatterWork(OwnComm &own, Memory &memory, const void *x, void *y, const Count *counts, const mpi::Datatype &type, MPI_Op op)
      : lengths_(memory.ofSent.counts), x_(x), y_(y), type_(type), op_(op) {
    lengths_.assign(counts, counts + own.size());
  }
  Status put() { return {}; }
  Status call(Collectives &library) { return library.reduceScatterv(lengths_.data(), x_, y_, type_, op_); }
  Status get() { return {}; }

private:
  std::vector<std::size_t> &lengths_;
  const void *x_;
  void *y_;
  mpi::Datatype type_;
  MPI_Op op_;
};

// ---- data that are moved: bytes ------------------------------------------------

/// MPI_BYTE, about which MPI was asked once.
[[gnu::always_inline]] inline const mpi::Datatype &byteType() {
  static const mpi::Datatype type(MPI_BYTE);
  return type;
}

struct BroadcastWork {
  int root;
  bool isRoot;
  std::uint64_t bytes;
  Bytes data;

  Status put() { return isRoot ? data.pack() : Status(); }
  Status call(Collectives &library) { return library.broadcast(root, isRoot ? data.data() : nullptr, data.data(), bytes, byteType()); }
  Status get() { return isRoot ? Status() : data.unpack(); }
};

/// This rank's block for the schedule; the program may have passed MPI_IN_PLACE. Throws std::bad_alloc.
class OwnBlock {
public:
  OwnBlock(Scratch &scratch, OwnComm &own, const void *buffer, std::int64_t count, const mpi::Datatype &type)
      : isInPlace_(buffer == MPI_IN_PLACE) {
    if (!isInPlace_)
      bytes_.emplace(scratch, own.library(), buffer, static_cast<std::size_t>(count), type);
  }
  bool isInPlace() const { return isInPlace_; }
  Status pack() { return isInPlace_ ? Status() : bytes_->pack(); }
  Status unpack() { return isInPlace_ ? Status() : bytes_->unpack(); }
  void *data() { return isInPlace_ ? MPI_IN_PLACE : bytes_->data(); }

private:
  bool isInPlace_;
  std::optional<Bytes> bytes_;
};

struct AllgatherWork {
  std::size_t rank, n; ///< n elements on each rank
  std::uint64_t bytes;
  OwnBlock sent;
  Bytes received;

  Status put() {
    const Status bad = sent.pack();
    if (bad || !sent.isInPlace() || received.isDirect())
      return bad;
    return received.packTo(rank * n, static_cast<std::ptrdiff_t>(rank * n), n);
  }
  Status call(Collectives &library) { return library.allgather(sent.data(), received.data(), bytes, byteType()); }
  Status get() { return received.unpack(); }
};

struct AllgathervWork {
  int rank;
  OwnBlock sent;
  Blocks received;

  Status put() {
    const Status bad = sent.pack();
    return bad || !sent.isInPlace() ? bad : received.packOnly(rank);
  }
  Status call(Collectives &library) { return library.allgatherv(received.lengths(), sent.data(), received.data(), byteType()); }
  Status get() { return received.unpack(); }
};

struct AlltoallWork {
  std::uint64_t bytes;
  OwnBlock sent; ///< all blocks
  Bytes received;

  Status put() { return sent.isInPlace() ? received.pack() : sent.pack(); }
  Status call(Collectives &library) { return library.alltoall(sent.data(), received.data(), bytes, byteType()); }
  Status get() { return received.unpack(); }
};

/// If the call is in place, `sent` has the blocks of the program's only buffer, into which others are received.
struct AlltoallvWork {
  Blocks sent, received;

  Status put() { return sent.pack(); }
  Status call(Collectives &library) {
    return library.alltoallv(sent.lengths(), received.lengths(), sent.data(), received.data(), byteType());
  }
  Status get() { return received.unpack(); }
};

struct GatherWork {
  int root;
  std::size_t p, n; ///< on the root: n elements from each rank
  std::uint64_t bytes;
  OwnBlock sent;
  std::optional<Bytes> received; ///< on the root

  Status put() { return sent.pack(); }
  Status call(Collectives &library) { return library.gather(root, sent.data(), received ? received->data() : nullptr, bytes, byteType()); }
  Status get() {
    if (!received || received->isDirect())
      return {};
    if (!sent.isInPlace())
      return received->unpack();
    // In place the root's block stays where it was: it is not packed, and not unpacked.
    const std::size_t mine = static_cast<std::size_t>(root) * n, next = mine + n;
    const Status bad = received->unpackFrom(0, 0, mine);
    return bad ? bad : received->unpackFrom(next, static_cast<std::ptrdiff_t>(next), n * p - next);
  }
};

struct GathervWork {
  int root;
  std::size_t own; ///< bytes of this rank
  OwnBlock sent;
  std::optional<Blocks> received; ///< on the root

  Status put() { return sent.pack(); }
  Status call(Collectives &library) {
    return received ? library.gatherv(root, own, received->lengths(), sent.data(), received->data(), byteType())
                    : library.gatherv(root, own, nullptr, sent.data(), nullptr, byteType());
  }
  Status get() { return received ? received->unpack(sent.isInPlace() ? root : -1) : Status(); }
};

struct ScatterWork {
  int root;
  std::uint64_t bytes;
  std::optional<Bytes> sent; ///< on the root: all blocks
  OwnBlock received;

  Status put() { return sent ? sent->pack() : Status(); }
  Status call(Collectives &library) { return library.scatter(root, sent ? sent->data() : nullptr, received.data(), bytes, byteType()); }
  Status get() { return received.unpack(); }
};

struct ScattervWork {
  int root;
  std::size_t own; ///< bytes of this rank
  std::optional<Blocks> sent; ///< on the root
  OwnBlock received;

  Status put() { return sent ? sent->pack() : Status(); }
  Status call(Collectives &library) {
    return sent ? library.scatterv(root, own, sent->lengths(), sent->data(), received.data(), byteType())
                : library.scatterv(root, own, nullptr, nullptr, received.data(), byteType());
  }
  Status get() { return received.unpack(); }
};

} // namespace preload
} // namespace quadrille

#endif // QUADRILLE_RUNTIME_PRELOAD_WORKS_H
