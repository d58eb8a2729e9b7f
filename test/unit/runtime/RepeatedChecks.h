//===- RepeatedChecks.h - Calls that are made again, of both backends ----------===//

#ifndef QUADRILLE_UNIT_REPEATEDCHECKS_H
#define QUADRILLE_UNIT_REPEATEDCHECKS_H

#include "quadrille/call_key.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <thread>

namespace checks {

/// The sum of all ranks' numbers, by messages round a ring, as it is emitted.
template <class Communicator, class Datatype, class Operator>
quadrille::Status sumRoundRing(Communicator &comm, const std::int64_t *x, std::int64_t *y, std::size_t n, const Datatype &type,
                               const Operator &op) {
  using namespace quadrille;
  static char site;
  const CallKey key(site, static_cast<const void *>(x), static_cast<const void *>(y), n);
  Status ended;
  if (comm.repeat(key, type, op, ended))
    return ended;
  typename Communicator::Call call(comm, "ring.quad", type, op);
  call.keepAs(key);
  if (Status bad = call.requireBuffer("x", x, 1, n))
    return bad;
  if (Status bad = call.requireBuffer("y", y, 1, n))
    return bad;
  return call.run({}, [&]() -> Status {
    const Region out = call.output(y, 1, n), in = call.input(x, 1, n, out);
    const Region mine = call.temporaryLike(out), next = call.temporaryLike(out);
    const Index p = comm.size(), me = comm.rank();
    call.copy(mine, in);
    call.copy(out, in);
    for (Index i = 1; i < p; ++i) {
      auto step = call.step(comm.everyone(), 3);
      step.send(mine, (me + 1) % p);
      step.recv(next, (me + p - 1) % p);
      if (Status bad = step.finish())
        return bad;
      call.combine(out, out, next);
      call.copy(mine, next);
    }
    return {};
  });
}

/// Repeats calls of which now and then ranks are late, so that the others are stuck
/// at some operation and go on later; in place and not; of lengths that are sent in
/// several ways; with started calls in flight.
template <class Communicator, class Datatype, class Operator, class Report>
void lateRanks(Communicator &comm, const Datatype &type, const Operator &op, int calls, Report &report) {
  using namespace quadrille;
  std::mt19937 together(23), alone(static_cast<unsigned>(comm.rank()) + 1);
  const Index p = comm.size();
  constexpr std::size_t most = 200;
  static thread_local std::int64_t x[most], y[most], z[most];
  for (int i = 0; i < calls; ++i) {
    constexpr std::size_t lengths[] = {1, 1, 1, 3, 6, 7, most};
    const std::size_t n = lengths[together() % 7];
    const bool isInPlace = together() % 3 == 0, isBeside = together() % 4 == 0;
    const std::int64_t all = static_cast<std::int64_t>(p) * i + static_cast<std::int64_t>(p) * (p - 1) / 2;
    for (std::size_t at = 0; at < n; ++at) {
      x[at] = i + static_cast<std::int64_t>(comm.rank());
      y[at] = isInPlace ? x[at] : -1;
      z[at] = -1;
    }
    Request beside;
    if (isBeside)
      beside = comm.start([&] { return sumRoundRing(comm, x, z, n, type, op); });
    switch (alone() % 40) {
    case 0:
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
      break;
    case 1:
    case 2:
      std::this_thread::yield();
      break;
    default:
      break;
    }
    const Status bad = sumRoundRing(comm, isInPlace ? y : x, y, n, type, op);
    report.expect(!bad, comm.rank(), bad.text());
    report.expect(y[0] == all && y[n - 1] == all, comm.rank(), "the sum of call " + std::to_string(i));
    if (isBeside) {
      const Status late = beside.wait();
      report.expect(!late, comm.rank(), late.text());
      report.expect(z[0] == all && z[n - 1] == all, comm.rank(), "the started sum of call " + std::to_string(i));
    }
  }
}

} // namespace checks

#endif // QUADRILLE_UNIT_REPEATEDCHECKS_H
