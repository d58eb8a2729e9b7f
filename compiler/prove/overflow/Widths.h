//===- Widths.h - Whether numbers fit in 64 bits ----------------------------------------------------------------------*- C++ -*-===//
//
// Proofs are about unbounded integers, but schedules are evaluated and emitted with 64 bits. This folder computes for every
// expression an interval of its values, for p, ranks and parameters below 2^31. Recursive functions are followed from call to
// call, with the facts that were shown about their arguments and values, and with a bound on the depth of recursion.
//
// This folder promises that an expression for which it reports no overflow has none, in any case that `requires` admits.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_PROVE_OVERFLOW_WIDTHS_H
#define QUADRILLE_PROVE_OVERFLOW_WIDTHS_H

#include "ir/Schedule.h"
#include "prove/terms/Obligation.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <optional>

namespace quadrille::compiler::prove {

/// What was shown about a recursive function if its arguments are at least some numbers: the arguments of its recursive calls are
/// too, and the recursion ends.
struct FunctionFacts {
  std::vector<std::optional<std::int64_t>> least; // per argument; none: any number
  // Bounds of the value:
  std::optional<std::int64_t> atLeast;
  llvm::SmallVector<unsigned, 2> atMost;      // it is at most each of these arguments,
  llvm::SmallVector<unsigned, 2> atMostOrOne; // and at most the maximum of 1 and each of these
  /// base**(value - 1) is at most 1 or this argument, if the value is at least 1. The base is an argument, or a number.
  struct Digits {
    unsigned argument;
    std::optional<unsigned> base;
    std::int64_t number = 0;
    bool operator==(const Digits &) const = default;
  };
  llvm::SmallVector<Digits, 1> digits;
  /// An argument, or the difference of two, that decreases with each call; a call with a negative measure makes no further call.
  struct Measure {
    unsigned argument;
    std::optional<unsigned> minus;
    bool operator==(const Measure &) const = default;
  };
  std::optional<Measure> measure;
};

/// Returns what was shown about a function, one entry per condition on the arguments; empty if nothing was. Proofs show that
/// every call satisfies one of these conditions.
using FactsOf = llvm::function_ref<llvm::ArrayRef<FunctionFacts>(const ir::Function &)>;

/// Expressions that may not fit in 64 bits in a case that `requires` admits, the first one of each kind; none if all are known to
/// fit.
struct Overflows {
  std::optional<NotModelled> evaluated; // expressions that ranks evaluate, in the schedule or in one that it uses
  // Expressions of claims and statements, which no rank evaluates:
  std::optional<NotModelled> cost, clock, invariant;
};

/// Searches for overflows. Cost clauses are evaluated in fractions, so their numerators and denominators must fit; n and the
/// entries of tables are left out. `costIsProved`: proofs cover the calls of functions in cost clauses too.
Overflows whatMayOverflow(const ir::Schedule &schedule, FactsOf factsOf, bool costIsProved);

} // namespace quadrille::compiler::prove

#endif // QUADRILLE_PROVE_OVERFLOW_WIDTHS_H
