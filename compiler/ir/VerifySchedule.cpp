//===- VerifySchedule.cpp - Whether the description of a schedule is well formed ----------------------------------===//

#include "Verify.h"

#include "FrameVerifier.h"
#include "Telling.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Support/SaveAndRestore.h"

namespace quadrille::compiler::ir {

namespace {

class ScheduleVerifier {
public:
  explicit ScheduleVerifier(const Schedule &schedule) : schedule(schedule), frame(schedule.variables, schedule.tables.size()) {}

  void run();

private:
  void signature();
  void buffers();
  void clauses();
  void body(const Body &body);
  void scope(const Body &body);
  void statement(const Stmt &stmt);
  void transfer(const TransferStmt &transfer);
  void bareStep(const StepStmt &step);
  void step(const StepStmt &step);
  void loop(const ForStmt &loop);
  void invariant(const Invariant &stated);
  void use(const UseStmt &use);
  void clock(const Clock *clock);
  void owned(const Buffer *buffer);
  void index(const Index &index, bool isAllowed);
  void slice(const Slice &slice);
  void target(const Slice &slice);
  void data(const DataExpr *data);

  const Schedule &schedule;
  FrameVerifier frame;
  llvm::SmallPtrSet<const Buffer *, 16> visible; // buffers that exist at the current place
  bool inStep = false, assigned = false;
  std::optional<bool> hasClocks; // whether transfers and uses have clocks; decided by the first one
};

void ScheduleVerifier::run() {
  signature();
  frame.defineFirst(Schedule::firstNumber + schedule.numberCount);
  visible.insert(schedule.inputs.begin(), schedule.inputs.end());
  visible.insert(schedule.outputs.begin(), schedule.outputs.end());
  if (schedule.origin)
    frame.integer(schedule.origin);
  body(schedule.body); // top-level lets remain known
  buffers();
  clauses();
}

void ScheduleVerifier::signature() {
  require(schedule.collective, "it is for no collective");
  const Collective &collective = *schedule.collective;
  require(schedule.numberCount == schedule.parameterCount + collective.numberCount, "its numbers are not its parameters and those of `" + collective.name + "`");
  require(schedule.ofTreesCount <= schedule.parameterCount, "it has more numbers of trees than parameters");
  require(schedule.variables.size() >= Schedule::firstNumber + schedule.numberCount, "its frame is too small for its numbers");
  const auto tables = llvm::count_if(collective.inputs, [](const CollectiveParam &param) { return param.isTable; });
  const auto inputs = llvm::count_if(collective.inputs, [](const CollectiveParam &param) { return param.isData(); });
  require(static_cast<size_t>(tables) == schedule.tables.size(), "its tables are not those of `" + collective.name + "`");
  require(static_cast<size_t>(inputs) == schedule.inputs.size() && collective.outputs.size() == schedule.outputs.size(),
          "its inputs and outputs are not those of `" + collective.name + "`");
  for (const Buffer *input : schedule.inputs)
    require(input->kind == BufferKind::Input, "its input `" + input->name + "` is of another kind");
  for (const Buffer *output : schedule.outputs)
    require(output->kind == BufferKind::Output, "its output `" + output->name + "` is of another kind");
}

void ScheduleVerifier::owned(const Buffer *buffer) {
  require(buffer && buffer->index < schedule.buffers.size() && schedule.buffers[buffer->index].get() == buffer, "a buffer of another schedule");
}

/// Called with the top-level lets known: a `split` may use them wherever its buffer is declared.
void ScheduleVerifier::buffers() {
  for (const auto &buffer : schedule.buffers) {
    owned(buffer.get());
    require(!buffer->count || buffer->isArray, "`" + buffer->name + "` has a number of blocks, and is a single one");
    require(!buffer->like || (!buffer->count && !buffer->length), "`" + buffer->name + "` has the shape of its first value, and one of its own");
    if (buffer->parts)
      frame.integer(buffer->parts);
    require(!buffer->parts || !buffer->parts->dependsOnRank, "`" + buffer->name + "` is split otherwise on each rank");
    if (buffer->presence)
      frame.integer(buffer->presence);
    if (buffer->kind == BufferKind::Input || buffer->kind == BufferKind::Output) {
      require(!buffer->isArray || buffer->count, "`" + buffer->name + "` has no number of blocks");
      if (buffer->count)
        frame.integer(buffer->count);
      if (buffer->length)
        frame.length(*buffer->length);
    }
  }
}

void ScheduleVerifier::clauses() {
  auto same = [](const Expr *expr, llvm::StringRef clause) { require(!expr->dependsOnRank, clause + " depends on the rank"); };
  for (const Argument &argument : schedule.arguments) {
    frame.integer(argument.value);
    same(argument.value, "an argument of an instance");
  }
  for (const Requirement &requirement : schedule.requirements) {
    frame.boolean(requirement.condition);
    same(requirement.condition, "a requirement");
  }
  for (const Knowledge &known : schedule.knowledge) {
    frame.knowledge(known);
    if (!known.toldBy)
      continue;
    const std::optional<Telling> telling = tellingBy(*known.toldBy);
    require(telling.has_value(), "lengths are told by `" + known.toldBy->path() + "`, which does not tell them to all ranks");
    require(known.isRequired && known.isOfAll(), "a table is told in part");
    require(knowsWhatItTells(schedule, known.table, *telling), "ranks tell lengths that they need not know");
  }
  if (schedule.model) {
    require((schedule.model->model == PortModel::Ports) == (schedule.model->ports != nullptr), "a model has a number of ports that it does not take, or none");
    frame.optionalInteger(schedule.model->ports);
  }
  for (const std::optional<CostClause> &claim : {schedule.cost, schedule.rounds})
    if (claim) {
      frame.expr(claim->formula, Type::Integer, /*isOfCost=*/true);
      same(claim->formula, "a clause of costs");
    }
}

void ScheduleVerifier::scope(const Body &inner) {
  const llvm::SaveAndRestore<llvm::SmallBitVector> variables(frame.known);
  const llvm::SaveAndRestore<llvm::SmallPtrSet<const Buffer *, 16>> around(visible);
  body(inner);
}

void ScheduleVerifier::body(const Body &body) {
  for (const auto &stmt : body) {
    require(stmt != nullptr, "a body has no statement where one belongs");
    statement(*stmt);
  }
}

/// Whether the body contains a step or a `use`.
bool hasSteps(const Body &body) {
  return llvm::any_of(body, [](const std::unique_ptr<Stmt> &stmt) {
    if (auto *branch = llvm::dyn_cast<IfStmt>(stmt.get()))
      return hasSteps(branch->yes) || hasSteps(branch->no);
    if (auto *loop = llvm::dyn_cast<ForStmt>(stmt.get()))
      return hasSteps(loop->body);
    return llvm::isa<StepStmt, UseStmt>(stmt.get());
  });
}

void ScheduleVerifier::statement(const Stmt &stmt) {
  switch (stmt.kind) {
  case StmtKind::Let: {
    auto &let = llvm::cast<LetStmt>(stmt);
    require(let.value, "a `let` without a value");
    frame.expr(let.value, let.value->type);
    frame.define(let.variable);
    require(schedule.variables[let.variable].type == let.value->type, "`" + schedule.variables[let.variable].name + "` is let be of another type than it has");
    return;
  }
  case StmtKind::Declare: {
    const Buffer *buffer = llvm::cast<DeclareStmt>(stmt).buffer;
    require(!inStep, "a declaration inside a step");
    owned(buffer);
    require(buffer->kind == BufferKind::Local, "`" + buffer->name + "` is declared, and no local buffer");
    require(!buffer->like || visible.contains(buffer->like->buffer), "`" + buffer->name + "` has the shape of what is not there");
    frame.optionalInteger(buffer->count);
    if (buffer->length)
      frame.length(*buffer->length);
    visible.insert(buffer);
    return;
  }
  case StmtKind::Assign: {
    auto &assign = llvm::cast<AssignStmt>(stmt);
    target(assign.target);
    data(assign.value);
    assigned = true;
    return;
  }
  case StmtKind::Transfer:
    return transfer(llvm::cast<TransferStmt>(stmt));
  case StmtKind::Step:
    return step(llvm::cast<StepStmt>(stmt));
  case StmtKind::If: {
    auto &branch = llvm::cast<IfStmt>(stmt);
    frame.boolean(branch.condition);
    const bool before = assigned;
    scope(branch.yes);
    const bool after = std::exchange(assigned, before);
    scope(branch.no);
    assigned |= after;
    require(branch.containsStep == (hasSteps(branch.yes) || hasSteps(branch.no)), "an `if` is wrong about whether it holds steps");
    return;
  }
  case StmtKind::For:
    return loop(llvm::cast<ForStmt>(stmt));
  case StmtKind::Use:
    return use(llvm::cast<UseStmt>(stmt));
  }
}

void ScheduleVerifier::clock(const Clock *clock) {
  require(!hasClocks || *hasClocks == (clock != nullptr), "some transfers have a clock, and others none");
  hasClocks = clock != nullptr;
  if (!clock)
    return;
  const llvm::SaveAndRestore<llvm::SmallBitVector> around(frame.known);
  frame.define(clock->sender);
  frame.define(clock->receiver);
  require(!clock->times.empty(), "a clock without a number");
  for (const Expr *time : clock->times)
    frame.integer(time);
}

void ScheduleVerifier::transfer(const TransferStmt &transfer) {
  require(inStep, "a transfer outside a step");
  require(!assigned, "a transfer after an assignment of its step");
  frame.integer(transfer.peer);
  if (transfer.message)
    transfer.isSend ? slice(*transfer.message) : target(*transfer.message);
  clock(transfer.clock);
}

void ScheduleVerifier::bareStep(const StepStmt &step) {
  for (const auto &stmt : step.body)
    require(llvm::isa<TransferStmt>(stmt.get()), "a bare step holds more than transfers");
  if (step.body.size() == 1)
    return require(!llvm::cast<TransferStmt>(*step.body[0]).ofExchange, "half an exchange");
  require(step.body.size() == 2, "a bare step is neither a transfer nor an exchange");
  auto &send = llvm::cast<TransferStmt>(*step.body[0]), &recv = llvm::cast<TransferStmt>(*step.body[1]);
  require(send.ofExchange && recv.ofExchange && send.isSend && !recv.isSend && send.peer == recv.peer, "a bare step of two transfers is no exchange");
}

void ScheduleVerifier::step(const StepStmt &step) {
  require(step.lockstep == schedule.lockstep, "a step is in lockstep and its schedule is not, or the other way round");
  require(!inStep, "a step inside a step");
  const llvm::SaveAndRestore<bool> here(inStep, true), before(assigned, false);
  const auto around = visible;
  for (const Buffer *message : step.messages) {
    owned(message);
    require(message->kind == BufferKind::Message, "a step declares `" + message->name + "`, which is no message");
    visible.insert(message);
  }
  // A name declared by a bare receive is visible after the step, too.
  if (step.bare) {
    bareStep(step);
    return body(step.body);
  }
  scope(step.body);
  visible = around;
}

void ScheduleVerifier::loop(const ForStmt &loop) {
  const bool isOfSet = loop.loop == LoopKind::Others || loop.loop == LoopKind::Children;
  const bool isHalving = loop.loop == LoopKind::Halvings || loop.loop == LoopKind::HalvingsReversed;
  require((loop.tree != nullptr) == (loop.loop == LoopKind::Children), "a loop has a tree without children of it, or the reverse");
  require(!loop.lo == (isOfSet || isHalving) && !loop.hi == isOfSet, "a loop has other bounds than it takes");
  require(loop.loop != LoopKind::Times || loop.factor, "a loop with `times` has no factor");
  frame.optionalInteger(loop.lo);
  frame.optionalInteger(loop.hi);
  frame.optionalInteger(loop.factor);
  if (loop.tree)
    frame.expr(loop.tree, Type::Tree);
  const llvm::SaveAndRestore<llvm::SmallBitVector> variables(frame.known);
  frame.define(loop.variable);
  if (isHalving)
    frame.define(loop.second);
  for (const Invariant &stated : loop.invariants)
    invariant(stated);
  scope(loop.body);
  require(loop.containsStep == hasSteps(loop.body), "a loop is wrong about whether it holds steps");
}

void ScheduleVerifier::invariant(const Invariant &stated) {
  const llvm::SaveAndRestore<llvm::SmallBitVector> variables(frame.known);
  for (const std::optional<unsigned> &variable : {stated.blockVariable, stated.packetVariable, stated.holder})
    frame.define(variable);
  if (stated.buffer) {
    owned(stated.buffer);
    require(visible.contains(stated.buffer), "an invariant is about `" + stated.buffer->name + "`, which is not there");
    require(stated.buffer->isArray == stated.blockVariable.has_value(), "an invariant about an array has no number of a block, or the reverse");
    require(!stated.packetVariable || stated.buffer->parts, "an invariant about packets of what is not split");
    require(stated.input < schedule.inputs.size(), "an invariant speaks of an input that there is not");
    require(stated.isFold == (stated.rank == nullptr), "an invariant has a rank and is a product, or neither");
  } else {
    require(stated.blockVariable.has_value(), "an invariant says of nobody that it is heard of");
  }
  frame.optionalInteger(stated.rank);
  frame.optionalInteger(stated.index);
  frame.optionalBoolean(stated.condition);
  if (stated.isFold) {
    frame.integer(stated.lo);
    frame.integer(stated.hi);
  }
}

void ScheduleVerifier::use(const UseStmt &use) {
  require(!inStep, "a `use` inside a step");
  require(use.callee, "a `use` of nothing");
  const Schedule &callee = *use.callee;
  const std::string name = "a `use` of `" + callee.path() + "`";
  require(use.numbers.size() == callee.numberCount, name + " passes " + llvm::Twine(use.numbers.size()) + " numbers");
  require(use.tables.size() == callee.tables.size(), name + " passes " + llvm::Twine(use.tables.size()) + " tables");
  require(use.inputs.size() == callee.inputs.size() && use.outputs.size() == callee.outputs.size(), name + " passes other blocks than it takes");
  for (unsigned table : use.tables)
    require(table < schedule.tables.size(), name + " passes a table that there is not");
  for (const Expr *number : use.numbers)
    frame.integer(number);
  for (const Slice &input : use.inputs)
    slice(input);
  for (const Slice &output : use.outputs)
    target(output);
  require(!use.member == !use.lo && !use.member == !use.hi, name + " has a part of a group");
  clock(use.clock);
  if (!use.member)
    return;
  frame.integer(use.lo);
  frame.integer(use.hi);
  const llvm::SaveAndRestore<llvm::SmallBitVector> around(frame.known);
  frame.define(use.binder);
  frame.integer(use.member);
}

void ScheduleVerifier::index(const Index &index, bool isAllowed) {
  require(index.kind == IndexKind::Whole || isAllowed, "an index where there is nothing to choose from");
  const bool hasB = index.kind != IndexKind::Whole && index.kind != IndexKind::Point;
  const bool hasC = index.kind == IndexKind::Cyclic || index.kind == IndexKind::Filter;
  require(!index.a == (index.kind == IndexKind::Whole) && !index.b == !hasB && !index.c == !hasC, "an index has other parts than its kind");
  frame.optionalInteger(index.a);
  frame.optionalInteger(index.b);
  const llvm::SaveAndRestore<llvm::SmallBitVector> around(frame.known);
  if (index.kind == IndexKind::Filter) {
    frame.define(index.binder);
    frame.boolean(index.c);
  } else {
    frame.optionalInteger(index.c);
  }
}

void ScheduleVerifier::slice(const Slice &slice) {
  owned(slice.buffer);
  require(visible.contains(slice.buffer), "`" + slice.buffer->name + "` is used where it is not there");
  index(slice.blocks, slice.buffer->isArray);
  index(slice.packets, slice.buffer->parts != nullptr);
}

void ScheduleVerifier::target(const Slice &slice) {
  this->slice(slice);
  require(slice.buffer->kind != BufferKind::Input, "the input `" + slice.buffer->name + "` is written");
}

void ScheduleVerifier::data(const DataExpr *data) {
  require(data, "no value where one belongs");
  if (!data->isCombine)
    return slice(data->slice);
  require(schedule.usesOperator, "a product in a schedule that is said to make none");
  this->data(data->left);
  this->data(data->right);
}

} // namespace

std::string verify(const Schedule &schedule) {
  return violationOf("schedule `" + (schedule.collective ? schedule.path() : schedule.name) + "`", [&] { ScheduleVerifier(schedule).run(); });
}

} // namespace quadrille::compiler::ir
