//===- quadrille/machine.h - Times of startups and bytes --------*- C++ -*-===//
//
// The basis of choices that depend on the machine: into how many packets a
// message is split. See docs/runtime.md.
//
//===----------------------------------------------------------------------===//

#ifndef QUADRILLE_MACHINE_H
#define QUADRILLE_MACHINE_H

#include "quadrille/index.h"

#include <cstddef>

namespace quadrille {

/// A message of m bytes takes alpha + beta*m. Choices depend on the ratio of
/// alpha and beta only.
struct MachineTimes {
  double alpha = 0; ///< seconds per startup
  double beta = 0;  ///< seconds per byte
};

/// Defaults of the backends: round numbers of the usual magnitude. `quadrille
/// calibrate` measures a machine.
inline constexpr MachineTimes usualShmMachine{5e-7, 5e-11};
inline constexpr MachineTimes usualMpiMachine{2e-6, 1e-10};

/// Reads QUADRILLE_ALPHA (seconds) and QUADRILLE_BETA (seconds per byte). A value
/// that is not set, or not a finite number > 0, is taken from `otherwise`.
MachineTimes machineFromEnvironment(const MachineTimes &otherwise) noexcept;

/// The number k of packets, 1 <= k <= max(1, n), that minimizes
///   (a + c*k) * (alpha + beta*elementBytes*ceil(n/k))
/// for a schedule that takes `roundsOfOne` = a + c rounds with one packet and
/// `roundsOfTwo` = a + 2*c with two, and sends a packet in each round; a block
/// has n elements. The minimum is near sqrt(a*beta*elementBytes*n / (c*alpha)).
/// The eight packet lengths on either side of it are compared, each with the
/// fewest packets of that length. Computed in integers from the ratio alpha/beta,
/// so that ranks with equal ratios choose the same k.
Index bestPacketCount(Index roundsOfOne, Index roundsOfTwo, std::size_t n,
                      Index elementBytes, const MachineTimes &machine) noexcept;

} // namespace quadrille

#endif // QUADRILLE_MACHINE_H
