#include "report/MeasuredGantt.h"
#include "run/CallTrace.h"

#include <gtest/gtest.h>

using namespace quadrille::compiler;
using namespace quadrille::compiler::run;

namespace {

/// Rank 0 sends to rank 1: one call, with times in ns of the rank's clock, which is `offset` ahead.
RankTrace rankTrace(std::int64_t rank, std::int64_t offset, std::int64_t entered, std::int64_t ready, std::int64_t end) {
  RankTrace trace{offset + entered, offset + end, {}};
  OperationTimes about;
  about.kind = rank == 0 ? "send" : "receive";
  about.partner = 1 - rank;
  about.step = 1;
  about.bytes = 8;
  trace.operations.push_back({about, offset + ready, offset + ready, offset + end});
  return trace;
}

TEST(CallTrace, OneClockBeginsWithTheFirstRank) {
  const CallTrace trace = callTrace({{rankTrace(0, 1000, 100, 300, 500)}, {rankTrace(1, 1000, 0, 50, 600)}}, {"a", "a"});
  EXPECT_TRUE(trace.hasOneClock);
  EXPECT_DOUBLE_EQ(trace.seconds, 600e-9);
  ASSERT_EQ(trace.operations.size(), 2u);
  EXPECT_DOUBLE_EQ(trace.operations[0].ready, 300e-9);
  EXPECT_DOUBLE_EQ(trace.operations[1].ready, 50e-9);
}

TEST(CallTrace, OtherClocksBeginWithEachRank) {
  const CallTrace trace = callTrace({{rankTrace(0, 1000, 100, 300, 500)}, {rankTrace(1, 777000, 0, 50, 600)}}, {"a", "b"});
  EXPECT_FALSE(trace.hasOneClock);
  EXPECT_DOUBLE_EQ(trace.operations[0].ready, 200e-9);
  EXPECT_DOUBLE_EQ(trace.operations[1].ready, 50e-9);
}

TEST(CallTrace, TheMedianOfThoseThatAllRanksHave) {
  std::vector<std::vector<RankTrace>> calls(2);
  for (std::int64_t end : {900, 500, 700, 100}) { // rank 1 has no room for the last one
    calls[0].push_back(rankTrace(0, 0, 0, 10, end));
    if (end != 100)
      calls[1].push_back(rankTrace(1, 0, 0, 10, end));
  }
  const CallTrace trace = callTrace(calls, {"a", "a"});
  EXPECT_EQ(trace.calls, 3);
  EXPECT_EQ(trace.call, 2);
  EXPECT_DOUBLE_EQ(trace.seconds, 700e-9);
}

TEST(CallTrace, NobodyReports) {
  EXPECT_TRUE(callTrace({{}, {}}, {"", ""}).operations.empty());
  EXPECT_TRUE(callTrace({}, {}).operations.empty());
}

TEST(MeasuredGantt, WhoIsReadyFirstWaits) {
  MeasuredCase measured;
  measured.p = 2;
  measured.trace = callTrace({{rankTrace(0, 0, 0, 300, 500)}, {rankTrace(1, 0, 0, 50, 600)}}, {"a", "a"});
  const draw::Gantt gantt = measuredGantt(measured);
  ASSERT_EQ(gantt.bars.size(), 2u);
  EXPECT_DOUBLE_EQ(gantt.bars[0].begin, 300e-9);
  EXPECT_DOUBLE_EQ(gantt.bars[1].ready, 50e-9);
  EXPECT_DOUBLE_EQ(gantt.bars[1].begin, 300e-9);
  EXPECT_DOUBLE_EQ(gantt.bars[1].end, 600e-9);
  measured.trace->hasOneClock = false; // then nothing is known of the other
  EXPECT_DOUBLE_EQ(measuredGantt(measured).bars[1].begin, 50e-9);
}

} // namespace
