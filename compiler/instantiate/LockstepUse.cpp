//===- LockstepUse.cpp - Uniform schedules: schedules used by others ----------------------------------------------===//

#include "Lockstep.h"

#include <map>

namespace quadrille::compiler::lockstep {

void Lockstep::use(const ir::UseStmt &stmt, FrameState &frame, Mask mask) {
  const ir::Schedule &callee = *stmt.callee;
  if (++useDepth > limits::useDepth)
    throw Finding{Diagnostic(stmt.keyword, diag::UsedTooDeeply{.schedule = callee.path(), .limit = limits::useDepth})};
  FrameState inner(callee, trees);
  inner.unit = frame.unit;
  inner.ofCollective = frame.ofCollective;
  inner.lengths = ir::lengthsIn(stmt, frame.lengths);
  for (unsigned table : stmt.tables)
    inner.tables.push_back(frame.tables.empty() ? table : frame.tables[table]);
  countStep(1 + callee.buffers.size() + ranks / 64);
  // Reuse the storages of its local buffers from the last execution of this `use`.
  std::vector<View> &kept = locals[&stmt];
  kept.resize(callee.buffers.size());
  inner.views = kept;
  std::vector<std::int64_t> numbers;
  for (const ir::Expr *number : stmt.numbers)
    numbers.push_back(frame.scalar(*number));
  std::int64_t p = static_cast<std::int64_t>(frame.ranks.size);
  if (stmt.member) {
    std::int64_t lo = frame.scalar(*stmt.lo);
    if (__builtin_sub_overflow(frame.scalar(*stmt.hi), lo, &p))
      throw EvaluationError{stmt.hi->range, diag::Overflow{.what = "the size of the group"}};
    inner.ranks = groups(stmt, frame, lo, p, mask);
  } else {
    inner.ranks = frame.ranks;
  }
  requireNumbers(stmt, numbers, p);
  for (size_t i = 0; i < stmt.inputs.size(); ++i)
    bind(stmt.inputs[i], *callee.inputs[i], frame, inner, mask);
  for (size_t i = 0; i < stmt.outputs.size(); ++i)
    bind(stmt.outputs[i], *callee.outputs[i], frame, inner, mask);
  if (const View *model = inner.lengthModel())
    inner.unit = model->unit;
  const Nodes nodes = nodesAmong(callee, inner.ranks, machine, 0);
  enter(inner, p, numbers);
  for (const ir::Requirement &requirement : callee.requirements)
    if (!inner.scalar(*requirement.condition)) {
      Diagnostic diagnostic(stmt.keyword, diag::RequirementUnmet{.condition = requirement.text, .schedule = callee.path(), .p = p});
      diagnostic.note(requirement.range, diag::RequiredHere{});
      throw Finding{std::move(diagnostic)};
    }
  requireArguments(callee, [&](const ir::Expr &expr) { return inner.scalar(expr); });
  splitBlocks(callee, {p, numbers, nodes}, trees, inner.views);
  running.push_back({&stmt, &callee, &inner.views, &inner.ranks});
  execute(callee.body, inner, mask);
  running.pop_back();
  for (const auto &buffer : callee.buffers)
    if (buffer->kind == ir::BufferKind::Local || buffer->kind == ir::BufferKind::Message)
      kept[buffer->index] = inner.views[buffer->index];
  --useDepth;
}

RankMap Lockstep::groups(const ir::UseStmt &stmt, FrameState &frame, std::int64_t lo, std::int64_t size, Mask mask) {
  std::vector<std::vector<std::uint32_t>> members(ranks);
  for (std::int64_t c = 0; c < size; ++c) {
    countStep();
    frame.setScalar(stmt.binder, lo + c);
    forChunks(frame, mask, [&](const Chunk &chunk) {
      Column member = frame.eval.evaluate(*stmt.member);
      for (size_t i = 0; i < chunk.count; ++i) {
        if (!chunk.isActive(i))
          continue;
        std::uint32_t r = chunk.rank(i);
        std::int64_t index = member[i];
        if (index < 0 || index >= static_cast<std::int64_t>(frame.ranks.size))
          throw Finding{Diagnostic(
              stmt.member->range,
              diag::PartnerOutOfRange{.rank = r, .grouped = true, .sends = false, .peer = index, .ranks = frame.ranks.size})};
        members[r].push_back(frame.ranks.toMachine(r, index));
      }
    });
  }
  RankMap map;
  map.size = static_cast<std::uint64_t>(std::max<std::int64_t>(size, 0));
  map.groupOf.assign(ranks, 0);
  map.positions.assign(ranks, 0);
  std::map<std::vector<std::uint32_t>, std::uint32_t> known;
  for (std::uint32_t r = 0; r < ranks; ++r) {
    if (!isActive(mask, r))
      continue;
    auto at = std::find(members[r].begin(), members[r].end(), r);
    if (at == members[r].end() || std::find(at + 1, members[r].end(), r) != members[r].end())
      throw Finding{Diagnostic(stmt.member->range, diag::GroupMembership{.rank = r, .twice = at != members[r].end()})};
    map.positions[r] = static_cast<std::uint32_t>(at - members[r].begin());
    auto [entry, isNew] = known.try_emplace(members[r], static_cast<std::uint32_t>(map.groups.size()));
    if (isNew)
      map.groups.push_back(members[r]);
    map.groupOf[r] = entry->second;
  }
  return map;
}

void Lockstep::bind(const ir::Slice &slice, const ir::Buffer &param, FrameState &outer, FrameState &inner, Mask mask) {
  const View &from = outer.views[slice.buffer->index];
  View &view = inner.views[param.index];
  view.storage = from.storage;
  const bool ofPackets = ir::passesPackets(slice, param);
  view.unit = ofPackets ? from.unit / from.parts : from.unit;
  view.ofCollective = from.ofCollective && !ofPackets;
  inner.ofCollective = inner.ofCollective && view.ofCollective;
  view.firstSlots.assign(ranks, 0);
  view.blockCounts.assign(ranks, 0);
  SlotColumn slots = resolveForAll(slice, outer, mask);
  for (std::uint32_t r = 0; r < ranks; ++r) {
    if (slots.size(r) > 1)
      throw Finding{Diagnostic(slice.range, diag::ScatteredView{})};
    view.firstSlots[r] = slots.size(r) ? slots.begin(r)->lo : 0;
    view.blockCounts[r] = slots.slots(r) / view.unit;
  }
  view.blocks = *std::max_element(view.blockCounts.begin(), view.blockCounts.end());
}

} // namespace quadrille::compiler::lockstep
