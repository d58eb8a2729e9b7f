//===- Walk.cpp - Looking through the expressions of a schedule ------------------------------------------------------------===//

#include "Walk.h"

#include "llvm/ADT/DenseSet.h"

namespace quadrille::compiler::ir {

namespace {
using Visit = llvm::function_ref<void(const Expr &)>;

class ExprWalk {
public:
  explicit ExprWalk(Visit visit) : visit(visit) {}

  void statements(const Schedule &schedule) {
    for (const auto &each : schedule.buffers)
      buffer(*each);
    anyStatement(schedule.body, [&](const Stmt &stmt) {
      statement(stmt);
      return false;
    });
  }

  void schedule(const Schedule &schedule) {
    for (const Argument &argument : schedule.arguments)
      expr(argument.value);
    for (const Requirement &requirement : schedule.requirements)
      expr(requirement.condition);
    for (const Knowledge &known : schedule.knowledge) {
      for (const Knowledge::Index &index : known.indices)
        expr(index.value);
      expr(known.condition);
    }
    expr(schedule.origin);
    if (schedule.model)
      expr(schedule.model->ports);
    for (const Table &table : schedule.tables)
      exprs(table.extents);
    for (const auto *buffers : {&schedule.inputs, &schedule.outputs})
      for (const Buffer *parameter : *buffers)
        buffer(*parameter);
    for (const auto *claim : {&schedule.cost, &schedule.rounds})
      if (*claim)
        expr((*claim)->formula);
    for (const auto &clock : schedule.clocks)
      exprs(clock->times);
    anyStatement(schedule.body, [&](const Stmt &stmt) {
      statement(stmt);
      return false;
    });
  }

private:
  void expr(const Expr *e) {
    if (e)
      visit(*e);
  }
  void exprs(llvm::ArrayRef<const Expr *> list) {
    for (const Expr *e : list)
      expr(e);
  }

  void slice(const Slice &slice) {
    for (const Index *index : {&slice.blocks, &slice.packets})
      exprs({index->a, index->b, index->c});
  }
  void data(const DataExpr &data) {
    if (!data.isCombine)
      return slice(data.slice);
    this->data(*data.left);
    this->data(*data.right);
  }
  void buffer(const Buffer &buffer) {
    exprs({buffer.count, buffer.presence, buffer.parts});
    if (buffer.length) {
      exprs(buffer.length->indices);
      exprs({buffer.length->parts, buffer.length->part});
    }
    if (buffer.like)
      slice(*buffer.like);
  }

  void statement(const Stmt &stmt) {
    switch (stmt.kind) {
    case StmtKind::Let:
      return expr(llvm::cast<LetStmt>(stmt).value);
    case StmtKind::Declare:
      return buffer(*llvm::cast<DeclareStmt>(stmt).buffer);
    case StmtKind::Assign: {
      const auto &assign = llvm::cast<AssignStmt>(stmt);
      slice(assign.target);
      return data(*assign.value);
    }
    case StmtKind::Transfer: {
      const auto &transfer = llvm::cast<TransferStmt>(stmt);
      if (transfer.message)
        slice(*transfer.message);
      return expr(transfer.peer);
    }
    case StmtKind::Step:
      return;
    case StmtKind::If:
      return expr(llvm::cast<IfStmt>(stmt).condition);
    case StmtKind::For: {
      const auto &loop = llvm::cast<ForStmt>(stmt);
      exprs({loop.lo, loop.hi, loop.factor, loop.tree});
      for (const Invariant &stated : loop.invariants)
        exprs({stated.rank, stated.index, stated.lo, stated.hi, stated.condition});
      return;
    }
    case StmtKind::Use: {
      const auto &use = llvm::cast<UseStmt>(stmt);
      exprs(use.numbers);
      exprs({use.member, use.lo, use.hi});
      for (const auto *slices : {&use.inputs, &use.outputs})
        for (const Slice &part : *slices)
          slice(part);
      return;
    }
    }
  }

  Visit visit;
};

/// Visits the parts of expressions, and the definitions of functions and trees, each once.
class PartWalk {
public:
  explicit PartWalk(Visit visit) : visit(visit) {}

  void operator()(const Expr &expr) {
    visit(expr);
    for (const Expr *operand : expr.operands)
      (*this)(*operand);
    if (expr.op == Op::Call && seen.insert(expr.function).second)
      (*this)(*expr.function->body);
    if (expr.op == Op::BuildTree && seen.insert(expr.tree).second) {
      all(expr.tree->presets);
      all({expr.tree->root, expr.tree->parent, expr.tree->left, expr.tree->right});
    }
  }

  void all(llvm::ArrayRef<const Expr *> rules) {
    for (const Expr *rule : rules)
      if (rule)
        (*this)(*rule);
  }

private:
  Visit visit;
  llvm::DenseSet<const void *> seen;
};
} // namespace

bool doStatementsAskForNodes(const Schedule &schedule) {
  bool result = false;
  ExprWalk([&](const Expr &expr) { result |= asksForNodes(expr); }).statements(schedule);
  return result;
}

void forEachPart(llvm::ArrayRef<const Expr *> exprs, Visit visit) { PartWalk(visit).all(exprs); }

void forEachPart(const Schedule &schedule, Visit visit) {
  PartWalk parts(visit);
  llvm::SmallSetVector<const Schedule *, 8> schedules;
  schedules.insert(&schedule);
  for (size_t i = 0; i < schedules.size(); ++i) {
    ExprWalk(parts).schedule(*schedules[i]);
    anyStatement(schedules[i]->body, [&](const Stmt &stmt) {
      if (auto *use = llvm::dyn_cast<UseStmt>(&stmt))
        schedules.insert(use->callee);
      return false;
    });
  }
}

} // namespace quadrille::compiler::ir
