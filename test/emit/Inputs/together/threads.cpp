// Two namespaces, in one file.

#include "a/allgather_ring.h"
#include "b/allgather_ring.h"

#include <cstdio>

bool runThreads() {
  using namespace quadrille::shm;
  Team team(3);
  const quadrille::Status bad = team.run([](Communicator &comm) -> quadrille::Status {
    const int mine = static_cast<int>(comm.rank());
    int first[3], second[3];
    if (quadrille::Status bad = first::allgather_ring(comm, &mine, first, 1, Datatype::of<int>()))
      return bad;
    if (quadrille::Status bad = second::deep::allgather_ring(comm, &mine, second, 1, Datatype::of<int>()))
      return bad;
    if (comm.rank() == 0)
      std::printf("threads: %d %d\n", first[2], second[1]);
    return {};
  });
  return !bad;
}
