//===- WidthsOfStatements.cpp - Numbers that statements ask for ---------------------------------------------------------------===//

#include "WidthsWalk.h"

#include "arithmetic/IntervalMeaning.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/SaveAndRestore.h"

namespace quadrille::compiler::prove::widths {

// ---- data ------------------------------------------------------------------------------------------------------------------

void Widths::index(const ir::Index &index, Frame &frame) {
  const Interval a = index.a ? of(*index.a, frame) : Interval{}, b = index.b ? of(*index.b, frame) : Interval{};
  if (index.kind == ir::IndexKind::Filter)
    frame[index.binder] = {a.lo, std::max(a.lo, b.hi - 1)};
  visit(index.c, frame);
}

void Widths::slice(const ir::Slice &slice, Frame &frame) {
  index(slice.blocks, frame);
  index(slice.packets, frame);
}

void Widths::data(const ir::DataExpr &data, Frame &frame) {
  if (!data.isCombine)
    return slice(data.slice, frame);
  this->data(*data.left, frame);
  this->data(*data.right, frame);
}

/// Visits the lengths of an array of `blocks` blocks.
void Widths::length(const ir::LengthOf &length, Interval blocks, Frame frame) {
  if (length.binder)
    frame[*length.binder] = {0, std::max<Extended>(0, blocks.hi - 1)};
  for (const ir::Expr *index : length.indices)
    visit(index, frame);
  visit(length.parts, frame);
  visit(length.part, frame);
}

void Widths::buffer(const ir::Buffer &buffer, Frame &frame) {
  const Interval blocks = buffer.count ? of(*buffer.count, frame) : yes;
  visit(buffer.presence, frame);
  visit(buffer.parts, frame);
  if (buffer.length)
    length(*buffer.length, blocks, frame);
  if (buffer.like)
    slice(*buffer.like, frame);
}

// ---- what is claimed ----------------------------------------------------------------------------------------------------------

/// Visits expressions of a claim, and records an overflow in `gap`. Only claims of the outermost schedule count.
void Widths::visitClaim(std::optional<NotModelled> &gap, llvm::function_ref<void()> visit) {
  if (current.schedule == outermost && !gap)
    try {
      visit();
    } catch (const Found &found) {
      gap = found.gap;
    }
}

void Widths::clock(const ir::Clock *clock, Frame frame) {
  if (!clock)
    return;
  frame[clock->sender] = frame[clock->receiver] = count;
  visitClaim(found.clock, [&] {
    for (const ir::Expr *time : clock->times)
      visit(time, frame);
  });
}

void Widths::invariant(const ir::Invariant &stated, Frame frame) {
  for (std::optional<unsigned> variable : {stated.blockVariable, stated.packetVariable, stated.holder})
    if (variable)
      frame[*variable] = count;
  visitClaim(found.invariant, [&] {
    if (stated.blockVariable && stated.buffer && stated.buffer->count)
      frame[*stated.blockVariable] = {0, std::max<Extended>(0, of(*stated.buffer->count, frame).hi - 1)};
    std::optional<Frame> there = frame;
    if (stated.condition) {
      of(*stated.condition, frame);
      there = where(*stated.condition, true, frame);
    }
    if (!there)
      return;
    if (stated.isFold)
      (*there)[stated.binder] = count;
    for (const ir::Expr *part : {stated.rank, stated.index, stated.lo, stated.hi})
      visit(part, *there);
  });
}

// ---- statements --------------------------------------------------------------------------------------------------------------

void Widths::loop(const ir::ForStmt &stmt, Frame &frame) {
  const Interval lo = stmt.lo ? of(*stmt.lo, frame) : Interval{}, hi = stmt.hi ? of(*stmt.hi, frame) : Interval{};
  const Interval factor = stmt.factor ? of(*stmt.factor, frame) : yes;
  const Interval ranks = stmt.loop == ir::LoopKind::Children ? of(*stmt.tree, frame) : count;
  if (lo.isNothing() || hi.isNothing() || factor.isNothing())
    return;
  Interval inside, after, secondInside, secondAfter; // in the body, and including the value after the last iteration
  switch (stmt.loop) {
  case ir::LoopKind::Ascending:
    inside = {lo.lo, std::max(lo.lo, hi.hi - 1)};
    after = {lo.lo, std::max(lo.hi, hi.hi - 1) + factor.hi};
    break;
  case ir::LoopKind::Times:
    inside = {lo.lo, std::max(lo.lo, hi.hi - 1)};
    after = join({lo.lo, lo.hi}, intervals::product(inside, join(yes, factor)));
    break;
  case ir::LoopKind::Descending:
    inside = {std::min(lo.lo, hi.hi), hi.hi};
    after = {std::min(lo.lo, hi.lo) - factor.hi, hi.hi};
    break;
  case ir::LoopKind::Half:
    inside = {std::min(lo.lo, hi.hi), hi.hi};
    after = join({0, 0}, hi);
    break;
  case ir::LoopKind::Halvings:
  case ir::LoopKind::HalvingsReversed:
    inside = after = {std::min<Extended>(0, hi.lo), std::max<Extended>(0, floorDiv(hi.hi + 1, 2))};
    secondInside = secondAfter = join({0, 0}, hi);
    if (stmt.loop == ir::LoopKind::HalvingsReversed)
      after = secondInside;
    break;
  case ir::LoopKind::Others:
  case ir::LoopKind::Children:
    inside = after = ranks;
    break;
  }
  const bool hasSecond = stmt.loop == ir::LoopKind::Halvings || stmt.loop == ir::LoopKind::HalvingsReversed;
  auto set = [&](Interval first, Interval second) {
    frame[stmt.variable] = first;
    if (hasSecond)
      frame[stmt.second] = second;
  };
  set(join(inside, after), join(secondInside, secondAfter));
  // Invariants are evaluated after the last iteration, too, or if there is none.
  const bool counts = stmt.loop == ir::LoopKind::Ascending || stmt.loop == ir::LoopKind::Descending;
  tops.erase(stmt.variable);
  if (counts && !stmt.factor && lo.hi <= hi.lo + (stmt.loop == ir::LoopKind::Ascending ? 0 : 1))
    tops[stmt.variable] = {stmt.hi, 0};
  for (const ir::Invariant &stated : stmt.invariants)
    invariant(stated, frame);
  set(inside, secondInside);
  if (counts)
    tops[stmt.variable] = {stmt.hi, stmt.loop == ir::LoopKind::Ascending ? -1 : 0};
  body(stmt.body, frame);
}

void Widths::use(const ir::UseStmt &stmt, Frame &frame) {
  if (stmt.member) {
    const Interval lo = of(*stmt.lo, frame), hi = of(*stmt.hi, frame);
    frame[stmt.binder] = {lo.lo, std::max(lo.lo, hi.hi - 1)};
    visit(stmt.member, frame);
  }
  for (const auto *slices : {&stmt.inputs, &stmt.outputs})
    for (const ir::Slice &part : *slices)
      slice(part, frame);
  clock(stmt.clock, frame);
  std::vector<Interval> numbers;
  for (const ir::Expr *number : stmt.numbers)
    numbers.push_back(of(*number, frame));
  schedule(*stmt.callee, numbers);
}

void Widths::statement(const ir::Stmt &stmt, Frame &frame) {
  switch (stmt.kind) {
  case ir::StmtKind::Let: {
    const auto &let = llvm::cast<ir::LetStmt>(stmt);
    frame[let.variable] = of(*let.value, frame);
    tops[let.variable] = {let.value, 0};
    return;
  }
  case ir::StmtKind::Declare:
    return buffer(*llvm::cast<ir::DeclareStmt>(stmt).buffer, frame);
  case ir::StmtKind::Assign: {
    const auto &assign = llvm::cast<ir::AssignStmt>(stmt);
    slice(assign.target, frame);
    return data(*assign.value, frame);
  }
  case ir::StmtKind::Transfer: {
    const auto &transfer = llvm::cast<ir::TransferStmt>(stmt);
    if (transfer.message)
      slice(*transfer.message, frame);
    visit(transfer.peer, frame);
    return clock(transfer.clock, frame);
  }
  case ir::StmtKind::Step:
    return body(llvm::cast<ir::StepStmt>(stmt).body, frame);
  case ir::StmtKind::If: {
    const auto &branch = llvm::cast<ir::IfStmt>(stmt);
    of(*branch.condition, frame);
    for (bool holds : {true, false})
      if (std::optional<Frame> there = where(*branch.condition, holds, frame))
        body(holds ? branch.yes : branch.no, *there);
    return;
  }
  case ir::StmtKind::For:
    return loop(llvm::cast<ir::ForStmt>(stmt), frame);
  case ir::StmtKind::Use:
    return use(llvm::cast<ir::UseStmt>(stmt), frame);
  }
}

void Widths::body(const ir::Body &statements, Frame &frame) {
  for (const auto &stmt : statements)
    statement(*stmt, frame);
}

/// The variables of the collective's declaration. All of them are ranks or blocks.
Frame Widths::frameOfCollective(const ir::Schedule &schedule, llvm::ArrayRef<Interval> numbers) {
  const ir::Collective &collective = *schedule.collective;
  Frame frame(collective.variables.size(), count);
  frame[0] = {1, largestCount};
  for (unsigned i = 0; i < collective.numberCount; ++i)
    frame[1 + i] = numbers[schedule.parameterCount + i];
  return frame;
}

/// Visits the expressions of the collective's declaration but its promises.
void Widths::collective(const ir::Schedule &schedule, llvm::ArrayRef<Interval> numbers) {
  const ir::Collective &collective = *schedule.collective;
  Frame frame = frameOfCollective(schedule, numbers);
  for (const auto *params : {&collective.inputs, &collective.outputs})
    for (const ir::CollectiveParam &param : *params) {
      for (const ir::Expr *extent : param.extents)
        visit(extent, frame);
      const Interval blocks = param.count ? of(*param.count, frame) : yes;
      visit(param.presence, frame);
      if (param.length)
        length(*param.length, blocks, frame);
    }
  for (const ir::Knowledge &known : collective.knowledge) {
    for (const ir::Knowledge::Index &index : known.indices)
      visit(index.value, frame);
    visit(known.condition, frame);
  }
}

/// Visits what the collective promises, in the cases that `requires` admits.
void Widths::promises(const ir::Schedule &schedule, llvm::ArrayRef<Interval> numbers) {
  for (const ir::Promise &promise : schedule.collective->promises) {
    Frame frame = frameOfCollective(schedule, numbers);
    const ir::Expr *blocks = promise.isHeard ? nullptr : schedule.collective->outputs[promise.output].count;
    if (promise.indexVariable && blocks)
      frame[*promise.indexVariable] = {0, std::max<Extended>(0, of(*blocks, frame).hi - 1)};
    for (const ir::Expr *part : {promise.rank, promise.index, promise.condition, promise.term.lo, promise.term.hi,
                                 promise.term.rank, promise.term.index, promise.term.condition})
      visit(part, frame);
  }
}

void Widths::schedule(const ir::Schedule &schedule, const std::vector<Interval> &numbers) {
  if (!seenSchedules.insert({&schedule, numbers}).second)
    return;
  const llvm::SaveAndRestore<const ir::Schedule *> inside(current.schedule, &schedule);
  const llvm::SaveAndRestore notFollowed(isProved, false);
  const llvm::SaveAndRestore otherVariables(tops, {});
  collective(schedule, numbers);
  Frame frame(schedule.variables.size());
  frame[ir::Schedule::variableP] = {1, largestCount};
  frame[ir::Schedule::variableMe] = {0, largestCount - 1};
  llvm::copy(numbers, frame.begin() + ir::Schedule::firstNumber);
  for (const ir::Requirement &requirement : schedule.requirements) {
    visit(requirement.condition, frame);
    std::optional<Frame> there = where(*requirement.condition, true, std::move(frame));
    if (!there)
      return; // `requires` admits no case
    frame = std::move(*there);
    // `me` and the root are below p. Repeated, since a clause may have lowered p.
    const Interval ranks{0, frame[ir::Schedule::variableP].hi - 1};
    frame[ir::Schedule::variableMe] = meet(frame[ir::Schedule::variableMe], ranks);
    if (const std::optional<unsigned> root = schedule.rootVariable())
      frame[*root] = meet(frame[*root], ranks);
  }
  for (const ir::Knowledge &known : schedule.knowledge) {
    for (const ir::Knowledge::Index &index : known.indices)
      if (index.variable)
        frame[*index.variable] = count;
    for (const ir::Knowledge::Index &index : known.indices)
      visit(index.value, frame);
    visit(known.condition, frame);
  }
  {
    // The result of the outermost schedule is shown to be the promised one, so proofs cover the calls in promises.
    const llvm::SaveAndRestore followed(isProved, &schedule == outermost);
    promises(schedule, llvm::ArrayRef(frame).slice(ir::Schedule::firstNumber, numbers.size()));
  }
  for (const ir::Argument &argument : schedule.arguments)
    visit(argument.value, frame);
  visit(schedule.origin, frame);
  if (schedule.model)
    visit(schedule.model->ports, frame);
  for (const ir::Table &table : schedule.tables)
    for (const ir::Expr *extent : table.extents)
      visit(extent, frame);
  for (const auto *buffers : {&schedule.inputs, &schedule.outputs})
    for (const ir::Buffer *parameter : *buffers)
      buffer(*parameter, frame);
  // The body comes first: clauses may mention lets of the top level.
  {
    const llvm::SaveAndRestore followed(isProved, true);
    body(schedule.body, frame);
  }
  const llvm::SaveAndRestore followed(isProved, costIsProved);
  visitClaim(found.cost, [&] {
    for (const auto *claim : {&schedule.cost, &schedule.rounds})
      if (*claim)
        clause(*(*claim)->formula, frame);
  });
}

Overflows Widths::run(const ir::Schedule &whole) {
  outermost = &whole;
  try {
    schedule(whole, std::vector<Interval>(whole.numberCount, count));
  } catch (const Found &overflow) {
    found.evaluated = overflow.gap;
  }
  return found;
}

} // namespace quadrille::compiler::prove::widths
