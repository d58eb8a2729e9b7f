//===- Moves.h - Copies and combinations of elements ----------------------===//
//
// Private to the runtime. `Ops` is a backend's knowledge about elements:
// copy(dst, src, elements) and combine(dst, a, b, elements) for consecutive
// elements.
//
//===----------------------------------------------------------------------===//

#ifndef QUADRILLE_PLAN_MOVES_H
#define QUADRILLE_PLAN_MOVES_H

#include "Program.h"

#include "../common/PastCache.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace quadrille {
namespace detail {

/// Copies bytes; source and target may overlap.
inline void copyBytes(std::byte *dst, const std::byte *src, std::size_t bytes) {
  // Short messages are mostly a single number, which is copied faster than
  // memmove is called.
  if (bytes == sizeof(std::uint64_t)) {
    std::uint64_t word;
    std::memcpy(&word, src, sizeof word);
    std::memcpy(dst, &word, sizeof word);
  } else if (goesPastCache(2 * bytes)) {
    copyLongBytes(dst, src, bytes);
  } else if (bytes > 2 * wholeLinesBytes) {
    copyWholeLines(dst, src, bytes);
  } else {
    std::memmove(dst, src, bytes);
  }
}

/// dst := src. If dst is longer, the rest of it is left unchanged.
template <class Ops> void copy(Ops &ops, const Elements &dst, const Elements &src) {
  if (dst.isOnePiece() && src.isOnePiece()) {
    // Two arguments may be the same memory.
    const Index n = std::min(dst.elements(), src.elements());
    if (n > 0 && dst.data() != src.data())
      ops.copy(dst.data(), src.data(), n);
    return;
  }
  ElementCursor to(dst), from(src);
  while (const Index n = std::min(to.available(), from.available())) {
    if (to.data() != from.data())
      ops.copy(to.data(), from.data(), n);
    to.skip(n);
    from.skip(n);
  }
}

/// dst := a <> b. All have the same number of elements.
template <class Ops>
void combine(Ops &ops, const Elements &dst, const Elements &a, const Elements &b) {
  if (dst.isOnePiece() && a.isOnePiece() && b.isOnePiece()) {
    if (dst.elements() > 0)
      ops.combine(dst.data(), a.data(), b.data(), dst.elements());
    return;
  }
  ElementCursor to(dst), left(a), right(b);
  while (const Index n = std::min(to.available(), std::min(left.available(), right.available()))) {
    ops.combine(to.data(), left.data(), right.data(), n);
    to.skip(n);
    left.skip(n);
    right.skip(n);
  }
}

/// dst := a <> b with an operator that is given as `apply(in, inout,
/// elements)`, inout := in <> inout. If the order of operands leaves no other
/// way, uses a small temporary, piece by piece; `allocate(elements)` returns
/// it, or null.
template <class Copy, class Apply, class Allocate>
void combineInTwoAddresses(std::byte *dst, const std::byte *a, const std::byte *b,
                           Index elements, Index extent, bool commutative, Copy copy,
                           Apply apply, Allocate allocate) {
  if (dst != a) {
    if (dst != b)
      copy(dst, b, elements);
    apply(a, dst, elements);
    return;
  }
  if (dst != b && commutative) {
    apply(b, dst, elements);
    return;
  }
  // dst = a, and b is the right operand: copy b to a temporary, in pieces that
  // stay in the first-level cache.
  constexpr Index pieceBytes = 16 * 1024;
  Index piece = extent > 0 ? pieceBytes / extent : pieceBytes;
  piece = piece < 1 ? 1 : piece > elements ? elements : piece;
  std::byte *const right = allocate(piece);
  if (!right)
    return;
  for (Index done = 0; done < elements; done += piece) {
    const Index now = elements - done < piece ? elements - done : piece;
    copy(right, b + done * extent, now);
    apply(a + done * extent, right, now);
    copy(dst + done * extent, right, now);
  }
}

} // namespace detail
} // namespace quadrille

#endif // QUADRILLE_PLAN_MOVES_H
