//===- FormulaEvaluate.cpp - Exact values of formulas ---------------------------------------------------------------------===//

#include "FormulaImpl.h"

#include "limits/Limits.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"

#include <random>

namespace quadrille::compiler {

using F = FormulaFunction;

namespace {
class Evaluator {
public:
  explicit Evaluator(const FormulaValues &values) : values(values) {}

  std::optional<Number> value(const Formula &f) {
    const FormulaImpl::Node &node = FormulaImpl::node(f);
    std::optional<Number> above = sum(node.numerator);
    if (!above || node.isPolynomial())
      return above;
    std::optional<Number> below = sum(node.denominator);
    return below && !below->is_zero() ? std::optional(*above / *below) : std::nullopt;
  }

private:
  std::optional<Number> sum(const Monomials &terms) {
    Number result = 0;
    for (const Monomial &term : terms) {
      Number product = term.coefficient;
      for (auto &[a, exponent] : term.factors) {
        std::optional<Number> x = atom(*a);
        if (!x)
          return std::nullopt;
        std::optional<Number> power = raised(*x, Number(exponent));
        if (!power)
          return std::nullopt;
        product *= *power;
      }
      result += product;
    }
    return result;
  }

  static std::optional<Number> raised(const Number &base, const Number &exponent) {
    if (!exponent.is_integer()) {
      std::optional<Number> root = exponent.denom().is_equal(2) ? valueOf(F::SquareRoot, {base}) : std::nullopt;
      return root ? raised(*root, exponent.numer()) : std::nullopt;
    }
    if (base.is_zero())
      return exponent.is_negative() ? std::nullopt : std::optional<Number>(exponent.is_zero() ? 1 : 0);
    if (base.is_equal(1) || base.is_equal(-1))
      return base.is_equal(1) || exponent.is_even() ? Number(1) : Number(-1);
    std::int64_t bits = floorLog2(GiNaC::abs(base.numer())) + floorLog2(base.denom()) + 1;
    if (GiNaC::abs(exponent) > Number(static_cast<long>(limits::formulaBits.value() / bits)))
      return std::nullopt;
    return GiNaC::pow(base, exponent);
  }

  std::optional<Number> atom(const Atom &a) {
    switch (a.kind) {
    case AtomKind::Symbol: {
      if (auto bound = variables.find(a.name); bound != variables.end())
        return bound->second;
      std::optional<Rational> value = values.symbol(a.name);
      return value && value->valid() ? std::optional(toNumber(*value)) : std::nullopt;
    }
    case AtomKind::Call:
    case AtomKind::Entry: {
      std::vector<Rational> arguments;
      for (const Formula &operand : a.operands) {
        std::optional<Number> x = value(operand);
        std::optional<Rational> small = x ? toRational(*x) : std::nullopt;
        if (!small)
          return std::nullopt;
        arguments.push_back(*small);
      }
      std::optional<Rational> result =
          a.kind == AtomKind::Call ? values.call(a.name, arguments) : values.entry(a.name, arguments);
      return result && result->valid() ? std::optional(toNumber(*result)) : std::nullopt;
    }
    case AtomKind::Power: {
      std::optional<Number> base = value(a.operands[0]), exponent = value(a.operands[1]);
      return base && exponent ? raised(*base, *exponent) : std::nullopt;
    }
    case AtomKind::Over:
      return over(a);
    case AtomKind::Apply:
      return applied(a);
    }
    return std::nullopt;
  }

  std::optional<Number> applied(const Atom &a) {
    std::optional<Number> first = value(a.operands[0]);
    if (!first)
      return std::nullopt;
    // The other branch may have no value.
    if (a.function == F::Select)
      return value(a.operands[first->is_zero() ? 2 : 1]);
    if ((a.function == F::And && first->is_zero()) || (a.function == F::Or && !first->is_zero()))
      return first->is_zero() ? Number(0) : Number(1);
    if (a.operands.size() == 1)
      return valueOf(a.function, {*first});
    // A minimum may have more than two operands.
    for (const Formula &operand : llvm::drop_begin(a.operands)) {
      std::optional<Number> next = value(operand);
      first = next ? valueOf(a.function, {*first, *next}) : std::nullopt;
      if (!first)
        return std::nullopt;
    }
    return first;
  }

