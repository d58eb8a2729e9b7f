// Every rank puts in its number, and gets those of its neighbours.

#include "@NAME@_two_shifts.h"

#include <cstdio>
#include <vector>

using namespace quadrille::shm;

int main() {
  constexpr int ranks = 5;
  std::vector<int> before(ranks), after(ranks);
  Team team(ranks);
  const quadrille::Status bad = team.run([&](Communicator &comm) {
    const int mine = comm.rank();
    return @NAME@::@NAME@_two_shifts(comm, &mine, &before[mine], &after[mine], 1, Datatype::of<int>());
  });
  if (bad) {
    std::fprintf(stderr, "%s\n", bad.text());
    return 1;
  }
  for (int rank = 0; rank < ranks; ++rank)
    std::printf("rank %d is between %d and %d\n", rank, before[rank], after[rank]);
  return 0;
}
