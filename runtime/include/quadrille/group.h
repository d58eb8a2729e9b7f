//===- quadrille/group.h - The ranks of a schedule --------------*- C++ -*-===//

#ifndef QUADRILLE_GROUP_H
#define QUADRILLE_GROUP_H

#include "quadrille/index.h"

#include <memory>
#include <vector>

namespace quadrille {

/// The ranks among which a schedule runs, renumbered from 0, and the caller's
/// rank among them: the whole communicator, or any list of its ranks. Cheap to
/// copy.
class Group {
public:
  /// All ranks 0 ..< size of a communicator. `me`: the caller's rank.
  static Group everyone(Index size, Index me) { return Group(size, me); }

  /// The group of the given communicator ranks in the given order. `me`: the
  /// caller's rank in the communicator. Every member must give the same list.
  static Group of(std::vector<Index> ranks, Index me);

  /// The group of the given ranks *of this group*, for the same caller.
  Group among(std::vector<Index> ranks) const;

  Index size() const { return size_; }

  /// The caller's rank in this group; `none` if it is not a member.
  Index rank() const { return rank_; }
  bool isMember() const { return rank_ != none; }

  /// Whether `i` is a rank of this group.
  bool contains(Index i) const { return 0 <= i && i < size_; }

  /// The communicator rank of rank `i` of this group; contains(i) must hold.
  Index at(Index i) const {
    return table_ ? (*table_)[static_cast<std::size_t>(i)] : i;
  }

private:
  Group(Index size, Index rank) : size_(size), rank_(rank) {}

  Index size_ = 0;
  Index rank_ = none;
  std::shared_ptr<const std::vector<Index>> table_; ///< communicator ranks; null: all
};

} // namespace quadrille

#endif // QUADRILLE_GROUP_H
