//===- ProofReport.cpp - Verdicts of proofs as lines of text ---------------------------------------------------------------------===//

#include "ProofReport.h"

#include "Text.h"
#include "VerdictReport.h"

#include "source/Counted.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"

namespace quadrille::compiler {

using prove::ClaimVerdict;
using prove::ProofVerdict;

static std::string whyOpen(const prove::NotModelled &why, const Sources &sources) {
  return why.text() + (why.range.isValid() ? " (" + placeText(sources, why.range) + ")" : "");
}

std::string openClaims(const ProofVerdict &verdict) {
  std::vector<std::string> open;
  for (const ClaimVerdict &claim : verdict.claims)
    if (!claim.isProved())
      open.push_back(prove::claimName(claim.claim).str());
  return llvm::join(open, ", ");
}

std::string proofText(const ProofVerdict &verdict) {
  if (verdict.isProved())
    return "proved for " + prove::scopeOf(*verdict.schedule);
  bool anyProved = llvm::any_of(verdict.claims, [](const ClaimVerdict &claim) { return claim.isProved(); });
  return anyProved && !verdict.isRefuted() ? "proved for " + prove::scopeOf(*verdict.schedule) + ", but " + openClaims(verdict) : "";
}

std::string whyNotProved(const ProofVerdict &verdict, const Sources &sources) {
  for (const ClaimVerdict &claim : verdict.claims)
    if (!claim.isProved())
      return whyOpen(*claim.open, sources);
  return "";
}

std::string provedText(const ProofVerdict &verdict) {
  if (verdict.isRefuted())
    return "wrong";
  if (verdict.checked.reachedLimit())
    return "not checked";
  if (verdict.isProved())
    return "all p";
  if (proofText(verdict).empty())
    return "p tried";
  const std::string open = openClaims(verdict);
  const std::string clauses = (prove::claimName(prove::Claim::Cost) + ", " + prove::claimName(prove::Claim::Rounds)).str();
  return open == clauses ? "all but the clauses" : llvm::StringRef(open).contains(',') ? "in part" : "all but " + open;
}

std::string proofSummary(const ProofVerdict &verdict, const Sources &sources) {
  if (verdict.checked.reachedLimit())
    return "not checked: " + formatMessage(verdict.checked.failure->facts);
  if (verdict.nothingAdmitted)
    return "nothing to prove: there are no " + prove::admittedRanks(*verdict.schedule);
  if (verdict.isProved())
    return proofText(verdict);
  const std::vector<std::int64_t> &ps = verdict.checked.checkedPs;
  std::string tried = ps.empty() ? "checked for no p" : "checked for p in " + rangeText(ps);
  if (const std::string maps = mapsText(verdict.checked); !ps.empty() && !maps.empty())
    tried += " (" + maps + ")";
  if (const ClauseReach &clauses = verdict.checked.clauses; !clauses.isEverything() && !verdict.areClausesProved())
    tried += ", and the clauses for " + clauses.text(*verdict.schedule);
  const std::string proved = proofText(verdict), why = whyNotProved(verdict, sources);
  return proved.empty() ? tried + ": " + why : proved + ": " + tried + "; " + why;
}

void reportMissingProofs(const ProofVerdict &verdict, llvm::ArrayRef<std::string> required, Diagnostics &diagnostics) {
  if (required.empty() || verdict.isRefuted() || verdict.nothingAdmitted)
    return; // an error is reported anyway
  const std::string path = verdict.schedule->path();
  const llvm::SMRange place = verdict.schedule->nameRange;
  if (verdict.checked.reachedLimit())
    return;
  std::vector<std::string> open;
  std::vector<Note> why;
  for (const ClaimVerdict &claim : verdict.claims) {
    const std::string name = prove::claimName(claim.claim).str();
    if (claim.isProved() || !(llvm::is_contained(required, "all") || llvm::is_contained(required, name)))
      continue;
    open.push_back(name);
    // Often one reason leaves many claims open.
    const bool isTold = llvm::any_of(why, [&](const Note &note) {
      return note.range.Start == claim.open->range.Start && note.facts.as<diag::ClaimOpen>()->reason.value.words == claim.open->text();
    });
    if (!isTold)
      why.push_back({claim.open->range, diag::ClaimOpen{.claim = name, .reason = claim.open->fact()}});
  }
  if (!open.empty()) {
    Diagnostic missing(place, diag::ProofMissing{.schedule = path, .claims = open, .several = open.size() > 1});
    missing.notes = std::move(why);
    diagnostics.report(std::move(missing));
  }
  for (prove::Claim stated : {prove::Claim::Clock, prove::Claim::Cost, prove::Claim::Rounds}) {
    const std::string name = prove::claimName(stated).str();
    if (llvm::is_contained(required, name) && llvm::none_of(verdict.claims, [&](const ClaimVerdict &c) { return c.claim == stated; }))
      diagnostics.report(place, diag::ClaimMissing{.schedule = path, .claim = name});
  }
}

llvm::StringRef refutedText(diag::Id id) {
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

void printClaims(const ProofVerdict &verdict, const Sources &sources, llvm::raw_ostream &out) {
  std::vector<std::pair<std::string, llvm::StringRef>> helps; // the reasons why claims are open, and what may help, without repetitions
  for (const ClaimVerdict &claim : verdict.claims) {
    std::string text;
    if (claim.isProved()) {
      text = "proved, " + counted(claim.obligations, "obligation");
    } else {
      text = "checked only: " + whyOpen(*claim.open, sources);
      if (std::pair help(prove::gapText(claim.open->gap, claim.open->subject), prove::gapHelp(claim.open->gap));
          !help.second.empty() && !llvm::is_contained(helps, help))
        helps.push_back(std::move(help));
    }
    printBeside("    " + prove::claimName(claim.claim).str(), 20, text, terminalColumns(out), out);
  }
  for (const auto &[what, help] : helps)
    out << "    " << what << ": " << help << '\n';
  if (verdict.vacuous.empty())
    return;
  out << "    " << verdict.vacuous.size()
      << (verdict.vacuous.size() == 1 ? " obligation is" : " obligations are") << " about what never happens:\n";
  for (const prove::Vacuous &obligation : verdict.vacuous) {
    out << "      " << prove::claimName(obligation.claim) << ": " << obligation.name;
    if (obligation.range.isValid())
      out << " (" << placeText(sources, obligation.range) << ")";
    out << '\n';
  }
}

} // namespace quadrille::compiler
