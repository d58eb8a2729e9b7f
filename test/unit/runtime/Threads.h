//===- Threads.h - Threads for tests of what threads wait for -------------===//

#ifndef QUADRILLE_TEST_THREADS_H
#define QUADRILLE_TEST_THREADS_H

#include "quadrille/index.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace threads {

/// Ends the program with a message if it is not destroyed in time, so that a
/// deadlock shows which test hangs.
class Watchdog {
public:
  explicit Watchdog(std::string what)
      : what_(std::move(what)), thread_([this] { watch(); }) {}
  ~Watchdog() {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      done_ = true;
    }
    changed_.notify_one();
    thread_.join();
  }

private:
  void watch() {
    std::unique_lock<std::mutex> lock(mutex_);
    if (changed_.wait_for(lock, std::chrono::seconds(60), [this] { return done_; }))
      return;
    std::fprintf(stderr, "%s: does not end\n", what_.c_str());
    std::_Exit(1);
  }

  std::string what_;
  bool done_ = false;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::thread thread_;
};

/// Runs body(i) for i in 0 ..< count on separate threads. All begin together;
/// otherwise one might end before the next is created.
template <class Body> void run(quadrille::Index count, const Body &body) {
  std::atomic<quadrille::Index> missing{count};
  std::vector<std::thread> threads;
  for (quadrille::Index i = 0; i < count; ++i)
    threads.emplace_back([&body, &missing, i] {
      missing.fetch_sub(1);
      while (missing.load() > 0)
        std::this_thread::yield();
      body(i);
    });
  for (std::thread &thread : threads)
    thread.join();
}

inline void sleepMs(int ms) { std::this_thread::sleep_for(std::chrono::milliseconds(ms)); }

/// The processor time that the calling thread has used.
inline double usedMs() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) / 1e6;
}

} // namespace threads

#endif // QUADRILLE_TEST_THREADS_H
