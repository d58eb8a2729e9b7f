//===- Expr.h - Integer expressions of a schedule ----------------------------------------------------------*- C++ -*-===//
//
// Values are exact integers, truth values (0 and 1), ranks (an integer or `none`) and trees (handles, see TreeCache). Names are
// resolved to variables of a frame. Each schedule, collective, function, lemma and tree definition has a frame.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_IR_EXPR_H
#define QUADRILLE_IR_EXPR_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/SMLoc.h"

#include <cassert>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace quadrille::compiler::ir {

/// `none`, the rank that does not exist. It has no arithmetic.
inline constexpr std::int64_t none = std::numeric_limits<std::int64_t>::min();

enum class Type { Integer, Boolean, Tree };

/// Operations.def lists the operations and their operands; Operations.h provides them as data.
enum class Op {
#define OPERATION(name) name,
#include "Operations.def"
};

/// Whether the operation may occur in cost clauses only, which are not executed.
constexpr bool isCostOnly(Op op) { return op >= Op::Alpha; }

/// Whether the operation asks for the map from ranks to nodes.
constexpr bool isOfNodes(Op op) { return Op::NodeOf <= op && op <= Op::ConsecutiveNodes; }

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

/// Whether the predicate holds for the expression or one of its parts.
template <typename Predicate>
bool anyPart(const Expr &expr, Predicate predicate) {
  return predicate(expr) || llvm::any_of(expr.operands, [&](const Expr *operand) {
           assert(operand && "sema leaves no operand out");
           return anyPart(*operand, predicate);
         });
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
  bool ofInvariant = false; // bound in an invariant, a clock or a `knows`, where it ranges over blocks, packets or ranks
};

/// lemma name(args) = claim if condition: a statement about all integers. Proofs use it once it is proved.
struct Lemma {
  std::string name;
  std::vector<Variable> variables; // the first ones are the arguments
  unsigned argumentCount = 0;
  const Expr *condition = nullptr; // null: always
  const Expr *claim = nullptr;
  unsigned number = 0; // among the lemmas of its program, in the order of the text
  llvm::SMRange range;
};

/// fn name(args) = body; the arguments are variables 0, 1, ... of its frame.
struct Function {
  std::string name;
  std::vector<Variable> variables;
  unsigned argumentCount = 0;
  Type type = Type::Integer; // of the body; known before the body is analyzed, which may call the function
  const Expr *body = nullptr;
  std::vector<const Lemma *> lemmas; // the lemmas of its file that mention it, in the order of the text
  llvm::SMRange range;
};

/// A tree definition: it splits a range of ranks into root, left and right part, or gives parent and children of a node.
struct Tree {
  static constexpr std::int64_t unknownRanks = -1;

  std::string name;
  bool byRelatives = false; // defined by parent and children of a node
  std::vector<Variable> variables;   // the bounds lo and hi of the range, or the node (byRelatives); then the other parameters
  std::vector<const Expr *> presets; // defaults of the other parameters; null: the middle of the range (byRelatives: no default)
  unsigned requiredParameters = 0;   // how many of the other parameters have no default
  const Expr *root = nullptr;        // does not depend on the node
  const Expr *parent = nullptr;      // byRelatives only
  const Expr *left = nullptr, *right = nullptr; // Op::BuildTree; byRelatives: ranks
  llvm::SMRange range;

  /// The index in `variables` of the first of the other parameters, which is also the index of its operand in Op::BuildTree.
  unsigned firstParameter() const { return byRelatives ? 1 : 2; }
};

} // namespace quadrille::compiler::ir

#endif // QUADRILLE_IR_EXPR_H
