//===- FormulaFactors.cpp - Polynomials as products -----------------------------------------------------------------===//

#include "FormulaFactors.h"

#include "limits/Limits.h"

#include "llvm/ADT/STLExtras.h"

namespace quadrille::compiler {

/// -1 if most coefficients are negative, 1 if most are positive; in a tie the sign of the first one.
static int sign(const Formula &f) {
  const Monomials &terms = FormulaImpl::node(f).numerator;
  auto negative = llvm::count_if(terms, [](const Monomial &t) { return t.coefficient.is_negative(); });
  if (2 * negative != static_cast<std::ptrdiff_t>(terms.size()))
    return 2 * negative > static_cast<std::ptrdiff_t>(terms.size()) ? -1 : 1;
  return terms[0].coefficient.is_negative() ? -1 : 1;
}

void Factors::add(const Formula &f, int exponent) {
  if (std::optional<Number> n = FormulaImpl::number(f)) {
    for (int i = 0; i < exponent; ++i)
      coefficient *= *n;
    return;
  }
  // Normalize: integer coefficients, of which most are positive.
  Number common = 0, multiple = 1;
  for (const Monomial &term : FormulaImpl::node(f).numerator) {
    common = GiNaC::gcd(common, term.coefficient.numer());
    multiple = GiNaC::lcm(multiple, term.coefficient.denom());
  }
  Number unit = common / multiple;
  if (sign(f) < 0)
    unit = -unit;
  for (int i = 0; i < exponent; ++i)
    coefficient *= unit;
  Formula primitive = f / FormulaImpl::number(unit);
  for (auto &[known, times] : factors)
    if (known == primitive) {
      times += exponent;
      return;
    }
  factors.push_back({primitive, exponent});
}

static void split(const Formula &f, int exponent, Factors &result) {
  std::vector<const Atom *> atoms = FormulaImpl::atoms(f);
  if (FormulaImpl::node(f).numerator.size() <= 1 || FormulaImpl::node(f).numerator.size() > limits::factoredTerms) {
    if (FormulaImpl::node(f).numerator.size() == 1) {
      const Monomial &term = FormulaImpl::node(f).numerator[0];
      result.add(FormulaImpl::number(term.coefficient), exponent);
      for (auto &[a, e] : term.factors)
        result.add(FormulaImpl::make(GiNaC::ex(a->symbol)), e * exponent);
    } else {
      result.add(f, exponent);
    }
    return;
  }
  for (const Atom *atom : atoms) {
    GiNaC::ex common = FormulaImpl::value(f).content(atom->symbol);
    Formula content = FormulaImpl::make(common);
    if (!FormulaImpl::number(content)) {
      split(content, exponent, result);
      split(f / content, exponent, result);
      return;
    }
  }
  if (atoms.size() == 1 && FormulaImpl::value(f).degree(atoms[0]->symbol) <= 6) {
    GiNaC::ex product = GiNaC::factor(FormulaImpl::value(f));
    auto add = [&](const GiNaC::ex &factor) {
      bool isPower = GiNaC::is_a<GiNaC::power>(factor);
      result.add(FormulaImpl::make(isPower ? factor.op(0) : factor),
                 exponent * (isPower ? GiNaC::ex_to<Number>(factor.op(1)).to_int() : 1));
    };
    if (GiNaC::is_a<GiNaC::mul>(product))
      for (size_t i = 0; i < product.nops(); ++i)
        add(product.op(i));
    else
      add(product);
    return;
  }
  result.add(f, exponent);
}

Factors factorsOf(const Formula &polynomial) {
  Factors result;
  split(polynomial, 1, result);
  return result;
}

} // namespace quadrille::compiler
