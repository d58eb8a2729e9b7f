//===- EmitCommand.cpp - quadrille emit -----------------------------------------------------------------------------------------------===//

#include "Given.h"
#include "Plans.h"
#include "WatchedCheck.h"

#include "check/CaseSearch.h"
#include "diagnostics/OutputFile.h"
#include "emit/LibraryUnits.h"
#include "ir/Walk.h"
#include "report/ProgressLine.h"
#include "report/Text.h"
#include "report/VerdictReport.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <map>

namespace quadrille::compiler {

/// The checked claims of the schedule, for the header of the emitted file.
static std::vector<std::string> claimsOf(const Verdict &verdict) {
  const ir::Schedule &schedule = *verdict.schedule;
  std::vector<std::string> claims;
  claims.push_back("checked for p = " + rangeText(verdict.checkedPs) + (schedule.tables.empty() ? ", all n" : ", all lengths") + ": matching, no deadlock, result");
  claims.push_back("model " + verdict.strictest.text() +
                   (schedule.usesOperator ? ", operator " + lawText(schedule) : std::string()));
  if (schedule.cost)
    claims.push_back(std::string("cost ") + (schedule.cost->upperBound ? "<= " : "") + schedule.cost->text);
  return claims;
}

namespace {

/// The files that a command writes, and the texts that it read for them.
class Written {
public:
  Written(Session &session, std::string folder) : session(session), folder(std::move(folder)) {}

  std::string path(const std::string &name) const {
    llvm::SmallString<256> result(folder);
    llvm::sys::path::append(result, name);
    return std::string(result);
  }

  void write(const std::string &name, const std::string &text) {
    files.push_back(path(name));
    writeIfChanged(files.back(), text, session.diagnostics);
  }

  /// Writes a rule for make: the files that were written, or --depfile-target, depend on all texts that were read.
  void writeDependencies() const {
    const std::string &target = session.options.dependencyTarget;
    std::string rule = target.empty() ? "" : escaped(target);
    for (const std::string &file : files)
      if (target.empty())
        rule += (rule.empty() ? "" : " ") + escaped(file);
    rule += ":";
    for (const std::string &file : session.sources.files())
      rule += " \\\n  " + escaped(file);
    writeFile(session.options.dependencies, [&](llvm::raw_ostream &out) { out << rule << '\n'; }, session.diagnostics);
  }

private:
  static std::string escaped(llvm::StringRef path) {
    std::string result;
    for (char c : path) {
      if (c == ' ' || c == '#')
        result += '\\';
      if (c == '$')
        result += '$';
      result += c;
    }
    return result;
  }

