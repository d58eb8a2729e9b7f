//===- World.h - What calls need besides arguments --------------*- C++ -*-===//
//
// If BENCHMARK_MPI is defined, ranks are processes, otherwise threads.
//
//===----------------------------------------------------------------------===//

#ifndef QUADRILLE_BENCHMARK_COLLECTIVES_WORLD_H
#define QUADRILLE_BENCHMARK_COLLECTIVES_WORLD_H

#ifdef BENCHMARK_MPI

#include "MpiCalls.h"

#include "quadrille/mpi.h"

#include <vector>

namespace benchmark {

struct World {
  using Communicator = quadrille::mpi::Communicator;

  /// Whether the library may have to send data after a call has returned.
  static constexpr bool owesProgress = true;
  static void progress() { letMpiProgress(); }

  Communicator &communicator() { return ours; }

  Communicator ours;
  std::vector<MPI_Comm> theirs; ///< one per algorithm; in [0] the library chooses
  quadrille::mpi::Datatype type = quadrille::mpi::Datatype::of<double>();
  quadrille::mpi::Operator op = quadrille::mpi::Operator::sum();
};

} // namespace benchmark

#else

#include "quadrille/barriers.h"
#include "quadrille/shm.h"

#include <barrier>
#include <pthread.h>

namespace benchmark {

/// The barriers that all threads share.
struct Barriers {
  explicit Barriers(int p) : counter(p), binomial(p), standard(p) { pthread_barrier_init(&posix, nullptr, static_cast<unsigned>(p)); }
  Barriers(const Barriers &) = delete;
  ~Barriers() { pthread_barrier_destroy(&posix); }

  quadrille::shm::CounterBarrier counter;
  quadrille::shm::BinomialBarrier binomial;
  std::barrier<> standard;
  pthread_barrier_t posix;
};

struct World {
  using Communicator = quadrille::shm::Communicator;

  static constexpr bool owesProgress = false;
  static void progress() {}

  Communicator &communicator() { return ours; }

  Communicator ours;
  Barriers &barriers;
  quadrille::shm::Datatype type = quadrille::shm::Datatype::of<double>();
  quadrille::shm::Operator op = quadrille::shm::Operator::sum();
};

} // namespace benchmark

#endif

#endif // QUADRILLE_BENCHMARK_COLLECTIVES_WORLD_H
