//===- IrToCppData.cpp - Slices, assignments and which of their operands are there ----------------------------------------===//

#include "IrToCpp.h"

#include "Queries.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

namespace quadrille::compiler::emit {

using namespace ir;
using cpp::ExprPtr;

// ---- regions -------------------------------------------------------------------------------------------------------------

ExprPtr ScheduleLowering::region(const Buffer &buffer) {
  const Allocation &kept = storage[buffer.index];
  if (kept.kind == Allocation::View && !viewDeclared[buffer.index])
    return cpp::method(cpp::atom(kept.room), "slice", {cpp::number(0), blockCount(*buffer.like)});
  return cpp::atom(bufferNames[buffer.index]);
}

ExprPtr ScheduleLowering::packets(const Buffer &buffer) { return cpp::atom(packetNames[buffer.index]); }

ExprPtr ScheduleLowering::part(ExprPtr base, const Index &index) {
  auto lower = [&](const Expr *expr) { return exprs.lower(*expr); };
  switch (index.kind) {
  case IndexKind::Whole:
    return base;
  case IndexKind::Point:
    return cpp::subscript(base, lower(index.a));
  case IndexKind::Range:
    return cpp::method(base, "slice", {lower(index.a), lower(index.b)});
  case IndexKind::Run:
    return cpp::method(base, "run", {lower(index.a), lower(index.b)});
  case IndexKind::Cyclic:
    return cpp::method(base, "cyclic", {lower(index.a), lower(index.b), lower(index.c)});
  case IndexKind::Filter: {
    const std::string binder = variableNames[index.binder];
    exprs.bind(index.binder, cpp::atom(binder));
    return cpp::method(base, "select", {lower(index.a), lower(index.b), cpp::lambda(binder, lower(index.c))});
  }
  }
  return base;
}

ExprPtr ScheduleLowering::region(const Slice &slice) {
  for (const auto &[named, name] : namedSlices)
    if (sameSlice(*named, slice))
      return cpp::atom(name);
  const Buffer &buffer = *slice.buffer;
  if (slice.packets.kind == IndexKind::Whole)
    return part(region(buffer), slice.blocks);
  if (!buffer.isArray)
    return part(packets(buffer), slice.packets);
  ExprPtr block = part(region(buffer), slice.blocks);
  return part(cpp::method(block, "split", {exprs.lower(*buffer.parts)}), slice.packets);
}

/// The number of blocks (or packets) of an index as an expression; null if only the region knows it.
static ExprPtr countOf(const Index &index, const ExprLowering &exprs) {
  switch (index.kind) {
  case IndexKind::Point:
    return cpp::number(1);
  case IndexKind::Range: {
    if (index.a->op == Op::Constant && index.a->value == 0)
      return exprs.lower(*index.b);
    return cpp::infix(exprs.lower(*index.b), "-", exprs.lower(*index.a));
  }
  case IndexKind::Run:
  case IndexKind::Cyclic:
    return exprs.lower(*index.b);
  default:
    return nullptr;
  }
}

ExprPtr ScheduleLowering::blockCount(const Slice &slice) {
  const Index &index = slice.packets.kind == IndexKind::Whole ? slice.blocks : slice.packets;
  if (ExprPtr count = countOf(index, exprs))
    return count;
  return cpp::method(region(slice), "count", {});
}

// ---- what is there -------------------------------------------------------------------------------------------------------

ExprPtr ScheduleLowering::presence(const Fullness &known, const Slice &slice) {
  switch (known.kind) {
  case Fullness::Full:
  case Fullness::Empty:
    return nullptr;
  case Fullness::Conditional:
    switch (known.test) {
    case Fullness::PeerExists:
      return exprs.exists(*known.condition);
    case Fullness::IsRank:
      if (!schedule.origin)
        return cpp::infix(exprs.me, "==", exprs.lower(*known.condition));
      if (sameExpr(schedule.origin, known.condition))
        return cpp::infix(exprs.me, "==", cpp::number(0));
      return cpp::infix(cpp::atom("group.rank()"), "==", exprs.lower(*known.condition));
    case Fullness::Holds:
      return exprs.lower(*known.condition);
    }
    return nullptr;
  case Fullness::Unknown:
    // A buffer without a flag is only copied to buffers without a flag, and there it does not matter.
    if (!fullness.flagged.contains(slice.buffer))
      return nullptr;
    return fullness.byElement ? cpp::method(cpp::atom(flagNames[slice.buffer->index]), "any", {region(slice)}) : flagOf(slice);
  }
  return nullptr;
}

AssignedOperand ScheduleLowering::operand(const DataExpr &leaf) {
  AssignedOperand result;
  Fullness known = fullness.of(&leaf);
  result.buffer = leaf.slice.buffer;
  result.absent = known.kind == Fullness::Empty;
  if (result.absent)
    return result;
  result.present = presence(known, leaf.slice);
  result.region = region(leaf.slice);
  return result;
}

ExprPtr ScheduleLowering::flagOf(const Slice &slice) {
  ExprPtr flag = cpp::atom(flagNames[slice.buffer->index]);
  if (!perBlock(*slice.buffer))
    return flag;
  cpp::Body none;
  return cpp::subscript(flag, unitIndex(slice, cpp::number(0), none));
}

/// The index of the flag of a slice's i-th block (or packet).
ExprPtr ScheduleLowering::unitIndex(const Slice &slice, const ExprPtr &i, cpp::Body &out) {
  const Index &index = slice.buffer->isArray ? slice.blocks : slice.packets;
  auto lower = [&](const Expr *expr) { return exprs.lower(*expr); };
  auto plus = [&](ExprPtr a) {
    if (i->kind == cpp::ExprKind::Atom && i->text == "0")
      return a;
    if (a->kind == cpp::ExprKind::Atom && a->text == "0")
      return i;
    return cpp::infix(a, "+", i);
  };
  switch (index.kind) {
  case IndexKind::Whole:
    return i;
  case IndexKind::Point:
    return lower(index.a);
  case IndexKind::Range:
  case IndexKind::Run:
    return plus(lower(index.a));
  case IndexKind::Cyclic:
    return cpp::call("quadrille::floorMod", {plus(lower(index.a)), lower(index.c)});
  case IndexKind::Filter: {
    // The i-th block that fulfils the condition: emit a list of these blocks before the statement.
    module.usesVector = true;
    const std::string list = scoped("chosen"), binder = variableNames[index.binder];
    exprs.bind(index.binder, cpp::atom(binder));
    out.push_back(cpp::declaration("std::vector<Index>", list, nullptr));
    cpp::Body push{cpp::expression(cpp::method(cpp::atom(list), "push_back", {cpp::atom(binder)}))};
    out.push_back(cpp::forLoop(binder, lower(index.a), cpp::infix(cpp::atom(binder), "<", lower(index.b)),
                               cpp::prefix("++", cpp::atom(binder)), {cpp::ifThen(lower(index.c), std::move(push))}));
    return cpp::subscript(cpp::atom(list), i);
  }
  }
  return i;
}

/// The number of blocks (or packets) of a slice, each of which has a flag.
ExprPtr ScheduleLowering::unitCount(const Slice &slice) {
  const Buffer &buffer = *slice.buffer;
  const Index &index = buffer.isArray ? slice.blocks : slice.packets;
  if (ExprPtr count = countOf(index, exprs))
    return count;
  if (index.kind == IndexKind::Whole && !buffer.isArray)
    return exprs.lower(*buffer.parts);
  if (index.kind == IndexKind::Whole && buffer.count)
    return exprs.lower(*buffer.count);
  return cpp::method(region(slice), "count", {});
}

void ScheduleLowering::declareFlag(const Buffer &buffer, cpp::Body &out) {
  if (!fullness.flagged.contains(&buffer))
    return;
  const std::string &name = flagNames[buffer.index];
  Slice whole;
  whole.buffer = &buffer;
  const ExprPtr atBegin = buffer.presence ? presence(Fullness{Fullness::Conditional, Fullness::IsRank, buffer.presence}, whole) : nullptr;
  if (fullness.byElement) {
    module.usesPresence = true;
    if (flaggedParameters.contains(&buffer))
      return;
    out.push_back(cpp::declaration("Presence", name, nullptr));
    if (buffer.kind != BufferKind::Input)
      return;
    cpp::Stmt add = cpp::expression(cpp::method(cpp::atom(name), "add", {region(buffer)}));
    out.push_back(atBegin ? cpp::ifThen(atBegin, {std::move(add)}) : std::move(add));
    return;
  }
  if (!perBlock(buffer)) {
    ExprPtr initial = cpp::atom("false");
    if (buffer.kind == BufferKind::Input)
      initial = atBegin ? atBegin : cpp::atom("true");
    out.push_back(cpp::declaration("bool", name, initial));
    return;
  }
  module.usesVector = true;
  // std::vector<char>, not std::vector<bool>: flags are read one by one.
  out.push_back(cpp::expression(cpp::call("std::vector<char> " + name, {cpp::call("static_cast<std::size_t>", {unitCount(whole)}),
                                                                        cpp::atom(buffer.kind == BufferKind::Input ? "true" : "false")})));
}

/// Sets the flags of a slice after a write. `value`: whether something was written; null: always. If nothing was, the slice keeps
/// its old contents (`keepsOld`), or becomes empty.
void ScheduleLowering::setFlag(const Slice &slice, const ExprPtr &value, bool keepsOld, cpp::Body &out) {
  if (!fullness.flagged.contains(slice.buffer))
    return;
  if (fullness.byElement) {
    const ExprPtr there = cpp::atom(flagNames[slice.buffer->index]);
    const bool isNever = value && value->kind == cpp::ExprKind::Atom && value->text == "false";
    if (isNever && isWhole(slice) && !flaggedParameters.contains(slice.buffer))
      out.push_back(cpp::expression(cpp::method(there, "clear", {})));
    else if (!value || keepsOld) {
      cpp::Stmt add = cpp::expression(cpp::method(there, "add", {region(slice)}));
      out.push_back(value ? cpp::ifThen(value, {std::move(add)}) : std::move(add));
    } else
      out.push_back(cpp::expression(cpp::method(there, "set", {region(slice), value})));
    return;
  }
  auto set = [&](const ExprPtr &flag, cpp::Body &to) {
    if (!value)
      to.push_back(cpp::assignment(flag, cpp::atom("true")));
    else if (!keepsOld)
      to.push_back(cpp::assignment(flag, value));
    else
      to.push_back(cpp::ifThen(value, {cpp::assignment(flag, cpp::atom("true"))}));
  };
  const Index &index = slice.buffer->isArray ? slice.blocks : slice.packets;
  if (!perBlock(*slice.buffer) || index.kind == IndexKind::Point)
    return set(flagOf(slice), out);
  const std::string i = scoped("i");
  cpp::Body around, inside;
  ExprPtr unit = unitIndex(slice, cpp::atom(i), around);
  set(cpp::subscript(cpp::atom(flagNames[slice.buffer->index]), unit), inside);
  around.push_back(cpp::forLoop(i, cpp::number(0), cpp::infix(cpp::atom(i), "<", unitCount(slice)),
                                cpp::prefix("++", cpp::atom(i)), std::move(inside)));
  if (around.size() == 1)
    out.push_back(std::move(around[0]));
  else
    out.push_back(cpp::block(std::move(around)));
}

// ---- assignments ---------------------------------------------------------------------------------------------------------

static cpp::Stmt copyTo(const ExprPtr &into, const ExprPtr &from) {
  return cpp::expression(cpp::call("call.copy", {into, from}));
}

/// into := a <> b, where either operand may be empty.
void ScheduleLowering::store(const AssignedOperand &a, const AssignedOperand &b, const ExprPtr &into, cpp::Body &out) {
  auto copies = [&](const AssignedOperand &from) {
    cpp::Body body;
    if (!cpp::same(from.region, into))
      body.push_back(copyTo(into, from.region));
    return body;
  };
  if (a.absent || b.absent) {
    const AssignedOperand &only = a.absent ? b : a;
    if (only.absent)
      return;
    cpp::Body body = copies(only);
    if (only.present && !body.empty())
      out.push_back(cpp::ifThen(only.present, std::move(body)));
    else
      for (cpp::Stmt &stmt : body)
        out.push_back(std::move(stmt));
    return;
  }
  cpp::Body combine{cpp::expression(cpp::call("call.combine", {into, a.region, b.region}))};
  if (!a.present && !b.present) {
    out.push_back(std::move(combine[0]));
  } else if (!a.present || !b.present) {
    const AssignedOperand &always = a.present ? b : a;
    out.push_back(cpp::ifThen(a.present ? a.present : b.present, std::move(combine), copies(always)));
  } else if (cpp::same(a.present, b.present)) {
    out.push_back(cpp::ifThen(a.present, std::move(combine)));
  } else {
    cpp::Body onlyB = copies(b);
    cpp::Body otherwise;
    cpp::Body onlyA = copies(a);
    if (!onlyA.empty())
      otherwise.push_back(cpp::ifThen(a.present, std::move(onlyA),
                                      onlyB.empty() ? cpp::Body() : cpp::Body{cpp::ifThen(b.present, std::move(onlyB))}));
    else if (!onlyB.empty())
      otherwise.push_back(cpp::ifThen(cpp::infix(cpp::prefix("!", a.present), "&&", b.present), std::move(onlyB)));
    out.push_back(cpp::ifThen(cpp::infix(a.present, "&&", b.present), std::move(combine), std::move(otherwise)));
  }
}

static ExprPtr either(const AssignedOperand &a, const AssignedOperand &b) {
  if (a.absent)
    return b.present;
  if (b.absent)
    return a.present;
  if (!a.present || !b.present)
    return nullptr;
  return cpp::same(a.present, b.present) ? a.present : cpp::infix(a.present, "||", b.present);
}

static bool reads(const DataExpr &value, const Buffer *buffer) {
  llvm::SmallVector<const DataExpr *, 4> operands;
  operandsOf(value, operands);
  return llvm::any_of(operands, [&](const DataExpr *operand) { return operand->slice.buffer == buffer; });
}

/// The value of an expression. A leaf is used where it is; a combination is stored in `into`, which is the target itself
/// (`intoTarget`) or a scratch region. Scratch regions below `level` are in use.
AssignedOperand ScheduleLowering::evaluate(const DataExpr &value, const Slice &target, const ExprPtr &into, bool intoTarget,
                                   unsigned level, cpp::Body &out) {
  if (!value.isCombine)
    return operand(value);
  AssignedOperand right;
  if (value.right->isCombine) {
    right = evaluate(*value.right, target, scratch(target, level, into), false, level + 1, out);
    ++level;
  } else {
    right = operand(*value.right);
  }
  // An inner combination goes to the target, unless the target's old value is still to be read.
  bool blocked = intoTarget && value.left->isCombine && !value.right->isCombine && reads(*value.right, target.buffer);
  AssignedOperand left = evaluate(*value.left, target, blocked ? scratch(target, level, into) : into, intoTarget && !blocked,
                          level + blocked, out);
  store(left, right, into, out);
  AssignedOperand result;
  result.region = into;
  result.absent = left.absent && right.absent;
  result.present = either(left, right);
  result.buffer = target.buffer;
  return result;
}

/// The number of scratch regions that `evaluate` uses, including the `level` that are in use.
static unsigned scratchLevels(const DataExpr &value, const Buffer *target, bool intoTarget, unsigned level) {
  if (!value.isCombine)
    return level;
  unsigned most = level;
  if (value.right->isCombine) {
    ++level;
    most = scratchLevels(*value.right, target, false, level);
  }
  bool blocked = intoTarget && value.left->isCombine && !value.right->isCombine && reads(*value.right, target);
  return std::max(most, scratchLevels(*value.left, target, intoTarget && !blocked, level + blocked));
}

void ScheduleLowering::planScratch() {
  scratchNames.resize(schedule.buffers.size());
  visitStmts(schedule.body, [&](const Stmt &stmt) {
    const auto *assign = llvm::dyn_cast<AssignStmt>(&stmt);
    if (!assign || superfluous.contains(assign))
      return;
    const Buffer &target = *assign->target.buffer;
    std::vector<std::string> &mine = scratchNames[target.index];
    for (unsigned levels = scratchLevels(*assign->value, &target, true, 0); mine.size() < levels;)
      mine.push_back(names.settle(bufferNames[target.index] + "Scratch"));
  });
}

void ScheduleLowering::declareScratch(const Buffer &buffer, cpp::Body &out) {
  for (const std::string &name : scratchNames[buffer.index])
    out.push_back(cpp::declaration("const Region", name, cpp::call("call.temporaryLike", {region(buffer)})));
}

/// The part of a scratch region that corresponds to the target. Scratch regions have the shape of the target's whole buffer.
ExprPtr ScheduleLowering::scratch(const Slice &target, unsigned level, const ExprPtr &into) {
  const Buffer &buffer = *target.buffer;
  const std::string &name = scratchNames[buffer.index][level];
  // The same subscripts and calls, applied to the scratch region instead of the buffer.
  std::function<ExprPtr(const ExprPtr &)> replaced = [&](const ExprPtr &expr) -> ExprPtr {
    if (expr->kind == cpp::ExprKind::Atom) {
      if (expr->text == packetNames[buffer.index])
        return cpp::method(cpp::atom(name), "split", {exprs.lower(*buffer.parts)});
      if (expr->text == bufferNames[buffer.index] ||
          std::find(scratchNames[buffer.index].begin(), scratchNames[buffer.index].end(), expr->text) !=
              scratchNames[buffer.index].end())
        return cpp::atom(name);
      return expr;
    }
    std::vector<ExprPtr> operands;
    for (const ExprPtr &operand : expr->operands)
      operands.push_back(replaced(operand));
    return cpp::make(expr->kind, expr->text, std::move(operands));
  };
  return replaced(into);
}

void ScheduleLowering::lowerAssign(const AssignStmt &assign, cpp::Body &out) {
  if (superfluous.contains(&assign))
    return;
  const Buffer *target = assign.target.buffer;
  llvm::SmallVector<const DataExpr *, 4> operands;
  operandsOf(*assign.value, operands);
  if (storage[target->index].kind == Allocation::Ragged && isWhole(assign.target))
    takeLength(*target, operands, out);
  const ExprPtr into = region(assign.target);
  auto isPartly = [&](const DataExpr *operand) {
    return fullness.of(operand).kind == Fullness::Unknown && fullness.flagged.contains(operand->slice.buffer);
  };
  if (fullness.byElement && (fullness.flagged.contains(target) || llvm::any_of(operands, isPartly)))
    return lowerByElement(assign, into, out);
  AssignedOperand result = evaluate(*assign.value, assign.target, into, true, 0, out);
  if (!assign.value->isCombine)
    store(result, AssignedOperand{nullptr, nullptr, true, nullptr}, into, out);
  if (result.absent)
    setFlag(assign.target, cpp::atom("false"), false, out);
  else
    setFlag(assign.target, result.present, false, out);
}

/// Gives a buffer whose length may change the length of the value that it is set to: the length of an operand that is there.
void ScheduleLowering::takeLength(const Buffer &target, llvm::ArrayRef<const DataExpr *> operands, cpp::Body &out) {
  const ExprPtr room = cpp::atom(storage[target.index].room);
  auto like = [&](const DataExpr &operand) { return cpp::method(room, "like", {region(operand.slice)}); };
  const DataExpr *last = operands.back();
  for (const DataExpr *operand : operands)
    if (fullness.of(operand).kind == Fullness::Full)
      last = operand;
  ExprPtr taken = like(*last);
  if (fullness.of(last).kind == Fullness::Full) {
    if (last->slice.buffer == &target)
      return;
  } else {
    for (const DataExpr *operand : llvm::reverse(operands.drop_back()))
      if (fullness.of(operand).kind != Fullness::Empty)
        if (ExprPtr present = presence(fullness.of(operand), operand->slice))
          taken = cpp::conditional(present, like(*operand), taken);
  }
  out.push_back(cpp::assignment(cpp::atom(bufferNames[target.index]), taken));
}

// ---- what is there, element by element -------------------------------------------------------------------------------------

/// A pointer to the Presence of an operand, which says which elements are there.
ExprPtr ScheduleLowering::presenceOf(const DataExpr &leaf) {
  const Fullness &known = fullness.of(&leaf);
  if (known.kind == Fullness::Empty)
    return cpp::call("quadrille::nothing", {});
  if (known.kind == Fullness::Conditional)
    if (ExprPtr present = presence(known, leaf.slice))
      return cpp::conditional(present, cpp::atom("quadrille::everything"), cpp::call("quadrille::nothing", {}));
  const bool isKept = known.kind == Fullness::Unknown && fullness.flagged.contains(leaf.slice.buffer);
  return isKept ? cpp::prefix("&", cpp::atom(flagNames[leaf.slice.buffer->index])) : cpp::atom("quadrille::everything");
}

/// As `evaluate`, with a Presence for each result: the last one (`isLast`) uses the target's, others get a local one.
AssignedOperand ScheduleLowering::evaluateByElement(const DataExpr &value, const Slice &target, const ExprPtr &into, bool intoTarget,
                                            unsigned level, bool isLast, cpp::Body &out) {
  AssignedOperand result;
  result.buffer = target.buffer;
  if (!value.isCombine) {
    result.region = region(value.slice);
    result.there = presenceOf(value);
    return result;
  }
  AssignedOperand right;
  if (value.right->isCombine) {
    right = evaluateByElement(*value.right, target, scratch(target, level, into), false, level + 1, false, out);
    ++level;
  } else {
    right = evaluateByElement(*value.right, target, into, false, level, false, out);
  }
  bool blocked = intoTarget && value.left->isCombine && !value.right->isCombine && reads(*value.right, target.buffer);
  const AssignedOperand left = evaluateByElement(*value.left, target, blocked ? scratch(target, level, into) : into, intoTarget && !blocked,
                                         level + blocked, false, out);
  result.region = into;
  result.there = cpp::atom("nullptr");
  if (!isLast) {
    const std::string part = scoped("part" + std::to_string(out.size()));
    out.push_back(cpp::declaration("Presence", part, nullptr, false));
    result.there = cpp::prefix("&", cpp::atom(part));
  } else if (fullness.flagged.contains(target.buffer)) {
    result.there = cpp::prefix("&", cpp::atom(flagNames[target.buffer->index]));
  }
  out.push_back(cpp::expression(cpp::call("call.combine", {into, result.there, left.region, left.there, right.region, right.there})));
  return result;
}

void ScheduleLowering::lowerByElement(const AssignStmt &assign, const ExprPtr &into, cpp::Body &out) {
  module.usesPresence = true;
  cpp::Body body;
  const AssignedOperand result = evaluateByElement(*assign.value, assign.target, into, true, 0, true, body);
  if (!assign.value->isCombine) {
    const bool isKept = fullness.flagged.contains(assign.target.buffer);
    const ExprPtr kept = isKept ? cpp::prefix("&", cpp::atom(flagNames[assign.target.buffer->index])) : cpp::atom("nullptr");
    body.push_back(cpp::expression(cpp::call("call.copy", {into, kept, result.region, result.there})));
  }
  if (body.size() == 1)
    out.push_back(std::move(body[0]));
  else
    out.push_back(cpp::block(std::move(body)));
}

} // namespace quadrille::compiler::emit
