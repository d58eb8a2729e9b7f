//===- FactNames.cpp - What the facts of a diagnostic are called ------------------------------------------------------------===//

#include "FactNames.h"

namespace quadrille::compiler::diag {

llvm::ArrayRef<FactName> factNames(Id id) {
  static const std::vector<FactName> names[] = {
#define FACT(TYPE, NAME) FactName{#TYPE, #NAME},
#define DIAGNOSTIC(CODE, SEVERITY, NAME, TEXT, ...) {__VA_ARGS__},
#define NOTE(NAME, TEXT, ...) {__VA_ARGS__},
#include "Catalogue.def"
  };
  return names[static_cast<unsigned>(id)];
}

llvm::ArrayRef<FactName> factNames(PhraseId id) {
  static const std::vector<FactName> names[] = {
#define FACT(TYPE, NAME) FactName{#TYPE, #NAME},
#define PHRASE(GROUP, NAME, TEXT, ...) {__VA_ARGS__},
#include "Phrases.def"
  };
  return names[static_cast<unsigned>(id)];
}

} // namespace quadrille::compiler::diag
