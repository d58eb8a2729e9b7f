//===- ConfigCommand.cpp - quadrille config ---------------------------------------------------------------------------------------===//

#include "Commands.h"

#include "run/Installation.h"
#include "run/Toolchain.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"

namespace quadrille::compiler {

/// A word, quoted so that a shell reads the same word.
static std::string escaped(llvm::StringRef word) {
  std::string result;
  for (char c : word) {
    if (llvm::StringRef(" \t'\"\\$`&|;()<>*?[]#~!{}").contains(c))
      result += '\\';
    result += c;
  }
  return result;
}

static std::string joined(llvm::ArrayRef<std::string> words) {
  std::string line;
  for (const std::string &word : words)
    line += (line.empty() ? "" : " ") + escaped(word);
  return line;
}

/// The file that lit test suites of users load. Empty after an error, which has been reported.
static std::string litFile(const Options &options, Diagnostics &diagnostics) {
  llvm::SmallString<256> file(run::dataFolder(options.executable, "lit"));
  llvm::sys::path::append(file, "quadrille.cfg.py");
  if (llvm::sys::fs::exists(file))
    return std::string(file);
  diagnostics.report({}, diag::InstallationIncomplete{.what = diag::InstalledTestSupport{}, .folder = llvm::sys::path::parent_path(file).str()});
  return "";
}

/// Prints all that programs may ask for. What is not installed is left out.
static void printAll(const Options &options) {
  Sources sources;
  Diagnostics unheard(sources, llvm::nulls(), DiagnosticsFormat::Text, /*colour=*/false);
  llvm::json::OStream json(llvm::outs(), 2);
  auto words = [&](llvm::StringRef name, llvm::ArrayRef<std::string> list) {
    json.attributeArray(name, [&] {
      for (const std::string &word : list)
        json.value(word);
    });
  };
  json.object([&] {
    json.attribute("version", QUADRILLE_VERSION);
    json.attribute("executable", options.executable);
    json.attribute("compiler", joined(run::compilerWords()));
    json.attribute("schedules", run::dataFolder(options.executable, "schedules"));
    if (const std::string file = litFile(options, unheard); !file.empty())
      json.attribute("lit", file);
    json.attributeArray("backends", [&] {
      for (emit::Backend backend : {emit::Backend::Shm, emit::Backend::Mpi}) {
        const std::optional<run::ProgramFlags> flags = run::findProgramFlags(backend, options.executable, unheard);
        if (!flags)
          continue;
        json.object([&] {
          json.attribute("name", emit::backendName(backend));
          words("cflags", flags->compile);
          words("libs", flags->link);
          if (backend != emit::Backend::Mpi)
            return;
          json.attribute("flavour", run::mpiFlavour());
          if (const std::optional<run::Launcher> launcher = run::findLauncher(options.launcher, unheard))
            words("launcher", launcher->words);
        });
      }
    });
  });
  llvm::outs() << '\n';
}

int configCommand(const Options &options, Diagnostics &diagnostics) {
  if (!options.format.empty()) {
    printAll(options);
    return 0;
  }
  if (options.litFile) {
    const std::string file = litFile(options, diagnostics);
    if (file.empty())
      return 1;
    llvm::outs() << file << '\n';
    return 0;
  }
  const emit::Backend backend = options.backend == BackendChoice::Mpi ? emit::Backend::Mpi : emit::Backend::Shm;
  std::optional<run::ProgramFlags> flags = run::findProgramFlags(backend, options.executable, diagnostics);
  if (!flags)
    return 1;
  std::vector<std::string> line;
  if (options.compileFlags)
    line.insert(line.end(), flags->compile.begin(), flags->compile.end());
  if (options.linkFlags)
    line.insert(line.end(), flags->link.begin(), flags->link.end());
  llvm::outs() << joined(line) << '\n';
  return 0;
}

} // namespace quadrille::compiler
