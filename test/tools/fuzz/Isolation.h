//===- Isolation.h - Work in separate processes ------------------------------------------------------------*- C++ -*-===//
//
// Work that crashes, hangs or takes too much memory ends only its own process, and is reported as a result.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_TEST_FUZZ_ISOLATION_H
#define QUADRILLE_TEST_FUZZ_ISOLATION_H

#include "llvm/ADT/StringRef.h"

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <sys/types.h>

namespace quadrille::compiler::fuzz {

/// Sends messages from a process to its parent. A message has a subject and a text.
class Teller {
public:
  explicit Teller(int file) : file(file) {}
  void tell(llvm::StringRef about, llvm::StringRef text) const;

private:
  int file;
};
using Told = std::vector<std::pair<std::string, std::string>>;

/// The last text about a subject; empty if there was none.
llvm::StringRef lastOf(const Told &told, llvm::StringRef about);

// Sanitizers make what they look at some five times slower.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr unsigned slowness = 5;
#else
inline constexpr unsigned slowness = 1;
#endif

struct Bounds {
  unsigned cpuSeconds = 60 * slowness; // processor time
  unsigned wallSeconds = 600 * slowness; // elapsed time
  unsigned megabytes = 4096; // address space
};

struct Ended {
  enum How { Well, Crashed, TooLong } how = Well;
  std::string problem; // "signal 11", with the output on standard error; empty: none
  Told told;
};

/// Runs several processes at the same time.
class Processes {
public:
  /// Runs `work` in a forked process.
  void start(std::uint64_t id, const Bounds &bounds, const std::function<void(const Teller &)> &work);
  size_t running() const { return children.size(); }
  /// Waits until a process ends; one must be running. Returns its id and result.
  std::pair<std::uint64_t, Ended> wait();

private:
  struct Child {
    std::uint64_t id = 0;
    int output = -1, errors = -1; // a pipe and a file
    double deadline = 0;
    std::string received;
    bool isLate = false;
  };
  Ended end(pid_t process, Child &child);

  std::map<pid_t, Child> children;
};

/// Runs `work` in a process and waits for it.
Ended runAlone(const Bounds &bounds, const std::function<void(const Teller &)> &work);

} // namespace quadrille::compiler::fuzz

#endif // QUADRILLE_TEST_FUZZ_ISOLATION_H
