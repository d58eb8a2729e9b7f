//===- quadrille/presence.h - Which elements are written --------*- C++ -*-===//

#ifndef QUADRILLE_PRESENCE_H
#define QUADRILLE_PRESENCE_H

#include "quadrille/region.h"

#include <cstddef>
#include <vector>

namespace quadrille {

/// The elements of a buffer that have been written, which are *present*. All
/// others are empty: `<>` ignores them. Elements are identified by their
/// addresses, so that blocks, packets and all kinds of slices can be queried, and
/// a used schedule can work on the presence of its caller's buffers.
///
/// A null `const Presence *` means that all elements are present. Throws
/// std::bad_alloc.
class Presence {
public:
  /// Makes all elements of the region present.
  void add(const Region &region) { set(region, true); }
  /// Makes all elements of the region empty.
  void remove(const Region &region) { set(region, false); }
  void set(const Region &region, bool there);
  void clear() { runs_.clear(); }

  /// Whether some element of the region is present.
  bool any(const Region &region) const;

  /// For `elements` >= 1 elements, `stride` bytes apart from `first` on: whether
  /// the first one is present, and how many from it on have the same state.
  struct Alike {
    bool there;
    Index elements;
  };
  Alike alike(const std::byte *first, Index stride, Index elements) const;
  void set(const std::byte *first, Index stride, Index elements, bool there);

private:
  /// The elements that begin in begin ..< end, which are present.
  struct Run {
    const std::byte *begin, *end;
  };
  static Run runOf(const std::byte *first, Index stride, Index elements);

  std::vector<Run> runs_; // ascending, with gaps between them
};

/// Two values of `const Presence *`: all elements are present, and none is.
inline constexpr const Presence *everything = nullptr;
const Presence *nothing() noexcept;

} // namespace quadrille

#endif // QUADRILLE_PRESENCE_H
