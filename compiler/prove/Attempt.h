//===- Attempt.h - What one symbolic execution shows of a schedule -----------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_PROVE_ATTEMPT_H
#define QUADRILLE_PROVE_ATTEMPT_H

#include "Decisions.h"
#include "Prove.h"

namespace quadrille::compiler::prove {

/// The claims that a schedule makes.
std::vector<Claim> claimsOf(const ir::Schedule &schedule);

/// All claims are checked only, for this reason.
void markAll(std::vector<ClaimVerdict> &claims, const NotModelled &why);

/// What one execution could show.
struct Attempt {
  std::vector<ClaimVerdict> claims;
  std::vector<Obligation> obligations, open;
  unsigned undecided = 0;
  bool ranksDiffer = false;            // each rank is followed by itself
  Overflows overflows;                 // what the proof, which is about integers without bounds, does not hold for
  std::unique_ptr<DefinedTerms> defined;
  std::unique_ptr<Execution> execution; // keeps what the invariants are about

  /// Added as proved if the schedule does not make the claim.
  ClaimVerdict &verdictOn(Claim claim);
  /// How many of the claims that the schedule makes were not shown.
  unsigned openClaims(const ir::Schedule &schedule) const;
  bool showsNothing(const ir::Schedule &schedule) const;
};

/// Executes the schedule for any rank, or, if `ranksDiffer`, each rank by itself, and decides what that gives rise to.
Attempt attempt(const ir::Schedule &schedule, Products products, bool ranksDiffer, Decisions &decisions);

/// Adds what can be shown of the clocks that are stated to an attempt for any rank, to which they do not matter.
void addClocks(const ir::Schedule &schedule, Decisions &decisions, Attempt &attempt);

} // namespace quadrille::compiler::prove

#endif // QUADRILLE_PROVE_ATTEMPT_H
