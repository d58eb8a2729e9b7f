//===- Cores.h - Available cores -------------------------------------------===//
//
// Private to the runtime. Spinning is worthwhile only if every rank has a core.
//
//===----------------------------------------------------------------------===//

#ifndef QUADRILLE_COMMON_CORES_H
#define QUADRILLE_COMMON_CORES_H

#include "quadrille/index.h"

#include <array>
#include <cstddef>

namespace quadrille {
namespace detail {

/// A set of cores, as bits. Cores with higher numbers are ignored.
struct CoreSet {
  static constexpr std::size_t words = 32;
  std::array<unsigned long, words> bits{};

  /// The cores that this thread may run on; empty if that is unknown.
  static CoreSet ofThisThread() noexcept;
  Index count() const noexcept;
};

/// The number of cores that this thread may run on, at least 1.
Index availableCores() noexcept;

} // namespace detail
} // namespace quadrille

#endif // QUADRILLE_COMMON_CORES_H
