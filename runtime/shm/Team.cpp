//===- Team.cpp - Threads with a communicator -----------------------------===//

#include "World.h"

#include <condition_variable>
#include <exception>
#include <mutex>
#include <stdexcept>
#include <thread>

using namespace quadrille;
using namespace quadrille::shm;
using namespace quadrille::shm::detail;

struct Team::State {
  explicit State(Index size) : world(size) {}

  void work(Index rank);
  Status runBody(Communicator &comm);
  void stop();

  World world;
  std::vector<std::unique_ptr<Communicator>> communicators;
  std::vector<std::thread> threads;

  /// Held during a run: there is only one at a time.
  std::mutex oneRun;

  /// Guards everything below. Body and results are used without it during a
  /// run: `run` and `running` hand them over.
  std::mutex mutex;
  std::condition_variable begin, end;
  std::uint64_t run = 0;
  Index running = 0;
  bool stopping = false;
  Status (*call)(void *body, Communicator &comm) = nullptr;
  void *body = nullptr;
  std::vector<Status> results;
  std::exception_ptr thrown;
};

/// The main function of a rank's thread: takes part in every run.
void Team::State::work(Index rank) {
  Communicator &comm = *communicators[static_cast<std::size_t>(rank)];
  for (std::uint64_t last = 0;;) {
    {
      std::unique_lock<std::mutex> lock(mutex);
      begin.wait(lock, [&] { return stopping || run != last; });
      if (stopping)
        return;
      last = run;
    }
    Status result = runBody(comm);
    const std::lock_guard<std::mutex> lock(mutex);
    results[static_cast<std::size_t>(rank)] = std::move(result);
    if (--running == 0)
      end.notify_one();
  }
}

/// Runs the body on a rank. Afterwards no other rank waits for this one.
Status Team::State::runBody(Communicator &comm) {
  WorldState &shared = comm.state_->world;
  Status result;
  try {
    result = call(body, comm);
    // Finish requests that the body has not waited for.
    comm.state_->finishAll();
  } catch (...) {
    result = Status(ErrorCode::Aborted, "an exception left the body of the run");
    shared.abort(Rank::everyCall, comm.rank(), result);
    comm.state_->cancelAll(result);
    const std::lock_guard<std::mutex> lock(mutex);
    if (!thrown)
      thrown = std::current_exception();
  }
  // This comes after all of this rank's operations: see Attendance.
  shared.rank(comm.rank()).attendance.leave(Rank::everyCall);
  return result;
}

void Team::State::stop() {
  {
    const std::lock_guard<std::mutex> lock(mutex);
    stopping = true;
  }
  begin.notify_all();
  for (std::thread &thread : threads)
    thread.join();
}

Team::Team(Index size) : state_(std::make_unique<State>(size)) {
  State &state = *state_;
  const std::size_t count = static_cast<std::size_t>(size);
  state.results.resize(count);
  for (Index rank = 0; rank < size; ++rank)
    state.communicators.push_back(std::make_unique<Communicator>(state.world, rank));
  state.threads.reserve(count);
  try {
    for (Index rank = 0; rank < size; ++rank)
      state.threads.emplace_back([&state, rank] { state.work(rank); });
  } catch (...) {
    state.stop();
    throw;
  }
}

Team::~Team() { state_->stop(); }

Index Team::size() const { return state_->world.size(); }

Status Team::runOnAll(Status (*call)(void *body, Communicator &comm), void *body) {
  State &state = *state_;
  const std::lock_guard<std::mutex> one(state.oneRun);
  std::unique_lock<std::mutex> lock(state.mutex);
  // All ranks sleep, and take the mutex before they begin, so they see these
  // writes.
  state.world.reset();
  state.call = call;
  state.body = body;
  state.thrown = nullptr;
  state.running = size();
  ++state.run;
  state.begin.notify_all();
  state.end.wait(lock, [&] { return state.running == 0; });

  if (state.thrown)
    std::rethrow_exception(std::exchange(state.thrown, nullptr));
  Status result;
  for (Status &status : state.results) {
    if (status && (!result || (result.code() == ErrorCode::Aborted &&
                               status.code() != ErrorCode::Aborted)))
      result = status;
    status = {};
  }
  return result;
}
