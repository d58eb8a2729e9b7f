//===- Evaluate.cpp - Numbers of a schedule at one p, one rank ----------------------------------------------------------===//

#include "Evaluate.h"

#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/bit.h"

namespace quadrille {

using ir::Op;

namespace arithmetic {

std::int64_t floorDiv(std::int64_t a, std::int64_t b) {
  std::int64_t q = a / b;
  return a % b != 0 && (a < 0) != (b < 0) ? q - 1 : q;
}

/// Never negative, whatever the signs.
std::int64_t floorMod(std::int64_t a, std::int64_t b) {
  std::int64_t r = a % b;
  return r < 0 ? r + (b < 0 ? -b : b) : r;
}

std::int64_t floorLog2(std::int64_t x) { return 63 - llvm::countl_zero(static_cast<std::uint64_t>(x)); }

bool isPow2(std::int64_t x) { return x > 0 && (x & (x - 1)) == 0; }

std::int64_t ceilLog2(std::int64_t x) { return floorLog2(x) + (isPow2(x) ? 0 : 1); }

} // namespace arithmetic

// ---- trees -----------------------------------------------------------------------------------------------------------

std::int64_t TreeInstance::field(ir::TreeFieldKind kind, std::int64_t rank) const {
  using ir::TreeFieldKind;
  if (kind == TreeFieldKind::Root)
    return root;
  if (kind == TreeFieldKind::Height)
    return height;
  bool outside = !contains(rank);
  size_t at = outside ? 0 : static_cast<size_t>(rank - lo);
  switch (kind) {
  case TreeFieldKind::Parent:
    return outside ? ir::none : parent[at];
  case TreeFieldKind::Left:
    return outside ? ir::none : left[at];
  case TreeFieldKind::Right:
    return outside ? ir::none : right[at];
  case TreeFieldKind::Depth:
    return outside ? 0 : depth[at];
  case TreeFieldKind::Size:
    return outside ? 0 : size[at];
  case TreeFieldKind::Lo:
    return outside ? rank : nodeLo[at];
  default:
    return outside ? rank : nodeHi[at];
  }
}

namespace {
Frame frameOf(const ir::Tree &tree, TreeCache &trees) {
  Frame frame;
  frame.trees = &trees;
  frame.values.assign(tree.variables.size(), 0);
  return frame;
}

/// Splits ranges top down with a stack of its own: the depth of a tree is what the user wrote, not what our stack allows.
class TreeBuilder {
public:
  TreeBuilder(TreeInstance &instance, TreeCache &trees, std::uint64_t maxNodes)
      : instance(instance), trees(trees), maxNodes(static_cast<std::int64_t>(maxNodes)) {}

  void build(const ir::Tree &tree, std::vector<std::int64_t> arguments, llvm::SMRange range) {
    instance.lo = arguments[0];
    instance.hi = std::max(arguments[0], arguments[1]);
    std::int64_t size;
    if (__builtin_sub_overflow(instance.hi, instance.lo, &size) || size > maxNodes)
      throw EvaluationError{diag::Id::BadTreeSplit, range, describe(tree, arguments, "too many ranks")};
    size_t nodes = static_cast<size_t>(instance.hi - instance.lo);
    for (auto *array : {&instance.parent, &instance.left, &instance.right})
      array->assign(nodes, ir::none);
    for (auto *array : {&instance.depth, &instance.size, &instance.nodeLo, &instance.nodeHi})
      array->assign(nodes, 0);
    work.push_back({&tree, std::move(arguments), ir::none, false, 0});
    while (!work.empty()) {
      Item item = std::move(work.back());
      work.pop_back();
      split(item, range);
    }
  }

private:
  struct Item {
    const ir::Tree *tree;
    std::vector<std::int64_t> arguments;
    std::int64_t parent;
    bool isLeft;
    std::int64_t depth;
  };

  static std::vector<std::string> describe(const ir::Tree &tree, const std::vector<std::int64_t> &arguments,
                                           std::string what) {
    return {tree.name, std::to_string(arguments[0]), std::to_string(arguments[1]), std::move(what)};
  }

  std::vector<std::int64_t> childArguments(const ir::Expr &call, const Frame &frame) {
    std::vector<std::int64_t> arguments;
    for (const ir::Expr *operand : call.operands)
      arguments.push_back(evaluate(*operand, frame));
    return arguments;
  }

