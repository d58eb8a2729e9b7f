//===- FormulaRandomTest.cpp - Formulas against plain arithmetic -----------------------------------------------------------===//
//
// Random expressions are built twice: as a formula, which is simplified on the way, and as a tree, which is evaluated directly.
// Where the tree has a value, the formula must have the same, exactly and in floating point.
//
//===----------------------------------------------------------------------------------------------------------------------===//

#include "algebra/Formula.h"

#include <gtest/gtest.h>
#include <cmath>
#include <functional>
#include <iostream>
#include <map>
#include <random>

using namespace quadrille::compiler;
using F = FormulaFunction;

namespace {
using Values = std::map<std::string, std::int64_t>;
using Plain = std::function<std::optional<Rational>(const Values &)>;

class At : public FormulaValues {
public:
  explicit At(const Values &values) : values(values) {}
  std::optional<Rational> symbol(llvm::StringRef name) const override {
    auto found = values.find(name.str());
    return found == values.end() ? std::nullopt : std::optional<Rational>(found->second);
  }

private:
  const Values &values;
};

std::int64_t floorLog2(std::int64_t x) {
  std::int64_t result = 0;
  while (x > 1) {
    x /= 2;
    ++result;
  }
  return result;
}

std::optional<Rational> applied(F function, const Rational &a, const Rational &b) {
  bool areWhole = a.isInteger() && b.isInteger();
  std::int64_t x = a.num(), y = b.num();
  switch (function) {
  case F::Minimum:
    return a < b ? a : b;
  case F::Maximum:
    return a < b ? b : a;
  case F::Ceiling:
    return a.ceil();
  case F::Floor:
    return a.floor();
  case F::Less:
    return Rational(a < b);
  case F::LessEqual:
    return Rational(a <= b);
  case F::Equal:
    return Rational(a == b);
  default:
    break;
  }
  if (!areWhole)
    return std::nullopt;
  switch (function) {
  case F::Divide:
    return y == 0 ? std::nullopt : std::optional((a / b).floor());
  case F::Modulo: {
    if (y == 0)
      return std::nullopt;
    std::int64_t r = x % y;
    return Rational(r < 0 ? r + std::abs(y) : r);
  }
  case F::FloorLog2:
    return x <= 0 ? std::nullopt : std::optional(Rational(floorLog2(x)));
  case F::CeilLog2:
    return x <= 0 ? std::nullopt : std::optional(Rational(floorLog2(x) + ((x & (x - 1)) != 0)));
  case F::IsEven:
    return Rational(x % 2 == 0);
  case F::BitXor:
    return Rational(x ^ y);
  default:
    return std::nullopt;
  }
}

/// Both forms of an expression.
struct Pair {
  Formula formula;
  Plain plain;
};

class Generator {
public:
  explicit Generator(unsigned seed) : random(seed) {}

  Pair expression(unsigned depth) {
    if (depth == 0 || upTo(8) == 0)
      return leaf();
    Pair x = expression(depth - 1), y = expression(depth - 1);
    Plain f = x.plain, g = y.plain;
    auto both = [f, g](auto operation) -> Plain {
      return [f, g, operation](const Values &v) -> std::optional<Rational> {
        std::optional<Rational> a = f(v), b = g(v);
        if (!a || !b)
          return std::nullopt;
        std::optional<Rational> result = operation(*a, *b);
        return result && result->valid() ? result : std::nullopt;
      };
    };
    switch (upTo(12)) {
    case 0:
    case 1:
      return {x.formula + y.formula, both([](auto &a, auto &b) { return std::optional(a + b); })};
    case 2:
      return {x.formula - y.formula, both([](auto &a, auto &b) { return std::optional(a - b); })};
    case 3:
    case 4:
      return {x.formula * y.formula, both([](auto &a, auto &b) { return std::optional(a * b); })};
    case 5:
      if (y.formula == Formula(0))
        return x;
      return {x.formula / y.formula, both([](auto &a, auto &b) { return std::optional(a / b); })};
    case 6: { // if x < y then x else y + 1
      Formula less = Formula::apply(F::Less, {x.formula, y.formula});
      return {Formula::apply(F::Select, {less, x.formula, y.formula + 1}),
              both([](auto &a, auto &b) { return std::optional(a < b ? a : b + 1); })};
    }
    case 7: { // sum of x with another symbol, over 0 ..< 4 or 0 ..< q
      bool isLong = upTo(2);
      Formula sum = Formula::over(Formula::Over::Sum, x.formula.substitute({{"q", Formula::symbol("s")}}) + y.formula, "s", 0,
                                  isLong ? Formula::symbol("q") : Formula(4), 1, true);
      return {sum, [f, g, isLong](const Values &v) -> std::optional<Rational> {
                Rational result;
                for (std::int64_t s = 0; s < (isLong ? v.at("q") : 4); ++s) {
                  Values inner = v;
                  inner["q"] = s;
                  std::optional<Rational> a = f(inner), b = g(v);
                  if (!a || !b)
                    return std::nullopt;
                  result = result + *a + *b;
                }
                return result.valid() ? std::optional(result) : std::nullopt;
              }};
    }
    default: {
      static const F functions[] = {F::Minimum,  F::Maximum,   F::Ceiling,  F::Floor,  F::Less,   F::LessEqual, F::Equal,
                                    F::Divide,   F::Modulo,    F::FloorLog2, F::CeilLog2, F::IsEven, F::BitXor};
      F function = functions[upTo(std::size(functions))];
      bool isUnary = function == F::Ceiling || function == F::Floor || function == F::FloorLog2 || function == F::CeilLog2 ||
                     function == F::IsEven;
      Formula formula = isUnary ? Formula::apply(function, {x.formula}) : Formula::apply(function, {x.formula, y.formula});
      if (isUnary)
        return {formula, [f, function](const Values &v) -> std::optional<Rational> {
                  std::optional<Rational> a = f(v);
                  return a ? applied(function, *a, *a) : std::nullopt;
                }};
      return {formula, both([function](auto &a, auto &b) { return applied(function, a, b); })};
    }
    }
  }

private:
  Pair leaf() {
    static const char *names[] = {"p", "n", "k", "root", "q"};
    switch (upTo(3)) {
    case 0: {
      std::int64_t number = static_cast<std::int64_t>(upTo(9)) - 3;
      return {number, [number](const Values &) { return std::optional<Rational>(number); }};
    }
    case 1: { // 2 ** q
      return {Formula(2).power(Formula::symbol("q")), [](const Values &v) { return std::optional<Rational>(std::int64_t(1) << v.at("q")); }};
    }
    default: {
      std::string name = names[upTo(std::size(names))];
      return {Formula::symbol(name), [name](const Values &v) { return std::optional<Rational>(v.at(name)); }};
    }
    }
  }

