//===- Races.h - Transfers of a step that disturb each other ------------------------------------------------------------*- C++ -*-===//
//
// The transfers of a step happen in any order, so that none of them may write what another one reads or writes. Both engines look
// for such races here.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_INSTANTIATE_RACES_H
#define QUADRILLE_INSTANTIATE_RACES_H

#include "Machine.h"

#include "llvm/ADT/ArrayRef.h"

#include <optional>
#include <vector>

namespace quadrille::compiler {

/// The slots that are in both runs; if there are none, count is 0.
inline SlotRun overlapOf(SlotRun a, SlotRun b) {
  const std::uint32_t lo = std::max(a.lo, b.lo), hi = std::min(a.lo + a.count, b.lo + b.count);
  return {lo, lo < hi ? hi - lo : 0};
}

/// Some slots that are in a run of `a` and in a run of `b`; nothing if there are none. Takes n log n for n runs.
std::optional<SlotRun> findOverlap(llvm::ArrayRef<SlotRun> a, llvm::ArrayRef<SlotRun> b);

/// Slots that a transfer of a step reads or writes in the memory of a rank.
struct Access {
  std::uint32_t storage; // the same number for the same storage
  SlotRun run;
  bool reads; // a send; receives write
  std::uint32_t transfer;
};

/// Two transfers of which one writes what the other reads or writes.
struct Race {
  std::uint32_t first, second;
  SlotRun common;
};

/// A race between accesses of one rank, which it sorts; nothing if there is none. Takes n log n for n accesses.
std::optional<Race> findRace(std::vector<Access> &accesses);

} // namespace quadrille::compiler

#endif // QUADRILLE_INSTANTIATE_RACES_H
