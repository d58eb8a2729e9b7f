//===- main.cpp - libFuzzer target for texts -----------------------------------------===//
//
// Passes any text through parser, sema and the checks, within bounds. Built with the address and undefined-behaviour sanitizers
// (tools/fuzz-text). A finding is a crash, or an input that takes too long.
//
//===----------------------------------------------------------------------------------------------------------------------===//

#include "check/Check.h"
#include "evaluate/EvaluationThread.h"
#include "parse/Parser.h"
#include "sema/Sema.h"
#include "source/Sources.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <optional>

using namespace quadrille::compiler;

namespace {

/// The standard files of the library, to which every text may refer.
class Standard {
public:
  Standard() {
    Diagnostics diagnostics(sources, llvm::errs(), DiagnosticsFormat::Text, false);
    std::vector<std::string> names;
    std::error_code error;
    for (llvm::sys::fs::directory_iterator i(root, error), end; i != end && !error; i.increment(error))
      if (llvm::sys::path::extension(i->path()) == ".quad")
        names.push_back(i->path());
    std::sort(names.begin(), names.end());
    ast::File all;
    for (const std::string &name : names)
      if (std::optional<ast::File> file = parse(sources, sources.load(name).buffer, diagnostics))
        all.append(std::move(*file));
    std::vector<const ir::Schedule *> none;
    if (names.empty() || !analyze(all, root, scope, program, sources, diagnostics, unknown, none)) {
      llvm::errs() << "no library of schedules in " << root << '\n';
      std::abort();
    }
  }

  static UsedSchedule unknown(llvm::StringRef, llvm::StringRef) { return {}; }

  const std::string root = QUADRILLE_SOURCE_FOLDER "/schedules";
  Sources sources;
  ir::Program program;
  FileScope scope;
};

void compile(llvm::StringRef text) {
  // One object holds all texts, as diagnostics may point into standard files. It is replaced from time to time.
  static std::optional<Standard> standard;
  static unsigned texts = 0;
  if (texts++ % 500 == 0)
    standard.emplace();
  Sources &sources = standard->sources;
  Diagnostics diagnostics(sources, llvm::nulls(), DiagnosticsFormat::Text, false);
  const Sources::Loaded loaded = sources.loadText(text.str(), "input.quad");
  if (loaded.problem != Sources::Problem::None)
    return;
  std::optional<ast::File> file = parse(sources, loaded.buffer, diagnostics);
  if (!file)
    return;
  ir::Program program;
  FileScope scope;
  scope.parent = &standard->scope;
  std::vector<const ir::Schedule *> schedules;
  analyze(*file, "input.quad", scope, program, sources, diagnostics, Standard::unknown, schedules);
  if (diagnostics.errorCount())
    return;
  CheckOptions options;
  options.ps = {1, 2, 3, 4};
  options.limits.memoryBytes = std::uint64_t(64) << 20;
  options.limits.maxSteps = 1 << 14;
  for (const ir::Schedule *schedule : schedules) {
    Verdict verdict = checkSchedule(*schedule, options);
    if (verdict.failure)
      diagnostics.report(*verdict.failure);
  }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
  // Functions and trees may recurse to their limits.
  EvaluationThread worker([=] { compile({reinterpret_cast<const char *>(data), size}); });
  worker.join();
  return 0;
}
