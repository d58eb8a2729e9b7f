//===- IrToCppData.cpp - Slices, assignments and which of their operands are there ----------------------------------------===//

#include "IrToCpp.h"

#include "Queries.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

namespace quadrille::emit {

using namespace ir;
using cpp::ExprPtr;

// ---- regions -------------------------------------------------------------------------------------------------------------

ExprPtr ScheduleLowering::region(const Buffer &buffer) {
  const Storage &kept = storage[buffer.index];
  if (kept.kind == Storage::View && !viewDeclared[buffer.index])
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

/// The number of blocks (or packets) of a slice, as text; null if only the region itself knows.
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
    // Only buffers with a flag are asked; a copy to one without shows nothing of what it copied.
    return fullness.flagged.contains(slice.buffer) ? flagOf(slice) : nullptr;
  }
  return nullptr;
}

Operand ScheduleLowering::operand(const DataExpr &leaf) {
  Operand result;
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
    return isUsersFlag(*slice.buffer) ? cpp::prefix("*", flag) : flag;
  cpp::Body none;
  return cpp::subscript(flag, unitIndex(slice, cpp::number(0), none));
}

/// The number of the i-th block (or packet) of a slice among those that have a flag.
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
    // The i-th that fulfils the condition: the list of them is made on the spot.
    module.usesVector = true;
    const auto lists = llvm::count_if(out, [](const cpp::Stmt &stmt) { return stmt.type == "std::vector<Index>"; });
    const std::string list = scoped(lists ? "chosen" + std::to_string(lists + 1) : "chosen"), binder = variableNames[index.binder];
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

/// How many blocks (or packets) with flags of their own a slice has.
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
  if (isUsersFlag(buffer))
    return;
  if (flaggedParameters.contains(&buffer)) {
    module.usesVector = true;
    out.push_back(cpp::expression(cpp::call("std::vector<char> " + name, {cpp::call("static_cast<std::size_t>", {unitCount(whole)}),
                                                                          cpp::prefix("*", cpp::atom(scoped(name + "All")))})));
    return;
  }
  const bool isPassed = fullness.passed.contains(&buffer);
  if (!perBlock(buffer)) {
    ExprPtr initial = cpp::atom("false");
    if (buffer.kind == BufferKind::Input) {
      Fullness present = buffer.presence ? Fullness{Fullness::Conditional, Fullness::IsRank, buffer.presence}
                                         : Fullness{Fullness::Full};
      initial = buffer.presence ? presence(present, whole) : cpp::atom("true");
    }
    out.push_back(cpp::declaration(isPassed ? "char" : "bool", name, initial));
    return;
  }
  module.usesVector = true;
  // A vector of bytes, not of bits: flags are read one by one.
  out.push_back(cpp::expression(cpp::call("std::vector<char> " + name, {cpp::call("static_cast<std::size_t>", {unitCount(whole)}),
                                                                        cpp::atom(buffer.kind == BufferKind::Input ? "true" : "false")})));
}

