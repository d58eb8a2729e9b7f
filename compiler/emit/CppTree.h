//===- CppTree.h - A minimal C++ tree --------------------------------------------------------------------------*- C++ -*-===//
//
// Contains as much of C++ as emitted schedules need. IrToCpp* builds the tree, `tidy` simplifies it once, and CppPrinter prints
// it without changing it.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_EMIT_CPPTREE_H
#define QUADRILLE_EMIT_CPPTREE_H

#include "llvm/ADT/STLExtras.h"

#include <cassert>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace quadrille::compiler::emit::cpp {

// ---- expressions -------------------------------------------------------------------------------------------------------

enum class ExprKind {
  Atom,        // text: a name, a member of a name or a literal
  Prefix,      // text operands[0]
  Infix,       // operands[0] text operands[1]
  Conditional, // operands[0] ? operands[1] : operands[2]
  Call,        // operands[0](operands[1], ...)
  Member,      // operands[0].text
  Subscript,   // operands[0][operands[1]]
  Braces,      // text{operands...}
  Lambda,      // [&](Index text) { return operands[0]; }
};

struct Expr;
using ExprPtr = std::shared_ptr<const Expr>;

struct Expr {
  ExprKind kind;
  std::string text;
  std::vector<ExprPtr> operands;
};

/// Whether an expression of this kind has so many operands.
inline bool takes(ExprKind kind, std::size_t operands) {
  switch (kind) {
  case ExprKind::Atom:
    return operands == 0;
  case ExprKind::Prefix:
  case ExprKind::Member:
  case ExprKind::Lambda:
    return operands == 1;
  case ExprKind::Infix:
  case ExprKind::Subscript:
    return operands == 2;
  case ExprKind::Conditional:
    return operands == 3;
  case ExprKind::Call:
    return operands >= 1;
  case ExprKind::Braces:
    return true;
  }
  return false;
}

inline ExprPtr make(ExprKind kind, std::string text, std::vector<ExprPtr> operands = {}) {
  assert(takes(kind, operands.size()) && llvm::all_of(operands, [](const ExprPtr &operand) { return operand != nullptr; }));
  return std::make_shared<const Expr>(Expr{kind, std::move(text), std::move(operands)});
}
inline ExprPtr atom(std::string text) { return make(ExprKind::Atom, std::move(text)); }
inline ExprPtr number(long long value) { return atom(std::to_string(value)); }
inline ExprPtr prefix(std::string op, ExprPtr a) { return make(ExprKind::Prefix, std::move(op), {std::move(a)}); }
inline ExprPtr infix(ExprPtr a, std::string op, ExprPtr b) {
  return make(ExprKind::Infix, std::move(op), {std::move(a), std::move(b)});
}
inline ExprPtr conditional(ExprPtr c, ExprPtr a, ExprPtr b) {
  return make(ExprKind::Conditional, "", {std::move(c), std::move(a), std::move(b)});
}
inline ExprPtr callee(ExprPtr function, std::vector<ExprPtr> arguments) {
  arguments.insert(arguments.begin(), std::move(function));
  return make(ExprKind::Call, "", std::move(arguments));
}
inline ExprPtr call(std::string function, std::vector<ExprPtr> arguments) {
  return callee(atom(std::move(function)), std::move(arguments));
}
inline ExprPtr member(ExprPtr object, std::string name) {
  return make(ExprKind::Member, std::move(name), {std::move(object)});
}
inline ExprPtr method(ExprPtr object, std::string name, std::vector<ExprPtr> arguments) {
  return callee(member(std::move(object), std::move(name)), std::move(arguments));
}
inline ExprPtr subscript(ExprPtr object, ExprPtr index) {
  return make(ExprKind::Subscript, "", {std::move(object), std::move(index)});
}
inline ExprPtr braces(std::string type, std::vector<ExprPtr> values) {
  return make(ExprKind::Braces, std::move(type), std::move(values));
}
/// `parameter`: the name of an Index, or names with their types.
inline ExprPtr lambda(std::string parameter, ExprPtr result) {
  return make(ExprKind::Lambda, std::move(parameter), {std::move(result)});
}

bool same(const ExprPtr &a, const ExprPtr &b);
/// Whether `name` occurs as an identifier.
bool mentions(const Expr &expr, const std::string &name);

// ---- statements --------------------------------------------------------------------------------------------------------