  std::optional<Number> over(const Atom &a) {
    std::optional<Number> lo = value(a.operands[1]), hi = value(a.operands[2]);
    if (!lo || !hi || !lo->is_integer() || !hi->is_integer())
      return std::nullopt;
    auto &variable = variables[a.name];
    std::optional<Number> outer = std::exchange(variable, std::nullopt), result;
    bool isDefined = true;
    for (Number i = *lo; i < *hi && isDefined; i += 1) {
      variables[a.name] = i;
      std::optional<Number> counts = ++terms > limits::evaluatedTerms ? std::nullopt : value(a.operands[3]);
      if (counts && counts->is_zero())
        continue;
      std::optional<Number> term = counts ? value(a.operands[0]) : std::nullopt;
      isDefined = term.has_value();
      if (!term)
        continue;
      if (!result)
        result = term;
      else if (a.over == Formula::Over::Sum)
        *result += *term;
      else if ((*term < *result) == (a.over == Formula::Over::Minimum))
        result = term;
    }
    if (outer)
      variables[a.name] = outer;
    else
      variables.erase(a.name);
    return isDefined ? result.value_or(0) : std::optional<Number>();
  }

  const FormulaValues &values;
  std::map<std::string, std::optional<Number>> variables; // values of the variables of sums
  std::uint64_t terms = 0;
};

// ---- whether it is 0 ---------------------------------------------------------------------------------------------------

/// Values of symbols that satisfy the facts.
class Sample : public FormulaValues {
public:
  Sample(std::mt19937_64 &random, const FormulaFacts &facts, llvm::ArrayRef<std::string> names) {
    auto upTo = [&](std::uint64_t bound) { return static_cast<std::int64_t>(random() % bound); };
    std::int64_t p = 1 + upTo(40);
    if (facts.pIsPow2)
      p = std::int64_t(1) << (facts.pIsEven ? 1 + p % 6 : p % 7);
    else if (facts.pIsEven)
      p = 2 * p;
    for (const std::string &name : names)
      numbers[name] = name == "p" ? p : name == "root" ? upTo(static_cast<std::uint64_t>(p)) : name == "n" ? upTo(200) : 1 + upTo(12);
  }
  std::optional<Rational> symbol(llvm::StringRef name) const override { return Rational(numbers.lookup(name)); }

private:
  llvm::StringMap<std::int64_t> numbers;
};
} // namespace

std::optional<Rational> evaluate(const Formula &formula, const FormulaValues &values) {
  AlgebraLock lock;
  std::optional<Number> value = Evaluator(values).value(formula);
  return value ? toRational(*value) : std::nullopt;
}

Formula simplify(const Formula &formula, const FormulaFacts &facts) {
  AlgebraLock lock;
  // Substitute for p an expression that has the known form (2**q, 2*q); then the identities of operations apply.
  std::optional<Formula> made;
  const std::string unit = "%p"; // known to be >= 0 by its name (FormulaSigns.cpp)
  Formula original;
  if (facts.pIsPow2) {
    made = Formula(2).power(Formula::symbol(unit));
    original = Formula::apply(F::Log2, {Formula::symbol("p")});
  } else if (facts.pIsEven) {
    made = Formula(2) * Formula::symbol(unit);
    original = Formula::symbol("p") / 2;
  }
  if (!made || !formula.mentions("p"))
    return formula;
  return formula.substitute({{"p", *made}}).substitute({{unit, original}});
}

std::optional<bool> isZero(const Formula &formula, const FormulaFacts &facts) {
  AlgebraLock lock;
  Formula f = simplify(formula, facts);
  if (std::optional<Number> n = FormulaImpl::number(f))
    return n->is_zero();
  std::mt19937_64 random(1);
  std::vector<std::string> names = f.symbols();
  for (unsigned i = 0; i < limits::zeroSamples; ++i) {
    Sample sample(random, facts, names);
    if (std::optional<Number> value = Evaluator(sample).value(f); value && !value->is_zero())
      return false;
  }
  return std::nullopt;
}

} // namespace quadrille::compiler
