//===- UnfolderData.cpp - What one rank executes: slices, buffers, assignments ---------------------------------===//

#include "Unfolder.h"

#include "evaluate/ResidueFilter.h"

namespace quadrille::compiler {

IndexValues Unfolder::indexValues(const ir::Index &index, RankFrame &frame, std::vector<std::int64_t> &chosen) {
  IndexValues result;
  result.kind = index.kind;
  if (index.a)
    result.a = value(*index.a, frame);
  if (index.b)
    result.b = value(*index.b, frame);
  if (index.kind == ir::IndexKind::Cyclic)
    result.c = value(*index.c, frame);
  if (index.kind == ir::IndexKind::Filter) {
    filter(index, result.a, result.b, frame, chosen);
    result.chosen = &chosen;
  }
  return result;
}

void Unfolder::filter(const ir::Index &index, std::int64_t lo, std::int64_t hi, RankFrame &frame, std::vector<std::int64_t> &chosen) {
  auto residues = lo < hi ? residueFilterOf(index) : std::nullopt;
  const std::int64_t modulus = residues ? value(*residues->modulus, frame) : 0;
  if (modulus > 0)
    return forEachInResidueClass(lo, hi, modulus, value(*residues->residue, frame), [&](std::int64_t j) {
      countStep();
      chosen.push_back(j);
    });
  for (std::int64_t j = lo; j < hi; ++j) {
    countStep();
    frame.numbers[index.binder] = j;
    if (value(*index.c, frame))
      chosen.push_back(j);
  }
}

RankSlots Unfolder::slots(const ir::Slice &slice, RankFrame &frame) {
  View &view = frame.views[slice.buffer->index];
  RankSlots result;
  result.storage = view.storage;
  result.firstRun = static_cast<std::uint32_t>(program->runs.size());
  result.elastic = ir::isWhole(slice) && ir::shapingMessage(*slice.buffer);
  result.takesLength = view.takesLength && ir::isWhole(slice);
  if (result.elastic)
    return result;
  std::vector<std::int64_t> chosenBlocks, chosenPackets;
  IndexValues blocks = indexValues(slice.blocks, frame, chosenBlocks);
  IndexValues packets = indexValues(slice.packets, frame, chosenPackets);
  // The views of this frame contain one rank, in row 0.
  appendSlots(view, 0, me, slice, blocks, packets, program->runs);
  result.runCount = static_cast<std::uint32_t>(program->runs.size()) - result.firstRun;
  return result;
}

std::uint32_t Unfolder::slotTotal(const RankSlots &slots) const {
  std::uint32_t sum = 0;
  for (std::uint32_t i = 0; i < slots.runCount; ++i)
    sum += program->runs[slots.firstRun + i].count;
  return sum;
}

Storage &Unfolder::storageOf(const ir::Buffer &buffer, RankFrame &frame) {
  Storage *&storage = frame.instance->storages[buffer.index];
  if (!storage) {
    storage = &machine.add(buffer.name, 0);
    machine.reset(*storage, 0, true);
  }
  return *storage;
}

void Unfolder::declare(const ir::DeclareStmt &stmt, RankFrame &frame) {
  const ir::Buffer &buffer = *stmt.buffer;
  View &view = frame.views[buffer.index];
  around.reset();
  view.storage = &storageOf(buffer, frame);
  view.takesLength = ir::takesLength(buffer, *frame.schedule, frame.lengths) && (buffer.like || !frame.ofCollective);
  view.ofCollective = buffer.like ? ir::isWhole(*buffer.like) && frame.views[buffer.like->buffer->index].ofCollective
                                  : frame.ofCollective && !buffer.length;
  std::uint32_t total = 0;
  const auto model = static_cast<std::uint32_t>(program->slots.size());
  if (buffer.like) {
    const View &likeView = frame.views[buffer.like->buffer->index];
    RankSlots like = slots(*buffer.like, frame);
    total = like.elastic ? likeView.slots(0) : slotTotal(like);
    program->slots.push_back(like);
    view.unit = buffer.isArray ? likeView.unit : std::max<std::uint32_t>(total, 1);
  } else {
    std::int64_t count = buffer.isArray ? value(*buffer.count, frame) : 1;
    if (count < 0)
      throw Finding{
          Diagnostic(buffer.count->range, diag::NegativeLength{.value = count, .rank = me, .buffer = "", .modulus = false})};
    requireSlots(buffer.name, count, frame.unit, 1, buffer.count ? buffer.count->range : llvm::SMRange());
    view.unit = frame.unit;
    if (buffer.length && buffer.length->parts)
      view.unit /= static_cast<std::uint32_t>(value(*buffer.length->parts, frame));
    total = static_cast<std::uint32_t>(count) * view.unit;
  }
  view.blocks = total / view.unit;
  view.blockCounts = {view.blocks};
  RankAction &action = program->actions.emplace_back();
  action.kind = RankAction::Declare;
  action.stmt = &stmt;
  action.storage = view.storage;
  action.count = total;
  action.first = model;
  action.hasModel = buffer.like;
  if (buffer.length)
    declareLengths(buffer, view, frame, action);
  else if (!buffer.like && !frame.ofCollective)
    lengthsOfModel(frame, action);
}

void Unfolder::lengthsOfModel(const RankFrame &frame, RankAction &action) {
  const View *model = frame.lengthModel();
  if (!machine.hasClasses() || !model || model->slots(0) < model->unit)
    return;
  action.hasModel = true;
  action.first = static_cast<std::uint32_t>(program->slots.size());
  RankSlots &like = program->slots.emplace_back();
  like.storage = model->storage;
  like.firstRun = static_cast<std::uint32_t>(program->runs.size());
  for (; like.runCount < action.count / model->unit; ++like.runCount)
    program->runs.push_back({model->first(0), model->unit});
}

void Unfolder::declareLengths(const ir::Buffer &buffer, const View &view, RankFrame &frame, RankAction &action) {
  const ir::LengthOf &length = *buffer.length;
  action.firstClass = static_cast<std::uint32_t>(program->classes.size());
  action.hasClasses = true;
  program->classes.resize(program->classes.size() + action.count);
  for (std::uint32_t block = 0; block < view.blocks; ++block) {
    countStep();
    if (length.binder)
      frame.numbers[*length.binder] = block;
    std::uint32_t *const classes = program->classes.data() + action.firstClass + block * view.unit;
    lengthClasses(machine, length, frame.tables, me, view.unit, classes, [&](const ir::Expr &expr) { return value(expr, frame); });
    if (view.unit > 0)
      machine.requireKnown(me, *classes, buffer.name, length.range);
  }
}

void Unfolder::leaves(const ir::DataExpr &expr, RankFrame &frame) {
  if (expr.isCombine) {
    leaves(*expr.left, frame);
    leaves(*expr.right, frame);
  } else {
    RankSlots leaf = slots(expr.slice, frame);
    program->slots.push_back(leaf);
  }
}

void Unfolder::assign(const ir::AssignStmt &stmt, RankFrame &frame) {
  countStep();
  std::uint32_t first = static_cast<std::uint32_t>(program->slots.size());
  RankSlots target = slots(stmt.target, frame);
  program->slots.push_back(target);
  leaves(*stmt.value, frame);
  RankAction &action = program->actions.emplace_back();
  action.kind = RankAction::Assign;
  action.stmt = &stmt;
  action.first = first;
  action.count = static_cast<std::uint32_t>(program->slots.size()) - first;
}

} // namespace quadrille::compiler
