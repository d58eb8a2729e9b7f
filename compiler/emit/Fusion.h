//===- Fusion.h - Receives that combine on arrival --------------------------------------------------------------------*- C++ -*-===//
//
// If `recv t from q` is followed in the same step by `z := t <> z` or `z := z <> t`, and t is not used elsewhere, t needs no
// memory: the runtime combines the message into z as it arrives.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_EMIT_FUSION_H
#define QUADRILLE_EMIT_FUSION_H

#include "Fullness.h"

#include "llvm/ADT/DenseMap.h"

namespace quadrille::compiler::emit {

struct FusedReceive {
  const ir::AssignStmt *assign = nullptr;
  bool incomingIsLeft = false; // z := t <> z
};

/// Maps each receive that combines on arrival to the assignment that it replaces.
llvm::DenseMap<const ir::TransferStmt *, FusedReceive> findFusedReceives(const ir::Schedule &schedule,
                                                                         const FullnessFacts &fullness);

} // namespace quadrille::compiler::emit

#endif // QUADRILLE_EMIT_FUSION_H
