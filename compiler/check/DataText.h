//===- DataText.h - Names of blocks and their contents in diagnostics ----------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_CHECK_DATATEXT_H
#define QUADRILLE_CHECK_DATATEXT_H

#include "instantiate/Machine.h"

#include "llvm/ADT/ArrayRef.h"

namespace quadrille::compiler {

/// The content of a slot as text: "x@0 <> x@1[2]", or "empty". `inputs`: the inputs of the collective.
std::string valueText(const Machine &machine, llvm::ArrayRef<const Storage *> inputs, Value value);

/// A slot of a buffer of the outermost schedule: "y", block "y[3]", packet "y[3][1]".
diag::Slot slotOf(const Machine &machine, const Storage &storage, std::uint32_t slot);

} // namespace quadrille::compiler

#endif // QUADRILLE_CHECK_DATATEXT_H
