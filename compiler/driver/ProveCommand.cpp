//===- ProveCommand.cpp - quadrille prove ----------------------------------------------------------------------------------------===//

#include "DataOutput.h"
#include "Given.h"

#include "diagnostics/OutputFile.h"
#include "report/ProofReport.h"
#include "report/Text.h"
#include "report/VerdictData.h"
#include "report/VerdictReport.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

namespace quadrille::compiler {

using prove::ProofVerdict;

/// Writes each obligation to a file of its own; false after an error, which has been reported.
static bool dump(Session &session, const ProofVerdict &verdict) {
  llvm::SmallString<128> folder(session.options.dump);
  llvm::sys::path::append(folder, verdict.schedule->collective->name, verdict.schedule->name);
  for (size_t i = 0; i < verdict.smtlib.size(); ++i) {
    llvm::SmallString<128> path(folder);
    std::string number = std::to_string(i + 1);
    llvm::sys::path::append(path, std::string(3 - std::min<size_t>(3, number.size()), '0') + number + ".smt2");
    if (!writeFile(path, [&](llvm::raw_ostream &out) { out << verdict.smtlib[i]; }, session.diagnostics))
      return false;
  }
  return true;
}

int proveCommand(Session &session) {
  std::vector<const ir::Schedule *> schedules;
  for (const std::string &file : session.options.files)
    llvm::append_range(schedules, session.library.find(file));
  warnOfUnreadOptions(schedules, session);
  size_t width = 0;
  for (const ir::Schedule *schedule : schedules)
    width = std::max(width, schedule->path().size());
  prove::ProofOptions options;
  options.check = checkOptions(session.options);
  options.wantObligations = !session.options.dump.empty();
  options.wantExplanations = session.options.explain;
  options.wantVacuous = session.options.verbose;
  unsigned proved = 0, refuted = 0, empty = 0, unchecked = 0;
  bool written = true;
  DataOutput output(session, "prove");
  output.results.begin();
  proveAll(session, schedules, options, [&](ProofVerdict &verdict) {
    llvm::raw_ostream &out = output.text();
    if (verdict.checked.failure)
      session.diagnostics.report(*verdict.checked.failure);
    else if (verdict.nothingAdmitted)
      session.diagnostics.report(noAdmissibleCase(*verdict.schedule, options.check));
    if (verdict.checked.endedBefore && !verdict.isProved())
      session.diagnostics.report(verdict.schedule->nameRange, diag::CheckEnded{.runs = false, .schedule = verdict.schedule->path(),
                                                                               .p = *verdict.checked.endedBefore, .seconds = *session.options.maxSeconds});
    for (const Diagnostic &warning : verdict.warnings)
      session.diagnostics.report(warning);
    reportMissingProofs(verdict, session.options.requiredClaims, session.diagnostics);
    output.results.add(proofEntry(verdict, session.options.requiredClaims, session.sources));
    const std::string path = verdict.schedule->path();
    if (verdict.isRefuted()) {
      out << llvm::left_justify(path, static_cast<unsigned>(width + 2)) << refutedText(verdict.checked.failure->id()) << '\n';
      ++refuted;
      return true;
    }
    proved += verdict.isProved();
    empty += verdict.nothingAdmitted;
    unchecked += verdict.checked.reachedLimit();
    printBeside(path, width + 2, proofSummary(verdict, session.sources), terminalColumns(out), out);
    if (session.options.verbose)
      printClaims(verdict, session.sources, out);
    for (const prove::Explanation &explanation : verdict.explanations) {
      out << "    " << placeText(session.sources, explanation.range) << '\n';
      for (const std::string &line : explanation.lines)
        out << "      " << line << '\n';
    }
    out.flush();
    if (options.wantObligations)
      written = dump(session, verdict);
    return written;
  });
  if (!written)
    return 1;
  if (schedules.size() > 1) {
    llvm::raw_ostream &out = output.text();
    out << proved << " of " << schedules.size() << " proved, " << refuted << " refuted, "
        << schedules.size() - proved - refuted - empty - unchecked << " checked for some p only";
    if (empty > 0)
      out << ", " << empty << " without anything to prove";
    if (unchecked > 0)
      out << ", " << unchecked << " not checked";
    out << '\n';
  }
  return output.finish(session.diagnostics.errorCount() ? 1 : 0);
}

} // namespace quadrille::compiler
