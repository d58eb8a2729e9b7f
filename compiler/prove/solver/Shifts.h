//===- Shifts.h - Divisors that are a variable and a constant --------------------------------------------------------*- C++ -*-===//
//
// In `((k + 1)*c + r) mod (k + 1)` the product is a sum for the terms, k*c + c, in which nothing says that k + 1 divides it. A variable K
// for k + 1 makes it K*c again. As k = K - 1 goes through all integers if K does, the question is the same.
//
// Used only in prove/.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_PROVE_SOLVER_SHIFTS_H
#define QUADRILLE_PROVE_SOLVER_SHIFTS_H

#include "Solver.h"

namespace quadrille::compiler::prove {

/// Puts K - c in the place of each variable k that is a factor of a product while k + c is a divisor.
class Shifts {
public:
  Shifts(TermPool &pool, const Question &question);

  bool empty() const { return shifts.empty(); }
  Question apply(const Question &question) const;
  /// An outcome of the changed question, with the variables and suppositions of the original one.
  SolverResult undo(SolverResult outcome, const Question &question) const;

private:
  struct Shift {
    Term variable, shifted; // variable == shifted - constant
    std::int64_t constant;
  };
  TermPool &pool;
  std::vector<Shift> shifts;
};

} // namespace quadrille::compiler::prove

#endif // QUADRILLE_PROVE_SOLVER_SHIFTS_H
