//===- MpiCollectives.h - What MPI has that does the same ------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_RUN_MPICOLLECTIVES_H
#define QUADRILLE_RUN_MPICOLLECTIVES_H

#include "ir/Schedule.h"

#include "llvm/ADT/StringRef.h"

namespace quadrille::compiler::run {

/// The function of MPI that promises what a standard collective promises: "MPI_Allreduce"; empty: there is none.
llvm::StringRef mpiCollective(const ir::Collective &collective);

} // namespace quadrille::compiler::run

#endif // QUADRILLE_RUN_MPICOLLECTIVES_H
