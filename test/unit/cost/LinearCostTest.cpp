//===- LinearCostTest.cpp - Clauses for many lengths at once -----------------------------------------------------------------===//
//
// The value of a clause for a stretch of lengths is compared with its value for single lengths.
//
//===----------------------------------------------------------------------------------------------------------------------===//

#include "cost/CostByScale.h"
#include "cost/LinearCost.h"

#include "instantiate/Machine.h"
#include "parse/Parser.h"
#include "sema/Sema.h"
#include "source/Sources.h"

#include "llvm/Support/raw_ostream.h"

#include <gtest/gtest.h>

#include <random>

namespace quadrille::compiler {
namespace {

class LinearCostTest : public testing::Test {
protected:
  /// The factor of beta in a clause, which may call twice(m), bits(m) and rankOf(m).
  const ir::Expr &clause(const std::string &text) {
    const unsigned buffer = sources.add("collective nothing(x: block) -> (y: block) { ensures y@i == x@i }\n"
                                        "fn twice(m) = 2*m\n"
                                        "fn bits(m) = if m <= 0 then 0 else bits(m div 2) + m mod 2\n"
                                        "fn rankOf(m) = if m > 40 then none else m\n"
                                        "schedule s for nothing(x) -> y { cost beta*(" + text + ")  y := x }",
                                        "test.quad");
    const std::optional<ast::File> file = parse(sources, buffer, diagnostics);
    FileScope &scope = scopes.emplace_back();
    std::vector<const ir::Schedule *> added;
    auto resolver = [](llvm::StringRef, llvm::StringRef) { return UsedSchedule{}; };
    if (!file || !analyze(*file, "test.quad", scope, program, sources, diagnostics, resolver, added) || added.size() != 1)
      throw std::runtime_error("no clause: " + text);
    schedule = added[0];
    return *schedule->cost->formula;
  }

  Frame frame() { return clauseFrame(*schedule, {5, {}}, trees); }

  /// The value for blocks of n elements; nothing if it is too large where it is computed alone.
  std::optional<std::string> at(const ir::Expr &formula, std::int64_t n) {
    try {
      return evaluateClause(formula, frame(), Lengths(n)).text(false);
    } catch (const EvaluationError &error) {
      return error.id() == diag::Id::Overflow ? std::nullopt : std::optional<std::string>("no value");
    }
  }

  struct Swept {
    unsigned stretches = 0, compared = 0;
    std::int64_t below = 0; // the value is known for all n below this one
    bool isComplete = false;
  };

  /// Evaluates stretches from `rest` on in steps of `width`, and compares them with the values at some of their lengths.
  Swept sweep(const ir::Expr &formula, std::int64_t rest, std::int64_t width, unsigned most, std::mt19937_64 &random) {
    const Lengths one(1);
    const GrowingLengths lengths{one, rest, width, width}; // no wider steps allowed
    Swept result;
    for (std::int64_t step = 0; step <= lengths.lastStep() && result.stretches < most; ++result.stretches) {
      result.below = lengths.scale(step);
      CostStretch stretch;
      try {
        stretch = evaluateClause(formula, frame(), lengths, step, operations);
      } catch (const EvaluationError &) {
        ++step; // no value, neither for one step nor for more
        continue;
      }
      EXPECT_LE(step, stretch.last);
      EXPECT_LE(stretch.last, lengths.lastStep());
      const std::uint64_t size = static_cast<std::uint64_t>(stretch.last - step) + 1;
      auto someBelow = [&](std::uint64_t most) { return static_cast<std::int64_t>(random() % std::min(size, most)); };
      for (std::int64_t inside : {step, stretch.last, step + someBelow(size), step + someBelow(1000)}) {
        const std::int64_t n = lengths.scale(inside);
        if (const std::optional<std::string> alone = at(formula, n)) {
          EXPECT_EQ(stretch.cost.text(false, inside), *alone) << "n = " << n;
          ++result.compared;
        }
      }
      if (stretch.last == lengths.lastStep()) {
        result.isComplete = true;
        break;
      }
      step = stretch.last + 1;
    }
    return result;
  }

