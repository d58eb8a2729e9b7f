//===- SmtLib.h - Terms as text for solvers -------------------------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_PROVE_SOLVER_SMTLIB_H
#define QUADRILLE_PROVE_SOLVER_SMTLIB_H

#include "prove/terms/Term.h"

#include "llvm/ADT/DenseMap.h"

#include <string>

namespace quadrille::compiler::prove {

/// Prints terms in SMT-LIB 2. Long parts that occur more than once get a name.
class SmtLibPrinter {
public:
  /// `assertions`: all terms that will be printed, in any order. The array must outlive the printer.
  explicit SmtLibPrinter(llvm::ArrayRef<Term> assertions);

  /// Declarations of all functions and variables that occur.
  std::string declarations();
  /// The definitions that the assertion needs, and the assertion itself.
  std::string assertion(Term a);

private:
  std::string print(Term a);
  std::string isOdd(Term a);
  std::string printOdd(Term a);
  std::string named(std::string text, const char *sort);

  llvm::ArrayRef<Term> assertions;
  llvm::DenseMap<Term, unsigned> uses;
  llvm::DenseMap<Term, std::string> texts, oddTexts;
  std::string definitions; // to be written before the next assertion
  unsigned names = 0;
};

} // namespace quadrille::compiler::prove

#endif // QUADRILLE_PROVE_SOLVER_SMTLIB_H
