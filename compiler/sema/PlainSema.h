//===- PlainSema.h - Schedules for blocks of n elements, where blocks have lengths of their own -------------------*- C++ -*-===//

#ifndef QUADRILLE_SEMA_PLAINSEMA_H
#define QUADRILLE_SEMA_PLAINSEMA_H

#include "ExprSema.h"

#include "ir/Schedule.h"

#include "llvm/ADT/DenseMap.h"

namespace quadrille::compiler::sema {

/// Whether the collective `own` is the collective `plain` with tables of lengths: it has the same numbers and data, but blocks may have
/// lengths of their own.
bool isPlainFormOf(const ir::Collective &plain, const ir::Collective &own);

/// Finds the block lengths of arrays that a text for blocks of n elements declares. The blocks of an array are as long as those of a
/// slice that the whole array is set to, stored in, or combined with; or as what its blocks are set to, one by one, in a loop.
class DeclaredLengths {
public:
  /// `declared`: the arrays, which have no lengths yet.
  DeclaredLengths(ir::Schedule &schedule, llvm::ArrayRef<ir::Buffer *> declared, ir::Program &program, ExprSema &exprs);

  /// Sets the lengths that follow from the statements. Returns the arrays for which none were found.
  llvm::SmallVector<ir::Buffer *, 2> find(const ir::Body &body);

private:
  struct Length {
    std::optional<ir::LengthOf> of; // absent: n elements
  };
  void statements(const ir::Body &body);
  static void operands(const ir::DataExpr &value, llvm::SmallVectorImpl<const ir::Slice *> &into);
  /// Called for slices whose blocks have the same lengths, in pairs. If the buffer of `slice` has no lengths yet, it gets those of
  /// `from`.
  void takeLengths(const ir::Slice &slice, const ir::Slice &from);
  /// The length of block `number` of a slice, or of its only block if `number` is null. Nothing if it is not known.
  std::optional<Length> lengthIn(const ir::Slice &slice, const ir::Expr *number);
  /// The index in the array of block `number` of those that `index` selects; nothing if there is no expression for it.
  std::optional<const ir::Expr *> position(const ir::Index &index, const ir::Expr *number);

  ir::Schedule &schedule;
  ir::Program &program;
  ExprSema &exprs;
  llvm::SmallVector<ir::Buffer *, 2> open; // arrays without lengths so far
  llvm::SmallVector<unsigned, 8> visible;                                       // variables, at the current place
  llvm::DenseMap<const ir::Buffer *, llvm::SmallVector<unsigned, 8>> visibleTo; // where it is declared
};

} // namespace quadrille::compiler::sema

#endif // QUADRILLE_SEMA_PLAINSEMA_H
