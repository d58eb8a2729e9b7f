//===- Threads.cpp - Measures collectives between threads -----------------===//
//
// usage: threads SOCKET P CORES
//
//===----------------------------------------------------------------------===//

#include "Rank.h"
#include "Registry.h"

#include <thread>
#ifdef _OPENMP
#include <omp.h>
#endif

using namespace benchmark;
using quadrille::Status;

static void addBarriers(std::vector<Contestant<World>> &all) {
  auto add = [&](const char *family, const char *name, Status (*call)(World &, const Contestant<World> &, const Arguments &)) {
    all.push_back({Barrier, family, name, call});
  };
  add("runtime", "CounterBarrier", [](World &world, const Contestant<World> &, const Arguments &) {
    world.barriers.counter.arriveAndWait();
    return Status();
  });
  add("runtime", "BinomialBarrier", [](World &world, const Contestant<World> &, const Arguments &a) {
    world.barriers.binomial.arriveAndWait(a.rank);
    return Status();
  });
  add("std::barrier", "", [](World &world, const Contestant<World> &, const Arguments &) {
    world.barriers.standard.arrive_and_wait();
    return Status();
  });
  add("pthread_barrier", "", [](World &world, const Contestant<World> &, const Arguments &) {
    pthread_barrier_wait(&world.barriers.posix);
    return Status();
  });
#ifdef _OPENMP
  add("OpenMP", "", [](World &, const Contestant<World> &, const Arguments &) {
#pragma omp barrier
    return Status();
  });
#endif
}

int main(int argc, char **argv) {
  const int p = argc == 4 ? std::atoi(argv[2]) : 0, cores = argc == 4 ? std::atoi(argv[3]) : 0;
  if (p < 1 || p > mostRanks || cores < 1) {
    std::fprintf(stderr, "usage: %s SOCKET P CORES, with P = 1 .. %d\n", argv[0], mostRanks);
    return 2;
  }
  std::vector<Contestant<World>> contestants = emitted();
  addBarriers(contestants);

  static Control control;
  quadrille::shm::World ranks(p);
  Barriers barriers(p);
  auto body = [&](int rank) {
    pin(rank);
    World world{{ranks, rank}, barriers};
    Rank<World>(world, rank, p, cores, control, contestants).work(argv[1]);
  };
#ifdef _OPENMP
  // OpenMP's barrier works only between OpenMP's threads. Other contestants
  // work on any threads.
  omp_set_dynamic(0);
#pragma omp parallel num_threads(p)
  body(omp_get_thread_num());
#else
  std::vector<std::thread> threads;
  for (int rank = 0; rank < p; ++rank)
    threads.emplace_back(body, rank);
  for (std::thread &thread : threads)
    thread.join();
#endif
  return 0;
}
