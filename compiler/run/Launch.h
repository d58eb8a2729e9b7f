//===- Launch.h - Starting compiled programs -------------------------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_RUN_LAUNCH_H
#define QUADRILLE_RUN_LAUNCH_H

#include "Toolchain.h"

#include "llvm/ADT/SmallString.h"

#include <system_error>

namespace quadrille::compiler::run {

/// A directory that vanishes with its files.
class Scratch {
public:
  Scratch();
  ~Scratch();
  Scratch(const Scratch &) = delete;
  Scratch &operator=(const Scratch &) = delete;
  std::string file(llvm::StringRef name) const;

  std::error_code failure;

private:
  llvm::SmallString<256> directory;
};

enum class Ended { Well, Badly, TooLate, NotAtAll };

struct Launched {
  Ended ended = Ended::Well;
  std::string problem; // what the system or the program said, if it did not end well
};

/// Runs a program: as it is if its ranks are threads, else p times under the launcher, also with more ranks than cores. What
/// it prints goes to a file of `scratch`.
Launched launch(const Toolchain &toolchain, const std::string &program, std::int64_t p, llvm::ArrayRef<std::string> arguments,
                std::uint64_t timeoutSeconds, const Scratch &scratch);

} // namespace quadrille::compiler::run

#endif // QUADRILLE_RUN_LAUNCH_H
