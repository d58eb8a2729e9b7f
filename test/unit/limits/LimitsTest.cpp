#include "limits/Limits.h"

#include <gtest/gtest.h>

#include <set>

using namespace quadrille::compiler;

namespace {

struct WithEffort {
  explicit WithEffort(std::uint64_t thousandths) { setEffort(thousandths); }
  ~WithEffort() { setEffort(defaultEffort); }
};

TEST(Limits, TableIsComplete) {
  std::set<llvm::StringRef> names;
  for (const LimitEntry &entry : allLimits()) {
    EXPECT_TRUE(names.insert(entry.name).second) << entry.name.str();
    EXPECT_GT(entry.value, 0u) << entry.name.str();
    EXPECT_FALSE(entry.bounds.empty()) << entry.name.str();
    EXPECT_FALSE(entry.why.empty()) << entry.name.str();
  }
}

TEST(Limits, ValueInForceIsThatOfTheTable) {
#define LIMIT(NAME, TYPE, VALUE, UNIT, OPTION, BOUNDS, WHY)                                                             \
  EXPECT_EQ(limits::NAME.value(), static_cast<TYPE>(VALUE));                                                           \
  EXPECT_EQ(limits::NAME.entry().name, #NAME);                                                                         \
  EXPECT_EQ(limits::NAME.entry().value, static_cast<std::uint64_t>(limits::NAME.value()));
#include "limits/Limits.def"
}

TEST(Limits, EffortMultipliesWhatItIsToMultiply) {
  const WithEffort twice(2000);
#define LIMIT(NAME, TYPE, VALUE, UNIT, OPTION, BOUNDS, WHY)                                                             \
  EXPECT_EQ(static_cast<std::uint64_t>(limits::NAME.value()),                                                          \
            (limits::NAME.entry().isScaled() ? 2 : 1) * static_cast<std::uint64_t>(VALUE)) << #NAME;
#include "limits/Limits.def"
}

TEST(Limits, EffortRoundsDownAndStaysWithinNumbers) {
  const WithEffort half(500);
  EXPECT_EQ((Limit<unsigned, true>(5, 0).value()), 2u);
  EXPECT_EQ((Limit<unsigned, true>(1, 0).value()), 1u);
  setEffort(1000000);
  EXPECT_EQ((Limit<unsigned, true>(4000000, 0).value()), 4000000000u);
  EXPECT_EQ((Limit<unsigned, true>(5000000, 0).value()), ~0u);
  EXPECT_EQ((Limit<std::uint64_t, true>(std::uint64_t(1) << 60, 0).value()), ~std::uint64_t(0));
  EXPECT_EQ((Limit<unsigned, false>(5, 0).value()), 5u);
}

TEST(Limits, Names) {
  EXPECT_EQ(LimitInForce(limits::callDepth).name(), "`callDepth`");
  EXPECT_EQ(LimitInForce(limits::caseSteps).name(), "`caseSteps`, --max-steps");
  EXPECT_EQ(limits::solverMemory.at(7).text(), "`solverMemory` = 7 MB (--memory)");
  EXPECT_EQ(LimitInForce(limits::fitSize).text(), "`fitSize` = 6");
  EXPECT_EQ(limitNamed("callDepth", 5), std::optional(limits::callDepth.at(5)));
  EXPECT_EQ(limitNamed("nothing", 5), std::nullopt);
}

} // namespace
