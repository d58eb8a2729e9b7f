//===- Build.h - Compiling emitted code, once -------------------------------------------------------------------------*- C++ -*-===//
//
// Keeps every compiled unit and every program in the cache, under a hash of all that goes into it. So a schedule is compiled
// once, however often and with whatever other schedules it is run.
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

/// A source file to be compiled, with the emitted files that it includes.
struct Unit {
  std::vector<std::pair<std::string, std::string>> files; // name and text; the first is compiled
  llvm::SMRange range;                                    // the place that is reported if it does not compile
};

class Builder {
public:
  using Progress = llvm::function_ref<void(size_t done, size_t of)>;

  /// `commonIncludes`: headers that every unit includes. If there are many units, they are precompiled.
  Builder(const Toolchain &toolchain, std::vector<std::string> commonIncludes, Diagnostics &diagnostics);

  /// Compiles units in parallel and returns their object files; "" for a unit that the compiler refuses, which is reported.
  /// `progress` gets the number of compiled units and the total. Nothing after an error that does not belong to a unit, which is
  /// reported.
  std::optional<std::vector<std::string>> compile(llvm::ArrayRef<Unit> units, Progress progress);

  /// Links these object files with the libraries of the runtime and returns the program; nothing after an error, which is
  /// reported.
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
  std::string cache;      // the folder for what is compiled; empty if there is none to write to, which has been reported
  const bool isTemporary; // the folder belongs to this process and is removed when it ends
  std::string sources, libraries; // names, sizes and times of the compiler and the headers, and of the runtime's libraries
};

} // namespace run
} // namespace quadrille::compiler

#endif // QUADRILLE_RUN_BUILD_H
