//===- quadrille/machine.h - What a startup and a byte take -----*- C++ -*-===//
//
// For choices that depend on the machine: into how many packets to split a
// message. See docs/runtime.md.
//
//===----------------------------------------------------------------------===//

#ifndef QUADRILLE_MACHINE_H
#define QUADRILLE_MACHINE_H

#include "quadrille/index.h"

#include <cstddef>

namespace quadrille {

/// The time of a message of m bytes is alpha + beta*m. What is chosen by it
/// depends on the ratio of the two alone.
struct MachineTimes {
  double alpha = 0; ///< seconds per startup
  double beta = 0;  ///< seconds per byte
};

/// What a backend assumes where nobody says better: round numbers of usual
/// magnitude, not measured. `quadrille calibrate` measures.
inline constexpr MachineTimes usualShmMachine{5e-7, 5e-11};
inline constexpr MachineTimes usualMpiMachine{2e-6, 1e-10};

/// QUADRILLE_ALPHA (seconds) and QUADRILLE_BETA (seconds per byte); what is not
/// set, or is not a finite number above zero, is `otherwise`'s.
MachineTimes machineFromEnvironment(const MachineTimes &otherwise) noexcept;

/// The number k of packets, 1 <= k <= max(1, n), that minimizes
///   (a + c*k) * (alpha + beta*elementBytes*ceil(n/k))
/// for schedules with `roundsOfOne` = a + c rounds for one packet and
/// `roundsOfTwo` = a + 2*c for two, in each of which a packet of n elements is
/// sent. It lies at sqrt(a*beta*elementBytes*n / (c*alpha)): compared are the
/// eight packet lengths to either side of it, each with the fewest packets that
/// have it. Computed in integers from the ratio alpha/beta, so that it is the
/// same on all ranks if that is.
Index bestPacketCount(Index roundsOfOne, Index roundsOfTwo, std::size_t n,
                      Index elementBytes, const MachineTimes &machine) noexcept;

} // namespace quadrille

#endif // QUADRILLE_MACHINE_H
