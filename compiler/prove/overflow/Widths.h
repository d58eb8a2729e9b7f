//===- Widths.h - Whether numbers fit in 64 bits ----------------------------------------------------------------------*- C++ -*-===//
//
// Proofs are about integers without bounds; a schedule is evaluated, and emitted, with 64 bits. Here every expression gets an
// interval that its values lie in, for p, ranks and parameters below 2^31. Functions that call themselves are followed from
// call to call: with what was shown of their arguments and values, and with the number of calls that can be in a row.
//
// This folder promises that an expression for which it names no overflow has none, in any case that `requires` admits.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_PROVE_OVERFLOW_WIDTHS_H
#define QUADRILLE_PROVE_OVERFLOW_WIDTHS_H

#include "ir/Schedule.h"
#include "prove/terms/Obligation.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <optional>

namespace quadrille::compiler::prove {

/// What was shown of a function that calls itself, where its arguments are at least some numbers: its own calls keep to that, and
/// they end.
struct FunctionFacts {
  std::vector<std::optional<std::int64_t>> least; // per argument; none: whatever it is
  // The value:
  std::optional<std::int64_t> atLeast;
  llvm::SmallVector<unsigned, 2> atMost;      // it is not above these arguments,
  llvm::SmallVector<unsigned, 2> atMostOrOne; // nor above these, or 1 if that is more
  /// An argument, or the difference of two, that falls with each call; where it is negative, a call calls no more.
  struct Measure {
    unsigned argument;
    std::optional<unsigned> minus;
    bool operator==(const Measure &) const = default;
  };
  std::optional<Measure> measure;
};

/// What was shown of a function, by the arguments that it is about; empty if nothing was. Proofs show that one of these is what
/// the function is called with.
using FactsOf = llvm::function_ref<llvm::ArrayRef<FunctionFacts>(const ir::Function &)>;

/// What may not fit in 64 bits for what the clauses of a schedule admit, the first of each kind; none if all is known to fit.
struct Overflows {
  std::optional<NotModelled> evaluated; // by ranks: of the schedule, or of one that it uses
  // In what it claims or states, which no rank computes with:
  std::optional<NotModelled> cost, clock, invariant;
};

/// Of clauses about costs, which are evaluated in fractions, numerators and denominators are looked at, but for n and the
/// entries of tables. `costIsProved`: proofs look at what functions are called with there, too.
Overflows whatMayOverflow(const ir::Schedule &schedule, FactsOf factsOf, bool costIsProved);

} // namespace quadrille::compiler::prove

#endif // QUADRILLE_PROVE_OVERFLOW_WIDTHS_H
