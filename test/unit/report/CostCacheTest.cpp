#include "cache/CostCache.h"

#include <gtest/gtest.h>

using namespace quadrille::compiler;
namespace json = llvm::json;

namespace {

CostSummary example() {
  CostSummary summary;
  summary.total = "(p - 1)*alpha + ?*beta";
  summary.isBound = true;
  summary.synchronous = {CostSummary::Part{"p - 1", Evidence::Reached, true, false}, {}, {"0", Evidence::Proved, false, true}};
  summary.asynchronous[1] = {"(p - 1)*n", Evidence::Fitted, false, false};
  summary.isSame = true;
  summary.ps = {1, 2, 4};
  summary.parameters = {1, 3, 8};
  summary.clausesBelow = 59;
  summary.clausesLimit = limits::clauseStretches.at(7);
  summary.clause = Evidence::Claimed;
  summary.heights = {{"inorder(0 ..< p, root)", {"ceil_log2(p)", Evidence::Fitted, true, false}}};
  summary.whyNotDerived = prove::Reason{prove::Gap::RecursiveFunction, "f", limits::costProofSteps};
  return summary;
}

TEST(CostCache, KeepsEverything) {
  for (const CostSummary &summary : {CostSummary(), example()}) {
    llvm::Expected<json::Value> read = json::parse(llvm::formatv("{0}", toJson(summary)).str());
    ASSERT_TRUE(static_cast<bool>(read));
    EXPECT_EQ(costSummaryFrom(*read), summary);
  }
}

TEST(CostCache, WhatIsForeignIsNothing) {
  const json::Object good = *toJson(example()).getAsObject();
  for (const auto &entry : good) {
    json::Object bad = good;
    bad.erase(entry.first);
    // What is optional is null where there is none of it.
    EXPECT_FALSE(costSummaryFrom(json::Value(std::move(bad)))) << entry.first.str();
  }
  auto with = [&](llvm::StringRef name, json::Value value) {
    json::Object other = good;
    other[name] = std::move(value);
    return costSummaryFrom(json::Value(std::move(other)));
  };
  EXPECT_TRUE(with("total", "1"));
  EXPECT_FALSE(with("format", 2));
  EXPECT_FALSE(with("total", 1));
  EXPECT_FALSE(with("clause", "believed"));
  EXPECT_FALSE(with("ps", json::Array{"one"}));
  EXPECT_FALSE(with("clausesLimit", json::Object{{"name", "nothing"}, {"value", 1}}));
  EXPECT_FALSE(with("synchronous", json::Array{}));
  EXPECT_FALSE(with("whyNotDerived", "for some reason"));
  EXPECT_FALSE(with("whyNotDerived", json::Object{{"gap", "NoSuchGap"}, {"subject", ""}, {"limit", nullptr}}));
  EXPECT_FALSE(with("whyNotDerived", json::Object{{"gap", "NoInvariant"}, {"subject", ""}}));
  EXPECT_FALSE(with("heights", json::Array{1}));
  EXPECT_FALSE(costSummaryFrom(json::Array{}));
}

} // namespace
