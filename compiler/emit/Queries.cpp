//===- Queries.cpp - Small questions to the IR -----------------------------------------------------------------------------===//

#include "Queries.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Casting.h"

#include <cstdlib>

namespace quadrille::compiler::emit {

using namespace ir;
using llvm::cast;
using llvm::dyn_cast;

/// Whether `a` and `b` have the same structure if `variableA` in `a` corresponds to `variableB` in `b`.
static bool sameUnder(const Expr *a, const Expr *b, unsigned variableA, unsigned variableB) {
  if (!a || !b)
    return a == b;
  if (a->op == Op::Variable && b->op == Op::Variable && (a->variable == variableA || b->variable == variableB))
    return a->variable == variableA && b->variable == variableB;
  return a->op == b->op && a->value == b->value && a->variable == b->variable && a->field == b->field &&
         a->function == b->function && a->tree == b->tree && a->operands.size() == b->operands.size() &&
         llvm::all_of(llvm::zip(a->operands, b->operands), [&](auto pair) {
           return sameUnder(std::get<0>(pair), std::get<1>(pair), variableA, variableB);
         });
}

bool sameExpr(const Expr *a, const Expr *b) { return a == b || sameUnder(a, b, ~0u, ~0u); }

bool sameIndex(const Index &a, const Index &b) {
  if (a.kind != b.kind || !sameExpr(a.a, b.a) || !sameExpr(a.b, b.b))
    return false;
  return a.kind == IndexKind::Filter ? sameUnder(a.c, b.c, a.binder, b.binder) : sameExpr(a.c, b.c);
}

bool sameSlice(const Slice &a, const Slice &b) {
  return a.buffer == b.buffer && sameIndex(a.blocks, b.blocks) && sameIndex(a.packets, b.packets);
}

/// Whether `hi` is `lo` + `length`.
static bool isSum(const Expr *hi, const Expr *lo, const Expr *length) {
  return hi && hi->op == Op::Add &&
         ((sameExpr(hi->operands[0], lo) && sameExpr(hi->operands[1], length)) ||
          (sameExpr(hi->operands[1], lo) && sameExpr(hi->operands[0], length)));
}

/// Whether `b` begins where `a` ends.
static bool follows(const Index &a, const Index &b) {
  if (!llvm::is_contained({IndexKind::Point, IndexKind::Range, IndexKind::Run}, b.kind))
    return false;
  if (a.kind == IndexKind::Range)
    return sameExpr(a.b, b.a);
  if (a.kind == IndexKind::Run)
    return isSum(b.a, a.a, a.b);
  return false;
}

/// A linear combination of expressions that are not analyzed further, and a constant.
struct LinearForm {
  llvm::SmallVector<std::pair<const Expr *, std::int64_t>, 4> terms;
  std::int64_t constant = 0;

