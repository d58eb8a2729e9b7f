//===- InferTest.cpp - Formulas fitted to tables --------------------------------------------------------------------------===//

#include "LibrarySchedules.h"

#include "check/Check.h"
#include "prove/Infer.h"

using namespace quadrille;
using namespace quadrille::prove;
using quadrille::test::librarySchedule;

namespace {

/// The variables of a loop's formulas: `me`, `j` (block), `packet`, `x`, numbers and heads as the text calls them.
TraceSymbols symbolsOf(const ir::Schedule &schedule, const LoopTrace &loop, TermPool &pool) {
  TraceSymbols symbols{pool.variable("p"), pool.variable("me"), pool.variable("j"), pool.variable("packet"),
                       pool.variable("x"), {}, {}};
  for (unsigned i = 0; i < schedule.numberCount; ++i)
    symbols.numbers.push_back(pool.variable(schedule.variables[ir::Schedule::firstNumber + i].name));
  for (const LoopPlace &place : loop.loops) {
    const ir::Schedule &in = place.uses.empty() ? schedule : *place.uses.back()->callee;
    symbols.heads.push_back(pool.variable(in.variables[place.loop->variable].name));
  }
  return symbols;
}

/// The value of a term in a row, by the definition of terms and not by the columns that formulas are fitted with.
std::int64_t valueIn(Term term, const TraceRows &rows, std::size_t row, const TraceSymbols &symbols) {
  auto valueOf = [&](Term variable) -> std::int64_t {
    for (auto [symbol, column] : {std::pair(symbols.p, &rows.p), std::pair(symbols.me, &rows.rank),
                                  std::pair(symbols.block, &rows.block), std::pair(symbols.packet, &rows.packet)})
      if (variable == symbol)
        return (*column)[row];
    for (std::size_t i = 0; i < symbols.numbers.size(); ++i)
      if (variable == symbols.numbers[i])
        return rows.numbers[i][row];
    for (std::size_t i = 0; i < symbols.heads.size(); ++i)
      if (variable == symbols.heads[i])
        return rows.heads[i][row];
    ADD_FAILURE() << "unknown variable " << variable->name;
    return 0;
  };
  std::optional<std::int64_t> value = evaluate(term, valueOf);
  EXPECT_TRUE(value) << text(term);
  return value.value_or(-1);
}

/// Does a formula tell what a row holds?
void expectHolds(const ContentFormula &formula, const TraceRows &rows, std::size_t row, const TraceSymbols &symbols) {
  auto value = [&](Term term) { return valueIn(term, rows, row, symbols); };
  const bool claimed = value(formula.valid);
  if (!formula.live) {
    EXPECT_EQ(claimed, rows.valid[row] != 0);
  } else {
    EXPECT_TRUE(claimed || !(rows.valid[row] && rows.live[row]));
    EXPECT_TRUE(rows.valid[row] || !claimed);
  }
  if (!claimed || rows.length[row] == 0) // who has heard of whom has no more to it
    return;
  EXPECT_EQ(value(formula.input), rows.input[row]);
  EXPECT_EQ(value(formula.block), rows.inputBlock[row]);
  EXPECT_EQ(value(formula.packet), rows.inputPacket[row]);
  EXPECT_EQ(value(formula.lo), rows.lo[row]);
  EXPECT_EQ(value(formula.length), rows.length[row]);
}

/// Cases beyond those that formulas are inferred from.
std::vector<Case> largerCases(const ir::Schedule &schedule) {
  const std::vector<Case> inferredFrom = traceCases(schedule);
  std::vector<Case> result;
  TreeCache trees;
  for (std::int64_t p = inferredFrom.back().p + 1; p <= 20 || (result.empty() && p <= maxTraceRanks); ++p) {
    std::vector<Case> cases = {{p, {}}};
    for (unsigned i = 0; i < schedule.numberCount; ++i) {
      std::vector<Case> more;
      for (const Case &c : cases)
        for (std::int64_t value : i < schedule.parameterCount ? std::vector<std::int64_t>{2, 3, 4, 5, 6, 7}
                                                              : std::vector<std::int64_t>{0, 2, p - 1}) {
          more.push_back(c);
          more.back().numbers.push_back(value);
        }
      cases = std::move(more);
    }
    for (const Case &c : cases)
      if (admits(schedule, c, trees))
        result.push_back(c);
  }
  return result;
}

struct Expected {
  const char *schedule;
  unsigned loop; // in the order in which they are reached
  const char *buffer;
  bool live;
  const char *valid, *block, *lo, *length;
};

class InferSchedules : public testing::TestWithParam<Expected> {};

} // namespace