/// `value`: whether what has been written to the slice is there; null: it is. `keepsOld`: else nothing was written.
void ScheduleLowering::setFlag(const Slice &slice, const ExprPtr &value, bool keepsOld, cpp::Body &out) {
  if (!fullness.flagged.contains(slice.buffer))
    return;
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

// ---- flags that a user and a used schedule share ---------------------------------------------------------------------------
//
// What is passed points to the flag of a block, or to those of an array's blocks, one after the other. Where one of the two
// schedules takes the block apart and the other does not, the one flag is copied to all packets, and afterwards gathered from
// them.

/// Whether the user's flags are worked on themselves.
bool ScheduleLowering::isUsersFlag(const Buffer &buffer) const {
  auto found = flaggedParameters.find(&buffer);
  return found != flaggedParameters.end() && (buffer.isArray || !buffer.parts || found->second == ParameterFlags::Packets);
}

/// `into` is set if all of `count` flags are.
static void gatherFlags(const ExprPtr &into, const ExprPtr &flags, const ExprPtr &count, const std::string &i, cpp::Body &out) {
  const ExprPtr flag = cpp::subscript(flags, cpp::atom(i));
  out.push_back(cpp::assignment(into, cpp::atom("true")));
  out.push_back(cpp::forLoop(i, cpp::number(0), cpp::infix(cpp::atom(i), "<", count), cpp::prefix("++", cpp::atom(i)),
                             {cpp::assignment(into, cpp::infix(into, "&&", flag))}));
}

/// At the end: what the user is told of a block that has been taken apart here only.
void ScheduleLowering::returnFlag(const Buffer &buffer, cpp::Body &out) {
  if (!flaggedParameters.contains(&buffer) || isUsersFlag(buffer))
    return;
  Slice whole;
  whole.buffer = &buffer;
  const ExprPtr flags = cpp::atom(flagNames[buffer.index]), flag = cpp::prefix("*", cpp::atom(scoped(flagNames[buffer.index] + "All")));
  const std::string i = scoped("i");
  gatherFlags(flag, flags, unitCount(whole), i, out);
  // The user knows no packets: of these either all are there or none is.
  const std::string text = "some packets of `" + buffer.name + "` are there and others not, in a schedule that does not take it apart";
  cpp::Body refuse{cpp::returns(cpp::call("Status", {cpp::atom("quadrille::ErrorCode::BadParameter"), cpp::atom("\"" + text + "\"")}))};
  out.push_back(cpp::forLoop(i, cpp::number(0), cpp::infix(cpp::atom(i), "<", unitCount(whole)), cpp::prefix("++", cpp::atom(i)),
                             {cpp::ifThen(cpp::infix(cpp::subscript(flags, cpp::atom(i)), "!=", flag), std::move(refuse))}));
}

/// The flags of a slice for a parameter of a used schedule. `before` and `after` the call goes what makes them of others.
ExprPtr ScheduleLowering::passFlag(const Slice &slice, const Buffer &parameter, ParameterFlags wanted, cpp::Body &before, cpp::Body &after) {
  const Buffer &buffer = *slice.buffer;
  const ExprPtr flag = cpp::atom(flagNames[buffer.index]);
  if (!perBlock(buffer))
    return isUsersFlag(buffer) ? flag : cpp::prefix("&", flag);
  const ExprPtr base = isUsersFlag(buffer) ? flag : cpp::method(flag, "data", {});
  const bool fromPackets = !buffer.isArray && slice.packets.kind == IndexKind::Whole && !parameter.isArray && wanted == ParameterFlags::Blocks;
  const bool intoPackets = buffer.isArray && parameter.isArray && slice.packets.kind != IndexKind::Whole;
  cpp::Body none;
  const ExprPtr start = unitIndex(slice, cpp::number(0), none);
  if (!fromPackets && !intoPackets)
    return start->kind == cpp::ExprKind::Atom && start->text == "0" ? base : cpp::infix(base, "+", start);
  const std::string own = scoped(after.empty() ? "flags" : "flags" + std::to_string(after.size())), i = scoped("i");
  if (fromPackets) {
    const ExprPtr count = unitCount(slice);
    before.push_back(cpp::declaration("char", own, cpp::atom("true"), false));
    gatherFlags(cpp::atom(own), flag, count, i, before);
    after.push_back(cpp::forLoop(i, cpp::number(0), cpp::infix(cpp::atom(i), "<", count), cpp::prefix("++", cpp::atom(i)),
                                 {cpp::assignment(cpp::subscript(flag, cpp::atom(i)), cpp::atom(own))}));
    return cpp::prefix("&", cpp::atom(own));
  }
  module.usesVector = true;
  const ExprPtr one = cpp::subscript(flag, start), count = blockCount(slice);
  before.push_back(cpp::expression(cpp::call("std::vector<char> " + own, {cpp::call("static_cast<std::size_t>", {count}), one})));
  gatherFlags(one, cpp::atom(own), count, i, after);
  return cpp::method(cpp::atom(own), "data", {});
}

// ---- assignments ---------------------------------------------------------------------------------------------------------

static cpp::Stmt copyTo(const ExprPtr &into, const ExprPtr &from) {
  return cpp::expression(cpp::call("call.copy", {into, from}));
}

/// into := a <> b, where either may be missing.
void ScheduleLowering::store(const Operand &a, const Operand &b, const ExprPtr &into, cpp::Body &out) {
  auto copies = [&](const Operand &from) {
    cpp::Body body;
    if (!cpp::same(from.region, into))
      body.push_back(copyTo(into, from.region));
    return body;
  };
  if (a.absent || b.absent) {
    const Operand &only = a.absent ? b : a;
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
    const Operand &always = a.present ? b : a;
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

static ExprPtr either(const Operand &a, const Operand &b) {
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

/// The value of an expression: a leaf as it is, a combination stored in `into`, which is the target itself or a scratch
/// region. Scratch regions below `level` are in use.
Operand ScheduleLowering::evaluate(const DataExpr &value, const Slice &target, const ExprPtr &into, bool intoTarget,
                                   unsigned level, cpp::Body &out,
                                   const std::function<Operand(const DataExpr &)> &leaf) {
  if (!value.isCombine)
    return leaf(value);
  Operand right;
  if (value.right->isCombine) {
    right = evaluate(*value.right, target, scratch(target, level, into), false, level + 1, out, leaf);
    ++level;
  } else {
    right = leaf(*value.right);
  }
  // An inner combination goes to the target unless what stands there is still to be read.
  bool blocked = intoTarget && value.left->isCombine && !value.right->isCombine && reads(*value.right, target.buffer);
  Operand left = evaluate(*value.left, target, blocked ? scratch(target, level, into) : into, intoTarget && !blocked,
                          level + blocked, out, leaf);
  store(left, right, into, out);
  Operand result;
  result.region = into;
  result.absent = left.absent && right.absent;
  result.present = either(left, right);
  result.buffer = target.buffer;
  return result;
}

/// How many scratch regions `evaluate` takes.
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

/// The part of a scratch region that corresponds to the target. It has the shape of the target's whole buffer.
ExprPtr ScheduleLowering::scratch(const Slice &target, unsigned level, const ExprPtr &into) {
  const Buffer &buffer = *target.buffer;
  const std::string &name = scratchNames[buffer.index][level];
  // The same path from the base to the part.
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
  auto hasBlockFlags = [&](const Buffer *buffer) { return fullness.flagged.contains(buffer) && perBlock(*buffer); };
  bool blockwise = llvm::any_of(operands, [&](const DataExpr *operand) {
    const Index &index = operand->slice.buffer->isArray ? operand->slice.blocks : operand->slice.packets;
    return hasBlockFlags(operand->slice.buffer) && fullness.of(operand).kind == Fullness::Unknown &&
           index.kind != IndexKind::Point;
  });
  if (blockwise)
    return lowerBlockwise(assign, out);

  if (storage[target->index].kind == Storage::Ragged && isWhole(assign.target))
    takeLength(*target, operands, out);
  const ExprPtr into = region(assign.target);
  Operand result = evaluate(*assign.value, assign.target, into, true, 0, out, [&](const DataExpr &leaf) { return operand(leaf); });
  if (!assign.value->isCombine)
    store(result, Operand{nullptr, nullptr, true, nullptr}, into, out);
  if (result.absent)
    setFlag(assign.target, cpp::atom("false"), false, out);
  else
    setFlag(assign.target, result.present, false, out);
}

/// A buffer whose length changes takes that of what it is set to: of an operand that is there.
void ScheduleLowering::takeLength(const Buffer &target, llvm::ArrayRef<const DataExpr *> operands, cpp::Body &out) {
  auto elements = [&](const DataExpr &operand) { return cpp::method(region(operand.slice), "elements", {}); };
  const DataExpr *last = operands.back();
  for (const DataExpr *operand : operands)
    if (fullness.of(operand).kind == Fullness::Full)
      last = operand;
  ExprPtr length = elements(*last);
  if (fullness.of(last).kind == Fullness::Full) {
    if (last->slice.buffer == &target)
      return;
  } else {
    for (const DataExpr *operand : llvm::reverse(operands.drop_back()))
      if (fullness.of(operand).kind != Fullness::Empty)
        if (ExprPtr present = presence(fullness.of(operand), operand->slice))
          length = cpp::conditional(present, elements(*operand), length);
  }
  module.usesFirst = true;
  out.push_back(cpp::assignment(cpp::atom(bufferNames[target.index]),
                                cpp::call("first", {cpp::atom(storage[target.index].room), length})));
}

/// Some blocks, or packets of one, may be there and others not: one after the other.
void ScheduleLowering::lowerBlockwise(const AssignStmt &assign, cpp::Body &out) {
  const std::string i = scoped("i");
  cpp::Body around, inside;
  llvm::SmallVector<const DataExpr *, 4> operands;
  operandsOf(*assign.value, operands);
  // A block that is not split in the schedule meets packets of others.
  const Slice *units = perBlock(*assign.target.buffer) ? &assign.target : nullptr;
  for (const DataExpr *operand : operands)
    if (!units && perBlock(*operand->slice.buffer))
      units = &operand->slice;
  // Lists of chosen blocks are written down once.
  llvm::SmallVector<std::pair<const Index *, ExprPtr>, 4> numbered;
  auto unit = [&](const Slice &slice) {
    const Index &index = slice.buffer->isArray ? slice.blocks : slice.packets;
    auto found = llvm::find_if(numbered, [&](const auto &other) { return sameIndex(*other.first, index); });
    return found == numbered.end() ? numbered.emplace_back(&index, unitIndex(slice, cpp::atom(i), around)).second : found->second;
  };
  auto at = [&](const Slice &slice, ExprPtr all) {
    if (!perBlock(*slice.buffer))
      return cpp::subscript(units->buffer->isArray ? all : cpp::method(all, "split", {exprs.lower(*units->buffer->parts)}), cpp::atom(i));
    return cpp::subscript(all, unit(slice));
  };
  auto allOf = [&](const Slice &slice) {
    const Buffer &buffer = *slice.buffer;
    return buffer.isArray ? region(buffer) : buffer.parts ? packets(buffer) : region(slice);
  };
  const ExprPtr into = at(assign.target, allOf(assign.target));
  // What is read at other places than it becomes is kept first.
  const Buffer &target = *assign.target.buffer;
  auto isOverwritten = [&](const Slice &from) {
    return from.buffer == &target && !sameSlice(from, assign.target) && !disjoint(from, assign.target);
  };
  const std::string kept = bufferNames[target.index] + "Before", keptFlags = flagNames[target.index] + "Before";
  if (llvm::any_of(operands, [&](const DataExpr *operand) { return isOverwritten(operand->slice); })) {
    around.push_back(cpp::declaration("const Region", scoped(kept), cpp::call("call.temporaryLike", {region(target)})));
    around.push_back(copyTo(cpp::atom(scoped(kept)), region(target)));
    if (fullness.flagged.contains(&target)) {
      module.usesVector = true;
      Slice whole;
      whole.buffer = &target;
      const ExprPtr flags = cpp::atom(flagNames[target.index]), begin = isUsersFlag(target) ? flags : cpp::method(flags, "data", {});
      around.push_back(cpp::expression(cpp::call("const std::vector<char> " + scoped(keptFlags), {begin, cpp::infix(begin, "+", unitCount(whole))})));
    }
  }
  auto leaf = [&](const DataExpr &value) {
    Operand result;
    Fullness known = fullness.of(&value);
    result.buffer = value.slice.buffer;
    result.absent = known.kind == Fullness::Empty;
    if (result.absent)
      return result;
    const bool isKept = isOverwritten(value.slice);
    const ExprPtr copy = cpp::atom(isKept ? scoped(kept) : "");
    result.region = at(value.slice, !isKept ? allOf(value.slice) : target.isArray ? copy : cpp::method(copy, "split", {exprs.lower(*target.parts)}));
    if (known.kind == Fullness::Unknown && fullness.flagged.contains(value.slice.buffer) && perBlock(*value.slice.buffer))
      result.present = cpp::subscript(cpp::atom(isKept ? scoped(keptFlags) : flagNames[value.slice.buffer->index]), unit(value.slice));
    else
      result.present = presence(known, value.slice);
    return result;
  };
  Operand result = evaluate(*assign.value, assign.target, into, true, 0, inside, leaf);
  if (!assign.value->isCombine)
    store(result, Operand{nullptr, nullptr, true, nullptr}, into, inside);
  const bool isFlagged = fullness.flagged.contains(assign.target.buffer);
  const ExprPtr present = result.present ? result.present : cpp::atom(result.absent ? "false" : "true");
  const std::string all = scoped("allThere");
  if (isFlagged && perBlock(*assign.target.buffer)) {
    inside.push_back(cpp::assignment(cpp::subscript(cpp::atom(flagNames[assign.target.buffer->index]), into->operands[1]), present));
  } else if (isFlagged) {
    around.push_back(cpp::declaration("bool", all, cpp::atom("true"), false));
    inside.push_back(cpp::assignment(cpp::atom(all), cpp::infix(cpp::atom(all), "&&", present)));
  }
  around.push_back(cpp::forLoop(i, cpp::number(0), cpp::infix(cpp::atom(i), "<", unitCount(*units)),
                                cpp::prefix("++", cpp::atom(i)), std::move(inside)));
  if (isFlagged && !perBlock(*assign.target.buffer))
    around.push_back(cpp::assignment(flagOf(assign.target), cpp::atom(all)));
  if (around.size() == 1)
    out.push_back(std::move(around[0]));
  else
    out.push_back(cpp::block(std::move(around)));
}

} // namespace quadrille::emit
