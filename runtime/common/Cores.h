//===- Cores.h - Who may run where -----------------------------------------===//
//
// Private to the runtime. Whether it pays to spin depends on whether every rank
// has a core.
//
//===----------------------------------------------------------------------===//

#ifndef QUADRILLE_COMMON_CORES_H
#define QUADRILLE_COMMON_CORES_H

#include "quadrille/index.h"

#include <array>
#include <cstddef>

namespace quadrille {
namespace detail {

/// Cores as bits. Of those that have higher numbers nothing is known.
struct CoreSet {
  static constexpr std::size_t words = 32;
  std::array<unsigned long, words> bits{};

  /// Those that this thread may run on; none if that cannot be found out.
  static CoreSet ofThisThread() noexcept;
  Index count() const noexcept;
};

/// How many cores this thread may run on, at least 1.
Index availableCores() noexcept;

} // namespace detail
} // namespace quadrille

#endif // QUADRILLE_COMMON_CORES_H