  std::size_t upTo(std::size_t bound) { return random() % bound; }
  std::mt19937 random;
};

Values sample(std::mt19937 &random) {
  std::int64_t p = 1 + random() % 20;
  return {{"p", p}, {"n", random() % 30}, {"k", 1 + random() % 6}, {"root", random() % p}, {"q", random() % 5}};
}

TEST(Formula, RandomFormulasHaveTheirValues) {
  unsigned compared = 0, missing = 0;
  for (unsigned seed = 0; seed < 1500; ++seed) {
    Pair pair;
    try {
      pair = Generator(seed).expression(3);
    } catch (const FormulaTooLarge &) {
      continue;
    }
    const std::vector<std::string> names = {"p", "n", "k", "root", "q"};
    CompiledFormula compiled(pair.formula, names);
    // In floating point, rounding up or down a quotient that is exactly an integer may go wrong.
    const std::string text = pair.formula.text();
    bool hasRounding = text.find("ceil(") != std::string::npos || text.find("floor(") != std::string::npos;
    std::mt19937 random(seed);
    for (int t = 0; t < 12; ++t) {
      Values values = sample(random);
      std::optional<Rational> wanted = pair.plain(values);
      if (!wanted)
        continue;
      std::optional<Rational> found = evaluate(pair.formula, At(values));
      // The term of an empty sum may have no value, but remains in the formula with the factor 0.
      if (!found) {
        ++missing;
        continue;
      }
      ASSERT_EQ(found->text(), wanted->text()) << "seed " << seed << ": " << text << " at p = " << values["p"]
                                               << ", n = " << values["n"] << ", k = " << values["k"]
                                               << ", root = " << values["root"] << ", q = " << values["q"];
      ++compared;
      std::vector<double> arguments;
      for (const std::string &name : names)
        arguments.push_back(static_cast<double>(values[name]));
      double exact = static_cast<double>(wanted->num()) / static_cast<double>(wanted->den());
      if (!hasRounding) {
        ASSERT_NEAR(compiled(arguments), exact, 1e-6 * (1 + std::abs(exact))) << "seed " << seed << ": " << text;
      }
    }
  }
  EXPECT_GT(compared, 8000u);
  EXPECT_LT(missing, compared / 100);
}

TEST(Formula, RandomFormulasMinusThemselvesAreZero) {
  for (unsigned seed = 0; seed < 500; ++seed) {
    try {
      Formula once = Generator(seed).expression(3).formula, again = Generator(seed).expression(3).formula;
      EXPECT_EQ(once.text(), again.text());
      EXPECT_EQ(isZero(once - again), true);
    } catch (const FormulaTooLarge &) {
    }
  }
}

/// Printed for test/cost/Inputs/same-texts.py, which compares many runs.
TEST(Formula, PrintedTexts) {
  for (unsigned seed = 0; seed < 200; ++seed)
    try {
      std::cout << Generator(seed).expression(3).formula.text() << '\n';
    } catch (const FormulaTooLarge &) {
    }
}
} // namespace
