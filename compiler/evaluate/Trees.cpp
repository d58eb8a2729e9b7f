//===- Trees.cpp - Trees of ranks at one p -----------------------------------------------------------------------------===//

#include "Evaluate.h"

#include "limits/Limits.h"

#include "llvm/ADT/Hashing.h"

#include <cassert>

namespace quadrille::compiler {

std::int64_t TreeInstance::field(ir::TreeFieldKind kind, std::int64_t rank) const {
  using ir::TreeFieldKind;
  if (kind == TreeFieldKind::Root)
    return root;
  if (kind == TreeFieldKind::Height)
    return height;
  bool outside = !contains(rank);
  size_t at = outside ? 0 : static_cast<size_t>(rank - lo);
  assert((outside || at < parent.size()) && "arrays are as long as the range");
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

/// Builds a tree that splits ranges, top down. It uses an explicit stack, so that deep trees do not overflow the thread's stack.
class TreeBuilder {
public:
  TreeBuilder(TreeInstance &instance, TreeCache &trees, std::uint64_t maxNodes)
      : instance(instance), trees(trees), maxNodes(static_cast<std::int64_t>(maxNodes)) {}

  void build(const ir::Tree &tree, std::vector<std::int64_t> arguments, llvm::SMRange range) {
    assert(arguments.size() >= 2 && "the first arguments are the bounds of the range");
    instance.lo = arguments[0];
    instance.hi = std::max(arguments[0], arguments[1]);
    std::int64_t size;
    if (__builtin_sub_overflow(instance.hi, instance.lo, &size) || size > maxNodes)
      throw EvaluationError{range, describe(tree, arguments, diag::TreeProblemTooManyRanks{.limit = limits::treeNodes})};
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

  static diag::BadTreeSplit describe(const ir::Tree &tree, const std::vector<std::int64_t> &arguments, diag::TreeProblem what) {
    return {.tree = tree.name, .lo = arguments[0], .hi = arguments[1], .problem = std::move(what)};
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
    if (item.depth > limits::treeDepth)
      throw EvaluationError{range, describe(tree, item.arguments, diag::TreeProblemTooDeep{.limit = limits::treeDepth})};
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
      throw EvaluationError{tree.root->range,
                            describe(tree, item.arguments, diag::TreeProblemRootOutside{.root = root})};
    std::vector<std::int64_t> left = childArguments(*tree.left, frame), right = childArguments(*tree.right, frame);
    std::int64_t covered = std::max<std::int64_t>(0, left[1] - left[0]) + std::max<std::int64_t>(0, right[1] - right[0]);
    auto inside = [&](const std::vector<std::int64_t> &part, std::int64_t from, std::int64_t to) {
      return part[0] >= part[1] || (from <= part[0] && part[1] <= to);
    };
    if (covered != hi - lo - 1 || !inside(left, lo, root) || !inside(right, root + 1, hi))
      throw EvaluationError{tree.left->range,
                            describe(tree, item.arguments,
                                     diag::TreeProblemPartsMissing{
                                         .root = root, .leftLo = left[0], .leftHi = left[1], .rightLo = right[0], .rightHi = right[1]})};
    assert(instance.lo <= lo && hi <= instance.hi && "parts lie in the whole range");
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

/// Builds a tree defined by parent and children, from the root down, and checks that the definitions are consistent.
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
      node(diag::NodeOfTreeRoot{}, instance.root, tree.root->range);
      reach(range);
      sizes();
    }
    for (std::int64_t rank = 0; rank < ranks; ++rank)
      if (!isReached(rank))
        outside(rank);
  }

private:
  [[noreturn]] void wrong(llvm::SMRange range, diag::TreeProblem what) const {
    throw EvaluationError{range, diag::BadRelatives{.tree = tree.name + "(" + given + ")", .problem = std::move(what)}};
  }

  void resize(std::int64_t hi, llvm::SMRange range) {
    if (hi > maxNodes)
      wrong(range, diag::TreeProblemTooManyRanks{.limit = limits::treeNodes});
    instance.hi = hi;
    for (auto *array : {&instance.parent, &instance.left, &instance.right})
      array->resize(static_cast<size_t>(hi), ir::none);
    for (auto *array : {&instance.depth, &instance.size})
      array->resize(static_cast<size_t>(hi), 0);
  }

  /// Throws EvaluationError if `rank` cannot be a node.
  void node(const diag::NodeOfTree &what, std::int64_t rank, llvm::SMRange range) {
    if (rank < 0)
      wrong(range, diag::TreeProblemNoRank{.node = what, .value = rank});
    if (rank < instance.hi)
      return;
    if (ranks != ir::Tree::unknownRanks)
      wrong(range, diag::TreeProblemNoRankOf{.node = what, .value = rank, .ranks = ranks});
    // Grow by doubling: nodes mostly come in increasing order.
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
      child(rank, left, diag::RelativeLeft{}, tree.left->range);
      if (left != ir::none && left == right)
        wrong(tree.right->range, diag::TreeProblemChildTwice{.child = left, .rank = rank});
      child(rank, right, diag::RelativeRight{}, tree.right->range);
      const size_t at = static_cast<size_t>(rank);
      instance.left[at] = left;
      instance.right[at] = right;
      instance.height = std::max(instance.height, instance.depth[at]);
      if (instance.depth[at] > limits::treeDepth)
        wrong(range, diag::TreeProblemTooDeep{.limit = limits::treeDepth});
    }
  }

  void child(std::int64_t rank, std::int64_t child, const diag::Relative &side, llvm::SMRange range) {
    if (child == ir::none)
      return;
    node(diag::NodeOfTreeChild{.side = side, .rank = rank}, child, range);
    if (child == instance.root)
      wrong(range, diag::TreeProblemChildIsRoot{.side = side, .rank = rank, .child = child});
    // This also finds nodes that are reached twice, since a node has one parent.
    if (std::int64_t parent = relative(*tree.parent, child); parent != rank)
      wrong(tree.parent->range,
            diag::TreeProblemOtherParent{
                .child = child, .side = side, .rank = rank, .parent = parent == ir::none ? std::nullopt : std::optional(parent)});
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

  /// Throws EvaluationError if a rank outside the tree is given relatives.
  void outside(std::int64_t rank) {
    const std::pair<const ir::Expr *, diag::Relative> relatives[] = {
        {tree.parent, diag::RelativeParent{}}, {tree.left, diag::RelativeLeft{}}, {tree.right, diag::RelativeRight{}}};
    for (const auto &[expr, what] : relatives)
      if (std::int64_t other = relative(*expr, rank); other != ir::none)
        wrong(expr->range, diag::TreeProblemNotReached{.rank = rank,
                                                       .relative = what,
                                                       .other = other,
                                                       .rootless = instance.root == ir::none,
                                                       .cycle = expr == tree.parent ? cycleAbove(rank) : std::nullopt});
  }

  /// The cycle of parents above a rank; nothing if there is none.
  std::optional<diag::Parents> cycleAbove(std::int64_t rank) {
    std::vector<std::int64_t> path;
    std::vector<bool> seen(static_cast<size_t>(instance.hi));
    while (0 <= rank && rank < instance.hi && !isReached(rank) && !seen[static_cast<size_t>(rank)]) {
      seen[static_cast<size_t>(rank)] = true;
      path.push_back(rank);
      rank = relative(*tree.parent, rank);
    }
    auto first = llvm::find(path, rank);
    if (first == path.end())
      return std::nullopt;
    constexpr size_t most = 8;
    const size_t length = static_cast<size_t>(path.end() - first);
    std::vector<std::int64_t> shown(first, first + static_cast<std::ptrdiff_t>(std::min(length, most)));
    if (length > most)
      return diag::ParentsFirst{.ranks = shown, .count = length};
    shown.push_back(rank);
    return diag::ParentsAll{.ranks = shown};
  }

  TreeInstance &instance;
  const ir::Tree &tree;
  const std::int64_t ranks; // or Tree::unknownRanks
  const std::int64_t maxNodes;
  Frame frame;
  std::string given; // the parameters as text, for messages
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
  if (results.size() == limits::rememberedCalls)
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
  if (building > limits::nestedTrees)
    throw EvaluationError{range, diag::RecursionTooDeep{.name = tree.name, .limit = limits::nestedTrees}};
  auto instance = std::make_unique<TreeInstance>();
  try {
    if (tree.byRelatives)
      RelativesWalk(*instance, tree, arguments, *this, limits::treeNodes - nodes).build(range);
    else
      TreeBuilder(*instance, *this, limits::treeNodes - nodes).build(tree, std::move(arguments), range);
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

} // namespace quadrille::compiler
