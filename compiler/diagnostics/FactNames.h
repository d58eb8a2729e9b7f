//===- FactNames.h - What the facts of a diagnostic are called ---------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_DIAGNOSTICS_FACTNAMES_H
#define QUADRILLE_DIAGNOSTICS_FACTNAMES_H

#include "Facts.h"

#include "llvm/ADT/ArrayRef.h"

namespace quadrille::compiler::diag {

struct FactName {
  llvm::StringRef type; // as in Facts.h
  llvm::StringRef name; // as in JSON and SARIF
};

/// The facts of a diagnostic or a note, in the order of the catalogue.
llvm::ArrayRef<FactName> factNames(Id id);
/// The same of a phrase.
llvm::ArrayRef<FactName> factNames(PhraseId id);

} // namespace quadrille::compiler::diag

#endif // QUADRILLE_DIAGNOSTICS_FACTNAMES_H
