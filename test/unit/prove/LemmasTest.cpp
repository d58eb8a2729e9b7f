//===- LemmasTest.cpp - No lemma is false --------------------------------------------------------------------------------===//
//
// A wrong lemma could prove wrong schedules. So the instances for formulas with all pairs of operations are evaluated for powers,
// negative numbers and numbers around multiples of the moduli.
//
//===----------------------------------------------------------------------------------------------------------------===//

#include "Obligations.h"
#include "limits/Limits.h"
#include "prove/solver/Lemmas.h"
#include "prove/terms/TermTable.h"

#include "llvm/ADT/DenseMap.h"

#include <gtest/gtest.h>

#include <random>

using namespace quadrille::compiler::prove;

namespace {
class LemmasTest : public testing::Test {
protected:
  TermPool pool;
  Obligations o{pool};
  std::mt19937 random{4711};

  /// A random value: often small, so that values coincide and conditions hold; often a power of two, and always where required.
  std::int64_t value(Term variable) {
    auto below = [&](unsigned n) { return static_cast<std::int64_t>(random() % n); };
    if (variable->isPower)
      return std::int64_t(1) << below(7);
    switch (below(4)) {
    case 0:
      return std::int64_t(1) << below(7);
    case 1:
      return below(9) - 2;
    case 2:
      return below(41);
    default:
      return below(121) - 50;
    }
  }

