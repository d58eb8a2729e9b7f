//===- ResidueFilter.h - Filters that select a residue class ------------------------------------------*- C++ -*-===//
//
// The indices of `y[a in lo ..< hi if a mod m == r]` are enumerated without testing every number.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_EVALUATE_RESIDUEFILTER_H
#define QUADRILLE_EVALUATE_RESIDUEFILTER_H

#include "ir/Schedule.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <cstdint>
#include <optional>

namespace quadrille::compiler {

struct ResidueFilter {
  const ir::Expr *modulus;
  const ir::Expr *residue;
};

/// The modulus and residue of a filter `binder mod modulus == residue`, if it has this form and neither depends on the binder.
std::optional<ResidueFilter> residueFilterOf(const ir::Index &filter);

/// Visits the numbers a in lo ..< hi with a mod modulus == residue in ascending order; modulus > 0.
void forEachInResidueClass(std::int64_t lo, std::int64_t hi, std::int64_t modulus, std::int64_t residue,
                           llvm::function_ref<void(std::int64_t)> visit);

} // namespace quadrille::compiler

#endif // QUADRILLE_EVALUATE_RESIDUEFILTER_H
