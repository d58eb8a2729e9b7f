//===- Optimality.cpp - Does a cost equal its lower bound? -------------------------------------------------------------===//

#include "Optimality.h"

namespace quadrille::compiler {

using F = FormulaFunction;

/// Whether the difference is 0 for all p. Bounds often treat p = 1 separately, so p = 1 and p > 1 are decided one by one.
static std::optional<bool> isZeroEverywhere(const Formula &difference, const FormulaFacts &facts) {
  std::optional<bool> alone = facts.pIsEven && !facts.pIsPow2
                                  ? std::optional(true) // p is not 1
                                  : isZero(difference.substitute({{"p", 1}, {"root", 0}}));
  Formula m = Formula::symbol("%p"); // known to be >= 0 by its name (FormulaSigns.cpp)
  auto holdsAt = [&](const Formula &p) { return difference.substitute({{"p", p}}) == Formula(0); };
  const Formula even = Formula(2) * (m + 1);
  bool more = facts.pIsPow2   ? holdsAt(Formula(2).power(m + 1))
              : facts.pIsEven ? holdsAt(even)
                              : holdsAt(m + 2) || (holdsAt(even) && holdsAt(even + 1));
  if (alone == true && more)
    return true;
  if (alone == false || isZero(difference, facts) == false)
    return false;
  return std::nullopt;
}

static Optimality compared(const Formula &cost, const Formula &bound, const FormulaFacts &facts) {
  std::optional<bool> equal = isZeroEverywhere(cost - bound, facts);
  if (equal == true)
    return Optimality::Proved;
  Formula whole = cost.rewrite([](F function, llvm::ArrayRef<Formula> x) -> std::optional<Formula> {
    return function == F::Ceiling && x[0].mentions("n") ? std::optional(x[0]) : std::nullopt;
  });
  if (!(whole == cost) && isZeroEverywhere(whole - bound, facts) == true)
    return Optimality::ButForRounding;
  return equal == false ? Optimality::No : Optimality::Unknown;
}

Optimality optimality(const Formula &cost, const Formula &bound, const FormulaFacts &facts) {
  return unlessTooLarge([&] { return compared(cost, bound, facts); }).value_or(Optimality::Unknown);
}

} // namespace quadrille::compiler
