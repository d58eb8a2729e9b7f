//===- ResidueFilter.h - Filters that let every m-th number through ------------------------------------------*- C++ -*-===//
//
// `y[a in lo ..< hi if a mod m == r]` is decided without asking of every number whether it is among them.
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

/// The filter as `binder mod modulus == residue`, if it is that and neither side depends on the binder.
std::optional<ResidueFilter> residueFilterOf(const ir::Index &filter);

/// Visits the numbers of lo ..< hi that are `residue` modulo `modulus`, which is positive, in ascending order.
void forEachInResidueClass(std::int64_t lo, std::int64_t hi, std::int64_t modulus, std::int64_t residue,
                           llvm::function_ref<void(std::int64_t)> visit);

} // namespace quadrille::compiler

#endif // QUADRILLE_EVALUATE_RESIDUEFILTER_H
