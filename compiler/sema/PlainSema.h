//===- PlainSema.h - Schedules for blocks of n elements, where blocks have lengths of their own -------------------*- C++ -*-===//

#ifndef QUADRILLE_SEMA_PLAINSEMA_H
#define QUADRILLE_SEMA_PLAINSEMA_H

#include "ExprSema.h"

#include "ir/Schedule.h"

#include "llvm/ADT/DenseMap.h"

namespace quadrille::compiler::sema {

/// Whether `own` is `plain` with tables: the same numbers and data, whose blocks may have lengths of their own.
bool isPlainFormOf(const ir::Collective &plain, const ir::Collective &own);

/// How long the blocks are of arrays that a text for blocks of n elements declares. An array is as long, block by block, as what all of
/// it is set to, stored in, or combined with; or as what its blocks are set to one by one, in a loop over them.
class DeclaredLengths {
public:
  /// `declared`: the arrays, which have no lengths yet.
  DeclaredLengths(ir::Schedule &schedule, llvm::ArrayRef<ir::Buffer *> declared, ir::Program &program, ExprSema &exprs);

  /// Gives them the lengths that follow from the statements. Those that are left have none.
  llvm::SmallVector<ir::Buffer *, 2> find(const ir::Body &body);

private:
  struct Length {
    std::optional<ir::LengthOf> of; // absent: n elements
  };
  void statements(const ir::Body &body);
  static void operands(const ir::DataExpr &value, llvm::SmallVectorImpl<const ir::Slice *> &into);
  /// The blocks of the two slices have the same lengths, in pairs. Gives the buffer of `slice` those of `from`, if that is an open one.
  void takeLengths(const ir::Slice &slice, const ir::Slice &from);
  /// How long block `number` of a slice is, or its only one if that is null. Nothing if it is not known.
  std::optional<Length> lengthIn(const ir::Slice &slice, const ir::Expr *number);
  /// Which block of the array is block `number` of the selected ones.
  std::optional<const ir::Expr *> position(const ir::Index &index, const ir::Expr *number);

  ir::Schedule &schedule;
  ir::Program &program;
  ExprSema &exprs;
  llvm::SmallVector<ir::Buffer *, 2> open;
  llvm::SmallVector<unsigned, 8> visible;                                       // variables, at the current place
  llvm::DenseMap<const ir::Buffer *, llvm::SmallVector<unsigned, 8>> visibleTo; // where it is declared
};

} // namespace quadrille::compiler::sema

#endif // QUADRILLE_SEMA_PLAINSEMA_H
