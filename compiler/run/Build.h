//===- Build.h - Compiling emitted code, once -------------------------------------------------------------------------*- C++ -*-===//
//
// Every unit and every program is kept in the cache, under a hash of all that goes into it. So a schedule is compiled once, however
// many runs with whichever others it takes part in.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_RUN_BUILD_H
#define QUADRILLE_RUN_BUILD_H

#include "Toolchain.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/SMLoc.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace quadrille::compiler {

class Diagnostics;

namespace run {

/// A source file to be compiled, with the files that it includes.
struct Unit {
  std::vector<std::pair<std::string, std::string>> files; // name and text; the first is compiled
  llvm::SMRange range;                                    // what to blame if that fails
};

class Builder {
public:
  using Progress = llvm::function_ref<void(size_t done, size_t of)>;

  /// `commonIncludes`: the headers with which every unit could begin. They are compiled ahead where there are many units.
  Builder(const Toolchain &toolchain, std::vector<std::string> commonIncludes, Diagnostics &diagnostics);

  /// The object files, several made at once; empty for a unit that the compiler refuses, which is reported.
  /// `progress` is told how many are done, and of how many. Nothing after an error that is not a unit's own.
  std::optional<std::vector<std::string>> compile(llvm::ArrayRef<Unit> units, Progress progress);

  /// The program made of these and of the libraries of the runtime; nothing after an error, which is reported.
  std::optional<std::string> link(llvm::ArrayRef<std::string> objects);

private:
  struct Job;

  std::string keyOf(llvm::ArrayRef<llvm::StringRef> parts) const;
  bool prepare(Job &job);
  bool start(Job &job);
  bool runAll(llvm::MutableArrayRef<Job> jobs, Progress progress);
  std::optional<std::string> finish(const Job &job, llvm::SMRange range);
  std::optional<std::vector<std::string>> precompiled();

  const Toolchain &toolchain;
  std::vector<std::string> commonIncludes;
  Diagnostics &diagnostics;
  std::string cache;
  std::string sources, libraries; // what the compiler and the headers, and the libraries of the runtime look like
};

} // namespace run
} // namespace quadrille::compiler

#endif // QUADRILLE_RUN_BUILD_H
