//===- EmitCommand.cpp - quadrille emit -----------------------------------------------------------------------------------------------===//

#include "Given.h"
#include "Plans.h"

#include "check/CaseSearch.h"
#include "diagnostics/OutputFile.h"
#include "emit/Emit.h"
#include "report/Text.h"
#include "report/VerdictReport.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

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
  Written(Session &session) : session(session), folder(session.options.output.empty() ? "." : session.options.output) {}

  std::string path(const std::string &name) const {
    llvm::SmallString<256> result(folder);
    llvm::sys::path::append(result, name);
    return std::string(result);
  }

  void write(const std::string &name, const std::string &text) {
    files.push_back(path(name));
    writeIfChanged(files.back(), text, session.diagnostics);
  }

  /// A rule for make: what was written, or what stands for it, depends on all that was read.
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

int emitCommand(Session &session) {
  const Options &options = session.options;
  if (options.explain)
    return explainPlans(session);
  emit::EmitOptions emitOptions;
  emitOptions.backend = options.backend == BackendChoice::Mpi ? emit::Backend::Mpi : emit::Backend::Shm;
  emitOptions.nameSpace = options.nameSpace;
  const CheckOptions check = checkOptions(options);
  Written written(session);
  for (const std::string &file : options.files)
    for (const ir::Schedule *schedule : session.library.find(file)) {
      if (options.listOutputs) {
        const std::string name = emit::emittedName(*schedule, session.library.program(), session.sources);
        llvm::outs() << written.path(name + ".h") << '\n' << written.path(name + ".cpp") << '\n';
        continue;
      }
      // The emitter relies on the checks.
      Verdict verdict = checkSchedule(*schedule, admittedOptions(*schedule, check));
      if (verdict.failure) {
        session.diagnostics.report(*verdict.failure);
        continue;
      }
      emitOptions.claims = claimsOf(verdict);
      emit::EmittedCode code = emit::emitSchedule(*schedule, session.library.program(), session.sources, emitOptions);
      for (const auto &[name, instead] : code.renamed)
        session.diagnostics.report(schedule->nameRange, diag::NameTaken{.name = name, .instead = instead});
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
