//===- DerivedCost.h - What a schedule costs, as terms ------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_PROVE_DERIVEDCOST_H
#define QUADRILLE_PROVE_DERIVEDCOST_H

#include "ir/Schedule.h"
#include "prove/costs/Aggregates.h"
#include "prove/terms/Obligation.h"

#include <memory>
#include <optional>

namespace quadrille::compiler::prove {

/// The synchronous cost of a schedule for all p: startups*alpha + words*beta with
///   words = (blocks*n + packets*ceil(n/packetsPerBlock))/denominator + own
/// in the variables `p` and the names of the schedule's numbers. Sums without a closed form are applications of `sum` and
/// `max` to a term, a condition and a count, over a variable `index'...` from 0 on; entries of the collective's table i
/// are applications of `table<i>`.
struct DerivedCost {
  std::shared_ptr<TermPool> pool; // owns the terms
  Term startups, blocks, packets, own;
  std::int64_t denominator = 1;
  Term packetsPerBlock;      // null: nothing is split
  bool startupsExact = true; // else at most
  bool wordsExact = true;    // else at most
  /// The asynchronous startups, and words, are as many: rank 0 takes part in a longest message of every round, one after
  /// another, and no path has more than all rounds.
  bool asynchronousStartups = false, asynchronousWords = false;
  bool clauseHolds = false;  // the `cost` and `rounds` clauses are proved, too
};

/// Derives it, with a proof that it holds wherever `requires` does: that every message arrives, is as long as is said, and
/// that none of its round is longer. Else the reason why there is none.
struct CostDerivation {
  std::optional<DerivedCost> cost;
  NotModelled why;
  bool outOfMemory = false; // more might be found another time
};
CostDerivation deriveCost(const ir::Schedule &schedule);

} // namespace quadrille::compiler::prove

#endif // QUADRILLE_PROVE_DERIVEDCOST_H
