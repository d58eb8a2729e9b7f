//===- Views.cpp - Buffers of a running schedule as parts of storages ----------------------------------------------------===//

#include "Views.h"

#include "arithmetic/Integers.h"
#include "evaluate/Evaluate.h"

#include "llvm/ADT/STLExtras.h"

#include <cassert>


namespace quadrille::compiler {

RankMap RankMap::everybody(std::uint32_t ranks) {
  RankMap result;
  result.size = ranks;
  return result;
}

Nodes nodesAmong(const ir::Schedule &schedule, const RankMap &ranks, const Machine &machine, std::uint32_t rank) {
  if (!schedule.usesNodes)
    return nullptr;
  assert(machine.nodes && "a schedule asks for what a schedule that it uses asks for");
  return inducedNodes(machine.nodes, static_cast<std::int64_t>(ranks.size), [&](std::int64_t index) { return ranks.toMachine(rank, index); });
}

namespace {
class SlotAppender {
public:
  SlotAppender(const View &view, std::uint32_t row, std::uint32_t rank, const ir::Slice &slice, std::vector<SlotRun> &runs)
      : view(view), row(row), rank(rank), slice(slice), runs(runs) {}

  void append(const IndexValues &blocks, const IndexValues &packets) {
    if (packets.kind == ir::IndexKind::Whole) {
      level(blocks, 0, view.slots(row), view.unit, false);
      return;
    }
    assert(view.parts > 0 && view.unit % view.parts == 0 && "slots are the smallest packets of all splits");
    // Packets of one block: the only one, or the one that a Point index selects.
    std::uint32_t base = 0;
    if (blocks.kind == ir::IndexKind::Point)
      base = static_cast<std::uint32_t>(checked(blocks.a, 1, view.slots(row) / view.unit, false)) * view.unit;
    level(packets, base, view.unit, view.unit / view.parts, true);
  }

private:
  [[noreturn]] void outOfRange(std::int64_t lo, std::int64_t count, std::int64_t have, bool packets) {
    throw Finding{Diagnostic(slice.range, diag::IndexOutOfRange{.rank = rank, .part = {lo, count, packets},
                                                                .name = slice.buffer->name, .size = {have, packets}})};
  }

  std::int64_t checked(std::int64_t lo, std::int64_t count, std::int64_t have, bool packets) {
    if (lo < 0 || lo > have - count)
      outOfRange(lo, count, have, packets);
    return lo;
  }

  std::int64_t length(std::int64_t value) {
    if (value < 0)
      throw Finding{Diagnostic(slice.range, diag::NegativeLength{.value = value, .rank = rank, .buffer = "", .modulus = false})};
    return value;
  }

  void add(std::uint32_t base, std::uint32_t unit, std::int64_t lo, std::int64_t count) {
    if (count == 0)
      return;
    SlotRun run{view.first(row) + base + static_cast<std::uint32_t>(lo) * unit, static_cast<std::uint32_t>(count) * unit};
    if (!runs.empty() && mayJoin && runs.back().lo + runs.back().count == run.lo)
      runs.back().count += run.count;
    else
      runs.push_back(run);
    mayJoin = true;
  }

  /// Appends the items that the index `at` selects. Items have `unit` slots each and lie in `slots` slots from `base` on.
  void level(const IndexValues &at, std::uint32_t base, std::uint32_t slots, std::uint32_t unit, bool packets) {
    assert(unit > 0 && "items have at least one slot");
    std::int64_t have = slots / unit;
    switch (at.kind) {
    case ir::IndexKind::Whole:
      add(base, 1, 0, slots);
      return;
    case ir::IndexKind::Point:
      add(base, unit, checked(at.a, 1, have, packets), 1);
      return;
    case ir::IndexKind::Range:
    case ir::IndexKind::Run: {
      std::int64_t count = at.b;
      if (at.kind == ir::IndexKind::Range && __builtin_sub_overflow(at.b, at.a, &count))
        throw EvaluationError{slice.range, diag::Overflow{.what = "the length of the slice"}, rank};
      count = length(count);
      if (count > 0)
        add(base, unit, checked(at.a, count, have, packets), count);
      return;
    }
    case ir::IndexKind::Cyclic: {
      std::int64_t count = length(at.b);
      if (at.c <= 0)
        throw Finding{
            Diagnostic(slice.range, diag::NegativeLength{.value = at.c, .rank = std::nullopt, .buffer = "", .modulus = true})};
      if (count > at.c)
        outOfRange(at.a, count, at.c, packets);
      std::int64_t start = arithmetic::floorMod(at.a, at.c);
      std::int64_t head = std::min(count, at.c - start);
      if (head > 0)
        add(base, unit, checked(start, head, have, packets), head);
      if (count > head)
        add(base, unit, checked(0, count - head, have, packets), count - head);
      return;
    }
    case ir::IndexKind::Filter:
      for (std::int64_t index : *at.chosen)
        add(base, unit, checked(index, 1, have, packets), 1);
      return;
    }
  }

  const View &view;
  std::uint32_t row, rank;
  const ir::Slice &slice;
  std::vector<SlotRun> &runs;
  bool mayJoin = false; // whether the next run may be joined with the last one, which must be of the same rank
};
} // namespace

void splitBlocks(const ir::Schedule &schedule, const Frame &clauses, std::vector<View> &views) {
  for (const auto &buffer : schedule.buffers)
    if (buffer->parts)
      views[buffer->index].parts = static_cast<std::uint32_t>(evaluate(*buffer->parts, clauses));
}

void splitBlocks(const ir::Schedule &schedule, const Case &instance, TreeCache &trees, std::vector<View> &views) {
  if (llvm::any_of(schedule.buffers, [](const auto &buffer) { return buffer->parts; }))
    splitBlocks(schedule, clauseFrame(schedule, instance, trees), views);
}

void appendSlots(const View &view, std::uint32_t row, std::uint32_t rank, const ir::Slice &slice,
                 const IndexValues &blocks, const IndexValues &packets, std::vector<SlotRun> &runs) {
  SlotAppender(view, row, rank, slice, runs).append(blocks, packets);
}

} // namespace quadrille::compiler
