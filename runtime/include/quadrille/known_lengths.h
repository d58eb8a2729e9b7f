//===- quadrille/known_lengths.h - Lengths that a rank knows ----*- C++ -*-===//
//
// In some collectives a rank knows some entries of a table of lengths only: in
// a gather, the root all, and each other rank its own.
//
//===----------------------------------------------------------------------===//

#ifndef QUADRILLE_KNOWN_LENGTHS_H
#define QUADRILLE_KNOWN_LENGTHS_H

#include "quadrille/index.h"

#include <cstddef>
#include <limits>
#include <memory>
#include <new>
#include <type_traits>

namespace quadrille {

/// A table of lengths, as far as a rank knows them: a view of a function of one
/// index or of two, which has to outlive it.
class KnownLengths {
public:
  /// The length of an entry that the rank does not know. No block can be as
  /// long, so that a call which asks for it fails (ErrorCode::TooLarge).
  static constexpr std::size_t unknown = std::numeric_limits<std::size_t>::max();

  template <class Find, class = std::enable_if_t<!std::is_same_v<Find, KnownLengths>>>
  KnownLengths(const Find &find)
      : of_(&find), find_([](const void *of, Index i, Index j) -> std::size_t {
          const Find &known = *static_cast<const Find *>(of);
          if constexpr (std::is_invocable_v<const Find &, Index, Index>) {
            return known(i, j);
          } else {
            (void)j;
            return known(i);
          }
        }) {}

  std::size_t operator()(Index i) const { return find_(of_, i, 0); }
  std::size_t operator()(Index i, Index j) const { return find_(of_, i, j); }

private:
  const void *of_;
  std::size_t (*find_)(const void *, Index, Index);
};

/// A table of lengths that the ranks of a call tell each other, or that all know.
/// Copies share it.
class ToldLengths {
public:
  /// With the entries of `known`; null if that is null.
  ToldLengths(Index entries, const std::size_t *known)
      : ToldLengths(known ? entries : 0) {
    for (Index i = 0; known && data_ && i < entries; ++i)
      data_[static_cast<std::ptrdiff_t>(i)] = known[i];
    if (!known)
      data_.reset();
  }
  /// With entries that are still to be told.
  explicit ToldLengths(Index entries) {
    try {
      data_.reset(new (std::nothrow) std::size_t[static_cast<std::size_t>(entries)]());
    } catch (const std::bad_alloc &) {
      // No memory for the counter of the copies.
    }
  }

  /// The entries, row by row; null if there is no memory for them.
  std::size_t *data() const { return data_.get(); }

private:
  std::shared_ptr<std::size_t[]> data_;
};

} // namespace quadrille

#endif // QUADRILLE_KNOWN_LENGTHS_H
