//===- TestCommand.cpp - quadrille test ------------------------------------------------------------------------------------===//
//
// Runs LLVM's lit on the tests of a project. share/quadrille/lit defines what their RUN lines may use.
//
//===----------------------------------------------------------------------------------------------------------------===//

#include "CommandLine.h"
#include "Commands.h"

#include "diagnostics/OutputFile.h"
#include "run/Launch.h"
#include "run/ProcessGroup.h"
#include "run/TestTools.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdlib>

namespace quadrille::compiler {

namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

static std::string inside(llvm::StringRef folder, llvm::StringRef below) {
  llvm::SmallString<128> result(folder);
  path::append(result, below);
  return std::string(result);
}

static bool isSuite(llvm::StringRef folder) {
  return llvm::any_of(llvm::ArrayRef{"lit.site.cfg.py", "lit.cfg.py", "lit.site.cfg", "lit.cfg"},
                      [&](llvm::StringRef name) { return fs::exists(inside(folder, name)); });
}

/// The path that lit is to run for a folder, or for a single test of a suite; empty if there is no suite, which has been reported.
static std::string testsIn(const std::string &given, Diagnostics &diagnostics) {
  llvm::SmallString<256> real;
  if (std::error_code failure = fs::real_path(given, real)) {
    diagnostics.reportFile(given, diag::FileUnreadable{.reason = failure.message(), .folder = false});
    return "";
  }
  if (isSuite(real))
    return given;
  if (const std::string tests = inside(given, "tests"); isSuite(tests))
    return tests;
  // The argument may be a part of a suite, or one of its tests.
  for (llvm::StringRef above = path::parent_path(real); !above.empty(); above = path::parent_path(above))
    if (isSuite(above))
      return given;
  diagnostics.reportFile(given, diag::NoTests{.reason = diag::WithoutTestsNoConfiguration{}});
  return "";
}

namespace {

class Lit {
public:
  Lit(const run::TestTools &tools, const std::string &executable) : tools(tools) {
    // Tests run this compiler, wherever it is. Their configuration finds it as `quadrille` in PATH.
    std::string searched = path::parent_path(executable).str();
    for (const std::string &more : {llvm::sys::Process::GetEnv("PATH").value_or(""), tools.fileCheckFolder})
      if (!more.empty())
        searched += llvm::sys::EnvPathSeparator + more;
    ::setenv("PATH", searched.c_str(), /*overwrite=*/1);
  }

  /// Runs lit. \returns its exit status. `log`: the file for its output; empty: the user sees it.
  int run(llvm::ArrayRef<std::string> arguments, const std::string &log, std::optional<diag::Failure> &problem) const {
    llvm::outs().flush();
    std::vector<std::string> words(tools.lit.begin(), tools.lit.end());
    words.insert(words.end(), arguments.begin(), arguments.end());
    return run::runInGroup(words, log, problem).value_or(-1);
  }

private:
  const run::TestTools &tools;
};

} // namespace

/// The exit status where lit finds no test, or none that --filter names; nothing where it does. Reports why, since lit's own messages are about
/// its own options, and long.
static std::optional<int> hasNoTests(const Lit &lit, run::Scratch &scratch, const std::string &given, const std::string &tests,
                                     const std::string &filter, Diagnostics &diagnostics) {
  std::optional<diag::Failure> problem;
  const std::string log = scratch.file("tests");
  std::vector<std::string> arguments{"--no-execute", "--quiet", tests};
  if (!filter.empty())
    arguments.push_back("--filter=" + filter);
  const int status = lit.run(arguments, log, problem);
  auto said = llvm::MemoryBuffer::getFile(log);
  const llvm::StringRef text = said ? (*said)->getBuffer() : llvm::StringRef();
  // "lit: error: argument --filter: invalid regular expression: 'x(', missing ), unterminated subpattern at position 1"
  if (auto [usage, why] = text.split("invalid regular expression: "); status != 0 && !filter.empty() && !why.empty()) {
    why.consume_front("'" + filter + "'");
    complain("option --filter: '" + filter + "' is no regular expression" + why.split('\n').first, "test");
    return 2;
  }
  if (text.contains("filter did not match any tests")) {
    diagnostics.reportFile(given, diag::NoTests{.reason = diag::WithoutTestsNoneMatches{.filter = filter}});
    return 1;
  }
  if (text.contains("did not discover any tests")) {
    diagnostics.reportFile(given, diag::NoTests{.reason = diag::WithoutTestsNoneFound{}});
    return 1;
  }
  if (status != 0) {
    // A configuration that Python refuses: the last line says why.
    llvm::errs() << text;
    const llvm::StringRef last = text.rtrim().rsplit('\n').second.trim();
    const diag::Failure why = last.empty() ? diag::Failure(diag::FailureStatus{.status = status}) : diag::FailureSaid{.said = last};
    diagnostics.reportFile(given, diag::TestsNotRun{.reason = problem.value_or(why)});
    return 1;
  }
  return std::nullopt;
}

int testCommand(const Options &options, Diagnostics &diagnostics) {
  const std::string given = options.files.empty() ? "." : options.files.front();
  const std::string tests = testsIn(given, diagnostics);
  if (tests.empty())
    return 1;
  const std::optional<run::TestTools> tools = run::findTestTools(diagnostics);
  if (!tools)
    return 1;
  run::Scratch scratch;
  if (scratch.failure) {
    diagnostics.reportFile(given, diag::TestsNotRun{.reason = diag::FailureNoTemporaryFolder{.said = scratch.failure.message()}});
    return 1;
  }
  const Lit lit(*tools, options.executable);
  if (const std::optional<int> status = hasNoTests(lit, scratch, given, tests, options.filter, diagnostics))
    return *status;
  // -v: lit shows the output of tests that fail.
  std::vector<std::string> arguments{"-v"};
  if (options.jobs)
    arguments.push_back("-j" + std::to_string(options.jobs));
  if (!options.filter.empty())
    arguments.push_back("--filter=" + options.filter);
  // lit writes the report to a temporary file. It is then written like all other output, with the same messages if that fails.
  const std::string report = scratch.file("report.xml");
  if (!options.junit.empty())
    arguments.push_back("--xunit-xml-output=" + report);
  arguments.push_back(tests);
  std::optional<diag::Failure> problem;
  const int status = lit.run(arguments, "", problem);
  // 1: a test failed, and lit has said which.
  if (status != 0 && status != 1)
    diagnostics.reportFile(given, diag::TestsNotRun{.reason = problem.value_or(diag::FailureStatus{.status = status})});
  if (auto written = llvm::MemoryBuffer::getFile(report))
    if (!writeFile(options.junit, [&](llvm::raw_ostream &out) { out << (*written)->getBuffer(); }, diagnostics))
      return 1;
  return status == 0 ? 0 : 1;
}

} // namespace quadrille::compiler
