//===- main.cpp - The quadrille command -------------------------------------------------------------------------------------------------===//

#include "Commands.h"

#include "evaluate/Evaluate.h"
#include "run/Installation.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/PrettyStackTrace.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/thread.h"

#include <sysexits.h>
#include <unistd.h>

using namespace quadrille::compiler;

/// Shorter to read in messages, if the folder lies below the current one.
static std::string fromHere(const std::string &folder) {
  llvm::SmallString<256> here;
  llvm::StringRef rest = folder;
  if (!llvm::sys::fs::current_path(here) && rest.consume_front(here) && rest.consume_front("/") && !rest.empty())
    return rest.str();
  return folder;
}

static bool wantsColour() {
  if (llvm::sys::Process::GetEnv("NO_COLOR").value_or("") != "")
    return false;
  return llvm::sys::Process::StandardErrHasColors();
}

static int dispatch(Session &session) {
  switch (session.options.command) {
  case Command::Check:
    return checkCommand(session);
  case Command::Prove:
    return proveCommand(session);
  case Command::Cost:
    return costCommand(session);
  case Command::Emit:
    return emitCommand(session);
  case Command::Run:
    return runCommand(session);
  case Command::Draw:
    return drawCommand(session);
  case Command::List:
    return listCommand(session);
  case Command::Colour:
    return colourCommand(session);
  case Command::Calibrate:
    return calibrateCommand(session);
  case Command::Explain:
  case Command::Config:
  case Command::Completion:
  case Command::Man:
    break; // which read no library
  }
  return 0;
}

static int realMain(int argc, char **argv) {
  int status = 0;
  std::optional<Options> options = parseCommandLine(argc, argv, status);
  if (!options)
    return status;
  setEffort(options->effort);
  options->executable = llvm::sys::fs::getMainExecutable(argv[0], reinterpret_cast<void *>(&fromHere));
  if (options->command == Command::Explain)
    return explainCommand(*options, run::dataFolder(options->executable, "docs/diagnostics"));
  if (options->command == Command::Man)
    return manCommand();
  Sources sources;
  Diagnostics diagnostics(sources, llvm::errs(), options->diagnosticsFormat, wantsColour());
  std::string root = llvm::sys::Process::GetEnv("QUADRILLE_LIBRARY").value_or(run::dataFolder(options->executable, "schedules"));
  Library library(fromHere(root), sources, diagnostics);
  status = 1;
  if (options->command == Command::Config) {
    status = configCommand(*options, diagnostics);
  } else if (options->command == Command::Completion) {
    status = completionCommand(*options, library);
  } else if (library.loadStandard()) {
    Session session{*options, sources, diagnostics, library};
    status = dispatch(session);
  }
  llvm::outs().flush();
  if (std::error_code error = llvm::outs().error()) {
    diagnostics.reportFile("<stdout>", diag::OutputUnwritable{.reason = error.message()});
    llvm::outs().clear_error();
    status = 1;
  }
  diagnostics.finish();
  return status;
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  llvm::setBugReportMsg("quadrille ended by a fault of its own. Please report it to its maintainers, with the command and the files "
                        "that it read.\n");
  // Nobody reads any more. Other threads may be at work, so nothing is torn down under them.
  llvm::sys::SetOneShotPipeSignalFunction([] { _exit(EX_IOERR); });
  // The main thread's stack is what the shell left us.
  int status = 0;
  auto work = [&] { status = realMain(argc, argv); };
  llvm::thread worker(evaluationStackBytes, work);
  worker.join();
  return status;
}
