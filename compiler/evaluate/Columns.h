//===- Columns.h - An expression for many ranks at once --------------------------------------------------------*- C++ -*-===//
//
// Uniform schedules are evaluated columnwise: every node of an expression once per chunk of ranks, in a loop that the
// C++ compiler vectorizes; what does not depend on the rank stays a scalar. A running bound on each column tells which
// loops cannot overflow. Whatever has no fast loop (functions, exact roots, errors) falls back to evaluate(), rank by
// rank and only for the ranks that need the value, so both evaluators agree by construction on what is an error.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_EVALUATE_COLUMNS_H
#define QUADRILLE_EVALUATE_COLUMNS_H

#include "Evaluate.h"
#include "Intervals.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

#include <array>
#include <memory>

namespace quadrille::compiler {

/// A value per rank of a chunk, or one for all.
struct Column {
  bool isScalar = true;
  std::int64_t scalar = 0;
  const std::int64_t *values = nullptr; // one per rank of the chunk
  arithmetic::Interval bounds;          // of all values, but for those of a column that are `none`

  std::int64_t operator[](size_t i) const { return isScalar ? scalar : values[i]; }
};

/// What a variable is for the ranks of one frame.
struct ColumnVariable {
  enum Kind { Scalar, Lazy, Array } kind = Scalar;
  std::int64_t scalar = 0;
  const ir::Expr *lazy = nullptr;          // a `let`: evaluated when first asked for in a chunk
  const std::int64_t *array = nullptr;     // one value per rank of the machine
  arithmetic::Interval bounds;             // of the array
};

class ColumnEvaluator {
public:
  static constexpr size_t chunkSize = 1024;

  explicit ColumnEvaluator(TreeCache &trees) : trees(trees) {}

  std::vector<ColumnVariable> variables;

  /// Selects the ranks first ..< first + count that the next evaluations are for. `active`: one byte per rank of the
  /// machine, null for all; ranks that are not active get arbitrary values and cannot cause errors.
  void select(size_t first, size_t count, const std::uint8_t *active);
  /// Gives a variable another value. Lets refer to variables before them only, so those before it keep theirs.
  void set(unsigned variable, const ColumnVariable &value) {
    if (variables[variable].kind != value.kind || variables[variable].lazy != value.lazy)
      ++shape;
    variables[variable] = value;
    for (size_t i = variable; i < cache.size(); ++i)
      cache[i].stamp = 0;
  }

  /// Valid until `select` or the release of a mark taken before.
  Column evaluate(const ir::Expr &expr);
  /// Columns evaluated since `mark` was taken are given up, those before stay.
  std::size_t mark() const { return used; }
  void release(std::size_t mark) { used = mark; }

  /// The values of the variables that expressions need, for one rank.
  Frame frameOf(llvm::ArrayRef<const ir::Expr *> exprs, size_t rank);
  /// One rank only, without columns.
  std::int64_t evaluateAt(const ir::Expr &expr, size_t rank);
  /// The value of an expression that is the same for all ranks.
  std::int64_t evaluateScalar(const ir::Expr &expr) { return evaluateAt(expr, first); }

private:
  struct Cached {
    std::uint64_t stamp = 0; // the generation it is from; 0: none
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
  /// The variables that an expression needs, transitively, each kind in ascending order.
  struct Needs {
    std::uint64_t shape = 0; // of the variables for which they were found; 0: for none
    llvm::SmallVector<unsigned, 8> plain, lets;
  };
  const Needs &needsOf(const ir::Expr &expr);
  void fillFrame(Frame &frame, const Needs &needs, size_t rank);
  std::int64_t valueOf(unsigned variable, size_t rank) const {
    const ColumnVariable &v = variables[variable];
    return v.kind == ColumnVariable::Scalar ? v.scalar : v.kind == ColumnVariable::Array ? v.array[rank] : 0;
  }

  TreeCache &trees;
  size_t first = 0, count = 0;
  const std::uint8_t *active = nullptr;
  std::uint64_t generation = 1;
  std::vector<Cached> cache;
  std::vector<std::unique_ptr<std::array<std::int64_t, chunkSize>>> pool;
  size_t used = 0;
  std::uint64_t shape = 1;                       // changes with what kinds of variables there are
  llvm::DenseMap<const ir::Expr *, Needs> needs; // as far as they were asked for
  Frame scratch;                                 // of one rank
};

} // namespace quadrille::compiler

#endif // QUADRILLE_EVALUATE_COLUMNS_H
