//===- Explanation.h - What was found, to be written into a schedule --------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_PROVE_GUESS_EXPLANATION_H
#define QUADRILLE_PROVE_GUESS_EXPLANATION_H

#include "llvm/Support/SMLoc.h"

#include <string>
#include <vector>

namespace quadrille::compiler::prove {

/// Invariants of a loop, or the clock of a transfer.
struct Explanation {
  llvm::SMRange range; // where they may be written
  std::vector<std::string> lines; // in the syntax of the language
};

} // namespace quadrille::compiler::prove

#endif // QUADRILLE_PROVE_GUESS_EXPLANATION_H
