//===- TraceTest.cpp - What buffers contain at the heads of loops in small cases -------------------------------------------===//

#include "LibrarySchedules.h"

#include "prove/guess/Trace.h"

#include <algorithm>

using namespace quadrille::compiler;
using namespace quadrille::compiler::prove;
using quadrille::compiler::test::librarySchedule;

namespace {

struct Traced {
  explicit Traced(llvm::StringRef name) : schedule(librarySchedule(name)) {
    cases = traceCases(schedule);
    trace = traceLoops(schedule, cases);
  }
  /// The rows of a buffer at the loop over `variable`.
  const TraceRows &rows(llvm::StringRef variable, llvm::StringRef buffer) const {
    for (const LoopTrace &loop : trace.loops) {
      const ir::Schedule &in = loop.place.uses.empty() ? schedule : *loop.place.uses.back()->callee;
      if (in.variables[loop.place.loop->variable].name != variable)
        continue;
      for (const StorageTrace &storage : loop.storages)
        if ((storage.place.buffer ? storage.place.buffer->name : "heard") == buffer)
          return storage.rows;
    }
    throw std::runtime_error("no rows of " + buffer.str() + " at " + variable.str());
  }

  const ir::Schedule &schedule;
  std::vector<Case> cases;
  Trace trace;
};

std::int32_t mod(std::int32_t a, std::int32_t m) { return ((a % m) + m) % m; }

/// Calls `check(row)` for every row; expects at least `least` rows.
template <typename Check> void forEachRow(const TraceRows &rows, std::size_t least, Check check) {
  EXPECT_GE(rows.size(), least);
  for (std::size_t row = 0; row < rows.size(); ++row) {
    check(row);
    ASSERT_FALSE(testing::Test::HasFailure()) << "p = " << rows.p[row] << ", head " << rows.heads.back()[row] << ", rank "
                                              << rows.rank[row] << ", block " << rows.block[row];
  }
}

} // namespace

TEST(Trace, HeadsOfEveryKindOfLoop) {
  const ir::Schedule &schedule = librarySchedule(QUADRILLE_INPUTS "/loops.quad");
  Trace trace = traceLoops(schedule, {{2, {}}});
  std::vector<std::string> seen;
  for (const LoopTrace &loop : trace.loops) {
    std::string line = schedule.variables[loop.place.loop->variable].name + ":";
    ASSERT_LE(loop.storages.size(), 1u);
    if (loop.storages.empty()) {
      seen.push_back(line);
      continue;
    }
    const TraceRows &rows = loop.storages[0].rows;
    EXPECT_EQ(loop.storages[0].place.buffer->name, "y");
    EXPECT_EQ(rows.heads.size(), loop.loops.size());
    for (std::size_t row = 0; row < rows.size(); ++row)
      if (rows.rank[row] == 0 && rows.block[row] == 0) {
        line += " ";
        for (std::size_t i = 0; i < rows.heads.size(); ++i)
          line += (i ? "," : "") + std::to_string(rows.heads[i][row]);
      }
    seen.push_back(line);
  }
  EXPECT_EQ(seen, (std::vector<std::string>{"a: 2 4 6 8", "b: 3 9 27", "c: 6 5 4 3 2", "d: 8 4 2 1", "e: 5 3 2 1",
                                            "g: 1 2 3 5", "i: 4", "j: 2", "k: 0 1 2", "l: 0,0 1,0 1,1"}));
}

TEST(Trace, BlocksAndRanks) {
  Traced ring("allgather/ring");
  const TraceRows &rows = ring.rows("s", "y");
  forEachRow(rows, 4000, [&](std::size_t row) {
    EXPECT_EQ(rows.valid[row], mod(rows.rank[row] - rows.block[row], rows.p[row]) <= rows.heads[0][row]);
    EXPECT_EQ(rows.live[row], rows.valid[row]);
    if (!rows.valid[row])
      return;
    EXPECT_EQ(rows.lo[row], rows.block[row]);
    EXPECT_EQ(rows.length[row], 1);
    EXPECT_EQ(rows.members[row], std::uint64_t(1) << rows.block[row]);
  });
}

TEST(Trace, BlocksOfAnInput) {
  Traced bruck("alltoall/bruck");
  const TraceRows &rows = bruck.rows("d", "held");
  forEachRow(rows, 2000, [&](std::size_t row) {
    std::int32_t source = mod(rows.rank[row] - rows.block[row] % (1 << rows.heads[0][row]), rows.p[row]);
    EXPECT_TRUE(rows.valid[row]);
    EXPECT_EQ(rows.lo[row], source);
    EXPECT_EQ(rows.inputBlock[row], mod(source + rows.block[row], rows.p[row]));
  });
}

// `ranks from root`: if there is no operator, all ranks in rows are counted from the root.
TEST(Trace, RanksCountFromTheRoot) {
  Traced binomial("broadcast/binomial");
  const TraceRows &rows = binomial.rows("d", "y");
  bool someRoot = false;
  forEachRow(rows, 1000, [&](std::size_t row) {
    someRoot |= rows.numbers[0][row] > 0;
    EXPECT_EQ(rows.valid[row], rows.rank[row] % (1 << rows.heads[0][row]) == 0);
    EXPECT_EQ(rows.lo[row], 0);
    EXPECT_EQ(rows.members[row], rows.valid[row]);
  });
  EXPECT_TRUE(someRoot);
}