  Session &session;
  const std::string folder;
  std::vector<std::string> files;
};

} // namespace

// ---- libraries that choose -------------------------------------------------------------------------------------------

/// Why a library cannot choose the schedule; nothing if it can.
static std::optional<diag::NotChosen> whyNoCandidate(const ir::Schedule &schedule, const ir::Program &program) {
  const std::string &collective = schedule.collective->name;
  if (!llvm::is_contained(emit::libraryCollectives(), collective))
    return diag::NotChosenCollective{.collective = collective};
  if (schedule.collective != program.findCollective(collective))
    return diag::NotChosenSameName{};
  if (schedule.parameterCount > 1)
    return diag::NotChosenParameters{.count = schedule.parameterCount};
  // Whether it is admitted is asked before there is a root.
  if (schedule.origin && llvm::any_of(schedule.requirements, [](const ir::Requirement &r) { return ir::asksForNodes(*r.condition); }))
    return diag::NotChosenNodesFromRoot{};
  return std::nullopt;
}

/// The schedules among which libquadrille will choose: those of the library, then those of the files. A schedule of a file that cannot be chosen
/// is reported.
static std::vector<const ir::Schedule *> schedulesToChoose(Session &session) {
  std::vector<const ir::Schedule *> chosen;
  for (const ir::Schedule *schedule : session.library.all())
    if (!whyNoCandidate(*schedule, session.library.program()))
      chosen.push_back(schedule);
  for (const std::string &file : session.options.files)
    for (const ir::Schedule *schedule : session.library.find(file)) {
      std::optional<diag::NotChosen> reason = whyNoCandidate(*schedule, session.library.program());
      if (!reason && llvm::is_contained(chosen, schedule))
        continue;
      if (llvm::any_of(chosen, [&](const ir::Schedule *other) { return other->path() == schedule->path(); }))
        reason = diag::NotChosenNameTwice{};
      if (!reason)
        chosen.push_back(schedule);
      else
        session.diagnostics.report(schedule->nameRange, diag::NoCandidate{.schedule = schedule->path(), .reason = *reason});
    }
  return chosen;
}

/// Writes the sources of a library with all schedules that can be chosen and pass the checks. Mistakes of the user are reported before the
/// checks, which take long.
static int emitLibrary(Session &session) {
  const Options &options = session.options;
  const std::vector<const ir::Schedule *> chosen = schedulesToChoose(session);
  if (session.diagnostics.errorCount() || !makeFolder(options.libraryFolder, session.diagnostics))
    return 1;
  std::vector<emit::LibraryCandidate> candidates;
  ProgressLine progress;
  for (const ir::Schedule *schedule : chosen) {
    progress.show("checking " + schedule->path());
    const Verdict verdict = checkSchedule(*schedule, admittedOptions(*schedule, checkOptions(options)));
    if (verdict.failure)
      session.diagnostics.report(*verdict.failure);
    else // the bracketing is not known only if nothing is combined, or for one rank only
      candidates.push_back({schedule, claimsOf(verdict), verdict.sameBracketing, rangeText(verdict.checkedPs)});
  }
  progress.hide();
  if (session.diagnostics.errorCount())
    return 1;
  Written written(session, options.libraryFolder);
  for (emit::Backend backend : {emit::Backend::Shm, emit::Backend::Mpi})
    for (const emit::LibraryFile &file : emit::libraryFiles(candidates, session.library.program(), session.sources, backend))
      written.write((emit::backendName(backend) + "/" + file.name).str(), file.text);
  written.write("CMakeLists.txt", emit::libraryProject());
  if (!options.dependencies.empty() && !session.diagnostics.errorCount())
    written.writeDependencies();
  return session.diagnostics.errorCount() ? 1 : 0;
}

int emitCommand(Session &session) {
  const Options &options = session.options;
  if (options.explain)
    return explainPlans(session);
  if (!options.libraryFolder.empty())
    return emitLibrary(session);
  emit::EmitOptions emitOptions;
  emitOptions.backend = options.backend == BackendChoice::Mpi ? emit::Backend::Mpi : emit::Backend::Shm;
  emitOptions.nameSpace = options.nameSpace;
  const CheckOptions check = checkOptions(options);
  Written written(session, options.output.empty() ? "." : options.output);
  std::map<std::string, const ir::Schedule *> emitted; // by the names of files
  for (const std::string &file : options.files)
    for (const ir::Schedule *schedule : session.library.find(file)) {
      const std::string baseName = emit::emittedName(*schedule, session.library.program(), session.sources);
      const auto [other, isNew] = emitted.try_emplace(baseName, schedule);
      if (!isNew && other->second != schedule && options.output != "-")
        session.diagnostics.reportFile(written.path(baseName + ".h"),
                                       diag::OutputUnwritable{.library = "", .reason = "another schedule of this command has the same name; emit each into a folder of its own"});
      if (!isNew && options.output != "-")
        continue;
      if (options.listOutputs) {
        llvm::outs() << written.path(baseName + ".h") << '\n' << written.path(baseName + ".cpp") << '\n';
        continue;
      }
      const unsigned errorsBefore = session.diagnostics.errorCount();
      // The emitter relies on the checks.
      Verdict verdict = checkWatched(*schedule, admittedOptions(*schedule, check));
      if (verdict.failure) {
        session.diagnostics.report(*verdict.failure);
        continue;
      }
      emitOptions.claims = claimsOf(verdict);
      emit::EmittedCode code = emit::emitSchedule(*schedule, session.library.program(), session.sources, emitOptions);
      for (const auto &[name, instead] : code.renamed)
        session.diagnostics.report(schedule->nameRange, diag::NameTaken{.name = name, .instead = instead});
      if (session.diagnostics.errorCount() != errorsBefore) // -Werror
        continue;
      if (options.output == "-") {
        llvm::outs() << code.header << '\n' << code.source;
        continue;
      }
      written.write(code.baseName + ".h", code.header);
      written.write(code.baseName + ".cpp", code.source);
    }
  if (!options.dependencies.empty() && !session.diagnostics.errorCount())
    written.writeDependencies();
  return session.diagnostics.errorCount() ? 1 : 0;
}

} // namespace quadrille::compiler
