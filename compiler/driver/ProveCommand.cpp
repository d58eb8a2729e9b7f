//===- ProveCommand.cpp - quadrille prove ----------------------------------------------------------------------------------------===//

#include "Proofs.h"
#include "Report.h"

#include "diagnostics/OutputFile.h"
#include "prove/Prove.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

namespace quadrille::compiler {

using prove::ClaimVerdict;
using prove::ProofVerdict;
using prove::Strength;

static std::string summary(const Session &session, const ProofVerdict &verdict) {
  if (verdict.checked.reachedLimit())
    return "not checked: " + formatMessage(verdict.checked.failure->facts);
  if (verdict.nothingAdmitted)
    return "nothing to prove: there are no " + verdict.scope.substr(std::string("all ").size());
  if (verdict.isProved())
    return proofText(verdict);
  const std::vector<std::int64_t> &ps = verdict.checked.checkedPs;
  std::string tried = ps.empty() ? "checked for no p" : "checked for p in " + rangeText(ps);
  if (const ClauseReach &clauses = verdict.checked.clauses; !clauses.isEverything() && !verdict.isProved(prove::Claim::Cost))
    tried += ", and the clauses for " + clauses.text(*verdict.schedule);
  const std::string proved = proofText(verdict), why = whyNotProved(verdict, session.sources);
  return proved.empty() ? tried + ": " + why : proved + ": " + tried + "; " + why;
}

/// That what is stated to help the proof is false says nothing about what ranks end with.
static llvm::StringRef refutedText(diag::Id id) {
  switch (id) {
  case diag::Id::InvariantWrong:
    return "INVARIANT REFUTED";
  case diag::Id::ClockOfTwoSides:
  case diag::Id::ClockOutOfOrder:
  case diag::Id::ClockWithoutValue:
    return "CLOCK REFUTED";
  case diag::Id::LemmaWrong:
    return "LEMMA REFUTED";
  default:
    return "REFUTED";
  }
}

static void printClaims(const Session &session, const ProofVerdict &verdict, llvm::raw_ostream &out) {
  for (const ClaimVerdict &claim : verdict.claims) {
    out << "    " << llvm::left_justify(prove::claimName(claim.claim), 16)
        << (claim.strength == Strength::Proved ? "proved" : "checked");
    if (claim.strength == Strength::Proved)
      out << ", " << claim.obligations << (claim.obligations == 1 ? " obligation" : " obligations");
    else {
      out << " only: " << claim.reason;
      if (claim.range.isValid())
        out << " (" << placeText(session.sources, claim.range) << ")";
    }
    out << '\n';
  }
  if (verdict.vacuous.empty())
    return;
  out << "    " << verdict.vacuous.size()
      << (verdict.vacuous.size() == 1 ? " obligation is" : " obligations are") << " about what never happens:\n";
  for (const prove::Vacuous &obligation : verdict.vacuous) {
    out << "      " << prove::claimName(obligation.claim) << ": " << obligation.name;
    if (obligation.range.isValid())
      out << " (" << placeText(session.sources, obligation.range) << ")";
    out << '\n';
  }
}

/// Writes every obligation into a file of its own. False if that is not possible.
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
  size_t width = 0;
  for (const ir::Schedule *schedule : schedules)
    width = std::max(width, schedule->path().size());
  Proofs proofs(session);
  prove::ProofOptions options = proofs.defaults();
  options.check = checkOptions(session.options);
  options.wantObligations = !session.options.dump.empty();
  options.wantExplanations = session.options.explain;
  options.wantVacuous = session.options.verbose;
  unsigned proved = 0, refuted = 0, empty = 0, unchecked = 0;
  bool written = true;
  proofs.prove(schedules, options, [&](ProofVerdict &verdict) {
    llvm::raw_ostream &out = llvm::outs();
    if (verdict.checked.failure)
      session.diagnostics.report(*verdict.checked.failure);
    else if (verdict.nothingAdmitted)
      session.diagnostics.report(noAdmissibleCase(*verdict.schedule, options.check));
    for (const Diagnostic &warning : verdict.warnings)
      session.diagnostics.report(warning);
    out << llvm::left_justify(verdict.schedule->path(), static_cast<unsigned>(width + 2));
    if (verdict.isRefuted()) {
      out << refutedText(verdict.checked.failure->id()) << '\n';
      ++refuted;
      return true;
    }
    proved += verdict.isProved();
    empty += verdict.nothingAdmitted;
    unchecked += verdict.checked.reachedLimit();
    out << summary(session, verdict) << '\n';
    if (session.options.verbose)
      printClaims(session, verdict, out);
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
    llvm::raw_ostream &out = llvm::outs();
    out << proved << " of " << schedules.size() << " proved, " << refuted << " refuted, "
        << schedules.size() - proved - refuted - empty - unchecked << " checked for some p only";
    if (empty > 0)
      out << ", " << empty << " without anything to prove";
    if (unchecked > 0)
      out << ", " << unchecked << " not checked";
    out << '\n';
  }
  return session.diagnostics.errorCount() ? 1 : 0;
}

} // namespace quadrille::compiler
