//===- CaseSearch.h - Cases beyond the small ones -----------------------------------------------------------------------*- C++ -*-===//
//
// Many mistakes show in small cases. Others begin where a number of the text matters: a branch for 2048 ranks, a table for
// 7 packets, a loop that ends one power too early. Here such cases are guessed - from the constants of the text and their products,
// and from numbers at which algorithms change: powers of two and three, their neighbours, primes, squares - and checked like all
// others, within a budget of work, which is the same on every machine.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_CHECK_CASESEARCH_H
#define QUADRILLE_CHECK_CASESEARCH_H

#include "Check.h"

namespace quadrille::compiler {

/// How far a search goes.
struct SearchBudget {
  std::uint64_t work = 0;       // in all cases, in units of evaluate/Work.h
  std::uint64_t workOfCase = 0; // in one case
  std::int64_t ranks = 0;       // the largest p
};

/// What a search has looked at.
struct SearchResult {
  std::optional<Verdict> failure; // of a case that the checks refuse
  std::vector<std::int64_t> ps;   // of the cases that they accept, sorted
  std::uint64_t cases = 0;        // so many
};

/// Checks cases that those of `options` leave out. `mayOverflow`: numbers may leave 64 bits, as they do at 64 ranks if they double
/// from rank to rank.
SearchResult searchCases(const ir::Schedule &schedule, const CheckOptions &options, const SearchBudget &budget, bool mayOverflow);

/// Runs the checks on one case; nothing if they find no failure of the schedule within the budget's work for a case. `work`: is
/// increased by what it took.
std::optional<Verdict> failureOf(const ir::Schedule &schedule, const CheckOptions &options, const Case &instance,
                                 const SearchBudget &budget, std::uint64_t &work);

/// The options; but if nobody has asked for their p, and the schedule admits no case of them, with the smallest p that the text
/// suggests and that `requires` admits, and with such parameters if nobody has asked for others. So a schedule for k >= 100, or for
/// p > 64, is checked there.
CheckOptions admittedOptions(const ir::Schedule &schedule, CheckOptions options);

} // namespace quadrille::compiler

#endif // QUADRILLE_CHECK_CASESEARCH_H
