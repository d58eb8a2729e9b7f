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

#include "Rank.h"
#include "Registry.h"

using namespace benchmark;
using quadrille::ErrorCode;
using quadrille::Status;

static Status statusOf(int error) {
  if (error == MPI_SUCCESS)
    return Status();
  char text[MPI_MAX_ERROR_STRING];
  int length = 0;
  MPI_Error_string(error, text, &length);
  return Status(ErrorCode::Transport, text);
}

static Status callLibrary(World &world, const Contestant<World> &c, const Arguments &a) {
  const MPI_Comm comm = world.theirs[static_cast<std::size_t>(c.algorithm)];
  const int n = static_cast<int>(a.words);
  switch (c.collective) {
  case Broadcast:
    return statusOf(MPI_Bcast(a.y, n, MPI_DOUBLE, a.root, comm));
  case Reduce:
    return statusOf(MPI_Reduce(a.x, a.y, n, MPI_DOUBLE, MPI_SUM, a.root, comm));
  case Allreduce:
    return statusOf(MPI_Allreduce(a.x, a.y, n, MPI_DOUBLE, MPI_SUM, comm));
  case Scan:
    return statusOf(MPI_Scan(a.x, a.y, n, MPI_DOUBLE, MPI_SUM, comm));
  case Exscan:
    return statusOf(MPI_Exscan(a.x, a.y, n, MPI_DOUBLE, MPI_SUM, comm));
  case Allgather:
    return statusOf(MPI_Allgather(a.x, n, MPI_DOUBLE, a.y, n, MPI_DOUBLE, comm));
  case ReduceScatter:
    return statusOf(MPI_Reduce_scatter_block(a.x, a.y, n, MPI_DOUBLE, MPI_SUM, comm));
  case Alltoall:
    return statusOf(MPI_Alltoall(a.x, n, MPI_DOUBLE, a.y, n, MPI_DOUBLE, comm));
  case Gather:
    return statusOf(MPI_Gather(a.x, n, MPI_DOUBLE, a.y, n, MPI_DOUBLE, a.root, comm));
  case Scatter:
    return statusOf(MPI_Scatter(a.x, n, MPI_DOUBLE, a.y, n, MPI_DOUBLE, a.root, comm));
  default:
    return statusOf(MPI_Barrier(comm));
  }
}

static MPI_Comm duplicateWorld() {
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  return comm;
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
  int p = 0, rank = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &p);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int cores = argc == 3 ? std::atoi(argv[2]) : 0;
  if (p > mostRanks || cores < 1) {
    std::fprintf(stderr, "usage: mpirun -n P %s SOCKET CORES, with P = 1 .. %d\n", argv[0], mostRanks);
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  {
    pinIfPossible(rank, p);
    MPI_Win window;
    void *memory = nullptr;
    MPI_Aint size = 0;
    int unit = 1;
    MPI_Win_allocate_shared(rank == 0 ? sizeof(Control) : 0, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
    MPI_Win_shared_query(window, 0, &size, &unit, &memory);
    if (rank == 0)
      new (memory) Control();
    MPI_Barrier(MPI_COMM_WORLD);

    World world{World::Communicator(MPI_COMM_WORLD), {duplicateWorld()}};
    std::vector<Contestant<World>> contestants = emitted();
    for (int collective = 0; collective < collectiveCount; ++collective)
      contestants.push_back({collective, "library", "", callLibrary, 0, 0, collective == Broadcast});
#ifdef OPEN_MPI
    addForced(world, contestants);
#endif
    Rank<World> me(world, rank, p, cores, *static_cast<Control *>(memory), contestants);
    if (rank == 0)
      me.lead(argv[1]);
    else
      me.follow();
    for (MPI_Comm &comm : world.theirs)
      MPI_Comm_free(&comm);
    MPI_Win_free(&window);
  }
  MPI_Finalize();
  return 0;
}
