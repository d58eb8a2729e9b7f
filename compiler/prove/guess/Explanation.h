//===- Explanation.h - What was found, to be written into a schedule --------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_PROVE_GUESS_EXPLANATION_H
#define QUADRILLE_PROVE_GUESS_EXPLANATION_H

#include "llvm/Support/SMLoc.h"

#include <string>
#include <vector>

namespace quadrille::compiler::prove {

/// The invariants of a loop, or the clock of a transfer, as text.
struct Explanation {
  llvm::SMRange range; // the place where the lines may be inserted
  std::vector<std::string> lines; // in the syntax of the language
};

} // namespace quadrille::compiler::prove

#endif // QUADRILLE_PROVE_GUESS_EXPLANATION_H