TEST(Trace, ProductsAndWhatIsStillRead) {
  Traced binomial("reduce/binomial");
  const TraceRows &rows = binomial.rows("w", "sum");
  std::size_t dead = 0;
  forEachRow(rows, 1000, [&](std::size_t row) {
    std::int32_t w = rows.heads[0][row], i = rows.rank[row];
    EXPECT_TRUE(rows.valid[row]);
    EXPECT_EQ(rows.live[row], i % w == 0);
    dead += !rows.live[row];
    if (!rows.live[row])
      return;
    EXPECT_EQ(rows.lo[row], i);
    EXPECT_EQ(rows.length[row], std::min(w, rows.p[row] - i));
  });
  EXPECT_GT(dead, 500u);
}

// A commutative operator's operands may be in any order, so cyclic intervals are found.
TEST(Trace, CyclicIntervals) {
  Traced ring(QUADRILLE_COLLECTING("reduce_scatter_ring"));
  const TraceRows &rows = ring.rows("s", "sum");
  forEachRow(rows, 4000, [&](std::size_t row) {
    std::int32_t p = rows.p[row], i = rows.rank[row];
    std::int32_t d = mod(rows.block[row] - i - 1, p);
    std::int32_t length = d < rows.heads[0][row] ? d + 1 : 1;
    EXPECT_FALSE(rows.compound[row]);
    EXPECT_EQ(rows.length[row], length);
    EXPECT_EQ(rows.lo[row], i);
  });
}

TEST(Trace, InputsAndPackets) {
  Traced copy(QUADRILLE_INPUTS "/contents.quad");
  const TraceRows &y = copy.rows("i", "y"), &t = copy.rows("i", "t");
  forEachRow(y, 500, [&](std::size_t row) {
    bool begins = y.heads[0][row] == 0;
    EXPECT_TRUE(y.valid[row]);
    EXPECT_EQ(y.input[row], begins ? 0 : 1);
    EXPECT_EQ(y.inputBlock[row], begins ? 0 : y.rank[row]);
    EXPECT_EQ(y.inputPacket[row], y.packet[row]);
    EXPECT_EQ(y.lo[row], y.rank[row]);
  });
  // The only packet of t is packet 2 of a block.
  forEachRow(t, 150, [&](std::size_t row) {
    EXPECT_EQ(t.packet[row], 0);
    EXPECT_EQ(t.inputPacket[row], 2);
  });
}

TEST(Trace, WhoHasHeard) {
  Traced barrier("barrier/dissemination");
  const TraceRows &rows = barrier.rows("w", "heard");
  forEachRow(rows, 2000, [&](std::size_t row) {
    EXPECT_EQ(rows.valid[row], mod(rows.rank[row] - rows.block[row], rows.p[row]) < rows.heads[0][row]);
  });
}

// The parameters of a used schedule are storages of its caller; its local buffers are storages of its own.
TEST(Trace, StoragesOfUsedSchedules) {
  Traced ring("allreduce/ring");
  ASSERT_EQ(ring.trace.loops.size(), 2u);
  const LoopTrace &scatter = ring.trace.loops[0], &gather = ring.trace.loops[1];
  ASSERT_EQ(scatter.place.uses.size(), 1u);
  ASSERT_EQ(scatter.storages.size(), 1u);
  EXPECT_EQ(scatter.storages[0].place.buffer->name, "sum");
  EXPECT_EQ(scatter.storages[0].place.uses, scatter.place.uses);
  ASSERT_EQ(gather.storages.size(), 1u);
  EXPECT_EQ(gather.storages[0].place.buffer, ring.schedule.outputs[0]);
  EXPECT_TRUE(gather.storages[0].place.uses.empty());
  // Packets of the caller's only block are blocks of the callee.
  const TraceRows &rows = gather.storages[0].rows;
  forEachRow(rows, 4000, [&](std::size_t row) {
    EXPECT_EQ(rows.block[row], 0);
    EXPECT_EQ(rows.valid[row], mod(rows.rank[row] - rows.packet[row], rows.p[row]) <= rows.heads[0][row]);
    if (rows.valid[row]) {
      EXPECT_EQ(rows.inputPacket[row], rows.packet[row]);
    }
  });
}

TEST(Trace, CasesMakeUpForWhatIsNotAdmitted) {
  auto ps = [](llvm::StringRef name) {
    std::vector<std::int64_t> result;
    for (const Case &c : traceCases(librarySchedule(name)))
      if (result.empty() || result.back() != c.p)
        result.push_back(c.p);
    return result;
  };
  EXPECT_EQ(ps("allgather/ring"), (std::vector<std::int64_t>{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}));
  EXPECT_EQ(ps("allreduce/hypercube"), (std::vector<std::int64_t>{1, 2, 4, 8, 16}));
}
