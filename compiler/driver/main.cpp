//===- main.cpp - The quadrille command -------------------------------------------------------------------------------------------------===//

#include "Commands.h"

#include "evaluate/EvaluationThread.h"
#include "limits/Limits.h"
#include "report/ProgressLine.h"
#include "run/Installation.h"
#include "run/Interruption.h"

#include "llvm/Support/Errno.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/PrettyStackTrace.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"

#include <cerrno>
#include <csignal>
#include <sysexits.h>
#include <unistd.h>

using namespace quadrille::compiler;

#ifdef __SANITIZE_ADDRESS__
/// What GiNaC's numbers keep to the end is no leak of ours.
extern "C" const char *__lsan_default_suppressions() { return "leak:libcln"; }
#endif

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
  case Command::Plot:
    return plotCommand(session);
  case Command::List:
    return listCommand(session);
  case Command::Colour:
    return colourCommand(session);
  case Command::Calibrate:
    return calibrateCommand(session);
  case Command::Tune:
    return tuneCommand(session);
  case Command::New:
    return newCommand(session);
  case Command::Cache:
  case Command::Fmt:
  case Command::Lsp:
  case Command::Explain:
  case Command::Config:
  case Command::Test:
  case Command::Completion:
  case Command::Man:
    break; // these read no library
  }
  return 0;
}

/// Whether a diagnostic is about the value of an option, and not about a schedule or another file.
static bool isAboutCommandLine(diag::Id id) {
  switch (id) {
  case diag::Id::UnknownElementType:
  case diag::Id::UnknownOperator:
  case diag::Id::OperatorNotOnType:
  case diag::Id::InputValue:
  case diag::Id::InputCount:
  case diag::Id::WrongLengthCount:
  case diag::Id::NoSuchRound:
  case diag::Id::NoProjectName:
  case diag::Id::RootOutOfRange:
  case diag::Id::RankOutOfRange:
  case diag::Id::RunSizeOutOfRange:
  case diag::Id::LateRank:
    return true;
  default:
    return false;
  }
}

/// Whether nothing but the command line is wrong.
static bool isUsageError(const Diagnostics &diagnostics) {
  bool any = false;
  for (const Diagnostic &diagnostic : diagnostics.reported())
    if (diagnostics.severityOf(diagnostic) == diag::Severity::Error) {
      any = true;
      if (!isAboutCommandLine(diagnostic.id()))
        return false;
    }
  return any;
}

/// Warns of variables of the environment that have no effect, as their values say nothing.
static void warnOfIgnoredSettings(Diagnostics &diagnostics) {
  if (const std::string text = ProgressLine::ignoredSetting(); !text.empty())
    diagnostics.report({}, diag::SettingIgnored{.variable = "QUADRILLE_PROGRESS", .value = text, .expected = diag::SettingSeconds{}});
}

/// Reports also if standard output could not be written. \returns the exit status.
static int finish(int status, Diagnostics &diagnostics) {
  llvm::outs().flush();
  if (std::error_code error = llvm::outs().error()) {
    diagnostics.reportFile("<stdout>", diag::OutputUnwritable{.library = "", .reason = error.message()});
    llvm::outs().clear_error();
    status = 1;
  }
  diagnostics.finish();
  return status == 1 && isUsageError(diagnostics) ? 2 : status;
}

static int realMain(int argc, char **argv) {
  int status = 0;
  Sources sources;
  std::optional<Options> options = parseCommandLine(argc, argv, status);
  if (!options) { // --help or --version, or a mistake
    Diagnostics diagnostics(sources, llvm::errs(), DiagnosticsFormat::Text, wantsColour());
    return finish(status, diagnostics);
  }
  setEffort(options->effort);
  options->executable = llvm::sys::fs::getMainExecutable(argv[0], reinterpret_cast<void *>(&wantsColour));
  Diagnostics diagnostics(sources, llvm::errs(), options->diagnosticsFormat, wantsColour(), options->warningsAreErrors);
  diagnostics.setDocumentation(run::dataFolder(options->executable, "docs/diagnostics"));
  if (options->command == Command::Explain)
    return finish(explainCommand(*options, run::dataFolder(options->executable, "docs/diagnostics")), diagnostics);
  if (options->command == Command::Man)
    return finish(manCommand(), diagnostics);
  if (options->command == Command::Cache)
    return finish(cacheCommand(*options), diagnostics);
  warnOfIgnoredSettings(diagnostics);
  if (options->command == Command::Fmt)
    return finish(fmtCommand(*options, sources, diagnostics), diagnostics);
  std::string root = llvm::sys::Process::GetEnv("QUADRILLE_LIBRARY").value_or("");
  if (root.empty())
    root = run::dataFolder(options->executable, "schedules");
  if (options->command == Command::Lsp)
    return lspCommand(*options, pathFromHere(root));
  // A folder of -I must exist. One of $QUADRILLE_PATH need not, as usual in such lists.
  for (const std::string &folder : llvm::ArrayRef(options->searched).take_front(options->searchedByOption)) {
    const int error = ::access(folder.empty() ? "" : (folder + "/.").c_str(), X_OK) == 0 ? 0 : errno;
    if (error)
      diagnostics.report({}, diag::SearchedFolderMissing{.folder = folder, .reason = error == ENOENT || error == ENOTDIR ? "" : llvm::sys::StrError(error)});
  }
  Library library(pathFromHere(root), options->searched, sources, diagnostics);
  status = 1;
  if (options->command == Command::Config) {
    status = configCommand(*options, diagnostics);
  } else if (options->command == Command::Test) {
    status = testCommand(*options, diagnostics);
  } else if (options->command == Command::Completion) {
    status = completionCommand(*options, library);
  } else if (library.loadStandard()) {
    Session session{*options, sources, diagnostics, library};
    status = dispatch(session);
  }
  return finish(status, diagnostics);
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  llvm::setBugReportMsg("quadrille ended by a fault of its own. Please report it to its maintainers, with the command and the files "
                        "that it read.\n");
  // Called if the reader of our output has gone. Other threads may be running, so exit without destroying anything.
  llvm::sys::SetOneShotPipeSignalFunction([] {
    run::endWhatWasStarted(SIGTERM);
    _exit(EX_IOERR);
  });
  // A file that grows beyond the shell's limit is then an error of writing, which is reported.
  std::signal(SIGXFSZ, SIG_IGN);
  // The work is done in a thread with a large stack; the size of the main thread's stack is the shell's limit.
  int status = 0;
  EvaluationThread worker([&] { status = realMain(argc, argv); });
  if (const std::error_code failure = worker.failure()) {
    Sources none;
    Diagnostics diagnostics(none, llvm::errs(), DiagnosticsFormat::Text, wantsColour());
    diagnostics.reportFile("", diag::NoStack{.megabytes = limits::evaluationStack >> 20, .reason = failure.message()});
    return 1;
  }
  worker.join();
  return status;
}
