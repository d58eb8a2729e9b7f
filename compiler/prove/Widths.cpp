//===- Widths.cpp - Whether numbers fit in 64 bits --------------------------------------------------------------------------===//

#include "WidthsWalk.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SaveAndRestore.h"

namespace quadrille::prove {

namespace widths {

/// As written, on one line; empty if that is long.
std::string shortText(llvm::SMRange range) {
  if (!range.isValid())
    return {};
  std::string result;
  for (const char *c = range.Start.getPointer(); c != range.End.getPointer() && result.size() <= 60; ++c)
    if (!llvm::isSpace(*c))
      result += *c;
    else if (!result.empty() && result.back() != ' ')
      result += ' ';
  return result.size() > 60 ? std::string() : result;
}

// ---- expressions ---------------------------------------------------------------------------------------------------------

Interval Widths::of(const ir::Expr &expr, const Frame &frame) {
  // Functions that call one another several times are followed as often as that.
  constexpr unsigned maxSteps = 1000000;
  if (++steps > maxSteps)
    throw Found{{"how large numbers become, as functions are called too often to follow them", expr.range}};
  const Interval result = operation(expr, frame);
  if (!(result.magnitude() < tooWide)) {
    const std::string text = shortText(expr.range);
    throw Found{{text.empty() ? "whether this number fits in 64 bits" : "whether `" + text + "` fits in 64 bits", expr.range}};
  }
  return result;
}

Interval Widths::operation(const ir::Expr &expr, const Frame &frame) {
  using ir::Op;
  auto operand = [&](unsigned i) { return of(*expr.operands[i], frame); };
  switch (expr.op) {
  case Op::Constant: {
    if (expr.value == ir::none)
      return {};
    const auto value = static_cast<long double>(expr.value);
    return {value, value};
  }
  case Op::Variable:
    return frame[expr.variable];
  case Op::Select: {
    const ir::Expr &condition = *expr.operands[0];
    of(condition, frame);
    const Interval yes = of(*expr.operands[1], where(condition, true, frame));
    return join(yes, of(*expr.operands[2], where(condition, false, frame)));
  }
  case Op::And:
  case Op::Or:
    operand(0);
    of(*expr.operands[1], where(*expr.operands[0], expr.op == Op::And, frame));
    return truth;
  case Op::Call:
    return call(expr, frame);
  case Op::BuildTree: {
    std::vector<Interval> arguments;
    for (const ir::Expr *argument : expr.operands)
      arguments.push_back(of(*argument, frame));
    tree(*expr.tree, arguments);
    return {};
  }
  case Op::TreeField:
  case Op::Element:
    for (const ir::Expr *argument : expr.operands)
      of(*argument, frame);
    return count;
  default:
    if (ir::isCostOnly(expr.op))
      return {};
    break;
  }
  const Interval a = operand(0);
  auto log = [](long double x) { return x <= 1 ? 0 : std::log2(x); };
  switch (expr.op) {
  case Op::Negate:
    return {-a.hi, -a.lo};
  case Op::Absolute:
    return {std::max({0.0L, a.lo, -a.hi}), a.magnitude()};
  case Op::Not:
  case Op::IsPow2:
  case Op::IsEven:
  case Op::IsOdd:
    return truth;
  case Op::Log2:
  case Op::FloorLog2:
    return {std::floor(log(a.lo)), std::floor(log(a.hi))};
  case Op::CeilLog2:
    return {std::ceil(log(a.lo)), std::ceil(log(a.hi))};
  case Op::TrailingZeros:
    return {0, std::floor(log(a.magnitude()))};
  case Op::SquareRoot:
    return {0, std::sqrt(std::max(0.0L, a.hi))};
  default:
    break;
  }
  const Interval b = operand(1);
  switch (expr.op) {
  case Op::Add:
    return {a.lo + b.lo, a.hi + b.hi};
  case Op::Subtract:
    return {a.lo - b.hi, a.hi - b.lo};
  case Op::Multiply:
    return product(a, b);
  case Op::Divide: {
    // Rounded down. A divisor is at least 1, or there is no value.
    const long double least = std::max(1.0L, b.lo), most = std::max(1.0L, b.hi);
    return {std::floor(a.lo < 0 ? a.lo / least : a.lo / most), std::max(0.0L, std::floor(a.hi / least))};
  }
  case Op::Modulo: {
    const long double most = std::max(0.0L, b.hi - 1);
    return {0, a.lo >= 0 ? std::min(a.hi, most) : most};
  }
  case Op::Power: {
    if (b.hi <= 0)
      return {1, 1};
    const long double most = std::max(1.0L, std::pow(a.magnitude(), b.hi));
    if (a.lo >= 1)
      return {std::pow(a.lo, std::max(0.0L, b.lo)), most};
    return {a.lo < 0 ? -most : 0, most};
  }
  case Op::ShiftLeft:
    return product(a, {std::exp2(std::max(0.0L, b.lo)), std::exp2(std::max(0.0L, b.hi))});
  case Op::ShiftRight:
    return {std::min(0.0L, a.lo), std::max(0.0L, a.hi)};
  case Op::BitAnd:
    if (a.lo >= 0 || b.lo >= 0)
      return {0, a.lo < 0 ? b.hi : b.lo < 0 ? a.hi : std::min(a.hi, b.hi)};
    [[fallthrough]];
  case Op::BitOr:
  case Op::BitXor: {
    const long double most = filled(std::max(a.magnitude(), b.magnitude()));
    return {a.lo < 0 || b.lo < 0 ? -most - 1 : 0, most};
  }
  case Op::Bit:
  case Op::Equal:
  case Op::NotEqual:
  case Op::Less:
  case Op::LessEqual:
    return truth;
  case Op::Minimum:
    return {std::min(a.lo, b.lo), std::min(a.hi, b.hi)};
  case Op::Maximum:
    return {std::max(a.lo, b.lo), std::max(a.hi, b.hi)};
  default:
    return {-std::numeric_limits<long double>::infinity(), std::numeric_limits<long double>::infinity()};
  }
}

Interval Widths::call(const ir::Expr &expr, const Frame &frame) {
  const ir::Function &function = *expr.function;
  Frame inner(function.variables.size());
  for (size_t i = 0; i < expr.operands.size(); ++i)
    inner[i] = of(*expr.operands[i], frame);
  // Where it is called with such arguments, by itself too, the value is within the bound.
  std::optional<Interval> bound;
  const bool callsItself = llvm::is_contained(calls, &function);
  if (auto known = bounded.find(&function); known != bounded.end()) {
    const ArgumentBound &shown = known->second;
    bool applies = true;
    for (size_t i = 0; i < shown.least.size(); ++i)
      applies &= inner[i].lo >= static_cast<long double>(shown.least[i]);
    const bool isInherited = !applies && callsItself && isWithinBound.lookup(&function);
    if (applies || isInherited)
      bound = Interval{0, std::max(1.0L, inner[shown.argument].hi)};
    inherited += isInherited;
  }
  if (callsItself)
    return bound.value_or(anyNumber);
  if (auto known = results.find({&function, inner}); known != results.end())
    return known->second;
  calls.push_back(&function);
  isWithinBound[&function] = bound.has_value();
  const unsigned before = inherited;
  Interval result = of(*function.body, inner);
  calls.pop_back();
  if (bound)
    result = {std::max(result.lo, bound->lo), std::max(bound->lo, std::min(result.hi, bound->hi))};
  if (inherited == before || calls.empty()) // else it depends on who calls
    results[{&function, inner}] = result;
  return result;
}

/// The rules of a tree, for all ranks and parameters, and those that it is built with, which may be larger. What its rules
/// build parts with is as small as ranks.
void Widths::tree(const ir::Tree &tree, llvm::ArrayRef<Interval> arguments) {
  Frame frame(tree.variables.size(), count);
  for (size_t i = 0; i < std::min(arguments.size(), frame.size()) && !inTree; ++i)
    frame[i] = join(count, arguments[i]);
  if (!seenTrees.insert({&tree, frame}).second)
    return;
  const llvm::SaveAndRestore inside(inTree, true);
  for (const ir::Expr *rule : {tree.root, tree.parent, tree.left, tree.right})
    visit(rule, frame);
  for (const ir::Expr *preset : tree.presets)
    visit(preset, frame);
}

/// What is known of variables where the condition holds, or does not.
Widths::Frame Widths::where(const ir::Expr &condition, bool holds, Frame frame) {
  using ir::Op;
  switch (condition.op) {
  case Op::Not:
    return where(*condition.operands[0], !holds, std::move(frame));
  case Op::And:
  case Op::Or:
    if (holds != (condition.op == Op::And))
      return frame;
    return where(*condition.operands[1], holds, where(*condition.operands[0], holds, std::move(frame)));
  case Op::Equal:
  case Op::Less:
  case Op::LessEqual:
    break;
  default:
    return frame;
  }
  if (condition.op == Op::Equal && !holds)
    return frame;
  const ir::Expr *left = condition.operands[0], *right = condition.operands[1];
  if (left->mayBeNone || right->mayBeNone)
    return frame;
  bool isStrict = condition.op == Op::Less;
  if (!holds) { // not a < b: b <= a
    std::swap(left, right);
    isStrict = !isStrict;
  }
  const Interval a = of(*left, frame), b = of(*right, frame);
  auto narrow = [&](const ir::Expr &variable, Interval to) {
    if (variable.op != Op::Variable)
      return;
    Interval &known = frame[variable.variable];
    const Interval both{std::max(known.lo, to.lo), std::min(known.hi, to.hi)};
    if (both.lo <= both.hi) // else nothing gets there
      known = both;
  };
  const long double step = isStrict ? 1 : 0;
  if (condition.op == Op::Equal) {
    narrow(*left, b);
    narrow(*right, a);
  } else {
    narrow(*left, {a.lo, b.hi - step});
    narrow(*right, {a.lo + step, b.hi});
  }
  return frame;
}

// ---- data ------------------------------------------------------------------------------------------------------------------

void Widths::index(const ir::Index &index, Frame &frame) {
  const Interval a = index.a ? of(*index.a, frame) : Interval{}, b = index.b ? of(*index.b, frame) : Interval{};
  if (index.kind == ir::IndexKind::Filter)
    frame[index.binder] = {a.lo, std::max(a.lo, b.hi - 1)};
  visit(index.c, frame);
}

void Widths::slice(const ir::Slice &slice, Frame &frame) {
  index(slice.blocks, frame);
  index(slice.packets, frame);
}

void Widths::data(const ir::DataExpr &data, Frame &frame) {
  if (!data.isCombine)
    return slice(data.slice, frame);
  this->data(*data.left, frame);
  this->data(*data.right, frame);
}

void Widths::length(const ir::LengthOf &length, Frame frame) {
  if (length.binder)
    frame[*length.binder] = count;
  for (const ir::Expr *index : length.indices)
    visit(index, frame);
  visit(length.parts, frame);
  visit(length.part, frame);
}

void Widths::buffer(const ir::Buffer &buffer, Frame &frame) {
  visit(buffer.count, frame);
  visit(buffer.presence, frame);
  visit(buffer.parts, frame);
  if (buffer.length)
    length(*buffer.length, frame);
  if (buffer.like)
    slice(*buffer.like, frame);
}

void Widths::clock(const ir::Clock *clock, Frame frame) {
  if (!clock)
    return;
  frame[clock->sender] = frame[clock->receiver] = count;
  for (const ir::Expr *time : clock->times)
    visit(time, frame);
}

// ---- statements --------------------------------------------------------------------------------------------------------------

void Widths::invariant(const ir::Invariant &stated, Frame frame) {
  for (std::optional<unsigned> variable : {stated.blockVariable, stated.packetVariable, stated.holder})
    if (variable)
      frame[*variable] = count;
  visit(stated.condition, frame);
  if (stated.isFold)
    frame[stated.binder] = count;
  for (const ir::Expr *part : {stated.rank, stated.index, stated.lo, stated.hi})
    visit(part, frame);
}

void Widths::loop(const ir::ForStmt &stmt, Frame &frame) {
  const Interval lo = stmt.lo ? of(*stmt.lo, frame) : Interval{}, hi = stmt.hi ? of(*stmt.hi, frame) : Interval{};
  const Interval factor = stmt.factor ? of(*stmt.factor, frame) : Interval{1, 1};
  visit(stmt.tree, frame);
  Interval inside, after, secondInside, secondAfter; // in the body, and beyond the last iteration
  switch (stmt.loop) {
  case ir::LoopKind::Ascending:
    inside = {lo.lo, std::max(lo.lo, hi.hi - 1)};
    after = {lo.lo, std::max(lo.hi, hi.hi - 1) + factor.hi};
    break;
  case ir::LoopKind::Times:
    inside = {lo.lo, std::max(lo.lo, hi.hi - 1)};
    after = join({lo.lo, lo.hi}, product(inside, join({1, 1}, factor)));
    break;
  case ir::LoopKind::Descending:
    inside = {std::min(lo.lo, hi.hi), hi.hi};
    after = {std::min(lo.lo, hi.lo) - factor.hi, hi.hi};
    break;
  case ir::LoopKind::Half:
    inside = {std::min(lo.lo, hi.hi), hi.hi};
    after = join({0, 0}, hi);
    break;
  case ir::LoopKind::Halvings:
  case ir::LoopKind::HalvingsReversed:
    inside = after = {std::min(0.0L, hi.lo), std::max(0.0L, std::floor((hi.hi + 1) / 2))};
    secondInside = secondAfter = join({0, 0}, hi);
    if (stmt.loop == ir::LoopKind::HalvingsReversed)
      after = secondInside;
    break;
  case ir::LoopKind::Others:
  case ir::LoopKind::Children:
    inside = after = count;
    break;
  }
  const bool hasSecond = stmt.loop == ir::LoopKind::Halvings || stmt.loop == ir::LoopKind::HalvingsReversed;
  auto set = [&](Interval first, Interval second) {
    frame[stmt.variable] = first;
    if (hasSecond)
      frame[stmt.second] = second;
  };
  set(join(inside, after), join(secondInside, secondAfter));
  for (const ir::Invariant &stated : stmt.invariants)
    invariant(stated, frame);
  set(inside, secondInside);
  body(stmt.body, frame);
}

void Widths::use(const ir::UseStmt &stmt, Frame &frame) {
  if (stmt.member) {
    const Interval lo = of(*stmt.lo, frame), hi = of(*stmt.hi, frame);
    frame[stmt.binder] = {lo.lo, std::max(lo.lo, hi.hi - 1)};
    visit(stmt.member, frame);
  }
  for (const auto *slices : {&stmt.inputs, &stmt.outputs})
    for (const ir::Slice &part : *slices)
      slice(part, frame);
  clock(stmt.clock, frame);
  std::vector<Interval> numbers;
  for (const ir::Expr *number : stmt.numbers)
    numbers.push_back(of(*number, frame));
  schedule(*stmt.callee, numbers);
}

void Widths::statement(const ir::Stmt &stmt, Frame &frame) {
  switch (stmt.kind) {
  case ir::StmtKind::Let: {
    const auto &let = llvm::cast<ir::LetStmt>(stmt);
    frame[let.variable] = of(*let.value, frame);
    return;
  }
  case ir::StmtKind::Declare:
    return buffer(*llvm::cast<ir::DeclareStmt>(stmt).buffer, frame);
  case ir::StmtKind::Assign: {
    const auto &assign = llvm::cast<ir::AssignStmt>(stmt);
    slice(assign.target, frame);
    return data(*assign.value, frame);
  }
  case ir::StmtKind::Transfer: {
    const auto &transfer = llvm::cast<ir::TransferStmt>(stmt);
    if (transfer.message)
      slice(*transfer.message, frame);
    visit(transfer.peer, frame);
    return clock(transfer.clock, frame);
  }
  case ir::StmtKind::Step:
    return body(llvm::cast<ir::StepStmt>(stmt).body, frame);
  case ir::StmtKind::If: {
    const auto &branch = llvm::cast<ir::IfStmt>(stmt);
    of(*branch.condition, frame);
    Frame yes = where(*branch.condition, true, frame), no = where(*branch.condition, false, frame);
    body(branch.yes, yes);
    return body(branch.no, no);
  }
  case ir::StmtKind::For:
    return loop(llvm::cast<ir::ForStmt>(stmt), frame);
  case ir::StmtKind::Use:
    return use(llvm::cast<ir::UseStmt>(stmt), frame);
  }
}

void Widths::body(const ir::Body &statements, Frame &frame) {
  for (const auto &stmt : statements)
    statement(*stmt, frame);
}

/// What the collective says, in its own variables.
void Widths::collective(const ir::Schedule &schedule, const std::vector<Interval> &numbers) {
  const ir::Collective &collective = *schedule.collective;
  Frame frame(collective.variables.size(), count); // ranks and blocks, whatever it names
  frame[0] = {1, largest};
  for (unsigned i = 0; i < collective.numberCount; ++i)
    frame[1 + i] = numbers[schedule.parameterCount + i];
  for (const auto *params : {&collective.inputs, &collective.outputs})
    for (const ir::CollectiveParam &param : *params) {
      for (const ir::Expr *extent : param.extents)
        visit(extent, frame);
      visit(param.count, frame);
      visit(param.presence, frame);
      if (param.length)
        length(*param.length, frame);
    }
  for (const ir::Promise &promise : collective.promises)
    for (const ir::Expr *part : {promise.rank, promise.index, promise.condition, promise.term.lo, promise.term.hi,
                                 promise.term.rank, promise.term.index, promise.term.condition})
      visit(part, frame);
}

void Widths::schedule(const ir::Schedule &schedule, std::vector<Interval> numbers) {
  if (!seenSchedules.try_emplace({&schedule, numbers}, true).second)
    return;
  collective(schedule, numbers);
  Frame frame(schedule.variables.size());
  frame[ir::Schedule::variableP] = {1, largest};
  frame[ir::Schedule::variableMe] = {0, largest - 1};
  llvm::copy(numbers, frame.begin() + ir::Schedule::firstNumber);
  for (const ir::Requirement &requirement : schedule.requirements) {
    visit(requirement.condition, frame);
    frame = where(*requirement.condition, true, std::move(frame));
  }
  visit(schedule.origin, frame);
  if (schedule.model)
    visit(schedule.model->ports, frame);
  for (const ir::Table &table : schedule.tables)
    for (const ir::Expr *extent : table.extents)
      visit(extent, frame);
  for (const auto *buffers : {&schedule.inputs, &schedule.outputs})
    for (const ir::Buffer *parameter : *buffers)
      buffer(*parameter, frame);
  // Lets at the top are known in clauses.
  body(schedule.body, frame);
  for (const auto *claim : {&schedule.cost, &schedule.rounds})
    if (*claim)
      clause(*(*claim)->formula, frame);
}

} // namespace widths

std::optional<NotModelled> firstThatMayOverflow(const ir::Schedule &schedule, const ArgumentBounds &bounded) {
  using namespace widths;
  try {
    Widths(bounded).schedule(schedule, std::vector<Interval>(schedule.numberCount, count));
  } catch (const Found &found) {
    return found.gap;
  }
  return std::nullopt;
}

} // namespace quadrille::prove
