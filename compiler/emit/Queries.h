//===- Queries.h - Small questions to the IR -----------------------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_EMIT_QUERIES_H
#define QUADRILLE_EMIT_QUERIES_H

#include "ir/Lengths.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace quadrille::compiler::emit {

/// Whether two expressions of one frame have the same structure. Null equals null.
bool sameExpr(const ir::Expr *a, const ir::Expr *b);
bool sameIndex(const ir::Index &a, const ir::Index &b);
bool sameSlice(const ir::Slice &a, const ir::Slice &b);

/// Whether two slices used in one step have nothing in common: they belong to different buffers, or lie next to each other. False
/// also means that it is not known.
bool disjoint(const ir::Slice &a, const ir::Slice &b);

/// Visits a statement and then what it contains, in the order of the text.
void visitStmt(const ir::Stmt &stmt, llvm::function_ref<void(const ir::Stmt &)> visit);
void visitStmts(const ir::Body &body, llvm::function_ref<void(const ir::Stmt &)> visit);

/// The slices of a combination from left to right; the slice itself if `value` is no combination.
void operandsOf(const ir::DataExpr &value, llvm::SmallVectorImpl<const ir::DataExpr *> &operands);
/// Visits the operands of all assignments in a body, in the order of the text.
void visitOperands(const ir::Body &body, llvm::function_ref<void(const ir::AssignStmt &, const ir::DataExpr &)> visit);

/// Visits the variables that an expression or a slice reads.
void visitVariables(const ir::Expr *expr, llvm::function_ref<void(unsigned)> visit);
void visitVariables(const ir::Slice &slice, llvm::function_ref<void(unsigned)> visit);

/// Visits the variables that the statements of a body set: lets and loops.
void visitDefinitions(const ir::Body &body, llvm::function_ref<void(unsigned)> visit);

/// Visits the slices that a statement itself (not a statement inside it) reads and writes.
void visitSlices(const ir::Stmt &stmt, llvm::function_ref<void(const ir::Slice &, bool isWrite)> visit);

} // namespace quadrille::compiler::emit

#endif // QUADRILLE_EMIT_QUERIES_H
