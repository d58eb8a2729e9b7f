//===- Expr.h - Integer expressions of a schedule ----------------------------------------------------------*- C++ -*-===//
//
// Exact integers, truth values (0 and 1), ranks (an integer or `none`) and trees (handles). Names are resolved to the
// variables of a frame: one frame per running schedule, function or tree definition.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_IR_EXPR_H
#define QUADRILLE_IR_EXPR_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/SMLoc.h"

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace quadrille::compiler::ir {

/// The rank that is not there. No arithmetic is possible with it.
inline constexpr std::int64_t none = std::numeric_limits<std::int64_t>::min();

enum class Type { Integer, Boolean, Tree };

/// Operations.def says what they are, Operations.h how they are written.
enum class Op {
#define OPERATION(name) name,
#include "Operations.def"
};

/// Whether the operation stands in cost clauses only, which no rank computes.
constexpr bool isCostOnly(Op op) { return op >= Op::Alpha; }

enum class TreeFieldKind { Root, Height, Parent, Left, Right, Depth, Size, Lo, Hi };

struct Function;
struct Tree;

struct Expr {
  Op op;
  Type type = Type::Integer;
  bool dependsOnRank = false; // may differ between the ranks of one schedule
  bool mayBeNone = false;
  std::int64_t value = 0;
  unsigned variable = 0;
  TreeFieldKind field = TreeFieldKind::Root;
  const Function *function = nullptr;
  const Tree *tree = nullptr;
  llvm::SmallVector<const Expr *, 3> operands;
  llvm::SMRange range;
};

/// Does the predicate hold for the expression or a part of it?
template <typename Predicate>
bool anyPart(const Expr &expr, Predicate predicate) {
  return predicate(expr) || llvm::any_of(expr.operands, [&](const Expr *operand) { return anyPart(*operand, predicate); });
}

inline bool mentions(const Expr &expr, Op op) {
  return anyPart(expr, [op](const Expr &part) { return part.op == op; });
}

inline bool mentions(const Expr &expr, unsigned variable) {
  return anyPart(expr, [variable](const Expr &part) { return part.op == Op::Variable && part.variable == variable; });
}

/// A variable of a frame.
struct Variable {
  std::string name;
  Type type = Type::Integer;
  bool dependsOnRank = false;
  llvm::SMRange range;
  bool ofInvariant = false; // stands for blocks or ranks in an invariant or a clock, which nothing executes
};

/// lemma name(args) = claim if condition: holds for all integers, which proofs make use of once it is shown.
struct Lemma {
  std::string name;
  std::vector<Variable> variables; // the first ones are the arguments
  unsigned argumentCount = 0;
  const Expr *condition = nullptr; // null: always
  const Expr *claim = nullptr;
  unsigned number = 0; // among those of its program, in the order of the text
  llvm::SMRange range;
};

/// fn name(args) = body; the arguments are variables 0, 1, ... of its frame.
struct Function {
  std::string name;
  std::vector<Variable> variables;
  unsigned argumentCount = 0;
  Type type = Type::Integer; // of the body, known before it is analyzed, as the body may call the function
  const Expr *body = nullptr;
  std::vector<const Lemma *> lemmas; // those of its file that it occurs in, in the order of the text
  llvm::SMRange range;
};

/// A rule that splits a range of ranks into root, left and right part, or one that tells the relatives of a node.
struct Tree {
  static constexpr std::int64_t unknownRanks = -1;

  std::string name;
  bool byRelatives = false;
  std::vector<Variable> variables;   // the bounds lo and hi of the range, or the node; then the other parameters
  std::vector<const Expr *> presets; // per other parameter; null: the middle of the range, or none
  unsigned requiredParameters = 0;   // how many of them a call has to give
  const Expr *root = nullptr;        // does not depend on the node
  const Expr *parent = nullptr;      // by relatives only
  const Expr *left = nullptr, *right = nullptr; // Op::BuildTree; by relatives ranks
  llvm::SMRange range;

  /// The variable of the first of the other parameters, and of the first operand of Op::BuildTree that gives one.
  unsigned firstParameter() const { return byRelatives ? 1 : 2; }
};

} // namespace quadrille::compiler::ir

#endif // QUADRILLE_IR_EXPR_H
