//===- Semantics.h - The common semantics of both engines ---------------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_INSTANTIATE_SEMANTICS_H
#define QUADRILLE_INSTANTIATE_SEMANTICS_H

#include "Round.h"
#include "Views.h"

#include "evaluate/Evaluate.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <algorithm>
#include <cassert>

namespace quadrille::compiler {

[[noreturn]] void reportNoSuchEntry(const ir::LengthOf &length, const LengthTable &table, std::uint32_t rank,
                                    llvm::ArrayRef<std::int64_t> indices);

/// Throws Finding unless `part` is one of `parts` packets.
void checkPacket(const ir::LengthOf &length, const LengthTable &table, std::uint32_t rank, std::int64_t parts,
                 std::int64_t part);

/// The contents of some slots of a rank, in the order of a slice.
struct SlotValues {
  std::vector<Value> values;
  std::vector<std::uint64_t> brackets;
  std::vector<std::uint32_t> classes;
  /// The contents are those of a name that has received nothing: it has no blocks, and may be combined with any shape.
  bool isShapeless = false;
};

/// Computes the length classes of the `unit` slots of a block declared `of` a length, on one rank. `tables`: maps the tables of a
/// used schedule to those of the collective; empty: they are the same. `value` evaluates an expression for the rank and block.
template <typename Evaluate>
void lengthClasses(const Machine &machine, const ir::LengthOf &length, llvm::ArrayRef<unsigned> tables, std::uint32_t rank,
                   std::uint32_t unit, std::uint32_t *into, Evaluate value) {
  assert(machine.tables && (tables.empty() || length.table < tables.size()) && "a length is an entry of a table");
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
    assert(machine.unitSlots % static_cast<std::uint32_t>(parts) == 0 && "slots are the smallest packets of all splits");
    firstPacket = static_cast<std::uint32_t>(part) * (machine.unitSlots / static_cast<std::uint32_t>(parts));
  }
  for (std::uint32_t k = 0; k < unit; ++k)
    into[k] = (*entry + 1) * machine.unitSlots + firstPacket + k;
}

/// Reads the contents of `runs` of a rank. `isName`: these are all slots of a name declared by a receive.
void readContent(const Machine &machine, const Storage &storage, std::uint32_t rank, const SlotRun *runs,
                 std::uint32_t runCount, bool isName, SlotValues &out);

/// out := out <> right. Adds the number of combined elements to `work`, for each sample.
void combine(Machine &machine, const ir::DataExpr &expr, std::uint32_t rank, SlotValues &out, SlotValues &right,
             std::int64_t *work);

/// Stores the result of an assignment, and checks that shapes agree. `takesLength`: the target takes the length of the result
/// (ir/Lengths.h), and all of it is written.
void store(Machine &machine, const ir::AssignStmt &stmt, Storage &target, std::uint32_t rank, const SlotRun *runs,
           std::uint32_t runCount, bool takesLength, const SlotValues &content);

/// Throws Finding unless a used schedule may have the numbers that it gets: parameters are at least 1, and numbers of the collective are
/// ranks. `p`: the size of its group.
void requireNumbers(const ir::UseStmt &stmt, llvm::ArrayRef<std::int64_t> numbers, std::int64_t p);

/// Throws Finding unless all arguments that an instance gives to its bases are at least 1. `evaluate`: in the frame of the instance.
void requireArguments(const ir::Schedule &instance, llvm::function_ref<std::int64_t(const ir::Expr &)> evaluate);

/// The machine rank of a partner. Throws Finding if it does not exist, or is the rank itself.
std::uint32_t machineRank(const ir::TransferStmt &stmt, const RankMap &map, std::uint32_t rank, std::int64_t index);

/// Throws Finding: a message has another number of slots than the receive expects. `intoName`: it is received into a name that the
/// receive declares.
[[noreturn]] void reportLengthMismatch(const Machine &machine, const Transfer &transfer, bool wantsData,
                                       std::uint32_t wanted, std::uint32_t round, bool intoName = false);

