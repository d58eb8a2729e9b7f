// Every rank puts in its number plus one; rank r gets 1 + 2 + ... + (r + 1).

#include "scan_hypercube.h"

#include <cstdio>
#include <vector>

using namespace quadrille::shm;

int main() {
  constexpr int ranks = 8;
  std::vector<long> sums(ranks);
  Team team(ranks);
  const quadrille::Status bad = team.run([&](Communicator &comm) {
    const long mine = comm.rank() + 1;
    return collectives::scan_hypercube(comm, &mine, &sums[comm.rank()], 1, Datatype::of<long>(), Operator::sum());
  });
  if (bad) {
    std::fprintf(stderr, "%s\n", bad.text());
    return 1;
  }
  for (int rank = 0; rank < ranks; ++rank)
    std::printf("rank %d: %ld\n", rank, sums[rank]);
  return 0;
}
