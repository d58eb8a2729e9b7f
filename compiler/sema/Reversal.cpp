//===- Reversal.cpp - A schedule run backwards ----------------------------------------------------------------------===//

#include "Reversal.h"

#include "ir/Lengths.h"
#include "ir/Print.h"
#include "ir/Walk.h"

namespace quadrille::compiler::sema {

using ir::IndexKind;
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

void Reversal::refuse(llvm::SMRange at, diag::OneWay reason) {
  exprs.error(at, diag::NotReversible{.schedule = path, .reason = std::move(reason)});
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
  // If only one buffer is read from the first loop on, copies of its blocks elsewhere do not matter.
  const Buffers sources = readBuffers(body, /*fromFirstLoop=*/true);
  onlySource = sources.size() == 1 ? *sources.begin() : nullptr;
  ir::Body first;
  exchangeData(body, first);
  ir::Body result = this->body(body, std::move(first));
  dropUnusedBuffers();
  return result;
}

// ---- statements --------------------------------------------------------------------------------------------------------

ir::Body Reversal::body(const ir::Body &forward, ir::Body first) {
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
  llvm::move(first, std::back_inserter(result));
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

void Reversal::use(const ir::UseStmt &stmt, ir::Body &into) {
  const ir::Schedule *callee = reverseUsed(stmt);
  if (!callee)
    return;
  if (callee->lengthsOf) {
    const auto isUneven = [&](const std::vector<ir::Slice> &slices, const std::vector<const ir::Buffer *> &parameters) {
      return llvm::any_of(llvm::zip(slices, parameters), [](const auto &pair) { return ir::passesPackets(std::get<0>(pair), *std::get<1>(pair)); });
    };
    if (!schedule.tables.empty() || isUneven(stmt.outputs, callee->inputs) || isUneven(stmt.inputs, callee->outputs))
      return exprs.error(stmt.keyword, diag::LengthsUnknown{.buffer = callee->lengthsOf->buffer, .schedule = callee->lengthsOf->schedule});
    if (!schedule.lengthsOf)
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
    return refuse(stmt.value->range, diag::OneWayCombined{});
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

} // namespace quadrille::compiler::sema
