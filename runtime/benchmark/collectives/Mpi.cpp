//===- Mpi.cpp - Measures collectives between MPI processes ---------------===//
//
// usage: mpirun -n P mpi SOCKET CORES
//
// Open MPI can be forced to use an algorithm: it reads
// coll_tuned_<collective>_algorithm when a communicator is made, if
// coll_tuned_use_dynamic_rules was set at the start. So there is a duplicate of
// the world for each algorithm, and one process can call all of them by turns.
//
//===----------------------------------------------------------------------===//

#include "MpiCalls.h"
#include "Rank.h"
#include "Registry.h"

using namespace benchmark;
using quadrille::Status;

static Status callLibrary(World &world, const Contestant<World> &c, const Arguments &a) {
  return callMpi(mpiNames, world.theirs[static_cast<std::size_t>(c.algorithm)], c.collective, a);
}

#ifdef OPEN_MPI
namespace {

/// A control variable of the MPI library that holds an integer.
class Variable {
public:
  explicit Variable(const std::string &name) {
    if (MPI_T_cvar_get_index(name.c_str(), &index_) != MPI_SUCCESS)
      return;
    int length = 0, verbosity, binding, scope, count;
    MPI_Datatype type;
    if (MPI_T_cvar_get_info(index_, nullptr, &length, &verbosity, &type, &values, nullptr, &length, &binding, &scope) == MPI_SUCCESS &&
        MPI_T_cvar_handle_alloc(index_, nullptr, &handle_, &count) == MPI_SUCCESS)
      there = true;
  }
  bool set(int value) { return there && MPI_T_cvar_write(handle_, &value) == MPI_SUCCESS; }

  bool there = false;
  MPI_T_enum values = MPI_T_ENUM_NULL; ///< the names of its values, if they have names

private:
  int index_ = -1;
  MPI_T_cvar_handle handle_ = MPI_T_CVAR_HANDLE_NULL;
};

} // namespace

static void addForced(World &world, std::vector<Contestant<World>> &all) {
  static const char *const names[] = {"bcast",  "reduce", "allreduce", "scan",    "exscan", "allgather", "reduce_scatter_block",
                                      "alltoall", "gather", "scatter",   "barrier"};
  int provided = 0;
  MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
  for (int collective = 0; collective < collectiveCount; ++collective) {
    const std::string name = std::string("coll_tuned_") + names[collective] + "_algorithm";
    Variable algorithm(name), segment(name + "_segmentsize");
    int count = 0, length = 0;
    if (!algorithm.there || algorithm.values == MPI_T_ENUM_NULL ||
        MPI_T_enum_get_info(algorithm.values, &count, nullptr, &length) != MPI_SUCCESS)
      continue;
    for (int i = 0; i < count; ++i) {
      int value = 0, room = 100;
      char word[100];
      if (MPI_T_enum_get_item(algorithm.values, i, &value, word, &room) != MPI_SUCCESS || value == 0)
        continue;
      // Algorithms that send segments use a single segment if no size is set.
      const bool segments = (collective == Broadcast || collective == Reduce || std::strcmp(word, "segmented_ring") == 0) && segment.there;
      for (const int bytes : {0, 32768}) {
        if (bytes > 0 && !segments)
          break;
        if (!algorithm.set(value) || (segments && !segment.set(bytes)))
          continue;
        world.theirs.push_back(duplicateWorld());
        all.push_back({collective, "Open MPI tuned", word + std::string(bytes ? ", 32 KiB" : ""), callLibrary, 0,
                       static_cast<int>(world.theirs.size()) - 1, collective == Broadcast});
      }
      if (segments)
        segment.set(0);
    }
    algorithm.set(0);
  }
}
#endif

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  const MpiProcess process(argc, argv);
  {
    pin(process.rank);
    const SharedControl control(process.rank);
    World world{World::Communicator(MPI_COMM_WORLD), {duplicateWorld()}};
    std::vector<Contestant<World>> contestants = emitted();
    for (int collective = 0; collective < collectiveCount; ++collective)
      contestants.push_back({collective, "library", "", callLibrary, 0, 0, collective == Broadcast});
#ifdef OPEN_MPI
    addForced(world, contestants);
#endif
    Rank<World>(world, process.rank, process.p, process.cores, control.get(), contestants).work(argv[1]);
    for (MPI_Comm &comm : world.theirs)
      MPI_Comm_free(&comm);
  }
  MPI_Finalize();
  return 0;
}
