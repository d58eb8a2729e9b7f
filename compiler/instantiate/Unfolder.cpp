//===- Unfolder.cpp - What one rank executes: control ----------------------------------------------------------===//

#include "Unfolder.h"

#include "evaluate/Work.h"

namespace quadrille::compiler {

void Unfolder::run(const ir::Schedule &schedule, const Case &given, const std::vector<View> &parameters, std::uint32_t rank,
         RankProgram &into) {
  if (program)
    ofOthers += program->bytes();
  program = &into;
  me = rank;
  path.clear();
  around.reset();
  RankFrame frame;
  frame.schedule = &schedule;
  frame.unit = machine.unitSlots;
  frame.lengths = ir::lengthsOf(schedule);
  frame.views = parameters;
  frame.instance = &instanceFor(schedule);
  for (size_t i = 0; i < parameters.size(); ++i)
    if (parameters[i].storage)
      frame.instance->storages[i] = parameters[i].storage;
  RankMap &map = rankMap(RankMap::everybody(machine.ranks));
  enter(frame, given.p, given.numbers, map);
  try {
    execute(schedule.body, frame);
  } catch (const Finding &finding) {
    if (isLimit(finding.diagnostic.id()))
      throw;
    into.failure = std::current_exception();
  } catch (const EvaluationError &) {
    into.failure = std::current_exception();
  }
}

Unfolder::Instance &Unfolder::instanceFor(const ir::Schedule &schedule) {
  Instance &instance = instances[path];
  if (!instance.schedule) {
    instance.schedule = &schedule;
    instance.storages.resize(schedule.buffers.size(), nullptr);
  }
  return instance;
}

void Unfolder::enter(RankFrame &frame, std::int64_t p, const std::vector<std::int64_t> &numbers, RankMap &map) {
  frame.numbers.trees = &trees;
  frame.numbers.values.assign(frame.schedule->variables.size(), 0);
  frame.numbers[ir::Schedule::variableP] = p;
  for (size_t i = 0; i < numbers.size(); ++i)
    frame.numbers[static_cast<unsigned>(ir::Schedule::firstNumber + i)] = numbers[i];
  if (frame.schedule->origin)
    map.countFrom(value(*frame.schedule->origin, frame));
  frame.ranks = &map;
  frame.numbers.nodes = nodesAmong(*frame.schedule, map, machine, me);
  frame.numbers[ir::Schedule::variableMe] = map.indexOf(me);
}

std::int64_t Unfolder::value(const ir::Expr &expr, RankFrame &frame) {
  try {
    return evaluate(expr, frame.numbers);
  } catch (EvaluationError &error) {
    if (expr.dependsOnRank && error.rank < 0)
      error.rank = me;
    throw;
  }
}

void Unfolder::countStep(llvm::SMRange range) {
  if (++steps > limits.maxSteps)
    throw tooManySteps(limits::caseSteps.at(limits.maxSteps), range);
  Work::count(Work::ofStep);
  checkWork(limits);
  if (const std::uint64_t bytes = ofOthers + program->bytes(); bytes > limits.memoryBytes)
    throw tooMuchMemory(machine.ranks, bytes, limits, range);
}

void Unfolder::execute(const ir::Body &body, RankFrame &frame) {
  for (const auto &s : body)
    execute(*s, frame);
}

void Unfolder::execute(const ir::Stmt &stmt, RankFrame &frame) {
  switch (stmt.kind) {
  case ir::StmtKind::Let: {
    auto &let = llvm::cast<ir::LetStmt>(stmt);
    frame.numbers[let.variable] = value(*let.value, frame);
    return;
  }
  case ir::StmtKind::Declare:
    return declare(llvm::cast<ir::DeclareStmt>(stmt), frame);
  case ir::StmtKind::Assign:
    return assign(llvm::cast<ir::AssignStmt>(stmt), frame);
  case ir::StmtKind::Transfer:
    return;
  case ir::StmtKind::Step:
    return step(llvm::cast<ir::StepStmt>(stmt), frame);
  case ir::StmtKind::If: {
    auto &branch = llvm::cast<ir::IfStmt>(stmt);
    return execute(value(*branch.condition, frame) ? branch.yes : branch.no, frame);
  }
  case ir::StmtKind::For:
    return loopWithHeads(llvm::cast<ir::ForStmt>(stmt), frame);
  case ir::StmtKind::Use:
    return use(llvm::cast<ir::UseStmt>(stmt), frame);
  }
}

void Unfolder::loopWithHeads(const ir::ForStmt &stmt, RankFrame &frame) {
  const bool keepsHeads = wantStated && path.empty() && !stmt.invariants.empty();
  std::optional<std::pair<std::int64_t, std::int64_t>> last;
  loop(stmt, frame, [&](const ir::Body &body) {
    if (keepsHeads) {
      last = {frame.numbers[stmt.variable], hasSecondVariable(stmt) ? frame.numbers[stmt.second] : 0};
      keepHead(stmt, frame, headBefore(stmt, last->first, last->second));
    }
    execute(body, frame);
  });
  if (!keepsHeads)
    return;
  const bool isOverRanks = stmt.loop == ir::LoopKind::Others || stmt.loop == ir::LoopKind::Children;
  if (auto head = isOverRanks ? ir::none : headAfter(stmt, last, [&](const ir::Expr &bound) { return value(bound, frame); }))
    keepHead(stmt, frame, *head);
}

void Unfolder::keepHead(const ir::ForStmt &stmt, RankFrame &frame, std::int64_t head) {
  if (program->heads.size() >= headsPerRank) {
    program->leavesHeadsOut = true;
    return;
  }
  if (!around)
    around = std::make_shared<RankHead::Surroundings>(RankHead::Surroundings{frame.views, *frame.ranks});
  RankAction &action = program->actions.emplace_back();
  action.kind = RankAction::Head;
  action.stmt = &stmt;
  action.first = static_cast<std::uint32_t>(program->heads.size());
  program->heads.push_back({&stmt, head, frame.numbers, around});
}

} // namespace quadrille::compiler
