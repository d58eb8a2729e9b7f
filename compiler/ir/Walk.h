//===- Walk.h - Searches in the statements and expressions of a schedule ----------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_IR_WALK_H
#define QUADRILLE_IR_WALK_H

#include "Schedule.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Support/Casting.h"

namespace quadrille::compiler::ir {

/// Whether the predicate holds for a statement of the body, nested ones included. Visits statements in the order of the text, outer
/// before inner ones. Does not enter schedules that are used.
template <typename Predicate>
bool anyStatement(const Body &body, Predicate predicate) {
  return llvm::any_of(body, [&](const std::unique_ptr<Stmt> &stmt) {
    if (predicate(*stmt))
      return true;
    if (auto *step = llvm::dyn_cast<StepStmt>(stmt.get()))
      return anyStatement(step->body, predicate);
    if (auto *branch = llvm::dyn_cast<IfStmt>(stmt.get()))
      return anyStatement(branch->yes, predicate) || anyStatement(branch->no, predicate);
    if (auto *loop = llvm::dyn_cast<ForStmt>(stmt.get()))
      return anyStatement(loop->body, predicate);
    return false;
  });
}

/// Whether the values of the loop variable differ between ranks.
inline bool differsBetweenRanks(const ForStmt &loop) {
  return loop.loop == LoopKind::Others || loop.loop == LoopKind::Children ||
         llvm::any_of(std::initializer_list<const Expr *>{loop.lo, loop.hi, loop.factor},
                      [](const Expr *bound) { return bound && bound->dependsOnRank; });
}

/// The buffers that a body writes, in the order of the text, without those that it declares.
inline llvm::SetVector<const Buffer *> writtenBuffers(const Body &body) {
  llvm::SetVector<const Buffer *> written, declared;
  anyStatement(body, [&](const Stmt &stmt) {
    if (auto *declare = llvm::dyn_cast<DeclareStmt>(&stmt)) {
      declared.insert(declare->buffer);
    } else if (auto *step = llvm::dyn_cast<StepStmt>(&stmt)) {
      declared.insert(step->messages.begin(), step->messages.end());
    } else if (auto *assign = llvm::dyn_cast<AssignStmt>(&stmt)) {
      written.insert(assign->target.buffer);
    } else if (auto *transfer = llvm::dyn_cast<TransferStmt>(&stmt)) {
      if (!transfer->isSend && transfer->message)
        written.insert(transfer->message->buffer);
    } else if (auto *use = llvm::dyn_cast<UseStmt>(&stmt)) {
      for (const Slice &output : use->outputs)
        written.insert(output.buffer);
    }
    return false;
  });
  written.remove_if([&](const Buffer *buffer) { return declared.contains(buffer); });
  return written;
}

/// Whether two expressions have the same structure.
inline bool isSame(const Expr &a, const Expr &b) {
  const auto areSame = [](const Expr *x, const Expr *y) { return isSame(*x, *y); };
  return a.op == b.op && a.value == b.value && a.variable == b.variable && a.field == b.field && a.function == b.function &&
         a.tree == b.tree && llvm::equal(a.operands, b.operands, areSame);
}

/// Whether an expression asks for the map from ranks to nodes.
inline bool asksForNodes(const Expr &expr) {
  return anyPart(expr, [](const Expr &part) { return isOfNodes(part.op); });
}
/// Whether the statements of the schedule do, or its declarations; Schedule::usesNodes is also about its clauses and what it uses.
bool doStatementsAskForNodes(const Schedule &schedule);

/// Calls `visit` for every part of the expressions of the schedule (statements, clauses, invariants, clocks), of the functions and trees
/// that they use, and of the schedules that it uses.
void forEachPart(const Schedule &schedule, llvm::function_ref<void(const Expr &)> visit);
/// The same for some expressions, of which some may be null.
void forEachPart(llvm::ArrayRef<const Expr *> exprs, llvm::function_ref<void(const Expr &)> visit);

} // namespace quadrille::compiler::ir

#endif // QUADRILLE_IR_WALK_H
