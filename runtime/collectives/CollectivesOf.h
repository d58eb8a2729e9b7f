//===- CollectivesOf.h - Collectives<Communicator>, for each backend -*- C++ -*-===//
//
// Included by the file that instantiates it for a backend, which has to define
//
//   Settings agreedSettings(Communicator &, Status &)   the same on all ranks
//   std::string_view backendName(const Communicator &), usualTable(const Communicator &)
//   bool sharesCores(Communicator &)                    the same on all ranks
//   bool isCommutative(const Operator &)
//
//===----------------------------------------------------------------------===//

#ifndef QUADRILLE_RUNTIME_COLLECTIVES_COLLECTIVESOF_H
#define QUADRILLE_RUNTIME_COLLECTIVES_COLLECTIVESOF_H

#include "Chooser.h"

#include "quadrille/collectives.h"

#include <chrono>

namespace quadrille {

namespace detail {

inline std::uint64_t saturatingProduct(std::uint64_t a, std::uint64_t b) {
  std::uint64_t product = 0;
  return __builtin_mul_overflow(a, b, &product) ? Interval().to : product;
}

/// The mean length of blocks with lengths of their own.
inline std::uint64_t meanLength(const std::size_t *lengths, std::size_t count) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; lengths && i < count; ++i)
    if (__builtin_add_overflow(sum, std::uint64_t{lengths[i]}, &sum))
      return Interval().to;
  return sum / count;
}

} // namespace detail

template <class Communicator> Collectives<Communicator>::Collectives(Communicator &comm, bool mayLeaveToMpi) : comm_(comm) {
  const detail::Settings settings = agreedSettings(comm, status_);
  if (status_)
    return;
  std::vector<const CandidateFacts *> all;
  const Candidates<Communicator> &candidates = allCandidates<Communicator>();
  for (std::size_t i = 0; i < candidates.count; ++i)
    for (const Candidate<Communicator> &candidate : *candidates.lists[i])
      all.push_back(&candidate.facts);
  chooser_ = std::make_unique<detail::Chooser>(settings, backendName(comm), comm.size(), comm.nodes(), sharesCores(comm), std::move(all), usualTable(comm),
                                               mayLeaveToMpi);
  status_ = chooser_->status();
}

template <class Communicator> Collectives<Communicator>::~Collectives() = default;

template <class Communicator>
Status Collectives<Communicator>::run(detail::CollectiveId collective, const CandidateArguments &given, const Datatype *type,
                                      const Operator *op) {
  if (status_)
    return status_;
  using Id = detail::CollectiveId;
  const std::uint64_t size = type ? static_cast<std::uint64_t>(type->sizeBytes()) : 0;
  const std::size_t p = static_cast<std::size_t>(comm_.size());
  detail::CallSize call{collective};
  // If ranks know different lengths, all of them choose as for the longest blocks.
  call.knowsAllLengths = !given.known;
  call.bytes = given.known ? detail::Interval().to
                           : detail::saturatingProduct(size, !given.lengths ? given.n
                                                                            : detail::meanLength(given.lengths, collective == Id::Alltoallv ? p * p : p));
  call.commutative = !op || isCommutative(*op);
  call.isBlocking = recording_ == 0;
  // The schedule refuses a root that is not a rank.
  call.root = 0 <= given.root && given.root < comm_.size() ? given.root : 0;
  const detail::Choice choice = chooser_->choose(call);
  if (!choice.candidate)
    return chooser_->noSchedule(call);
  lastChosen_ = choice.candidate;
  const bool isShown = chooser_->shows(comm_.rank(), call, choice);
  if (detail::isMpiLibrary(choice.candidate)) {
    if (isShown)
      chooser_->show(call, choice, -1.0);
    return Status(ErrorCode::UnsupportedSize, nullptr); // without words, which would cost more than the choice
  }
  CandidateArguments arguments = given;
  arguments.parameter = choice.parameter;
  // A candidate begins with its facts.
  const auto &candidate = *reinterpret_cast<const Candidate<Communicator> *>(choice.candidate);
  if (!isShown)
    return candidate.run(comm_, arguments, type, op);
  const auto begin = std::chrono::steady_clock::now();
  Status result = candidate.run(comm_, arguments, type, op);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  chooser_->show(call, choice, recording_ ? -1.0 : seconds.count());
  return result;
}

// ---- each collective ---------------------------------------------------------

namespace detail {

inline CandidateArguments blocks(Index root, const void *x, void *y, std::size_t n) {
  CandidateArguments result;
  result.root = root;
  result.x = x;
  result.y = y;
  result.n = n;
  return result;
}

inline CandidateArguments ownLengths(Index root, const std::size_t *lengths, const void *x, void *y) {
  CandidateArguments result = blocks(root, x, y, 0);
  result.lengths = lengths;
  return result;
}

inline CandidateArguments knownLengths(Index root, const std::size_t *const *known, const void *x, void *y) {
  CandidateArguments result = blocks(root, x, y, 0);
  result.known = known;
  return result;
}

} // namespace detail

