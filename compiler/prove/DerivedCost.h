//===- DerivedCost.h - What a schedule costs, as terms ------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_PROVE_DERIVEDCOST_H
#define QUADRILLE_PROVE_DERIVEDCOST_H

#include "ir/Schedule.h"
#include "prove/costs/Aggregates.h"
#include "prove/terms/Obligation.h"

#include <memory>
#include <optional>

namespace quadrille::compiler::prove {

class SharedAnswers;

/// The synchronous cost of a schedule for all p: startups*alpha + words*beta with
///   words = (blocks*n + packets*ceil(n/packetsPerBlock))/denominator + own
/// over the variables `p` and the names of the schedule's numbers. A sum (maximum) without a closed form is an application of
/// `sum` (`max`) to a term, a condition and a count, over a variable `index'...` that counts from 0. Entries of the collective's
/// table i are applications of `table<i>`.
struct DerivedCost {
  std::shared_ptr<TermPool> pool; // owns the terms
  Term startups, blocks, packets, own;
  std::int64_t denominator = 1;
  Term packetsPerBlock;      // null: no block is split
  bool startupsExact = true; // false: an upper bound
  bool wordsExact = true;    // false: an upper bound
  /// The asynchronous startups (words) equal the synchronous ones: rank 0 takes part in a longest message of every round, one
  /// after another, and no path has more than all rounds.
  bool asynchronousStartups = false, asynchronousWords = false;
  bool clauseHolds = false;  // there are `cost` or `rounds` clauses, and they are proved
};

/// The result of deriveCost: the cost, or the reason why there is none.
struct CostDerivation {
  std::optional<DerivedCost> cost;
  NotModelled why;
  bool outOfMemory = false; // with more memory a cost might be found
};
/// `shared`: answers that serve other schedules too; null: none.
CostDerivation deriveCost(const ir::Schedule &schedule, SharedAnswers *shared = nullptr);

} // namespace quadrille::compiler::prove

#endif // QUADRILLE_PROVE_DERIVEDCOST_H