  Sources sources;
  Diagnostics diagnostics{sources, llvm::errs(), DiagnosticsFormat::Text, /*colour=*/false};
  std::deque<FileScope> scopes;
  ir::Program program;
  TreeCache trees;
  const ir::Schedule *schedule = nullptr;
  std::uint64_t operations = 0;
};

TEST_F(LinearCostTest, Stretches) {
  std::mt19937_64 random(7);
  // The number of stretches that cover all lengths, in steps of `width`.
  auto stretches = [&](const std::string &text, std::int64_t width = 1) {
    const ir::Expr &formula = clause(text);
    unsigned most = 0;
    for (std::int64_t rest = 0; rest < width; ++rest) {
      const Swept swept = sweep(formula, rest, width, 1000, random);
      EXPECT_TRUE(swept.isComplete) << text << ", for n < " << swept.below;
      most = std::max(most, swept.stretches + (swept.stretches < 1000));
    }
    return most;
  };
  EXPECT_EQ(stretches("n"), 1u);
  EXPECT_EQ(stretches("n*n*n - 7*n"), 1u);
  EXPECT_EQ(stretches("max(n, 1)"), 2u);
  EXPECT_EQ(stretches("min(n, 1 << 40)"), 2u);
  EXPECT_EQ(stretches("if n == 12345 then 1 else n"), 3u);
  EXPECT_EQ(stretches("if n*n > 17 and n < 1000 then 1 else n"), 3u);
  EXPECT_EQ(stretches("ceil(n/7)", 7), 1u);
  EXPECT_EQ(stretches("(n mod 6) div 4 + n div 3", 6), 1u);
  EXPECT_EQ(stretches("n xor 5", 8), 1u);
  EXPECT_EQ(stretches("(n | 6) + (n & -4) + bit(n, 1)", 8), 1u);
  EXPECT_EQ(stretches("n div (1 << 58)"), 16u);
  EXPECT_EQ(stretches("bit(n, 60) + n*(n >> 60)"), 4u);
  EXPECT_EQ(stretches("ceil_log2(n + 1)"), 63u);
  EXPECT_EQ(stretches("if pow2(n) then 1 else 0"), 124u);
  EXPECT_EQ(stretches("n div max(n, 1)"), 2u);
  EXPECT_EQ(stretches("ceil(12/(n + 1))"), 6u); // 12, 6, 4, 3, 2, 1
  EXPECT_EQ(stretches("abs(n - 10)"), 2u);
  EXPECT_EQ(stretches("twice(n) + twice(3)"), 1u);
  EXPECT_EQ(stretches("if rankOf(n) == none then 1 else 0"), 2u);
  // From 0, 1, 2, and from where 4*n, 3*n, 2*n and n are no longer below 100.
  EXPECT_EQ(stretches("max(j*n for j in 0 ..< 5 if j*n < 100) + sum(min(n, j) for j in 0 ..< 3)"), 7u);
}

TEST_F(LinearCostTest, WiderSteps) {
  auto factor = [&](const std::string &text, std::int64_t width) {
    const ir::Expr &formula = clause(text);
    const Lengths one(1);
    try {
      evaluateClause(formula, frame(), GrowingLengths{one, 0, width, 100}, 0, operations);
    } catch (const WiderSteps &wider) {
      return wider.factor;
    }
    return std::int64_t(1);
  };
  EXPECT_EQ(factor("ceil(n/7)", 1), 7);
  EXPECT_EQ(factor("ceil(n/7)", 14), 1);
  EXPECT_EQ(factor("n div 6", 4), 3);
  EXPECT_EQ(factor("n*(n - 1)/2", 1), 1); // the ratio need not be an integer
  EXPECT_EQ(factor("(n*(n - 1)/2) mod 3", 1), 2);
  EXPECT_EQ(factor("n div 101", 1), 1); // too wide
}

TEST_F(LinearCostTest, RandomClauses) {
  std::mt19937_64 random(20);
  auto upTo = [&](unsigned most) { return static_cast<unsigned>(random() % (most + 1)); };
  auto make = [&](auto &self, unsigned depth) -> std::string {
    if (depth == 0 || upTo(6) == 0) {
      const std::string leaves[] = {"n", "n", "n", "p", std::to_string(upTo(9)), std::to_string(upTo(2000)), "(1 << 33)"};
      return leaves[upTo(6)];
    }
    auto part = [&] { return "(" + self(self, depth - 1) + ")"; };
    const std::string a = part(), b = part(), small = std::to_string(1 + upTo(8)), j = "j" + std::to_string(depth);
    const std::string made[] = {a + " + " + b,
                                a + " - " + b,
                                a + " * " + b,
                                a + " div " + small,
                                a + " mod " + small,
                                a + " div " + b,
                                a + " mod " + b,
                                "ceil(" + a + "/" + small + ")",
                                "floor(" + a + "/" + b + ")",
                                "max(" + a + ", " + b + ")",
                                "min(" + a + ", " + b + ")",
                                "abs(" + a + ")",
                                "if " + a + " < " + b + " then " + part() + " else " + part(),
                                "if " + a + " == " + b + " or even(" + a + ") then " + part() + " else " + part(),
                                a + " xor " + small,
                                a + " & " + b,
                                a + " | -" + small,
                                "bit(" + a + ", " + small + ")",
                                a + " >> " + small,
                                "ceil_log2(" + a + ")",
                                "floor_log2(abs(" + a + ") + 1)",
                                "if pow2(" + a + ") then " + b + " else " + part(),
                                "twice(" + a + ")",
                                "bits(" + a + ")",
                                "max(" + a + " - " + j + "*" + small + " for " + j + " in 0 ..< 3 if odd(" + j + ") or " + j + " < " + b + ")",
                                a + " ** " + std::to_string(upTo(3))};
    return made[upTo(std::size(made) - 1)];
  };
  unsigned compared = 0;
  for (int round = 0; round < 150; ++round) {
    const std::string text = make(make, 3);
    SCOPED_TRACE(text);
    const ir::Expr &formula = clause(text);
    for (std::int64_t width : {1, 2, 12})
      compared += sweep(formula, upTo(static_cast<unsigned>(width) - 1), width, 20, random).compared;
    if (HasFailure())
      break;
  }
  EXPECT_GT(compared, 8000u);
}

// ---- costs of packets ----------------------------------------------------------------------------------------------------

/// Random rounds of messages, each of some packets of a block. A round costs its longest message.
TEST(CostByScale, GoesOnAsTheCostDoes) {
  std::mt19937 random(3);
  auto upTo = [&](unsigned most) { return static_cast<std::uint32_t>(random() % (most + 1)); };
  unsigned known = 0, notKnown = 0;
  for (int round = 0; round < 50; ++round) {
    Granularity granularity{{1 + upTo(4), 1 + upTo(2)}};
    const std::uint32_t unit = granularity.unit();
    std::vector<std::vector<std::vector<std::uint32_t>>> rounds(1 + upTo(3));
    for (auto &messages : rounds) {
      messages.resize(1 + upTo(3));
      for (auto &message : messages)
        for (std::uint32_t count = upTo(2 * unit); message.size() < count;)
          message.push_back(upTo(unit - 1));
    }
    auto cost = [&](std::int64_t n) {
      Cost result{static_cast<std::int64_t>(rounds.size()), 0, 0};
      for (const auto &messages : rounds) {
        std::int64_t longest = 0;
        for (const auto &message : messages) {
          std::int64_t words = 0;
          for (std::uint32_t slot : message)
            words += granularity.length(n, slot);
          longest = std::max(longest, words);
        }
        (&messages == &rounds.front() ? result.c : result.b) += longest;
      }
      return result;
    };
    // This many turns determine the cost in all cases.
    const std::int64_t most = 2 * unit + 2;
    for (std::int64_t turns : {std::int64_t(2), most}) {
      std::vector<Cost> measured;
      for (std::int64_t n = 0; n < turns * unit; ++n)
        measured.push_back(cost(n));
      const CostByScale byScale(unit, measured);
      const Lengths one(1);
      for (std::int64_t n = 0; n < 5 * unit; ++n)
        for (bool withWork : {false, true}) {
          const GrowingLengths from{one, n % unit, unit};
          const std::int64_t step = n / unit;
          const std::optional<CostStretch> stretch = byScale.at(from, step, withWork);
          ++(stretch ? known : notKnown);
          EXPECT_TRUE(stretch || (n >= turns * unit && turns < most)) << n;
          if (!stretch)
            continue;
          for (std::int64_t later : {step, std::min(step + 1, stretch->last), std::min(step + 40, stretch->last)})
            EXPECT_EQ(stretch->cost.text(withWork, later), LinearCost::of(cost(from.scale(later))).text(withWork));
        }
    }
  }
  EXPECT_GT(known, 2 * notKnown);
  EXPECT_GT(notKnown, 0u);
}

} // namespace
} // namespace quadrille::compiler