template <class C> Status Collectives<C>::broadcast(Index root, const void *x, void *y, std::size_t n, const Datatype &type) {
  return run(detail::CollectiveId::Broadcast, detail::blocks(root, x, y, n), &type, nullptr);
}
template <class C>
Status Collectives<C>::reduce(Index root, const void *x, void *y, std::size_t n, const Datatype &type, const Operator &op) {
  return run(detail::CollectiveId::Reduce, detail::blocks(root, x, y, n), &type, &op);
}
template <class C> Status Collectives<C>::allreduce(const void *x, void *y, std::size_t n, const Datatype &type, const Operator &op) {
  return run(detail::CollectiveId::Allreduce, detail::blocks(0, x, y, n), &type, &op);
}
template <class C>
Status Collectives<C>::reduceScatter(const void *x, void *y, std::size_t n, const Datatype &type, const Operator &op) {
  return run(detail::CollectiveId::ReduceScatter, detail::blocks(0, x, y, n), &type, &op);
}
template <class C>
Status Collectives<C>::reduceScatterv(const std::size_t *lengths, const void *x, void *y, const Datatype &type, const Operator &op) {
  return run(detail::CollectiveId::ReduceScatterv, detail::ownLengths(0, lengths, x, y), &type, &op);
}
template <class C> Status Collectives<C>::scan(const void *x, void *y, std::size_t n, const Datatype &type, const Operator &op) {
  return run(detail::CollectiveId::Scan, detail::blocks(0, x, y, n), &type, &op);
}
template <class C> Status Collectives<C>::exscan(const void *x, void *y, std::size_t n, const Datatype &type, const Operator &op) {
  return run(detail::CollectiveId::Exscan, detail::blocks(0, x, y, n), &type, &op);
}
template <class C> Status Collectives<C>::allgather(const void *x, void *y, std::size_t n, const Datatype &type) {
  return run(detail::CollectiveId::Allgather, detail::blocks(0, x, y, n), &type, nullptr);
}
template <class C> Status Collectives<C>::allgatherv(const std::size_t *lengths, const void *x, void *y, const Datatype &type) {
  return run(detail::CollectiveId::Allgatherv, detail::ownLengths(0, lengths, x, y), &type, nullptr);
}
template <class C> Status Collectives<C>::alltoall(const void *x, void *y, std::size_t n, const Datatype &type) {
  return run(detail::CollectiveId::Alltoall, detail::blocks(0, x, y, n), &type, nullptr);
}
template <class C> Status Collectives<C>::alltoallv(const std::size_t *lengths, const void *x, void *y, const Datatype &type) {
  return run(detail::CollectiveId::Alltoallv, detail::ownLengths(0, lengths, x, y), &type, nullptr);
}
template <class C>
Status Collectives<C>::alltoallv(const std::size_t *sent, const std::size_t *received, const void *x, void *y, const Datatype &type) {
  const std::size_t *const known[] = {sent, received};
  return run(detail::CollectiveId::Alltoallv, detail::knownLengths(0, known, x, y), &type, nullptr);
}
template <class C> Status Collectives<C>::gather(Index root, const void *x, void *y, std::size_t n, const Datatype &type) {
  return run(detail::CollectiveId::Gather, detail::blocks(root, x, y, n), &type, nullptr);
}
template <class C>
Status Collectives<C>::gatherv(Index root, const std::size_t *lengths, const void *x, void *y, const Datatype &type) {
  return run(detail::CollectiveId::Gatherv, detail::ownLengths(root, lengths, x, y), &type, nullptr);
}
template <class C>
Status Collectives<C>::gatherv(Index root, std::size_t own, const std::size_t *lengths, const void *x, void *y, const Datatype &type) {
  const std::size_t *const known[] = {&own, lengths};
  return run(detail::CollectiveId::Gatherv, detail::knownLengths(root, known, x, y), &type, nullptr);
}
template <class C> Status Collectives<C>::scatter(Index root, const void *x, void *y, std::size_t n, const Datatype &type) {
  return run(detail::CollectiveId::Scatter, detail::blocks(root, x, y, n), &type, nullptr);
}
template <class C>
Status Collectives<C>::scatterv(Index root, const std::size_t *lengths, const void *x, void *y, const Datatype &type) {
  return run(detail::CollectiveId::Scatterv, detail::ownLengths(root, lengths, x, y), &type, nullptr);
}
template <class C>
Status Collectives<C>::scatterv(Index root, std::size_t own, const std::size_t *lengths, const void *x, void *y, const Datatype &type) {
  const std::size_t *const known[] = {lengths, &own};
  return run(detail::CollectiveId::Scatterv, detail::knownLengths(root, known, x, y), &type, nullptr);
}
template <class C> Status Collectives<C>::barrier() {
  return run(detail::CollectiveId::Barrier, CandidateArguments(), nullptr, nullptr);
}

} // namespace quadrille

#endif // QUADRILLE_RUNTIME_COLLECTIVES_COLLECTIVESOF_H
