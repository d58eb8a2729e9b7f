//===- Semantics.h - What both engines must do alike ---------------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_INSTANTIATE_SEMANTICS_H
#define QUADRILLE_INSTANTIATE_SEMANTICS_H

#include "Round.h"
#include "Views.h"

#include "evaluate/Evaluate.h"

#include <algorithm>

namespace quadrille::compiler {

[[noreturn]] void reportNoSuchEntry(const ir::LengthOf &length, const LengthTable &table, std::uint32_t rank,
                                    llvm::ArrayRef<std::int64_t> indices);

/// Throws Finding unless `part` is one of `parts` packets.
void checkPacket(const ir::LengthOf &length, const LengthTable &table, std::uint32_t rank, std::int64_t parts,
                 std::int64_t part);

/// What some slots of a rank hold, in the order of a slice.
struct SlotValues {
  std::vector<Value> values;
  std::vector<std::uint64_t> brackets;
  std::vector<std::uint32_t> classes;
  /// A name that nothing has arrived for: no blocks, and no shape that what it meets would have to have.
  bool isShapeless = false;
};

/// The classes of the `unit` slots of a block that is declared `of` a length, on one rank. `tables` maps the tables of
/// a schedule that others use to those of the collective; empty: they are the same. `value` evaluates an expression for
/// the rank and the block.
template <typename Evaluate>
void lengthClasses(const Machine &machine, const ir::LengthOf &length, llvm::ArrayRef<unsigned> tables, std::uint32_t rank,
                   std::uint32_t unit, std::uint32_t *into, Evaluate value) {
  const LengthTable &table = (*machine.tables)[tables.empty() ? length.table : tables[length.table]];
  llvm::SmallVector<std::int64_t, 2> indices;
  for (const ir::Expr *index : length.indices)
    indices.push_back(value(*index));
  std::optional<std::uint32_t> entry = table.entry(indices);
  if (!entry)
    reportNoSuchEntry(length, table, rank, indices);
  std::uint32_t firstPacket = 0;
  if (length.parts) {
    std::int64_t parts = value(*length.parts), part = value(*length.part);
    checkPacket(length, table, rank, parts, part);
    firstPacket = static_cast<std::uint32_t>(part) * (machine.unitSlots / static_cast<std::uint32_t>(parts));
  }
  for (std::uint32_t k = 0; k < unit; ++k)
    into[k] = (*entry + 1) * machine.unitSlots + firstPacket + k;
}

/// What `runs` of a rank hold. `isName`: they are all that a name declared by receiving has.
void readContent(const Machine &machine, const Storage &storage, std::uint32_t rank, const SlotRun *runs,
                 std::uint32_t runCount, bool isName, SlotValues &out);

/// out := out <> right. Adds the elements combined to `work`, one number per sample.
void combine(Machine &machine, const ir::DataExpr &expr, std::uint32_t rank, SlotValues &out, SlotValues &right,
             std::int64_t *work);

/// Writes what an assignment computed; checks that shapes agree. `takesLength`: all of a buffer that does is written.
void store(Machine &machine, const ir::AssignStmt &stmt, Storage &target, std::uint32_t rank, const SlotRun *runs,
           std::uint32_t runCount, bool takesLength, const SlotValues &content);

/// The machine rank of a partner; refuses those that do not exist and the rank itself.
std::uint32_t machineRank(const ir::TransferStmt &stmt, const RankMap &map, std::uint32_t rank, std::int64_t index);

/// `intoName`: it is received into a name that is declared by that.
[[noreturn]] void reportLengthMismatch(const Machine &machine, const Transfer &transfer, bool wantsData,
                                       std::uint32_t wanted, std::uint32_t round, bool intoName = false);

/// Says that a rank is to put something into a slot that may be of another length; both are classes.
[[noreturn]] void reportLengthsDiffer(const Machine &machine, llvm::SMRange range, std::uint32_t rank, std::uint32_t has,
                                      std::uint32_t wanted);

[[noreturn]] void reportSendsEmpty(const Machine &machine, const ir::TransferStmt &send, const Storage &storage,
                                   std::uint32_t rank, std::uint32_t slot, std::uint32_t round);

/// Says where a rank sends or receives.
diag::Facts hereTransfers(bool isSend, std::uint32_t rank, const ir::TransferStmt &stmt, std::int64_t peer);

/// Says that a rank receives into slots that another transfer of the step, with `peer`, sends or receives into.
[[noreturn]] void reportWrittenTwice(const Machine &machine, const ir::TransferStmt &write, const ir::TransferStmt &other,
                                     const Storage &storage, std::uint32_t rank, SlotRun common, std::uint32_t round,
                                     std::int64_t peer);

/// Copies what a transfer carries into `runs` of its destination, which take as many slots. Refuses empty blocks, and
/// packets whose length may differ. `takesLength`: all of a buffer that does is written.
void moveMessage(Machine &machine, const Transfer &transfer, Storage &to, const SlotRun *runs, bool takesLength,
                 std::uint32_t round);

/// The shape of a name that is declared by receiving: what its step sends, else a block. A name that takes the length of what it
/// receives has room for that much, any other one is laid out like it.
struct MessageShape {
  std::uint32_t slots = 0;
  bool takesLength = false;
  // How long they are: as the slots `runs` of the receiver, again and again; null: by their position.
  const Storage *storage = nullptr;
  llvm::ArrayRef<SlotRun> runs;
};

/// How many slots that is. `view` is that of the buffer whose slice is `like`, `count` how many blocks the slice takes. Null: a block.
template <typename Count>
std::uint32_t slotsOfMessage(const ir::Slice *like, const View *view, std::uint32_t row, std::uint32_t unit, bool takesLength,
                             Count count) {
  if (!like)
    return unit;
  const bool several = like->blocks.kind == ir::IndexKind::Whole ? like->buffer->isArray
                                                                 : like->blocks.kind != ir::IndexKind::Point;
  if (like->packets.kind == ir::IndexKind::Point)
    return view->unit / view->parts;
  if (!several)
    return view->unit;
  if (takesLength || like->blocks.kind == ir::IndexKind::Whole)
    return view->slots(row);
  return static_cast<std::uint32_t>(std::max<std::int64_t>(0, count())) * view->unit;
}

/// Makes room for a message of `slots` slots in a name that `rank` receives into.
void beginName(Machine &machine, Storage &to, std::uint32_t rank, std::uint32_t slots, const MessageShape &shape);

/// Receives into a name what has its shape, or fits.
void receiveName(Machine &machine, const Transfer &transfer, Storage &to, const MessageShape &shape, std::uint32_t round);

/// The classes of the slots that `runs` of a rank take.
std::vector<std::uint32_t> classesOf(const Machine &machine, const Storage &storage, std::uint32_t rank,
                                     llvm::ArrayRef<SlotRun> runs);

/// The classes of `slots` slots, block by block as long as the first block of `model`. `row` is where the view keeps the numbers of
/// the rank. Nothing: by their position, as blocks of the collective have them.
std::vector<std::uint32_t> classesLike(const Machine &machine, const View *model, std::uint32_t row, std::uint32_t rank,
                                       std::uint32_t slots);

/// The source text of a range.
inline std::string textOf(llvm::SMRange range) { return std::string(range.Start.getPointer(), range.End.getPointer()); }

/// The values of a loop variable whose bounds are the same for all ranks; `bound` evaluates a bound.
template <typename Bound, typename Do> void forEachValue(const ir::ForStmt &stmt, Bound bound, Do run) {
  std::int64_t lo = stmt.lo ? bound(*stmt.lo) : 0, hi = bound(*stmt.hi);
  switch (stmt.loop) {
  case ir::LoopKind::Ascending: {
    std::int64_t by = stmt.factor ? bound(*stmt.factor) : 1;
    if (by < 1)
      throw Finding{Diagnostic(stmt.factor->range, diag::LoopBoundChanges{.value = by, .first = false, .last = false})};
    for (std::int64_t v = lo; v < hi;) {
      run(v, 0);
      if (__builtin_add_overflow(v, by, &v))
        return;
    }
    return;
  }
  case ir::LoopKind::Times: {
    std::int64_t by = bound(*stmt.factor);
    if (by < 2 || lo < 1)
      throw Finding{Diagnostic(by < 2 ? stmt.factor->range : stmt.lo->range,
                               diag::LoopBoundChanges{.value = by < 2 ? by : lo, .first = by >= 2, .last = false})};
    for (std::int64_t v = lo; v < hi; v = v > (hi - 1) / by ? hi : v * by)
      run(v, 0);
    return;
  }
  case ir::LoopKind::Descending: {
    std::int64_t by = stmt.factor ? bound(*stmt.factor) : 1;
    if (by < 1)
      throw Finding{Diagnostic(stmt.factor->range, diag::LoopBoundChanges{.value = by, .first = false, .last = false})};
    for (std::int64_t v = hi; v >= lo; v -= by) {
      run(v, 0);
      if (v < std::numeric_limits<std::int64_t>::min() + by)
        return;
    }
    return;
  }
  case ir::LoopKind::Half:
    if (lo < 1)
      throw Finding{Diagnostic(stmt.lo->range, diag::LoopBoundChanges{.value = lo, .first = false, .last = true})};
    for (std::int64_t v = hi; v >= lo; v /= 2)
      run(v, 0);
    return;
  case ir::LoopKind::Halvings:
  case ir::LoopKind::HalvingsReversed: {
    std::vector<std::pair<std::int64_t, std::int64_t>> pairs;
    for (std::int64_t a = hi; a > 1; a = a / 2 + a % 2)
      pairs.push_back({a / 2 + a % 2, a});
    if (stmt.loop == ir::LoopKind::HalvingsReversed)
      std::reverse(pairs.begin(), pairs.end());
    for (auto [half, whole] : pairs)
      run(half, whole);
    return;
  }
  case ir::LoopKind::Others:
  case ir::LoopKind::Children:
    return;
  }
}

/// Whether the loop has two variables.
inline bool hasSecondVariable(const ir::ForStmt &stmt) {
  return stmt.loop == ir::LoopKind::Halvings || stmt.loop == ir::LoopKind::HalvingsReversed;
}

/// Where a loop stands, as LoopVisit has it, before an iteration.
inline std::int64_t headBefore(const ir::ForStmt &stmt, std::int64_t value, std::int64_t second) {
  switch (stmt.loop) {
  case ir::LoopKind::Descending:
    return value + 1;
  case ir::LoopKind::Half:
    return 2 * value;
  case ir::LoopKind::Halvings:
    return second;
  default:
    return value;
  }
}

/// The same after the last iteration, whose variables were `last`, if there was one; nothing if it is no 64-bit number.
template <typename Bound>
std::optional<std::int64_t> headAfter(const ir::ForStmt &stmt,
                                      std::optional<std::pair<std::int64_t, std::int64_t>> last, Bound bound) {
  switch (stmt.loop) {
  case ir::LoopKind::Ascending:
  case ir::LoopKind::Times: {
    if (!last)
      return bound(*stmt.lo);
    std::int64_t by = stmt.factor ? bound(*stmt.factor) : 1, next;
    if (stmt.loop == ir::LoopKind::Times ? __builtin_mul_overflow(last->first, by, &next)
                                         : __builtin_add_overflow(last->first, by, &next))
      return std::nullopt;
    return next;
  }
  case ir::LoopKind::Halvings:
    return 1;
  case ir::LoopKind::HalvingsReversed:
    return bound(*stmt.hi);
  default:
    return bound(*stmt.lo);
  }
}

} // namespace quadrille::compiler

#endif // QUADRILLE_INSTANTIATE_SEMANTICS_H
