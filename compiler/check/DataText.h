//===- DataText.h - What blocks and their contents are called in messages ----------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_CHECK_DATATEXT_H
#define QUADRILLE_CHECK_DATATEXT_H

#include "instantiate/Machine.h"

#include "llvm/ADT/ArrayRef.h"

namespace quadrille::compiler {

/// "x@0 <> x@1[2]", or "empty"; `inputs` are those of the collective.
std::string valueText(const Machine &machine, llvm::ArrayRef<const Storage *> inputs, Value value);

/// A slot of a buffer of the outermost schedule: "y", "y[3]", "y[3][1]".
std::string slotText(const Machine &machine, const Storage &storage, std::uint32_t slot);

} // namespace quadrille::compiler

#endif // QUADRILLE_CHECK_DATATEXT_H
