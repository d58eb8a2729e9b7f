//===- FormulaTest.cpp - Formulas: texts, identities, sums --------------------------------------------------------------===//

#include "algebra/Formula.h"

#include <gtest/gtest.h>

using namespace quadrille::compiler;
using F = FormulaFunction;

namespace {
Formula s(const char *name) { return Formula::symbol(name); }
Formula f(F function, std::initializer_list<Formula> operands) { return Formula::apply(function, operands); }
Formula twoTo(const Formula &x) { return Formula(2).power(x); }
Formula sum(const Formula &each, const char *variable, const Formula &lo, const Formula &hi, bool isOrdered = true) {
  return Formula::over(Formula::Over::Sum, each, variable, lo, hi, 1, isOrdered);
}

const Formula p = s("p"), n = s("n"), k = s("k"), d = s("d"), i = s("i"), root = s("root"), x = s("x");
const Formula alpha = s("alpha"), beta = s("beta");
const Formula q = f(F::CeilLog2, {p});

TEST(Formula, Texts) {
  EXPECT_EQ((Formula(2) * (p - 1) * n).text(), "2*(p - 1)*n");
  EXPECT_EQ((q * alpha).text(), "ceil_log2(p)*alpha");
  EXPECT_EQ(((p - 1) * n / p).text(), "(p - 1)*n/p");
  EXPECT_EQ((Formula(2) * (p - 1) * n / p).text(), "2*(p - 1)*n/p");
  EXPECT_EQ(twoTo(d).text(), "2**d");
  EXPECT_EQ((Formula(2) * twoTo(d)).text(), "2**(d + 1)");
  EXPECT_EQ((twoTo(d) / 2).text(), "2**(d - 1)");
  EXPECT_EQ((p / 2).text(), "p/2");
  EXPECT_EQ((Formula(3) * p / 2).text(), "3*p/2");
  EXPECT_EQ((p * (p - 1) / 2).text(), "p*(p - 1)/2");
  EXPECT_EQ((p + k - 2).text(), "p + k - 2");
  EXPECT_EQ((k - p).text(), "k - p");
  EXPECT_EQ((Formula(1) - p).text(), "1 - p");
  EXPECT_EQ((-p).text(), "-p");
  EXPECT_EQ(Formula(0).text(), "0");
  EXPECT_EQ(Formula(Rational(-3, 4)).text(), "-3/4");
  EXPECT_EQ((p.power(2) - 1).text(), "p**2 - 1");
  EXPECT_EQ((p - 1).power(2).text(), "(p - 1)**2");
  EXPECT_EQ((n / (p * k)).text(), "n/(p*k)");
  EXPECT_EQ((Formula(1) / (p - 1)).text(), "1/(p - 1)");
  EXPECT_EQ(((p - 1) * (alpha + beta * n)).text(), "(p - 1)*(alpha + beta*n)");
  EXPECT_EQ(((p + k - 2) * (alpha + beta * n / k)).text(), "(p + k - 2)*(alpha + beta*n/k)");
  EXPECT_EQ((q * alpha + (p - 1) * beta * n).text(), "ceil_log2(p)*alpha + (p - 1)*beta*n");
  EXPECT_EQ((Formula(2) * q * (alpha + beta * f(F::Ceiling, {n / k}))).text(), "2*ceil_log2(p)*(alpha + beta*ceil(n/k))");
  EXPECT_EQ((p * f(F::Divide, {p, k})).text(), "p*(p div k)");
  EXPECT_EQ((f(F::Divide, {p + 1, k}) + 1).text(), "(p + 1) div k + 1");
  EXPECT_EQ(f(F::Divide, {n + 1, p * k}).text(), "(n + 1) div (p*k)");
  EXPECT_EQ(f(F::Divide, {p * k, d}).text(), "p*k div d");
  EXPECT_EQ(f(F::Select, {f(F::Equal, {Formula(1), p}), 0, p + k - 2}).text(), "if p == 1 then 0 else p + k - 2");
  EXPECT_EQ((Formula(2) * f(F::Select, {f(F::LessEqual, {p, 2}), 0, k})).text(), "2*(if p <= 2 then 0 else k)");
  EXPECT_EQ(f(F::Minimum, {p, f(F::Minimum, {k, n})}).text(), "min(k, min(n, p))");
  EXPECT_EQ(Formula::call("height", {p, root}).text(), "height(p, root)");
  EXPECT_EQ(Formula::call("height(tree(0 ..< $0, $1))", {p - 1, root}).text(), "height(tree(0 ..< p - 1, root))");
  EXPECT_EQ(Formula::entry("len", {i, p - 1}).text(), "len[i][p - 1]");
}

TEST(Formula, EqualPolynomialsAreEqual) {
  EXPECT_EQ((p - 1) * (p + 1), p * p - 1);
  EXPECT_EQ((p * p - 1) / (p - 1), p + 1);
  EXPECT_EQ(n / p + n / k, n * (p + k) / (p * k));
  EXPECT_EQ((Formula(1) - p) / (Formula(2) - k), (p - 1) / (k - 2));
  EXPECT_EQ(twoTo(d + 1) - twoTo(d), twoTo(d));
  EXPECT_EQ(Formula(4).power(d), twoTo(d) * twoTo(d));
  EXPECT_EQ(Formula(6).power(d), twoTo(d) * Formula(3).power(d));
  EXPECT_EQ(twoTo(d - k) * twoTo(k), twoTo(d));
  EXPECT_NE(p, k);
}

TEST(Formula, Logarithms) {
  Formula l = f(F::Log2, {p});
  EXPECT_EQ(f(F::Log2, {twoTo(x)}), x);
  EXPECT_EQ(twoTo(l), p);
  EXPECT_EQ(twoTo(Formula(2) * l + 1), Formula(2) * p * p);
  EXPECT_EQ(twoTo(-l), Formula(1) / p);
  EXPECT_EQ(f(F::Log2, {Formula(8) * p}), l + 3);
  EXPECT_EQ(f(F::CeilLog2, {Formula(4) * p}), q + 2);
  EXPECT_EQ(f(F::CeilLog2, {twoTo(d)}), d);
  EXPECT_EQ(f(F::FloorLog2, {twoTo(d) * p}), f(F::FloorLog2, {p}) + d);
  EXPECT_EQ(f(F::CeilLog2, {Formula(1)}), Formula(0));
  EXPECT_EQ(f(F::CeilLog2, {Formula(1025)}), Formula(11));
  EXPECT_EQ(f(F::FloorLog2, {Formula(1023)}), Formula(9));
  EXPECT_EQ(f(F::Log2, {Formula(3)}).number(), std::nullopt);
  EXPECT_EQ(f(F::CeilLog2, {p / 2}), q - 1);
  EXPECT_EQ(f(F::CeilLog2, {p / k}).text(), "ceil_log2(p/k)");
}

TEST(Formula, Roundings) {
  EXPECT_EQ(f(F::Ceiling, {p}), p);
  EXPECT_EQ(f(F::Ceiling, {p + Formula(Rational(1, 2))}), p + 1);
  EXPECT_EQ(f(F::Floor, {p - Formula(Rational(1, 2))}), p - 1);
  EXPECT_EQ(f(F::Ceiling, {n / k + p}), f(F::Ceiling, {n / k}) + p);
  EXPECT_EQ(f(F::Ceiling, {(n + k) / k}), f(F::Ceiling, {n / k}) + 1);
  EXPECT_EQ(f(F::Floor, {Formula(3) * p / 2}), p + f(F::Divide, {p, 2}));
  EXPECT_EQ(f(F::Ceiling, {p / 2}), f(F::Divide, {p + 1, 2}));
  EXPECT_EQ(f(F::Divide, {Formula(2) * p, 2}), p);
  EXPECT_EQ(f(F::Divide, {p - 1, p}), Formula(0));
  EXPECT_EQ(f(F::Ceiling, {-n / k}).text(), "-(n div k)");
  EXPECT_EQ(f(F::Divide, {Formula(-7), 2}), Formula(-4));
  EXPECT_EQ(f(F::Modulo, {Formula(-7), 3}), Formula(2));
  EXPECT_EQ(f(F::Modulo, {Formula(-7), -3}), Formula(2));
  EXPECT_EQ(f(F::Modulo, {p + k, p}), f(F::Modulo, {k, p}));
  EXPECT_EQ(f(F::Modulo, {p + Formula(5), 2}), f(F::Modulo, {p + 1, 2}));
  EXPECT_EQ(f(F::Modulo, {f(F::Modulo, {x, p}) + k, p}), f(F::Modulo, {x + k, p}));
  EXPECT_EQ(f(F::Modulo, {root, p}), root);
  EXPECT_EQ(f(F::Modulo, {root + 1, p}).text(), "(root + 1) mod p");
  EXPECT_EQ(f(F::Divide, {p, 0}).number(), std::nullopt);
  EXPECT_EQ(f(F::Divide, {k, twoTo(-i)}).text(), "k div (1/2**i)"); // 0 if i is -9, and not k * 2**i
}

TEST(Formula, MinimaAndConditions) {
  EXPECT_EQ(f(F::Minimum, {p, p}), p);
  EXPECT_EQ(f(F::Minimum, {p, p + 1}), p);
  EXPECT_EQ(f(F::Maximum, {p - 1, 0}), p - 1);
  EXPECT_EQ(f(F::Maximum, {p - 1, 1}).text(), "max(1, p - 1)");
  EXPECT_EQ(f(F::Maximum, {Formula(1), f(F::Maximum, {p - 1, 0})}), f(F::Maximum, {p - 1, 1}));
  EXPECT_EQ(f(F::Minimum, {twoTo(q), p}), p);
  EXPECT_EQ(f(F::Maximum, {twoTo(f(F::FloorLog2, {p})), p}), p);
  EXPECT_EQ(f(F::Minimum, {Formula(2) * p, twoTo(q)}), twoTo(q));
  EXPECT_EQ(f(F::Select, {Formula(1), p, n}), p);
  EXPECT_EQ(f(F::Select, {Formula(0), p, n}), n);
  EXPECT_EQ(f(F::Select, {f(F::Less, {k, p}), n, n}), n);
  EXPECT_EQ(f(F::Select, {f(F::Not, {f(F::Less, {k, p})}), p, n}), f(F::Select, {f(F::Less, {k, p}), n, p}));
  EXPECT_EQ(f(F::LessEqual, {Formula(1), p}), Formula(1));
  EXPECT_EQ(f(F::Less, {root, p}), Formula(1));
  EXPECT_EQ(f(F::Less, {p, root}), Formula(0));
  EXPECT_EQ(f(F::Equal, {p, 0}), Formula(0));
  EXPECT_EQ(f(F::And, {f(F::Equal, {p, 1}), 1}), f(F::Equal, {p, 1}));
  EXPECT_EQ(f(F::IsEven, {Formula(2) * p + 4}), Formula(1));
  EXPECT_EQ(f(F::IsEven, {p + 2}), f(F::IsEven, {p}));
  EXPECT_EQ(f(F::IsPow2, {twoTo(d)}), Formula(1));
  EXPECT_EQ(f(F::BitXor, {p, p}), Formula(0));
  EXPECT_EQ(f(F::Bit, {Formula(5), 2}), Formula(1));
}

TEST(Formula, Roots) {
  Formula r = f(F::SquareRoot, {p * n});
  EXPECT_EQ(r * r, p * n);
  EXPECT_EQ(f(F::SquareRoot, {Formula(12) * p}), Formula(2) * f(F::SquareRoot, {Formula(3) * p}));
  EXPECT_EQ(f(F::SquareRoot, {p * p * n}), p * f(F::SquareRoot, {n}));
  EXPECT_EQ(f(F::SquareRoot, {p / n}) * f(F::SquareRoot, {p * n}), p);
  EXPECT_EQ(Formula(1) / r, r / (p * n));
  EXPECT_EQ(f(F::SquareRoot, {(p - 2) * beta * n / alpha}).text(), "sqrt((p - 2)*beta*n/alpha)");
  EXPECT_EQ(f(F::SquareRoot, {Formula(Rational(9, 4))}), Formula(Rational(3, 2)));
  EXPECT_EQ(f(F::SquareRoot, {Formula(2)}).text(), "sqrt(2)");
  EXPECT_EQ(p.power(Formula(Rational(1, 2))), f(F::SquareRoot, {p}));
}

TEST(Formula, Sums) {
  EXPECT_EQ(sum(1, "i", 0, p), p);
  EXPECT_EQ(sum(i, "i", 0, p), p * (p - 1) / 2);
  EXPECT_EQ(sum(i, "i", k, p), (p * (p - 1) - k * (k - 1)) / 2);
  EXPECT_EQ(sum(twoTo(i), "i", 0, q), twoTo(q) - 1);
  EXPECT_EQ(sum(twoTo(i), "i", 0, f(F::Log2, {p})), p - 1);
  EXPECT_EQ(sum(p * twoTo(-i - 1), "i", 0, f(F::Log2, {p})), p - 1);
  EXPECT_EQ(sum(i * twoTo(i), "i", 0, d), (d - 2) * twoTo(d) + 2);
  EXPECT_EQ(sum((k + 1).power(i), "i", 0, d), ((k + 1).power(d) - 1) / k);
  EXPECT_EQ(sum(i * i * Formula(3).power(i) + p, "i", 0, d),
            p * d + ((d * d - Formula(3) * d + 3) * Formula(3).power(d) - 3) / 2);
  // A sum of sums, and one in which the variables have the same name.
  EXPECT_EQ(sum(sum(s("j"), "j", 0, i + 1), "i", 0, p), (p + 1) * p * (p - 1) / 6);
  EXPECT_EQ(sum(sum(i, "i", 0, i), "i", 0, p), p * (p - 1) * (p - 2) / 6);
  // Doubling among any number of ranks: the last term is the rest.
  EXPECT_EQ(sum(f(F::Minimum, {twoTo(i), p - twoTo(i)}), "i", 0, q), p - 1);
  EXPECT_EQ(sum(beta * n * f(F::Minimum, {twoTo(i), p - twoTo(i)}) + alpha, "i", 0, q), q * alpha + (p - 1) * beta * n);
  // There is no closed form beyond the last doubling.
  EXPECT_EQ(sum(f(F::Minimum, {twoTo(i), p - twoTo(i)}), "i", 0, q + 1).text(),
            "sum(min(2**i, p - 2**i) for i in 0 ..< ceil_log2(p) + 1)");
  EXPECT_EQ(sum(f(F::Minimum, {twoTo(i), p - twoTo(i)}), "i", 0, 3).text(), "min(1, p - 1) + min(2, p - 2) + min(4, p - 4)");
}

TEST(Formula, SumsWithoutClosedForm) {
  Formula rounded = f(F::CeilLog2, {s("r") + 1});
  EXPECT_EQ(sum(p * rounded + 2, "r", 0, n).text(), "p*sum(ceil_log2(i + 1) for i in 0 ..< n) + 2*n");
  // Sums are split internally, so that equal ones are equal, and joined in texts.
  const Formula squares = sum(rounded * rounded - Formula(3) * rounded + 1, "r", 0, d, false);
  EXPECT_EQ(squares, sum(rounded * rounded, "r", 0, d) - Formula(3) * sum(rounded, "r", 0, d) + f(F::Maximum, {0, d}));
  EXPECT_EQ((p * squares).text(), "p*sum(ceil_log2(i + 1)**2 - 3*ceil_log2(i + 1) + 1 for i in 0 ..< d)");
  EXPECT_EQ((sum(rounded, "r", 0, d) - sum(rounded, "r", 0, p)).text(),
            "sum(ceil_log2(i + 1) for i in 0 ..< d) - sum(ceil_log2(i + 1) for i in 0 ..< p)");
  EXPECT_EQ(sum(rounded, "r", 0, n), sum(f(F::CeilLog2, {x + 1}), "x", 0, n));
  EXPECT_EQ(sum(Formula(1) / s("r"), "r", 1, p).text(), "sum(1/i for i in 1 ..< p)");
  // The replacement for p mentions a symbol with the name of the bound variable, which is renamed.
  Formula put = sum(f(F::CeilLog2, {s("r") + p}), "r", 0, n).substitute({{"p", i}});
  EXPECT_EQ(put.text(), "sum(ceil_log2(i + j) for j in 0 ..< n)");
  // The range is empty if its upper bound is below its lower one.
  EXPECT_EQ(sum(1, "i", k, p, false).text(), "max(k, p) - k");
  EXPECT_EQ(sum(1, "i", 0, p - 1, false), p - 1);
  EXPECT_EQ(sum(1, "i", 5, 3), Formula(0));
  Formula odd = f(F::Not, {f(F::IsEven, {i})});
  EXPECT_EQ(Formula::over(Formula::Over::Sum, Formula::entry("len", {i}), "i", 0, p, odd).text(),
            "sum(len[i] for i in 0 ..< p if odd(i))");
  EXPECT_EQ(Formula::over(Formula::Over::Maximum, Formula::entry("len", {i}), "i", 0, p).text(),
            "max(len[i] for i in 0 ..< p)");
  EXPECT_EQ(Formula::over(Formula::Over::Maximum, i, "i", 0, 4), Formula(3));
}

TEST(Formula, Facts) {
  FormulaFacts pow2{true, false}, even{false, true};
  Formula l = f(F::Log2, {p});
  EXPECT_EQ(simplify(q, pow2), l);
  EXPECT_EQ(simplify(twoTo(f(F::FloorLog2, {p})), pow2), p);
  EXPECT_EQ(simplify(f(F::Select, {f(F::IsPow2, {p}), k, n}), pow2), k);
  EXPECT_EQ(simplify(f(F::Divide, {p, 2}), even), p / 2);
  EXPECT_EQ(simplify(f(F::Modulo, {p, 2}), even), Formula(0));
  EXPECT_EQ(simplify(f(F::CeilLog2, {p}), even), q);
  EXPECT_EQ(isZero(q - l, pow2), true);
  EXPECT_EQ(isZero(q - f(F::FloorLog2, {p})), false);
  EXPECT_EQ(isZero(p * p - p), false);
  EXPECT_EQ(isZero((p + 1) * (p + 1) - p * p - Formula(2) * p - 1), true);
  EXPECT_EQ(isZero(Formula::call("height", {p})), std::nullopt);
  // True; isZero knows no identity that shows it.
  EXPECT_EQ(isZero(f(F::CeilLog2, {f(F::Divide, {p + 3, 2})}) + 1 - f(F::CeilLog2, {p + 2})), std::nullopt);
}

TEST(Formula, Parts) {
  Formula cost = q * alpha + (p - 1) * beta * n;
  EXPECT_EQ(cost.coefficient("alpha", 1), q);
  EXPECT_EQ(cost.coefficient("alpha", 0), (p - 1) * beta * n);
  EXPECT_EQ(cost.coefficient("p", 1), std::nullopt); // it also occurs under a function
  EXPECT_EQ((n / k).coefficient("k", 1), std::nullopt);
  EXPECT_EQ((n / k).coefficient("n", 1), Formula(1) / k);
  EXPECT_EQ((p * k + n / k).derivative("k"), p - n / (k * k));
  EXPECT_EQ(f(F::SquareRoot, {n}).derivative("n"), Formula(1) / (Formula(2) * f(F::SquareRoot, {n})));
  EXPECT_EQ(f(F::Ceiling, {n / k}).derivative("k"), std::nullopt);
  EXPECT_EQ(cost.symbols(), (std::vector<std::string>{"alpha", "beta", "n", "p"}));
  EXPECT_TRUE(cost.mentions("p"));
  EXPECT_FALSE(sum(Formula(1) / i, "i", 1, p).mentions("i"));
}

TEST(Formula, Limits) {
  EXPECT_EQ(twoTo(80).number(), std::nullopt); // exact, but no int64
  EXPECT_EQ((twoTo(80) / twoTo(79)).number(), Rational(2));
  EXPECT_EQ(twoTo(80).text(), "1208925819614629174706176");
  EXPECT_THROW(twoTo(Formula(1000000000)), FormulaTooLarge);
  EXPECT_THROW((p + n + k + d).power(200), FormulaTooLarge);
  Formula wide = 1;
  EXPECT_THROW(
      for (int c = 1; c < 40; ++c) wide = wide * (Formula::symbol("a" + std::to_string(c)) + 1), FormulaTooLarge);
}

TEST(FormulaSums, ReplacingInNestedSumsCapturesNoVariable) {
  const Formula p = Formula::symbol("p");
  auto residue = [](const char *of, const char *d) {
    return Formula::apply(FormulaFunction::Modulo, {Formula::symbol(of), Formula(2).power(Formula::symbol(d))});
  };
  const Formula inner = Formula::over(Formula::Over::Sum, Formula::entry("len", {Formula::symbol("x")}), "x", 0, p,
                                      Formula::apply(FormulaFunction::Equal, {residue("x", "d"), residue("y", "d")}));
  const Formula sum = Formula::over(Formula::Over::Sum, Formula::over(Formula::Over::Maximum, inner, "y", 0, p), "d", 1, p);
  const Formula replaced = sum.substitute({{"p", Formula::symbol("q")}}).substitute({{"q", p}});
  EXPECT_EQ(replaced.text(), sum.text());
  EXPECT_EQ(sum.text(), "sum(max(sum(len[l] for l in 0 ..< p if j mod 2**i == l mod 2**i) for j in 0 ..< p) for i in 1 ..< p)");
}

} // namespace
