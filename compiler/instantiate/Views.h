//===- Views.h - How the buffers of a running schedule lie in storages ------------------------------------------------*- C++ -*-===//
//
// A schedule that runs by itself has storages of its own. One that another schedule uses sees the caller's blocks, or
// packets of them, as its buffers: a view is a storage, a first slot per rank, and how many slots a block takes.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_INSTANTIATE_VIEWS_H
#define QUADRILLE_INSTANTIATE_VIEWS_H

#include "Machine.h"

#include "arithmetic/Integers.h"
#include "evaluate/Evaluate.h"

namespace quadrille::compiler {

struct View {
  Storage *storage = nullptr;
  std::uint32_t unit = 1;                  // slots per block of this view
  std::uint32_t blocks = 1;                // blocks; not used if the storage counts slots per rank
  std::uint32_t parts = 0;                 // packets per block; 0: not split
  bool takesLength = false;                // what all of it is set to says how long it is (ir/Lengths.h)
  bool ofCollective = true;                // its blocks have the collective's n elements
  std::vector<std::uint32_t> firstSlots;   // per rank; empty: 0
  std::vector<std::uint32_t> blockCounts;  // per rank; empty: `blocks`

  std::uint32_t first(std::uint32_t rank) const { return firstSlots.empty() ? 0 : firstSlots[rank]; }
  /// Slots that a rank can address.
  std::uint32_t slots(std::uint32_t rank) const {
    if (!storage->counts.empty() && blockCounts.empty())
      return storage->counts[rank];
    return (blockCounts.empty() ? blocks : blockCounts[rank]) * unit;
  }
};

/// An index with its numbers filled in for one rank. For a filter, `chosen` are the indices.
struct IndexValues {
  ir::IndexKind kind = ir::IndexKind::Whole;
  std::int64_t a = 0, b = 0, c = 0;
  const std::vector<std::int64_t> *chosen = nullptr;

  /// How many that are; not of the whole.
  std::int64_t count() const {
    switch (kind) {
    case ir::IndexKind::Whole:
    case ir::IndexKind::Point:
      return 1;
    case ir::IndexKind::Range:
      return b > a ? b - a : 0;
    case ir::IndexKind::Run:
    case ir::IndexKind::Cyclic:
      return b;
    case ir::IndexKind::Filter:
      return static_cast<std::int64_t>(chosen->size());
    }
    return 0;
  }
};

/// The ranks that take part in a schedule: all, in order, or rotated (`ranks from root`), or a group each.
class RankMap {
public:
  static RankMap everybody(std::uint32_t ranks);
  /// The rank at index `index` of the group of machine rank `rank`.
  std::uint32_t toMachine(std::uint32_t rank, std::int64_t index) const {
    std::uint64_t at = static_cast<std::uint64_t>(index) + rotation;
    at = at >= size ? at - size : at;
    return groups.empty() ? static_cast<std::uint32_t>(at) : groups[groupOf[rank]][at];
  }
  /// What `me` is for a machine rank.
  std::int64_t indexOf(std::uint32_t rank) const {
    std::int64_t at = positions.empty() ? rank : positions[rank];
    at -= static_cast<std::int64_t>(rotation);
    return at < 0 ? at + static_cast<std::int64_t>(size) : at;
  }

  /// `ranks from origin`, counted as ranks have been until now.
  void countFrom(std::int64_t origin) {
    const std::int64_t ranks = static_cast<std::int64_t>(size);
    rotation = (rotation + static_cast<std::uint64_t>(arithmetic::floorMod(origin, ranks))) % size;
  }

  std::uint64_t size = 0;
  std::uint64_t rotation = 0;
  std::vector<std::uint32_t> groupOf;              // per machine rank; empty: one group, everybody
  std::vector<std::vector<std::uint32_t>> groups;  // machine ranks
  std::vector<std::uint32_t> positions;            // of a machine rank in its group
};

/// Says of all buffers of a schedule into how many packets their blocks fall: a buffer may be declared before the numbers that its
/// `split` names. `clauses`: the frame in which its clauses are read.
void splitBlocks(const ir::Schedule &schedule, const Frame &clauses, std::vector<View> &views);
void splitBlocks(const ir::Schedule &schedule, std::int64_t p, const std::vector<std::int64_t> &numbers, TreeCache &trees,
                 std::vector<View> &views);

/// Appends the slots of `rank` that the slice takes. `row` is where the view keeps the numbers of that rank: the rank
/// itself, or 0 for the view of a single rank. Throws Finding if an index is out of range.
void appendSlots(const View &view, std::uint32_t row, std::uint32_t rank, const ir::Slice &slice,
                 const IndexValues &blocks, const IndexValues &packets, std::vector<SlotRun> &runs);

} // namespace quadrille::compiler

#endif // QUADRILLE_INSTANTIATE_VIEWS_H
