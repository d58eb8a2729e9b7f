// Heat on a ring of rods: the first rod begins hot, and in the end all of them are equally warm.

#include "halo_two_shifts.h"

#include <cstdio>
#include <vector>

using namespace quadrille::shm;

int main() {
  constexpr int ranks = 6, steps = 200;
  std::vector<double> warmth(ranks);
  warmth[0] = ranks;
  Team team(ranks);
  const quadrille::Status bad = team.run([&](Communicator &comm) -> quadrille::Status {
    double &mine = warmth[comm.rank()];
    for (int i = 0; i < steps; ++i) {
      double before = 0, after = 0;
      if (quadrille::Status bad = heat::halo_two_shifts(comm, &mine, &before, &after, 1, Datatype::of<double>()))
        return bad;
      mine += 0.25 * (before - 2 * mine + after);
    }
    return {};
  });
  if (bad) {
    std::fprintf(stderr, "%s\n", bad.text());
    return 1;
  }
  for (int rank = 0; rank < ranks; ++rank)
    std::printf("rod %d: %.3f\n", rank, warmth[rank]);
  return 0;
}
