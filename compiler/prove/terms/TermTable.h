//===- TermTable.h - Terms that are evaluated many times ---------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_PROVE_TERMS_TERMTABLE_H
#define QUADRILLE_PROVE_TERMS_TERMTABLE_H

#include "Term.h"

#include <vector>

namespace quadrille::compiler::prove {

/// Evaluates the same terms many times. It lists their nodes once, while the function `evaluate` searches for them in each call.
class TermTable {
public:
  explicit TermTable(llvm::ArrayRef<Term> roots);

  /// Computes the values of all roots. `valueOf` returns the values of variables.
  void evaluate(llvm::function_ref<std::int64_t(Term)> valueOf);

  /// The value of the i-th root, as the function `evaluate` gives it.
  std::optional<std::int64_t> operator[](std::size_t i) const { return values[rootPlaces[i]]; }

private:
  struct Node {
    Term term;
    unsigned firstOperand; // in `operands`
  };
  std::vector<Node> nodes;                         // each behind its operands
  std::vector<unsigned> operands, rootPlaces;      // places in `nodes`
  std::vector<std::optional<std::int64_t>> values; // by place
};

} // namespace quadrille::compiler::prove

#endif // QUADRILLE_PROVE_TERMS_TERMTABLE_H
