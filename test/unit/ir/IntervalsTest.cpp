//===- IntervalsTest.cpp - The interval of an operation has all its values in it -------------------------------------------===//

#include "arithmetic/Checked.h"
#include "arithmetic/IntervalMeaning.h"
#include "evaluate/Intervals.h"
#include "ir/Operations.h"

#include <gtest/gtest.h>

namespace quadrille::compiler {
namespace {

using arithmetic::Checked;
using arithmetic::Extended;
using arithmetic::Interval;
using ir::Op;

constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();

Checked valueOf(Op op, std::int64_t a, std::int64_t b) {
  switch (op) {
#define COST_UNARY(name, function, form, word, binding, result, operand, cpp)
#define COST_BINARY(name, function, form, word, binding, result, operands, cpp)
#define UNARY(name, function, form, word, binding, result, operand, cpp) \
  case Op::name:                                                         \
    return arithmetic::checked::function(a);
#define BINARY(name, function, form, word, binding, result, operands, cpp) \
  case Op::name:                                                           \
    return arithmetic::checked::function(a, b);
#include "ir/Operations.def"
  default:
    return arithmetic::Fault::Overflow;
  }
}

/// Of every operation that has a meaning for intervals.
void forEachOperation(llvm::function_ref<void(const ir::Operation &, const ir::Expr &)> use) {
  unsigned used = 0;
  for (const ir::Operation &operation : ir::operations()) {
    if (operation.isCostOnly() || operation.signature == ir::Signature::Own)
      continue;
    ir::Expr operand, expr;
    operand.op = Op::Variable;
    expr.op = operation.op;
    expr.operands.assign(operation.signature == ir::Signature::Unary ? 1 : 2, &operand);
    use(operation, expr);
    ++used;
  }
  EXPECT_GT(used, 30u);
}

std::string text(const Interval &x) {
  auto end = [](Extended number) { return number.word() ? std::to_string(*number.word()) : std::string(number < 0 ? "-..." : "..."); };
  return end(x.lo) + " .. " + end(x.hi);
}

/// All intervals between two of the ends, and all of the values in each.
void expectAllValues(llvm::ArrayRef<std::int64_t> ends, llvm::ArrayRef<std::int64_t> truths) {
  forEachOperation([&](const ir::Operation &operation, const ir::Expr &expr) {
    const llvm::ArrayRef<std::int64_t> numbers = operation.operands == ir::Type::Boolean ? truths : ends;
    const bool isUnary = operation.signature == ir::Signature::Unary;
    for (size_t i = 0; i < numbers.size(); ++i)
      for (size_t j = i; j < numbers.size(); ++j)
        for (size_t k = 0; k < (isUnary ? 1 : numbers.size()); ++k)
          for (size_t l = k; l < (isUnary ? 1 : numbers.size()); ++l) {
            const Interval a(numbers[i], numbers[j]), b(numbers[k], numbers[l]), said = intervalOf(expr, a, b);
            for (size_t x = i; x <= j; ++x)
              for (size_t y = k; y <= l; ++y)
                if (const Checked value = valueOf(operation.op, numbers[x], numbers[y]); value && !said.contains(arithmetic::point(value.value)))
                  ADD_FAILURE() << operation.name.str() << " of " << numbers[x] << ", " << numbers[y] << " is " << value.value
                                << ", not in " << text(said) << ", of " << text(a) << ", " << text(b);
          }
  });
}

TEST(Intervals, ContainAllValuesOfSmallNumbers) { expectAllValues({-5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5, 6, 7, 8}, {0, 1}); }

TEST(Intervals, ContainAllValuesOfLargeNumbers) {
  expectAllValues({-largest, -largest + 1, -(largest >> 1) - 1, -(std::int64_t(1) << 32), -1, 0, 2, 62, 63, (std::int64_t(1) << 32) - 1,
                   largest >> 1, largest - 1, largest},
                  {0, 1});
}

TEST(Intervals, AreExactForSumsAndProducts) {
  const Extended big = largest, square = big * big;
  EXPECT_TRUE(square.isFinite());
  EXPECT_EQ(floorDiv(square, big), big);
  EXPECT_EQ(floorDiv(square - 1, big), big - 1);
  EXPECT_EQ(floorDiv(-square - 1, big), -big - 1);
  EXPECT_EQ(floorRoot(square), big);
  EXPECT_EQ(floorRoot(square - 1), big - 1);
  EXPECT_EQ(floorLog2(big + 1), 63);
  EXPECT_EQ(floorLog2(big), 62);
  EXPECT_EQ(power2(Extended(125)) - 1 + 1, power2(Extended(125)));
  EXPECT_EQ(floorDiv(power2(Extended(125)), power2(Extended(62))), power2(Extended(63)));
}

TEST(Intervals, HaveInfiniteEndsWhereNumbersAreTooLarge) {
  const Extended infinity = Extended::infinity(), most = Extended::largest();
  EXPECT_EQ(most + 1, infinity);
  EXPECT_EQ(most * 2, infinity);
  EXPECT_EQ(most * -2, -infinity);
  EXPECT_EQ(power2(Extended(63)) * power2(Extended(63)), infinity);
  EXPECT_EQ(power2(Extended(63)) * power2(Extended(62)), power2(Extended(125)));
  EXPECT_EQ(arithmetic::power(3, 80), infinity);
  EXPECT_EQ(infinity * 0, 0);
  EXPECT_EQ(infinity - 1, infinity);
  EXPECT_EQ(floorDiv(-infinity, 2), -infinity);
  EXPECT_EQ(floorDiv(-5, infinity), -1);
  // From some number on, but nobody knows from which: less is claimed.
  const Interval beyond = arithmetic::intervals::power({2, 2}, {200, 300});
  EXPECT_EQ(beyond, Interval(most, infinity));
  EXPECT_EQ(arithmetic::intervals::subtract(beyond, {1, 1}).lo, most - 1);
}

} // namespace
} // namespace quadrille::compiler
