//===- SyntaxVisitor.h - Visits statements and expressions of a text ------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_TEST_FUZZ_SYNTAXVISITOR_H
#define QUADRILLE_TEST_FUZZ_SYNTAXVISITOR_H

#include "ast/Ast.h"

#include <functional>

namespace quadrille::compiler::fuzz {

/// The role of an expression.
enum class Role { Number, Condition, Data, Partner };

struct SyntaxVisitor {
  /// A list of statements: the body of a schedule, a loop, a branch or a step.
  std::function<void(const ast::Block &)> block = [](const ast::Block &) {};
  std::function<void(const ast::Statement &)> statement = [](const ast::Statement &) {};
  std::function<void(const ast::Expr &, Role)> expr = [](const ast::Expr &, Role) {};

  void visit(const ast::File &file) const {
    for (const ast::Collective &c : file.collectives)
      for (const ast::Promise &promise : c.promises) {
        if (promise.condition)
          visit(*promise.condition, Role::Condition);
        visit(*promise.claim, Role::Condition);
      }
    for (const ast::Function &f : file.functions)
      visit(*f.body, Role::Number);
    for (const ast::Tree &tree : file.trees)
      for (const ast::ExprPtr *e : {&tree.root, &tree.parent, &tree.left, &tree.right})
        if (*e)
          visit(**e, Role::Number);
    for (const ast::Schedule &schedule : file.schedules) {
      for (const ast::Clause &clause : schedule.clauses)
        if (clause.expr)
          visit(*clause.expr, clause.kind == ast::ClauseKind::Requires ? Role::Condition : Role::Number);
      visit(schedule.body);
    }
  }

  void visit(const ast::Block &statements) const {
    block(statements);
    for (const auto &s : statements)
      visit(*s);
  }

  void visit(const ast::Statement &s) const {
    using Kind = ast::StatementKind;
    statement(s);
    auto each = [&](const ast::ExprPtr &e, Role role) {
      if (e)
        visit(*e, role);
    };
    const bool isTransfer = s.kind == Kind::Send || s.kind == Kind::Recv || s.kind == Kind::Exchange;
    each(s.target, Role::Data);
    each(s.message, Role::Data);
    each(s.value, isTransfer                                          ? Role::Partner
                  : s.kind == Kind::If || s.kind == Kind::Invariant   ? Role::Condition
                  : s.kind == Kind::Assign || s.kind == Kind::Var     ? Role::Data
                                                                      : Role::Number);
    each(s.condition, Role::Condition);
    if (s.type) {
      each(s.type->count, Role::Number);
      each(s.type->length, Role::Number);
    }
    for (const ast::ExprPtr *e : {&s.lo, &s.hi, &s.factor})
      each(*e, Role::Number);
    for (const ast::ExprPtr &e : s.params)
      each(e, Role::Number);
    for (const auto *list : {&s.args, &s.results})
      for (const ast::ExprPtr &e : *list)
        each(e, s.kind == Kind::Clock ? Role::Number : Role::Data);
    each(s.member, Role::Number);
    visit(s.body);
    visit(s.otherwise);
  }

  void visit(const ast::Expr &e, Role role) const {
    expr(e, role);
    for (size_t i = 0; i < e.operands.size(); ++i) {
      Role inner = role == Role::Partner ? Role::Number : role;
      if (e.kind == ast::ExprKind::Index && i > 0)
        inner = e.indexKind == ast::IndexKind::Filter && i == 3 ? Role::Condition : Role::Number;
      else if (e.kind == ast::ExprKind::Select)
        inner = i == 0 ? Role::Condition : role;
      else if (e.kind == ast::ExprKind::Binary && role == Role::Condition)
        inner = e.text == "and" || e.text == "or" ? Role::Condition : Role::Number;
      else if (e.kind == ast::ExprKind::Call)
        inner = Role::Number;
      visit(*e.operands[i], inner);
    }
  }
};

} // namespace quadrille::compiler::fuzz

#endif // QUADRILLE_TEST_FUZZ_SYNTAXVISITOR_H