enum class StmtKind {
  Expression,  // expr;
  Declaration, // type name = expr;   or   type name;
  If,          // if (expr) { body } else { otherwise }
  For,         // for (type name = init; expr; advance) { body }
  RangeFor,    // for (type name : expr) { body }
  Block,       // { body }
  Return,      // return expr;
  ReturnIfBad, // if (Status bad = expr) return bad;
  Continue,
  Comment,     // // text
  Try,         // try { body } catch (name) { otherwise }
  ReturnCall,  // return expr([type] { body });   or, of a call f(a):   return f(a, [type] { body });
};

struct Stmt {
  StmtKind kind;
  ExprPtr expr;
  std::string type, name;
  ExprPtr init, advance;
  std::vector<Stmt> body, otherwise;
  /// Declaration: may be dropped if `name` is not used.
  bool pure = false;
};
using Body = std::vector<Stmt>;

inline Stmt expression(ExprPtr expr) { return {StmtKind::Expression, std::move(expr), {}, {}, {}, {}, {}, {}, false}; }
inline Stmt declaration(std::string type, std::string name, ExprPtr value, bool pure = true) {
  return {StmtKind::Declaration, std::move(value), std::move(type), std::move(name), {}, {}, {}, {}, pure};
}
inline Stmt assignment(ExprPtr target, ExprPtr value) { return expression(infix(std::move(target), "=", std::move(value))); }
inline Stmt ifThen(ExprPtr condition, Body yes, Body no = {}) {
  assert(condition && "an `if` has a condition");
  return {StmtKind::If, std::move(condition), {}, {}, {}, {}, std::move(yes), std::move(no), false};
}
inline Stmt forLoop(std::string name, ExprPtr init, ExprPtr condition, ExprPtr advance, Body body) {
  assert(init && condition && advance && !name.empty() && "a loop has all three parts");
  return {StmtKind::For, std::move(condition), "Index", std::move(name), std::move(init), std::move(advance), std::move(body),
          {}, false};
}
inline Stmt rangeFor(std::string type, std::string name, ExprPtr range, Body body) {
  assert(range && !name.empty() && "a loop has a range and a variable");
  return {StmtKind::RangeFor, std::move(range), std::move(type), std::move(name), {}, {}, std::move(body), {}, false};
}
inline Stmt block(Body body) { return {StmtKind::Block, {}, {}, {}, {}, {}, std::move(body), {}, false}; }
inline Stmt returns(ExprPtr value) { return {StmtKind::Return, std::move(value), {}, {}, {}, {}, {}, {}, false}; }
inline Stmt returnIfBad(ExprPtr status) { return {StmtKind::ReturnIfBad, std::move(status), {}, {}, {}, {}, {}, {}, false}; }
inline Stmt returnCall(ExprPtr function, std::string captures, Body body) {
  return {StmtKind::ReturnCall, std::move(function), std::move(captures), {}, {}, {}, std::move(body), {}, false};
}
inline Stmt comment(std::string text) { return {StmtKind::Comment, {}, std::move(text), {}, {}, {}, {}, {}, false}; }

bool mentions(const Body &body, const std::string &name);

// ---- declarations ------------------------------------------------------------------------------------------------------

struct Parameter {
  std::string type; // with `const`, `&` and `*`
  std::string name; // empty: not used
  std::string preset = {};
};

struct Function {
  std::vector<std::string> comment; // lines
  std::string result, name;
  std::vector<Parameter> parameters;
  Body body;
  bool isPrototype = false;
};

/// struct name { Index field = value; ... };
struct Struct {
  std::vector<std::string> comment;
  std::string name;
  std::vector<std::pair<std::string, std::string>> fields;
};

/// A file: comment, includes and declarations. The `hidden` declarations are printed in an unnamed namespace.
struct File {
  std::vector<std::string> comment;
  std::string guard; // of a header; empty: a source file
  std::vector<std::string> ownIncludes, systemIncludes;
  std::string nameSpace;
  std::vector<std::string> usings;
  std::vector<Struct> structs;
  std::vector<Function> hidden, visible;
};

/// Drops declarations that nothing uses, empty branches and loops, and the names of parameters that are not used.
void tidy(Function &function);

std::string print(const File &file);

} // namespace quadrille::compiler::emit::cpp

#endif // QUADRILLE_EMIT_CPPTREE_H