  void add(const Expr &expr, std::int64_t factor) {
    if (expr.op == Op::Constant && expr.value != none) {
      constant += factor * expr.value;
    } else if (expr.op == Op::Add || expr.op == Op::Subtract) {
      add(*expr.operands[0], factor);
      add(*expr.operands[1], expr.op == Op::Add ? factor : -factor);
    } else {
      for (auto &[term, coefficient] : terms)
        if (sameExpr(term, &expr)) {
          coefficient += factor;
          return;
        }
      terms.push_back({&expr, factor});
    }
  }
};

/// Whether two blocks are (x mod p) and (x +- 1 mod p). They differ if there is more than one rank, and with one rank nothing is
/// sent.
static bool areNeighbours(const Index &a, const Index &b) {
  if (a.kind != IndexKind::Point || b.kind != IndexKind::Point || a.a->op != Op::Modulo || b.a->op != Op::Modulo)
    return false;
  const Expr &modulus = *a.a->operands[1];
  if (modulus.op != Op::Variable || modulus.variable != Schedule::variableP || !sameExpr(&modulus, b.a->operands[1]))
    return false;
  LinearForm difference;
  difference.add(*a.a->operands[0], 1);
  difference.add(*b.a->operands[0], -1);
  return std::abs(difference.constant) == 1 &&
         llvm::all_of(difference.terms, [](const auto &term) { return term.second == 0; });
}

static bool disjointIndices(const Index &a, const Index &b) {
  return follows(a, b) || follows(b, a) || areNeighbours(a, b);
}

bool disjoint(const Slice &a, const Slice &b) {
  if (a.buffer != b.buffer)
    // If inputs and outputs share memory, the call copies inputs where needed.
    return true;
  return disjointIndices(a.blocks, b.blocks) || (sameIndex(a.blocks, b.blocks) && disjointIndices(a.packets, b.packets));
}

void visitStmt(const Stmt &stmt, llvm::function_ref<void(const Stmt &)> visit) {
  visit(stmt);
  if (const auto *step = dyn_cast<StepStmt>(&stmt)) {
    visitStmts(step->body, visit);
  } else if (const auto *branch = dyn_cast<IfStmt>(&stmt)) {
    visitStmts(branch->yes, visit);
    visitStmts(branch->no, visit);
  } else if (const auto *loop = dyn_cast<ForStmt>(&stmt)) {
    visitStmts(loop->body, visit);
  }
}

void visitStmts(const Body &body, llvm::function_ref<void(const Stmt &)> visit) {
  for (const auto &stmt : body)
    visitStmt(*stmt, visit);
}

void operandsOf(const DataExpr &value, llvm::SmallVectorImpl<const DataExpr *> &operands) {
  if (!value.isCombine) {
    operands.push_back(&value);
    return;
  }
  operandsOf(*value.left, operands);
  operandsOf(*value.right, operands);
}

void visitOperands(const Body &body, llvm::function_ref<void(const AssignStmt &, const DataExpr &)> visit) {
  visitStmts(body, [&](const Stmt &stmt) {
    const auto *assign = dyn_cast<AssignStmt>(&stmt);
    if (!assign)
      return;
    llvm::SmallVector<const DataExpr *, 4> operands;
    operandsOf(*assign->value, operands);
    for (const DataExpr *operand : operands)
      visit(*assign, *operand);
  });
}

void visitVariables(const Expr *expr, llvm::function_ref<void(unsigned)> visit) {
  if (!expr)
    return;
  if (expr->op == Op::Variable)
    visit(expr->variable);
  for (const Expr *operand : expr->operands)
    visitVariables(operand, visit);
}

static void visitVariables(const Index &index, llvm::function_ref<void(unsigned)> visit) {
  visitVariables(index.a, visit);
  visitVariables(index.b, visit);
  visitVariables(index.c, [&](unsigned variable) {
    if (index.kind != IndexKind::Filter || variable != index.binder)
      visit(variable);
  });
}

void visitVariables(const Slice &slice, llvm::function_ref<void(unsigned)> visit) {
  visitVariables(slice.blocks, visit);
  visitVariables(slice.packets, visit);
}

void visitDefinitions(const Body &body, llvm::function_ref<void(unsigned)> visit) {
  visitStmts(body, [&](const Stmt &stmt) {
    if (const auto *let = dyn_cast<LetStmt>(&stmt)) {
      visit(let->variable);
    } else if (const auto *loop = dyn_cast<ForStmt>(&stmt)) {
      visit(loop->variable);
      if (loop->loop == LoopKind::Halvings || loop->loop == LoopKind::HalvingsReversed)
        visit(loop->second);
    }
  });
}

void visitSlices(const Stmt &stmt, llvm::function_ref<void(const Slice &, bool)> visit) {
  if (const auto *assign = dyn_cast<AssignStmt>(&stmt)) {
    llvm::SmallVector<const DataExpr *, 4> operands;
    operandsOf(*assign->value, operands);
    for (const DataExpr *operand : operands)
      visit(operand->slice, false);
    visit(assign->target, true);
  } else if (const auto *transfer = dyn_cast<TransferStmt>(&stmt)) {
    if (transfer->message)
      visit(*transfer->message, !transfer->isSend);
  } else if (const auto *use = dyn_cast<UseStmt>(&stmt)) {
    for (const Slice &slice : use->inputs)
      visit(slice, false);
    for (const Slice &slice : use->outputs)
      visit(slice, true);
  }
}

} // namespace quadrille::compiler::emit
