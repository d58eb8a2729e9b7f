//===- Launch.h - Starting compiled programs -------------------------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_RUN_LAUNCH_H
#define QUADRILLE_RUN_LAUNCH_H

#include "Interruption.h"
#include "Toolchain.h"

#include "diagnostics/Diagnostics.h"
#include "evaluate/NodeMap.h"

#include <optional>
#include <string>
#include <system_error>

namespace quadrille::compiler::run {

/// A temporary directory that the destructor removes with its files, and an interruption too.
class Scratch {
public:
  Scratch();
  ~Scratch();
  Scratch(const Scratch &) = delete;
  Scratch &operator=(const Scratch &) = delete;
  std::string file(llvm::StringRef name) const;
  const std::string &path() const { return directory; }
  /// Leaves the directory and its files to the user.
  void keep() { isKept = true; }

  std::error_code failure;
  /// Reports that the directory could not be made.
  void reportFailure(Diagnostics &diagnostics) const;

private:
  std::string directory;
  bool isKept = false;
  InterruptionGuard guard;
};

enum class Ended { Well, Badly, TooLate, NotAtAll };

struct Launched {
  Ended ended = Ended::Well;
  std::optional<diag::Failure> problem; // if it did not end well
};

/// Runs a program: directly if its ranks are threads, else p times under the launcher, which may be more than there are cores.
/// Its output goes to a file of `scratch`. It is killed after `timeoutSeconds`. `nodes`: for QUADRILLE_NODES, which stays as it is if
/// nothing is chosen.
Launched launch(const Toolchain &toolchain, const std::string &program, std::int64_t p, llvm::ArrayRef<std::string> arguments,
                std::uint64_t timeoutSeconds, const Scratch &scratch, const NodeChoice &nodes = {});

} // namespace quadrille::compiler::run

#endif // QUADRILLE_RUN_LAUNCH_H
