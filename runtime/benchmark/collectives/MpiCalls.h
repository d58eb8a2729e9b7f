//===- MpiCalls.h - The MPI library's own collectives -----------*- C++ -*-===//

#ifndef QUADRILLE_BENCHMARK_COLLECTIVES_MPICALLS_H
#define QUADRILLE_BENCHMARK_COLLECTIVES_MPICALLS_H

#include "Contestants.h"
#include "Control.h"
#include "Data.h"

#ifndef OMPI_SKIP_MPICXX
#define OMPI_SKIP_MPICXX 1
#endif
#ifndef MPICH_SKIP_MPICXX
#define MPICH_SKIP_MPICXX 1
#endif
#include <mpi.h>

#include <memory>
#include <new>

namespace benchmark {

inline quadrille::Status statusOf(int error) {
  if (error == MPI_SUCCESS)
    return quadrille::Status();
  char text[MPI_MAX_ERROR_STRING];
  int length = 0;
  MPI_Error_string(error, text, &length);
  return quadrille::Status(quadrille::ErrorCode::Transport, text);
}

/// MPI's collectives by one set of names. Those that begin with MPI_ are a preload
/// library's, if there is one; those that begin with PMPI_ are always the MPI library's.
struct MpiFunctions {
  decltype(&MPI_Bcast) bcast;
  decltype(&MPI_Reduce) reduce;
  decltype(&MPI_Allreduce) allreduce;
  decltype(&MPI_Scan) scan;
  decltype(&MPI_Exscan) exscan;
  decltype(&MPI_Allgather) allgather;
  decltype(&MPI_Reduce_scatter_block) reduceScatterBlock;
  decltype(&MPI_Alltoall) alltoall;
  decltype(&MPI_Gather) gather;
  decltype(&MPI_Scatter) scatter;
  decltype(&MPI_Barrier) barrier;
};
inline const MpiFunctions mpiNames = {MPI_Bcast,     MPI_Reduce,               MPI_Allreduce, MPI_Scan,   MPI_Exscan, MPI_Allgather,
                                      MPI_Reduce_scatter_block, MPI_Alltoall, MPI_Gather,    MPI_Scatter, MPI_Barrier};
inline const MpiFunctions pmpiNames = {PMPI_Bcast,     PMPI_Reduce,               PMPI_Allreduce, PMPI_Scan,   PMPI_Exscan, PMPI_Allgather,
                                       PMPI_Reduce_scatter_block, PMPI_Alltoall, PMPI_Gather,    PMPI_Scatter, PMPI_Barrier};

inline quadrille::Status callMpi(const MpiFunctions &mpi, MPI_Comm comm, int collective, const Arguments &a) {
  const int n = static_cast<int>(a.words);
  switch (collective) {
  case Broadcast:
    return statusOf(mpi.bcast(a.y, n, MPI_DOUBLE, a.root, comm));
  case Reduce:
    return statusOf(mpi.reduce(a.x, a.y, n, MPI_DOUBLE, MPI_SUM, a.root, comm));
  case Allreduce:
    return statusOf(mpi.allreduce(a.x, a.y, n, MPI_DOUBLE, MPI_SUM, comm));
  case Scan:
    return statusOf(mpi.scan(a.x, a.y, n, MPI_DOUBLE, MPI_SUM, comm));
  case Exscan:
    return statusOf(mpi.exscan(a.x, a.y, n, MPI_DOUBLE, MPI_SUM, comm));
  case Allgather:
    return statusOf(mpi.allgather(a.x, n, MPI_DOUBLE, a.y, n, MPI_DOUBLE, comm));
  case ReduceScatter:
    return statusOf(mpi.reduceScatterBlock(a.x, a.y, n, MPI_DOUBLE, MPI_SUM, comm));
  case Alltoall:
    return statusOf(mpi.alltoall(a.x, n, MPI_DOUBLE, a.y, n, MPI_DOUBLE, comm));
  case Gather:
    return statusOf(mpi.gather(a.x, n, MPI_DOUBLE, a.y, n, MPI_DOUBLE, a.root, comm));
  case Scatter:
    return statusOf(mpi.scatter(a.x, n, MPI_DOUBLE, a.y, n, MPI_DOUBLE, a.root, comm));
  default:
    return statusOf(mpi.barrier(comm));
  }
}

/// A duplicate of the world, which returns errors.
inline MPI_Comm duplicateWorld() {
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  return comm;
}

/// Lets MPI send what calls have left to be sent: it does so while it is called.
inline void letMpiProgress() {
  int there = 0;
  MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE);
}

/// The Control of a program whose ranks are processes of one machine. Collective.
class SharedControl {
public:
  explicit SharedControl(int rank) {
    void *memory = nullptr;
    MPI_Aint size = 0;
    int unit = 1;
    // The MPI library does not promise to align what it allocates. Rank 0 says where the Control is; it is in the same place of
    // a page for all.
    std::size_t room = sizeof(Control) + alignof(Control);
    MPI_Win_allocate_shared(rank == 0 ? static_cast<MPI_Aint>(room) : 0, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window_);
    MPI_Win_shared_query(window_, 0, &size, &unit, &memory);
    void *aligned = memory;
    std::align(alignof(Control), sizeof(Control), aligned, room);
    std::uint64_t offset = static_cast<std::uint64_t>(static_cast<char *>(aligned) - static_cast<char *>(memory));
    MPI_Bcast(&offset, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
    void *const place = static_cast<char *>(memory) + offset;
    control_ = rank == 0 ? new (place) Control() : static_cast<Control *>(place);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  SharedControl(const SharedControl &) = delete;
  ~SharedControl() { MPI_Win_free(&window_); }

  Control &get() const { return *control_; }

private:
  MPI_Win window_ = MPI_WIN_NULL;
  Control *control_ = nullptr;
};

/// This process among those of a measuring program that was started as `mpirun -n P
/// PROGRAM SOCKET CORES`; ends all of them if it was started otherwise.
struct MpiProcess {
  int rank = 0, p = 0, cores;

  MpiProcess(int argc, char **argv) : cores(argc == 3 ? std::atoi(argv[2]) : 0) {
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (p > mostRanks || cores < 1) {
      std::fprintf(stderr, "usage: mpirun -n P %s SOCKET CORES, with P = 1 .. %d\n", argv[0], mostRanks);
      MPI_Abort(MPI_COMM_WORLD, 2);
    }
  }
};

} // namespace benchmark

#endif // QUADRILLE_BENCHMARK_COLLECTIVES_MPICALLS_H
