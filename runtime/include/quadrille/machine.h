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
/// alpha and beta, and on how many ranks share a core.
struct MachineTimes {
  double alpha = 0; ///< seconds per startup
  double beta = 0;  ///< seconds per byte
  Index ranksPerCore = 1; ///< 1: every rank has a core
  Index cores = 0;        ///< how many the ranks of a node share; 0: every rank has one

  /// This machine, if `ranks` ranks share `cores` cores: a startup then takes no less
  /// than a switch between two ranks. The same as before if every rank has a core.
  MachineTimes sharedBy(Index ranks, Index cores) const noexcept;
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
///
/// Where r ranks share each of C cores, no more than C of them work at once: a packet
/// takes r times as many rounds, and no more than C - 1 packets' rounds are spent before
/// all cores have work, so that a is at most c*(C - 1).
Index bestPacketCount(Index roundsOfOne, Index roundsOfTwo, std::size_t n,
                      Index elementBytes, const MachineTimes &machine) noexcept;

} // namespace quadrille

#endif // QUADRILLE_MACHINE_H
