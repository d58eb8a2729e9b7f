//===- Aggregates.h - Sums and maxima in costs ----------------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_PROVE_COSTS_AGGREGATES_H
#define QUADRILLE_PROVE_COSTS_AGGREGATES_H

#include "prove/terms/Term.h"

namespace quadrille::compiler::prove {

/// What the variables of sums and maxima are called; a number follows, their level.
inline constexpr llvm::StringLiteral aggregateIndex = "index'";
/// The level of the variable that a sum or maximum binds: one more than that of any variable bound inside.
unsigned aggregateLevel(Term aggregate);

} // namespace quadrille::compiler::prove

#endif // QUADRILLE_PROVE_COSTS_AGGREGATES_H
