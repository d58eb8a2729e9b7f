//===- ScheduleSema.cpp - Analysis of a schedule: its statements ---------------------------------------------------------------===//

#include "ScheduleSema.h"

#include "ir/Lengths.h"
#include "ir/Verify.h"
#include "ir/Walk.h"

#include "source/Sources.h"

#include "llvm/ADT/Twine.h"
#include "llvm/Support/ErrorHandling.h"

namespace quadrille::compiler::sema {

using ir::Op;
using ir::Type;

ScheduleSema::ScheduleSema(ScheduleText &record, ir::Program &program, const Sources &sources, Diagnostics &diagnostics,
                           const ScheduleResolver &resolver)
    : record(record), text(*record.text), program(program), sources(sources), diagnostics(diagnostics), resolver(resolver),
      result(std::make_unique<ir::Schedule>()), exprs(*record.scope, program, result->variables, names, diagnostics) {
  exprs.knowNodes();
}

std::unique_ptr<ir::Schedule> ScheduleSema::run(const TreesGiven *given) {
  unsigned before = diagnostics.errorCount();
  result->name = given ? given->name : text.name.text;
  result->file = record.file;
  result->range = text.range;
  result->nameRange = text.name.range;
  if (!signature(given))
    return nullptr;
  levels.push_back({&record, {}});
  while (statementsOf().text->instance)
    if (!enterBase())
      return nullptr;
  clausesThatShapeStatements();
  if (given && given->isCommutative) {
    result->requiresCommutative = true;
    result->commutativeRange = text.name.range;
  }
  {
    std::optional<Diagnostics::During> during;
    if (levels.size() > 1)
      during.emplace(diagnostics, text.name.range, factOfInstance());
    result->body = body(statementsOf().text->body);
    checkClocks();
    if (plainFrom && diagnostics.errorCount() == before)
      for (const ir::Buffer *buffer : DeclaredLengths(*result, unmeasured, program, exprs).find(result->body))
        exprs.error(buffer->range, diag::LengthsNotFound{.name = buffer->name});
  }
  clauses();
  if (diagnostics.errorCount() != before)
    return nullptr;
  if (!reversals.empty()) {
    const Diagnostics::During during(diagnostics, text.name.range, factOfInstance());
    reverse();
    if (diagnostics.errorCount() != before)
      return nullptr;
  }
  llvm::move(result->body, std::back_inserter(treeLets));
  result->body = std::move(treeLets);
  ir::forEachPart(*result, [&](const ir::Expr &part) { result->usesNodes |= ir::isOfNodes(part.op); });
  if (given || !record.openTree())
    if (const std::string violation = ir::verify(*result); !violation.empty())
      llvm::report_fatal_error(llvm::Twine("malformed description after analysis: ") + violation);
  return std::move(result);
}

std::string ScheduleSema::textOf(llvm::SMRange range) const {
  std::string raw(range.Start.getPointer(), range.End.getPointer());
  // A formula may have several lines and comments; messages show it in one line.
  std::string line;
  for (size_t i = 0; i < raw.size(); ++i) {
    llvm::StringRef rest = llvm::StringRef(raw).substr(i);
    if (rest.starts_with("//"))
      i += std::min(rest.find('\n'), rest.size() - 1);
    else if (rest.starts_with("/*"))
      i += rest.find("*/") + 2;
    char c = raw[i];
    bool blank = c == ' ' || c == '\n' || c == '\t' || c == '\r';
    if (!blank)
      line += c;
    else if (!line.empty() && line.back() != ' ')
      line += ' ';
  }
  return line;
}

// ---- statements ----------------------------------------------------------------------------------------------------------

ir::Body ScheduleSema::body(Statements block) {
  ir::Body result;
  const std::optional<size_t> clockAround = currentClock;
  for (const auto &s : block)
    statement(*s, result);
  currentClock = clockAround;
  return result;
}

void ScheduleSema::statement(const ast::Statement &s, ir::Body &into) {
  switch (s.kind) {
  case ast::StatementKind::Let:
    return let(s, into);
  case ast::StatementKind::Var:
    return var(s, into);
  case ast::StatementKind::Send:
  case ast::StatementKind::Recv:
  case ast::StatementKind::Exchange:
    return transfer(s, into);
  case ast::StatementKind::Step:
    return step(s, into);
  case ast::StatementKind::If:
    return ifElse(s, into);
  case ast::StatementKind::For:
    return loop(s, into);
  case ast::StatementKind::Invariant:
    return stepDepth ? exprs.error(s.keyword, diag::NotInStep{.statement = "invariant"})
                     : exprs.error(s.keyword, diag::InvariantPlacement{});
  case ast::StatementKind::Clock:
    return clock(s);
  case ast::StatementKind::Split:
    return split(s);
  case ast::StatementKind::Use:
    return use(s, into);
  case ast::StatementKind::Assign:
    return assign(s, into);
  }
}

void ScheduleSema::let(const ast::Statement &s, ir::Body &into) {
  const ir::Expr *value = exprs.any(*s.value);
  Symbol symbol;
  if (!value) {
    symbol.variable = exprs.newVariable(s.names[0].text, Type::Integer, true, s.names[0].range);
    symbol.isWrong = true;
    return declare(s.names[0], symbol);
  }
  symbol.variable = exprs.newVariable(s.names[0].text, value->type, value->dependsOnRank, s.names[0].range);
  symbol.value = value;
  // Clauses may use top-level lets whose values are the same for all ranks.
  declare(s.names[0], symbol);
  if (nesting == 0)
    outerLets[symbol.variable] = value;
  ir::LetStmt &stmt = append<ir::LetStmt>(into, s);
  stmt.variable = symbol.variable;
  stmt.value = value;
}

/// Reports an error unless `parts` can be evaluated before the schedule runs: granularity depends on it.
void ScheduleSema::checkSameEverywhere(const ir::Expr &parts) {
  if (parts.op == Op::Variable && parts.variable >= ir::Schedule::firstNumber + result->numberCount &&
      !outerLets.contains(parts.variable))
    exprs.error(parts.range, diag::PacketsVary{.variable = result->variables[parts.variable].name});
  for (const ir::Expr *operand : parts.operands)
    checkSameEverywhere(*operand);
}

/// The operand that gives a variable its shape: the first one that certainly has a shape, which a message that may not arrive has
/// not.
static const ir::DataExpr *shapeGiver(const ir::DataExpr &value) {
  if (!value.isCombine)
    return &value;
  const ir::DataExpr *left = shapeGiver(*value.left);
  return left->slice.buffer->kind != ir::BufferKind::Message ? left : shapeGiver(*value.right);
}

void ScheduleSema::var(const ast::Statement &s, ir::Body &into) {
  if (stepDepth) {
    exprs.error(s.keyword, diag::NotInStep{.statement = "var"});
    newBuffer(s.names[0], ir::BufferKind::Local); // declare it in any case, to avoid further errors
    return;
  }
  const ir::DataExpr *value = s.value ? data(*s.value) : nullptr;
  if (s.value && !value) {
    newBuffer(s.names[0], ir::BufferKind::Local);
    return;
  }
  ir::Buffer *buffer = newBuffer(s.names[0], ir::BufferKind::Local);
  if (s.type) {
    buffer->isArray = s.type->count != nullptr;
    if (buffer->isArray)
      buffer->count = exprs.integer(*s.type->count);
    if (s.type->length) {
      buffer->length = exprs.lengthOf(*s.type->length, buffer->isArray);
      if (buffer->length && buffer->length->parts)
        checkSameEverywhere(*buffer->length->parts);
    } else if (buffer->isArray && plainFrom) {
      unmeasured.push_back(buffer);
    } else if (buffer->isArray) {
      needsLengths(*buffer);
    }
  } else if (value) {
    const ir::DataExpr *shape = shapeGiver(*value);
    buffer->like = keep(shape->slice);
    buffer->isArray = shape->slice.blocks.kind == ir::IndexKind::Whole ? shape->slice.buffer->isArray
                                                                       : shape->slice.blocks.kind != ir::IndexKind::Point;
  } else {
    return exprs.error(s.names[0].range,
                       diag::TypeMismatch{.expected = diag::ThingTypeOrValue{}, .found = diag::ThingNeither{}});
  }
  append<ir::DeclareStmt>(into, s).buffer = buffer;
  if (!value)
    return;
  ir::AssignStmt &stmt = append<ir::AssignStmt>(into, s);
  stmt.target.buffer = buffer;
  stmt.target.range = s.names[0].range;
  stmt.value = value;
}

void ScheduleSema::assign(const ast::Statement &s, ir::Body &into) {
  if (s.target->kind == ast::ExprKind::Name)
    if (const Symbol *symbol = names.find(s.target->text); symbol && symbol->kind != Symbol::Buffer)
      return exprs.error(s.target->range, diag::AssignsNumber{.name = s.target->text});
  std::optional<ir::Slice> target = slice(*s.target);
  const ir::DataExpr *value = data(*s.value);
  if (!target || !value || !writable(*target, s.target->range))
    return;
  assignedInStep = true;
  if (s.origin)
    return assignInOrder(s, *target, *value, into);
  ir::AssignStmt &stmt = append<ir::AssignStmt>(into, s);
  stmt.target = *target;
  stmt.value = value;
}

void ScheduleSema::assignInOrder(const ast::Statement &s, const ir::Slice &target, const ir::DataExpr &value, ir::Body &into) {
  const ir::Expr *rank = exprs.integer(*s.origin);
  if (!value.isCombine || value.left->isCombine || value.right->isCombine)
    return exprs.error(s.origin->range, diag::OrderOfOthers{.several = value.isCombine});
  if (!rank)
    return;
  // A name of an inlined value may stand for a rank that is `none`: look at the value.
  const ir::Expr *definition = rank;
  if (const Symbol *symbol = s.origin->kind == ast::ExprKind::Name ? names.find(s.origin->text) : nullptr; symbol && symbol->value)
    definition = symbol->value;
  ir::DataExpr swapped = value;
  std::swap(swapped.left, swapped.right);
  ir::IfStmt &branch = append<ir::IfStmt>(into, s);
  branch.condition = isBelowMe(exprs, *rank, definition->mayBeNone, s.origin->range);
  const auto assign = [&](ir::Body &body, const ir::DataExpr &product) {
    ir::AssignStmt &stmt = append<ir::AssignStmt>(body, s);
    stmt.target = target;
    stmt.value = &product;
  };
  assign(branch.yes, program.dataExpressions.emplace_back(swapped));
  assign(branch.no, value);
}

void ScheduleSema::transfer(const ast::Statement &s, ir::Body &into) {
  if (stepDepth && assignedInStep)
    exprs.error(s.keyword, diag::TransferAfterAssignment{});
  bool bare = stepDepth == 0;
  ir::Body *body = &into;
  if (bare) {
    ir::StepStmt &stepStmt = append<ir::StepStmt>(into, s);
    stepStmt.lockstep = result->lockstep;
    stepStmt.bare = true;
    currentStep = &stepStmt;
    body = &stepStmt.body;
    lastSent = nullptr;
  }
  const ir::Expr *peer = exprs.integer(*s.value);
  const ir::Clock *clock = clockOf(/*isUse=*/false, s.keyword);
  bool isExchange = s.kind == ast::StatementKind::Exchange;
  auto add = [&](bool isSend, std::optional<ir::Slice> message) {
    ir::TransferStmt &stmt = append<ir::TransferStmt>(*body, s);
    stmt.isSend = isSend;
    stmt.ofExchange = isExchange;
    stmt.message = message;
    stmt.peer = peer;
    stmt.clock = clock;
  };
  if (isExchange && s.message && !s.target)
    return exprs.error(s.keyword, diag::MissingInto{});
  if (isExchange && !s.message && s.target)
    return exprs.error(s.target->range,
                       diag::TypeMismatch{.expected = diag::ThingMessage{}, .found = diag::ThingPlaceAlone{}});
  std::optional<ir::Slice> sent, got;
  if (s.kind != ast::StatementKind::Recv && s.message) {
    sent = slice(*s.message);
    if (sent)
      lastSent = keep(*sent);
  }
  const ast::Expr *target = isExchange ? s.target.get() : s.kind == ast::StatementKind::Recv ? s.message.get() : nullptr;
  if (target)
    got = received(*target, lastSent);
  if (!peer || (s.message && s.kind != ast::StatementKind::Recv && !sent) || (target && !got))
    return;
  if (s.kind != ast::StatementKind::Recv)
    add(true, sent);
  if (s.kind != ast::StatementKind::Send)
    add(false, got);
}

void ScheduleSema::step(const ast::Statement &s, ir::Body &into) {
  if (stepDepth)
    return exprs.error(s.keyword, diag::NotInStep{.statement = "step"});
  ir::StepStmt &stmt = append<ir::StepStmt>(into, s);
  stmt.lockstep = result->lockstep;
  names.push();
  stepScope = names.depth();
  currentStep = &stmt;
  ++stepDepth;
  ++nesting;
  assignedInStep = false;
  lastSent = nullptr;
  stmt.body = body(s.body);
  --nesting;
  --stepDepth;
  names.pop();
}

static bool hasStep(const ir::Body &body) {
  return llvm::any_of(body, [](const std::unique_ptr<ir::Stmt> &s) {
    if (auto *inner = llvm::dyn_cast<ir::IfStmt>(s.get()))
      return inner->containsStep;
    if (auto *inner = llvm::dyn_cast<ir::ForStmt>(s.get()))
      return inner->containsStep;
    return llvm::isa<ir::StepStmt>(s.get()) || llvm::isa<ir::UseStmt>(s.get());
  });
}

void ScheduleSema::ifElse(const ast::Statement &s, ir::Body &into) {
  const ir::Expr *condition = exprs.boolean(*s.value);
  ir::IfStmt &stmt = append<ir::IfStmt>(into, s);
  stmt.condition = condition;
  ++nesting;
  bool assignedBefore = assignedInStep;
  names.push();
  stmt.yes = body(s.body);
  names.pop();
  bool assignedYes = assignedInStep;
  assignedInStep = assignedBefore;
  names.push();
  stmt.no = body(s.otherwise);
  names.pop();
  assignedInStep |= assignedYes;
  --nesting;
  stmt.containsStep = hasStep(stmt.yes) || hasStep(stmt.no);
}

void ScheduleSema::loop(const ast::Statement &s, ir::Body &into) {
  ir::ForStmt &stmt = append<ir::ForStmt>(into, s);
  bool fromRank = false;
  auto bound = [&](const ast::ExprPtr &expr) -> const ir::Expr * {
    const ir::Expr *value = expr ? exprs.integer(*expr) : nullptr;
    fromRank |= value && value->dependsOnRank;
    return value;
  };
  switch (s.loop) {
  case ast::LoopKind::Ascending:
  case ast::LoopKind::Times:
    stmt.loop = s.loop == ast::LoopKind::Times ? ir::LoopKind::Times : ir::LoopKind::Ascending;
    stmt.lo = bound(s.lo);
    stmt.hi = exprs.exclusive(bound(s.hi), s.inclusive);
    stmt.factor = bound(s.factor);
    break;
  case ast::LoopKind::Descending:
  case ast::LoopKind::Half:
    stmt.loop = s.loop == ast::LoopKind::Half ? ir::LoopKind::Half : ir::LoopKind::Descending;
    stmt.hi = bound(s.hi);
    stmt.lo = bound(s.lo);
    stmt.factor = bound(s.factor);
    break;
  case ast::LoopKind::Halvings:
  case ast::LoopKind::HalvingsReversed:
    stmt.loop = s.loop == ast::LoopKind::Halvings ? ir::LoopKind::Halvings : ir::LoopKind::HalvingsReversed;
    stmt.hi = bound(s.lo);
    break;
  case ast::LoopKind::Set:
    fromRank = true;
    if (s.lo->kind == ast::ExprKind::Name && s.lo->text == "others" && !names.find("others")) {
      stmt.loop = ir::LoopKind::Others;
    } else if (s.lo->kind == ast::ExprKind::Field && s.lo->text == "children") {
      stmt.loop = ir::LoopKind::Children;
      stmt.tree = exprs.typed(*s.lo->operands[0], Type::Tree);
    } else {
      exprs.error(s.lo->range, diag::TypeMismatch{.expected = diag::ThingRangeOfLoop{},
                                                  .found = exprs.describe(*s.lo)});
      return;
    }
    break;
  }
  names.push();
  auto counter = [&](const ast::Name &name) {
    Symbol symbol;
    symbol.variable = exprs.newVariable(name.text, Type::Integer, fromRank, name.range);
    declare(name, symbol);
    return symbol.variable;
  };
  stmt.variable = counter(s.names[0]);
  if (s.names.size() > 1)
    stmt.second = counter(s.names[1]);
  Statements rest = s.body;
  if (!stepDepth) { // all statements of a step run at the same time
    Statements heads = rest.take_while([](const auto &head) { return head->kind == ast::StatementKind::Invariant; });
    rest = rest.drop_front(heads.size());
    std::optional<unsigned> withoutEnd;
    if (s.loop == ast::LoopKind::Set)
      withoutEnd = stmt.variable;
    else if (s.loop == ast::LoopKind::HalvingsReversed)
      withoutEnd = stmt.second;
    stmt.invariants = invariants(heads, withoutEnd);
  }
  ++nesting;
  stmt.body = body(rest);
  --nesting;
  names.pop();
  stmt.containsStep = hasStep(stmt.body);
}

void ScheduleSema::split(const ast::Statement &s) {
  if (nesting)
    return exprs.error(s.keyword, diag::SplitPlacement{});
  const ir::Expr *parts = exprs.integer(*s.value);
  if (!parts)
    return;
  if (parts->dependsOnRank)
    return exprs.error(s.value->range, diag::RankDependentClause{.what = diag::UniformPacketsOfSplit{}});
  for (const ast::Name &name : s.names) {
    const Symbol *symbol = exprs.find(name);
    if (!symbol) {
      exprs.error(
          name.range,
          diag::UnknownName{.name = name.text, .near = names.suggestion(name.text), .aggregate = false, .commutative = false});
    } else if (symbol->kind != Symbol::Buffer) {
      exprs.error(name.range, diag::TypeMismatch{.expected = diag::ThingBlocks{}, .found = diag::ThingNumber{}});
    } else if (symbol->buffer->parts) {
      exprs.error(name.range, diag::SplitTwice{.name = name.text});
    } else if (ir::shapingMessage(*symbol->buffer)) {
      exprs.error(name.range, diag::NotSplittable{.name = name.text, .packets = false});
    } else if (ir::holdsPackets(*symbol->buffer)) {
      exprs.error(name.range, diag::NotSplittable{.name = name.text, .packets = true});
    } else {
      ir::Buffer &buffer = *symbol->buffer;
      buffer.parts = parts;
      // The places of the packets follow from the length of the model, a block of the caller.
      const ir::Buffer *model = ir::lengthModel(*result);
      const bool isDeclared = buffer.kind == ir::BufferKind::Local && !buffer.like && !buffer.length;
      if (isDeclared && plainFrom && !buffer.isArray)
        exprs.error(name.range, diag::LengthsNotFound{.name = name.text});
      else if (isDeclared && (!model || model->isArray))
        needsLengths(buffer);
    }
  }
}

} // namespace quadrille::compiler::sema
