//===- Widths.h - Whether numbers fit in 64 bits ----------------------------------------------------------------------*- C++ -*-===//
//
// Proofs are about integers without bounds; a schedule is evaluated, and emitted, with 64 bits. Here every expression gets an
// interval that its values lie in, for p, ranks and parameters below 2^31. Values of functions that call themselves are
// bounded by an argument if that was shown, else taken to be below 2^31, and so is what is asked of trees. Of the arguments of
// their own calls only those of the first are looked at.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_PROVE_WIDTHS_H
#define QUADRILLE_PROVE_WIDTHS_H

#include "Obligation.h"

#include "ir/Schedule.h"

#include "llvm/ADT/DenseMap.h"

#include <optional>

namespace quadrille::prove {

/// What was shown of a function that calls itself: where no argument is below its number in `least`, its value is not
/// negative and not above `argument`, or 1 if that is more, and its own calls are such again. No numbers: wherever it is called.
struct ArgumentBound {
  unsigned argument = 0;
  std::vector<std::int64_t> least;
};
using ArgumentBounds = llvm::DenseMap<const ir::Function *, ArgumentBound>;

/// The first expression of the schedule, or of one that it uses, whose value may not fit in 64 bits for what its clauses
/// admit; none if all are known to fit. Of clauses about costs, which are evaluated in fractions, numerators and denominators are
/// looked at, but for n, the entries of tables, and how much the terms of a sum become together.
std::optional<NotModelled> firstThatMayOverflow(const ir::Schedule &schedule, const ArgumentBounds &bounded);

} // namespace quadrille::prove

#endif // QUADRILLE_PROVE_WIDTHS_H
