//===- Barriers.cpp - Diffusion with several barriers ---------------------===//
//
// Sanders et al., 2019, Table 13.2: an array of p slices is smoothed again and
// again, each slice by one thread, with a barrier after every pass. The shorter
// the slices, the more the barrier counts.
//
//===----------------------------------------------------------------------===//

#include "Threads.h"

#include "barrier_dissemination.h"
#include "quadrille/barriers.h"
#include "quadrille/shm.h"

#include <barrier>
#include <cstdio>
#include <cstring>
#include <map>
#include <unistd.h>

#if defined(_POSIX_BARRIERS) && _POSIX_BARRIERS > 0
#include <pthread.h>
#define HAVE_PTHREAD_BARRIER
#endif
#ifdef _OPENMP
#include <omp.h>
#endif

using namespace benchmark;
using namespace quadrille;

namespace {

/// The cells 1 .. n are smoothed; 0 and n + 1 are the fixed border.
class Field {
public:
  explicit Field(Index n) : n_(n), a_(static_cast<std::size_t>(n) + 2), b_(a_) {
    for (std::size_t j = 0; j < a_.size(); ++j)
      a_[j] = b_[j] = static_cast<double>(j * 2654435761u % 1000);
  }

  /// Carries out thread `me`'s part of `iterations` iterations. Returns the
  /// time in ns between the first and the last barrier.
  template <class Wait>
  double diffuse(Index me, Index p, Index iterations, const Wait &wait) {
    const Index first = 1 + n_ * me / p, end = 1 + n_ * (me + 1) / p;
    wait();
    const double start = nowNs();
    for (Index k = 0; k < iterations; ++k) {
      smooth(b_.data(), a_.data(), first, end);
      wait();
      smooth(a_.data(), b_.data(), first, end);
      wait();
    }
    return nowNs() - start;
  }

  bool operator==(const Field &other) const {
    return std::memcmp(a_.data(), other.a_.data(), a_.size() * sizeof(double)) == 0;
  }

private:
  static void smooth(double *to, const double *from, Index first, Index end) {
    for (Index j = first; j < end; ++j)
      to[j] = (from[j - 1] + from[j] + from[j + 1]) / 3;
  }

  Index n_;
  std::vector<double> a_, b_;
};

struct Problem {
  Index p, n, iterations;
};

/// Runs the diffusion on p threads, with wait(me) as barrier. Returns its time
/// in ns.
template <class Barrier>
double onThreads(Field &field, const Problem &problem, const Barrier &wait) {
  double ns = 0;
  runThreads(problem.p, [&](Index me) {
    const double mine = field.diffuse(me, problem.p, problem.iterations, [&] { wait(me); });
    if (me == 0)
      ns = mine;
  });
  return ns;
}

template <class Barrier> double withOurs(Field &field, const Problem &problem) {
  Barrier barrier(problem.p);
  return onThreads(field, problem, [&](Index me) { barrier.arriveAndWait(me); });
}

double withDissemination(Field &field, const Problem &problem) {
  shm::Team team(problem.p);
  double ns = 0;
  const Status bad = team.run([&](shm::Communicator &comm) {
    Status first;
    const double mine = field.diffuse(comm.rank(), problem.p, problem.iterations, [&] {
      if (Status status = collectives::barrier_dissemination(comm); status && !first)
        first = status;
    });
    if (comm.rank() == 0)
      ns = mine;
    return first;
  });
  if (bad)
    std::fprintf(stderr, "%s\n", bad.text());
  return ns;
}

double withStandard(Field &field, const Problem &problem) {
  std::barrier<> barrier(problem.p);
  return onThreads(field, problem, [&](Index) { barrier.arrive_and_wait(); });
}

#ifdef HAVE_PTHREAD_BARRIER
double withPthread(Field &field, const Problem &problem) {
  pthread_barrier_t barrier;
  pthread_barrier_init(&barrier, nullptr, static_cast<unsigned>(problem.p));
  const double ns = onThreads(field, problem, [&](Index) { pthread_barrier_wait(&barrier); });
  pthread_barrier_destroy(&barrier);
  return ns;
}
#endif

#ifdef _OPENMP
double withOpenMP(Field &field, const Problem &problem) {
  double ns = 0;
  omp_set_dynamic(0);
#pragma omp parallel num_threads(static_cast<int>(problem.p))
  {
    const Index me = omp_get_thread_num(), p = omp_get_num_threads();
    const double mine = field.diffuse(me, p, problem.iterations, [] {
#pragma omp barrier
    });
    if (me == 0)
      ns = mine;
  }
  // OpenMP's threads spin for some milliseconds before they sleep, on cores
  // that the next contestant needs.
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  return ns;
}
#endif

struct Contestant {
  const char *name;
  double (*run)(Field &, const Problem &);
  bool ours;
};

const Contestant contestants[] = {
    {"counter", withOurs<shm::CounterBarrier>, true},
    {"binomial", withOurs<shm::BinomialBarrier>, true},
    {"dissem.", withDissemination, true},
    {"std", withStandard, false},
#ifdef HAVE_PTHREAD_BARRIER
    {"pthread", withPthread, false},
#endif
#ifdef _OPENMP
    {"OpenMP", withOpenMP, false},
#endif
};

} // namespace

bool benchmark::barriers(const Options &options) {
  std::printf("diffusion: ns per iteration (two passes, two barriers), median of %d\n",
              options.repetitions);
#ifndef _OPENMP
  std::printf("(no OpenMP: the compiler was not found to have it)\n");
#endif
  std::printf("%3s%9s", "p", "n/p");
  for (const Contestant &contestant : contestants)
    std::printf("%11s", contestant.name);
  std::printf("%18s%15s\n", "counter/binomial", "others/ours");

  bool right = true;
  for (const Index p : options.threads)
    for (Index slice = 100; slice <= options.largestSlice; slice *= 10) {
      const Problem problem{p, p * slice, std::max<Index>(3, options.work / slice)};
      Field expected(problem.n);
      expected.diffuse(0, 1, problem.iterations, [] {});

      // Measure all contestants in each repetition, so that other load on the
      // machine affects them alike.
      std::map<const char *, std::vector<double>> times;
      for (int i = 0; i < options.repetitions; ++i)
        for (const Contestant &contestant : contestants) {
          Field field(problem.n);
          times[contestant.name].push_back(contestant.run(field, problem) /
                                           static_cast<double>(problem.iterations));
          if (!(field == expected)) {
            std::fprintf(stderr, "%s, p = %lld, n/p = %lld: wrong result\n", contestant.name,
                         static_cast<long long>(p), static_cast<long long>(slice));
            right = false;
          }
        }

      double ours = 0, others = 0;
      std::printf("%3lld%9lld", static_cast<long long>(p), static_cast<long long>(slice));
      for (const Contestant &contestant : contestants) {
        const double ns = median(times[contestant.name]);
        std::printf("%11.0f", ns);
        double &best = contestant.ours ? ours : others;
        best = best > 0 ? std::min(best, ns) : ns;
      }
      std::printf("%18.2f%15.2f\n", median(times["counter"]) / median(times["binomial"]),
                  others / ours);
      std::fflush(stdout);
    }
  return right;
}
