//===- IrToCppExpr.cpp - Numbers and conditions ----------------------------------------------------------------------------===//

#include "IrToCpp.h"

#include "Queries.h"

#include "ir/Operations.h"
#include "ir/Walk.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ErrorHandling.h"

#include <cassert>

namespace quadrille::compiler::emit {

using namespace ir;
using cpp::ExprPtr;

static ExprPtr runtime(const char *function, std::vector<ExprPtr> arguments) {
  return cpp::call(std::string("quadrille::") + function, std::move(arguments));
}

/// Whether the C++ for an operation is a function of the runtime rather than an operator.
static bool isFunction(const Operation &operation) { return llvm::isAlpha(operation.cpp.front()); }

static bool isNone(const Expr &expr) { return expr.op == Op::Constant && expr.value == ir::none; }

static ExprPtr literal(std::int64_t value) {
  if (value == ir::none)
    return cpp::atom("none");
  // A product of large literals must not be computed in `int`.
  if (value > 32767 || value < -32767)
    return cpp::atom("Index{" + std::to_string(value) + "}");
  return cpp::number(value);
}

/// !e, simplified if e is a negation, `==` or `!=`.
static ExprPtr negation(const ExprPtr &e) {
  if (e->kind == cpp::ExprKind::Prefix && e->text == "!")
    return e->operands[0];
  if (e->kind == cpp::ExprKind::Infix && e->text == "==")
    return cpp::infix(e->operands[0], "!=", e->operands[1]);
  if (e->kind == cpp::ExprKind::Infix && e->text == "!=")
    return cpp::infix(e->operands[0], "==", e->operands[1]);
  return cpp::prefix("!", e);
}

static bool isBool(const Expr &expr) {
  return expr.op == Op::Bit || (expr.op == Op::Select && isBool(*expr.operands[1]) && isBool(*expr.operands[2]));
}

ExprPtr ExprLowering::comparison(const Expr &expr) const {
  const Expr *left = expr.operands[0], *right = expr.operands[1];
  if (isSame(*left, *right)) // compilers warn of comparisons of something with itself
    return cpp::atom(expr.op == Op::Equal || expr.op == Op::LessEqual ? "true" : "false");
  const char *op = operationOf(expr.op).cpp.data();
  // `a > b` is kept as b < a; a constant reads better on the right.
  if (left->op == Op::Constant && right->op != Op::Constant && (expr.op == Op::Less || expr.op == Op::LessEqual)) {
    std::swap(left, right);
    op = expr.op == Op::Less ? ">" : ">=";
  }
  if ((expr.op == Op::Equal || expr.op == Op::NotEqual) && left->op == Op::Bit && right->op == Op::Constant &&
      (right->value == 0 || right->value == 1)) {
    ExprPtr bit = lower(*left);
    return (right->value == 1) == (expr.op == Op::Equal) ? bit : negation(bit);
  }
  // Compilers warn of comparisons of truth values with numbers.
  auto number = [&](const Expr &side, const Expr &other) {
    return isBool(side) && !isBool(other) ? cpp::call("Index", {lower(side)}) : lower(side);
  };
  return cpp::infix(number(*left, *right), op, number(*right, *left));
}

ExprPtr ExprLowering::exists(const Expr &rank) const {
  if (!rank.mayBeNone)
    return nullptr;
  if (rank.op == Op::Select) {
    const Expr &yes = *rank.operands[1], &no = *rank.operands[2];
    auto both = [&](ExprPtr condition, const Expr &chosen) {
      ExprPtr inner = exists(chosen);
      return inner ? cpp::infix(condition, "&&", inner) : condition;
    };
    if (isNone(no))
      return both(lower(*rank.operands[0]), yes);
    if (isNone(yes))
      return both(negation(lower(*rank.operands[0])), no);
  }
  return cpp::infix(lower(rank), "!=", cpp::atom("none"));
}

ExprPtr ExprLowering::treeCall(const Expr &build, const std::string &function, const ExprPtr &place) const {
  std::vector<ExprPtr> arguments;
  if (place)
    arguments.push_back(place);
  const Tree &tree = *build.tree;
  const size_t parameters = tree.firstParameter(), given = build.operands.size();
  // The first operand of a tree given by relatives is the number of ranks, which only checks use.
  const size_t first = tree.byRelatives ? 1 : 0;
  for (size_t i = first; i < given; ++i)
    arguments.push_back(lower(*build.operands[i]));
  // A parameter that is left out takes its preset, an expression over the parameters before it.
  if (given < parameters + tree.presets.size()) {
    ExprLowering inner(module, tree.variables.size());
    const size_t offset = place ? 1 : 0;
    for (size_t i = first; i < given; ++i) {
      inner.bind(i, arguments[offset + i - first]);
      inner.frame[i] = boundsOf(*build.operands[i], frame);
    }
    for (size_t i = given; i < parameters + tree.presets.size(); ++i) {
      const Expr *preset = tree.presets[i - parameters];
      ExprPtr value;
      if (preset) {
        value = inner.lower(*preset);
      } else {
        // (lo + hi - 1) div 2
        ExprPtr lo = arguments[offset], hi = arguments[offset + 1];
        ExprPtr last = cpp::infix(hi, "-", cpp::number(1));
        ExprPtr sum = lo->kind == cpp::ExprKind::Atom && lo->text == "0" ? last : cpp::infix(cpp::infix(lo, "+", hi), "-", cpp::number(1));
        // Ranks are not negative, and nothing asks for the middle of an empty range, so `/` rounds down.
        value = cpp::infix(sum, "/", cpp::number(2));
      }
      arguments.push_back(value);
      inner.bind(i, value);
    }
  }
  return cpp::call(function, std::move(arguments));
}

ExprPtr ExprLowering::walkedField(const Expr &build, TreeFieldKind field, const ExprPtr &rank) const {
  Module::TreeNames &names = module.tree(*build.tree);
  switch (field) {
  case TreeFieldKind::Height:
    names.usesHeight = names.usesRoot = true;
    return treeCall(build, names.height, treeCall(build, names.root, nullptr));
  case TreeFieldKind::Depth:
    names.usesDepth = true;
    return treeCall(build, names.depth, rank);
  default:
    names.usesSize = true;
    return treeCall(build, names.size, rank);
  }
}

ExprPtr ExprLowering::treeField(const Expr &expr) const {
  const Expr *tree = expr.operands[0];
  const Expr *build = tree->op == Op::Variable && treeValue ? treeValue(tree->variable) : tree;
  const ExprPtr rank = expr.operands.size() > 1 ? lower(*expr.operands[1]) : me;
  if (build && build->op == Op::Select) {
    // The tree is one of two: choose between their fields.
    auto of = [&](const Expr *which) {
      Expr copy = expr;
      copy.operands[0] = which;
      return treeField(copy);
    };
    return cpp::conditional(lower(*build->operands[0]), of(build->operands[1]), of(build->operands[2]));
  }
  if (!build || build->op != Op::BuildTree)
    llvm_unreachable("a tree that is neither built nor chosen");
  if (build->tree->byRelatives &&
      (expr.field == TreeFieldKind::Height || expr.field == TreeFieldKind::Depth || expr.field == TreeFieldKind::Size))
    return walkedField(*build, expr.field, rank);
  Module::TreeNames &names = module.tree(*build->tree);
  switch (expr.field) {
  case TreeFieldKind::Root:
    names.usesRoot = true;
    return treeCall(*build, names.root, nullptr);
  case TreeFieldKind::Height:
    names.usesHeight = true;
    return treeCall(*build, names.height, nullptr);
  default:
    break;
  }
  names.usesPlace = true;
  ExprPtr node = tree->op == Op::Variable && cpp::same(rank, me) ? lower(*tree) : treeCall(*build, names.place, rank);
  switch (expr.field) {
  case TreeFieldKind::Parent:
    return cpp::member(node, "parent");
  case TreeFieldKind::Left:
    return cpp::member(node, "left");
  case TreeFieldKind::Right:
    return cpp::member(node, "right");
  case TreeFieldKind::Depth:
    return cpp::member(node, "depth");
  case TreeFieldKind::Size:
    return cpp::infix(cpp::member(node, "hi"), "-", cpp::member(node, "lo"));
  case TreeFieldKind::Lo:
    return cpp::member(node, "lo");
  default:
    return cpp::member(node, "hi");
  }
}

ExprPtr ExprLowering::ofNodes(const Expr &expr) const {
  assert(nodes && "functions that ask on which node ranks are declare what tells");
  std::vector<ExprPtr> arguments;
  for (const Expr *operand : expr.operands)
    arguments.push_back(lower(*operand));
  auto ask = [&](const char *what) { return cpp::method(nodes, what, std::move(arguments)); };
  switch (expr.op) {
  case Op::NodeOf:
    return ask("node");
  case Op::LocalRank:
    return ask("localRank");
  case Op::NodeSize:
    return ask("size");
  case Op::RankOn:
    return ask("rank");
  case Op::Nodes:
    return ask("count");
  case Op::LargestNode:
    return ask("largest");
  default:
    assert(expr.op == Op::ConsecutiveNodes && "all others are above");
    return ask("areConsecutive");
  }
}

ExprPtr ExprLowering::lower(const Expr &expr) const {
  auto operand = [&](unsigned i) { return lower(*expr.operands[i]); };
  auto infix = [&](const char *op) { return cpp::infix(operand(0), op, operand(1)); };
  auto isNatural = [&] { // C++'s `/` and `%` then agree with `div` and `mod`
    return isAtLeast(boundsOf(*expr.operands[0], frame), 0) && isAtLeast(boundsOf(*expr.operands[1], frame), 1);
  };
  switch (expr.op) {
  case Op::Constant:
    if (expr.type == Type::Boolean)
      return cpp::atom(expr.value ? "true" : "false");
    return literal(expr.value);
  case Op::Variable:
    assert(expr.variable < names.size() && names[expr.variable] && "a variable without a name");
    return names[expr.variable];
  case Op::Not:
    return negation(operand(0));
  case Op::Add:
    // Print `a - 1` instead of `a + -1`.
    if (expr.operands[1]->op == Op::Constant && expr.operands[1]->value < 0 && !isNone(*expr.operands[1]))
      return cpp::infix(operand(0), "-", literal(-expr.operands[1]->value));
    break;
  case Op::Divide:
    if (isNatural())
      return infix("/");
    break;
  case Op::Modulo:
    if (isNatural())
      return infix("%");
    break;
  case Op::Equal:
  case Op::NotEqual:
  case Op::Less:
  case Op::LessEqual:
    return comparison(expr);
  case Op::Select:
    return cpp::conditional(operand(0), operand(1), operand(2));
  case Op::Call: {
    std::vector<ExprPtr> arguments;
    for (unsigned i = 0; i < expr.operands.size(); ++i)
      arguments.push_back(operand(i));
    return cpp::call(module.function(*expr.function), std::move(arguments));
  }
  case Op::BuildTree: {
    Module::TreeNames &names = module.tree(*expr.tree);
    names.usesPlace = true;
    return treeCall(expr, names.place, me);
  }
  case Op::TreeField:
    return treeField(expr);
  default:
    break;
  }
  if (isOfNodes(expr.op))
    return ofNodes(expr);
  const Operation &operation = operationOf(expr.op);
  const char *word = operation.cpp.data();
  if (operation.cpp.empty())
    llvm_unreachable("stands in cost clauses only");
  if (operation.signature == Signature::Unary)
    return isFunction(operation) ? runtime(word, {operand(0)}) : cpp::prefix(word, operand(0));
  return isFunction(operation) ? runtime(word, {operand(0), operand(1)}) : infix(word);
}

ExprPtr ExprLowering::lengthFunction(const Schedule &schedule, const LengthOf &length, const std::string &binder,
                                     llvm::ArrayRef<std::string> tables) {
  if (length.binder)
    bind(*length.binder, cpp::atom(binder));
  const Table &table = schedule.tables[length.table];
  // len[a div p][a mod p], with rows of p entries, is entry a of the table.
  const bool isRowWise = length.indices.size() == 2 && length.indices[0]->op == Op::Divide &&
                         length.indices[1]->op == Op::Modulo &&
                         sameExpr(length.indices[0]->operands[0], length.indices[1]->operands[0]) &&
                         sameExpr(length.indices[0]->operands[1], table.extents[1]) &&
                         sameExpr(length.indices[1]->operands[1], table.extents[1]);
  ExprPtr entry;
  if (module.knowsSome) {
    std::vector<ExprPtr> indices;
    for (const Expr *index : length.indices)
      indices.push_back(lower(*index));
    entry = cpp::call(tables[length.table], std::move(indices));
  } else {
    ExprPtr at = lower(isRowWise ? *length.indices[0]->operands[0] : *length.indices[0]);
    for (size_t i = 1; i < length.indices.size() && !isRowWise; ++i)
      at = cpp::infix(cpp::infix(at, "*", lower(*table.extents[i])), "+", lower(*length.indices[i]));
    entry = cpp::subscript(cpp::atom(tables[length.table]), at);
  }
  if (length.parts)
    entry = cpp::call("quadrille::packetLength",
                      {cpp::call("static_cast<Index>", {entry}), lower(*length.parts), lower(*length.part)});
  return cpp::lambda(binder, entry);
}

} // namespace quadrille::compiler::emit
