//===- CppTree.cpp - Questions to a C++ tree, and tidying it -----------------------------------------------------------===//

#include "CppTree.h"

#include <algorithm>
#include <cctype>

namespace quadrille::compiler::emit::cpp {

bool same(const ExprPtr &a, const ExprPtr &b) {
  if (a == b)
    return true;
  return a && b && a->kind == b->kind && a->text == b->text && a->operands.size() == b->operands.size() &&
         std::equal(a->operands.begin(), a->operands.end(), b->operands.begin(), same);
}

/// Whether `text` contains `name` as a whole word: atoms such as `call.copy` contain several names.
static bool hasWord(const std::string &text, const std::string &name) {
  auto isWordChar = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  for (size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1)) {
    const size_t end = at + name.size();
    if ((at == 0 || !isWordChar(text[at - 1])) && (end == text.size() || !isWordChar(text[end])))
      return true;
  }
  return false;
}

bool mentions(const Expr &expr, const std::string &name) {
  const bool isString = !expr.text.empty() && expr.text.front() == '"';
  if (expr.kind == ExprKind::Atom && !isString && hasWord(expr.text, name))
    return true;
  return std::any_of(expr.operands.begin(), expr.operands.end(),
                     [&](const ExprPtr &operand) { return mentions(*operand, name); });
}

static bool mentions(const Stmt &stmt, const std::string &name) {
  for (const ExprPtr &expr : {stmt.expr, stmt.init, stmt.advance})
    if (expr && mentions(*expr, name))
      return true;
  return mentions(stmt.body, name) || mentions(stmt.otherwise, name);
}

bool mentions(const Body &body, const std::string &name) {
  return std::any_of(body.begin(), body.end(), [&](const Stmt &stmt) { return mentions(stmt, name); });
}

static bool onlyComments(const Body &body) {
  return std::all_of(body.begin(), body.end(), [](const Stmt &stmt) { return stmt.kind == StmtKind::Comment; });
}

/// Works from the last statement to the first, so that a declaration used only by a dropped one is dropped too.
static void tidy(Body &body) {
  Body kept; // in reverse
  for (auto it = body.rbegin(); it != body.rend(); ++it) {
    Stmt &stmt = *it;
    tidy(stmt.body);
    tidy(stmt.otherwise);
    if (stmt.kind == StmtKind::Declaration && stmt.pure && !mentions(kept, stmt.name))
      continue;
    if ((stmt.kind == StmtKind::For || stmt.kind == StmtKind::RangeFor || stmt.kind == StmtKind::Block ||
         stmt.kind == StmtKind::If) &&
        onlyComments(stmt.body) && onlyComments(stmt.otherwise))
      continue;
    if (stmt.kind == StmtKind::If && onlyComments(stmt.body)) {
      stmt.expr = prefix("!", stmt.expr);
      stmt.body = std::move(stmt.otherwise);
      stmt.otherwise.clear();
    }
    kept.push_back(std::move(stmt));
  }
  std::reverse(kept.begin(), kept.end());
  body = std::move(kept);
}

void tidy(Function &function) {
  tidy(function.body);
  for (Parameter &parameter : function.parameters)
    if (!function.isPrototype && !parameter.name.empty() && !mentions(function.body, parameter.name))
      parameter.name.clear();
}

} // namespace quadrille::compiler::emit::cpp
