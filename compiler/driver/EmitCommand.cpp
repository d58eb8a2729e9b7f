//===- EmitCommand.cpp - quadrille emit -----------------------------------------------------------------------------------------------===//

#include "Given.h"
#include "Plans.h"

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

static bool writeSource(Session &session, llvm::StringRef folder, const std::string &name, const std::string &text) {
  llvm::SmallString<256> path(folder);
  llvm::sys::path::append(path, name);
  return writeFile(path, [&](llvm::raw_ostream &out) { out << text; }, session.diagnostics);
}

int emitCommand(Session &session) {
  const Options &options = session.options;
  if (options.explain)
    return explainPlans(session);
  emit::EmitOptions emitOptions;
  emitOptions.backend = options.backend == BackendChoice::Mpi ? emit::Backend::Mpi : emit::Backend::Shm;
  emitOptions.nameSpace = options.nameSpace;
  const CheckOptions check = checkOptions(options);
  for (const std::string &file : options.files)
    for (const ir::Schedule *schedule : session.library.find(file)) {
      // The emitter relies on the checks.
      Verdict verdict = checkSchedule(*schedule, check);
      if (verdict.failure) {
        session.diagnostics.report(*verdict.failure);
        continue;
      }
      emitOptions.claims = claimsOf(verdict);
      emit::EmittedCode code = emit::emitSchedule(*schedule, session.library.program(), session.sources, emitOptions);
      if (options.output == "-") {
        llvm::outs() << code.header << '\n' << code.source;
        continue;
      }
      std::string folder = options.output.empty() ? "." : options.output;
      if (writeSource(session, folder, code.baseName + ".h", code.header))
        writeSource(session, folder, code.baseName + ".cpp", code.source);
    }
  return session.diagnostics.errorCount() ? 1 : 0;
}

} // namespace quadrille::compiler