  void split(Item &item, llvm::SMRange range) {
    const ir::Tree &tree = *item.tree;
    std::int64_t lo = item.arguments[0], hi = item.arguments[1];
    if (lo >= hi)
      return;
    if (item.depth > TreeCache::maxDepth)
      throw EvaluationError{diag::Id::BadTreeSplit, range, describe(tree, item.arguments, "deeper than the limit")};
    Frame frame = frameOf(tree, trees);
    frame[0] = lo;
    frame[1] = hi;
    for (size_t i = 0; i < tree.presets.size(); ++i) {
      unsigned variable = static_cast<unsigned>(i + 2);
      if (i + 2 < item.arguments.size())
        frame[variable] = item.arguments[i + 2];
      else
        frame[variable] = tree.presets[i] ? evaluate(*tree.presets[i], frame)
                                          : lo + (hi - lo - 1) / 2;
    }
    std::int64_t root = evaluate(*tree.root, frame);
    if (root < lo || root >= hi)
      throw EvaluationError{diag::Id::BadTreeSplit, tree.root->range,
                            describe(tree, item.arguments, "the root " + std::to_string(root) + " is outside")};
    std::vector<std::int64_t> left = childArguments(*tree.left, frame), right = childArguments(*tree.right, frame);
    std::int64_t covered = std::max<std::int64_t>(0, left[1] - left[0]) + std::max<std::int64_t>(0, right[1] - right[0]);
    auto inside = [&](const std::vector<std::int64_t> &part, std::int64_t from, std::int64_t to) {
      return part[0] >= part[1] || (from <= part[0] && part[1] <= to);
    };
    if (covered != hi - lo - 1 || !inside(left, lo, root) || !inside(right, root + 1, hi))
      throw EvaluationError{diag::Id::BadTreeSplit, tree.left->range,
                            describe(tree, item.arguments,
                                     "root " + std::to_string(root) + ", left " + std::to_string(left[0]) + " ..< " +
                                         std::to_string(left[1]) + " and right " + std::to_string(right[0]) + " ..< " +
                                         std::to_string(right[1]) + " do not make it up")};
    size_t at = static_cast<size_t>(root - instance.lo);
    instance.parent[at] = item.parent;
    instance.depth[at] = item.depth;
    instance.size[at] = hi - lo;
    instance.nodeLo[at] = lo;
    instance.nodeHi[at] = hi;
    instance.height = std::max(instance.height, item.depth);
    if (item.parent == ir::none)
      instance.root = root;
    else
      (item.isLeft ? instance.left : instance.right)[static_cast<size_t>(item.parent - instance.lo)] = root;
    work.push_back({tree.right->tree, std::move(right), root, false, item.depth + 1});
    work.push_back({tree.left->tree, std::move(left), root, true, item.depth + 1});
  }

  TreeInstance &instance;
  TreeCache &trees;
  const std::int64_t maxNodes;
  std::vector<Item> work;
};

/// Walks down from the root by what the definition says of each node, and holds it against what it says of the others.
class RelativesWalk {
public:
  RelativesWalk(TreeInstance &instance, const ir::Tree &tree, const std::vector<std::int64_t> &arguments,
                TreeCache &trees, std::uint64_t maxNodes)
      : instance(instance), tree(tree), ranks(arguments[0]), maxNodes(static_cast<std::int64_t>(maxNodes)),
        frame(frameOf(tree, trees)) {
    for (size_t i = 0; i < tree.presets.size(); ++i) {
      const unsigned variable = static_cast<unsigned>(tree.firstParameter() + i);
      frame[variable] = variable < arguments.size() ? arguments[variable] : evaluate(*tree.presets[i], frame);
      given += (i ? ", " : "") + std::to_string(frame[variable]);
    }
  }

  void build(llvm::SMRange range) {
    if (ranks != ir::Tree::unknownRanks)
      resize(ranks, range);
    instance.root = evaluate(*tree.root, frame);
    if (instance.root != ir::none) {
      node("the root", instance.root, tree.root->range);
      reach(range);
      sizes();
    }
    for (std::int64_t rank = 0; rank < ranks; ++rank)
      if (!isReached(rank))
        outside(rank);
  }

private:
  [[noreturn]] void wrong(llvm::SMRange range, const std::string &what) const {
    throw EvaluationError{diag::Id::BadRelatives, range, {tree.name + "(" + given + ")", what}};
  }

  static std::string text(std::int64_t rank) { return rank == ir::none ? "none" : "rank " + std::to_string(rank); }

