//===- quadrille/collectives.h - Collectives by the best schedule -*- C++ -*-===//
//
// Calls that choose among all schedules of the library, by a table of what is
// fastest where; see docs/collectives.md.
//
//   quadrille::mpi::Communicator comm(MPI_COMM_WORLD);
//   quadrille::Collectives collectives(comm);
//   quadrille::Status bad = collectives.allreduce(x, y, n, MPI_DOUBLE, MPI_SUM);
//
// A program is linked with quadrille::collectives, for ranks that are threads, or
// quadrille::collectives_mpi.
//
//===----------------------------------------------------------------------===//

#ifndef QUADRILLE_COLLECTIVES_H
#define QUADRILLE_COLLECTIVES_H

#include "quadrille/candidates.h"
#include "quadrille/request.h"

#include <cstddef>
#include <cstdint>
#include <memory>

namespace quadrille {

namespace detail {
class Chooser;
enum class CollectiveId : unsigned char;
} // namespace detail

/// The collectives of a communicator, which must live longer. Used by the thread of
/// its communicator. All ranks make the same calls in the same order, and mix them
/// with other calls on the communicator as they like.
///
/// A block has n elements. x is the input and y the output, which may be the same
/// memory. `root` is a rank; where only the root has a buffer, the others' may be
/// null. All ranks pass the same root, n, lengths, bytes of `type`, and operator;
/// then all choose the same schedule. Where ranks know some lengths only, the choice
/// is among the schedules that need no more, and does not depend on lengths.
template <class Communicator> class Collectives {
public:
  using Datatype = typename Communicator::Datatype;
  using Operator = typename Communicator::Operator;

  /// Reads the environment and the table. Under MPI rank 0 does, and tells the
  /// others: a collective call. What is wrong with them is in `status()`, and every
  /// call returns it. `mayLeaveToMpi`: blocking calls for which the table says `mpi` end with
  /// ErrorCode::UnsupportedSize on all ranks, before anything is sent, so that the caller
  /// can have the MPI library carry them out; otherwise such rows are passed over. Throws
  /// std::bad_alloc.
  explicit Collectives(Communicator &comm, bool mayLeaveToMpi = false);
  ~Collectives();
  Collectives(const Collectives &) = delete;
  Collectives &operator=(const Collectives &) = delete;

  const Status &status() const noexcept { return status_; }
  /// The schedule of the last call; null before the first.
  const CandidateFacts *lastChosen() const noexcept { return lastChosen_; }
  Communicator &communicator() const noexcept { return comm_; }

  /// y on every rank: x of the root.
  Status broadcast(Index root, const void *x, void *y, std::size_t n, const Datatype &type);
  /// y on the root: x of all ranks combined.
  Status reduce(Index root, const void *x, void *y, std::size_t n, const Datatype &type, const Operator &op);
  /// y on every rank: x of all ranks combined.
  Status allreduce(const void *x, void *y, std::size_t n, const Datatype &type, const Operator &op);
  /// x has p blocks. y on rank i: block i of all ranks combined.
  Status reduceScatter(const void *x, void *y, std::size_t n, const Datatype &type, const Operator &op);
  /// The same with lengths[i] elements in block i.
  Status reduceScatterv(const std::size_t *lengths, const void *x, void *y, const Datatype &type, const Operator &op);
  /// y on rank i: x of the ranks 0 to i combined.
  Status scan(const void *x, void *y, std::size_t n, const Datatype &type, const Operator &op);
  /// y on rank i: x of the ranks before i combined; on rank 0 it is left as it was.
  Status exscan(const void *x, void *y, std::size_t n, const Datatype &type, const Operator &op);
  /// y on every rank: p blocks, x of each.
  Status allgather(const void *x, void *y, std::size_t n, const Datatype &type);
  /// The same with lengths[i] elements on rank i.
  Status allgatherv(const std::size_t *lengths, const void *x, void *y, const Datatype &type);
  /// x and y have p blocks. Block j of y on rank i: block i of x on rank j.
  Status alltoall(const void *x, void *y, std::size_t n, const Datatype &type);
  /// The same with lengths[i*p + j] elements from rank i to rank j.
  Status alltoallv(const std::size_t *lengths, const void *x, void *y, const Datatype &type);
  /// The same where a rank knows sent[j], the elements from it to rank j, and
  /// received[j], those from rank j to it.
  Status alltoallv(const std::size_t *sent, const std::size_t *received, const void *x, void *y, const Datatype &type);
  /// y on the root: p blocks, x of each rank.
  Status gather(Index root, const void *x, void *y, std::size_t n, const Datatype &type);
  /// The same with lengths[i] elements on rank i.
  Status gatherv(Index root, const std::size_t *lengths, const void *x, void *y, const Datatype &type);
  /// The same where a rank knows its own length, and the root all; elsewhere `lengths`
  /// may be null.
  Status gatherv(Index root, std::size_t own, const std::size_t *lengths, const void *x, void *y, const Datatype &type);
  /// x on the root has p blocks. y on rank i: block i.
  Status scatter(Index root, const void *x, void *y, std::size_t n, const Datatype &type);
  /// The same with lengths[i] elements in block i.
  Status scatterv(Index root, const std::size_t *lengths, const void *x, void *y, const Datatype &type);
  /// The same where a rank knows its own length, and the root all.
  Status scatterv(Index root, std::size_t own, const std::size_t *lengths, const void *x, void *y, const Datatype &type);
  /// Nobody returns before all have called.
  Status barrier();

  /// Starts what `body()` calls on this object, without waiting; `body` returns its
  /// Status:
  ///   Request sum = collectives.start([&] { return collectives.allreduce(...); });
  template <class Body> Request start(Body body) {
    const Recording recording(*this);
    return comm_.start(body);
  }
  /// Prepares what `body()` calls, to be started many times with the same arguments.
  template <class Body> Persistent prepare(Body body) {
    const Recording recording(*this);
    return comm_.prepare(body);
  }

private:
  /// While one exists, calls are recorded, and carried out later. So QUADRILLE_TRACE
  /// shows no times of them.
  struct Recording {
    explicit Recording(Collectives &of) : of(of) { ++of.recording_; }
    ~Recording() { --of.recording_; }
    Recording(const Recording &) = delete;
    Collectives &of;
  };

  Status run(detail::CollectiveId collective, const CandidateArguments &arguments, const Datatype *type, const Operator *op);

  Communicator &comm_;
  Status status_;
  std::unique_ptr<detail::Chooser> chooser_;
  unsigned recording_ = 0;
  const CandidateFacts *lastChosen_ = nullptr;
};

} // namespace quadrille

#endif // QUADRILLE_COLLECTIVES_H
