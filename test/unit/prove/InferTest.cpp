//===- InferTest.cpp - Formulas fitted to tables --------------------------------------------------------------------------===//

#include "LibrarySchedules.h"

#include "check/Check.h"
#include "prove/guess/Infer.h"

using namespace quadrille::compiler;
using namespace quadrille::compiler::prove;
using quadrille::compiler::test::librarySchedule;

namespace {

/// The variables of a loop's formulas: `me`, `j` (block), `packet`, `x`, and the numbers and loop variables by their names.
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

/// The value of a term in a row. Computed by TermValue, and not from the columns to which formulas are fitted.
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

/// Expects that a formula gives the content of a row.
void expectHolds(const ContentFormula &formula, bool cyclic, const TraceRows &rows, std::size_t row,
                 const TraceSymbols &symbols) {
  auto value = [&](Term term) { return valueIn(term, rows, row, symbols); };
  const bool claimed = value(formula.valid);
  if (!formula.live) {
    EXPECT_EQ(claimed, rows.valid[row] != 0);
  } else {
    EXPECT_TRUE(claimed || !(rows.valid[row] && rows.live[row]));
    EXPECT_TRUE(rows.valid[row] || !claimed);
  }
  if (!claimed || rows.length[row] == 0) // `heard` has no content
    return;
  EXPECT_EQ(value(formula.input), rows.input[row]);
  EXPECT_EQ(value(formula.block), rows.inputBlock[row]);
  EXPECT_EQ(value(formula.packet), rows.inputPacket[row]);
  if (!cyclic || rows.length[row] < rows.p[row]) { // a cyclic product of all ranks may begin with any rank
    EXPECT_EQ(value(formula.lo), rows.lo[row]);
  }
  EXPECT_EQ(value(formula.length), rows.length[row]);
}

/// Larger cases than those from which formulas are inferred.
std::vector<Case> largerCases(const ir::Schedule &schedule) {
  const std::vector<Case> inferredFrom = traceCases(schedule);
  std::vector<Case> result;
  TreeCache trees;
  for (std::int64_t p = inferredFrom.back().p + 1; p <= 20 || (result.empty() && p <= limits::traceMembers.value()); ++p) {
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
  const char *schedule; // its name, or a file
  unsigned loop; // its number, in the order of execution
  const char *buffer;
  bool live;
  const char *valid, *block, *lo, *length;
};

void PrintTo(const Expected &expected, std::ostream *out) { *out << expected.schedule << ", " << expected.buffer; }

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
  ASSERT_TRUE(formulas[0].lo) << "the products are taken for sets that are no intervals";
  EXPECT_EQ(text(formulas[0].lo), expected.lo);
  EXPECT_EQ(text(formulas[0].length), expected.length);
  const TraceRows &rows = larger.find(loop.place)->find(storage->place)->rows;
  EXPECT_GE(rows.size(), 100u);
  for (std::size_t row = 0; row < rows.size(); row += 3) {
    expectHolds(formulas[0], schedule.requiresCommutative, rows, row, symbols);
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
        Expected{QUADRILLE_COLLECTING("gather_binomial"), 0, "held", true, "j == me + j mod w", "0", "j", "1"},
        Expected{"reduce/binomial", 0, "sum", true, "me mod w == 0", "0", "me", "if p <= me + w then p - me else w"},
        Expected{QUADRILLE_COLLECTING("reduce_scatter_hypercube"), 0, "sum", true, "me mod w == j mod w", "j", "me - me mod w", "w"},
        Expected{QUADRILLE_COLLECTING("reduce_scatter_ring"), 0, "sum", false, "0 == 0", "j", "me",
                 "if p <= s + (me - j) mod p then p - (me - j) mod p else 1"},
        Expected{QUADRILLE_INPUTS "/backwards.quad", 0, "y", false, "0 == 0", "0", "(me - s + 1) mod p", "s"},
        Expected{"scan/hypercube", 0, "sum", false, "0 == 0", "0", "me - me mod (1 << d)", "1 << d"},
        Expected{"scan/hypercube", 0, "y", false, "0 == 0", "0", "me - me mod (1 << d)", "me mod (1 << d) + 1"},
        Expected{"scatter/binomial", 0, "held", true, "j == me + j mod (1 << d)", "(j + root) mod p", "0", "1"}));

namespace {

/// A table of numbers over variables of its own.
struct Numbers {
  explicit Numbers(std::initializer_list<const char *> names, bool arePositions = false) {
    for (const char *name : names)
      variables.push_back(pool.variable(name));
    columns.resize(variables.size());
    this->arePositions = arePositions;
  }
  void row(std::initializer_list<std::int32_t> values, std::int32_t wanted, bool masked = true) {
    std::size_t i = 0;
    for (std::int32_t value : values)
      columns[i++].push_back(value);
    target.push_back(wanted);
    truth.push_back(wanted != 0);
    mask.push_back(masked);
  }
  FeatureTable table() const {
    FeatureTable result;
    for (std::size_t i = 0; i < variables.size(); ++i)
      result.add(variables[i], columns[i], arePositions);
    result.atoms.moduli = moduli;
    result.atoms.granularities = granularities;
    return result;
  }
  std::string firstInteger(FitLimits limits = {}) { return first(Fitter(pool, kept = table(), limits).fitInteger(target, mask)); }
  std::string firstBoolean(FitLimits limits = {}) { return first(Fitter(pool, kept = table(), limits).fitBoolean(truth, mask)); }
  static std::string first(const std::vector<Term> &terms) { return terms.empty() ? "" : text(terms[0]); }

