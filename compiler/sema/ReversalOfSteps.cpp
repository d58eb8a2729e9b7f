//===- ReversalOfSteps.cpp - Steps run backwards ----------------------------------------------------------------===//
//
// Backwards, the assignments of a step come before its transfers, and received values are combined after the transfers.
//
//===----------------------------------------------------------------------------------------------------------------===//

#include "Reversal.h"

#include "ir/Lengths.h"
#include "ir/Walk.h"

namespace quadrille::compiler::sema {

using ir::IndexKind;
using ir::Op;
using ir::Type;

template <typename Statement> static bool contains(const ir::Stmt &stmt) {
  if (llvm::isa<Statement>(&stmt))
    return true;
  const auto in = [](const ir::Body &body) {
    return ir::anyStatement(body, [](const ir::Stmt &inner) { return llvm::isa<Statement>(&inner); });
  };
  if (auto *branch = llvm::dyn_cast<ir::IfStmt>(&stmt))
    return in(branch->yes) || in(branch->no);
  auto *loop = llvm::dyn_cast<ir::ForStmt>(&stmt);
  return loop && in(loop->body);
}

static bool containsTransfer(const ir::Stmt &stmt, bool isSend) {
  const auto is = [isSend](const ir::Stmt &inner) {
    auto *transfer = llvm::dyn_cast<ir::TransferStmt>(&inner);
    return transfer && transfer->isSend == isSend;
  };
  if (auto *branch = llvm::dyn_cast<ir::IfStmt>(&stmt))
    return ir::anyStatement(branch->yes, is) || ir::anyStatement(branch->no, is);
  if (auto *loop = llvm::dyn_cast<ir::ForStmt>(&stmt))
    return ir::anyStatement(loop->body, is);
  return is(stmt);
}

/// The statements of a step that have transfers. Those that send backwards come first, since names that are received take the shape of
/// what was sent last.
static std::vector<const ir::Stmt *> arranged(const ir::Body &forward) {
  std::vector<const ir::Stmt *> receives, sends, all;
  bool isMixed = false;
  for (const auto &stmt : forward) {
    const bool hasSend = containsTransfer(*stmt, true), hasReceive = containsTransfer(*stmt, false);
    if (!hasSend && !hasReceive)
      continue;
    all.push_back(stmt.get());
    isMixed |= hasSend && hasReceive;
    (hasSend ? sends : receives).push_back(stmt.get());
  }
  if (isMixed) // then messages to one rank might change their order
    return all;
  llvm::append_range(receives, sends);
  return receives;
}

void Reversal::step(const ir::StepStmt &stmt, ir::Body &into) {
  place = stmt.range;
  if (stmt.bare)
    return bareStep(stmt, into);
  const bool assigns = ir::anyStatement(stmt.body, [](const ir::Stmt &inner) { return llvm::isa<ir::AssignStmt>(&inner); });
  ir::Body numbers;
  for (const auto &inner : stmt.body)
    if (auto *number = llvm::dyn_cast<ir::LetStmt>(inner.get())) {
      if (assigns) // known from here to the end of the braces around the step, so it must not be the name of another step, too
        schedule.variables[number->variable].name = unused(schedule.variables[number->variable].name);
      let(*number, assigns ? into : numbers);
    }
  // Names that the step received are sent backwards: declare them as buffers.
  for (const ir::Buffer *message : stmt.messages) {
    own(*message).kind = ir::BufferKind::Local;
    if (!giveType(*message, message->range))
      return;
    declare(*message, stmt.keyword, into);
  }
  if (assigns)
    assignmentsOf(stmt.body, into);
  auto owned = std::make_unique<ir::StepStmt>();
  owned->range = stmt.range;
  owned->keyword = stmt.keyword;
  owned->lockstep = stmt.lockstep;
  owned->body = std::move(numbers);
  current = owned.get();
  beforeStep = &into;
  lastSent = nullptr;
  namesInStep.clear();
  ir::Body after;
  transfersOf(stmt.body, owned->body, after, /*isLast=*/true);
  llvm::move(after, std::back_inserter(owned->body));
  namesInStep.clear();
  current = nullptr;
  into.push_back(std::move(owned));
}

void Reversal::bareStep(const ir::StepStmt &stmt, ir::Body &into) {
  auto owned = std::make_unique<ir::StepStmt>();
  owned->range = stmt.range;
  owned->keyword = stmt.keyword;
  owned->lockstep = stmt.lockstep;
  owned->bare = true;
  current = owned.get();
  beforeStep = &into;
  lastSent = nullptr;
  ir::Body after;
  // Forward receives come first, since they send backwards; an exchange has one of each.
  for (const bool isSend : {false, true})
    for (const auto &inner : stmt.body)
      if (auto &forward = llvm::cast<ir::TransferStmt>(*inner); forward.isSend == isSend)
        transfer(forward, owned->body, after);
  current = nullptr;
  into.push_back(std::move(owned));
  llvm::move(after, std::back_inserter(into));
}

void Reversal::assignmentsOf(const ir::Body &forward, ir::Body &into) {
  for (const auto &stmt : llvm::reverse(forward)) {
    if (auto *assignment = llvm::dyn_cast<ir::AssignStmt>(stmt.get())) {
      assign(*assignment, into);
      continue;
    }
    if (!contains<ir::AssignStmt>(*stmt))
      continue;
    const auto inner = [&](const ir::Body &from, ir::Body &to) {
      for (const auto &number : from)
        if (auto *let = llvm::dyn_cast<ir::LetStmt>(number.get()))
          this->let(*let, to);
      assignmentsOf(from, to);
    };
    if (auto *branch = llvm::dyn_cast<ir::IfStmt>(stmt.get())) {
      ir::IfStmt &result = append<ir::IfStmt>(into, stmt->range, stmt->keyword);
      result.condition = branch->condition;
      const auto before = filled;
      conditions.push_back(branch->condition);
      inner(branch->yes, result.yes);
      conditions.pop_back();
      const auto afterYes = std::exchange(filled, before);
      inner(branch->no, result.no);
      filled.insert(afterYes.begin(), afterYes.end());
    } else if (auto *loop = llvm::dyn_cast<ir::ForStmt>(stmt.get())) {
      this->loop(*loop, into);
    }
  }
}

void Reversal::transfersOf(const ir::Body &forward, ir::Body &into, ir::Body &after, bool isLast) {
  const std::vector<const ir::Stmt *> order = arranged(forward);
  for (const ir::Stmt *stmt : order) {
    const bool isEnd = isLast && stmt == order.back();
    const auto inner = [&](const ir::Body &from, ir::Body &to, ir::Body &afterIt, bool isInnerLast) {
      for (const auto &number : from)
        if (auto *let = llvm::dyn_cast<ir::LetStmt>(number.get()))
          this->let(*let, to);
      transfersOf(from, to, afterIt, isInnerLast);
    };
    if (auto *single = llvm::dyn_cast<ir::TransferStmt>(stmt)) {
      transfer(*single, into, after);
    } else if (auto *branch = llvm::dyn_cast<ir::IfStmt>(stmt)) {
      auto owned = std::make_unique<ir::IfStmt>();
      owned->range = stmt->range;
      owned->keyword = stmt->keyword;
      owned->condition = branch->condition;
      ir::Body yes, no;
      const bool isEndOfAll = isEnd && after.empty();
      const auto before = filled;
      conditions.push_back(branch->condition);
      inner(branch->yes, owned->yes, yes, isEndOfAll);
      conditions.pop_back();
      const auto afterYes = std::exchange(filled, before);
      inner(branch->no, owned->no, no, isEndOfAll);
      filled.insert(afterYes.begin(), afterYes.end());
      if (isEndOfAll) {
        llvm::move(yes, std::back_inserter(owned->yes));
        llvm::move(no, std::back_inserter(owned->no));
      } else if (!yes.empty() || !no.empty()) {
        ir::IfStmt &then = append<ir::IfStmt>(after, stmt->range, stmt->keyword);
        then.condition = branch->condition;
        for (auto [from, to, moved] : {std::tuple(&branch->yes, &then.yes, &yes), std::tuple(&branch->no, &then.no, &no)}) {
          if (moved->empty())
            continue;
          for (const auto &number : *from)
            if (auto *let = llvm::dyn_cast<ir::LetStmt>(number.get()))
              this->let(*let, *to);
          llvm::move(*moved, std::back_inserter(*to));
        }
      }
      into.push_back(std::move(owned));
    } else if (auto *loop = llvm::dyn_cast<ir::ForStmt>(stmt)) {
      const auto head = [&](ir::Body &to) -> ir::ForStmt & {
        ir::ForStmt &result = append<ir::ForStmt>(to, stmt->range, stmt->keyword);
        result.loop = loop->loop;
        result.variable = loop->variable;
        result.second = loop->second;
        result.lo = loop->lo;
        result.hi = loop->hi;
        result.factor = loop->factor;
        result.tree = loop->tree;
        return result;
      };
      loopsInStep.push_back(loop);
      ir::Body afterIt;
      inner(loop->body, head(into).body, afterIt, /*isInnerLast=*/false);
      loopsInStep.pop_back();
      if (afterIt.empty())
        continue;
      ir::ForStmt &then = head(after);
      for (const auto &number : loop->body)
        if (auto *let = llvm::dyn_cast<ir::LetStmt>(number.get()))
          this->let(*let, then.body);
      llvm::move(afterIt, std::back_inserter(then.body));
    }
  }
}

void Reversal::transfer(const ir::TransferStmt &stmt, ir::Body &into, ir::Body &after) {
  place = stmt.range;
  const auto add = [&](std::optional<ir::Slice> message) {
    ir::TransferStmt &result = append<ir::TransferStmt>(into, stmt.range, stmt.keyword);
    result.isSend = !stmt.isSend;
    result.ofExchange = stmt.ofExchange && current->bare;
    result.message = message;
    result.peer = stmt.peer;
    result.clock = clock(stmt.clock);
  };
  if (!stmt.message)
    return add(std::nullopt);
  const ir::Slice message = mapped(*stmt.message);
  if (!stmt.isSend) {
    lastSent = &program.slices.emplace_back(message);
    add(message);
    if (ir::isWhole(message) && loopsInStep.empty())
      filled.erase(message.buffer);
    return;
  }
  const auto isOfLoop = [&](const ir::Expr *index) {
    return index && llvm::any_of(loopsInStep, [&](const ir::ForStmt *loop) { return ir::mentions(*index, loop->variable); });
  };
  const bool isDistinct = loopsInStep.empty() || isOfLoop(message.blocks.a) || isOfLoop(message.packets.a);
  if (!folds() || (isDistinct && !filled.contains(message.buffer))) {
    add(message);
    filled.insert(message.buffer);
    return;
  }
  if (std::optional<ir::Slice> room = arriving(message, stmt)) {
    add(*room);
    combine(message, *room, stmt.peer, stmt.range, stmt.keyword, after);
    filled.insert(message.buffer);
  }
}

static bool isSingle(const ir::Slice &slice) {
  if (slice.packets.kind != IndexKind::Whole)
    return slice.packets.kind == IndexKind::Point;
  return slice.blocks.kind == IndexKind::Point || (slice.blocks.kind == IndexKind::Whole && !slice.buffer->isArray);
}

/// Whether the forms of two slices show that they have equally many blocks or packets.
static bool areEquallyMany(const ir::Slice &a, const ir::Slice &b) {
  if (isSingle(a) || isSingle(b))
    return isSingle(a) && isSingle(b) && (a.packets.kind == IndexKind::Whole) == (b.packets.kind == IndexKind::Whole);
  if ((a.packets.kind == IndexKind::Whole) != (b.packets.kind == IndexKind::Whole))
    return false;
  const ir::Index &i = a.packets.kind == IndexKind::Whole ? a.blocks : a.packets;
  const ir::Index &j = b.packets.kind == IndexKind::Whole ? b.blocks : b.packets;
  const auto isRun = [](const ir::Index &index) { return index.kind == IndexKind::Run || index.kind == IndexKind::Cyclic; };
  if (isRun(i) && isRun(j))
    return areSame(i.b, j.b);
  if (i.kind != j.kind)
    return false;
  if (i.kind == IndexKind::Whole)
    return a.buffer == b.buffer || (a.buffer->count && b.buffer->count && areSame(a.buffer->count, b.buffer->count));
  return areSame(i.a, j.a) && areSame(i.b, j.b);
}

std::optional<ir::Slice> Reversal::arriving(const ir::Slice &slice, const ir::TransferStmt &stmt) {
  if (!loopsInStep.empty())
    return arrivingInLoop(slice, stmt);
  if (lastSent ? areEquallyMany(slice, *lastSent) : isSingle(slice)) {
    ir::Buffer &message = newBuffer("t", ir::BufferKind::Message, stmt.keyword);
    if (lastSent) {
      message.like = lastSent;
      message.isArray = !isSingle(*lastSent) && (lastSent->blocks.kind != IndexKind::Whole || lastSent->buffer->isArray);
    }
    current->messages.push_back(&message);
    ir::Slice whole;
    whole.buffer = &message;
    whole.range = stmt.range;
    return whole;
  }
  // Receive into a new buffer with the shape of the whole buffer of `slice`, at the same place.
  if (slice.buffer->parts) {
    refuse(stmt.keyword, diag::OneWaySplitMessage{.buffer = nameInText(*stmt.message->buffer)});
    return std::nullopt;
  }
  ir::Buffer &room = newBuffer("t", ir::BufferKind::Local, stmt.keyword);
  ir::Slice all = slice;
  all.blocks = {};
  if (!giveTypeOf(room, all, stmt.keyword))
    return std::nullopt;
  declare(room, stmt.keyword, *beforeStep);
  ir::Slice part = slice;
  part.buffer = &room;
  return part;
}

std::optional<ir::Slice> Reversal::arrivingInLoop(const ir::Slice &slice, const ir::TransferStmt &stmt) {
  const ir::ForStmt &loop = *loopsInStep.front();
  const ir::Buffer *base = slice.buffer;
  while (base->like)
    base = base->like->buffer;
  if (loopsInStep.size() > 1 || !isSingle(slice) || slice.packets.kind != IndexKind::Whole || base->length) {
    refuse(stmt.keyword, diag::OneWaySentInLoop{});
    return std::nullopt;
  }
  const ir::Expr *count = exprs.variable(ir::Schedule::variableP, place);
  const ir::Expr *index = exprs.variable(loop.variable, place);
  const bool isOfSet = loop.loop == ir::LoopKind::Others || loop.loop == ir::LoopKind::Children;
  const bool isUp = loop.loop == ir::LoopKind::Ascending || loop.loop == ir::LoopKind::Times;
  const auto atLeast0 = [&](const ir::Expr *number) {
    const bool isPositive = number->op == Op::Variable && !number->dependsOnRank &&
                            number->variable < ir::Schedule::firstNumber + schedule.numberCount;
    return isPositive ? number : integer(Op::Maximum, number, this->number(0));
  };
  if (!isOfSet) {
    const ir::Expr *end = isUp ? loop.hi : plus(loop.hi, 1);
    const bool isFromZero = !loop.lo || (loop.lo->op == Op::Constant && loop.lo->value >= 0);
    count = atLeast0(isFromZero ? end : integer(Op::Subtract, end, loop.lo));
    if (!isFromZero)
      index = integer(Op::Subtract, index, loop.lo);
  }
  ir::Buffer &room = newBuffer("t", ir::BufferKind::Local, stmt.keyword);
  room.isArray = true;
  room.count = count;
  if (schedule.tables.empty() && !schedule.lengthsOf)
    schedule.lengthsOf = {room.name, schedule.path()};
  declare(room, stmt.keyword, *beforeStep);
  ir::Slice one;
  one.buffer = &room;
  one.blocks.kind = IndexKind::Point;
  one.blocks.a = index;
  one.range = stmt.range;
  return one;
}

} // namespace quadrille::compiler::sema
