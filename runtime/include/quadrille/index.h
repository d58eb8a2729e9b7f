//===- quadrille/index.h - The integer of schedules -------------*- C++ -*-===//
//
// Ranks, block numbers, counts and lengths have the same signed type, so that
// expressions such as `me - s - 1` need no casts.
//
//===----------------------------------------------------------------------===//

#ifndef QUADRILLE_INDEX_H
#define QUADRILLE_INDEX_H

#include <cstdint>

namespace quadrille {

using Index = std::int64_t;

/// No rank. A send to it, or a receive from it, does nothing.
inline constexpr Index none = -1;

} // namespace quadrille

#endif // QUADRILLE_INDEX_H
