//===- Pipeline.cpp - Passes a text through the whole compiler -----------------------------------------------===//

#include "Pipeline.h"

#include "parse/Parser.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Regex.h"

#include <algorithm>

namespace quadrille::compiler::mutate {

namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

bool Pipeline::load() {
  Diagnostics diagnostics(librarySources, llvm::errs(), DiagnosticsFormat::Text, false);
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator i(root, error), end; i != end && !error; i.increment(error))
    if (path::extension(i->path()) == ".quad")
      names.push_back(i->path());
  std::sort(names.begin(), names.end());
  if (names.empty()) {
    llvm::errs() << "no schedule library in " << root << '\n';
    return false;
  }
  ast::File all; // analyzed together, since they may refer to each other
  for (const std::string &name : names) {
    Sources::Loaded loaded = librarySources.load(name);
    if (loaded.problem != Sources::Problem::None)
      return false;
    std::optional<ast::File> file = parse(librarySources, loaded.buffer, diagnostics);
    if (!file)
      return false;
    all.append(std::move(*file));
  }
  std::vector<const ir::Schedule *> none;
  return analyze(all, root, standard, libraryProgram, librarySources, diagnostics,
                 [](llvm::StringRef, llvm::StringRef) { return UsedSchedule(); }, none);
}

std::optional<ast::File> Pipeline::syntax(const std::string &name, llvm::StringRef &textOut) {
  Diagnostics diagnostics(librarySources, llvm::errs(), DiagnosticsFormat::Text, false);
  Sources::Loaded loaded = librarySources.load(name);
  if (loaded.problem != Sources::Problem::None)
    return std::nullopt;
  textOut = librarySources.text(loaded.buffer);
  return parse(librarySources, loaded.buffer, diagnostics);
}

static UsedSchedule namedIn(const FileScope &scope, llvm::StringRef collective, llvm::StringRef algorithm) {
  UsedSchedule result;
  for (const auto &schedule : scope.schedules)
    if (schedule->text->collective.text == collective && schedule->text->name.text == algorithm) {
      result.text = schedule.get();
      result.schedule = schedule->schedule;
    }
  return result;
}

std::vector<const ir::Schedule *> Pipeline::analyzeText(unsigned buffer, const std::string &name, Sources &sources,
                                                        Diagnostics &diagnostics, std::optional<ast::File> &file,
                                                        FileScope &scope, ir::Program &program) {
  std::vector<const ir::Schedule *> schedules;
  scope.parent = &standard;
  if ((file = parse(sources, buffer, diagnostics)))
    analyze(*file, name, scope, program, sources, diagnostics,
            [&](llvm::StringRef collective, llvm::StringRef algorithm) {
              const UsedSchedule own = namedIn(scope, collective, algorithm);
              return own.text ? own : resolve(collective, algorithm);
            },
            schedules);
  return schedules;
}

UsedSchedule Pipeline::resolve(llvm::StringRef collective, llvm::StringRef algorithm) {
  llvm::SmallString<256> name(root);
  path::append(name, collective, algorithm + ".quad");
  auto [entry, isNew] = used.try_emplace(name.str().str());
  if (isNew) {
    Diagnostics diagnostics(librarySources, llvm::errs(), DiagnosticsFormat::Text, false);
    Sources::Loaded loaded = librarySources.load(name);
    if (loaded.problem == Sources::Problem::None)
      analyzeText(loaded.buffer, entry->first, librarySources, diagnostics,
                                            entry->second.text, entry->second.scope, libraryProgram);
  }
  return namedIn(entry->second.scope, collective, algorithm);
}

static Outcome describe(const Diagnostic &diagnostic, llvm::StringRef text) {
  Outcome outcome;
  outcome.refused = true;
  outcome.code = diag::codeText(diagnostic.id());
  outcome.message = formatMessage(diagnostic.facts);
  std::string all = outcome.message;
  for (const Note &note : diagnostic.notes) {
    outcome.namesP |= note.id() == diag::Id::SmallestCase;
    all += "\n" + formatMessage(note.facts);
  }
  outcome.namesRank = llvm::Regex("ranks? [0-9]").match(all);
  outcome.namesRound = llvm::Regex("(round|step) [0-9]|[0-9] rounds").match(all);
  // Whether the diagnostic, or a note, points into the schedule itself.
  auto isHere = [&](llvm::SMRange range) {
    const char *at = range.Start.getPointer();
    return at && text.begin() <= at && at <= text.end();
  };
  outcome.namesLine = isHere(diagnostic.range) ||
                      std::any_of(diagnostic.notes.begin(), diagnostic.notes.end(),
                                  [&](const Note &note) { return isHere(note.range); });
  return outcome;
}

/// Runs the prover without checks of small cases, so that a proof of a wrong schedule is an error of the prover itself.
static void proveAlone(const ir::Schedule &schedule, const ir::Schedule *like, Outcome &outcome) {
  prove::ProofOptions options;
  options.proofOnly = true;
  options.like = like;
  prove::ProofVerdict verdict = prove::prove(schedule, options);
  outcome.wasProved = verdict.isProved();
  for (const prove::ClaimVerdict &claim : verdict.claims) {
    if (claim.isProved())
      continue;
    outcome.openClaims.push_back(claim.claim);
    if (outcome.open.empty())
      outcome.open = (prove::claimName(claim.claim) + ": " + prove::gapText(claim.open->gap, claim.open->subject)).str();
  }
}

Outcome Pipeline::run(std::string text, const std::string &name, const Work &work) {
  Sources sources;
  std::string printed;
  llvm::raw_string_ostream out(printed);
  Diagnostics diagnostics(sources, out, DiagnosticsFormat::Text, false);
  std::optional<ast::File> file;
  FileScope scope;
  ir::Program program;
  unsigned buffer = sources.add(std::move(text), name);
  std::vector<const ir::Schedule *> schedules = analyzeText(buffer, name, sources, diagnostics, file, scope, program);
  Outcome outcome;
  if (diagnostics.errorCount()) {
    out.flush();
    outcome.refused = outcome.bySema = outcome.namesLine = true;
    llvm::SmallVector<llvm::StringRef, 4> parts;
    if (llvm::Regex("error: (.*) \\[(Q[0-9]+)\\]").match(printed, &parts)) {
      outcome.message = parts[1].str();
      outcome.code = parts[2].str();
    }
    return outcome;
  }
  CheckOptions options;
  options.ps = work.ps;
  options.limits.memoryBytes = std::uint64_t(1) << 30;
  options.limits.maxSteps = 1 << 22;
  for (const ir::Schedule *schedule : schedules) {
    if (!work.schedule.empty() && schedule->path() != work.schedule)
      continue;
    Verdict verdict = checkSchedule(*schedule, options);
    if (verdict.failure)
      outcome = describe(*verdict.failure, sources.text(buffer));
    if (work.prove)
      proveAlone(*schedule, work.like, outcome);
    if (verdict.failure)
      return outcome;
    if (verdict.checkedPs.empty()) {
      outcome.refused = outcome.namesLine = true;
      outcome.code = diag::codeText(diag::Id::NoAdmissibleCase);
      outcome.message = "no p is admitted";
    }
  }
  return outcome;
}

} // namespace quadrille::compiler::mutate
