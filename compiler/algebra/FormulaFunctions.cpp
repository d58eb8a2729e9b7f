//===- FormulaFunctions.cpp - Functions in formulas, and their identities ---------------------------------------------===//

#include "FormulaImpl.h"

#include "limits/Limits.h"

#include "llvm/ADT/STLExtras.h"

namespace quadrille::compiler {

using F = FormulaFunction;

Formula FormulaImpl::applied(FormulaFunction function, llvm::ArrayRef<Formula> operands) {
  Atom atom;
  atom.kind = AtomKind::Apply;
  atom.function = function;
  atom.operands = operands;
  return intern(std::move(atom));
}

Formula FormulaImpl::rebuild(const Atom &atom, llvm::ArrayRef<Formula> operands) {
  switch (atom.kind) {
  case AtomKind::Symbol:
    return Formula::symbol(atom.name, atom.isReal);
  case AtomKind::Apply:
    return Formula::apply(atom.function, operands);
  case AtomKind::Call:
    return Formula::call(atom.name, operands);
  case AtomKind::Entry:
    return Formula::entry(atom.name, operands);
  case AtomKind::Power:
    return operands[0].power(operands[1]);
  case AtomKind::Over:
    return Formula::over(atom.over, operands[0], atom.name, operands[1], operands[2], operands[3]);
  }
  return {};
}

// ---- roundings ---------------------------------------------------------------------------------------------------------

/// Whether the division introduced powers with an exponent that may be negative. k div 2**(-i) must not become k * 2**i, which
/// is not an integer for all i.
static bool hasNewPowers(const Formula &quotient, const Formula &dividend) {
  const std::vector<const Atom *> before = FormulaImpl::atoms(dividend);
  return llvm::any_of(FormulaImpl::atoms(quotient), [&](const Atom *atom) {
    return atom->kind == AtomKind::Power && !FormulaImpl::isNonnegative(atom->operands[1]) && !llvm::is_contained(before, atom);
  });
}

/// Splits a formula into a part that certainly has integer values, and the rest.
static std::pair<Formula, Formula> integerPart(const Formula &f) {
  const FormulaImpl::Node &node = FormulaImpl::node(f);
  if (node.denominator.size() > 1)
    return {0, f};
  Formula below = FormulaImpl::denominator(f), whole;
  for (const Monomial &term : node.numerator) {
    Formula quotient = FormulaImpl::make(term) / below;
    const FormulaImpl::Node &part = FormulaImpl::node(quotient);
    if (!part.isPolynomial() || part.numerator.empty())
      continue;
    Number floor = floorOf(part.numerator[0].coefficient);
    Formula multiple = quotient * FormulaImpl::number(floor / part.numerator[0].coefficient);
    if (FormulaImpl::isInteger(multiple))
      whole = whole + multiple;
  }
  return {whole, f - whole};
}

static Formula floorOfFormula(const Formula &f) {
  auto [whole, rest] = integerPart(f);
  if (std::optional<Number> n = FormulaImpl::number(rest))
    return whole + FormulaImpl::number(floorOf(*n));
  // Write the rest as above/below with integers, for `div`. As a multiple of 1/below, it is < 1 exactly if it is <= 1 - 1/below.
  Number multiple = 1;
  for (const Monomial &term : FormulaImpl::node(rest).numerator)
    multiple = GiNaC::lcm(multiple, term.coefficient.denom());
  Formula above = FormulaImpl::polynomial(rest) * FormulaImpl::number(multiple);
  Formula below = FormulaImpl::denominator(rest) * FormulaImpl::number(multiple);
  if (FormulaImpl::isNonnegative(rest) && FormulaImpl::isNonnegative(Formula(1) - rest - Formula(1) / below))
    return whole;
  if (FormulaImpl::isNonnegative(rest + 1) && FormulaImpl::isNonnegative(-rest - Formula(1) / below))
    return whole - 1;
  if (FormulaImpl::isInteger(above) && FormulaImpl::isInteger(below))
    return whole + FormulaImpl::applied(F::Divide, {above, below});
  return whole + FormulaImpl::applied(F::Floor, {rest});
}

static Formula ceilingOfFormula(const Formula &f) {
  auto [whole, rest] = integerPart(f);
  if (std::optional<Number> n = FormulaImpl::number(rest))
    return whole - FormulaImpl::number(floorOf(-*n));
  const FormulaImpl::Node &node = FormulaImpl::node(rest);
  if (node.isPolynomial()) {
    // For a number m, ceil(a/m) = (a + m - 1) div m. So roundings up and down have the same form and can be compared.
    Number multiple = 1;
    for (const Monomial &term : node.numerator)
      multiple = GiNaC::lcm(multiple, term.coefficient.denom());
    Formula above = rest * FormulaImpl::number(multiple);
    if (FormulaImpl::isInteger(above))
      return whole + floorOfFormula((above + FormulaImpl::number(multiple - 1)) / FormulaImpl::number(multiple));
  }
  if (node.numerator[0].coefficient.is_negative())
    return whole - floorOfFormula(-rest);
  return whole + FormulaImpl::applied(F::Ceiling, {rest});
}

static Formula remainder(Formula a, const Formula &modulus) {
  std::optional<Number> m = FormulaImpl::number(modulus);
  if (!FormulaImpl::isInteger(a) || (m && m->is_zero()))
    return FormulaImpl::applied(F::Modulo, {a, modulus});
  // (x mod m + y) mod m = (x + y) mod m
  GiNaC::exmap inner;
  for (const Atom *atom : FormulaImpl::atoms(a))
    if (atom->kind == AtomKind::Apply && atom->function == F::Modulo && atom->operands[1] == modulus)
      inner[atom->symbol] = FormulaImpl::value(atom->operands[0]);
  if (!inner.empty())
    return remainder(FormulaImpl::make(FormulaImpl::value(a).subs(inner)), modulus);
  Formula rest;
  for (const Monomial &term : FormulaImpl::node(a).numerator) {
    Monomial kept = term;
    if (m && m->is_positive())
      kept.coefficient = term.coefficient - *m * floorOf(term.coefficient / *m);
    else if (Formula part = FormulaImpl::make(term), times = part / modulus; FormulaImpl::isInteger(times) && !hasNewPowers(times, part))
      continue;
    rest = rest + FormulaImpl::make(kept);
  }
  if (FormulaImpl::isNonnegative(rest) && FormulaImpl::isNonnegative(modulus - 1 - rest))
    return rest;
  return FormulaImpl::applied(F::Modulo, {rest, modulus});
}

// ---- minima, conditions ------------------------------------------------------------------------------------------------

static Formula extremum(F function, llvm::ArrayRef<Formula> given) {
  std::vector<Formula> operands;
  for (const Formula &operand : given) {
    const Atom *atom = FormulaImpl::asAtom(operand);
    if (atom && atom->kind == AtomKind::Apply && atom->function == function)
      operands.insert(operands.end(), atom->operands.begin(), atom->operands.end());
    else
      operands.push_back(operand);
  }
  // Drop operands that are dominated by another one.
  std::vector<Formula> kept;
  for (size_t i = 0; i < operands.size(); ++i) {
    bool isNeeded = true;
    for (size_t j = 0; j < operands.size() && isNeeded; ++j) {
      if (i == j)
        continue;
      Formula excess = function == F::Minimum ? operands[i] - operands[j] : operands[j] - operands[i];
      bool isEqual = FormulaImpl::number(excess) && FormulaImpl::number(excess)->is_zero();
      isNeeded = isEqual ? i < j : !FormulaImpl::isNonnegative(excess);
    }
    if (isNeeded)
      kept.push_back(operands[i]);
  }
  if (kept.size() == 1)
    return kept[0];
  auto order = [](const Formula &f) {
    return std::tuple(!FormulaImpl::number(f), FormulaImpl::node(f).numerator.size(), llvm::StringRef(FormulaImpl::key(f)));
  };
  llvm::sort(kept, [&](const Formula &a, const Formula &b) { return order(a) < order(b); });
  return FormulaImpl::applied(function, kept);
}

static Formula comparison(F function, const Formula &a, const Formula &b) {
  Formula excess = b - a;
  bool areIntegers = FormulaImpl::isInteger(excess);
  Formula step = areIntegers ? 1 : 0;
  switch (function) {
  case F::Equal:
    if (a == b)
      return 1;
    if (areIntegers && (FormulaImpl::isNonnegative(excess - 1) || FormulaImpl::isNonnegative(-excess - 1)))
      return 0;
    // Numbers are written on the right.
    if (a.number() || (!b.number() && FormulaImpl::key(b) < FormulaImpl::key(a)))
      return FormulaImpl::applied(function, {b, a});
    return FormulaImpl::applied(function, {a, b});
  case F::Less:
    if (areIntegers && FormulaImpl::isNonnegative(excess - 1))
      return 1;
    if (FormulaImpl::isNonnegative(-excess))
      return 0;
    break;
  default:
    if (FormulaImpl::isNonnegative(excess))
      return 1;
    if (areIntegers && FormulaImpl::isNonnegative(-excess - 1))
      return 0;
  }
  return FormulaImpl::applied(function, {a, b});
}

static Formula negation(const Formula &x) {
  const Atom *atom = FormulaImpl::asAtom(x);
  return atom && atom->kind == AtomKind::Apply && atom->function == F::Not ? atom->operands[0]
                                                                           : FormulaImpl::applied(F::Not, {x});
}

static Formula junction(F function, const Formula &a, const Formula &b) {
  for (auto &[x, y] : {std::pair(a, b), std::pair(b, a)})
    if (std::optional<Number> n = FormulaImpl::number(x))
      return n->is_zero() == (function == F::And) ? Formula(function == F::And ? 0 : 1) : y;
  return a == b ? a : FormulaImpl::applied(function, {a, b});
}

static Formula selection(const Formula &condition, const Formula &yes, const Formula &no) {
  if (std::optional<Number> n = FormulaImpl::number(condition))
    return n->is_zero() ? no : yes;
  if (yes == no)
    return yes;
  const Atom *atom = FormulaImpl::asAtom(condition);
  if (atom && atom->kind == AtomKind::Apply && atom->function == F::Not)
    return selection(atom->operands[0], no, yes);
  return FormulaImpl::applied(F::Select, {condition, yes, no});
}

// ---- logarithms, powers, roots -----------------------------------------------------------------------------------------

namespace {
/// A formula as factor * rest, where `factor` is the common factor of all terms.
struct CommonFactor {
  Monomial factor; // exponents may be negative
  Formula rest;
};

/// Extracts the common factors of numerator and denominator.
CommonFactor contentOf(const Formula &f) {
  const FormulaImpl::Node &node = FormulaImpl::node(f);
  auto common = [](const Monomials &terms) {
    Monomial result = terms[0];
    Number above = 0, below = 1;
    for (const Monomial &term : terms) {
      above = GiNaC::gcd(above, term.coefficient.numer());
      below = GiNaC::lcm(below, term.coefficient.denom());
      llvm::erase_if(result.factors, [&](auto &factor) {
        for (auto &[atom, exponent] : term.factors)
          if (atom == factor.first) {
            factor.second = std::min(factor.second, exponent);
            return false;
          }
        return true;
      });
    }
    result.coefficient = above / below;
    return result;
  };
  Monomial above = common(node.numerator), below = common(node.denominator);
  CommonFactor result{{above.coefficient / below.coefficient, above.factors}, f};
  for (auto &[atom, exponent] : below.factors)
    result.factor.factors.push_back({atom, -exponent});
  result.rest = f * FormulaImpl::make(below) / FormulaImpl::make(above);
  return result;
}

Formula power(const Atom *atom, int exponent) {
  return FormulaImpl::make(GiNaC::pow(atom->symbol, exponent));
}

bool isPowerOfTwo(const Atom &atom) {
  std::optional<Number> base = atom.kind == AtomKind::Power ? FormulaImpl::number(atom.operands[0]) : std::nullopt;
  return base && base->is_equal(2);
}
} // namespace

static Formula logarithm(F function, const Formula &f) {
  if (FormulaImpl::node(f).numerator.empty())
    return FormulaImpl::applied(function, {f});
  CommonFactor content = contentOf(f);
  Formula result, rest = content.rest;
  // Extract powers of two: from the coefficient, and powers with symbolic exponents. For rounded logarithms the latter are
  // correct only if the rest is an integer.
  bool isExact = function == F::Log2;
  long exponent = 0;
  Number c = content.factor.coefficient;
  while (c.numer().is_even()) {
    c /= 2;
    ++exponent;
  }
  while (c.denom().is_even()) {
    c *= 2;
    --exponent;
  }
  result = result + Formula(exponent);
  rest = rest * FormulaImpl::number(c);
  for (auto &[atom, e] : content.factor.factors)
    if (isPowerOfTwo(*atom) && (isExact || e > 0))
      result = result + Formula(e) * atom->operands[1];
    else
      rest = rest * power(atom, e);
  if (std::optional<Number> n = FormulaImpl::number(rest)) {
    if (std::optional<Number> value = valueOf(function, {*n}))
      return result + FormulaImpl::number(*value);
  } else if (isExact && content.rest == Formula(1) && c.is_equal(1)) {
    for (auto &[atom, e] : content.factor.factors)
      if (!isPowerOfTwo(*atom))
        result = result + Formula(e) * FormulaImpl::applied(function, {power(atom, 1)});
    return result;
  }
  if (!isExact && !FormulaImpl::isInteger(rest))
    return FormulaImpl::applied(function, {f});
  return result + FormulaImpl::applied(function, {rest});
}

/// sqrt(num/den) = sqrt(num*den)/den. Extracts squares of numbers and of atoms >= 0.
static Formula squareRoot(const Formula &given) {
  Formula below = FormulaImpl::denominator(given);
  if (!FormulaImpl::isNonnegative(below))
    return FormulaImpl::applied(F::SquareRoot, {given});
  Formula f = FormulaImpl::polynomial(given) * below;
  if (FormulaImpl::node(f).numerator.empty())
    return 0;
  CommonFactor content = contentOf(f);
  Formula outside = Formula(1) / below, inside = content.rest;
  // sqrt of the coefficient: sqrt(a/b) = sqrt(a*b) / b.
  Number c = content.factor.coefficient;
  outside = outside / FormulaImpl::number(c.denom());
  c = c.numer() * c.denom();
  Number squares = 1;
  for (long prime = 2; prime < 1000 && Number(prime * prime) <= c; ++prime)
    while (GiNaC::irem(c, Number(prime * prime)).is_zero()) {
      c = c / Number(prime * prime);
      squares = squares * Number(prime);
    }
  if (std::optional<Number> root = valueOf(F::SquareRoot, {c})) {
    squares = squares * *root;
    c = 1;
  }
  outside = outside * FormulaImpl::number(squares);
  inside = inside * FormulaImpl::number(c);
  for (auto &[atom, e] : content.factor.factors) {
    int half = FormulaImpl::isNonnegative(*atom) ? e / 2 : 0;
    outside = outside * power(atom, half);
    inside = inside * power(atom, e - 2 * half);
  }
  return inside == Formula(1) ? outside : outside * FormulaImpl::applied(F::SquareRoot, {inside});
}

/// base ** exponent, where the base cannot be split into factors and the exponent is a single term.
static Formula powerOfOne(const Formula &base, const Formula &exponent) {
  const Monomial &term = FormulaImpl::node(exponent).numerator[0];
  if (!FormulaImpl::node(exponent).isPolynomial() || !term.coefficient.numer().is_integer() ||
      GiNaC::abs(term.coefficient.numer()) > 1000) {
    Atom atom;
    atom.kind = AtomKind::Power;
    atom.operands = {base, exponent};
    return FormulaImpl::intern(std::move(atom));
  }
  int multiple = term.coefficient.numer().to_int();
  Monomial single{Number(1) / term.coefficient.denom(), term.factors};
  std::optional<Number> number = FormulaImpl::number(base);
  const Atom *atom = single.factors.size() == 1 && single.factors[0].second == 1 && single.coefficient.is_equal(1)
                         ? single.factors[0].first
                         : nullptr;
  Formula one;
  if (number && number->is_equal(2) && atom && atom->kind == AtomKind::Apply && atom->function == F::Log2) {
    one = atom->operands[0]; // 2 ** log2(p) = p
  } else {
    Atom power;
    power.kind = AtomKind::Power;
    power.operands = {base, FormulaImpl::make(single)};
    one = FormulaImpl::intern(std::move(power));
  }
  return FormulaImpl::make(GiNaC::pow(FormulaImpl::value(one), multiple));
}

static Formula wholePower(const Formula &base, long exponent) {
  const FormulaImpl::Node &node = FormulaImpl::node(base);
  if (std::optional<Number> n = FormulaImpl::number(base)) {
    if (n->is_zero())
      return exponent < 0 ? FormulaImpl::undefined(1) : exponent == 0 ? 1 : 0;
    long bits = floorLog2(GiNaC::abs(n->numer())) + floorLog2(n->denom()) + 1;
    if (bits > 1 && std::abs(exponent) > limits::formulaBits / bits)
      throw FormulaTooLarge(limits::formulaBits);
    return FormulaImpl::number(GiNaC::pow(*n, Number(exponent)));
  }
  // The number of terms of the power of a sum: a binomial coefficient.
  double terms = 1;
  for (size_t i = 1; i < std::max(node.numerator.size(), node.denominator.size()); ++i)
    terms *= (static_cast<double>(std::abs(exponent)) + static_cast<double>(i)) / static_cast<double>(i);
  if (std::abs(exponent) > 1000 || terms > static_cast<double>(limits::formulaTerms))
    throw FormulaTooLarge(limits::formulaTerms);
  return FormulaImpl::make(GiNaC::pow(node.value, static_cast<int>(exponent))); // the base is not 0, so negative powers are defined
}

Formula Formula::power(const Formula &exponent) const {
  AlgebraLock lock;
  if (std::optional<Number> e = FormulaImpl::number(exponent)) {
    if (e->is_integer()) {
      std::optional<Rational> small = toRational(*e);
      if (!small)
        throw FormulaTooLarge(limits::formulaBits);
      return wholePower(*this, small->num());
    }
    if (e->denom().is_equal(2))
      return squareRoot(*this).power(FormulaImpl::number(e->numer()));
    return powerOfOne(*this, exponent);
  }
  if (!FormulaImpl::node(exponent).isPolynomial())
    return powerOfOne(*this, exponent);
  std::optional<Number> number = FormulaImpl::number(*this);
  if (number && number->is_equal(1))
    return 1;
  // Split the base into factors: 6**d = 2**d * 3**d.
  std::vector<std::pair<Formula, int>> bases;
  if (number && number->is_pos_integer()) {
    Number rest = *number;
    for (long prime = 2; prime < 1000 && !rest.is_equal(1); ++prime) {
      int times = 0;
      for (; GiNaC::irem(rest, Number(prime)).is_zero(); ++times)
        rest = rest / Number(prime);
      if (times > 0)
        bases.push_back({Formula(prime), times});
    }
    if (!rest.is_equal(1))
      bases.push_back({FormulaImpl::number(rest), 1});
  } else if (!number && node->numerator.size() == 1 && node->denominator.size() == 1) {
    Monomial term = node->numerator[0];
    if (!term.coefficient.is_equal(1))
      bases.push_back({FormulaImpl::number(term.coefficient), 1});
    for (auto &[atom, e] : term.factors)
      bases.push_back({compiler::power(atom, 1), e});
    for (auto &[atom, e] : node->denominator[0].factors)
      bases.push_back({compiler::power(atom, 1), -e});
    if (!node->denominator[0].coefficient.is_equal(1))
      bases.push_back({FormulaImpl::number(node->denominator[0].coefficient), -1});
  }
  if (bases.size() == 1 && bases[0].second == 1)
    bases = {};
  Formula result = 1;
  for (auto &[base, times] : bases)
    result = result * base.power(Formula(times) * exponent);
  if (!bases.empty())
    return result;
  // (x ** a) ** b = x ** (a*b)
  if (const Atom *atom = FormulaImpl::asAtom(*this); atom && atom->kind == AtomKind::Power)
    return atom->operands[0].power(atom->operands[1] * exponent);
  for (const Monomial &term : FormulaImpl::node(exponent).numerator)
    result = result * (term.factors.empty() ? power(FormulaImpl::number(term.coefficient))
                                            : powerOfOne(*this, FormulaImpl::make(term)));
  return result;
}

// ---- all functions ----------------------------------------------------------------------------------------------------

Formula Formula::apply(FormulaFunction function, llvm::ArrayRef<Formula> x) {
  AlgebraLock lock;
  std::vector<Number> numbers;
  for (const Formula &operand : x)
    if (std::optional<Number> n = FormulaImpl::number(operand))
      numbers.push_back(*n);
  if (numbers.size() == x.size() && x.size() <= 3)
    if (std::optional<Number> value = valueOf(function, numbers))
      return FormulaImpl::number(*value);
  auto sorted = [&] {
    bool swapped = FormulaImpl::key(x[1]) < FormulaImpl::key(x[0]);
    return FormulaImpl::applied(function, {x[swapped ? 1 : 0], x[swapped ? 0 : 1]});
  };
  switch (function) {
  case F::Log2:
  case F::FloorLog2:
  case F::CeilLog2:
    return logarithm(function, x[0]);
  case F::Ceiling:
    return ceilingOfFormula(x[0]);
  case F::Floor:
    return floorOfFormula(x[0]);
  case F::SquareRoot:
    return squareRoot(x[0]);
  case F::Divide:
    if (x[1] == Formula(0))
      return FormulaImpl::undefined(x[0]);
    if (Formula quotient = x[0] / x[1]; !hasNewPowers(quotient, x[0]))
      return floorOfFormula(quotient);
    return FormulaImpl::applied(F::Divide, x);
  case F::Modulo:
    return remainder(x[0], x[1]);
  case F::Minimum:
  case F::Maximum:
    return extremum(function, x);
  case F::IsEven:
    if (FormulaImpl::isInteger(x[0])) {
      Formula parity = remainder(x[0], 2);
      const Atom *atom = FormulaImpl::asAtom(parity);
      if (FormulaImpl::number(parity))
        return Formula(1) - parity;
      if (atom && atom->kind == AtomKind::Apply && atom->function == F::Modulo)
        return FormulaImpl::applied(function, {atom->operands[0]});
    }
    return FormulaImpl::applied(function, x);
  case F::IsPow2:
  case F::TrailingZeros: {
    const Atom *atom = FormulaImpl::asAtom(x[0]);
    if (atom && isPowerOfTwo(*atom))
      return function == F::IsPow2 ? Formula(1) : atom->operands[1];
    return FormulaImpl::applied(function, x);
  }
  case F::Not:
    return negation(x[0]);
  case F::BitXor:
    return x[0] == x[1] ? Formula(0) : x[0] == Formula(0) ? x[1] : x[1] == Formula(0) ? x[0] : sorted();
  case F::BitAnd:
    return x[0] == x[1] ? x[0] : x[0] == Formula(0) || x[1] == Formula(0) ? Formula(0) : sorted();
  case F::BitOr:
    return x[0] == x[1] || x[1] == Formula(0) ? x[0] : x[0] == Formula(0) ? x[1] : sorted();
  case F::Equal:
  case F::Less:
  case F::LessEqual:
    return comparison(function, x[0], x[1]);
  case F::And:
  case F::Or:
    return junction(function, x[0], x[1]);
  case F::Select:
    return selection(x[0], x[1], x[2]);
  case F::Bit:
    break;
  }
  return FormulaImpl::applied(function, x);
}

} // namespace quadrille::compiler
