//===- Views.h - Buffers of a running schedule as parts of storages ------------------------------------------------*- C++ -*-===//
//
// The outermost schedule has storages of its own. The parameters of a used schedule are blocks of the caller, or packets of
// them. A view describes a buffer: a storage, the first slot for each rank, and the number of slots per block.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_INSTANTIATE_VIEWS_H
#define QUADRILLE_INSTANTIATE_VIEWS_H

#include "Machine.h"

#include "arithmetic/Integers.h"
#include "evaluate/Evaluate.h"

#include <cassert>

namespace quadrille::compiler {

struct View {
  Storage *storage = nullptr;
  std::uint32_t unit = 1;                  // slots per block of this view
  std::uint32_t blocks = 1;                // number of blocks; ignored if `storage->counts` has the number of slots of each rank
  std::uint32_t parts = 0;                 // packets per block; 0: not split
  bool takesLength = false;                // takes the length of the value that is assigned to all of it (ir/Lengths.h)
  bool ofCollective = true;                // a block has the n elements of the collective
  std::vector<std::uint32_t> firstSlots;   // per rank; empty: 0
  std::vector<std::uint32_t> blockCounts;  // per rank; empty: `blocks`

  std::uint32_t first(std::uint32_t rank) const { return firstSlots.empty() ? 0 : firstSlots[rank]; }
  /// The number of slots of a rank.
  std::uint32_t slots(std::uint32_t rank) const {
    assert(storage && "the buffer has been declared");
    if (!storage->counts.empty() && blockCounts.empty())
      return storage->counts[rank];
    return (blockCounts.empty() ? blocks : blockCounts[rank]) * unit;
  }
};

/// An index evaluated for one rank; a, b, c as in ir::Index. `chosen`: the indices that a filter selects.
struct IndexValues {
  ir::IndexKind kind = ir::IndexKind::Whole;
  std::int64_t a = 0, b = 0, c = 0;
  const std::vector<std::int64_t> *chosen = nullptr;

  /// The number of selected items; 1 for Whole.
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
      assert(chosen && "the filter has been evaluated");
      return static_cast<std::int64_t>(chosen->size());
    }
    return 0;
  }
};

/// Maps the ranks of a schedule to machine ranks: all ranks in order, rotated (`ranks from root`), or in groups.
class RankMap {
public:
  static RankMap everybody(std::uint32_t ranks);
  /// The rank at index `index` of the group of machine rank `rank`.
  std::uint32_t toMachine(std::uint32_t rank, std::int64_t index) const {
    assert(0 <= index && static_cast<std::uint64_t>(index) < size && rotation < size && "a rank of the group");
    std::uint64_t at = static_cast<std::uint64_t>(index) + rotation;
    at = at >= size ? at - size : at;
    return groups.empty() ? static_cast<std::uint32_t>(at) : groups[groupOf[rank]][at];
  }
  /// The value of `me` for a machine rank.
  std::int64_t indexOf(std::uint32_t rank) const {
    std::int64_t at = positions.empty() ? rank : positions[rank];
    at -= static_cast<std::int64_t>(rotation);
    return at < 0 ? at + static_cast<std::int64_t>(size) : at;
  }

  /// Applies `ranks from origin`. `origin` is a rank in the numbering so far.
  void countFrom(std::int64_t origin) {
    assert(size > 0 && "a schedule has at least one rank");
    const std::int64_t ranks = static_cast<std::int64_t>(size);
    rotation = (rotation + static_cast<std::uint64_t>(arithmetic::floorMod(origin, ranks))) % size;
  }

  std::uint64_t size = 0;
  std::uint64_t rotation = 0;
  std::vector<std::uint32_t> groupOf;              // per machine rank; empty: one group, everybody
  std::vector<std::vector<std::uint32_t>> groups;  // machine ranks
  std::vector<std::uint32_t> positions;            // per machine rank, its index in its group
};

/// The map of the ranks among which a schedule runs, as the machine rank `rank` sees them; null if the schedule does not ask for it.
Nodes nodesAmong(const ir::Schedule &schedule, const RankMap &ranks, const Machine &machine, std::uint32_t rank);

/// Sets the number of packets of a block, for all buffers of a schedule. It is evaluated in advance, in the frame of the clauses,
/// since a buffer may be declared before the lets that its `split` uses.
void splitBlocks(const ir::Schedule &schedule, const Frame &clauses, std::vector<View> &views);
void splitBlocks(const ir::Schedule &schedule, const Case &instance, TreeCache &trees, std::vector<View> &views);

/// Appends the slots of a slice on a rank to `runs`. `row`: the row of the view that belongs to the rank: the rank itself, or 0 if
/// the view contains a single rank. Throws Finding if an index is out of range.
void appendSlots(const View &view, std::uint32_t row, std::uint32_t rank, const ir::Slice &slice,
                 const IndexValues &blocks, const IndexValues &packets, std::vector<SlotRun> &runs);

} // namespace quadrille::compiler

#endif // QUADRILLE_INSTANTIATE_VIEWS_H
