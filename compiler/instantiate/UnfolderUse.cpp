//===- UnfolderUse.cpp - What one rank executes: uses of other schedules ---------------------------------------===//

#include "Unfolder.h"

namespace quadrille::compiler {

void Unfolder::use(const ir::UseStmt &stmt, RankFrame &frame) {
  if (path.size() >= limits::useDepth)
    throw Finding{Diagnostic(stmt.keyword, diag::UsedTooDeeply{.schedule = stmt.callee->path(), .limit = limits::useDepth})};
  RankFrame inner;
  inner.schedule = stmt.callee;
  inner.unit = frame.unit;
  inner.ofCollective = frame.ofCollective;
  inner.lengths = ir::lengthsIn(stmt, frame.lengths);
  inner.user = &frame;
  inner.use = &stmt;
  for (unsigned table : stmt.tables)
    inner.tables.push_back(frame.tables.empty() ? table : frame.tables[table]);
  inner.views.resize(stmt.callee->buffers.size());
  std::vector<std::int64_t> numbers;
  for (const ir::Expr *number : stmt.numbers)
    numbers.push_back(value(*number, frame));
  path.push_back(&stmt);
  inner.instance = &instanceFor(*stmt.callee);
  RankMap map = *frame.ranks;
  std::int64_t p = static_cast<std::int64_t>(frame.ranks->size);
  if (stmt.member) {
    std::int64_t lo = value(*stmt.lo, frame);
    if (__builtin_sub_overflow(value(*stmt.hi, frame), lo, &p))
      throw EvaluationError{stmt.hi->range, diag::Overflow{.what = "the size of the group"}};
    map = group(stmt, frame, lo, p);
  }
  requireNumbers(stmt, numbers, p);
  for (size_t i = 0; i < stmt.inputs.size(); ++i)
    bind(stmt.inputs[i], *stmt.callee->inputs[i], frame, inner);
  for (size_t i = 0; i < stmt.outputs.size(); ++i)
    bind(stmt.outputs[i], *stmt.callee->outputs[i], frame, inner);
  if (const View *model = inner.lengthModel())
    inner.unit = model->unit;
  RankMap &inTheirNumbers = rankMap(std::move(map));
  const Nodes nodes = nodesAmong(*stmt.callee, inTheirNumbers, machine, me);
  enter(inner, p, numbers, inTheirNumbers);
  for (const ir::Requirement &requirement : stmt.callee->requirements)
    if (!value(*requirement.condition, inner)) {
      Diagnostic diagnostic(stmt.keyword,
                            diag::RequirementUnmet{.condition = requirement.text, .schedule = stmt.callee->path(), .p = p});
      diagnostic.note(requirement.range, diag::RequiredHere{});
      throw Finding{std::move(diagnostic)};
    }
  requireArguments(*stmt.callee, [&](const ir::Expr &expr) { return value(expr, inner); });
  splitBlocks(*stmt.callee, {p, numbers, nodes}, trees, inner.views);
  execute(stmt.callee->body, inner);
  path.pop_back();
}

RankMap Unfolder::group(const ir::UseStmt &stmt, RankFrame &frame, std::int64_t lo, std::int64_t size) {
  std::vector<std::uint32_t> members;
  for (std::int64_t c = 0; c < size; ++c) {
    countStep();
    frame.numbers[stmt.binder] = lo + c;
    std::int64_t index = value(*stmt.member, frame);
    if (index < 0 || index >= static_cast<std::int64_t>(frame.ranks->size))
      throw Finding{Diagnostic(
          stmt.member->range,
          diag::PartnerOutOfRange{.rank = me, .grouped = true, .sends = false, .peer = index, .ranks = frame.ranks->size})};
    members.push_back(frame.ranks->toMachine(me, index));
  }
  auto at = std::find(members.begin(), members.end(), me);
  if (at == members.end() || std::find(at + 1, members.end(), me) != members.end())
    throw Finding{Diagnostic(stmt.member->range, diag::GroupMembership{.rank = me, .twice = at != members.end()})};
  RankMap map;
  map.size = members.size();
  map.positions.assign(me + 1, static_cast<std::uint32_t>(at - members.begin()));
  map.groupOf.assign(me + 1, 0);
  map.groups = {std::move(members)};
  return map;
}

void Unfolder::bind(const ir::Slice &slice, const ir::Buffer &param, RankFrame &outer, RankFrame &inner) {
  const View &from = outer.views[slice.buffer->index];
  View &view = inner.views[param.index];
  view.storage = from.storage;
  inner.instance->storages[param.index] = from.storage;
  const bool ofPackets = ir::passesPackets(slice, param);
  view.unit = ofPackets ? from.unit / from.parts : from.unit;
  view.ofCollective = from.ofCollective && !ofPackets;
  inner.ofCollective = inner.ofCollective && view.ofCollective;
  size_t mark = program->runs.size();
  RankSlots taken = slots(slice, outer);
  if (taken.runCount > 1)
    throw Finding{Diagnostic(slice.range, diag::ScatteredView{})};
  view.firstSlots = {taken.runCount ? program->runs[taken.firstRun].lo : 0};
  view.blockCounts = {slotTotal(taken) / view.unit};
  view.blocks = view.blockCounts[0];
  program->runs.resize(mark);
}

} // namespace quadrille::compiler
