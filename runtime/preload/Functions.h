//===- Functions.h - The functions of MPI that are taken over ---*- C++ -*-===//

#ifndef QUADRILLE_RUNTIME_PRELOAD_FUNCTIONS_H
#define QUADRILLE_RUNTIME_PRELOAD_FUNCTIONS_H

#include <array>
#include <cstddef>
#include <string_view>

namespace quadrille {
namespace preload {

/// The names are those of the blocking functions. The nonblocking and the persistent ones have the numbers behind these, in the same order.
enum class Function : unsigned char {
  Allgather,
  Allgatherv,
  Allreduce,
  Alltoall,
  Alltoallv,
  Barrier,
  Bcast,
  Exscan,
  Gather,
  Gatherv,
  Reduce,
  ReduceScatter,
  ReduceScatterBlock,
  Scan,
  Scatter,
  Scatterv
};
inline constexpr std::size_t blockingCount = 16, functionCount = 3 * blockingCount;

/// MPI's names without `MPI_` and in small letters, for QUADRILLE_DISABLE and for tables.
inline constexpr std::array<std::string_view, functionCount> functionNames = {
    "allgather", "allgatherv", "allreduce", "alltoall", "alltoallv", "barrier", "bcast", "exscan",
    "gather", "gatherv", "reduce", "reduce_scatter", "reduce_scatter_block", "scan", "scatter", "scatterv",
    "iallgather", "iallgatherv", "iallreduce", "ialltoall", "ialltoallv", "ibarrier", "ibcast", "iexscan",
    "igather", "igatherv", "ireduce", "ireduce_scatter", "ireduce_scatter_block", "iscan", "iscatter", "iscatterv",
    "allgather_init", "allgatherv_init", "allreduce_init", "alltoall_init", "alltoallv_init", "barrier_init", "bcast_init", "exscan_init",
    "gather_init", "gatherv_init", "reduce_init", "reduce_scatter_init", "reduce_scatter_block_init", "scan_init", "scatter_init", "scatterv_init"};

/// The forms in which MPI has each collective call.
enum class Form : unsigned char { Blocking, Nonblocking, Persistent };

inline constexpr Function functionOf(Function blocking, Form form) {
  return static_cast<Function>(static_cast<std::size_t>(blocking) + static_cast<std::size_t>(form) * blockingCount);
}
inline constexpr Form formOf(Function function) { return static_cast<Form>(static_cast<std::size_t>(function) / blockingCount); }
inline constexpr std::size_t numberOf(Function function) { return static_cast<std::size_t>(function); }

} // namespace preload
} // namespace quadrille

#endif // QUADRILLE_RUNTIME_PRELOAD_FUNCTIONS_H
