//===- ConfigCommand.cpp - quadrille config ---------------------------------------------------------------------------------------===//

#include "Commands.h"

#include "run/Toolchain.h"

namespace quadrille::compiler {

/// A word as a shell reads it back.
static std::string escaped(llvm::StringRef word) {
  std::string result;
  for (char c : word) {
    if (llvm::StringRef(" \t'\"\\$`&|;()<>*?[]#~!{}").contains(c))
      result += '\\';
    result += c;
  }
  return result;
}

int configCommand(const Options &options, Diagnostics &diagnostics) {
  const emit::Backend backend = options.backend == BackendChoice::Mpi ? emit::Backend::Mpi : emit::Backend::Shm;
  std::optional<run::ProgramFlags> flags = run::findProgramFlags(backend, options.executable, diagnostics);
  if (!flags)
    return 1;
  std::string line;
  auto add = [&](const std::vector<std::string> &words) {
    for (const std::string &word : words)
      line += (line.empty() ? "" : " ") + escaped(word);
  };
  if (options.compileFlags)
    add(flags->compile);
  if (options.linkFlags)
    add(flags->link);
  llvm::outs() << line << '\n';
  return 0;
}

} // namespace quadrille::compiler
