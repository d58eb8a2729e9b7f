//===- Columns.h - Evaluation for many ranks at once --------------------------------------------------------*- C++ -*-===//
//
// The lockstep engine evaluates each node of an expression for a whole chunk of ranks, in a loop that the C++ compiler
// vectorizes; values that do not depend on the rank are scalars. Each column carries bounds on its values, which show that a
// loop cannot overflow. Everything else (functions, exact roots, errors) is evaluated by evaluate(), rank by rank and only for
// the ranks that need the value, so both evaluators agree on errors by construction.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_EVALUATE_COLUMNS_H
#define QUADRILLE_EVALUATE_COLUMNS_H

#include "Evaluate.h"
#include "Intervals.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

#include <array>
#include <cassert>
#include <memory>

namespace quadrille::compiler {

/// One value per rank of a chunk, or one for all.
struct Column {
  bool isScalar = true;
  std::int64_t scalar = 0;
  const std::int64_t *values = nullptr; // one per rank of the chunk
  arithmetic::Interval bounds;          // contains all values of the column that are not `none`

  std::int64_t operator[](size_t i) const {
    assert((isScalar || values) && "a column without values");
    return isScalar ? scalar : values[i];
  }
};

/// The values of a variable on all ranks.
struct ColumnVariable {
  enum Kind { Scalar, Lazy, Array } kind = Scalar;
  std::int64_t scalar = 0;
  const ir::Expr *lazy = nullptr;          // a `let`: evaluated on first use in a chunk
  const std::int64_t *array = nullptr;     // one value per rank of the machine
  arithmetic::Interval bounds;             // of the array
};

class ColumnEvaluator {
public:
  static constexpr size_t chunkSize = 1024;

  explicit ColumnEvaluator(TreeCache &trees) : trees(trees) {}

  std::vector<ColumnVariable> variables;

  /// Selects the ranks first ..< first + count for the next evaluations. `active`: one byte per rank of the machine; null: all are
  /// active. Inactive ranks get arbitrary values and cause no errors.
  void select(size_t first, size_t count, const std::uint8_t *active);
  /// Sets a variable. Drops the cached values of this and later variables only, since lets refer to earlier variables.
  void set(unsigned variable, const ColumnVariable &value) {
    assert(variable < variables.size() && "a variable of another frame");
    assert((value.kind != ColumnVariable::Lazy || value.lazy) && (value.kind != ColumnVariable::Array || value.array));
    if (variables[variable].kind != value.kind || variables[variable].lazy != value.lazy)
      ++shape;
    variables[variable] = value;
    for (size_t i = variable; i < cache.size(); ++i)
      cache[i].stamp = 0;
  }

  /// The result is valid until `select`, or until a mark taken before is released.
  Column evaluate(const ir::Expr &expr);
  /// Returns a mark for `release`, which frees all columns evaluated since.
  std::size_t mark() const { return used; }
  void release(std::size_t mark) { used = mark; }

  /// A frame with the values of the variables that the expressions need, for one rank.
  Frame frameOf(llvm::ArrayRef<const ir::Expr *> exprs, size_t rank);
  /// Evaluates for one rank only.
  std::int64_t evaluateAt(const ir::Expr &expr, size_t rank);
  /// The map from ranks to nodes, for expressions that ask for it.
  void setNodes(Nodes map) { nodes = std::move(map); }
  /// The value of an expression that is the same for all ranks.
  std::int64_t evaluateScalar(const ir::Expr &expr) { return evaluateAt(expr, first); }

private:
  struct Cached {
    std::uint64_t stamp = 0; // the generation in which it was computed; 0: invalid
    Column column;
    std::unique_ptr<std::array<std::int64_t, chunkSize>> storage;
  };

  std::int64_t *allocate();
  Column variable(unsigned index);
  Column sameForAll(const ir::Expr &expr);
  Column rankByRank(const ir::Expr &expr);
  Column unary(const ir::Expr &expr, const Column &a);
  Column binary(const ir::Expr &expr, const Column &a, const Column &b);
  bool activeAt(size_t i) const { return !active || active[first + i]; }
  /// The variables that an expression needs, directly or through lets, in ascending order.
  struct Needs {
    std::uint64_t shape = 0; // value of `shape` for which they were determined; 0: never
    llvm::SmallVector<unsigned, 8> plain, lets;
  };
  const Needs &needsOf(const ir::Expr &expr);
  void fillFrame(Frame &frame, const Needs &needs, size_t rank);
  std::int64_t valueOf(unsigned variable, size_t rank) const {
    const ColumnVariable &v = variables[variable];
    return v.kind == ColumnVariable::Scalar ? v.scalar : v.kind == ColumnVariable::Array ? v.array[rank] : 0;
  }

  TreeCache &trees;
  Nodes nodes = nullptr;
  size_t first = 0, count = 0;
  const std::uint8_t *active = nullptr;
  std::uint64_t generation = 1;
  std::vector<Cached> cache;
  std::vector<std::unique_ptr<std::array<std::int64_t, chunkSize>>> pool;
  size_t used = 0;
  std::uint64_t shape = 1;                       // incremented whenever a variable changes its kind or its `let`
  llvm::DenseMap<const ir::Expr *, Needs> needs; // computed on demand
  Frame scratch;                                 // reused for single ranks
};

} // namespace quadrille::compiler

#endif // QUADRILLE_EVALUATE_COLUMNS_H
