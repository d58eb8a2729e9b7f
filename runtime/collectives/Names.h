//===- Names.h - The collectives by number and by name ---------*- C++ -*-===//

#ifndef QUADRILLE_RUNTIME_COLLECTIVES_NAMES_H
#define QUADRILLE_RUNTIME_COLLECTIVES_NAMES_H

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace quadrille {
namespace detail {

enum class CollectiveId : unsigned char {
  Broadcast,
  Reduce,
  Allreduce,
  ReduceScatter,
  ReduceScatterv,
  Scan,
  Exscan,
  Allgather,
  Allgatherv,
  Alltoall,
  Alltoallv,
  Gather,
  Gatherv,
  Scatter,
  Scatterv,
  Barrier
};
inline constexpr std::size_t collectiveCount = 16;

/// The names in the language and in tables and, in capitals, in variables of the environment.
inline constexpr std::array<std::string_view, collectiveCount> collectiveNames = {
    "broadcast", "reduce",   "allreduce", "reduce_scatter", "reduce_scatterv", "scan",    "exscan",   "allgather",
    "allgatherv", "alltoall", "alltoallv", "gather",         "gatherv",         "scatter", "scatterv", "barrier"};

std::optional<CollectiveId> collectiveOf(std::string_view name);

/// "; did you mean `ring`?" if one of the names is nearly the same; else "".
std::string didYouMean(std::string_view wrong, const std::vector<std::string_view> &names);
/// Whether a few changed letters make one of the other.
bool isNear(std::string_view a, std::string_view b);

} // namespace detail
} // namespace quadrille

#endif // QUADRILLE_RUNTIME_COLLECTIVES_NAMES_H
