//===- quadrille/index.h - The integer of schedules -------------*- C++ -*-===//
//
// Ranks, block numbers, counts and lengths are all of one signed type, so that
// `me - s - 1` needs no casts.
//
//===----------------------------------------------------------------------===//

#ifndef QUADRILLE_INDEX_H
#define QUADRILLE_INDEX_H

#include <cstdint>

namespace quadrille {

using Index = std::int64_t;

/// The rank that is not there: a send to it or a receive from it does nothing.
inline constexpr Index none = -1;

} // namespace quadrille

#endif // QUADRILLE_INDEX_H
