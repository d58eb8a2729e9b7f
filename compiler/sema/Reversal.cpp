//===- Reversal.cpp - A schedule run backwards ----------------------------------------------------------------------===//

#include "Reversal.h"

#include "ir/Lengths.h"
#include "ir/Print.h"
#include "ir/Walk.h"

#include "llvm/ADT/Twine.h"

namespace quadrille::compiler::sema {

using ir::IndexKind;
using ir::LoopKind;
using ir::Op;
using ir::Type;

bool areSame(const ir::Expr *a, const ir::Expr *b) {
  if (!a || !b)
    return a == b;
  return a == b || (a->op == b->op && a->value == b->value && a->variable == b->variable && a->field == b->field &&
                    a->function == b->function && a->tree == b->tree && llvm::equal(a->operands, b->operands, areSame));
}

std::string nameInText(const ir::Buffer &buffer) {
  return std::string(buffer.range.Start.getPointer(), buffer.range.End.getPointer());
}

Reversal::Reversal(ir::Schedule &schedule, const Direction &forward, ir::Program &program, ExprSema &exprs, std::string path,
                   ReverseUsed reverseUsed)
    : schedule(schedule), forward(forward), program(program), exprs(exprs), path(std::move(path)), reverseUsed(std::move(reverseUsed)) {}

void Reversal::refuse(llvm::SMRange at, const std::string &reason) {
  exprs.error(at, diag::NotReversible{.schedule = path, .reason = reason});
}

void Reversal::know(const ir::Body &around) {
  for (const auto &stmt : around)
    if (auto *number = llvm::dyn_cast<ir::LetStmt>(stmt.get()))
      lets[number->variable] = number->value;
}

/// Whether ranks go through different steps.
static bool mayGoApart(const ir::Body &body) {
  const auto hasSteps = [](const ir::Body &inner) {
    return ir::anyStatement(inner, [](const ir::Stmt &stmt) { return llvm::isa<ir::StepStmt, ir::UseStmt>(&stmt); });
  };
  return ir::anyStatement(body, [&](const ir::Stmt &stmt) {
    if (auto *step = llvm::dyn_cast<ir::StepStmt>(&stmt))
      return step->bare;
    if (auto *branch = llvm::dyn_cast<ir::IfStmt>(&stmt))
      return branch->condition->dependsOnRank && (hasSteps(branch->yes) || hasSteps(branch->no));
    auto *loop = llvm::dyn_cast<ir::ForStmt>(&stmt);
    return loop && ir::differsBetweenRanks(*loop) && hasSteps(loop->body);
  });
}

ir::Body Reversal::run(const ir::Body &body) {
  schedule.usesOperator = false;
  goesApart = mayGoApart(body);
  ir::Body first;
  exchangeData(body, first);
  ir::Body result = this->body(body, &first);
  dropUnusedBuffers();
  return result;
}

// ---- data --------------------------------------------------------------------------------------------------------------

/// Calls `visit` with each slice that a statement reads or sends.
static void forReads(const ir::Stmt &stmt, llvm::function_ref<void(const ir::Slice &)> visit) {
  const std::function<void(const ir::DataExpr &)> data = [&](const ir::DataExpr &value) {
    if (!value.isCombine)
      return visit(value.slice);
    data(*value.left);
    data(*value.right);
  };
  if (auto *assign = llvm::dyn_cast<ir::AssignStmt>(&stmt)) {
    data(*assign->value);
  } else if (auto *transfer = llvm::dyn_cast<ir::TransferStmt>(&stmt)) {
    if (transfer->isSend && transfer->message)
      visit(*transfer->message);
  } else if (auto *use = llvm::dyn_cast<ir::UseStmt>(&stmt)) {
    for (const ir::Slice &input : use->inputs)
      visit(input);
  }
}

void Reversal::exchangeData(const ir::Body &body, ir::Body &into) {
  llvm::SmallPtrSet<const ir::Buffer *, 8> read;
  ir::anyStatement(body, [&](const ir::Stmt &stmt) {
    forReads(stmt, [&](const ir::Slice &slice) { read.insert(slice.buffer); });
    return false;
  });
  for (auto [input, output] : llvm::zip(forward.inputs, schedule.outputs)) {
    other[input] = output;
    own(*output).parts = input->parts;
  }
  for (unsigned i = 0; i < forward.outputs.size(); ++i) {
    const ir::Buffer *output = forward.outputs[i], *input = schedule.inputs[i];
    if (!read.contains(output)) { // nothing comes back to it
      other[output] = input;
      own(*input).parts = output->parts;
      continue;
    }
    ir::Slice whole;
    whole.buffer = input;
    whole.range = output->range;
    ir::Buffer &sum = own(*output);
    sum.name = unused("sum");
    sum.kind = ir::BufferKind::Local;
    sum.count = nullptr;
    sum.length = std::nullopt;
    sum.presence = nullptr;
    sum.like = &program.slices.emplace_back(whole);
    grown[output] = i;
    append<ir::DeclareStmt>(into, output->range, output->range).buffer = output;
    ir::Slice target;
    target.buffer = output;
    target.range = output->range;
    assignment(target, leaf(whole), output->range, output->range, into);
    filled.insert(output);
  }
}

ir::Slice Reversal::mapped(const ir::Slice &slice) const {
  ir::Slice result = slice;
  if (const ir::Buffer *instead = other.lookup(slice.buffer))
    result.buffer = instead;
  return result;
}

std::string Reversal::unused(llvm::StringRef name) const {
  std::string result = exprs.untaken(name);
  const auto isUsed = [&](const std::string &candidate) {
    return namesInStep.contains(candidate) ||
           llvm::any_of(schedule.variables, [&](const ir::Variable &variable) { return variable.name == candidate; }) ||
           llvm::any_of(schedule.buffers, [&](const auto &buffer) { return buffer->name == candidate && buffer->kind != ir::BufferKind::Message; });
  };
  for (unsigned i = 2; isUsed(result); ++i)
    result = exprs.untaken((name + llvm::Twine(i)).str());
  return result;
}

ir::Buffer &Reversal::newBuffer(const std::string &name, ir::BufferKind kind, llvm::SMRange range) {
  auto owned = std::make_unique<ir::Buffer>();
  owned->name = unused(name);
  owned->kind = kind;
  owned->index = static_cast<unsigned>(schedule.buffers.size());
  owned->range = range;
  namesInStep.insert(owned->name);
  schedule.buffers.push_back(std::move(owned));
  return *schedule.buffers.back();
}

bool Reversal::giveTypeOf(ir::Buffer &buffer, const ir::Slice &slice, llvm::SMRange at) {
  const ir::Buffer *base = slice.buffer;
  if (slice.packets.kind != IndexKind::Whole) {
    refuse(at, "`" + nameInText(buffer) + "` has the length of a packet, and would have to be there before that has come");
    return false;
  }
  while (base->like && ir::isWhole(*base->like))
    base = base->like->buffer;
  const bool isWhole = slice.blocks.kind == IndexKind::Whole;
  if (!isWhole && (base->length || base->like || slice.blocks.kind == IndexKind::Filter)) {
    refuse(at, "how many blocks `" + nameInText(buffer) + "` has, and of which lengths, is not known before something has come");
    return false;
  }
  if (isWhole && base->like)
    return giveTypeOf(buffer, *base->like, at);
  buffer.like = nullptr;
  buffer.isArray = isWhole ? base->isArray : slice.blocks.kind != IndexKind::Point;
  buffer.length = base->length;
  buffer.count = isWhole                                  ? base->count
                 : slice.blocks.kind == IndexKind::Point  ? nullptr
                 : slice.blocks.kind == IndexKind::Range  ? integer(Op::Subtract, slice.blocks.b, slice.blocks.a)
                                                          : slice.blocks.b;
  return true;
}

bool Reversal::giveType(const ir::Buffer &buffer, llvm::SMRange at) {
  if (!buffer.like)
    return true;
  return giveTypeOf(own(buffer), mapped(*buffer.like), at);
}

void Reversal::declare(const ir::Buffer &buffer, llvm::SMRange at, ir::Body &into) {
  append<ir::DeclareStmt>(into, at, at).buffer = &buffer;
  filled.erase(&buffer);
}

void Reversal::dropUnusedBuffers() {
  llvm::erase_if(schedule.buffers, [&](const auto &buffer) { return other.contains(buffer.get()); });
  for (unsigned i = 0; i < schedule.buffers.size(); ++i)
    schedule.buffers[i]->index = i;
}

// ---- statements --------------------------------------------------------------------------------------------------------

ir::Body Reversal::body(const ir::Body &forward, const ir::Body *first) {
  ir::Body result;
  for (const auto &stmt : forward)
    if (auto *number = llvm::dyn_cast<ir::LetStmt>(stmt.get()))
      let(*number, result);
  for (const auto &stmt : forward) {
    if (auto *declaration = llvm::dyn_cast<ir::DeclareStmt>(stmt.get())) {
      if (giveType(*declaration->buffer, declaration->keyword))
        declare(*declaration->buffer, declaration->keyword, result);
    } else if (auto *step = llvm::dyn_cast<ir::StepStmt>(stmt.get()); step && step->bare) {
      for (const ir::Buffer *message : step->messages) {
        own(*message).kind = ir::BufferKind::Local;
        if (giveType(*message, message->range))
          declare(*message, step->keyword, result);
      }
    }
  }
  if (first)
    llvm::move(const_cast<ir::Body &>(*first), std::back_inserter(result));
  for (const auto &stmt : llvm::reverse(forward))
    statement(*stmt, result);
  return result;
}

void Reversal::statement(const ir::Stmt &stmt, ir::Body &into) {
  place = stmt.range;
  switch (stmt.kind) {
  case ir::StmtKind::Let:
  case ir::StmtKind::Declare:
    return; // done at the head of the body
  case ir::StmtKind::Assign:
    return assign(llvm::cast<ir::AssignStmt>(stmt), into);
  case ir::StmtKind::Transfer:
    llvm_unreachable("a transfer outside a step");
  case ir::StmtKind::Step:
    return step(llvm::cast<ir::StepStmt>(stmt), into);
  case ir::StmtKind::If:
    return branch(llvm::cast<ir::IfStmt>(stmt), into);
  case ir::StmtKind::For:
    return loop(llvm::cast<ir::ForStmt>(stmt), into);
  case ir::StmtKind::Use:
    return use(llvm::cast<ir::UseStmt>(stmt), into);
  }
}

void Reversal::let(const ir::LetStmt &stmt, ir::Body &into) {
  ir::LetStmt &result = append<ir::LetStmt>(into, stmt.range, stmt.keyword);
  result.variable = stmt.variable;
  result.value = stmt.value;
  lets[stmt.variable] = stmt.value;
}

void Reversal::branch(const ir::IfStmt &stmt, ir::Body &into) {
  ir::IfStmt &result = append<ir::IfStmt>(into, stmt.range, stmt.keyword);
  result.condition = stmt.condition;
  result.containsStep = stmt.containsStep;
  const auto before = filled;
  conditions.push_back(stmt.condition);
  result.yes = body(stmt.yes);
  conditions.pop_back();
  const auto afterYes = std::exchange(filled, before);
  result.no = body(stmt.no);
  filled.insert(afterYes.begin(), afterYes.end());
}

/// Whether a schedule requires that this is a power of two.
static bool isRequiredPowerOfTwo(const ir::Expr &number, const ir::Expr &condition) {
  if (condition.op == Op::And)
    return llvm::any_of(condition.operands, [&](const ir::Expr *part) { return isRequiredPowerOfTwo(number, *part); });
  return condition.op == Op::IsPow2 && areSame(condition.operands[0], &number);
}

void Reversal::loop(const ir::ForStmt &stmt, ir::Body &into) {
  ir::ForStmt &result = append<ir::ForStmt>(into, stmt.range, stmt.keyword);
  result.containsStep = stmt.containsStep;
  result.variable = stmt.variable;
  result.second = stmt.second;
  const ir::Expr *by = stmt.factor ? stmt.factor : number(1);
  // Of the first statements of the body: what the variable of the loop stands for.
  ir::Body head;
  llvm::DenseMap<unsigned, const ir::Expr *> next; // what variables would be in the next iteration forwards
  const auto variable = [&](unsigned index) { return exprs.variable(index, place); };
  const auto define = [&](unsigned index, const ir::Expr *value) {
    ir::LetStmt &let = append<ir::LetStmt>(head, stmt.range, stmt.keyword);
    let.variable = index;
    let.value = value;
    lets[index] = value;
  };
  const auto counter = [&](bool dependsOnRank) {
    return result.variable = exprs.newVariable(unused("d"), Type::Integer, dependsOnRank, stmt.keyword);
  };
  const auto isRankDependent = [&] { return schedule.variables[stmt.variable].dependsOnRank; };
  bool isKnown = true; // `next`
  switch (stmt.loop) {
  case LoopKind::Ascending: {
    if (goesApart && !stmt.factor) { // proofs about such ranks count upwards
      const ir::Expr *last = plus(stmt.hi, -1);
      const bool isFromZero = stmt.lo->op == Op::Constant && stmt.lo->value == 0;
      const unsigned iteration = counter(isRankDependent());
      result.loop = LoopKind::Ascending;
      result.lo = number(0);
      result.hi = isFromZero ? stmt.hi : integer(Op::Subtract, stmt.hi, stmt.lo);
      define(stmt.variable, integer(Op::Subtract, last, variable(iteration)));
      isKnown = false;
      break;
    }
    result.loop = LoopKind::Descending;
    result.factor = stmt.factor;
    const ir::Expr *last = plus(stmt.hi, -1);
    result.hi = stmt.factor ? integer(Op::Add, stmt.lo, integer(Op::Multiply, by, integer(Op::Divide, integer(Op::Subtract, last, stmt.lo), by)))
                            : last;
    result.lo = stmt.lo;
    next[stmt.variable] = integer(Op::Add, variable(stmt.variable), by);
    break;
  }
  case LoopKind::Descending:
    result.loop = LoopKind::Ascending;
    result.factor = stmt.factor;
    result.lo = stmt.factor ? integer(Op::Subtract, stmt.hi, integer(Op::Multiply, by, integer(Op::Divide, integer(Op::Subtract, stmt.hi, stmt.lo), by)))
                            : stmt.lo;
    result.hi = plus(stmt.hi, 1);
    next[stmt.variable] = integer(Op::Subtract, variable(stmt.variable), by);
    break;
  case LoopKind::Times: {
    if (by->op != Op::Constant || by->value != 2 || !stmt.lo || stmt.lo->op != Op::Constant || stmt.lo->value < 1) {
      refuse(stmt.keyword, "a loop with `times` has a counterpart if it begins at a constant and doubles; count its iterations otherwise");
      return;
    }
    const std::int64_t from = stmt.lo->value;
    const bool isRanks = stmt.hi->op == Op::Variable && stmt.hi->variable == ir::Schedule::variableP;
    const ir::Expr *end = isRanks ? stmt.hi : integer(Op::Maximum, stmt.hi, number(1));
    if (from > 1)
      end = integer(Op::Divide, plus(end, from - 1), number(from));
    const ir::Expr *count = exprs.make(Op::CeilLog2, Type::Integer, place, {end});
    const unsigned exponent = counter(isRankDependent());
    result.loop = LoopKind::Descending;
    result.hi = plus(count, -1);
    result.lo = number(0);
    define(stmt.variable, integer(Op::ShiftLeft, number(from), variable(exponent)));
    next[stmt.variable] = integer(Op::ShiftLeft, number(from), plus(variable(exponent), 1));
    break;
  }
  case LoopKind::Half: {
    if (stmt.lo->op != Op::Constant || stmt.lo->value != 1) {
      refuse(stmt.keyword, "a loop with `half` has a counterpart if it ends at 1; count its iterations otherwise");
      return;
    }
    const ir::Expr *whole = stmt.hi->op == Op::Divide && stmt.hi->operands[1]->op == Op::Constant && stmt.hi->operands[1]->value == 2
                                ? stmt.hi->operands[0]
                                : nullptr;
    if (whole && llvm::any_of(schedule.requirements, [&](const ir::Requirement &requirement) {
          return requirement.condition && isRequiredPowerOfTwo(*whole, *requirement.condition);
        })) {
      result.loop = LoopKind::Times;
      result.lo = number(1);
      result.hi = whole;
      result.factor = number(2);
      next[stmt.variable] = integer(Op::Divide, variable(stmt.variable), number(2));
      break;
    }
    const ir::Expr *isNone = exprs.make(Op::Less, Type::Boolean, place, {stmt.hi, number(1)});
    const ir::Expr *last = exprs.make(Op::FloorLog2, Type::Integer, place, {stmt.hi});
    const unsigned exponent = counter(isRankDependent());
    result.loop = LoopKind::Descending;
    result.hi = exprs.make(Op::Select, Type::Integer, place, {isNone, number(-1), last});
    result.lo = number(0);
    define(stmt.variable, integer(Op::ShiftRight, stmt.hi, variable(exponent)));
    next[stmt.variable] = integer(Op::ShiftRight, stmt.hi, plus(variable(exponent), 1));
    break;
  }
  case LoopKind::Halvings:
  case LoopKind::HalvingsReversed:
    result.loop = stmt.loop == LoopKind::Halvings ? LoopKind::HalvingsReversed : LoopKind::Halvings;
    result.hi = stmt.hi;
    if (stmt.loop == LoopKind::Halvings) {
      next[stmt.variable] = integer(Op::Divide, plus(variable(stmt.variable), 1), number(2));
      next[stmt.second] = variable(stmt.variable);
    } else {
      next[stmt.variable] = variable(stmt.second);
    }
    break;
  case LoopKind::Others: {
    isKnown = false;
    result.loop = LoopKind::Descending;
    result.hi = plus(variable(ir::Schedule::variableP), -1);
    result.lo = number(0);
    break;
  }
  case LoopKind::Children: {
    // The children from right to left.
    isKnown = false;
    result.loop = LoopKind::Ascending;
    result.lo = number(0);
    result.hi = number(2);
    const unsigned side = counter(false);
    const auto child = [&](ir::TreeFieldKind field) {
      ir::Expr *expr = exprs.make(Op::TreeField, Type::Integer, place, {stmt.tree, variable(ir::Schedule::variableMe)});
      expr->field = field;
      expr->mayBeNone = true;
      return expr;
    };
    define(stmt.variable, exprs.make(Op::Select, Type::Integer, place,
                                     {exprs.make(Op::Equal, Type::Boolean, place, {variable(side), number(0)}),
                                      child(ir::TreeFieldKind::Right), child(ir::TreeFieldKind::Left)}));
    break;
  }
  }
  if (isKnown)
    invariants(stmt, next, result);
  // What an iteration leaves is there in the next one.
  ir::anyStatement(stmt.body, [&](const ir::Stmt &inner) {
    forReads(inner, [&](const ir::Slice &slice) { filled.insert(mapped(slice).buffer); });
    return false;
  });
  const auto around = filled;
  ir::Body inner = body(stmt.body);
  if (stmt.loop == LoopKind::Others || stmt.loop == LoopKind::Children) {
    ir::IfStmt guard;
    const bool isOthers = stmt.loop == LoopKind::Others;
    ir::IfStmt &exists = append<ir::IfStmt>(head, stmt.range, stmt.keyword);
    exists.condition = exprs.make(Op::NotEqual, Type::Boolean, place,
                                  {variable(stmt.variable), isOthers ? variable(ir::Schedule::variableMe) : number(ir::none)});
    exists.containsStep = stmt.containsStep;
    exists.yes = std::move(inner);
  } else {
    llvm::move(inner, std::back_inserter(head));
  }
  result.body = std::move(head);
  filled = around;
}

void Reversal::use(const ir::UseStmt &stmt, ir::Body &into) {
  const ir::Schedule *callee = reverseUsed(stmt);
  if (!callee)
    return;
  if (!callee->lengthsOf.empty()) {
    const auto isUneven = [&](const std::vector<ir::Slice> &slices, const std::vector<const ir::Buffer *> &parameters) {
      return llvm::any_of(llvm::zip(slices, parameters), [](const auto &pair) { return ir::passesPackets(std::get<0>(pair), *std::get<1>(pair)); });
    };
    if (!schedule.tables.empty() || isUneven(stmt.outputs, callee->inputs) || isUneven(stmt.inputs, callee->outputs))
      return exprs.error(stmt.keyword, diag::LengthsUnknown{.what = callee->lengthsOf});
    if (schedule.lengthsOf.empty())
      schedule.lengthsOf = callee->lengthsOf;
  }
  ir::UseStmt result;
  result.range = stmt.range;
  result.keyword = stmt.keyword;
  result.callee = callee;
  result.tables = stmt.tables;
  result.numbers = stmt.numbers;
  result.member = stmt.member;
  result.lo = stmt.lo;
  result.hi = stmt.hi;
  result.binder = stmt.binder;
  result.clock = clock(stmt.clock);
  schedule.usesOperator |= callee->usesOperator;
  for (const ir::Slice &output : stmt.outputs) {
    result.inputs.push_back(mapped(output));
    if (ir::isWhole(output))
      filled.erase(result.inputs.back().buffer);
  }
  ir::Body after;
  for (const ir::Slice &input : stmt.inputs) {
    const ir::Slice target = mapped(input);
    if (!folds() || !filled.contains(target.buffer)) {
      result.outputs.push_back(target);
    } else {
      ir::Buffer &part = newBuffer("part", ir::BufferKind::Local, stmt.keyword);
      if (!giveTypeOf(part, target, stmt.keyword))
        return;
      declare(part, stmt.keyword, into);
      ir::Slice whole;
      whole.buffer = &part;
      whole.range = stmt.range;
      result.outputs.push_back(whole);
      combine(target, whole, nullptr, stmt.range, stmt.keyword, after);
    }
    filled.insert(target.buffer);
  }
  into.push_back(std::make_unique<ir::UseStmt>(std::move(result)));
  llvm::move(after, std::back_inserter(into));
}

void Reversal::assign(const ir::AssignStmt &stmt, ir::Body &into) {
  place = stmt.range;
  if (stmt.value->isCombine)
    return refuse(stmt.value->range, "what is combined here cannot be taken apart again");
  const ir::Slice target = mapped(stmt.value->slice), value = mapped(stmt.target);
  if (ir::isWhole(value))
    filled.erase(value.buffer);
  const ir::Expr *condition = hasOutput(*target.buffer);
  if (!condition) {
    put(target, value, stmt.range, stmt.keyword, into);
  } else {
    ir::IfStmt &branch = append<ir::IfStmt>(into, stmt.range, stmt.keyword);
    branch.condition = condition;
    put(target, value, stmt.range, stmt.keyword, branch.yes);
  }
}

// ---- values ------------------------------------------------------------------------------------------------------------

const ir::Expr *Reversal::hasOutput(const ir::Buffer &buffer) {
  if (buffer.kind != ir::BufferKind::Output || !buffer.presence)
    return nullptr;
  const ir::Expr *me = exprs.variable(ir::Schedule::variableMe, place), *origin = schedule.origin;
  const ir::Expr *rank = !origin                            ? buffer.presence
                         : areSame(origin, buffer.presence) ? number(0)
                                                            : integer(Op::Modulo, integer(Op::Subtract, buffer.presence, origin),
                                                                      exprs.variable(ir::Schedule::variableP, place));
  const ir::Expr *result = exprs.make(Op::Equal, Type::Boolean, place, {me, rank});
  return llvm::any_of(conditions, [&](const ir::Expr *known) { return areSame(known, result); }) ? nullptr : result;
}

const ir::DataExpr *Reversal::leaf(const ir::Slice &slice) {
  ir::DataExpr &result = program.dataExpressions.emplace_back();
  result.slice = slice;
  result.range = slice.range;
  return &result;
}

const ir::DataExpr *Reversal::product(const ir::Slice &left, const ir::Slice &right) {
  const ir::DataExpr *a = leaf(left), *b = leaf(right);
  ir::DataExpr &result = program.dataExpressions.emplace_back();
  result.isCombine = true;
  result.left = a;
  result.right = b;
  result.range = place;
  schedule.usesOperator = true;
  return &result;
}

ir::AssignStmt &Reversal::assignment(const ir::Slice &target, const ir::DataExpr *value, llvm::SMRange range, llvm::SMRange keyword,
                                     ir::Body &into) {
  ir::AssignStmt &result = append<ir::AssignStmt>(into, range, keyword);
  result.target = target;
  result.value = value;
  return result;
}

void Reversal::put(const ir::Slice &target, const ir::Slice &value, llvm::SMRange range, llvm::SMRange keyword, ir::Body &into) {
  if (folds() && filled.contains(target.buffer))
    combine(target, value, nullptr, range, keyword, into);
  else
    assignment(target, leaf(value), range, keyword, into);
  filled.insert(target.buffer);
}

void Reversal::combine(const ir::Slice &target, const ir::Slice &value, const ir::Expr *from, llvm::SMRange range, llvm::SMRange keyword,
                       ir::Body &into) {
  bool isAlways = false;
  const ir::Expr *before = from && !schedule.requiresCommutative ? isBefore(*from, isAlways) : nullptr;
  const auto assign = [&](bool isFirst, ir::Body &to) {
    assignment(target, isFirst ? product(value, target) : product(target, value), range, keyword, to);
  };
  if (isAlways || !before)
    return assign(isAlways, into);
  ir::IfStmt &branch = append<ir::IfStmt>(into, range, keyword);
  branch.condition = before;
  assign(true, branch.yes);
  assign(false, branch.no);
}

const ir::Expr *Reversal::definition(const ir::Expr &expr) const {
  const ir::Expr *value = &expr;
  while (value->op == Op::Variable && lets.contains(value->variable))
    value = lets.lookup(value->variable);
  return value;
}

/// Whether an expression is certainly not negative, by its form.
static bool isNatural(const ir::Expr &expr) {
  if (expr.op == Op::Constant)
    return expr.value >= 0;
  return expr.op == Op::ShiftLeft && isNatural(*expr.operands[0]);
}

const ir::Expr *Reversal::isBefore(const ir::Expr &from, bool &isAlways) {
  const ir::Expr &value = *definition(from);
  if (value.op == Op::Constant)
    return value.value == ir::none ? nullptr
                                   : exprs.make(Op::Less, Type::Boolean, place, {&from, exprs.variable(ir::Schedule::variableMe, place)});
  if (value.op == Op::TreeField && (value.field == ir::TreeFieldKind::Left || value.field == ir::TreeFieldKind::Right)) {
    const ir::Expr *tree = definition(*value.operands[0]);
    const bool ofMe = value.operands.size() > 1 && value.operands[1]->op == Op::Variable && value.operands[1]->variable == ir::Schedule::variableMe;
    if (tree->op == Op::BuildTree && !tree->tree->byRelatives && ofMe) {
      isAlways = value.field == ir::TreeFieldKind::Left;
      return nullptr;
    }
  }
  const auto isMe = [](const ir::Expr &expr) { return expr.op == Op::Variable && expr.variable == ir::Schedule::variableMe; };
  if ((value.op == Op::Add || value.op == Op::Subtract) && isMe(*value.operands[0]) && isNatural(*definition(*value.operands[1]))) {
    isAlways = value.op == Op::Subtract;
    return nullptr;
  }
  if (value.op == Op::Select && value.mayBeNone) {
    // If one of the two is nobody, the other one decides.
    for (unsigned i : {1u, 2u})
      if (value.operands[i]->op == Op::Constant && value.operands[i]->value == ir::none) {
        const ir::Expr *rest = isBefore(*value.operands[3 - i], isAlways);
        if (!rest)
          return nullptr;
        const ir::Expr *exists = value.operands[0];
        if (i == 1)
          exists = exprs.make(Op::Not, Type::Boolean, place, {exists});
        return exprs.make(Op::And, Type::Boolean, place, {exists, rest});
      }
  }
  const ir::Expr *isLess = exprs.make(Op::Less, Type::Boolean, place, {&from, exprs.variable(ir::Schedule::variableMe, place)});
  if (!value.mayBeNone)
    return isLess;
  const ir::Expr *exists = exprs.make(Op::NotEqual, Type::Boolean, place, {&from, number(ir::none)});
  return exprs.make(Op::And, Type::Boolean, place, {exists, isLess});
}

// ---- numbers -----------------------------------------------------------------------------------------------------------

const ir::Expr *Reversal::integer(Op op, const ir::Expr *a, const ir::Expr *b) {
  return exprs.make(op, Type::Integer, place, {a, b});
}

const ir::Expr *Reversal::number(std::int64_t value) {
  if (value >= 0 || value == ir::none)
    return exprs.constant(value, place);
  return exprs.make(Op::Negate, Type::Integer, place, {exprs.constant(-value, place)}); // as it is written
}

const ir::Expr *Reversal::plus(const ir::Expr *a, std::int64_t b) {
  if (a->op == Op::Constant)
    return number(a->value + b);
  if ((a->op == Op::Add || a->op == Op::Subtract) && a->operands[1]->op == Op::Constant) {
    const std::int64_t c = a->op == Op::Add ? a->operands[1]->value : -a->operands[1]->value;
    return plus(a->operands[0], b + c);
  }
  if (b == 0)
    return a;
  return integer(b > 0 ? Op::Add : Op::Subtract, a, number(b > 0 ? b : -b));
}

const ir::Expr *Reversal::replaced(const ir::Expr *expr, const llvm::DenseMap<unsigned, const ir::Expr *> &by) {
  if (!expr)
    return nullptr;
  if (expr->op == Op::Variable) {
    if (const ir::Expr *value = by.lookup(expr->variable))
      return value;
    // What a name stands for may differ between ranks.
    const auto value = lets.find(expr->variable);
    if (expr->dependsOnRank && value != lets.end())
      return replaced(value->second, by);
  }
  ir::Expr copy = *expr;
  copy.dependsOnRank = false;
  for (const ir::Expr *&operand : copy.operands) {
    operand = replaced(operand, by);
    copy.dependsOnRank |= operand->dependsOnRank;
  }
  copy.dependsOnRank |= copy.operands.empty() && expr->dependsOnRank;
  return &program.expressions.emplace_back(std::move(copy));
}

// ---- what is stated ----------------------------------------------------------------------------------------------------

const ir::Clock *Reversal::clock(const ir::Clock *forward) {
  if (!forward)
    return nullptr;
  const ir::Clock *&known = clocks[forward];
  if (known)
    return known;
  ir::Clock &result = *schedule.clocks.emplace_back(std::make_unique<ir::Clock>());
  known = &result;
  result.range = forward->range;
  const auto rank = [&](llvm::StringRef name) {
    const unsigned variable = exprs.newVariable(name, Type::Integer, true, forward->range);
    schedule.variables[variable].ofInvariant = true;
    return variable;
  };
  result.sender = rank("sender");
  result.receiver = rank("receiver");
  llvm::DenseMap<unsigned, const ir::Expr *> by;
  by[forward->sender] = exprs.variable(result.receiver, forward->range);
  by[forward->receiver] = exprs.variable(result.sender, forward->range);
  result.text = "clock ";
  for (const ir::Expr *time : forward->times) {
    const ir::Expr *back = exprs.make(Op::Negate, Type::Integer, forward->range, {replaced(time, by)});
    result.times.push_back(back);
    result.text += (result.times.size() > 1 ? ", " : "") + ir::text(*back, schedule);
  }
  return known;
}

bool Reversal::readsOnly(const ir::Body &body, const ir::Buffer &buffer) const {
  return !ir::anyStatement(body, [&](const ir::Stmt &stmt) {
    bool isOther = false;
    forReads(stmt, [&](const ir::Slice &slice) { isOther |= slice.buffer != &buffer; });
    return isOther;
  });
}

/// Forwards an invariant says which ranks hold a copy of a block. Those are the ranks that backwards hold all that is to be combined
/// with what comes back for it, if there are no copies elsewhere.
void Reversal::invariants(const ir::ForStmt &stmt, const llvm::DenseMap<unsigned, const ir::Expr *> &next, ir::ForStmt &into) {
  if (!folds() || !schedule.requiresCommutative)
    return;
  for (const ir::Invariant &stated : stmt.invariants) {
    if (!stated.buffer || stated.isFold || stated.holder || (stated.condition && !stated.elseEmpty))
      continue;
    const auto output = grown.find(stated.buffer);
    if (output == grown.end() || !readsOnly(stmt.body, *stated.buffer))
      continue;
    // It has to be one block of all ranks.
    const ir::Buffer &input = *schedule.inputs[output->second];
    const bool isOfAll = llvm::any_of(schedule.collective->promises, [&](const ir::Promise &promise) {
      return promise.term.isFold && promise.term.input < schedule.collective->inputs.size();
    });
    if (!isOfAll || input.isArray != stated.blockVariable.has_value())
      continue;
    ir::Invariant result;
    result.range = stated.range;
    result.buffer = stated.buffer;
    result.blockVariable = stated.blockVariable;
    result.packetVariable = stated.packetVariable;
    const auto bound = [&](llvm::StringRef name) {
      const unsigned variable = exprs.newVariable(unused(name), Type::Integer, true, stated.range);
      schedule.variables[variable].ofInvariant = true;
      return variable;
    };
    result.holder = bound("r");
    result.binder = bound("i");
    result.input = output->second;
    result.index = stated.blockVariable ? exprs.variable(*stated.blockVariable, stated.range) : nullptr;
    result.isFold = true;
    result.lo = number(0);
    result.hi = exprs.variable(ir::Schedule::variableP, stated.range);
    llvm::DenseMap<unsigned, const ir::Expr *> by = next;
    by[ir::Schedule::variableMe] = exprs.variable(*result.holder, stated.range);
    result.condition = replaced(stated.condition, by);
    into.invariants.push_back(std::move(result));
  }
}

} // namespace quadrille::compiler::sema
