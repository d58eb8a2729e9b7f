//===- LspCommand.cpp - quadrille lsp ---------------------------------------------------------------------------===//

#include "Given.h"

#include "lsp/Server.h"
#include "run/Installation.h"

#include "llvm/ADT/StringSwitch.h"

namespace quadrille::compiler {

int lspCommand(const Options &options, const std::string &library) {
  lsp::Settings settings;
  settings.root = library;
  settings.searched = options.searched;
  settings.executable = options.executable;
  settings.documentation = run::dataFolder(options.executable, "docs");
  settings.checks = checkOptions(options);
  settings.proofs = defaultProofOptions(options);
  settings.wantProof = options.wantProof;
  settings.useCache = options.useCache;
  settings.warningsAreErrors = options.warningsAreErrors;
  settings.memoryBytes = options.memoryBytes;
  settings.maxSeconds = options.maxSeconds;
  settings.runCommand = [&](llvm::StringRef command, const std::string &schedule, Sources &sources, Diagnostics &diagnostics, Library &known) {
    Options own = options;
    own.command = llvm::StringSwitch<Command>(command).Case("prove", Command::Prove).Case("draw", Command::Draw).Default(Command::Check);
    own.files = {schedule};
    Session session{own, sources, diagnostics, known};
    switch (own.command) {
    case Command::Prove:
      proveCommand(session);
      break;
    case Command::Draw:
      drawCommand(session);
      break;
    default:
      checkCommand(session);
    }
  };
  return lsp::serve(settings);
}

} // namespace quadrille::compiler
