//===- MpiProgress.cpp - What is done while the MPI library waits ---------===//
//
// Open MPI has a list of functions that it calls. MPICH has one, too, but no way to add to it.
// However, MPICH waits in a loop that calls the network's library. If that is UCX, this file
// takes over the function that MPICH calls.
//
//===----------------------------------------------------------------------===//

#include "MpiProgress.h"

#include <mpi.h>

#include <atomic>

#include <dlfcn.h>

#ifdef OPEN_MPI

bool quadrille::preload::callWhileMpiWaits(int (*function)(), const std::function<void()> &) {
  using Register = int (*)(int (*)());
  const auto enroll = reinterpret_cast<Register>(dlsym(RTLD_DEFAULT, "opal_progress_register"));
  return enroll && enroll(function) == 0;
}

#else

namespace {

/// Release and acquire: the function sees what was set before it was stored.
std::atomic<int (*)()> called{nullptr};
std::atomic<bool> wasCalled{false};

int noteCall() {
  wasCalled = true;
  return 0;
}

} // namespace

/// Makes progress with the network and returns the number of events. MPICH calls it at places where
/// other code may send and receive.
extern "C" __attribute__((visibility("default"))) unsigned ucp_worker_progress(void *worker) {
  using Progress = unsigned (*)(void *);
  static const auto next = reinterpret_cast<Progress>(dlsym(RTLD_NEXT, "ucp_worker_progress"));
  const auto function = called.load(std::memory_order_acquire);
  const int own = function ? function() : 0;
  return next(worker) + static_cast<unsigned>(own);
}

bool quadrille::preload::callWhileMpiWaits(int (*function)(), const std::function<void()> &look) {
  // If the program has several threads, MPICH holds a lock while it calls the network's library.
  int level = MPI_THREAD_MULTIPLE;
  if (PMPI_Query_thread(&level) != MPI_SUCCESS || level == MPI_THREAD_MULTIPLE)
    return false;
  called.store(noteCall, std::memory_order_release);
  constexpr int tries = 100;
  for (int i = 0; i < tries && !wasCalled; ++i)
    look();
  called.store(wasCalled ? function : nullptr, std::memory_order_release);
  return wasCalled;
}

#endif // OPEN_MPI
