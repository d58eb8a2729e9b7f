//===- Evaluate.h - Evaluation of expressions for one rank --------------------------------------------------*- C++ -*-===//
//
// Exact evaluation of integer expressions in a frame. An expression without value (overflow, division by zero, log2 of a number
// that is no power of two, arithmetic on `none`) throws EvaluationError.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_EVALUATE_EVALUATE_H
#define QUADRILLE_EVALUATE_EVALUATE_H

#include "Case.h"

#include "diagnostics/Diagnostics.h"
#include "ir/Schedule.h"
#include "limits/Limits.h"

#include <cassert>
#include <map>
#include <optional>
#include <unordered_map>

namespace quadrille::compiler {

struct EvaluationError {
  llvm::SMRange range;
  diag::Facts facts;
  std::int64_t rank = -1; // the rank for which it was evaluated; -1: it does not depend on the rank

  diag::Id id() const { return facts.id(); }
};

/// A tree with all its nodes, which are ranks in lo ..< hi. Arrays are indexed by rank - lo. nodeLo, nodeHi: the range of each node,
/// in trees that split ranges.
struct TreeInstance {
  std::int64_t lo = 0, hi = 0, root = ir::none, height = 0;
  std::vector<std::int64_t> parent, left, right, depth, size, nodeLo, nodeHi;

  bool contains(std::int64_t rank) const { return lo <= rank && rank < hi; }
  /// A field of the node of `rank`; `none` (or 0 for depth and size) if the tree has no such node.
  std::int64_t field(ir::TreeFieldKind kind, std::int64_t rank) const;
};

/// Caches values that many ranks and iterations use: trees, which are built once and referred to by small numbers (handles), and
/// results of functions.
class TreeCache {
public:
  unsigned callDepth = limits::callDepth; // the largest depth of recursion

  /// The result of a function, and the number of calls that its computation takes.
  struct Result {
    std::int64_t value;
    unsigned calls;
  };
  /// A function and its arguments.
  using CallKey = std::pair<const ir::Function *, std::vector<std::int64_t>>;

  /// The handle of a tree, which is built if it is not in the cache. Throws EvaluationError.
  std::int64_t get(const ir::Tree &tree, std::vector<std::int64_t> arguments, llvm::SMRange range);
  bool has(std::int64_t handle) const { return handle >= 0 && handle < static_cast<std::int64_t>(instances.size()); }
  const TreeInstance &operator[](std::int64_t handle) const {
    assert(has(handle) && "a handle that `get` has returned");
    return *instances[static_cast<size_t>(handle)];
  }

  /// The cached result of a call; null if there is none.
  const Result *find(const CallKey &key) const;
  void insert(CallKey key, Result result);

private:
  struct CallHash {
    size_t operator()(const CallKey &key) const;
  };
  std::unordered_map<CallKey, Result, CallHash> results;
  std::map<std::pair<const ir::Tree *, std::vector<std::int64_t>>, std::int64_t> known;
  // The trees that cannot be built, with the error, which is thrown for each rank that asks for the tree.
  std::map<std::pair<const ir::Tree *, std::vector<std::int64_t>>, EvaluationError> refused;
  std::vector<std::unique_ptr<TreeInstance>> instances;
  std::uint64_t nodes = 0;
  unsigned building = 0; // nesting of trees under construction, whose definitions may use other trees
};

/// The values of a frame's variables.
struct Frame {
  std::vector<std::int64_t> values;
  TreeCache *trees = nullptr;
  Nodes nodes = nullptr; // in the schedule's own numbers of ranks; null in frames of what does not ask for it

  std::int64_t &operator[](unsigned variable) {
    assert(variable < values.size() && "a variable of another frame");
    return values[variable];
  }
  std::int64_t operator[](unsigned variable) const {
    assert(variable < values.size() && "a variable of another frame");
    return values[variable];
  }
};

std::int64_t evaluate(const ir::Expr &expr, const Frame &frame, unsigned callDepth = 0);

/// The map from ranks to nodes of a case; null if the schedule does not ask for it.
Nodes nodesOf(const ir::Schedule &schedule, const Case &instance);

/// The frame of a case: p and the numbers of the schedule, all other variables 0.
Frame caseFrame(const ir::Schedule &schedule, const Case &instance, TreeCache &trees);

/// The frame for clauses and `split`s of a schedule: caseFrame with the values of those top-level lets that are the same on all
/// ranks.
Frame clauseFrame(const ir::Schedule &schedule, const Case &instance, TreeCache &trees);

} // namespace quadrille::compiler

#endif // QUADRILLE_EVALUATE_EVALUATE_H