TEST_P(InferSchedules, FormulasHoldForLargerCases) {
  const Expected &expected = GetParam();
  const ir::Schedule &schedule = librarySchedule(expected.schedule);
  Trace trace = traceLoops(schedule, traceCases(schedule)), larger = traceLoops(schedule, largerCases(schedule));
  ASSERT_LT(expected.loop, trace.loops.size());
  const LoopTrace &loop = trace.loops[expected.loop];
  auto storage = llvm::find_if(loop.storages, [&](const StorageTrace &s) {
    return (s.place.buffer ? s.place.buffer->name : "heard") == expected.buffer;
  });
  ASSERT_NE(storage, loop.storages.end());
  TermPool pool;
  const TraceSymbols symbols = symbolsOf(schedule, loop, pool);
  std::vector<ContentFormula> formulas =
      fitContent(pool, storage->rows, symbols, atomsOf(schedule, loop, symbols, pool), schedule.requiresCommutative);
  ASSERT_FALSE(formulas.empty());
  EXPECT_EQ(formulas[0].live, expected.live);
  EXPECT_EQ(text(formulas[0].valid), expected.valid);
  EXPECT_EQ(text(formulas[0].block), expected.block);
  EXPECT_EQ(text(formulas[0].lo), expected.lo);
  EXPECT_EQ(text(formulas[0].length), expected.length);
  const TraceRows &rows = larger.find(loop.place)->find(storage->place)->rows;
  EXPECT_GE(rows.size(), 100u);
  for (std::size_t row = 0; row < rows.size(); row += 3) {
    expectHolds(formulas[0], rows, row, symbols);
    ASSERT_FALSE(HasFailure()) << "p = " << rows.p[row] << ", head " << rows.heads.back()[row] << ", rank "
                               << rows.rank[row] << ", block " << rows.block[row];
  }
}

INSTANTIATE_TEST_SUITE_P(
    Library, InferSchedules,
    testing::Values(
        Expected{"allgather/ring", 0, "y", false, "(me - j) mod p <= s", "0", "j", "1"},
        Expected{"allgather/bruck", 0, "y", false, "(j - me) mod p < w", "0", "j", "1"},
        Expected{"allgather/mesh", 0, "y", false, "j + me mod b == me + j mod b and (me mod b - j mod b) mod b <= s", "0",
                 "j", "1"},
        Expected{"allgather/mesh", 1, "y", false, "(me + j mod b - j - me mod b) mod p <= b*s", "0", "j", "1"},
        Expected{"allgather/linear_array", 0, "y", false, "me <= j + s and j <= me + s", "0", "j", "1"},
        Expected{"allreduce/hypercube", 0, "y", false, "0 == 0", "0", "me - me mod (1 << d)", "1 << d"},
        Expected{"alltoall/bruck", 0, "held", false, "0 == 0", "(me + j - j mod (1 << d)) mod p",
                 "(me - j mod (1 << d)) mod p", "1"},
        Expected{"alltoall/bruck", 1, "y", false, "(me - j) mod p < l", "me", "j", "1"},
        Expected{"alltoall/hypercube", 0, "y", false, "0 == 0", "me + j mod (1 << d) - me mod (1 << d)",
                 "j + me mod (1 << d) - j mod (1 << d)", "1"},
        Expected{"barrier/dissemination", 0, "heard", false, "(me - j) mod p < w", "0", "0", "0"},
        Expected{"barrier/binomial", 0, "heard", true, "j == me + j mod (1 << d)", "0", "0", "0"},
        Expected{"barrier/binomial", 1, "heard", true, "me mod (1 << d) == 0", "0", "0", "0"},
        Expected{"broadcast/binomial", 0, "y", false, "me mod (1 << d) == 0", "0", "0", "1"},
        Expected{"broadcast/pipelined_path", 0, "y", false, "me + packet <= s or me <= 0", "0", "0", "1"},
        Expected{"gather/binomial", 0, "held", true, "j == me + j mod w", "0", "j", "1"},
        Expected{"reduce/binomial", 0, "sum", true, "me mod w == 0", "0", "me", "if p <= me + w then p - me else w"},
        Expected{"reduce_scatter/hypercube", 0, "sum", true, "me mod w == j mod w", "j", "me - me mod w", "w"},
        Expected{"reduce_scatter/ring", 0, "sum", false, "0 == 0", "j", "me",
                 "if p <= s + (me - j) mod p then p - (me - j) mod p else 1"},
        Expected{"scan/hypercube", 0, "sum", false, "0 == 0", "0", "me - me mod (1 << d)", "1 << d"},
        Expected{"scan/hypercube", 0, "y", false, "0 == 0", "0", "me - me mod (1 << d)", "me mod (1 << d) + 1"},
        Expected{"scatter/binomial", 0, "held", true, "j == me + j mod (1 << d)", "(j + root) mod p", "0", "1"}));
