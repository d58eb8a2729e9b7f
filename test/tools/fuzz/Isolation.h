//===- Isolation.h - Work in processes of their own ------------------------------------------------------------*- C++ -*-===//
//
// What crashes, hangs or takes all memory ends its own process and is told about like any other result.
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

/// What a process tells while it works, in order: what it is about, and the text.
class Teller {
public:
  explicit Teller(int file) : file(file) {}
  void tell(llvm::StringRef about, llvm::StringRef text) const;

private:
  int file;
};
using Told = std::vector<std::pair<std::string, std::string>>;

/// The last that was told about something; empty: nothing was.
llvm::StringRef lastOf(const Told &told, llvm::StringRef about);

struct Bounds {
  unsigned cpuSeconds = 60;   // of the processor, whatever else the machine does
  unsigned wallSeconds = 600; // where it only waits
  unsigned megabytes = 4096;  // of address space
};

struct Ended {
  enum How { Well, Crashed, TooLong } how = Well;
  std::string problem; // "signal 11", with what it said on standard error
  Told told;
};

/// Processes that run at the same time.
class Processes {
public:
  /// Runs `work` in a process of its own, with a copy of all that is in memory.
  void start(std::uint64_t id, const Bounds &bounds, const std::function<void(const Teller &)> &work);
  size_t running() const { return children.size(); }
  /// Waits for one of them to end. There must be one.
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

/// One process, waited for.
Ended runAlone(const Bounds &bounds, const std::function<void(const Teller &)> &work);

} // namespace quadrille::compiler::fuzz

#endif // QUADRILLE_TEST_FUZZ_ISOLATION_H
