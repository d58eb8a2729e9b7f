//===- Fullness.h - Which operands may be empty ---------------------------------------------------------------------*- C++ -*-===//
//
// `empty <> a` is a. A forward analysis over the schedule finds for every operand whether it is always written, never,
// or under a condition that can be named; where nothing can be said, emitted code keeps a flag for the buffer.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_EMIT_FULLNESS_H
#define QUADRILLE_EMIT_FULLNESS_H

#include "ir/Schedule.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace quadrille::emit {

struct Fullness {
  enum Kind { Empty, Full, Conditional, Unknown } kind = Empty;
  enum Test { PeerExists, IsRank, Holds } test = Holds; // Conditional: `condition` != none, == rank, or is true
  const ir::Expr *condition = nullptr;
  bool hasOwnBlock = false, hasOthersBlocks = false; // Unknown: of an array, block me; all but block me

  bool operator==(const Fullness &other) const;
};

struct FullnessFacts {
  /// What is known about each operand of an assignment when it is read.
  llvm::DenseMap<const ir::DataExpr *, Fullness> operands;
  /// Buffers that need a flag (one per block, if they are arrays).
  llvm::DenseSet<const ir::Buffer *> flagged;

  Fullness of(const ir::DataExpr *operand) const {
    auto found = operands.find(operand);
    return found == operands.end() ? Fullness{Fullness::Full} : found->second;
  }
};

FullnessFacts analyzeFullness(const ir::Schedule &schedule);

} // namespace quadrille::emit

#endif // QUADRILLE_EMIT_FULLNESS_H