  void resize(std::int64_t hi, llvm::SMRange range) {
    if (hi > maxNodes)
      wrong(range, "too many ranks");
    instance.hi = hi;
    for (auto *array : {&instance.parent, &instance.left, &instance.right})
      array->resize(static_cast<size_t>(hi), ir::none);
    for (auto *array : {&instance.depth, &instance.size})
      array->resize(static_cast<size_t>(hi), 0);
  }

  /// Makes sure that a node can be one.
  void node(const std::string &what, std::int64_t rank, llvm::SMRange range) {
    if (rank < 0)
      wrong(range, what + " is " + std::to_string(rank) + ", which is not a rank");
    if (rank < instance.hi)
      return;
    if (ranks != ir::Tree::unknownRanks)
      wrong(range, what + " is " + std::to_string(rank) + ", but ranks are 0 ..< " + std::to_string(ranks));
    // Doubled, as nodes mostly come in increasing order.
    resize(rank < maxNodes ? std::min(maxNodes, std::max(rank + 1, 2 * instance.hi)) : rank, range);
  }

  std::int64_t relative(const ir::Expr &expr, std::int64_t rank) {
    frame[0] = rank;
    return evaluate(expr, frame);
  }

  bool isReached(std::int64_t rank) const {
    return rank == instance.root || instance.parent[static_cast<size_t>(rank)] != ir::none;
  }

  void reach(llvm::SMRange range) {
    inOrderOfDepth.push_back(instance.root);
    for (size_t next = 0; next < inOrderOfDepth.size(); ++next) {
      const std::int64_t rank = inOrderOfDepth[next];
      const std::int64_t left = relative(*tree.left, rank), right = relative(*tree.right, rank);
      child(rank, left, "left", tree.left->range);
      if (left != ir::none && left == right)
        wrong(tree.right->range, text(left) + " is both the left and the right child of " + text(rank));
      child(rank, right, "right", tree.right->range);
      const size_t at = static_cast<size_t>(rank);
      instance.left[at] = left;
      instance.right[at] = right;
      instance.height = std::max(instance.height, instance.depth[at]);
      if (instance.depth[at] > TreeCache::maxDepth)
        wrong(range, "deeper than the limit");
    }
  }

  void child(std::int64_t rank, std::int64_t child, const std::string &side, llvm::SMRange range) {
    if (child == ir::none)
      return;
    node("the " + side + " child of " + text(rank), child, range);
    if (child == instance.root)
      wrong(range, "the " + side + " child of " + text(rank) + " is the root, " + text(child));
    // As a node has one parent, this also finds nodes that are reached twice.
    if (std::int64_t parent = relative(*tree.parent, child); parent != rank)
      wrong(tree.parent->range,
            text(child) + " is the " + side + " child of " + text(rank) + ", but its parent is " + text(parent));
    const size_t at = static_cast<size_t>(child);
    instance.parent[at] = rank;
    instance.depth[at] = instance.depth[static_cast<size_t>(rank)] + 1;
    inOrderOfDepth.push_back(child);
  }

  void sizes() {
    for (size_t next = inOrderOfDepth.size(); next-- > 0;) {
      const size_t at = static_cast<size_t>(inOrderOfDepth[next]);
      ++instance.size[at];
      if (instance.parent[at] != ir::none)
        instance.size[static_cast<size_t>(instance.parent[at])] += instance.size[at];
    }
  }

  /// Who is not in the tree must not think it is.
  void outside(std::int64_t rank) {
    const std::pair<const ir::Expr *, const char *> relatives[] = {
        {tree.parent, "parent"}, {tree.left, "left child"}, {tree.right, "right child"}};
    for (auto [expr, what] : relatives)
      if (std::int64_t other = relative(*expr, rank); other != ir::none)
        wrong(expr->range, text(rank) + " has the " + what + " " + std::to_string(other) + ", but " +
                               (instance.root == ir::none ? "the tree has no root" : "is not reached from the root") +
                               (expr == tree.parent ? cycleAbove(rank) : ""));
  }

