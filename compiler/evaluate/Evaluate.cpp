//===- Evaluate.cpp - Evaluation of expressions for one rank ----------------------------------------------------------===//

#include "Evaluate.h"

#include "Work.h"

#include "arithmetic/Checked.h"
#include "ir/Operations.h"
#include "limits/Limits.h"

#include <cassert>

namespace quadrille::compiler {

using ir::Op;

// ---- expressions -------------------------------------------------------------------------------------------------------

namespace {
std::string textOf(llvm::SMRange range) { return std::string(range.Start.getPointer(), range.End.getPointer()); }

std::int64_t number(const ir::Expr &operand, const Frame &frame, unsigned callDepth) {
  std::int64_t value = evaluate(operand, frame, callDepth);
  if (value == ir::none)
    throw EvaluationError{operand.range, diag::ArithmeticOnNone{}};
  return value;
}

/// The operand that must not be negative.
diag::NonNegative argumentOf(Op op) {
  switch (op) {
  case Op::SquareRoot:
    return diag::NonNegativeSquareRoot{};
  case Op::Power:
    return diag::NonNegativeExponent{};
  case Op::Bit:
    return diag::NonNegativeBit{};
  default:
    return diag::NonNegativeShift{};
  }
}

/// Throws EvaluationError for an operation without value. `last`: its only or second operand.
[[noreturn]] void fail(const ir::Expr &expr, arithmetic::Fault fault, std::int64_t last) {
  using arithmetic::Fault;
  switch (fault) {
  case Fault::DivisionByZero:
    throw EvaluationError{expr.range, diag::DivisionByZero{}};
  case Fault::Negative:
    throw EvaluationError{expr.range, diag::NegativeArgument{.argument = argumentOf(expr.op), .value = last}};
  case Fault::Inexact:
    throw EvaluationError{
        expr.range, diag::InexactFunction{.call = ir::operationOf(expr.op).word.str() + "(" + std::to_string(last) + ")"}};
  case Fault::None:
  case Fault::Overflow:
    break;
  }
  throw EvaluationError{expr.range, diag::Overflow{.what = textOf(expr.range)}};
}

std::int64_t call(const ir::Expr &expr, const Frame &frame, unsigned callDepth) {
  const ir::Function &function = *expr.function;
  assert(function.body && expr.operands.size() == function.argumentCount && "sema has checked calls");
  // Calls are counted, not only their depth: a function that calls itself twice may take exponential time.
  static thread_local unsigned calls = 0;
  calls = callDepth == 0 ? 1 : calls + 1;
  Work::count(Work::ofCall);
  if (calls > limits::callsOfExpression)
    throw EvaluationError{expr.range, diag::TooManyCalls{.function = function.name, .limit = limits::callsOfExpression}};
  if (const unsigned most = frame.trees ? frame.trees->callDepth : limits::callDepth; callDepth >= most)
    throw EvaluationError{expr.range, diag::RecursionTooDeep{.name = function.name, .limit = limits::callDepth.at(most)}};
  Frame inner;
  inner.trees = frame.trees;
  inner.values.assign(function.variables.size(), 0);
  for (unsigned i = 0; i < expr.operands.size(); ++i)
    inner[i] = evaluate(*expr.operands[i], frame, callDepth);
  TreeCache::CallKey key(&function, inner.values);
  if (const TreeCache::Result *known = frame.trees ? frame.trees->find(key) : nullptr) {
    // Count them as in emitted code, which has no cache.
    calls += known->calls;
    if (calls > limits::callsOfExpression)
      throw EvaluationError{expr.range, diag::TooManyCalls{.function = function.name, .limit = limits::callsOfExpression}};
    return known->value;
  }
  unsigned before = calls;
  std::int64_t value = evaluate(*function.body, inner, callDepth + 1);
  if (frame.trees)
    frame.trees->insert(std::move(key), {value, calls - before});
  return value;
}
/// The value of an expression that asks for the map from ranks to nodes.
std::int64_t ofNodes(const ir::Expr &expr, const Frame &frame, unsigned callDepth) {
  assert(frame.nodes && "frames of schedules that ask for the map have it");
  const NodeMap &map = *frame.nodes;
  auto operand = [&](unsigned i) { return number(*expr.operands[i], frame, callDepth); };
  auto rank = [&] {
    const std::int64_t value = operand(0);
    if (!map.hasRank(value))
      throw EvaluationError{expr.range, diag::NoSuchRankOfNode{.call = textOf(expr.range), .what = diag::OfNodesRank{}, .value = value, .count = map.ranks()}};
    return static_cast<size_t>(value);
  };
  auto node = [&]() -> const std::vector<std::int64_t> & {
    const std::int64_t value = operand(0);
    if (!map.hasNode(value))
      throw EvaluationError{expr.range, diag::NoSuchRankOfNode{.call = textOf(expr.range), .what = diag::OfNodesNode{}, .value = value, .count = map.nodes()}};
    return map.members[static_cast<size_t>(value)];
  };
  switch (expr.op) {
  case Op::NodeOf:
    return map.nodeOf[rank()];
  case Op::LocalRank:
    return map.localRank[rank()];
  case Op::NodeSize:
    return static_cast<std::int64_t>(node().size());
  case Op::RankOn: {
    const std::vector<std::int64_t> &ranks = node();
    const std::int64_t place = operand(1), count = static_cast<std::int64_t>(ranks.size());
    if (place < 0 || place >= count)
      throw EvaluationError{expr.range, diag::NoSuchRankOfNode{.call = textOf(expr.range), .what = diag::OfNodesLocalRank{}, .value = place, .count = count}};
    return ranks[static_cast<size_t>(place)];
  }
  case Op::Nodes:
    return map.nodes();
  case Op::LargestNode:
    return map.largest;
  default:
    assert(expr.op == Op::ConsecutiveNodes && "all others are above");
    return map.areConsecutive;
  }
}
} // namespace

std::int64_t evaluate(const ir::Expr &expr, const Frame &frame, unsigned callDepth) {
  auto operand = [&](unsigned i) { return number(*expr.operands[i], frame, callDepth); };
  auto any = [&](unsigned i) { return evaluate(*expr.operands[i], frame, callDepth); };
  Work::count(1);
  switch (expr.op) {
#define COST_UNARY(name, function, form, word, binding, result, operand, cpp)
#define COST_BINARY(name, function, form, word, binding, result, operands, cpp)
#define UNARY(name, function, form, word, binding, result, type, cpp)            \
  case Op::name: {                                                               \
    const std::int64_t a = operand(0);                                           \
    const arithmetic::Checked found = arithmetic::checked::function(a);          \
    return found ? found.value : (fail(expr, found.fault, a), 0);                \
  }
#define BINARY(name, function, form, word, binding, result, types, cpp)          \
  case Op::name: {                                                               \
    const std::int64_t a = operand(0), b = operand(1);                           \
    const arithmetic::Checked found = arithmetic::checked::function(a, b);       \
    return found ? found.value : (fail(expr, found.fault, b), 0);                \
  }
#define EQUALITY(name, function, form, word, binding, result, types, cpp)        \
  case Op::name: {                                                               \
    const std::int64_t a = any(0), b = any(1);                                   \
    return arithmetic::checked::function(a, b).value;                            \
  }
#define JUNCTION(name, function, form, word, binding, result, types, cpp)
#include "ir/Operations.def"
  case Op::And:
    return operand(0) && operand(1);
  case Op::Or:
    return operand(0) || operand(1);
  case Op::Constant:
    return expr.value;
  case Op::Variable:
    return frame[expr.variable];
  case Op::Select:
    return any(operand(0) ? 1 : 2);
  case Op::Call:
    return call(expr, frame, callDepth);
  case Op::BuildTree: {
    assert(frame.trees && expr.tree && "frames of expressions with trees have a cache");
    std::vector<std::int64_t> arguments;
    for (unsigned i = 0; i < expr.operands.size(); ++i)
      arguments.push_back(operand(i));
    return frame.trees->get(*expr.tree, std::move(arguments), expr.range);
  }
  case Op::TreeField: {
    std::int64_t tree = operand(0);
    if (!frame.trees->has(tree)) // the `let` of the tree failed
      throw EvaluationError{expr.range, diag::ArithmeticOnNone{}};
    return (*frame.trees)[tree].field(expr.field, expr.operands.size() > 1 ? operand(1) : 0);
  }
  case Op::NodeOf:
  case Op::LocalRank:
  case Op::NodeSize:
  case Op::RankOn:
  case Op::Nodes:
  case Op::LargestNode:
  case Op::ConsecutiveNodes:
    return ofNodes(expr, frame, callDepth);
  default:
    assert(ir::isCostOnly(expr.op)); // cost formulas have an evaluator of their own (cost/LinearCost.h)
    break;
  }
  throw EvaluationError{expr.range, diag::CostNotLinear{}};
}

Nodes nodesOf(const ir::Schedule &schedule, const Case &instance) {
  if (!schedule.usesNodes || instance.p < 1)
    return nullptr;
  return instance.nodes ? instance.nodes : std::make_shared<const NodeMap>(NodeMap::usual(instance.p));
}

Frame caseFrame(const ir::Schedule &schedule, const Case &instance, TreeCache &trees) {
  const std::int64_t p = instance.p;
  const std::vector<std::int64_t> &numbers = instance.numbers;
  assert(numbers.size() <= schedule.numberCount && "numbers of another schedule");
  Frame frame;
  frame.trees = &trees;
  frame.values.assign(schedule.variables.size(), 0);
  frame[ir::Schedule::variableP] = p;
  for (size_t i = 0; i < numbers.size(); ++i)
    frame[static_cast<unsigned>(ir::Schedule::firstNumber + i)] = numbers[i];
  frame.nodes = nodesOf(schedule, instance);
  if (frame.nodes && schedule.origin) {
    const std::int64_t origin = evaluate(*schedule.origin, frame);
    frame.nodes = inducedNodes(frame.nodes, p, [&](std::int64_t rank) { return arithmetic::checked::modulo(rank + origin, p).value; });
  }
  return frame;
}

Frame clauseFrame(const ir::Schedule &schedule, const Case &instance, TreeCache &trees) {
  Frame frame = caseFrame(schedule, instance, trees);
  for (const auto &s : schedule.body)
    if (auto *let = llvm::dyn_cast<ir::LetStmt>(s.get()); let && !let->value->dependsOnRank)
      try {
        frame[let->variable] = evaluate(*let->value, frame);
      } catch (const EvaluationError &) {
        // The error is reported when the statement is executed.
      }
  return frame;
}

} // namespace quadrille::compiler
