//===- ExchangeChecks.h - An all-reduce between two threads ----------------===//
//
// For tests of calls that are repeated.
//
//===----------------------------------------------------------------------===//

#ifndef QUADRILLE_UNIT_EXCHANGECHECKS_H
#define QUADRILLE_UNIT_EXCHANGECHECKS_H

#include "ShmChecks.h"

#include "quadrille/call_key.h"
#include "quadrille/shm.h"

#include <gtest/gtest.h>

#include <functional>

namespace checks {

using namespace quadrille;
using shm::Communicator;
using shm::Datatype;
using shm::Operator;
using shm::Team;

constexpr int often = 4; ///< noted, loaded, and repeated twice

/// An all-reduce as it is emitted, by one message in each direction between two
/// ranks, whose key is known.
inline char exchangeSite;
inline quadrille::Status exchange(Communicator &comm, const void *x, void *y, std::size_t n, const Datatype &type, const Operator &op,
                bool mustCommute = false) {
  const CallKey key(exchangeSite, x, y, n, Index{mustCommute});
  Status ended;
  if (comm.repeat(key, type, op, ended))
    return ended;
  Communicator::Call call(comm, "exchange.quad", type, op);
  call.keepAs(key);
  if (mustCommute)
    if (Status bad = call.requireCommutative())
      return bad;
  if (Status bad = call.requireBuffer("x", x, 1, n))
    return bad;
  if (Status bad = call.requireBuffer("y", y, 1, n))
    return bad;
  return call.run({}, [&]() -> Status {
    const Region out = call.output(y, 1, n), in = call.input(x, 1, n, out);
    const Index other = 1 - comm.rank();
    const Region t = call.temporaryLike(out);
    call.copy(out, in);
    auto step = call.step(comm.everyone(), 7);
    step.send(out, other);
    step.recv(t, other);
    if (Status bad = step.finish())
      return bad;
    if (other < comm.rank())
      call.combine(out, t, out);
    else
      call.combine(out, out, t);
    return {};
  });
}

inline void onTwo(const std::function<Status(Communicator &, Report &)> &body) {
  Team team(2);
  Report report;
  const Status bad = team.run([&](Communicator &comm) { return body(comm, report); });
  EXPECT_FALSE(bad) << bad.text();
  EXPECT_TRUE(report.good()) << report.text();
}

} // namespace checks

#endif // QUADRILLE_UNIT_EXCHANGECHECKS_H
