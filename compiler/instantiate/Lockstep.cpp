//===- Lockstep.cpp - Uniform schedules: entry, frames, control flow ----------------------------------------------===//

#include "Lockstep.h"

#include "evaluate/Work.h"
#include "ir/Walk.h"

namespace quadrille::compiler::lockstep {

Lockstep::Lockstep(CaseRun &run, RunObserver &observer)
    : caseRun(run), schedule(run.schedule), machine(run.machine()), observer(observer), trees(run.trees), limits(run.limits),
      ranks(machine.ranks),
      round(machine), work(std::size_t(ranks) * machine.sampleCount(), 0), followsLoops(observer.wantsLoops()) {}

FinalState Lockstep::run() {
  FrameState frame(schedule, trees);
  FinalState state = allocateParameters(caseRun, frame.views);
  frame.unit = machine.unitSlots;
  frame.lengths = ir::lengthsOf(schedule);
  frame.ranks = RankMap::everybody(ranks);
  enter(frame, caseRun.instance.p, caseRun.instance.numbers);
  running.push_back({nullptr, &schedule, &frame.views, &frame.ranks});
  execute(schedule.body, frame, nullptr);
  flushWork();
  state.rounds = round.matched().number;
  return state;
}

// ---- frames ---------------------------------------------------------------------------------------------------------

void FrameState::setArray(unsigned variable, const std::vector<std::int64_t> &values) {
  auto [lo, hi] = std::minmax_element(values.begin(), values.end());
  set(variable, {ColumnVariable::Array, 0, nullptr, values.data(), {*lo, *hi}});
}

void Lockstep::enter(FrameState &frame, std::int64_t p, const std::vector<std::int64_t> &numbers) {
  frame.eval.variables.resize(frame.schedule.variables.size());
  frame.setScalar(ir::Schedule::variableP, p);
  for (size_t i = 0; i < numbers.size(); ++i)
    frame.setScalar(static_cast<unsigned>(ir::Schedule::firstNumber + i), numbers[i]);
  frame.eval.select(0, std::min<size_t>(ranks, chunkSize), nullptr);
  std::int64_t size = static_cast<std::int64_t>(frame.ranks.size);
  if (frame.schedule.origin)
    frame.ranks.countFrom(frame.scalar(*frame.schedule.origin));
  assert((!frame.schedule.usesNodes || frame.ranks.groups.empty()) && "groups with maps of their own are simulated");
  frame.eval.setNodes(nodesAmong(frame.schedule, frame.ranks, machine, 0));
  frame.me.resize(ranks);
  for (std::uint32_t r = 0; r < ranks; ++r)
    frame.me[r] = frame.ranks.indexOf(r);
  frame.set(ir::Schedule::variableMe, {ColumnVariable::Array, 0, nullptr, frame.me.data(), {0, size - 1}});
}

bool Lockstep::anyActive(Mask mask) const {
  return !mask || std::any_of(mask, mask + ranks, [](std::uint8_t a) { return a != 0; });
}

// ---- control flow ---------------------------------------------------------------------------------------------------

void Lockstep::execute(const ir::Body &body, FrameState &frame, Mask mask) {
  for (const auto &s : body)
    execute(*s, frame, mask);
}

void Lockstep::execute(const ir::Stmt &stmt, FrameState &frame, Mask mask) {
  switch (stmt.kind) {
  case ir::StmtKind::Let:
    return let(llvm::cast<ir::LetStmt>(stmt), frame, mask);
  case ir::StmtKind::Declare:
    return declare(llvm::cast<ir::DeclareStmt>(stmt), frame, mask);
  case ir::StmtKind::Assign:
    return assign(llvm::cast<ir::AssignStmt>(stmt), frame, mask);
  case ir::StmtKind::Transfer:
    return; // collected before by `step`; this walk executes the assignments of its body
  case ir::StmtKind::Step:
    return step(llvm::cast<ir::StepStmt>(stmt), frame, mask);
  case ir::StmtKind::If:
    return branch(llvm::cast<ir::IfStmt>(stmt), frame, mask, &Lockstep::execute);
  case ir::StmtKind::For:
    return loop(llvm::cast<ir::ForStmt>(stmt), frame, mask, &Lockstep::execute);
  case ir::StmtKind::Use:
    return use(llvm::cast<ir::UseStmt>(stmt), frame, mask);
  }
}

void Lockstep::letNow(const ir::LetStmt &stmt, FrameState &frame, Mask mask) {
  std::vector<std::int64_t> &values = frame.lets[stmt.variable];
  values.assign(ranks, 0);
  std::int64_t lo = 0, hi = 0;
  forChunks(frame, mask, [&](const Chunk &chunk) {
    Column column = frame.eval.evaluate(*stmt.value);
    for (size_t i = 0; i < chunk.count; ++i) {
      if (!chunk.isActive(i))
        continue;
      std::int64_t value = values[chunk.first + i] = column[i];
      if (value != ir::none) { // no bounds for `none`: no expression computes with it
        lo = std::min(lo, value);
        hi = std::max(hi, value);
      }
    }
  });
  frame.set(stmt.variable, {ColumnVariable::Array, 0, nullptr, values.data(), {lo, hi}});
}

void Lockstep::let(const ir::LetStmt &stmt, FrameState &frame, Mask mask) {
  if (stmt.value->dependsOnRank && ir::mentions(*stmt.value, ir::Op::Call))
    return letNow(stmt, frame, mask);
  if (stmt.value->dependsOnRank) {
    // Evaluate for all active ranks now, to report errors even if no rank uses the value.
    forChunks(frame, mask, [&](const Chunk &) { frame.eval.evaluate(*stmt.value); });
    frame.set(stmt.variable, {ColumnVariable::Lazy, 0, stmt.value, nullptr, {}});
  } else if (anyActive(mask)) // without active ranks the expression may have no value
    frame.setScalar(stmt.variable, frame.scalar(*stmt.value));
}

void Lockstep::branch(const ir::IfStmt &stmt, FrameState &frame, Mask mask, Walk walk) {
  if (!stmt.condition->dependsOnRank) {
    if (anyActive(mask))
      (this->*walk)(frame.scalar(*stmt.condition) ? stmt.yes : stmt.no, frame, mask);
    return;
  }
  std::vector<std::uint8_t> yes(ranks), no(ranks);
  bool anyYes = false, anyNo = false;
  forChunks(frame, mask, [&](const Chunk &chunk) {
    Column condition = frame.eval.evaluate(*stmt.condition);
    for (size_t i = 0; i < chunk.count; ++i) {
      bool active = chunk.isActive(i);
      bool taken = condition[i] != 0;
      yes[chunk.first + i] = active && taken;
      no[chunk.first + i] = active && !taken;
      anyYes |= active && taken;
      anyNo |= active && !taken;
    }
  });
  if (anyYes && !stmt.yes.empty())
    (this->*walk)(stmt.yes, frame, yes.data());
  if (anyNo && !stmt.no.empty())
    (this->*walk)(stmt.no, frame, no.data());
}

void Lockstep::loop(const ir::ForStmt &stmt, FrameState &frame, Mask mask, Walk walk) {
  if (ir::differsBetweenRanks(stmt))
    return rankLoop(stmt, frame, mask, walk);
  const bool visits = followsLoops && rankLoops == 0 && walk == static_cast<Walk>(&Lockstep::execute);
  std::optional<std::pair<std::int64_t, std::int64_t>> last;
  if (visits)
    heads.push_back(0);
  forEachValue(stmt, [&](const ir::Expr &bound) { return frame.scalar(bound); },
               [&](std::int64_t value, std::int64_t second) {
                 countStep();
                 if (visits)
                   visit(stmt, frame, mask, headBefore(stmt, value, second));
                 frame.setScalar(stmt.variable, value);
                 if (hasSecondVariable(stmt))
                   frame.setScalar(stmt.second, second);
                 (this->*walk)(stmt.body, frame, mask);
                 last = {value, second};
               });
  if (!visits)
    return;
  if (auto head = headAfter(stmt, last, [&](const ir::Expr &bound) { return frame.scalar(bound); }))
    visit(stmt, frame, mask, *head);
  heads.pop_back();
}

void Lockstep::visit(const ir::ForStmt &stmt, FrameState &frame, Mask mask, std::int64_t head) {
  heads.back() = head;
  auto frameOf = [&](llvm::ArrayRef<const ir::Expr *> exprs, std::uint32_t rank) { return frame.eval.frameOf(exprs, rank); };
  observer.onLoopHead({&stmt, mask, frameOf, running, heads}, machine);
}

/// A loop whose bounds differ between ranks, which contains no steps. Ranks that have finished it are masked out.
void Lockstep::rankLoop(const ir::ForStmt &stmt, FrameState &frame, Mask mask, Walk walk) {
  std::vector<std::vector<std::pair<std::int64_t, std::int64_t>>> values(ranks);
  size_t longest = 0;
  for (std::uint32_t r = 0; r < ranks; ++r)
    if (isActive(mask, r)) {
      values[r] = loopValues(stmt, frame, r);
      longest = std::max(longest, values[r].size());
    }
  std::vector<std::int64_t> value(ranks), second(ranks);
  std::vector<std::uint8_t> active(ranks);
  ++rankLoops;
  for (size_t i = 0; i < longest; ++i) {
    countStep();
    for (std::uint32_t r = 0; r < ranks; ++r) {
      active[r] = i < values[r].size();
      value[r] = active[r] ? values[r][i].first : 0;
      second[r] = active[r] ? values[r][i].second : 0;
    }
    frame.setArray(stmt.variable, value);
    if (hasSecondVariable(stmt))
      frame.setArray(stmt.second, second);
    (this->*walk)(stmt.body, frame, active.data());
  }
  --rankLoops;
  // The arrays of values end here: reset the variables.
  frame.setScalar(stmt.variable, 0);
  if (hasSecondVariable(stmt))
    frame.setScalar(stmt.second, 0);
}

std::vector<std::pair<std::int64_t, std::int64_t>> Lockstep::loopValues(const ir::ForStmt &stmt, FrameState &frame,
                                                                        std::uint32_t rank) {
  std::vector<std::pair<std::int64_t, std::int64_t>> values;
  if (stmt.loop == ir::LoopKind::Others) {
    for (std::int64_t j = 0; j < static_cast<std::int64_t>(frame.ranks.size); ++j)
      if (j != frame.me[rank])
        values.push_back({j, 0});
  } else if (stmt.loop == ir::LoopKind::Children) {
    const TreeInstance &tree = trees[frame.eval.evaluateAt(*stmt.tree, rank)];
    for (ir::TreeFieldKind side : {ir::TreeFieldKind::Left, ir::TreeFieldKind::Right})
      if (std::int64_t child = tree.field(side, frame.me[rank]); child != ir::none)
        values.push_back({child, 0});
  } else {
    forEachValue(stmt, [&](const ir::Expr &bound) { return frame.eval.evaluateAt(bound, rank); },
                 [&](std::int64_t value, std::int64_t second) {
                   countStep();
                   values.push_back({value, second});
                 });
  }
  return values;
}

void Lockstep::countStep(std::uint64_t cost) {
  steps += cost;
  if (steps > limits.maxSteps)
    throw tooManySteps(limits::caseSteps.at(limits.maxSteps), schedule.nameRange);
  Work::count(Work::ofStep * cost);
  checkWork(limits);
}

} // namespace quadrille::compiler::lockstep

namespace quadrille::compiler {

FinalState runInLockstep(CaseRun &run, RunObserver &observer) { return lockstep::Lockstep(run, observer).run(); }

} // namespace quadrille::compiler