/// Throws Finding: a rank puts data of length class `wanted` into a slot of class `has`.
[[noreturn]] void reportLengthsDiffer(const Machine &machine, llvm::SMRange range, std::uint32_t rank, std::uint32_t has,
                                      std::uint32_t wanted);

[[noreturn]] void reportSendsEmpty(const Machine &machine, const ir::TransferStmt &send, const Storage &storage,
                                   std::uint32_t rank, std::uint32_t slot, std::uint32_t round);

/// The facts of a note that points to a send or receive of a rank.
diag::Facts hereTransfers(bool isSend, std::uint32_t rank, const ir::TransferStmt &stmt, std::int64_t peer);

/// Throws Finding: a rank receives into slots that another transfer of the step, with `peer`, sends or receives into, too.
[[noreturn]] void reportWrittenTwice(const Machine &machine, const ir::TransferStmt &write, const ir::TransferStmt &other,
                                     const Storage &storage, std::uint32_t rank, SlotRun common, std::uint32_t round,
                                     std::int64_t peer);

/// Copies the data of a transfer into `runs` of its destination, which have as many slots. Throws Finding for empty blocks, and for
/// slots of different length classes. `takesLength`: as for `store`.
void moveMessage(Machine &machine, const Transfer &transfer, Storage &to, const SlotRun *runs, bool takesLength,
                 std::uint32_t round);

/// The shape of a name declared by a receive: that of the message that the step sends; without one, a block. A name that takes
/// the length of what it receives may receive any lengths up to this shape.
struct MessageShape {
  std::uint32_t slots = 0;
  bool takesLength = false;
  // The length classes of the slots: those of `runs` of the receiver in `storage`, repeated; null: by position.
  const Storage *storage = nullptr;
  llvm::ArrayRef<SlotRun> runs;
};

/// The number of slots of a name with the shape of the slice `like`; null: a block. `view`: of the buffer of the slice; count()
/// returns the number of blocks of the slice.
template <typename Count>
std::uint32_t slotsOfMessage(const ir::Slice *like, const View *view, std::uint32_t row, std::uint32_t unit, bool takesLength,
                             Count count) {
  if (!like)
    return unit;
  assert(view && "the view of the slice's buffer");
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

/// Prepares the row of a name for a message of `slots` slots.
void beginName(Machine &machine, Storage &to, std::uint32_t rank, std::uint32_t slots, const MessageShape &shape);

/// Receives a message into a name. Throws Finding if it does not have, or fit into, the shape.
void receiveName(Machine &machine, const Transfer &transfer, Storage &to, const MessageShape &shape, std::uint32_t round);

/// The length classes of the slots in `runs` of a rank.
std::vector<std::uint32_t> classesOf(const Machine &machine, const Storage &storage, std::uint32_t rank,
                                     llvm::ArrayRef<SlotRun> runs);

/// The length classes of `slots` slots if each block is as long as the first block of `model`. `row`: the row of the view that
/// belongs to the rank. Empty: classes by position, as blocks of the collective have them.
std::vector<std::uint32_t> classesLike(const Machine &machine, const View *model, std::uint32_t row, std::uint32_t rank,
                                       std::uint32_t slots);

/// The source text of a range.
inline std::string textOf(llvm::SMRange range) { return std::string(range.Start.getPointer(), range.End.getPointer()); }

/// Calls run(value, second) for the iterations of a loop over numbers; bound(expr) evaluates a bound.
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

/// The head (see LoopVisit) before an iteration with these values of the loop variables. Wraps where it takes more than
/// 64 bits.
inline std::int64_t headBefore(const ir::ForStmt &stmt, std::int64_t value, std::int64_t second) {
  switch (stmt.loop) {
  case ir::LoopKind::Descending:
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(value) + 1);
  case ir::LoopKind::Half:
    return static_cast<std::int64_t>(2 * static_cast<std::uint64_t>(value));
  case ir::LoopKind::Halvings:
    return second;
  default:
    return value;
  }
}

/// The head after the last iteration. `last`: the values of the variables in it, if there was an iteration. Nothing on overflow.
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
