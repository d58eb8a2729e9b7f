#include "allreduce_up_and_down.h"
#include "sums__threads/shm/scan_hypercube.h"

#include <cstdio>

using namespace quadrille::shm;

int main() {
  Team team(4);
  const quadrille::Status bad = team.run([](Communicator &comm) -> quadrille::Status {
    const int one = 1;
    int total = 0, sum = 0;
    if (quadrille::Status bad = sums::threads::allreduce_up_and_down(comm, &one, &total, 1, Datatype::of<int>(), Operator::sum()))
      return bad;
    if (quadrille::Status bad = sums::threads::scan_hypercube(comm, &one, &sum, 1, Datatype::of<int>(), Operator::sum()))
      return bad;
    if (comm.rank() == 2)
      std::printf("total %d, sum %d\n", total, sum);
    return {};
  });
  return bad ? 1 : 0;
}