  TermPool pool;
  FeatureTable kept;
  std::vector<Term> variables, moduli, granularities;
  std::vector<std::vector<std::int32_t>> columns;
  std::vector<std::int32_t> target;
  std::vector<std::uint8_t> truth, mask;
  bool arePositions = false;
};

} // namespace

TEST(Fit, IntegersOfEveryForm) {
  auto fit = [](auto target) {
    Numbers numbers({"a", "b"});
    for (std::int32_t a = 0; a < 12; ++a)
      for (std::int32_t b = 0; b < 12; ++b)
        numbers.row({a, b}, target(a, b));
    return numbers.firstInteger();
  };
  EXPECT_EQ(fit([](auto a, auto) { return a; }), "a");
  EXPECT_EQ(fit([](auto, auto) { return 2; }), "2");
  EXPECT_EQ(fit([](auto a, auto b) { return a - b + 1; }), "a - b + 1");
  EXPECT_EQ(fit([](auto a, auto b) { return std::min(a, b); }), "if a <= b then a else b");
  EXPECT_EQ(fit([](auto a, auto b) { return 2 * a + 3 * b; }), "2*a + 3*b");
  EXPECT_EQ(fit([](auto a, auto b) { return a < b ? a : 2 * b; }), "if b <= a then 2*b else a");
  EXPECT_EQ(fit([](auto a, auto b) { return (a * 7 + b * 5) % 11; }), "");
}

TEST(Fit, ModuliAndGranularities) {
  Numbers numbers({"i", "j", "p", "w"}, true);
  numbers.moduli = {numbers.variables[2]};
  numbers.granularities = {numbers.variables[3]};
  for (std::int32_t p = 1; p < 10; ++p)
    for (std::int32_t w = 1; w < p; w *= 2)
      for (std::int32_t i = 0; i < p; ++i)
        for (std::int32_t j = 0; j < p; ++j)
          numbers.row({i, j, p, w}, (i - j % w + p) % p);
  EXPECT_EQ(numbers.firstInteger(), "(i - j mod w) mod p");
}

TEST(Fit, TruthValuesOfEveryForm) {
  auto fit = [](auto target) {
    Numbers numbers({"a", "b", "c"});
    for (std::int32_t a = 0; a < 7; ++a)
      for (std::int32_t b = 0; b < 7; ++b)
        for (std::int32_t c = 0; c < 7; ++c)
          numbers.row({a, b, c}, target(a, b, c));
    return numbers.firstBoolean();
  };
  EXPECT_EQ(fit([](auto, auto, auto) { return true; }), "0 == 0");
  EXPECT_EQ(fit([](auto, auto, auto) { return false; }), "0 == 1");
  EXPECT_EQ(fit([](auto a, auto b, auto) { return a < b; }), "a < b");
  EXPECT_EQ(fit([](auto a, auto b, auto) { return a >= b; }), "b <= a");
  EXPECT_EQ(fit([](auto a, auto b, auto c) { return a + b == c; }), "c == a + b");
  EXPECT_EQ(fit([](auto a, auto b, auto) { return a != b; }), "b != a");
  EXPECT_EQ(fit([](auto a, auto b, auto c) { return a <= b && b < c; }), "a <= b and b < c");
  EXPECT_EQ(fit([](auto a, auto b, auto c) { return a <= b || b < c; }), "a <= b or b < c");
  EXPECT_EQ(fit([](auto a, auto b, auto c) { return a * b * c % 3 == 1; }), "");
}

TEST(Fit, ConditionsOfTwoComparisons) {
  Numbers numbers({"a", "b", "c"});
  for (std::int32_t a = 0; a < 7; ++a)
    for (std::int32_t b = 0; b < 7; ++b)
      for (std::int32_t c = 0; c < 7; ++c)
        numbers.row({a, b, c}, a <= b && b < c ? 30 + a : 10);
  // The numbers 30 and 10 are not guessed: they are columns of the table.
  numbers.variables.push_back(numbers.pool.variable("d"));
  numbers.columns.emplace_back(numbers.target.size(), 10);
  numbers.variables.push_back(numbers.pool.variable("e"));
  numbers.columns.emplace_back(numbers.target.size(), 30);
  EXPECT_EQ(numbers.firstInteger(), "if c <= b or b < a then d else a + e");
}

// If `<=` and `<` are both right, `<=` is simpler.
TEST(Fit, ConstantsAreAsSimpleAsCanBe) {
  Numbers numbers({"a", "b"});
  for (std::int32_t a = 0; a < 12; ++a)
    for (std::int32_t b = 0; b < 12; ++b)
      numbers.row({a, b}, a <= b, std::abs(a - b) > 2);
  EXPECT_EQ(numbers.firstBoolean(), "a <= b");
}

TEST(Fit, RanksOfTwoKinds) {
  Numbers numbers({"i", "j", "p", "w"}, true);
  numbers.moduli = {numbers.variables[2]};
  numbers.granularities = {numbers.pool.integer(2)};
  for (std::int32_t p = 2; p < 12; p += 2)
    for (std::int32_t w = 1; w < p; w *= 2)
      for (std::int32_t i = 0; i < p; ++i)
        for (std::int32_t j = 0; j < p; ++j)
          numbers.row({i, j, p, w}, (i % 2 ? (i - j + p) % p : (j - i + p) % p) < w);
  EXPECT_EQ(numbers.firstBoolean(), "(j - i) mod p < w and i mod 2 != 1 or (i - j) mod p < w and i mod 2 == 1");
}

TEST(Fit, RowsThatTheMaskHidesDoNotCount) {
  Numbers numbers({"a"});
  for (std::int32_t a = 0; a < 50; ++a)
    numbers.row({a}, a % 7 == 3 ? -100 : a + 1, a % 7 != 3);
  EXPECT_EQ(numbers.firstInteger(), "a + 1");
  std::fill(numbers.mask.begin(), numbers.mask.end(), 1);
  EXPECT_EQ(numbers.firstInteger(), "");
}

// A sample of a few rows does not show that a and b differ. The rows where a formula is wrong are added to the sample.
TEST(Fit, WhatTheSampleMissesIsFound) {
  Numbers numbers({"a", "b"});
  for (std::int32_t a = 0; a < 3000; ++a)
    numbers.row({a, a == 1234 ? a + 5 : a}, a == 1234 ? a + 5 : a);
  FitLimits limits;
  limits.sampleRows = 20;
  EXPECT_EQ(numbers.firstInteger(limits), "b");
  limits.rounds = 1;
  EXPECT_EQ(numbers.firstInteger(limits), "");
}

TEST(Fit, NothingDependsOnChance) {
  auto all = [] {
    const ir::Schedule &schedule = librarySchedule("allgather/mesh");
    Trace trace = traceLoops(schedule, traceCases(schedule));
    std::string result;
    for (const LoopTrace &loop : trace.loops) {
      TermPool pool;
      TraceSymbols symbols = symbolsOf(schedule, loop, pool);
      for (const ContentFormula &formula :
           fitContent(pool, loop.storages[0].rows, symbols, atomsOf(schedule, loop, symbols, pool), false))
        result += text(formula.valid) + "; " + text(formula.lo) + "\n";
    }
    return result;
  };
  EXPECT_EQ(all(), all());
}

// Every second rank contributes: the formula is not an interval, but a condition on the rank.
TEST(Fit, ProductsThatAreNoIntervals) {
  const ir::Schedule &schedule = librarySchedule(QUADRILLE_COLLECTING("reduce_scatter_halving"));
  Trace trace = traceLoops(schedule, traceCases(schedule)), larger = traceLoops(schedule, largerCases(schedule));
  const LoopTrace &loop = trace.loops[0];
  TermPool pool;
  TraceSymbols symbols = symbolsOf(schedule, loop, pool);
  Atoms atoms = atomsOf(schedule, loop, symbols, pool);
  std::vector<ContentFormula> formulas = fitContent(pool, loop.storages[0].rows, symbols, atoms, true);
  ASSERT_FALSE(formulas.empty());
  ASSERT_TRUE(formulas[0].member);
  EXPECT_FALSE(formulas[0].lo);
  const TraceRows &rows = larger.loops[0].storages[0].rows;
  std::size_t products = 0;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    if (!valueIn(formulas[0].valid, rows, row, symbols))
      continue;
    products += rows.compound[row];
    for (std::int32_t x = 0; x < rows.p[row]; ++x) {
      TermPool::Substitution by;
      by[symbols.contributor.get()] = pool.integer(x);
      ASSERT_EQ(valueIn(pool.substitute(formulas[0].member, by), rows, row, symbols), rows.members[row] >> x & 1);
    }
  }
  EXPECT_GT(products, 100u);
}

