//===- FormulaSigns.cpp - Which formulas are integers, and which are never negative ------------------------------------===//

#include "FormulaImpl.h"

#include "llvm/ADT/STLExtras.h"

namespace quadrille::compiler {

using F = FormulaFunction;

bool FormulaImpl::isInteger(const Atom &atom) {
  switch (atom.kind) {
  case AtomKind::Symbol:
    return !atom.isReal;
  case AtomKind::Call:
  case AtomKind::Entry:
    return true;
  case AtomKind::Power:
    return isInteger(atom.operands[0]) && isInteger(atom.operands[1]);
  case AtomKind::Over:
    return isInteger(atom.operands[0]);
  case AtomKind::Apply:
    break;
  }
  switch (atom.function) {
  case F::SquareRoot:
    return false;
  case F::Minimum:
  case F::Maximum:
    return llvm::all_of(atom.operands, [](const Formula &f) { return isInteger(f); });
  case F::Select:
    return isInteger(atom.operands[1]) && isInteger(atom.operands[2]);
  default:
    return true;
  }
}

bool FormulaImpl::isInteger(const Formula &f) {
  return node(f).isPolynomial() && llvm::all_of(node(f).numerator, [](const Monomial &term) {
    return term.coefficient.is_integer() && llvm::all_of(term.factors, [](auto &factor) { return isInteger(*factor.first); });
  });
}

bool FormulaImpl::isPositive(const Atom &atom) {
  if (atom.kind == AtomKind::Symbol)
    return atom.name == "p" || atom.name == "k";
  std::optional<Number> base = atom.kind == AtomKind::Power ? number(atom.operands[0]) : std::nullopt;
  return base && *base >= 1 && isNonnegative(atom.operands[1]);
}

bool FormulaImpl::isNonnegative(const Atom &atom) {
  auto is = [](const Formula &f) { return isNonnegative(f); };
  switch (atom.kind) {
  case AtomKind::Symbol:
    return llvm::StringRef(atom.name).starts_with("%p") || llvm::is_contained({"p", "k", "n", "root", "alpha", "beta", "gamma"}, llvm::StringRef(atom.name));
  case AtomKind::Call:
    return false;
  case AtomKind::Entry: // a length
    return true;
  case AtomKind::Power:
    return is(atom.operands[0]);
  case AtomKind::Over:
    return is(atom.operands[0]);
  case AtomKind::Apply:
    break;
  }
  switch (atom.function) {
  case F::Log2:
  case F::FloorLog2:
  case F::CeilLog2: // an integer operand is >= 1 wherever there is a value
    return isInteger(atom.operands[0]);
  case F::Ceiling:
  case F::Floor:
    return is(atom.operands[0]);
  case F::Divide:
  case F::BitXor:
  case F::BitOr:
  case F::Minimum:
    return llvm::all_of(atom.operands, is);
  case F::BitAnd:
  case F::Maximum:
    return llvm::any_of(atom.operands, is);
  case F::Select:
    return is(atom.operands[1]) && is(atom.operands[2]);
  default: // remainders, roots, bits, truth values
    return true;
  }
}

/// Whether all terms are certainly >= 0: coefficients >= 0, atoms known to be >= 0 or with even exponents.
static bool isSumOfNonnegatives(const Monomials &terms) {
  return llvm::all_of(terms, [](const Monomial &term) {
    return !term.coefficient.is_negative() && llvm::all_of(term.factors, [](auto &factor) {
      return factor.second % 2 == 0 || FormulaImpl::isNonnegative(*factor.first);
    });
  });
}

/// Substitutes 1 + x for each atom that is >= 1, and root + 1 + x for p, with x >= 0. Then looks at the signs of the terms.
static bool isNonnegativePolynomial(const Formula &f) {
  std::optional<Number> number = FormulaImpl::number(f);
  if (number)
    return !number->is_negative();
  std::vector<const Atom *> atoms = FormulaImpl::atoms(f);
  const Atom *root = nullptr;
  for (const Atom *atom : atoms)
    if (atom->kind == AtomKind::Symbol && atom->name == "root")
      root = atom;
  GiNaC::exmap shift;
  for (const Atom *atom : atoms)
    if (FormulaImpl::isPositive(*atom))
      shift[atom->symbol] =
          atom->symbol + 1 + (root && atom->name == "p" ? GiNaC::ex(root->symbol) : GiNaC::ex(0));
  auto holds = [&](const GiNaC::ex &value) {
    Formula shifted = FormulaImpl::make(value.subs(shift));
    return FormulaImpl::node(shifted).isPolynomial() && isSumOfNonnegatives(FormulaImpl::node(shifted).numerator);
  };
  const GiNaC::ex &value = FormulaImpl::value(f);
  if (holds(value))
    return true;
  // Bounds for powers of rounded logarithms: x <= 2**ceil_log2(x) <= 2*x - 1, and
  // (x + 1)/2 <= 2**floor_log2(x) <= x.
  for (const Atom *atom : atoms) {
    if (atom->kind != AtomKind::Power || !(atom->operands[0] == Formula(2)))
      continue;
    const Atom *exponent = FormulaImpl::asAtom(atom->operands[1]);
    if (!exponent || exponent->kind != AtomKind::Apply ||
        (exponent->function != F::CeilLog2 && exponent->function != F::FloorLog2))
      continue;
    const GiNaC::ex &x = FormulaImpl::value(exponent->operands[0]);
    bool isCeiling = exponent->function == F::CeilLog2;
    shift.erase(atom->symbol);
    GiNaC::ex least = isCeiling ? x : (x + 1) / 2, most = isCeiling ? 2 * x - 1 : x;
    // The symbol of the atom, which is >= 0, now stands for its distance from the bound.
    if (holds(value.subs(GiNaC::exmap{{atom->symbol, least + atom->symbol}})) ||
        holds(value.subs(GiNaC::exmap{{atom->symbol, most - atom->symbol}})))
      return true;
    if (FormulaImpl::isPositive(*atom))
      shift[atom->symbol] = atom->symbol + 1;
  }
  return false;
}

bool FormulaImpl::isNonnegative(const Formula &f) {
  return isNonnegativePolynomial(polynomial(f)) && (node(f).isPolynomial() || isNonnegativePolynomial(denominator(f)));
}

} // namespace quadrille::compiler
