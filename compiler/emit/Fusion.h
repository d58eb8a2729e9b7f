//===- Fusion.h - Receives that combine on arrival --------------------------------------------------------------------*- C++ -*-===//
//
// `recv t from q` followed in the same step by `z := t <> z` or `z := z <> t` as the only use of t needs no t: the
// runtime combines the message into z as it arrives.
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

/// The receives that combine, with the assignments they make superfluous.
llvm::DenseMap<const ir::TransferStmt *, FusedReceive> findFusedReceives(const ir::Schedule &schedule,
                                                                         const FullnessFacts &fullness);

} // namespace quadrille::compiler::emit

#endif // QUADRILLE_EMIT_FUSION_H
