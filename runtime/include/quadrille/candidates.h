//===- quadrille/candidates.h - Schedules to choose among -------*- C++ -*-===//
//
// What `quadrille emit --library` writes beside the code of schedules: a list of
// them for each collective, with what has to be known to choose one for a call.
// Programs use quadrille/collectives.h or quadrille.h, which choose.
//
//===----------------------------------------------------------------------===//

#ifndef QUADRILLE_CANDIDATES_H
#define QUADRILLE_CANDIDATES_H

#include "quadrille/index.h"
#include "quadrille/nodes.h"
#include "quadrille/status.h"

#include <cstddef>

namespace quadrille {

/// The parameter of a schedule.
enum class CandidateParameter : unsigned char {
  None,
  Packets, ///< the number of packets of a block; 0: chosen by the call
  Other,   ///< a radix, the size of groups, ...; has to be given
};

/// What the compiler knows about a schedule, as far as choices need it.
struct CandidateFacts {
  const char *collective; ///< "allreduce"
  const char *schedule;   ///< "ring"
  CandidateParameter parameter;
  const char *parameterName; ///< "k"; null without a parameter
  bool needsCommutative;     ///< its operator must be commutative
  bool needsMoreLengths;     ///< ranks must know more lengths than the collective says that they do
  /// It combines in the same order for all ranks, so that results that are promised
  /// to be equal have the same bits: checked for these numbers of ranks.
  bool sameBits;
  const char *sameBitsCheckedFor; ///< "1..17"
  /// Whether it exists for p ranks, parameter k (1 if it has none) and this root (0).
  bool (*admits)(Index p, Index k, Index root);
  /// For schedules that ask on which nodes ranks are: whether it exists for these.
  /// They are taken where there are several nodes of several ranks.
  bool (*admitsNodes)(Index p, Index k, Index root, const Nodes &nodes) = nullptr;
};

/// The arguments of a call, as far as its collective has them.
struct CandidateArguments {
  Index parameter = 0, root = 0;
  const std::size_t *lengths = nullptr; ///< all of them; null: there are none, or `known` has them
  /// Those that this rank knows: for each statement `knows` of the collective, in
  /// their order, the length or the first of the lengths.
  const std::size_t *const *known = nullptr;
  const void *x = nullptr;
  void *y = nullptr;
  std::size_t n = 0;
};

/// A schedule and its code.
template <class Communicator> struct Candidate {
  CandidateFacts facts;
  /// `type` and `op` may be null where the collective has none.
  Status (*run)(Communicator &, const CandidateArguments &, const typename Communicator::Datatype *type,
                const typename Communicator::Operator *op);
};

/// The candidates for one collective.
template <class Communicator> struct CandidateList {
  const Candidate<Communicator> *first;
  std::size_t count;

  const Candidate<Communicator> *begin() const { return first; }
  const Candidate<Communicator> *end() const { return first + count; }
};

/// The candidates of a library, by collectives.
template <class Communicator> struct Candidates {
  const CandidateList<Communicator> *const *lists;
  std::size_t count;
};

/// The candidates that were emitted for this backend. They live as long as the program.
template <class Communicator> const Candidates<Communicator> &allCandidates();

} // namespace quadrille

#endif // QUADRILLE_CANDIDATES_H
