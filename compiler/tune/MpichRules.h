//===- MpichRules.h - Choices as rules of MPICH ------------------------------------------------------------------------*- C++ -*-===//
//
// MPICH 4.0 reads a tree of conditions in JSON (MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE; src/mpi/coll/src/csel.c, csel_container.c). Unlike
// Open MPI it asks whether an operator commutes. Algorithms have the names of MPICH's functions, here without `MPIR_`.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_TUNE_MPICHRULES_H
#define QUADRILLE_TUNE_MPICHRULES_H

#include "ExportedRules.h"

namespace quadrille::compiler::tune {

/// A collective of MPICH that does what one of ours does.
struct MpichCollective {
  const char *ours, *theirs;
  RuleBytes bytes;
  bool hasOperator;
};
llvm::ArrayRef<MpichCollective> mpichCollectives();
llvm::ArrayRef<Counterpart> mpichCounterparts();

/// MPICH reads numbers of bytes as an int.
constexpr std::uint64_t mostMpichBytes = 0x7fffffff;

/// The rules for p ranks: for operators that commute (or none), and for others. Both begin with 0 bytes.
struct MpichRules {
  std::int64_t p = 0;
  std::vector<ExportedRule> commutative, ordered;
};

/// What MPICH chooses without a file, for all collectives.
extern const char *const mpichOwnRules;

/// The text of the file. `rules`: those for each of mpichCollectives(), for rising p; other p are left to MPICH.
std::string mpichFile(llvm::ArrayRef<std::vector<MpichRules>> rules);

} // namespace quadrille::compiler::tune

#endif // QUADRILLE_TUNE_MPICHRULES_H
