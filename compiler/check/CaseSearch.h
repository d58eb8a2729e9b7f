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
  std::uint64_t work = 0;       // for all cases together, in units of evaluate/Work.h
  std::uint64_t workOfCase = 0; // in one case
  std::int64_t ranks = 0;       // the largest p
};

/// What a search has looked at.
struct SearchResult {
  std::optional<Verdict> failure; // the verdict on the first case that the checks refuse; nothing: there was none
  std::vector<std::int64_t> ps;   // of the cases that they accept, sorted
  std::uint64_t cases = 0;        // the number of cases that they accept
};

/// Checks cases that `options` leave out. `mayOverflow`: numbers may leave 64 bits, so p around 64 are tried too: numbers that double
/// from rank to rank overflow there.
SearchResult searchCases(const ir::Schedule &schedule, const CheckOptions &options, const SearchBudget &budget, bool mayOverflow);

/// Runs the checks on one case; nothing if they find no failure of the schedule within the budget's work for a case. `work`: is
/// increased by what it took.
std::optional<Verdict> failureOf(const ir::Schedule &schedule, const CheckOptions &options, const Case &instance,
                                 const SearchBudget &budget, std::uint64_t &work);

/// Keeps the options if the user has chosen p, or the schedule admits one of their cases. Otherwise takes the smallest p that the text
/// suggests and `requires` admits, and likewise the parameters that the user has not chosen. So a schedule
/// that requires k >= 100, or p > 64, is checked for such numbers.
CheckOptions admittedOptions(const ir::Schedule &schedule, CheckOptions options);

} // namespace quadrille::compiler

#endif // QUADRILLE_CHECK_CASESEARCH_H