  /// How the parents above a rank go round in a circle, if they do.
  std::string cycleAbove(std::int64_t rank) {
    std::vector<std::int64_t> path;
    std::vector<bool> seen(static_cast<size_t>(instance.hi));
    while (0 <= rank && rank < instance.hi && !isReached(rank) && !seen[static_cast<size_t>(rank)]) {
      seen[static_cast<size_t>(rank)] = true;
      path.push_back(rank);
      rank = relative(*tree.parent, rank);
    }
    auto first = llvm::find(path, rank);
    if (first == path.end())
      return "";
    const size_t length = static_cast<size_t>(path.end() - first), shown = std::min<size_t>(length, 8);
    std::string cycle = "; parents form a cycle: ";
    for (size_t i = 0; i < shown; ++i)
      cycle += std::to_string(first[static_cast<std::ptrdiff_t>(i)]) + ", ";
    return cycle + (length > shown ? "... (" + std::to_string(length) + " ranks)" : std::to_string(rank));
  }

  TreeInstance &instance;
  const ir::Tree &tree;
  const std::int64_t ranks; // or Tree::unknownRanks
  const std::int64_t maxNodes;
  Frame frame;
  std::string given; // the parameters, for messages
  std::vector<std::int64_t> inOrderOfDepth;
};
} // namespace

size_t TreeCache::CallHash::operator()(const CallKey &key) const {
  return llvm::hash_combine(key.first, llvm::hash_combine_range(key.second.begin(), key.second.end()));
}

const TreeCache::Result *TreeCache::find(const CallKey &key) const {
  auto known = results.find(key);
  return known == results.end() ? nullptr : &known->second;
}

void TreeCache::insert(CallKey key, Result result) {
  if (results.size() == maxResults)
    results.clear();
  results.emplace(std::move(key), result);
}

std::int64_t TreeCache::get(const ir::Tree &tree, std::vector<std::int64_t> arguments, llvm::SMRange range) {
  auto key = std::make_pair(&tree, arguments);
  if (auto found = known.find(key); found != known.end())
    return found->second;
  if (auto found = refused.find(key); found != refused.end())
    throw found->second;
  struct Nested {
    unsigned &depth;
    explicit Nested(unsigned &depth) : depth(++depth) {}
    ~Nested() { --depth; }
  } nested(building);
  if (building > maxNested)
    throw EvaluationError{diag::Id::RecursionTooDeep, range, {tree.name, std::to_string(maxNested)}};
  auto instance = std::make_unique<TreeInstance>();
  try {
    if (tree.byRelatives)
      RelativesWalk(*instance, tree, arguments, *this, maxNodes - nodes).build(range);
    else
      TreeBuilder(*instance, *this, maxNodes - nodes).build(tree, std::move(arguments), range);
  } catch (const EvaluationError &error) {
    refused.emplace(std::move(key), error);
    throw;
  }
  nodes += instance->parent.size();
  instances.push_back(std::move(instance));
  std::int64_t handle = static_cast<std::int64_t>(instances.size() - 1);
  known.emplace(std::move(key), handle);
  return handle;
}

// ---- expressions -------------------------------------------------------------------------------------------------------

namespace {
std::string textOf(llvm::SMRange range) { return std::string(range.Start.getPointer(), range.End.getPointer()); }

[[noreturn]] void overflow(const ir::Expr &expr) {
  throw EvaluationError{diag::Id::Overflow, expr.range, {textOf(expr.range)}};
}

std::int64_t number(const ir::Expr &operand, const Frame &frame, unsigned callDepth) {
  std::int64_t value = evaluate(operand, frame, callDepth);
  if (value == ir::none)
    throw EvaluationError{diag::Id::ArithmeticOnNone, operand.range, {}};
  return value;
}

std::int64_t power(const ir::Expr &expr, std::int64_t base, std::int64_t exponent) {
  if (exponent < 0)
    throw EvaluationError{diag::Id::NegativeArgument, expr.range, {"an exponent", std::to_string(exponent)}};
  std::int64_t result = 1;
  if (base == 0 || base == 1 || base == -1)
    return exponent == 0 ? 1 : base == -1 ? (exponent % 2 ? -1 : 1) : base;
  for (; exponent > 0; --exponent)
    if (__builtin_mul_overflow(result, base, &result))
      overflow(expr);
  return result;
}

std::int64_t squareRoot(const ir::Expr &expr, std::int64_t x) {
  if (x < 0)
    throw EvaluationError{diag::Id::NegativeArgument, expr.range, {"the square root", std::to_string(x)}};
  std::int64_t lo = 0, hi = 3037000499; // floor(sqrt(2^63 - 1))
  while (lo < hi) {
    std::int64_t middle = lo + (hi - lo + 1) / 2;
    if (middle <= x / middle)
      lo = middle;
    else
      hi = middle - 1;
  }
  if (lo * lo != x)
    throw EvaluationError{diag::Id::InexactFunction, expr.range, {"sqrt(" + std::to_string(x) + ")"}};
  return lo;
}

std::int64_t positive(const ir::Expr &expr, std::int64_t x, llvm::StringRef function) {
  if (x <= 0)
    throw EvaluationError{diag::Id::InexactFunction, expr.range, {function.str() + "(" + std::to_string(x) + ")"}};
  return x;
}

std::int64_t shift(const ir::Expr &expr, std::int64_t a, std::int64_t b) {
  if (b < 0)
    throw EvaluationError{diag::Id::NegativeArgument, expr.range, {"a shift", std::to_string(b)}};
  if (expr.op == Op::ShiftRight)
    return b > 63 ? (a < 0 ? -1 : 0) : a >> b;
  if (a == 0)
    return 0;
  if (b > 62)
    overflow(expr);
  std::int64_t result;
  if (__builtin_mul_overflow(a, std::int64_t(1) << b, &result))
    overflow(expr);
  return result;
}

std::int64_t call(const ir::Expr &expr, const Frame &frame, unsigned callDepth) {
  const ir::Function &function = *expr.function;
  // A function that calls itself twice stays shallow and yet never ends.
  static thread_local unsigned calls = 0;
  calls = callDepth == 0 ? 1 : calls + 1;
  if (calls > maxCalls)
    throw EvaluationError{diag::Id::TooManyCalls, expr.range, {function.name, std::to_string(maxCalls)}};
  if (callDepth >= maxCallDepth)
    throw EvaluationError{diag::Id::RecursionTooDeep, expr.range, {function.name, std::to_string(maxCallDepth)}};
  Frame inner;
  inner.trees = frame.trees;
  inner.values.assign(function.variables.size(), 0);
  for (unsigned i = 0; i < expr.operands.size(); ++i)
    inner[i] = evaluate(*expr.operands[i], frame, callDepth);
  TreeCache::CallKey key(&function, inner.values);
  if (const TreeCache::Result *known = frame.trees ? frame.trees->find(key) : nullptr) {
    // Emitted code computes it anew, so the calls count all the same.
    calls += known->calls;
    if (calls > maxCalls)
      throw EvaluationError{diag::Id::TooManyCalls, expr.range, {function.name, std::to_string(maxCalls)}};
    return known->value;
  }
  unsigned before = calls;
  std::int64_t value = evaluate(*function.body, inner, callDepth + 1);
  if (frame.trees)
    frame.trees->insert(std::move(key), {value, calls - before});
  return value;
}
} // namespace

std::int64_t evaluate(const ir::Expr &expr, const Frame &frame, unsigned callDepth) {
  auto operand = [&](unsigned i) { return number(*expr.operands[i], frame, callDepth); };
  std::int64_t result;
  switch (expr.op) {
  case Op::Constant:
    return expr.value;
  case Op::Variable:
    return frame[expr.variable];
  case Op::Negate:
    if (__builtin_sub_overflow(std::int64_t(0), operand(0), &result))
      overflow(expr);
    return result;
  case Op::Absolute: {
    std::int64_t x = operand(0);
    if (__builtin_mul_overflow(x, x < 0 ? -1 : 1, &result))
      overflow(expr);
    return result;
  }
  case Op::Not:
    return !operand(0);
  case Op::Log2: {
    std::int64_t x = operand(0);
    if (!arithmetic::isPow2(x))
      throw EvaluationError{diag::Id::InexactFunction, expr.range, {"log2(" + std::to_string(x) + ")"}};
    return arithmetic::floorLog2(x);
  }
  case Op::FloorLog2:
    return arithmetic::floorLog2(positive(expr, operand(0), "floor_log2"));
  case Op::CeilLog2:
    return arithmetic::ceilLog2(positive(expr, operand(0), "ceil_log2"));
  case Op::TrailingZeros: {
    std::int64_t x = operand(0);
    if (x == 0)
      throw EvaluationError{diag::Id::InexactFunction, expr.range, {"trailing_zeros(0)"}};
    return llvm::countr_zero(static_cast<std::uint64_t>(x));
  }
  case Op::IsPow2:
    return arithmetic::isPow2(operand(0));
  case Op::IsEven:
    return (operand(0) & 1) == 0;
  case Op::IsOdd:
    return operand(0) & 1;
  case Op::SquareRoot:
    return squareRoot(expr, operand(0));
  case Op::Add:
    if (__builtin_add_overflow(operand(0), operand(1), &result))
      overflow(expr);
    return result;
  case Op::Subtract:
    if (__builtin_sub_overflow(operand(0), operand(1), &result))
      overflow(expr);
    return result;
  case Op::Multiply:
    if (__builtin_mul_overflow(operand(0), operand(1), &result))
      overflow(expr);
    return result;
  case Op::Divide:
  case Op::Modulo: {
    std::int64_t a = operand(0), b = operand(1);
    if (b == 0)
      throw EvaluationError{diag::Id::DivisionByZero, expr.range, {}};
    if (b == -1) {
      if (expr.op == Op::Modulo)
        return 0;
      if (__builtin_sub_overflow(std::int64_t(0), a, &result))
        overflow(expr);
      return result;
    }
    return expr.op == Op::Divide ? arithmetic::floorDiv(a, b) : arithmetic::floorMod(a, b);
  }
  case Op::Power:
    return power(expr, operand(0), operand(1));
  case Op::ShiftLeft:
  case Op::ShiftRight:
    return shift(expr, operand(0), operand(1));
  case Op::BitAnd:
    return operand(0) & operand(1);
  case Op::BitOr:
    return operand(0) | operand(1);
  case Op::BitXor:
    return operand(0) ^ operand(1);
  case Op::Bit: {
    std::int64_t d = operand(1);
    if (d < 0)
      throw EvaluationError{diag::Id::NegativeArgument, expr.range, {"bit", std::to_string(d)}};
    return (operand(0) >> std::min<std::int64_t>(d, 63)) & 1;
  }
  case Op::Minimum:
    return std::min(operand(0), operand(1));
  case Op::Maximum:
    return std::max(operand(0), operand(1));
  case Op::Equal:
    return evaluate(*expr.operands[0], frame, callDepth) == evaluate(*expr.operands[1], frame, callDepth);
  case Op::NotEqual:
    return evaluate(*expr.operands[0], frame, callDepth) != evaluate(*expr.operands[1], frame, callDepth);
  case Op::Less:
    return operand(0) < operand(1);
  case Op::LessEqual:
    return operand(0) <= operand(1);
  case Op::And:
    return operand(0) && operand(1);
  case Op::Or:
    return operand(0) || operand(1);
  case Op::Select:
    return evaluate(*expr.operands[operand(0) ? 1 : 2], frame, callDepth);
  case Op::Call:
    return call(expr, frame, callDepth);
  case Op::BuildTree: {
    std::vector<std::int64_t> arguments;
    for (unsigned i = 0; i < expr.operands.size(); ++i)
      arguments.push_back(operand(i));
    return frame.trees->get(*expr.tree, std::move(arguments), expr.range);
  }
  case Op::TreeField: {
    std::int64_t tree = operand(0);
    if (!frame.trees->has(tree)) // its `let` failed
      throw EvaluationError{diag::Id::ArithmeticOnNone, expr.range, {}};
    return (*frame.trees)[tree].field(expr.field, expr.operands.size() > 1 ? operand(1) : 0);
  }
  case Op::Alpha:
  case Op::Beta:
  case Op::Gamma:
  case Op::Length:
  case Op::Ratio:
  case Op::Ceiling:
  case Op::Floor:
  case Op::Element:
  case Op::SumOver:
  case Op::MinimumOver:
  case Op::MaximumOver:
    break; // cost formulas have an evaluator of their own (cost/Formula.h)
  }
  throw EvaluationError{diag::Id::CostNotLinear, expr.range, {}};
}

Frame clauseFrame(const ir::Schedule &schedule, std::int64_t p, const std::vector<std::int64_t> &numbers,
                  TreeCache &trees) {
  Frame frame;
  frame.trees = &trees;
  frame.values.assign(schedule.variables.size(), 0);
  frame[ir::Schedule::variableP] = p;
  for (size_t i = 0; i < numbers.size(); ++i)
    frame[static_cast<unsigned>(ir::Schedule::firstNumber + i)] = numbers[i];
  for (const auto &s : schedule.body)
    if (auto *let = llvm::dyn_cast<ir::LetStmt>(s.get()); let && !let->value->dependsOnRank)
      try {
        frame[let->variable] = evaluate(*let->value, frame);
      } catch (const EvaluationError &) {
        // Reported where the statement runs.
      }
  return frame;
}

} // namespace quadrille
