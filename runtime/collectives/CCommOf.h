//===- CCommOf.h - quadrille_comm, for each backend ------------*- C++ -*-===//
//
// Included by the file that makes communicators. `Elements` translates the types and
// operators of C; both functions return a Status:
//
//   Status type(quadrille_type, std::optional<Datatype> &)
//   Status op(quadrille_op, std::optional<Operator> &)
//
//===----------------------------------------------------------------------===//

#ifndef QUADRILLE_RUNTIME_COLLECTIVES_CCOMMOF_H
#define QUADRILLE_RUNTIME_COLLECTIVES_CCOMMOF_H

#include "CComm.h"

#include "quadrille/collectives.h"

namespace quadrille {
namespace detail {

/// `Held`: a communicator, or a reference to one that belongs to others.
template <class Communicator, class Elements, class Held = Communicator> class CCommOf : public quadrille_comm {
public:
  template <class... Arguments>
  explicit CCommOf(Arguments &&...arguments) : comm_(std::forward<Arguments>(arguments)...), collectives_(comm_) {}

  const Status &status() const { return collectives_.status(); }

  std::int64_t rank() const override { return comm_.rank(); }
  std::int64_t size() const override { return comm_.size(); }
  void setTimeout(std::int64_t milliseconds) override { comm_.setTimeout(milliseconds); }
  Status run(const Call &call) override { return make(call); }
  Request start(const Call &call) override {
    return collectives_.start([&] { return make(call); });
  }
  Persistent prepare(const Call &call) override {
    return collectives_.prepare([&] { return make(call); });
  }

private:
  Status make(const Call &call) {
    std::optional<typename Communicator::Datatype> ofElements;
    std::optional<typename Communicator::Operator> combines;
    if (Status bad = Elements::type(call.type, ofElements))
      return bad;
    if (Status bad = Elements::op(call.op, combines))
      return bad;
    const CandidateArguments &a = call.arguments;
    const typename Communicator::Datatype &type = *ofElements;
    const typename Communicator::Operator &op = *combines;
    switch (call.collective) {
    case CollectiveId::Broadcast:
      return collectives_.broadcast(a.root, a.x, a.y, a.n, type);
    case CollectiveId::Reduce:
      return collectives_.reduce(a.root, a.x, a.y, a.n, type, op);
    case CollectiveId::Allreduce:
      return collectives_.allreduce(a.x, a.y, a.n, type, op);
    case CollectiveId::ReduceScatter:
      return collectives_.reduceScatter(a.x, a.y, a.n, type, op);
    case CollectiveId::ReduceScatterv:
      return collectives_.reduceScatterv(a.lengths, a.x, a.y, type, op);
    case CollectiveId::Scan:
      return collectives_.scan(a.x, a.y, a.n, type, op);
    case CollectiveId::Exscan:
      return collectives_.exscan(a.x, a.y, a.n, type, op);
    case CollectiveId::Allgather:
      return collectives_.allgather(a.x, a.y, a.n, type);
    case CollectiveId::Allgatherv:
      return collectives_.allgatherv(a.lengths, a.x, a.y, type);
    case CollectiveId::Alltoall:
      return collectives_.alltoall(a.x, a.y, a.n, type);
    case CollectiveId::Alltoallv:
      return a.known ? collectives_.alltoallv(a.known[0], a.known[1], a.x, a.y, type) : collectives_.alltoallv(a.lengths, a.x, a.y, type);
    case CollectiveId::Gather:
      return collectives_.gather(a.root, a.x, a.y, a.n, type);
    case CollectiveId::Gatherv:
      return a.known ? collectives_.gatherv(a.root, *a.known[0], a.known[1], a.x, a.y, type)
                     : collectives_.gatherv(a.root, a.lengths, a.x, a.y, type);
    case CollectiveId::Scatter:
      return collectives_.scatter(a.root, a.x, a.y, a.n, type);
    case CollectiveId::Scatterv:
      return a.known ? collectives_.scatterv(a.root, *a.known[1], a.known[0], a.x, a.y, type)
                     : collectives_.scatterv(a.root, a.lengths, a.x, a.y, type);
    case CollectiveId::Barrier:
      return collectives_.barrier();
    }
    return {};
  }

  Held comm_;
  Collectives<Communicator> collectives_;
};

} // namespace detail
} // namespace quadrille

#endif // QUADRILLE_RUNTIME_COLLECTIVES_CCOMMOF_H