// Different code computes columns and single values. The results are the same.
TEST(FeatureTable, ColumnsAgreeWithTheDefinitionOfTerms) {
  TermPool pool;
  Term a = pool.variable("a"), b = pool.variable("b"), one = pool.integer(1), positive = pool.add(b, one);
  FeatureTable table;
  std::vector<std::int32_t> as, bs;
  std::vector<std::uint32_t> all;
  for (std::int32_t x = -9; x <= 20; ++x)
    for (std::int32_t y = 0; y <= 9; ++y) {
      all.push_back(static_cast<std::uint32_t>(as.size()));
      as.push_back(x);
      bs.push_back(y);
    }
  table.add(a, as);
  table.add(b, bs);
  for (Term term :
       {pool.add(pool.scale(3, a), pool.integer(-4)), pool.multiply(a, b), pool.modulo(a, positive), pool.quotient(a, positive),
        pool.power2(b), pool.ceilLog2(positive), pool.floorLog2(positive), pool.bitXor(a, b), pool.bitAnd(a, b),
        pool.bitOr(a, b), pool.select(pool.less(a, b), a, pool.scale(2, b)), pool.truth(true), pool.truth(false),
        pool.lessEqual(a, b), pool.equal(a, b), pool.notEqual(a, b), pool.bit(a, positive), pool.isPower2(a),
        pool.both(pool.less(a, b), pool.isPower2(b)), pool.either(pool.less(a, b), pool.isPower2(b))}) {
    std::vector<std::int64_t> values;
    ASSERT_TRUE(table.evaluate(term, all, values)) << text(term);
    for (std::uint32_t row : all)
      EXPECT_EQ(values[row], evaluate(term, [&](Term v) -> std::int64_t { return v == a ? as[row] : bs[row]; })) << text(term);
  }
  // If a term has no value in one row, there is no column.
  std::vector<std::int64_t> values;
  EXPECT_FALSE(table.evaluate(pool.modulo(a, b), all, values));
  EXPECT_FALSE(table.evaluate(pool.ceilLog2(b), all, values));
  EXPECT_FALSE(table.evaluate(pool.power2(a), all, values));
  EXPECT_FALSE(table.evaluate(pool.variable("unknown"), all, values));
}

