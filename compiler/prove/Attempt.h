//===- Attempt.h - What one symbolic execution shows of a schedule -----------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_PROVE_ATTEMPT_H
#define QUADRILLE_PROVE_ATTEMPT_H

#include "Alignment.h"
#include "Decisions.h"
#include "Prove.h"

namespace quadrille::compiler::prove {

/// The claims that a schedule makes.
std::vector<Claim> claimsOf(const ir::Schedule &schedule);

/// Marks all claims as not proved, for this reason.
void markAll(std::vector<ClaimVerdict> &claims, const NotModelled &why);

/// What one symbolic execution could show.
struct Attempt {
  std::shared_ptr<const AlignedSchedule> aligned; // that was executed; null: the schedule itself was
  std::vector<ClaimVerdict> claims;
  std::vector<Obligation> obligations, open;
  unsigned undecided = 0;
  bool ranksDiffer = false;            // each rank was followed by itself (RankExecution)
  Overflows overflows;                 // numbers that may not fit in 64 bits: the proof itself is about unbounded integers
  std::unique_ptr<DefinedTerms> defined;
  std::unique_ptr<Execution> execution; // owns what the invariants refer to

  /// The verdict on a claim. If there is none yet, one is added that says it is proved.
  ClaimVerdict &verdictOn(Claim claim);
  /// The number of claims of the schedule that were not shown.
  unsigned openClaims(const ir::Schedule &schedule) const;
  bool showsNothing(const ir::Schedule &schedule) const;
};

/// Executes the schedule symbolically, for the generic rank or, if `ranksDiffer`, for each rank by itself, and decides the
/// obligations that arise. `alone`: how the schedule is used in groups; null: it is the outermost one.
Attempt attempt(const ir::Schedule &schedule, Products products, bool ranksDiffer, Decisions &decisions,
                const UsedAlone *alone = nullptr);
/// The same for the generic rank of a schedule whose ranks have been brought in step; the cost is that by time.
Attempt attempt(std::shared_ptr<const AlignedSchedule> aligned, Products products, Decisions &decisions, const UsedAlone *alone = nullptr);

/// Whether the body uses schedules in groups of ranks. If ranks differ only by such uses, which some of them skip, then one generic rank
/// may suffice.
bool usesGroups(const ir::Schedule &schedule);

/// The representations of products that are worth an attempt, best first.
std::vector<Products> waysOf(const ir::Schedule &schedule, bool ranksDiffer);

/// Adds the verdict on the stated clocks to an attempt for the generic rank, which has not looked at them.
void addClocks(const ir::Schedule &schedule, Decisions &decisions, Attempt &attempt);

} // namespace quadrille::compiler::prove

#endif // QUADRILLE_PROVE_ATTEMPT_H
