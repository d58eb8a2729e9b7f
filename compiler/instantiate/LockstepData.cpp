//===- LockstepData.cpp - Uniform schedules: slices, declarations, assignments ------------------------------------===//

#include "Lockstep.h"

#include "evaluate/ResidueFilter.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"

namespace quadrille::compiler::lockstep {

// ---- slices ---------------------------------------------------------------------------------------------------------

namespace {
/// Throws the Finding of appendSlots for an index out of range.
[[noreturn]] void outOfRange(const View &view, const ir::Slice &slice, std::uint32_t rank, std::int64_t block) {
  std::vector<SlotRun> unused;
  appendSlots(view, rank, rank, slice, {ir::IndexKind::Point, block, 0, 0, nullptr}, {}, unused);
  llvm_unreachable("the index was in range");
}
} // namespace

void Lockstep::resolve(const ir::Slice &slice, FrameState &frame, const Chunk &chunk, SlotColumn &out) {
  if (!resolveDirectly(slice, frame, chunk, out))
    resolveByRank(slice, frame, chunk, out);
}

/// Fast path for the usual slices: one block, or all blocks, of a buffer that is not a view of the caller's. Returns false for
/// others.
bool Lockstep::resolveDirectly(const ir::Slice &slice, FrameState &frame, Chunk chunk, SlotColumn &out) {
  const View &view = frame.views[slice.buffer->index];
  if (slice.packets.kind != ir::IndexKind::Whole || !view.firstSlots.empty() || !view.blockCounts.empty())
    return false;
  const std::vector<std::uint32_t> &counts = view.storage->counts;
  if (slice.blocks.kind == ir::IndexKind::Point && counts.empty()) {
    SlotRun *runs = out.appendSingles(chunk.count);
    if (!runs)
      return false;
    Column at = frame.eval.evaluate(*slice.blocks.a);
    auto blockOf = [&](size_t i) {
      std::int64_t block = at[i];
      if (static_cast<std::uint64_t>(block) >= view.blocks)
        outOfRange(view, slice, chunk.rank(i), block);
      return SlotRun{static_cast<std::uint32_t>(block) * view.unit, view.unit};
    };
    for (size_t i = 0; i < chunk.count; ++i)
      runs[i] = chunk.isActive(i) ? blockOf(i) : SlotRun{0, 0};
    return true;
  }
  if (slice.blocks.kind != ir::IndexKind::Whole)
    return false;
  if (counts.empty()) {
    out.appendSame(chunk.count, {0, view.blocks * view.unit});
    return true;
  }
  const std::uint32_t *begin = counts.data() + chunk.first;
  if (std::all_of(begin, begin + chunk.count, [&](std::uint32_t c) { return c == *begin; })) {
    out.appendSame(chunk.count, {0, *begin});
    return true;
  }
  SlotRun *runs = out.appendSingles(chunk.count);
  for (size_t i = 0; runs && i < chunk.count; ++i)
    runs[i] = {0, begin[i]};
  return runs != nullptr;
}

IndexColumns Lockstep::indexColumns(const ir::Index &index, FrameState &frame, const Chunk &chunk) {
  IndexColumns columns{index.kind, {}, {}, {}, {}};
  if (index.a)
    columns.a = frame.eval.evaluate(*index.a);
  if (index.b)
    columns.b = frame.eval.evaluate(*index.b);
  if (index.kind == ir::IndexKind::Cyclic)
    columns.c = frame.eval.evaluate(*index.c);
  if (index.kind == ir::IndexKind::Filter)
    columns.chosen = filter(index, frame, chunk, columns.a, columns.b);
  return columns;
}

void Lockstep::resolveByRank(const ir::Slice &slice, FrameState &frame, const Chunk &chunk, SlotColumn &out) {
  const View &view = frame.views[slice.buffer->index];
  IndexColumns blocks = indexColumns(slice.blocks, frame, chunk), packets = indexColumns(slice.packets, frame, chunk);
  std::vector<SlotRun> runs;
  for (size_t i = 0; i < chunk.count; ++i) {
    runs.clear();
    if (chunk.isActive(i))
      appendSlots(view, chunk.rank(i), chunk.rank(i), slice, blocks.at(i), packets.at(i), runs);
    SlotRun *single = runs.size() <= 1 ? out.appendSingles(1) : nullptr;
    if (single)
      *single = runs.empty() ? SlotRun{0, 0} : runs[0];
    else
      out.appendList(runs.data(), runs.data() + runs.size());
  }
}

SlotColumn Lockstep::resolveForAll(const ir::Slice &slice, FrameState &frame, Mask mask) {
  SlotColumn slots;
  forChunks(frame, mask, [&](const Chunk &chunk) { resolve(slice, frame, chunk, slots); });
  return slots;
}

std::vector<std::vector<std::int64_t>> Lockstep::filter(const ir::Index &index, FrameState &frame, const Chunk &chunk,
                                                        const Column &lo, const Column &hi) {
  std::vector<std::vector<std::int64_t>> chosen(chunk.count);
  std::vector<std::int64_t> from(chunk.count), to(chunk.count);
  std::int64_t least = std::numeric_limits<std::int64_t>::max(), most = std::numeric_limits<std::int64_t>::min();
  for (size_t i = 0; i < chunk.count; ++i) {
    from[i] = lo[i];
    to[i] = hi[i];
    if (!chunk.isActive(i))
      continue;
    least = std::min(least, from[i]);
    most = std::max(most, to[i]);
  }
  if (least >= most)
    return chosen;
  const size_t mark = frame.eval.mark(); // keeps the columns of the slice computed so far
  if (auto residues = residueFilterOf(index)) {
    const Column modulus = frame.eval.evaluate(*residues->modulus);
    auto isPositive = [&](size_t i) { return !chunk.isActive(i) || modulus[i] > 0; };
    if (llvm::all_of(llvm::seq(chunk.count), isPositive)) {
      const Column residue = frame.eval.evaluate(*residues->residue);
      size_t counted = 0; // counted as one step for all ranks
      for (size_t i = 0; i < chunk.count; ++i)
        if (chunk.isActive(i))
          forEachInResidueClass(from[i], to[i], modulus[i], residue[i], [&](std::int64_t j) {
            chosen[i].push_back(j);
            if (chosen[i].size() > counted) {
              countStep();
              ++counted;
            }
          });
      frame.eval.release(mark);
      return chosen;
    }
  }
  for (std::int64_t j = least; j < most; ++j) {
    countStep();
    frame.setScalar(index.binder, j);
    frame.eval.release(mark);
    Column condition = frame.eval.evaluate(*index.c);
    for (size_t i = 0; i < chunk.count; ++i)
      if (chunk.isActive(i) && from[i] <= j && j < to[i] && condition[i])
        chosen[i].push_back(j);
  }
  return chosen;
}

// ---- declarations ---------------------------------------------------------------------------------------------------

void Lockstep::declare(const ir::DeclareStmt &stmt, FrameState &frame, Mask mask) {
  const ir::Buffer &buffer = *stmt.buffer;
  View &view = frame.views[buffer.index];
  if (!view.storage)
    view.storage = &machine.add(buffer.name, 0);
  view.takesLength = ir::takesLength(buffer, frame.schedule, frame.lengths) && (buffer.like || !frame.ofCollective);
  view.ofCollective = buffer.like ? ir::isWhole(*buffer.like) && frame.views[buffer.like->buffer->index].ofCollective
                                  : frame.ofCollective && !buffer.length;
  if (buffer.like)
    return shapeLike(view, buffer, frame, mask);
  view.unit = frame.unit;
  if (buffer.length && buffer.length->parts)
    view.unit /= static_cast<std::uint32_t>(frame.scalar(*buffer.length->parts));
  auto checked = [&](std::int64_t count, size_t rank) {
    if (count < 0)
      throw Finding{
          Diagnostic(buffer.count->range, diag::NegativeLength{.value = count, .rank = rank, .buffer = "", .modulus = false})};
    requireSlots(buffer.name, count, view.unit, ranks, buffer.count->range);
    return static_cast<std::uint32_t>(count);
  };
  if (buffer.isArray && buffer.count->dependsOnRank) {
    view.blockCounts.assign(ranks, 0);
    forChunks(frame, mask, [&](const Chunk &chunk) {
      Column values = frame.eval.evaluate(*buffer.count);
      for (size_t i = 0; i < chunk.count; ++i)
        if (chunk.isActive(i))
          view.blockCounts[chunk.first + i] = checked(values[i], chunk.first + i);
    });
    view.blocks = *std::max_element(view.blockCounts.begin(), view.blockCounts.end());
  } else {
    view.blocks = buffer.isArray ? checked(frame.scalar(*buffer.count), 0) : 1;
  }
  machine.reset(*view.storage, view.blocks * view.unit, !frame.ofCollective);
  if (!frame.ofCollective)
    lengthsOfModel(view, frame, mask);
  if (buffer.length)
    declareLengths(view, buffer, frame, mask);
}

void Lockstep::lengthsOfModel(View &view, FrameState &frame, Mask mask) {
  const View *model = frame.lengthModel();
  for (std::uint32_t r = 0; r < ranks; ++r) {
    const std::uint32_t slots = (view.blockCounts.empty() ? view.blocks : view.blockCounts[r]) * view.unit;
    view.storage->counts[r] = slots;
    if (isActive(mask, r))
      machine.declareRow(*view.storage, r, slots, classesLike(machine, model, r, r, slots).data());
  }
}

void Lockstep::declareLengths(View &view, const ir::Buffer &buffer, FrameState &frame, Mask mask) {
  const ir::LengthOf &length = *buffer.length;
  machine.addClasses(*view.storage);
  for (std::uint32_t block = 0; block < view.blocks; ++block) {
    countStep(1 + ranks / 64);
    if (length.binder)
      frame.setScalar(*length.binder, block);
    for (std::uint32_t r = 0; r < ranks; ++r)
      if (isActive(mask, r) && (view.blockCounts.empty() || block < view.blockCounts[r])) {
        std::uint32_t *const classes = view.storage->classesOf(r) + block * view.unit;
        lengthClasses(machine, length, frame.tables, r, view.unit, classes,
                      [&](const ir::Expr &expr) { return frame.eval.evaluateAt(expr, r); });
        if (view.unit > 0)
          machine.requireKnown(r, *classes, buffer.name, length.range);
      }
  }
}

/// Gives a buffer declared `like` a slice the shape of the slice, for each rank: number of slots and their lengths.
void Lockstep::shapeLike(View &view, const ir::Buffer &buffer, FrameState &frame, Mask mask) {
  const View &like = frame.views[buffer.like->buffer->index];
  SlotColumn slots = resolveForAll(*buffer.like, frame, mask);
  std::uint32_t most = 0;
  std::vector<std::uint32_t> counts(ranks);
  for (std::uint32_t r = 0; r < ranks; ++r)
    most = std::max(most, counts[r] = slots.slots(r));
  view.unit = buffer.isArray ? like.unit : most;
  view.blocks = view.unit ? most / view.unit : 0;
  view.unit = std::max<std::uint32_t>(view.unit, 1);
  Storage &storage = *view.storage;
  machine.reset(storage, most, true);
  storage.counts = std::move(counts);
  if (!storage.ownClasses)
    return;
  for (std::uint32_t r = 0; r < ranks; ++r)
    llvm::copy(classesOf(machine, *like.storage, r, {slots.begin(r), slots.size(r)}), storage.classesOf(r));
}

// ---- assignments ----------------------------------------------------------------------------------------------------

/// Whether every active rank has exactly one slot.
static bool isSingle(const SlotColumn &slots, const Chunk &chunk) {
  if (!slots.isSingle())
    return false;
  if (slots.isSame())
    return slots.run(0).count == 1;
  for (size_t i = 0; i < chunk.count; ++i)
    if (chunk.isActive(i) && slots.run(i).count != 1)
      return false;
  return true;
}

void Lockstep::assign(const ir::AssignStmt &stmt, FrameState &frame, Mask mask) {
  countStep(1 + ranks / 64);
  SlotColumn slots;
  std::vector<Leaf> leaves;
  const View &view = frame.views[stmt.target.buffer->index];
  Storage &target = *view.storage;
  const bool takesLength = view.takesLength && ir::isWhole(stmt.target);
  forChunks(frame, mask, [&](const Chunk &chunk) {
    slots.clear();
    resolve(stmt.target, frame, chunk, slots);
    leaves.clear();
    collectLeaves(*stmt.value, frame, chunk, leaves);
    if (!machine.hasClasses() && !machine.usage && !machine.orderBreak && isSingle(slots, chunk) &&
        std::all_of(leaves.begin(), leaves.end(), [&](const Leaf &leaf) { return isSingle(leaf.slots, chunk); }))
      assignSingle(*stmt.value, leaves, target, slots, chunk);
    else
      for (size_t i = 0; i < chunk.count; ++i)
        if (chunk.isActive(i))
          assignRank(stmt, leaves, target, slots, takesLength, chunk.rank(i), i);
  });
}

void Lockstep::collectLeaves(const ir::DataExpr &expr, FrameState &frame, const Chunk &chunk, std::vector<Leaf> &leaves) {
  if (expr.isCombine) {
    collectLeaves(*expr.left, frame, chunk, leaves);
    collectLeaves(*expr.right, frame, chunk, leaves);
    return;
  }
  Leaf &leaf = leaves.emplace_back();
  leaf.storage = frame.views[expr.slice.buffer->index].storage;
  leaf.isName = ir::isWhole(expr.slice) && ir::shapingMessage(*expr.slice.buffer);
  resolve(expr.slice, frame, chunk, leaf.slots);
}

void Lockstep::assignSingle(const ir::DataExpr &expr, const std::vector<Leaf> &leaves, Storage &target,
                            const SlotColumn &slots, Chunk chunk) {
  const Leaf *leaf = leaves.data();
  compute(expr, leaf, 0, chunk);
  const Lane &lane = lanes[0];
  for (size_t i = 0; i < chunk.count; ++i) {
    if (!chunk.isActive(i))
      continue;
    std::uint32_t rank = chunk.rank(i), slot = slots.run(i).lo;
    machine.write(target, rank, slot, lane.values[i]);
    if (!target.brackets.empty())
      target.brackets[std::size_t(rank) * target.stride + slot] = lane.brackets[i];
  }
}

void Lockstep::compute(const ir::DataExpr &expr, const Leaf *&leaf, size_t depth, Chunk chunk) {
  if (depth == lanes.size())
    lanes.emplace_back();
  Lane &out = lanes[depth];
  if (!expr.isCombine) {
    const Leaf &from = *leaf++;
    for (size_t i = 0; i < chunk.count; ++i)
      if (chunk.isActive(i))
        out.values[i] = machine.read(*from.storage, chunk.rank(i), from.slots.run(i).lo);
    if (machine.wantBrackets)
      for (size_t i = 0; i < chunk.count; ++i)
        if (chunk.isActive(i))
          out.brackets[i] = machine.bracket(*from.storage, chunk.rank(i), from.slots.run(i).lo);
    return;
  }
  compute(*expr.left, leaf, depth, chunk);
  compute(*expr.right, leaf, depth + 1, chunk);
  const Lane &right = lanes[depth + 1];
  hasWork = true;
  for (size_t i = 0; i < chunk.count; ++i) {
    if (!chunk.isActive(i))
      continue;
    bool both = out.values[i] != emptyValue && right.values[i] != emptyValue;
    work[chunk.first + i] += both;
    if (machine.wantBrackets)
      out.brackets[i] = both ? Machine::combineBrackets(out.brackets[i], right.brackets[i])
                             : out.values[i] != emptyValue ? out.brackets[i] : right.brackets[i];
    out.values[i] = machine.combine(out.values[i], right.values[i]);
  }
}

void Lockstep::assignRank(const ir::AssignStmt &stmt, const std::vector<Leaf> &leaves, Storage &target,
                          const SlotColumn &slots, bool takesLength, std::uint32_t rank, size_t i) {
  SlotValues content;
  const Leaf *leaf = leaves.data();
  contentOf(*stmt.value, leaf, rank, i, content);
  store(machine, stmt, target, rank, slots.begin(i), slots.size(i), takesLength, content);
}

void Lockstep::contentOf(const ir::DataExpr &expr, const Leaf *&leaf, std::uint32_t rank, size_t i, SlotValues &out) {
  if (!expr.isCombine) {
    const Leaf &from = *leaf++;
    readContent(machine, *from.storage, rank, from.slots.begin(i), from.slots.size(i), from.isName, out);
    return;
  }
  SlotValues right;
  contentOf(*expr.left, leaf, rank, i, out);
  contentOf(*expr.right, leaf, rank, i, right);
  combine(machine, expr, rank, out, right, &work[std::size_t(rank) * machine.sampleCount()]);
  hasWork = true;
}

void Lockstep::flushWork() {
  if (!hasWork)
    return;
  observer.onWork(0, ranks, work.data(), machine);
  std::fill(work.begin(), work.end(), 0);
  hasWork = false;
}

} // namespace quadrille::compiler::lockstep
