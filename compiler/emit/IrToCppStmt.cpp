//===- IrToCppStmt.cpp - Control flow, steps and used schedules ------------------------------------------------------------===//

#include "IrToCpp.h"

#include "Queries.h"

#include "ir/Walk.h"

#include "llvm/ADT/STLExtras.h"

#include <limits>

namespace quadrille::compiler::emit {

using namespace ir;
using cpp::ExprPtr;
using llvm::cast;
using llvm::dyn_cast;

ScheduleLowering::ScheduleLowering(Module &module, const Schedule &schedule, BlockLengths lengths, const FlaggedParameters &flagged)
    : module(module), schedule(schedule), lengths(lengths), ragged(lengths != BlockLengths::Same), names(&module.names), exprs(module, schedule.variables.size()),
      fullness(module.fullness.of(schedule, flagged)), fused(findFusedReceives(schedule, fullness)) {
  for (const auto &[receive, how] : fused)
    superfluous.insert(how.assign);
  for (size_t i = 0; i < flagged.size(); ++i)
    if (flagged[i])
      flaggedParameters.insert(i < schedule.inputs.size() ? schedule.inputs[i] : schedule.outputs[i - schedule.inputs.size()]);
  exprs.frame = boundVariables(schedule);
  exprs.treeValue = [this](unsigned variable) {
    const Expr *value = letValues.lookup(variable);
    while (value && value->op == Op::Variable)
      value = letValues.lookup(value->variable);
    return value;
  };
  // The schedule's own variables get their names first. Variables of the same name share one: they are never visible together.
  for (const Variable &variable : schedule.variables) {
    if (variable.ofInvariant) {
      variableNames.emplace_back();
      continue;
    }
    std::string &name = settledVariables[variable.name];
    if (name.empty())
      name = names.settle(variable.name);
    variableNames.push_back(name);
  }
  for (unsigned i = 0; i < Schedule::firstNumber + schedule.numberCount; ++i) {
    exprs.bind(i, cpp::atom(variableNames[i]));
    known.insert(i);
  }
  exprs.me = exprs.names[Schedule::variableMe];
  if (doStatementsAskForNodes(schedule))
    exprs.nodes = cpp::atom(names.settle("nodes"));
  for (const Table &table : schedule.tables)
    tableNames.push_back(names.settle(table.name));
  for (const auto &buffer : schedule.buffers)
    bufferNames.push_back(names.settle(buffer->name));
  for (const auto &buffer : schedule.buffers) {
    packetNames.push_back(buffer->parts && !buffer->isArray ? names.settle(buffer->name + "Packets") : "");
    flagNames.push_back(fullness.flagged.contains(buffer.get()) ? names.settle(buffer->name + (fullness.byElement ? "There" : "Full")) : "");
  }
  allocated.resize(schedule.buffers.size());
  splitDeclared.resize(schedule.buffers.size());
  viewDeclared.resize(schedule.buffers.size());
  sharedAllocation.resize(schedule.buffers.size());
}

/// A name for something that is declared in a block of its own, so that all things of this kind can have the same name.
std::string ScheduleLowering::scoped(const std::string &wanted) {
  std::string &name = scopedNames[wanted];
  if (name.empty())
    name = names.settle(wanted);
  return name;
}

/// The first line of a statement's text, for a comment.
std::string ScheduleLowering::sourceText(llvm::SMRange range) const {
  llvm::StringRef text(range.Start.getPointer(), range.End.getPointer() - range.Start.getPointer());
  text = text.take_until([](char c) { return c == '\n' || c == '\r'; });
  text = text.substr(0, text.find("//")).rtrim();
  std::string result;
  for (char c : text)
    if (c != ' ' || result.empty() || result.back() != ' ')
      result += c;
  // A comment must not go on in the next line.
  while (!result.empty() && (result.back() == '\\' || result.back() == '{' || result.back() == ' '))
    result.pop_back();
  return result;
}

void ScheduleLowering::prologue(cpp::Body &out) {
  const ExprPtr p = exprs.names[Schedule::variableP], me = exprs.me;
  out.push_back(cpp::declaration("const Index", p->text, cpp::atom("group.size()")));
  auto declareNodes = [&](std::vector<ExprPtr> arguments) {
    if (exprs.nodes)
      out.push_back(cpp::declaration("const quadrille::Nodes", exprs.nodes->text, cpp::call("call.nodes", std::move(arguments))));
  };
  if (!schedule.origin) {
    out.push_back(cpp::declaration("const Index", me->text, cpp::atom("group.rank()")));
    declareNodes({cpp::atom("group")});
    return;
  }
  ExprPtr origin = exprs.lower(*schedule.origin);
  bool inRange = isAtLeast(boundsOf(*schedule.origin, exprs.frame), 0);
  out.push_back(cpp::comment("Ranks are counted from " + sourceText(schedule.origin->range) + " on; `real` gives a rank's own number."));
  out.push_back(cpp::declaration("const Index", me->text,
                                 cpp::call("quadrille::floorMod", {cpp::infix(cpp::atom("group.rank()"), "-", origin), p})));
  bool mayBeNone = false;
  visitStmts(schedule.body, [&](const Stmt &stmt) {
    if (const auto *transfer = dyn_cast<TransferStmt>(&stmt))
      mayBeNone |= transfer->peer->mayBeNone;
  });
  const ExprPtr rank = cpp::atom("rank"), sum = cpp::infix(rank, "+", origin);
  ExprPtr real = inRange ? cpp::infix(sum, "%", p) : cpp::call("quadrille::floorMod", {sum, p});
  if (mayBeNone)
    real = cpp::conditional(cpp::infix(rank, "==", cpp::atom("none")), cpp::atom("none"), real);
  out.push_back(cpp::declaration("const auto", "real", cpp::lambda("rank", real)));
  declareNodes({cpp::atom("group"), origin});
}

void ScheduleLowering::declareParameter(const Buffer &buffer, cpp::Body &out) {
  allocated[buffer.index] = true;
  declareScratch(buffer, out);
  declareFlag(buffer, out);
}

cpp::Function ScheduleLowering::run(const std::string &name) {
  planStorage();
  planScratch();
  cpp::Function result;
  result.comment.push_back("The schedule " + schedule.path() + ": what every rank of `group` does.");
  if (ragged)
    result.comment.push_back("The blocks of its arrays may differ in length.");
  result.result = "Status";
  result.name = name;
  result.parameters.push_back({"Call &", "call"});
  result.parameters.push_back({"const Group &", "group"});
  for (unsigned i = 0; i < schedule.numberCount; ++i)
    result.parameters.push_back({"Index", variableNames[Schedule::firstNumber + i]});
  for (const std::string &table : tableNames)
    result.parameters.push_back({module.knowsSome ? "const KnownLengths &" : "const std::size_t *", table});
  for (const auto *list : {&schedule.inputs, &schedule.outputs})
    for (const Buffer *buffer : *list)
      result.parameters.push_back({"const Region &", bufferNames[buffer->index]});
  if (!flaggedParameters.empty())
    result.comment.push_back("Not everything need be there, neither when it begins nor when it has ended.");
  for (const auto *list : {&schedule.inputs, &schedule.outputs})
    for (const Buffer *buffer : *list)
      if (flaggedParameters.contains(buffer))
        result.parameters.push_back({"Presence &", flagNames[buffer->index]});

  prologue(result.body);
  for (const auto *list : {&schedule.inputs, &schedule.outputs})
    for (const Buffer *buffer : *list)
      declareParameter(*buffer, result.body);
  unsigned steps = 0;
  for (const auto &stmt : schedule.body)
    steps += llvm::isa<StepStmt>(*stmt);
  for (const auto &stmt : schedule.body) {
    allocateWithin(*stmt, result.body);
    declareSplits(*stmt, result.body);
    if (const auto *step = dyn_cast<StepStmt>(stmt.get()))
      lowerStep(*step, steps == 1, result.body);
    else
      lowerStmt(*stmt, Phase::Both, result.body);
    if (const auto *let = dyn_cast<LetStmt>(stmt.get()))
      known.insert(let->variable);
  }
  result.body.push_back(cpp::returns(cpp::braces("", {})));
  cpp::tidy(result);
  return result;
}

void ScheduleLowering::lowerBody(const Body &body, Phase phase, cpp::Body &out) {
  unsigned steps = 0;
  for (const auto &stmt : body)
    steps += llvm::isa<StepStmt>(*stmt);
  for (const auto &stmt : body) {
    if (const auto *step = dyn_cast<StepStmt>(stmt.get()))
      lowerStep(*step, steps == 1, out);
    else
      lowerStmt(*stmt, phase, out);
  }
}

void ScheduleLowering::lowerStmt(const Stmt &stmt, Phase phase, cpp::Body &out) {
  switch (stmt.kind) {
  case StmtKind::Let:
    // Lets at the top of a step were declared before its transfers and are still visible.
    if (phase != Phase::Assignments || stepNesting > 0)
      lowerLet(cast<LetStmt>(stmt), out);
    return;
  case StmtKind::Declare: {
    const Buffer &buffer = *cast<DeclareStmt>(stmt).buffer;
    if (!allocated[buffer.index]) { // its size depends on a loop
      allocate(buffer, false, out);
      return;
    }
    // In a loop the buffer is new in every iteration; at the top level it has just been declared.
    if (stepNesting > 0 && isDeclaredBlock(buffer))
      out.push_back(cpp::assignment(cpp::atom(bufferNames[buffer.index]), declaredBlock(buffer)));
    if (stepNesting > 0 && fullness.flagged.contains(&buffer)) {
      Slice whole;
      whole.buffer = &buffer;
      setFlag(whole, cpp::atom("false"), false, out);
    }
    return;
  }
  case StmtKind::Assign:
    if (phase != Phase::Transfers) {
      if (phase == Phase::Both)
        out.push_back(cpp::comment(std::to_string(line(stmt.range)) + ": " + sourceText(stmt.range)));
      size_t before = out.size();
      lowerAssign(cast<AssignStmt>(stmt), out);
      if (phase == Phase::Both && out.size() == before)
        out.pop_back();
    }
    return;
  case StmtKind::Transfer: {
    const auto &transfer = cast<TransferStmt>(stmt);
    if (phase != Phase::Assignments)
      return lowerTransfer(transfer, out);
    if (!transfer.isSend && transfer.message && !fused.contains(&transfer))
      setFlag(*transfer.message, exprs.exists(*transfer.peer), true, out);
    return;
  }
  case StmtKind::Step:
    return lowerStep(cast<StepStmt>(stmt), false, out);
  case StmtKind::If: {
    const auto &branch = cast<IfStmt>(stmt);
    cpp::Body yes, no;
    ++stepNesting;
    lowerBody(branch.yes, phase, yes);
    lowerBody(branch.no, phase, no);
    --stepNesting;
    out.push_back(cpp::ifThen(exprs.lower(*branch.condition), std::move(yes), std::move(no)));
    return;
  }
  case StmtKind::For:
    return lowerFor(cast<ForStmt>(stmt), phase, out);
  case StmtKind::Use:
    return lowerUse(cast<UseStmt>(stmt), out);
  }
}

void ScheduleLowering::lowerLet(const LetStmt &let, cpp::Body &out) {
  letValues[let.variable] = let.value;
  const std::string &name = variableNames[let.variable];
  const char *type = let.value->type == Type::Boolean ? "const bool" : let.value->type == Type::Tree ? "const Node" : "const Index";
  out.push_back(cpp::declaration(type, name, exprs.lower(*let.value)));
  exprs.bind(let.variable, cpp::atom(name));
}

// ---- loops ---------------------------------------------------------------------------------------------------------------

/// Whether the variable of an ascending loop fits in 64 bits after its last increment or multiplication.
static bool endsInRange(const ForStmt &loop, const BoundsFrame &frame) {
  const std::optional<std::int64_t> last = largestOf(boundsOf(*loop.hi, frame));
  const std::optional<std::int64_t> factor = loop.factor ? largestOf(boundsOf(*loop.factor, frame)) : 1;
  std::int64_t next = 0;
  return last && factor &&
         !(loop.loop == LoopKind::Times ? __builtin_mul_overflow(std::max<std::int64_t>(*last, 0), std::max<std::int64_t>(*factor, 0), &next)
                                        : __builtin_add_overflow(*last, *factor, &next));
}

void ScheduleLowering::lowerFor(const ForStmt &loop, Phase phase, cpp::Body &out) {
  const std::string name = variableNames[loop.variable];
  const ExprPtr variable = cpp::atom(name);
  cpp::Body body;
  auto lower = [&](const Expr *expr) { return exprs.lower(*expr); };
  auto finish = [&](ExprPtr init, ExprPtr condition, ExprPtr advance) {
    const size_t guards = body.size();
    ++stepNesting;
    lowerBody(loop.body, phase, body);
    --stepNesting;
    if (body.size() > guards)
      out.push_back(cpp::forLoop(name, init, condition, advance, std::move(body)));
  };
  /// The condition `variable < hi`. `hi + 1` comes from an inclusive bound, printed as `<= hi`.
  auto below = [&](const Expr *hi) {
    if (hi->op == Op::Add && hi->operands[1]->op == Op::Constant && hi->operands[1]->value == 1)
      return cpp::infix(variable, "<=", lower(hi->operands[0]));
    return cpp::infix(variable, "<", lower(hi));
  };
  /// Advances the variable. If the next value may not fit in 64 bits, a capped operation ends the loop.
  auto advance = [&](const std::string &op, const std::string &capped, bool fits) {
    return fits ? cpp::infix(variable, op + "=", lower(loop.factor))
                : cpp::infix(variable, "=", cpp::call(capped, {variable, lower(loop.factor)}));
  };
  ExprPtr lo = loop.lo ? lower(loop.lo) : nullptr, hi = loop.hi ? lower(loop.hi) : nullptr;
  exprs.bind(loop.variable, variable);
  switch (loop.loop) {
  case LoopKind::Ascending:
    if (!loop.factor)
      return finish(lo, below(loop.hi), cpp::prefix("++", variable));
    return finish(lo, below(loop.hi), advance("+", "quadrille::addCapped", endsInRange(loop, exprs.frame)));
  case LoopKind::Times:
    return finish(lo, below(loop.hi), advance("*", "quadrille::multiplyCapped", endsInRange(loop, exprs.frame)));
  case LoopKind::Descending: {
    const bool isNatural = isAtLeast(boundsOf(*loop.lo, exprs.frame), 0); // then no decrement leaves 64 bits
    return finish(hi, cpp::infix(variable, ">=", lo),
                  loop.factor ? advance("-", "quadrille::subtractCapped", isNatural) : cpp::prefix("--", variable));
  }
  case LoopKind::Half: {
    ExprPtr condition = cpp::infix(variable, ">=", lo);
    if (!isAtLeast(boundsOf(*loop.lo, exprs.frame), 1)) // zero halved is zero
      condition = cpp::infix(condition, "&&", cpp::infix(variable, ">", cpp::number(0)));
    return finish(hi, condition, cpp::infix(variable, "/=", cpp::number(2)));
  }
  case LoopKind::Halvings:
    return lowerHalvings(loop, phase, hi, out);
  case LoopKind::HalvingsReversed:
    return lowerHalvingsReversed(loop, phase, hi, out);
  case LoopKind::Others:
    body.push_back(cpp::ifThen(cpp::infix(variable, "==", exprs.me), {{cpp::StmtKind::Continue, {}, {}, {}, {}, {}, {}, {}, false}}));
    return finish(cpp::number(0), cpp::infix(variable, "<", exprs.names[Schedule::variableP]), cpp::prefix("++", variable));
  case LoopKind::Children:
    return lowerChildren(loop, phase, out);
  }
}

void ScheduleLowering::lowerHalvings(const ForStmt &loop, Phase phase, const ExprPtr &extent, cpp::Body &out) {
  cpp::Body body;
  // The loop binds (half, whole) and counts with `whole`.
  const ExprPtr whole = cpp::atom(variableNames[loop.second]);
  exprs.bind(loop.second, whole);
  ExprPtr half = cpp::infix(cpp::infix(whole, "+", cpp::number(1)), "/", cpp::number(2));
  if (const std::optional<std::int64_t> most = largestOf(boundsOf(*loop.hi, exprs.frame)); !most || *most == std::numeric_limits<std::int64_t>::max())
    half = cpp::infix(whole, "-", cpp::infix(whole, "/", cpp::number(2)));
  body.push_back(cpp::declaration("const Index", variableNames[loop.variable], half));
  ++stepNesting;
  lowerBody(loop.body, phase, body);
  --stepNesting;
  out.push_back(cpp::forLoop(whole->text, extent, cpp::infix(whole, ">", cpp::number(1)), cpp::infix(whole, "=", half),
                             std::move(body)));
}

void ScheduleLowering::lowerHalvingsReversed(const ForStmt &loop, Phase phase, const ExprPtr &extent, cpp::Body &out) {
  cpp::Body body;
  // Halving i times, rounding up each time, equals dividing by 2**i and rounding up once.
  const ExprPtr whole = cpp::atom(variableNames[loop.second]);
  const ExprPtr level = cpp::atom(scoped("halving"));
  exprs.bind(loop.second, whole);
  auto after = [&](ExprPtr times) {
    return cpp::call("quadrille::ceilDiv", {extent, cpp::call("quadrille::shl", {cpp::number(1), times})});
  };
  body.push_back(cpp::declaration("const Index", whole->text, after(level)));
  body.push_back(cpp::declaration("const Index", variableNames[loop.variable], after(cpp::infix(level, "+", cpp::number(1)))));
  ++stepNesting;
  lowerBody(loop.body, phase, body);
  --stepNesting;
  out.push_back(cpp::forLoop(level->text, cpp::infix(cpp::call("quadrille::ceilLog2", {extent}), "-", cpp::number(1)),
                             cpp::infix(level, ">=", cpp::number(0)), cpp::prefix("--", level), std::move(body)));
}

void ScheduleLowering::lowerChildren(const ForStmt &loop, Phase phase, cpp::Body &out) {
  const std::string name = variableNames[loop.variable];
  cpp::Body body;
  module.usesInitializerList = true;
  auto child = [&](TreeFieldKind kind) {
    Expr field{};
    field.op = Op::TreeField;
    field.field = kind;
    field.operands.push_back(loop.tree);
    return exprs.lower(field);
  };
  ExprPtr left = child(TreeFieldKind::Left), right = child(TreeFieldKind::Right);
  body.push_back(cpp::ifThen(cpp::infix(cpp::atom(name), "==", cpp::atom("none")), {{cpp::StmtKind::Continue, {}, {}, {}, {}, {}, {}, {}, false}}));
  ++stepNesting;
  lowerBody(loop.body, phase, body);
  --stepNesting;
  if (body.size() > 1)
    out.push_back(cpp::rangeFor("const Index", name, cpp::braces("", {left, right}), std::move(body)));
}

// ---- steps ---------------------------------------------------------------------------------------------------------------

ExprPtr ScheduleLowering::peer(const TransferStmt &transfer) {
  auto hoisted = hoistedPeers.find(transfer.peer);
  ExprPtr rank = hoisted != hoistedPeers.end() ? hoisted->second : exprs.lower(*transfer.peer);
  return schedule.origin ? cpp::call("real", {rank}) : rank;
}

void ScheduleLowering::lowerTransfer(const TransferStmt &transfer, cpp::Body &out) {
  const ExprPtr rank = peer(transfer);
  if (!transfer.message) {
    out.push_back(cpp::expression(cpp::call(transfer.isSend ? "step.send" : "step.recv", {rank})));
    return;
  }
  const Slice &message = *transfer.message;
  if (transfer.isSend) {
    out.push_back(cpp::expression(cpp::call("step.send", {region(message), rank})));
    return;
  }
  if (auto how = fused.find(&transfer); how != fused.end()) {
    out.push_back(cpp::expression(cpp::call(
        "step.recvCombine",
        {region(how->second.assign->target), rank, cpp::atom(how->second.incomingIsLeft ? "Side::Left" : "Side::Right")})));
    return;
  }
  const Allocation &kept = storage[message.buffer->index];
  if (kept.kind == Allocation::Ragged && isWhole(message)) {
    const std::string &buffer = bufferNames[message.buffer->index];
    const std::pair<std::string, std::string> arriving{kept.room, buffer};
    if (!llvm::is_contained(received, arriving))
      received.push_back(arriving);
    out.push_back(cpp::expression(
        cpp::call("step.recvUpTo", {cpp::atom(kept.room), rank, cpp::atom(buffer)})));
    return;
  }
  out.push_back(cpp::expression(cpp::call("step.recv", {region(message), rank})));
}

/// Gives a name to the partner of an exchange, unless it is a simple expression.
void ScheduleLowering::hoistPeer(const StepStmt &step, cpp::Body &out) {
  for (const auto &stmt : step.body) {
    const auto *transfer = dyn_cast<TransferStmt>(stmt.get());
    if (!transfer || !transfer->ofExchange || !transfer->isSend)
      continue;
    const Expr &peer = *transfer->peer;
    bool isBound = true;
    visitVariables(&peer, [&](unsigned variable) { isBound &= exprs.isBound(variable); });
    if (!isBound || llvm::is_contained({Op::Variable, Op::Constant, Op::TreeField}, peer.op))
      continue;
    const std::string name = scoped(hoistedPeers.empty() ? "peer" : "peer" + std::to_string(hoistedPeers.size() + 1));
    out.push_back(cpp::declaration("const Index", name, exprs.lower(peer)));
    hoistedPeers[&peer] = cpp::atom(name);
  }
}

/// Declares names for the parts of larger temporaries that receive the step's messages.
void ScheduleLowering::declareViews(const StepStmt &step, cpp::Body &out) {
  visitStmts(step.body, [&](const Stmt &stmt) {
    const auto *transfer = dyn_cast<TransferStmt>(&stmt);
    if (!transfer || transfer->isSend || !transfer->message)
      return;
    const Buffer &buffer = *transfer->message->buffer;
    if (buffer.kind != BufferKind::Message || storage[buffer.index].kind != Allocation::View || viewDeclared[buffer.index])
      return;
    bool isBound = true;
    visitVariables(*buffer.like, [&](unsigned variable) { isBound &= exprs.isBound(variable); });
    if (!isBound)
      return;
    // A selection of blocks is long and costs time, so it gets a name.
    if (buffer.like->blocks.kind == IndexKind::Filter &&
        llvm::none_of(namedSlices, [&](const auto &named) { return sameSlice(*named.first, *buffer.like); })) {
      const std::string name = scoped(namedSlices.empty() ? "selected" : "selected" + std::to_string(namedSlices.size() + 1));
      out.push_back(cpp::declaration("const Region", name, region(*buffer.like)));
      namedSlices.push_back({buffer.like, name});
    }
    out.push_back(cpp::declaration("const Region", bufferNames[buffer.index], region(buffer)));
    viewDeclared[buffer.index] = true;
  });
}

static bool hasTransfer(const Body &body) {
  bool found = false;
  visitStmts(body, [&](const Stmt &stmt) { found |= llvm::isa<TransferStmt>(stmt); });
  return found;
}

void ScheduleLowering::lowerStep(const StepStmt &step, bool alone, cpp::Body &out) {
  const unsigned nesting = std::exchange(stepNesting, 0);
  received.clear();
  hoistedPeers.clear();
  namedSlices.clear();
  cpp::Body body;
  cpp::Body &before = step.bare ? out : body; // a message received by a bare transfer is used after its step
  const std::string text = step.bare ? sourceText(step.range) : "step";
  out.push_back(cpp::comment(std::to_string(line(step.range)) + ": " + text));

  bool hasLets = llvm::any_of(step.body, [](const auto &stmt) { return llvm::isa<LetStmt>(*stmt); });
  bool hasViews = false;
  allocateMessages(step, step.bare ? out : body);
  const size_t viewsBegin = before.size();
  declareViews(step, before);
  hasViews = before.size() > viewsBegin;
  hoistPeer(step, body);

  cpp::Body transfers;
  lowerBody(step.body, Phase::Transfers, transfers);
  // Messages that may not arrive: their flags begin as false.
  visitStmts(step.body, [&](const Stmt &stmt) {
    const auto *transfer = dyn_cast<TransferStmt>(&stmt);
    if (transfer && !transfer->isSend && transfer->message && !fused.contains(transfer) &&
        transfer->message->buffer->kind == BufferKind::Message && fullness.flagged.contains(transfer->message->buffer)) {
      Slice whole;
      whole.buffer = transfer->message->buffer;
      setFlag(whole, cpp::atom("false"), false, body);
    }
  });
  // A buffer whose message may not arrive has length 0 then.
  for (const auto &[room, buffer] : received) {
    const bool isCertain = llvm::any_of(transfers, [&, &name = buffer](const cpp::Stmt &stmt) {
      return stmt.kind == cpp::StmtKind::Expression && cpp::mentions(*stmt.expr, name) && cpp::mentions(*stmt.expr, "recvUpTo");
    });
    if (!isCertain)
      body.push_back(cpp::assignment(cpp::atom(buffer), cpp::method(cpp::atom(room), "nothing", {})));
  }
  if (hasTransfer(step.body)) {
    const char *const begin = step.lockstep ? "call.lockstep" : "call.step";
    body.push_back(cpp::declaration("auto", "step", cpp::call(begin, {cpp::atom("group"), cpp::number(line(step.range))}), false));
    for (cpp::Stmt &stmt : transfers)
      body.push_back(std::move(stmt));
    body.push_back(cpp::returnIfBad(cpp::call("step.finish", {})));
  } else {
    // Only lets.
    for (cpp::Stmt &stmt : transfers)
      body.push_back(std::move(stmt));
  }
  lowerBody(step.body, Phase::Assignments, body);
  stepNesting = nesting;
  namedSlices.clear();
  // Names declared in one step must not clash with those of the next.
  if (!alone || hasLets || (hasViews && !step.bare)) {
    out.push_back(cpp::block(std::move(body)));
  } else {
    for (cpp::Stmt &stmt : body)
      out.push_back(std::move(stmt));
  }
  if (!step.bare)
    visitStmts(step.body, [&](const Stmt &stmt) {
      if (const auto *transfer = dyn_cast<TransferStmt>(&stmt))
        if (!transfer->isSend && transfer->message)
          viewDeclared[transfer->message->buffer->index] = false;
    });
}

// ---- used schedules ------------------------------------------------------------------------------------------------------

void ScheduleLowering::lowerUse(const UseStmt &use, cpp::Body &out) {
  const Schedule &callee = *use.callee;
  std::vector<ExprPtr> regions;
  auto pass = [&](const Slice &slice, const Buffer *parameter) {
    const Buffer &buffer = *slice.buffer;
    ExprPtr argument = region(slice);
    bool isSplit = buffer.parts && slice.packets.kind == IndexKind::Whole;
    if (parameter->isArray && isSplit && !buffer.isArray)
      argument = packets(buffer);
    else if (parameter->isArray && isSplit && slice.blocks.kind == IndexKind::Point)
      argument = cpp::method(argument, "split", {exprs.lower(*buffer.parts)});
    regions.push_back(argument);
  };
  for (size_t i = 0; i < use.inputs.size(); ++i)
    pass(use.inputs[i], callee.inputs[i]);
  for (size_t i = 0; i < use.outputs.size(); ++i)
    pass(use.outputs[i], callee.outputs[i]);

  out.push_back(cpp::comment(std::to_string(line(use.range)) + ": " + sourceText(use.range)));
  cpp::Body body;
  ExprPtr group = cpp::atom("group");
  if (use.member || schedule.origin) {
    module.usesVector = true;
    const std::string members = scoped("members");
    const std::string counter = use.member ? variableNames[use.binder] : scoped("i");
    if (use.member)
      exprs.bind(use.binder, cpp::atom(counter));
    ExprPtr member = use.member ? exprs.lower(*use.member) : cpp::atom(counter);
    if (schedule.origin)
      member = cpp::call("real", {member});
    ExprPtr lo = use.member ? exprs.lower(*use.lo) : cpp::number(0);
    ExprPtr hi = use.member ? exprs.lower(*use.hi) : exprs.names[Schedule::variableP];
    body.push_back(cpp::declaration("std::vector<Index>", members, nullptr));
    body.push_back(cpp::forLoop(counter, lo, cpp::infix(cpp::atom(counter), "<", hi), cpp::prefix("++", cpp::atom(counter)),
                                {cpp::expression(cpp::method(cpp::atom(members), "push_back", {member}))}));
    group = cpp::call("group.among", {cpp::atom(members)});
  }
  std::vector<ExprPtr> arguments{cpp::atom("call"), group};
  for (const Expr *number : use.numbers)
    arguments.push_back(exprs.lower(*number));
  for (unsigned table : use.tables)
    arguments.push_back(cpp::atom(tableNames[table]));
  arguments.insert(arguments.end(), regions.begin(), regions.end());
  for (size_t i = 0; i < use.inputs.size() + use.outputs.size(); ++i)
    if (fullness.isFlagged(use, i))
      arguments.push_back(cpp::atom(flagNames[(i < use.inputs.size() ? use.inputs[i] : use.outputs[i - use.inputs.size()]).buffer->index]));
  body.push_back(cpp::returnIfBad(
      cpp::call(module.schedule(callee, lengthsIn(use, lengths), fullness.uses.lookup(&use)), std::move(arguments))));
  for (size_t i = 0; i < use.outputs.size(); ++i) {
    if (fullness.isFlagged(use, use.inputs.size() + i))
      continue; // the used schedule has set the flag
    const Expr *presence = callee.outputs[i]->presence;
    ExprPtr holds;
    if (presence && presence->op == Op::Variable && presence->variable >= Schedule::firstNumber)
      holds = cpp::infix(cpp::method(group, "rank", {}), "==", exprs.lower(*use.numbers[presence->variable - Schedule::firstNumber]));
    setFlag(use.outputs[i], holds, false, body);
  }
  if (use.member || schedule.origin)
    out.push_back(cpp::block(std::move(body)));
  else
    for (cpp::Stmt &stmt : body)
      out.push_back(std::move(stmt));
}

} // namespace quadrille::compiler::emit
