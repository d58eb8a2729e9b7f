//===- AlltoallvChecks.h - The all-to-all computed from the lengths -------===//

#ifndef QUADRILLE_TEST_ALLTOALLVCHECKS_H
#define QUADRILLE_TEST_ALLTOALLVCHECKS_H

#include "CollectiveChecks.h"

#include "quadrille/alltoallv.h"

namespace checks {

/// Lengths of several kinds: all zero, even, a single long one, uneven.
inline std::vector<std::size_t> alltoallvLengths(Index p, int kind) {
  std::vector<std::size_t> len(static_cast<std::size_t>(p * p), 0);
  for (std::size_t i = 0; i < len.size(); ++i)
    len[i] = kind == 0   ? 0
             : kind == 1 ? 5
             : kind == 2 ? (i == len.size() / 2 ? 1000 : 0)
                         : (i * 7919 + 13) % 23 * (i % 3);
  return len;
}

template <class Communicator>
void alltoallvIsRight(Communicator &comm, const typename Communicator::Datatype &int64, Report &report) {
  const Index p = comm.size(), me = comm.rank();
  for (int kind = 0; kind < 4; ++kind) {
    const std::vector<std::size_t> len = alltoallvLengths(p, kind);
    std::vector<std::int64_t> x, wanted;
    for (Index j = 0; j < p; ++j) {
      for (std::size_t e = 0; e < len[static_cast<std::size_t>(me * p + j)]; ++e)
        x.push_back(valueOf(me, j, e));
      for (std::size_t e = 0; e < len[static_cast<std::size_t>(j * p + me)]; ++e)
        wanted.push_back(valueOf(j, me, e));
    }
    std::vector<std::int64_t> y(wanted.size(), -1);
    const std::string what = "alltoallv of lengths " + std::to_string(kind);
    Status status = quadrille::alltoallvColoured(comm, len.data(), x.data(), y.data(), int64);
    report.expect(!status, me, what + ": " + status.text());
    report.expect(y == wanted, me, what + " is wrong");
    for (Index packet : {1, 3, 5000}) {
      const quadrille::AlltoallvPlan plan(len.data(), p, packet);
      // In place, and the plan twice.
      std::vector<std::int64_t> both = x;
      both.resize(std::max(x.size(), wanted.size()), -1);
      status = quadrille::alltoallvColoured(comm, plan, len.data(), both.data(), both.data(), int64);
      both.resize(wanted.size());
      report.expect(!status && both == wanted, me, what + " in place is wrong: " + status.text());
      std::fill(y.begin(), y.end(), -1);
      status = quadrille::alltoallvColoured(comm, plan, len.data(), x.data(), y.data(), int64);
      report.expect(!status && y == wanted, me, what + " with a plan is wrong: " + status.text());
    }
  }
  // A plan for other lengths is refused by every rank before any message.
  const std::vector<std::size_t> even = alltoallvLengths(p, 1), none = alltoallvLengths(p, 0);
  const quadrille::AlltoallvPlan plan(none.data(), p);
  std::vector<std::int64_t> x(static_cast<std::size_t>(5 * p)), y = x;
  Status status = quadrille::alltoallvColoured(comm, plan, even.data(), x.data(), y.data(), int64);
  report.expect(p == 1 || status.code() == ErrorCode::BadParameter, me, "a plan for other lengths is taken");
  status = quadrille::alltoallvColoured(comm, nullptr, x.data(), y.data(), int64);
  report.expect(status.code() == ErrorCode::NullBuffer, me, "lengths that are null are taken");
}

} // namespace checks

#endif // QUADRILLE_TEST_ALLTOALLVCHECKS_H
