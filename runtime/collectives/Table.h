//===- Table.h - What is fastest where -------------------------*- C++ -*-===//
//
// The text of a selection table (docs/collectives.md), and its rows.
//
//===----------------------------------------------------------------------===//

#ifndef QUADRILLE_RUNTIME_COLLECTIVES_TABLE_H
#define QUADRILLE_RUNTIME_COLLECTIVES_TABLE_H

#include "Names.h"

#include "quadrille/candidates.h"
#include "quadrille/status.h"

#include <cstdint>
#include <limits>

namespace quadrille {
namespace detail {

/// From one number to another, both included.
struct Interval {
  std::uint64_t from = 0, to = std::numeric_limits<std::uint64_t>::max();

  bool contains(std::uint64_t value) const { return from <= value && value <= to; }
};

/// One preference: which schedule to take for which calls.
struct TableRow {
  enum class Law { Any, Commutative, Ordered };
  enum class Cores { Any, Own, Shared };

  std::string origin; ///< "file:12", or the variable that it is from
  CollectiveId collective = CollectiveId::Barrier;
  std::vector<Interval> ranks; ///< empty: any number
  Interval bytes;              ///< of a block
  Law law = Law::Any;          ///< of the operator
  Cores cores = Cores::Any;    ///< whether every rank has one
  const CandidateFacts *candidate = nullptr;
  Index parameter = 0; ///< 0: none, or that the call chooses it

  bool fits(Index p, bool sharesCores) const;
  bool fits(std::uint64_t blockBytes, bool commutative) const {
    return bytes.contains(blockBytes) &&
           (law == Law::Any || (law == Law::Commutative) == commutative);
  }
};

/// What rows have in the place of a schedule that leave calls to the MPI library: `mpi`,
/// in tables for the backend mpi. It is no candidate of the library.
const CandidateFacts *mpiLibraryFor(CollectiveId collective);
bool isMpiLibrary(const CandidateFacts *candidate);

/// Reads the rows of a table that are for this backend. The schedules are those of
/// `known`. `name` is what errors call the text.
Status readTable(std::string_view text, const std::string &name, std::string_view backend,
                 const std::vector<const CandidateFacts *> &known, std::vector<TableRow> &rows);

/// Reads `SCHEDULE[,PARAMETER=NUMBER]`, as in QUADRILLE_ALLREDUCE=ring,k=4. `row`
/// has the origin and the collective.
Status readPreference(std::string_view text, std::string_view backend, const std::vector<const CandidateFacts *> &known, TableRow &row);

} // namespace detail
} // namespace quadrille

#endif // QUADRILLE_RUNTIME_COLLECTIVES_TABLE_H
