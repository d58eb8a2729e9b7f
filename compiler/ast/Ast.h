//===- Ast.h - The syntax tree ----------------------------------------------------------------*- C++ -*-===//
//
// The syntax tree of a schedule file: close to the text, with unresolved names; every node has its place in the text. Built by
// parse/, read by sema/ and by tools that change programs.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_AST_AST_H
#define QUADRILLE_AST_AST_H

#include "llvm/Support/SMLoc.h"

#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace quadrille::compiler::ast {

struct Expr;
using ExprPtr = std::unique_ptr<Expr>;

enum class ExprKind {
  Integer,  // value
  None,     // `none`
  Name,     // text
  Call,     // text(args)
  Range,    // operands[0] ..< operands[1], inclusive: `..`
  Fold,     // fold(operands[0] for text in operands[1] ..< operands[2] [if operands[3]])
  Aggregate, // like Fold, of numbers: callee is sum, min or max
  Index,    // operands[0][index]
  AtRank,   // operands[0] @ operands[1]
  Field,    // operands[0].text
  Unary,    // text operands[0]
  Binary,   // operands[0] text operands[1]
  Select,   // if operands[0] then operands[1] else operands[2]
};

/// The form of the index in `y[...]`.
enum class IndexKind {
  Point,  // y[a]                     parts: a
  Range,  // y[a ..< b], y[a .. b]    parts: a, b
  Run,    // y[a ..+ len]             parts: a, len
  Cyclic, // y[a ..+ len mod m]       parts: a, len, m
  Filter, // y[j in a ..< b if cond]  parts: a, b, cond; binder j
};

struct Expr {
  ExprKind kind;
  llvm::SMRange range;
  std::string text; // name, operator, field or binder
  std::string callee; // Aggregate
  std::int64_t value = 0;
  bool inclusive = false; // `..` instead of `..<`
  bool parenthesized = false;
  IndexKind indexKind = IndexKind::Point;
  llvm::SMRange textRange; // of the operator, field or binder
  llvm::SMRange calleeRange;
  std::vector<ExprPtr> operands; // for Index: operands[0] is the base, the parts follow
};

struct Name {
  std::string text;
  llvm::SMRange range;
};

struct Statement;
using Block = std::vector<std::unique_ptr<Statement>>;

enum class LoopKind {
  Ascending,  // lo ..< hi [by step]
  Times,      // lo ..< hi times factor
  Descending, // hi downto lo [by step]
  Half,       // hi downto lo half
  Halvings,   // (b, a) in halvings(extent)
  HalvingsReversed,
  Set, // others, T.children
};

enum class StatementKind { Let, Var, Send, Recv, Exchange, Step, If, For, Invariant, Clock, Split, Use, Assign };

/// `block[count] of length`; count is null for a single block, length where blocks have n elements.
struct BlockType {
  llvm::SMRange range;
  ExprPtr count;
  ExprPtr length;
};

struct Statement {
  StatementKind kind;
  llvm::SMRange range;   // of the whole statement
  llvm::SMRange keyword; // its first word, where diagnostics point
  std::vector<Name> names; // let/var/for: the declared names; split: the variables; use: collective, algorithm;
                           // invariant: the word after `else`, if there is one
  std::optional<BlockType> type;
  ExprPtr target;                // assign, exchange ... into
  ExprPtr message;               // send, recv, exchange; null: a message without data
  ExprPtr value;                 // let, var, assign; peer of a transfer; condition of an if; parts of a split; claim of
                                 // an invariant
  ExprPtr condition;             // invariant; may be null
  ExprPtr origin;                // assign: the rank that the second operand came from; may be null
  LoopKind loop = LoopKind::Ascending;
  bool inclusive = false;
  ExprPtr lo, hi, factor;        // loops; lo holds the extent of halvings and the set of `for j in set`
  Block body, otherwise;
  std::vector<ExprPtr> params, args, results; // use algorithm(params)(args) -> results; the numbers of a clock are args
  // use ... among { member : binder in lo ..< hi }
  ExprPtr member;
  Name binder;
};

enum class ClauseKind { Requires, Knows, Model, Cost, Rounds, RanksFrom, Lockstep };

struct Clause {
  ClauseKind kind;
  llvm::SMRange range;
  bool upperBound = false; // cost <= E, rounds <= E
  Name folder, name;       // of the model; of what is known: folder/name is the schedule by which ranks tell each other, if there is one
  ExprPtr expr;            // condition, entry of a table, ports, formula or origin; null: there is none
  ExprPtr condition;       // of what is known; null: there is none
};

struct Parameter {
  Name name;
  std::vector<ExprPtr> extents;  // of a table of numbers, such as len[p]
  std::optional<BlockType> type; // absent: a number (the root), or a table
  ExprPtr presence;              // `at root`
};

struct Promise {
  llvm::SMRange range;
  ExprPtr claim;
  ExprPtr condition; // may be null
};

/// `knows len[j] if c`: which ranks know which entries of a table.
struct Knows {
  llvm::SMRange range;
  ExprPtr entry;
  ExprPtr condition; // may be null
};

struct Collective {
  Name name;
  llvm::SMRange range;
  std::vector<Parameter> inputs, outputs;
  std::vector<Promise> promises;
  std::vector<Knows> knowledge;
};

struct Function {
  Name name;
  std::vector<Name> params;
  ExprPtr body;
};

/// A statement about functions: the claim holds for all integers that satisfy the condition.
struct Lemma {
  Name name;
  std::vector<Name> params;
  ExprPtr claim;
  ExprPtr condition; // may be null
};

struct TreeParameter {
  Name name;
  ExprPtr preset; // may be null
};

/// A tree definition: how a range of ranks splits into root, left and right part, or parent and children of a node.
struct Tree {
  Name name;
  Name subject;                      // the range or the node
  std::vector<TreeParameter> params; // the other parameters
  ExprPtr root, left, right;
  ExprPtr parent; // null in a tree that splits a range
};

struct ScheduleParameter {
  Name name;
  bool isTree; // else a number
};

/// The base of an instance: `= folder/schedule(args)`, or with `reversed`, the same run backwards.
struct Instance {
  llvm::SMRange range;
  bool isReversed = false;
  Name folder; // empty: the schedule's collective
  Name schedule;
  std::vector<ExprPtr> args;
};

struct Schedule {
  Name name;
  llvm::SMRange range;
  std::vector<ScheduleParameter> params;
  Name collective;
  std::optional<Instance> instance; // if it is there, the body should be empty
  std::vector<Name> inputs, outputs;
  std::vector<Clause> clauses;
  Block body;
};

/// `import folder/file`: the functions, trees and collectives of another file are used here.
struct Import {
  llvm::SMRange range;
  std::string file; // without `.quad`
};

struct File {
  llvm::SMLoc first; // of the first declaration or import; invalid if there is none
  std::vector<Import> imports;
  std::vector<Collective> collectives;
  std::vector<Function> functions;
  std::vector<Lemma> lemmas;
  std::vector<Tree> trees;
  std::vector<Schedule> schedules;

  /// Appends the imports and declarations of another file.
  void append(File &&other) {
    auto move = [](auto &from, auto &to) {
      to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
    };
    move(other.imports, imports);
    move(other.collectives, collectives);
    move(other.functions, functions);
    move(other.lemmas, lemmas);
    move(other.trees, trees);
    move(other.schedules, schedules);
  }
};

} // namespace quadrille::compiler::ast

#endif // QUADRILLE_AST_AST_H
