//===- CheckCommand.cpp - quadrille check -----------------------------------------------------------------------------------------===//

#include "DataOutput.h"
#include "Given.h"
#include "WatchedCheck.h"

#include "check/CaseSearch.h"
#include "draw/ContentsTrace.h"
#include "ir/Print.h"
#include "ir/Walk.h"
#include "limits/Limits.h"
#include "report/ProgressLine.h"
#include "report/ProofReport.h"
#include "report/Text.h"
#include "report/VerdictData.h"
#include "report/VerdictReport.h"

#include "llvm/Support/raw_ostream.h"

#include <functional>
#include <set>

namespace quadrille::compiler {

/// Prints, round by round, the contents of buffers in the single case of the options. The checks report errors in it.
static void printTrace(Session &session, const ir::Schedule &schedule, CheckOptions options) {
  auto tooLong = [&](std::uint64_t count, bool more, const diag::Shown &what, const LimitInForce &limit) {
    session.diagnostics.report(schedule.nameRange,
                               diag::TraceTooLong{.count = count, .more = more, .what = what, .loads = false, .parameter = schedule.parameterCount != 0, .limit = limit});
  };
  if (options.ps[0] > limits::tracedRanks)
    return tooLong(static_cast<std::uint64_t>(options.ps[0]), false, diag::ShownRanks{}, limits::tracedRanks);
  options.wantBrackets = false;
  TreeCache trees;
  bool allRoots = true;
  std::optional<std::int64_t> n;
  if (!options.lengths.empty())
    n = options.lengths[0];
  draw::ContentsTrace trace(schedule, limits::tracedBlocks, n);
  std::string heading = schedule.path();
  try {
    for (const Case &instance : casesAt(schedule, options.ps[0], options, allRoots)) {
      if (!admits(schedule, instance, trees))
        return;
      heading += " at " + caseText(schedule, instance) + (n ? ", n = " + std::to_string(*n) : "");
      checkCase(schedule, instance, options, schedule.requiresCommutative, trees, &trace);
    }
  } catch (const draw::TooMuchToShow &) {
    return tooLong(limits::tracedBlocks.value(), true, diag::ShownBlocks{}, limits::tracedBlocks);
  } catch (const Finding &) {
    // The trace shows the rounds up to the error.
  } catch (const EvaluationError &) {
  }
  llvm::outs() << heading << "\n\n";
  for (const draw::Table &table : trace.tables()) {
    printWrapped(table, terminalColumns(llvm::outs()), llvm::outs());
    llvm::outs() << '\n';
  }
  llvm::outs().flush(); // before the diagnostics about it
}

/// Whether a schedule was made for a `use` that gives trees, so its name stands in no text.
static bool isMadeForUse(const ir::Schedule &schedule) {
  const char *begin = schedule.nameRange.Start.getPointer();
  return llvm::StringRef(begin, static_cast<size_t>(schedule.nameRange.End.getPointer() - begin)) != schedule.name;
}

/// Prints schedules and, before the first one of a file, the file's other declarations, so that the output is a schedule file
/// again.
static void printIr(const Session &session, llvm::ArrayRef<const ir::Schedule *> schedules) {
  const ir::Program &program = session.library.program();
  auto bufferOf = [&](llvm::SMRange range) { return session.sources.manager().FindBufferContainingLoc(range.Start); };
  std::set<unsigned> begun;
  std::set<const ir::Schedule *> printed;
  // Schedules that were made for a `use` are printed before their users, since they stand in no other file.
  std::function<void(const ir::Schedule &)> printMade = [&](const ir::Schedule &user) {
    ir::anyStatement(user.body, [&](const ir::Stmt &stmt) {
      auto *use = llvm::dyn_cast<ir::UseStmt>(&stmt);
      if (use && isMadeForUse(*use->callee) && printed.insert(use->callee).second) {
        printMade(*use->callee);
        ir::print(*use->callee, llvm::outs());
      }
      return false;
    });
  };
  std::set<std::string> imported; // by the schedules and by their bases, whose texts are printed with them
  for (const ir::Schedule *schedule : schedules) {
    llvm::SmallVector<unsigned, 4> buffers{bufferOf(schedule->range)};
    for (const ir::Base &base : schedule->bases)
      buffers.push_back(bufferOf(base.range));
    for (unsigned buffer : buffers)
      for (std::string &file : session.library.importsOf(buffer))
        imported.insert(std::move(file));
  }
  for (const std::string &file : imported)
    llvm::outs() << "import " << file << '\n';
  for (const ir::Schedule *schedule : schedules) {
    const unsigned buffer = bufferOf(schedule->range);
    auto printAll = [&](const auto &declarations) {
      for (const auto &declaration : declarations)
        if (bufferOf(declaration->range) == buffer)
          ir::print(*declaration, llvm::outs());
    };
    if (begun.insert(buffer).second) {
      printAll(program.functions);
      printAll(program.trees);
      printAll(program.lemmas);
      printAll(program.collectives);
    }
    printMade(*schedule);
    ir::print(*schedule, llvm::outs());
  }
}

/// Adds cases beyond those that were checked to a verdict.
static void checkDeep(Verdict &verdict, const CheckOptions &options) {
  ProgressLine progress;
  progress.show("checking " + verdict.schedule->path() + " at large p");
  const SearchBudget budget{limits::deepWork, limits::deepCaseWork, limits::deepRanks};
  SearchResult found = searchCases(*verdict.schedule, options, budget, /*mayOverflow=*/true);
  progress.hide();
  if (found.failure) {
    verdict.ok = false;
    verdict.failure = std::move(found.failure->failure);
    return;
  }
  verdict.guessedCases = found.cases;
  verdict.mostRanks = found.ps.empty() ? 0 : found.ps.back();
}

/// What a check of usual cases says of a schedule that is wrong in another one.
static std::string wrongBeyond(const prove::ProofVerdict &verdict) {
  const diag::Values *instance = smallestCase(*verdict.checked.failure);
  return (instance ? "but wrong at " + diag::text(*instance) : std::string("but not right for all p")) + ": see `quadrille prove`";
}

int checkCommand(Session &session) {
  std::vector<const ir::Schedule *> schedules;
  for (const std::string &file : session.options.files)
    llvm::append_range(schedules, session.library.find(file));
  if (session.options.printIr) {
    printIr(session, schedules);
    return session.diagnostics.errorCount() ? 1 : 0;
  }
  warnOfUnreadOptions(schedules, session);
  CheckOptions options = checkOptions(session.options);
  if (session.options.trace) {
    options.ps = {session.options.ps.empty() ? 8 : session.options.ps[0]};
    options.psAreUsual = false;
    options.parameters = {session.options.ks.empty() ? 4 : session.options.ks[0]};
    options.root = session.options.root.value_or(0);
    options.lengths = session.options.ns;
  }
  // There are no proofs with --trace, which shows one case, or with --model, which the schedule does not claim.
  std::optional<Proofs> proofs;
  if (session.options.wantProof && !session.options.trace && session.options.model.empty())
    proofs.emplace(givenProofs(session));
  VerdictTable table(schedules, session.options.verbose);
  DataOutput output(session, "check");
  output.results.begin();
  for (const ir::Schedule *schedule : schedules) {
    if (session.options.trace)
      printTrace(session, *schedule, options);
    const CheckOptions admitted = admittedOptions(*schedule, options);
    Verdict verdict = checkWatched(*schedule, admitted, session.options.maxSeconds);
    if (verdict.ok && session.options.deep && !verdict.endedBefore)
      checkDeep(verdict, admitted);
    if (verdict.ok && verdict.checkedPs.empty()) {
      verdict.ok = false;
      verdict.failure = noAdmissibleCase(*schedule, options);
    }
    if (verdict.failure)
      session.diagnostics.report(*verdict.failure);
    if (verdict.endedBefore)
      session.diagnostics.report(schedule->nameRange, diag::CheckEnded{.runs = false, .schedule = schedule->path(), .p = *verdict.endedBefore,
                                                                       .seconds = *session.options.maxSeconds});
    for (const Diagnostic &warning : verdict.warnings)
      session.diagnostics.report(warning);
    std::string proof, whyNot;
    std::optional<prove::ProofVerdict> proved;
    if (verdict.ok && proofs) {
      ProgressLine progress;
      progress.show("proving " + schedule->path());
      prove::ProofOptions proofOptions = defaultProofOptions(session.options);
      if (hasDefaultCases(session.options))
        proofOptions.checked = &verdict;
      proved = proofs->prove(*schedule, proofOptions);
      progress.hide();
      reportMissingProofs(*proved, session.options.requiredClaims, session.diagnostics);
      proof = proofText(*proved);
      whyNot = whyNotProved(*proved, session.sources);
      // If the user has given p, the answer is only about these.
      if (proved->isRefuted() && session.options.ps.empty())
        proof = wrongBeyond(*proved);
    }
    table.print(verdict, proof, whyNot, proved && proved->areClausesProved(), output.text());
    output.results.add(checkEntry(verdict, proved, session.sources));
  }
  return output.finish(session.diagnostics.errorCount() ? 1 : 0);
}

} // namespace quadrille::compiler
