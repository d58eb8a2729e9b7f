//===- Preload.cpp - Measures the preload library beside MPI's own --------===//
//
// usage: mpirun -n P -x LD_PRELOAD=libquadrille_mpi.so -x QUADRILLE_AFTER=0 preload SOCKET CORES
//
// By turns, in the same processes: MPI's functions by their own names, which are
// those of the preload library; by their second names, which are the MPI library's;
// and libquadrille's, which make the same choice as the preload library.
//
//===----------------------------------------------------------------------===//

#include "MpiCalls.h"
#include "Rank.h"

#include "quadrille/collectives.h"
#include "quadrille/mpi.h"

using namespace benchmark;
using quadrille::Status;

namespace {

/// A rank's communicators.
struct PreloadWorld {
  static constexpr bool owesProgress = true;
  static void progress() { letMpiProgress(); }

  MPI_Comm preloaded, plain;
  quadrille::Collectives<quadrille::mpi::Communicator> &library;
  quadrille::mpi::Datatype type = quadrille::mpi::Datatype::of<double>();
  quadrille::mpi::Operator op = quadrille::mpi::Operator::sum();
};
using Entry = Contestant<PreloadWorld>;

Status callPreloaded(PreloadWorld &world, const Entry &c, const Arguments &a) { return callMpi(mpiNames, world.preloaded, c.collective, a); }
Status callPlain(PreloadWorld &world, const Entry &c, const Arguments &a) { return callMpi(pmpiNames, world.plain, c.collective, a); }

Status callLibrary(PreloadWorld &world, const Entry &c, const Arguments &a) {
  auto &library = world.library;
  switch (c.collective) {
  case Broadcast:
    return library.broadcast(a.root, a.x, a.y, a.words, world.type);
  case Reduce:
    return library.reduce(a.root, a.x, a.y, a.words, world.type, world.op);
  case Allreduce:
    return library.allreduce(a.x, a.y, a.words, world.type, world.op);
  case Scan:
    return library.scan(a.x, a.y, a.words, world.type, world.op);
  case Exscan:
    return library.exscan(a.x, a.y, a.words, world.type, world.op);
  case Allgather:
    return library.allgather(a.x, a.y, a.words, world.type);
  case ReduceScatter:
    return library.reduceScatter(a.x, a.y, a.words, world.type, world.op);
  case Alltoall:
    return library.alltoall(a.x, a.y, a.words, world.type);
  case Gather:
    return library.gather(a.root, a.x, a.y, a.words, world.type);
  case Scatter:
    return library.scatter(a.root, a.x, a.y, a.words, world.type);
  default:
    return library.barrier();
  }
}

} // namespace

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  const MpiProcess process(argc, argv);
  if (mpiNames.bcast == pmpiNames.bcast) {
    std::fprintf(stderr, "%s: no preload library defines MPI_Bcast\n", argv[0]);
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  {
    pin(process.rank);
    const SharedControl control(process.rank);
    quadrille::mpi::Communicator comm(MPI_COMM_WORLD);
    quadrille::Collectives<quadrille::mpi::Communicator> library(comm);
    PreloadWorld world{duplicateWorld(), duplicateWorld(), library};
    std::vector<Entry> contestants;
    for (int collective = 0; collective < collectiveCount; ++collective) {
      const bool inPlace = collective == Broadcast;
      contestants.push_back({collective, "preload", "", callPreloaded, 0, -1, inPlace});
      contestants.push_back({collective, "plain", "", callPlain, 0, -1, inPlace});
      contestants.push_back({collective, "libquadrille", "", callLibrary, 0, -1, inPlace});
    }
    Rank<PreloadWorld>(world, process.rank, process.p, process.cores, control.get(), contestants).work(argv[1]);
    MPI_Comm_free(&world.preloaded);
    MPI_Comm_free(&world.plain);
  }
  MPI_Finalize();
  return 0;
}
