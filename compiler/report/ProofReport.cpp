//===- ProofReport.cpp - Verdicts of proofs as lines of text ---------------------------------------------------------------------===//

#include "ProofReport.h"

#include "Text.h"

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
    return "proved for " + verdict.scope;
  bool anyProved = llvm::any_of(verdict.claims, [](const ClaimVerdict &claim) { return claim.isProved(); });
  return anyProved && !verdict.isRefuted() ? "proved for " + verdict.scope + ", but " + openClaims(verdict) : "";
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
  return llvm::StringRef(open).contains(',') ? "in part" : "all but " + open;
}

std::string proofSummary(const ProofVerdict &verdict, const Sources &sources) {
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
  const std::string proved = proofText(verdict), why = whyNotProved(verdict, sources);
  return proved.empty() ? tried + ": " + why : proved + ": " + tried + "; " + why;
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
  std::vector<std::pair<std::string, llvm::StringRef>> helps; // what is open, and what may help; each once
  for (const ClaimVerdict &claim : verdict.claims) {
    out << "    " << llvm::left_justify(prove::claimName(claim.claim), 16)
        << (claim.isProved() ? "proved" : "checked");
    if (claim.isProved())
      out << ", " << claim.obligations << (claim.obligations == 1 ? " obligation" : " obligations");
    else {
      out << " only: " << whyOpen(*claim.open, sources);
      if (std::pair help(prove::gapText(claim.open->gap, claim.open->subject), prove::gapHelp(claim.open->gap));
          !help.second.empty() && !llvm::is_contained(helps, help))
        helps.push_back(std::move(help));
    }
    out << '\n';
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
