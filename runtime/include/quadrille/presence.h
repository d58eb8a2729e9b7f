//===- quadrille/presence.h - Which elements are there ----------*- C++ -*-===//

#ifndef QUADRILLE_PRESENCE_H
#define QUADRILLE_PRESENCE_H

#include "quadrille/region.h"

#include <cstddef>
#include <vector>

namespace quadrille {

/// Which elements of a buffer have been written: the others are empty, what
/// `<>` leaves out. Elements are known by where they begin in memory, so blocks,
/// packets and slices of all kinds can be asked for, whoever took them apart,
/// and a schedule that is used works on the presence of its user's buffers.
///
/// Where a `const Presence *` is asked for, null stands for a buffer of which
/// everything is there. Throws std::bad_alloc.
class Presence {
public:
  /// All elements of the region are there.
  void add(const Region &region) { set(region, true); }
  /// None of them is.
  void remove(const Region &region) { set(region, false); }
  void set(const Region &region, bool there);
  void clear() { runs_.clear(); }

  /// Whether some element of the region is there.
  bool any(const Region &region) const;

  /// Of `elements` >= 1 elements, `stride` bytes apart from `first` on: whether
  /// the first one is there, and of how many from it on the same is true.
  struct Alike {
    bool there;
    Index elements;
  };
  Alike alike(const std::byte *first, Index stride, Index elements) const;
  void set(const std::byte *first, Index stride, Index elements, bool there);

private:
  /// Elements that begin in begin ..< end, which are there.
  struct Run {
    const std::byte *begin, *end;
  };
  static Run runOf(const std::byte *first, Index stride, Index elements);

  std::vector<Run> runs_; // ascending, with gaps between them
};

/// For `const Presence *`: everything is there, and nothing is.
inline constexpr const Presence *everything = nullptr;
const Presence *nothing() noexcept;

} // namespace quadrille

#endif // QUADRILLE_PRESENCE_H