TEST(FeatureTable, WhatTheTextSuggests) {
  auto suggested = [](llvm::StringRef name, unsigned number) {
    const ir::Schedule &schedule = librarySchedule(name);
    Trace trace = traceLoops(schedule, traceCases(schedule));
    TermPool pool;
    TraceSymbols symbols = symbolsOf(schedule, trace.loops[number], pool);
    Atoms atoms = atomsOf(schedule, trace.loops[number], symbols, pool);
    std::string result;
    for (const std::vector<Term> *list : {&atoms.moduli, &atoms.granularities, &atoms.others, &atoms.conditions}) {
      for (Term term : *list)
        result += (term == list->front() ? "" : ", ") + text(term);
      result += "; ";
    }
    return result;
  };
  EXPECT_EQ(suggested("allgather/ring", 0), "p; ; ; ; ");
  EXPECT_EQ(suggested("allgather/mesh", 1), "p, b, p div b; b; me - me mod b, b*s; ; ");
  EXPECT_EQ(suggested("alltoall/bruck", 0), "p; 1 << d; ; ; ");
  EXPECT_EQ(suggested("barrier/dissemination", 0), "p; w; ; ; ");
  EXPECT_EQ(suggested("exscan/digits", 0), "p; 1 << d; ; ; ");
  EXPECT_EQ(suggested(QUADRILLE_COLLECTING("reduce_scatter_hypercube"), 0), "p; w; 2*w; ; ");
}
