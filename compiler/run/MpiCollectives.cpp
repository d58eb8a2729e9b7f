//===- MpiCollectives.cpp - What MPI has that does the same -----------------------------------------------------------------===//

#include "MpiCollectives.h"

#include "llvm/ADT/StringSwitch.h"

namespace quadrille::compiler::run {

llvm::StringRef mpiCollective(const ir::Collective &collective) {
  return llvm::StringSwitch<llvm::StringRef>(collective.name)
      .Case("broadcast", "MPI_Bcast")
      .Case("scatter", "MPI_Scatter")
      .Case("gather", "MPI_Gather")
      .Case("reduce", "MPI_Reduce")
      .Case("allgather", "MPI_Allgather")
      .Case("allreduce", "MPI_Allreduce")
      .Case("reduce_scatter", "MPI_Reduce_scatter_block")
      .Case("alltoall", "MPI_Alltoall")
      .Case("scan", "MPI_Scan")
      .Case("exscan", "MPI_Exscan")
      .Case("gatherv", "MPI_Gatherv")
      .Case("scatterv", "MPI_Scatterv")
      .Case("allgatherv", "MPI_Allgatherv")
      .Case("reduce_scatterv", "MPI_Reduce_scatter")
      .Case("alltoallv", "MPI_Alltoallv")
      .Case("barrier", "MPI_Barrier")
      .Default("");
}

} // namespace quadrille::compiler::run