  /// Expects that no instance is false, and that all had a value at some sample.
  void expectTrue(llvm::ArrayRef<Term> formulas, unsigned samples) {
    std::vector<Term> lemmas = lemmasFor(pool, formulas);
    ASSERT_FALSE(lemmas.empty());
    ASSERT_LT(lemmas.size(), quadrille::compiler::limits::lemmas.value());
    TermTable table(lemmas);
    auto variables = variablesOf(lemmas);
    std::vector<bool> seen(lemmas.size());
    for (unsigned sample = 0; sample < samples; ++sample) {
      llvm::DenseMap<Term, std::int64_t> values;
      for (Term variable : variables)
        values[variable] = value(variable);
      table.evaluate([&](Term variable) { return values.lookup(variable); });
      for (size_t i = 0; i < lemmas.size(); ++i) {
        seen[i] = seen[i] || table[i];
        if (table[i] == 0) {
          std::string where;
          for (Term variable : variables)
            where += " " + variable->name + " = " + std::to_string(values[variable]);
          FAIL() << text(lemmas[i]) << "\nis false for" << where;
        }
      }
    }
    for (size_t i = 0; i < lemmas.size(); ++i)
      EXPECT_TRUE(seen[i]) << text(lemmas[i]) << "\nnever had a value";
  }
};

TEST_F(LemmasTest, HoldForSchedules) {
  for (const Question &question : o.all(0)) {
    SCOPED_TRACE(question.name);
    std::vector<Term> formulas = question.hypotheses;
    formulas.push_back(question.goal);
    expectTrue(formulas, 3000);
  }
}

TEST_F(LemmasTest, HoldForRemainders) {
  Expr m = o.var("m"), x = o.var("x"), y = o.var("y");
  expectTrue({x % m == y, (x + m) % m == 0, ((x % m) - y) % m == 1, (2 * m + x) % (2 * m) == 3, (x * m + y) % m == 0,
              x / m == 1, (x - y) / m == 0, isPower2(m)},
             20000);
  expectTrue({(x * ((m + 1) / 2)) % m == y, (x * y) % m == 1}, 20000); // half of m + 1 doubles to 1
}

TEST_F(LemmasTest, HoldForSumsOfDigits) {
  Expr m = o.var("m"), x = o.var("x"), y = o.var("y");
  const Term rest = pool.apply("digits", {x / m});
  expectTrue({pool.equal(pool.add(rest, x % m), y)}, 20000); // the lemmas mention the quotient, not the call
}

TEST_F(LemmasTest, XorOfSeveralKeepsItsValue) {
  const std::vector<Term> parts{pool.variable("x"), pool.variable("y"), pool.variable("w", /*isPower=*/true), pool.power2(pool.variable("d")), pool.integer(5)};
  for (unsigned sample = 0; sample < 2000; ++sample) {
    const auto below = [&](unsigned n) { return static_cast<std::int64_t>(random() % n); };
    const std::vector<std::int64_t> values{below(100), below(100), std::int64_t(1) << below(7), std::int64_t(1) << (sample % 5), 5};
    const auto valueOf = [&](Term variable) {
      return variable == parts[0] ? values[0] : variable == parts[1] ? values[1] : variable == parts[2] ? values[2] : std::int64_t(sample % 5);
    };
    // A random tree: what is made of two of the terms so far is the next one.
    std::vector<Term> terms = parts;
    std::vector<std::int64_t> wanted = values;
    for (unsigned step = 0; step < 8; ++step) {
      const auto count = static_cast<unsigned>(terms.size());
      const auto a = static_cast<std::size_t>(below(count)), b = static_cast<std::size_t>(below(count));
      terms.push_back(pool.bitXor(terms[a], terms[b]));
      wanted.push_back(wanted[a] ^ wanted[b]);
      ASSERT_EQ(evaluate(terms.back(), valueOf), wanted.back()) << text(terms.back());
    }
  }
}

TEST_F(LemmasTest, XorWithMultiplesOfPowersKeepsItsValue) {
  const Term x = pool.variable("x"), w = pool.variable("w", /*isPower=*/true), multiple = pool.subtract(x, pool.modulo(x, w));
  for (std::int64_t number = 0; number < 70; ++number)
    for (std::int64_t power = 1; power <= 64; power *= 2) {
      const auto valueOf = [&](Term variable) { return variable == x ? number : power; };
      EXPECT_EQ(evaluate(pool.bitXor(multiple, w), valueOf), (number - number % power) ^ power);
      EXPECT_EQ(evaluate(pool.modulo(pool.bitXor(x, w), w), valueOf), (number ^ power) % power);
    }
}

TEST_F(LemmasTest, XorHasPowersLast) {
  const Term x = pool.variable("x"), y = pool.variable("y"), w = pool.variable("w", /*isPower=*/true);
  EXPECT_EQ(pool.bitXor(pool.bitXor(x, w), y), pool.bitXor(pool.bitXor(x, y), w));
  EXPECT_EQ(pool.bitXor(pool.bitXor(x, w), pool.bitXor(w, y)), pool.bitXor(x, y));
}

TEST_F(LemmasTest, HoldForBits) {
  Expr x = o.var("x"), y = o.var("y"), u = o.power("u"), w = o.w, d = o.var("d");
  expectTrue({bit(x, w) && bit(y, u), (x ^ w) % u == y % (2 * w), bit(x ^ w, u), x / w == y / (2 * w), (x - y) / u == 1}, 20000);
  expectTrue({bit(x, power2(d)), bit(y, power2(d + 1)), (x ^ power2(d)) == y, x % power2(d + 1) == 0, y % (u / 2) == 1}, 20000);
  expectTrue({((x ^ u) ^ w) == y, isPower2(o.p), x % o.p == y, o.p % w == 0}, 20000);
  // Several bits at once.
  expectTrue({(x ^ (3 * w)) == y, bit(x ^ (5 * u), u), (y ^ (3 * power2(d))) % w == 1, bit(x, 2 * w), isPower2(o.p)}, 20000);
  expectTrue({(x ^ lift(x, 3)) == y, (y ^ lift(x, 6)) % w == 1, (x / w) % 2 == 1, (y / power2(d)) % 2 == 0, isPower2(o.p)}, 20000);
}

TEST_F(LemmasTest, HoldForBitwiseOperations) {
  Expr x = o.var("x"), y = o.var("y"), z = o.var("z"), w = o.w, d = o.var("d");
  auto conjunction = [&](Expr a, Expr b) { return Expr{&pool, pool.bitAnd(a, b)}; };
  auto disjunction = [&](Expr a, Expr b) { return Expr{&pool, pool.bitOr(a, b)}; };
  expectTrue({(x ^ y) == z, (z ^ y) == x, (y ^ z) == x, ((x ^ y) ^ z) == 0, isPower2(o.p)}, 20000);
  expectTrue({conjunction(x, y) == z, conjunction(x, w) == 0, conjunction(x, power2(d) - 1) == 0, conjunction(w - 1, y) == 1}, 20000);
  expectTrue({disjunction(x, y) == z, disjunction(x, w) == 0, disjunction(power2(d), y) == 1, isPower2(o.p)}, 20000);
}

TEST_F(LemmasTest, HoldForPowersAndLogarithms) {
  Expr x = o.var("x"), y = o.var("y"), u = o.power("u"), w = o.w, d = o.var("d"), e = o.var("e");
  Expr fourfold = power2(d + 2); // made before power2(d): the order does not matter
  expectTrue({power2(d) <= power2(e), fourfold == u, power2(ceilLog2(x)) == y, power2(floorLog2(y)) == x, isPower2(x),
              isPower2(2 * x), isPower2(y), isPower2(u / 2), floorLog2(w) == ceilLog2(u), w <= x, ceilLog2(y) == floorLog2(y)},
             20000);
  expectTrue({ceilLog2(x + 1) == floorLog2(x), ceilLog2(y / 2 + 1) == floorLog2(y)}, 20000);
  expectTrue({power2(d) <= x && x < 2 * power2(d), floorLog2(x) == e, power2(e) <= y, floorLog2(y) < d}, 20000);
  expectTrue({ceilLog2(x) == d, ceilLog2((x + 1) / 2) == e, floorLog2(x) == d, floorLog2(x / 2) == e, power2(d) == y, isPower2(y),
              isPower2(power2(e)), floorLog2(2 * w) == floorLog2(w), power2(e) % power2(d) == 0, y % power2(e) == x},
             20000);
}

TEST_F(LemmasTest, HoldForDividedPowers) {
  Expr x = o.var("x"), b = o.var("b"), p = o.p;
  expectTrue({isPower2(p), p % b == 0, isPower2(b), isPower2(p / b), floorLog2(p) == floorLog2(b), floorLog2(p / b) == x,
              ceilLog2(p) == ceilLog2(b), ceilLog2(p / b) == x},
             20000);
  expectTrue({isPower2(p), isPower2(p / 4), x / 4 == 1, floorLog2(x / 4) == floorLog2(x), ceilLog2(p / 8) == ceilLog2(p),
              floorLog2(p / 4) == floorLog2(p)},
             20000);
}

TEST_F(LemmasTest, HoldForProducts) {
  Expr x = o.var("x"), y = o.var("y"), b = o.var("b"), w = o.w;
  expectTrue({x * b == y * b, x * y == b, y / b == x, (y - 1) / b == 3, (x * b) % b == 0, (x * w) % w == y, (y - x * b) % o.p == 0,
              o.p % b == 0, (x % o.p) % b == 1, x * x == y, (x * x + x) % 2 == 0, (x * x * y - 3 * x * y * y + 1) / 2 == b},
             20000);
}

// Rows of numbers that are moved around a torus.
TEST_F(LemmasTest, HoldForDividedDivisors) {
  const Term x = pool.variable("x"), y = pool.variable("y");
  for (std::int64_t by : {2, 3, 8})
    expectTrue({pool.lessEqual(pool.scale(by, pool.quotient(x, y)), pool.quotient(x, pool.quotient(y, pool.integer(by))))}, 20000);
}

TEST_F(LemmasTest, HoldForMovedRows) {
  Expr x = o.var("x"), y = o.var("y"), b = o.var("b"), m = o.var("m"), c = o.var("c");
  expectTrue({((x * b + y) / b - c) % m == 1, (((x % m) * b + y) / b - c) % m == (x - c) % m, y % b == y}, 40000);
  expectTrue({m % b == 0, (x % m) / b == y, ((x - b * c) % m) / b == (x / b - c) % (m / b)}, 40000);
}

// What two numbers differ in: each bit of x xor y, and what is left if one of them is taken out again.
TEST_F(LemmasTest, HoldForBitsOfDifferences) {
  const Term x = pool.variable("x"), y = pool.variable("y"), u = pool.variable("u"), w = pool.power2(pool.variable("d"));
  const Term both = pool.bitXor(x, y), other = pool.bitXor(x, u);
  expectTrue({pool.both(pool.bit(x, w), pool.bit(y, w)), pool.bit(both, w), pool.equal(pool.modulo(both, w), u)}, 40000);
  expectTrue({pool.equal(both, u), pool.less(other, y), pool.equal(pool.bitXor(u, y), x)}, 40000);
}

// Remainders by numbers of which one is a few times the other, such as those of groups that double.
TEST_F(LemmasTest, HoldForMultiples) {
  Expr x = o.var("x"), y = o.var("y"), g = o.var("g"), b = o.var("b"), d = o.var("d");
  expectTrue({x % (g * power2(d)) == 0, x % (2 * (g * power2(d))) == g * power2(d), x % (g * power2(d + 1)) == y, y % (4 * b) == 1,
              y % (2 * b) == x, y % b == x, g * power2(d + 2) == b},
             40000);
}

TEST_F(LemmasTest, HoldForDigits) {
  Expr x = o.var("x"), w = o.var("v"), e = o.var("e"), n = o.var("n"), b = o.var("b");
  Expr digit = (x / w) % e, moved = x + w * n - w * digit; // x with the digit n instead of `digit`
  expectTrue({digit == n, (moved / w) % e == n, ((x + w) / w) % e == 1, moved % (w * e) == x % w, (x / b) % e == 0, o.p % (w * e) == 0},
             40000);
}

// Digits that are written as numbers, and with some of their bits changed; powers of 4 beside those of 2.
TEST_F(LemmasTest, HoldForSmallBases) {
  Expr x = o.var("x"), y = o.var("y"), j = o.var("j"), v = o.var("v"), d = o.var("d"), e = o.var("e"), w = o.w;
  auto power = [&](std::int64_t base, Expr exponent) { return Expr{&pool, pool.power(pool.integer(base), exponent.term)}; };
  auto times = [&](Expr a, Expr b) { return Expr{&pool, pool.multiply(a.term, b.term)}; };
  const Expr digit = (x / v) % 4, octal = (y / v) % 8;
  expectTrue({times(digit, v) == y, times(octal, w) == x, times(digit ^ j, v) == y, (digit ^ j) == (y % 4), ((x % 7) ^ j) == y}, 40000);
  expectTrue({power(4, d) == x, isPower2(y), power2(e) == y, power(4, d) <= power2(e), x % (4 * power(4, d)) == y, power(8, e) == v}, 40000);
}

// A carry leads to the next block of 2*w numbers.
TEST_F(LemmasTest, HoldForCarries) {
  Expr x = o.var("x"), w = o.w, d = o.var("d");
  expectTrue({x % (2 * w) == 2 * w - 1, (x + w) % (2 * w) == w - 1, (x - 2 * w) % (2 * w) == 0, (x + 3 * w) % w == 1}, 40000);
  expectTrue({x % power2(d + 1) == 1, (x + power2(d)) % power2(d + 1) == 2, (x - 3 * power2(d)) % power2(d) == 0}, 40000);
}

// Squares, rows of p div b ranks, and numbers in one row or in neighbouring ones.
TEST_F(LemmasTest, HoldForGrids) {
  Expr x = o.var("x"), y = o.var("y"), last = o.var("last"), b = o.var("b"), p = o.p;
  const Expr q = last + 1, rows = p / b, u = o.var("u");
  expectTrue({p == q * q, x % q == y, (x / q) * q == y, u == q * x + q * last, u % q == 0, p % q == 1}, 40000);
  expectTrue({x % q == y % q, (x + y) % q == 1, x / q == (x + y) / q + 1, x / b == y / b, u / b == 1}, 40000);
  expectTrue({p % b == 0, x % rows == y, (x / rows) * b == y, (x % rows) * b == u, (x * p + y) / rows == u, (x * p + y) % rows == u,
              x * b == u, (y * rows) * b == x, y * rows == u},
             40000);
}

TEST_F(LemmasTest, HoldForPowersOfAnyBase) {
  Expr r = o.var("r"), x = o.var("x"), y = o.var("y"), d = o.var("d"), e = o.var("e");
  auto power = [&](Expr base, Expr exponent) { return Expr{&pool, pool.power(base.term, exponent.term)}; };
  const Expr three{&pool, pool.integer(3)}, w = power(r, d);
  expectTrue({w <= power(r, e), power(r, d + 1) == x, x % (r * w) == y, y % w == 0, (x / w) % r == d, (x % (r * w)) / w == y}, 40000);
  const Expr v = o.var("v"), five{&pool, pool.integer(5)};
  expectTrue({v == power(three, d), x % (3 * v) == y, v % power(three, e) == 0, power(five, d) == x}, 40000);
  expectTrue({power(three, d) == x, power(three, d + 2) == y, power(three, e) % power(three, d) == 0, (x + r - 1) / r == y}, 40000);
}

// Quotients whose dividends differ by a multiple of the divisor.
TEST_F(LemmasTest, HoldForSumsOfPowers) {
  Expr r = o.var("r"), x = o.var("x"), m = o.var("m"), y = o.var("y"), d = o.var("d");
  auto power = [&](Expr base, Expr exponent) { return Expr{&pool, pool.power(base.term, exponent.term)}; };
  const Expr w = power(r, d);
  expectTrue({(power(r, d + 1) - 1) / (r - 1) == x, (w - 1) / (r - 1) == y, (r * r * w - r * w + x) / (r - 1) == y, x / (r - 1) == d}, 40000);
  expectTrue({(m * w + w - 1) / m == x, (w - 1) / m == y, (x * m + y * m + d) / m == y, d / m == 1, (power(m, d + 2) + x) / m == x, x / m == y}, 40000);
}

// The tests above evaluate lemmas by a table; the solver evaluates them one at a time.
TEST_F(LemmasTest, TablesEvaluateLikeSingleTerms) {
  for (const Question &question : o.all(0)) {
    std::vector<Term> terms = lemmasFor(pool, question.hypotheses);
    terms.insert(terms.end(), {question.goal, o.p / o.i, power2(o.l) ^ o.i, select(o.i < o.l, o.i % o.l, o.s)});
    TermTable table(terms);
    for (unsigned sample = 0; sample < 20; ++sample) {
      llvm::DenseMap<Term, std::int64_t> values;
      for (Term variable : variablesOf(terms))
        values[variable] = value(variable);
      auto valueOf = [&](Term variable) { return values.lookup(variable); };
      table.evaluate(valueOf);
      for (size_t i = 0; i < terms.size(); ++i)
        ASSERT_EQ(table[i], evaluate(terms[i], valueOf)) << text(terms[i]);
    }
  }
}

TEST_F(LemmasTest, AreBounded) {
  std::vector<Term> formulas;
  for (int i = 0; i < 40; ++i)
    for (int j = 0; j < 8; ++j)
      formulas.push_back(bit(o.var("x" + std::to_string(i)) + j, o.power("w" + std::to_string(j))));
  EXPECT_EQ(lemmasFor(pool, formulas).size(), quadrille::compiler::limits::lemmas.value());
}

TEST_F(LemmasTest, AreTheSameEveryTime) {
  auto texts = [](TermPool &pool) {
    std::vector<std::string> result;
    Obligations o{pool};
    for (const Question &question : o.all(0))
      for (Term lemma : lemmasFor(pool, question.hypotheses))
        result.push_back(text(lemma));
    return result;
  };
  TermPool other;
  other.variable("unrelated"); // nodes get other numbers and addresses
  EXPECT_EQ(texts(pool), texts(other));
}
} // namespace
