//===- CostClause.cpp - Whether the author's clause says what the rounds cost ---------------------------------------------===//

#include "Aggregates.h"

#include "ir/Walk.h"
#include "prove/execution/Execution.h"
#include "prove/terms/Factors.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/SaveAndRestore.h"

#include <array>

namespace quadrille::compiler::prove {

namespace {
/// A claimed cost: the coefficients of 1, alpha, beta*n, beta*ceil(n/k), beta, n, ceil(n/k), and of gamma as of beta, over a common
/// denominator.
struct ClaimedCost {
  Term one, alpha, betaBlocks, betaPackets, betaOnly, blocks, packets, gammaBlocks, gammaPackets, gammaOnly;
  std::int64_t denominator = 1;

  explicit ClaimedCost(Term zero) {
    for (Term *part : parts())
      *part = zero;
  }

  std::array<Term *, 10> parts() {
    return {&one, &alpha, &betaBlocks, &betaPackets, &betaOnly, &blocks, &packets, &gammaBlocks, &gammaPackets, &gammaOnly};
  }
  bool isNumber(Term zero) const {
    return llvm::all_of(std::array{alpha, betaBlocks, betaPackets, betaOnly, blocks, packets, gammaBlocks, gammaPackets, gammaOnly},
                        [&](Term part) { return part == zero; });
  }
};

NotModelled notModelled(const ir::Expr &expr, Gap gap) { return {gap, expr.range}; }
} // namespace

/// Whether an expression is the largest entry of the schedule's only table: max(len[j] for j in 0 ..< p), or the same of two indices.
static bool isLargestEntry(const ir::Expr &expr, const ir::Schedule &schedule) {
  using ir::Op;
  const auto isP = [](const ir::Expr &of) { return of.op == Op::Variable && of.variable == ir::Schedule::variableP; };
  llvm::SmallVector<unsigned, 2> bound;
  const ir::Expr *part = &expr;
  for (; part->op == Op::MaximumOver; part = part->operands[2]) {
    if (part->operands.size() != 3 || part->operands[0]->op != Op::Constant || part->operands[0]->value != 0 || !isP(*part->operands[1]))
      return false;
    bound.push_back(part->variable);
  }
  if (part->op != Op::Element || schedule.tables.size() != 1 || part->operands.size() != bound.size() ||
      !llvm::all_of(schedule.tables[0].extents, [&](const ir::Expr *extent) { return isP(*extent); }))
    return false;
  return llvm::all_of(bound, [&](unsigned variable) {
    return llvm::any_of(part->operands, [&](const ir::Expr *index) { return index->op == Op::Variable && index->variable == variable; });
  });
}

/// Whether the cost is claimed to be at most what it would be if all blocks were as long as the longest: then blocks count as in a collective in
/// which all have the same length, since no message gets longer if a block does not.
bool Execution::boundsByLargest() const {
  if (alone || !schedule.cost || !schedule.cost->upperBound || !ir::mentions(*schedule.cost->formula, ir::Op::Element))
    return false;
  const std::function<bool(const ir::Expr &)> mentionsOther = [&](const ir::Expr &part) {
    return part.op == ir::Op::Element ||
           (!isLargestEntry(part, schedule) && llvm::any_of(part.operands, [&](const ir::Expr *operand) { return mentionsOther(*operand); }));
  };
  return !mentionsOther(*schedule.cost->formula);
}

class Execution::ClauseReader {
public:
  ClauseReader(Execution &execution, Frame &frame)
      : execution(execution), pool(execution.pool), frame(frame), zero(pool.integer(0)), one(pool.integer(1)),
        always(pool.truth(true)) {}

  /// Throws NotModelled.
  ClaimedCost read(const ir::Expr &expr) {
    using ir::Op;
    switch (expr.op) {
    case Op::Alpha:
      return unit(&ClaimedCost::alpha);
    case Op::Beta:
      return unit(&ClaimedCost::betaOnly);
    case Op::Gamma:
      return unit(&ClaimedCost::gammaOnly);
    case Op::Length:
      return unit(&ClaimedCost::blocks);
    case Op::Add:
    case Op::Subtract:
      return sum(expr);
    case Op::Multiply:
      return product(expr);
    case Op::Ratio:
      return ratio(expr);
    case Op::Ceiling:
      return ceiling(expr);
    case Op::Floor:
      if (std::optional<ClaimedCost> numbers = roundedRatio(expr, /*isUp=*/false))
        return *numbers;
      throw notModelled(expr, Gap::RoundedRatio);
    case Op::Element: {
      llvm::SmallVector<Term, 2> indices;
      const ir::Table &table = frame.schedule.tables[expr.variable];
      for (auto [index, extent] : llvm::zip(expr.operands, table.extents)) {
        indices.push_back(execution.termOf(*index, frame, always));
        execution.require(Claim::Cost, "an entry of the table is there", index->range, always,
                          pool.inRange(zero, indices.back(), execution.termOf(*extent, frame, always)));
      }
      return number(pool.apply("table" + std::to_string(expr.variable), indices));
    }
    case Op::SumOver:
    case Op::MaximumOver:
      return over(expr);
    case Op::Select:
      if (ir::anyPart(expr, [](const ir::Expr &part) { return ir::isCostOnly(part.op); }))
        return choice(expr);
      return number(execution.termOf(expr, frame, always));
    default:
      return number(execution.termOf(expr, frame, always));
    }
  }

private:
  ClaimedCost number(Term value) const {
    ClaimedCost result(zero);
    result.one = value;
    return result;
  }

  ClaimedCost unit(Term ClaimedCost::*part) const {
    ClaimedCost result(zero);
    result.*part = one;
    return result;
  }

  ClaimedCost scaled(ClaimedCost c, Term factor) const {
    for (Term *part : c.parts())
      *part = pool.multiply(*part, factor);
    return c;
  }

  /// What `join` makes of the coefficients of both, over a common denominator.
  ClaimedCost joined(const ClaimedCost &a, const ClaimedCost &b, llvm::function_ref<Term(Term, Term)> join) const {
    ClaimedCost result = scaled(a, pool.integer(b.denominator)), other = scaled(b, pool.integer(a.denominator));
    for (auto [x, y] : llvm::zip(result.parts(), other.parts()))
      *x = join(*x, *y);
    result.denominator = exactProduct(a.denominator, b.denominator);
    return result;
  }

  ClaimedCost sum(const ir::Expr &expr) {
    ClaimedCost a = read(*expr.operands[0]), b = read(*expr.operands[1]);
    return joined(a, b, [&](Term x, Term y) { return expr.op == ir::Op::Add ? pool.add(x, y) : pool.subtract(x, y); });
  }

  ClaimedCost product(const ir::Expr &expr) {
    ClaimedCost a = read(*expr.operands[0]), b = read(*expr.operands[1]);
    if (!a.isNumber(zero))
      std::swap(a, b);
    const std::int64_t denominator = exactProduct(a.denominator, b.denominator);
    if (a.isNumber(zero)) {
      ClaimedCost result = scaled(b, a.one);
      result.denominator = denominator;
      return result;
    }
    // The product is beta * n, or n * beta, or of a sum of beta and gamma.
    if (a.betaOnly == zero && a.gammaOnly == zero)
      std::swap(a, b);
    ClaimedCost besidesUnit = a, besidesLength = b;
    besidesUnit.betaOnly = besidesUnit.gammaOnly = besidesLength.blocks = besidesLength.packets = zero;
    if (!besidesLength.isNumber(zero) || !besidesUnit.isNumber(zero) || a.one != zero)
      throw notModelled(expr, Gap::NonlinearClause);
    ClaimedCost result(zero);
    result.betaBlocks = pool.multiply(a.betaOnly, b.blocks);
    result.betaPackets = pool.multiply(a.betaOnly, b.packets);
    result.betaOnly = pool.multiply(a.betaOnly, b.one);
    result.gammaBlocks = pool.multiply(a.gammaOnly, b.blocks);
    result.gammaPackets = pool.multiply(a.gammaOnly, b.packets);
    result.gammaOnly = pool.multiply(a.gammaOnly, b.one);
    result.denominator = denominator;
    return result;
  }

  ClaimedCost ratio(const ir::Expr &expr) {
    ClaimedCost a = read(*expr.operands[0]);
    const ClaimedCost b = read(*expr.operands[1]);
    const std::optional<std::int64_t> divisor = TermPool::asInteger(b.one);
    if (!b.isNumber(zero) || b.denominator != 1 || !divisor || *divisor < 1)
      throw notModelled(expr, Gap::RatioByUnknown);
    a.denominator = exactProduct(a.denominator, *divisor);
    return a;
  }

  /// The rounded ratio of two numbers; nothing if it is of something else.
  std::optional<ClaimedCost> roundedRatio(const ir::Expr &expr, bool isUp) {
    const ir::Expr &ratio = *expr.operands[0];
    if (ratio.op != ir::Op::Ratio || ratio.operands[0]->op == ir::Op::Length)
      return std::nullopt;
    const ClaimedCost a = read(*ratio.operands[0]), b = read(*ratio.operands[1]);
    if (!a.isNumber(zero) || !b.isNumber(zero) || a.denominator != 1 || b.denominator != 1)
      return std::nullopt;
    execution.require(Claim::Cost, "a positive divisor", expr.range, always, pool.lessEqual(one, b.one));
    return number(pool.quotient(isUp ? pool.add(a.one, pool.subtract(b.one, one)) : a.one, b.one));
  }

  /// Reads ceil(n/k), the words of the longest packet, or the rounded ratio of two numbers.
  ClaimedCost ceiling(const ir::Expr &expr) {
    const ir::Expr &ratio = *expr.operands[0];
    if (std::optional<ClaimedCost> numbers = roundedRatio(expr, /*isUp=*/true))
      return *numbers;
    if (ratio.op != ir::Op::Ratio || ratio.operands[0]->op != ir::Op::Length || !execution.packetsPerBlock() ||
        execution.termOf(*ratio.operands[1], frame, always) != execution.packetsPerBlock())
      throw notModelled(expr, Gap::RoundedRatio);
    return unit(&ClaimedCost::packets);
  }

  /// A choice between two costs. Each is read under its condition.
  ClaimedCost choice(const ir::Expr &expr) {
    const Term condition = execution.termOf(*expr.operands[0], frame, always);
    auto side = [&](unsigned operand, Term holds) {
      const Trail<Term>::Scope there(execution.facts);
      execution.facts.push_back(holds);
      return read(*expr.operands[operand]);
    };
    const ClaimedCost yes = side(1, condition), no = side(2, pool.negate(condition));
    return joined(yes, no, [&](Term x, Term y) { return pool.select(condition, x, y); });
  }

  ClaimedCost over(const ir::Expr &expr) {
    if (execution.boundsByLargest() && isLargestEntry(expr, execution.schedule))
      return unit(&ClaimedCost::blocks);
    const Term lo = execution.termOf(*expr.operands[0], frame, always), hi = execution.termOf(*expr.operands[1], frame, always);
    const Term variable = pool.fresh("index");
    frame.values[expr.variable] = {variable, {}, {}};
    Term condition = always;
    ClaimedCost each(zero);
    {
      // The range of the index is a fact only while the summed term is read, even if that throws.
      const Trail<Term>::Scope inSum(execution.facts);
      execution.facts.push_back(pool.inRange(lo, variable, hi));
      if (expr.operands.size() > 3)
        condition = execution.termOf(*expr.operands[3], frame, always);
      execution.facts.push_back(condition);
      const llvm::SaveAndRestore inner(depth, depth + 1);
      each = read(*expr.operands[2]);
    }
    if (expr.op == ir::Op::MaximumOver) {
      if (!each.isNumber(zero) || each.denominator != 1)
        throw notModelled(expr, Gap::MaximumOfCosts);
      return number(execution.aggregate("max", each.one, variable, lo, hi, condition));
    }
    const bool isNumber = each.isNumber(zero);
    for (Term *part : each.parts()) {
      if (*part == zero)
        continue;
      const bool isConstant = pool.isTrue(condition) && !llvm::is_contained(variablesOf({*part}), variable);
      if (const Term counted = isConstant || !isNumber ? Term() : counting(*part, variable, lo, hi, condition, expr.range))
        *part = counted;
      else if (const Term closed = isConstant || depth == 0 ? Term() : closedForm(pool.select(condition, *part, zero), variable, lo, hi, expr.range))
        *part = closed;
      else if (!isConstant)
        *part = execution.aggregate("sum", *part, variable, lo, hi, condition);
      else if (execution.holds(pool.lessEqual(lo, hi), always, expr.range))
        *part = pool.multiply(*part, pool.subtract(hi, lo));
      else
        *part = pool.multiply(*part, pool.maximum(zero, pool.subtract(hi, lo)));
    }
    return each;
  }

  /// A closed form of a sum within a sum, as it is sought of what a loop costs within a loop. Null if none is found.
  Term closedForm(Term each, Term variable, Term lo, Term hi, llvm::SMRange range) {
    LoopModel model;
    model.head = model.atBody = model.first = variable;
    model.entry = lo;
    model.next = pool.add(variable, one);
    model.limit = hi;
    model.exit = execution.holds(pool.lessEqual(lo, hi), always, range) ? hi : pool.maximum(lo, hi);
    model.trips = pool.subtract(model.exit, lo);
    model.facts = {pool.lessEqual(lo, variable), pool.lessEqual(variable, model.exit)};
    model.inBody = {pool.less(variable, hi)};
    ir::ForStmt counting;
    counting.loop = ir::LoopKind::Ascending;
    counting.keyword = range;
    return execution.closedSumOver(each, counting, model, always, range);
  }

  /// A sum of numbers that only counts, as sum(bit(j, d) for j in 0 ..< p): a formula for the number of indices that a condition selects, times what is added for
  /// each. Null if it is no such sum, or there is none.
  Term counting(Term each, Term variable, Term lo, Term hi, Term condition, llvm::SMRange range) {
    Term filter = condition;
    if (each->kind == TermKind::Select && each->operands[2] == zero) {
      filter = pool.both(condition, each->operands[0]);
      each = each->operands[1];
    }
    if (pool.isTrue(filter) || llvm::is_contained(variablesOf({each}), variable))
      return {};
    Axis axis;
    axis.kind = Axis::Number;
    axis.lo = lo;
    axis.hi = hi;
    axis.filter = filter;
    axis.label = variable;
    std::int64_t denominator = 1;
    const Term count = execution.countOf(axis, always, range, denominator);
    return count && denominator == 1 ? pool.multiply(count, each) : Term();
  }

  Execution &execution;
  TermPool &pool;
  Frame &frame;
  const Term zero, one, always;
  unsigned depth = 0; // the number of sums and maxima around what is read
};

/// The formula with a variable in place of every sum and maximum; aggregates whose operands are proved equal get the same
/// variable. Each pair is a question of its own: the index is a variable of the question, so "this pair or that pair is equal"
/// for each value of the index would not mean that one of the pairs is equal for all values.
Term Execution::withNumbersForAggregates(Term formula, llvm::SMRange range) {
  return pool.rebuild(formula, [&](Term node) -> Term {
    if (!isAggregate(node))
      return {};
    for (const auto &[known, number] : aggregateNumbers)
      if (known == node)
        return number;
    Term result;
    for (const auto &[known, number] : aggregateNumbers) {
      if (known->name != node->name || known->operands.size() != node->operands.size())
        continue;
      // What is summed, 1 or 0 as it is taken or not, and how often: for the indices below that.
      const Term zero = pool.integer(0), one = pool.integer(1);
      llvm::SmallVector<Term, 2> indices;
      for (Term aggregate : {node, known})
        indices.push_back(pool.inRange(zero, pool.variable(aggregateIndex.str() + std::to_string(aggregateLevel(aggregate))), node->operands[2]));
      const Term same = pool.both(pool.equal(node->operands[1], known->operands[1]),
                                  pool.implies(pool.equal(node->operands[1], one), pool.equal(node->operands[0], known->operands[0])));
      const Term goal = pool.both(pool.equal(node->operands[2], known->operands[2]), pool.implies(pool.conjunction(indices), same));
      auto isShown = [&](Term wanted) {
        const Progress before = progress();
        require(Claim::Cost, "what is summed is the same", range, pool.truth(true), wanted);
        if (found.size() == before.found.size() || oracle.isProved(found.back()))
          return true;
        takeBack(before);
        return false;
      };
      const Term doubled = withDoubledPowers(goal);
      if (isShown(goal) || (doubled && isShown(doubled))) {
        result = number;
        break;
      }
    }
    if (!result)
      result = pool.fresh("aggregate");
    aggregateNumbers.push_back({node, result});
    return result;
  });
}

/// The x with a == factor*x; null if a part of `a`, or what it is where it is not 0, does not have the factor.
static Term withoutFactor(TermPool &pool, Term a, Term factor) {
  Term result = pool.integer(0);
  if (TermPool::constantOf(a) != 0)
    return {};
  for (const Monomial &part : TermPool::monomialsOf(a)) {
    const bool isChoice = part.atom->kind == TermKind::Select && part.atom->operands[2] == pool.integer(0);
    Term rest = exactQuotient(pool, isChoice ? part.atom->operands[1] : part.atom, factor);
    if (!rest)
      return {};
    if (isChoice)
      rest = pool.select(part.atom->operands[0], rest, pool.integer(0));
    result = pool.add(result, pool.scale(part.coefficient, rest));
  }
  return result;
}

/// If all parts of a difference have a factor in common: that it is 0, or (`isBound`) not negative, because the factor is 0, or because the rest is so.
/// Null if they have none.
static Term byCommonFactor(TermPool &pool, Term difference, bool isBound) {
  const auto parts = TermPool::monomialsOf(difference);
  const Term zero = pool.integer(0);
  if (parts.size() > 1)
    for (Term factor : factorsOf(parts[0].atom->kind == TermKind::Select ? parts[1].atom : parts[0].atom))
      if (const Term rest = withoutFactor(pool, difference, factor))
        return pool.either(pool.equal(factor, zero), isBound ? pool.both(pool.lessEqual(zero, factor), pool.lessEqual(zero, rest)) : pool.equal(rest, zero));
  return {};
}

void Execution::requireClause(const ir::CostClause &claim, bool isRounds, ClauseReader &reader) {
  if (cost.unknown)
    throw *cost.unknown;
  const ir::Expr &formula = *claim.formula;
  const Term zero = pool.integer(0);
  const ClaimedCost wanted = reader.read(formula);
  const Term denominator = pool.integer(wanted.denominator);
  // The cost is one of these numbers, or at most that.
  auto compareEither = [&](llvm::ArrayRef<Term> costs, std::int64_t divisor, Term claimed, const char *what) {
    claimed = pool.scale(divisor, claimed);
    llvm::SmallVector<Term, 2> any, anySimpler;
    for (Term had : costs) {
      const Term left = pool.multiply(had, denominator);
      any.push_back(claim.upperBound ? pool.lessEqual(left, claimed) : pool.equal(left, claimed));
      if (const Term simpler = byCommonFactor(pool, pool.subtract(claimed, left), claim.upperBound))
        anySimpler.push_back(simpler);
    }
    const auto requireGoal = [&](Term numbered) {
      require(isRounds ? Claim::Rounds : Claim::Cost, what, formula.range, pool.truth(true), numbered);
    };
    const auto isShown = [&](Term numbered) {
      const Progress before = progress();
      requireGoal(numbered);
      if (found.size() == before.found.size() || oracle.isProved(found.back()))
        return true;
      takeBack(before);
      return false;
    };
    // What the numbers rest on stays required, whichever goal is shown.
    const Term goal = withNumbersForAggregates(pool.disjunction(any), formula.range);
    if (!isShown(goal) && (anySimpler.empty() || !isShown(withNumbersForAggregates(pool.disjunction(anySimpler), formula.range))))
      requireGoal(goal);
  };
  auto compare = [&](Term had, std::int64_t divisor, Term claimed, const char *what) { compareEither({had}, divisor, claimed, what); };
  if (!claim.upperBound && (isRounds ? !cost.startupsExact : !cost.exact))
    throw notModelled(formula, Gap::BoundReached);
  if (isRounds) {
    if (!wanted.isNumber(zero))
      throw notModelled(formula, Gap::RoundsOfLengths);
    return compare(cost.startups, 1, wanted.one, "the number of rounds is as claimed");
  }
  if (claim.mentionsGamma)
    requireWorkKnown();
  if (claim.mentionsGamma && !claim.upperBound && !cost.workExact)
    throw notModelled(formula, Gap::BoundReached);
  if (wanted.one != zero || wanted.blocks != zero || wanted.packets != zero)
    throw notModelled(formula, Gap::NonlinearClause);
  const char *words = "the number of words of the tables is as claimed";
  if (claim.upperBound)
    compare(cost.own, 1, wanted.betaOnly, words);
  else // The longest message may be told by its sender or by its receiver.
    compareEither({cost.own, cost.ownReceived}, 1, wanted.betaOnly, words);
  compare(cost.startups, 1, wanted.alpha, "the number of startups is as claimed");
  compare(cost.blocks, cost.denominator, wanted.betaBlocks, "the number of words is as claimed");
  compare(cost.packets, cost.denominator, wanted.betaPackets, "the number of packets is as claimed");
  if (claim.mentionsGamma) {
    compare(zero, 1, wanted.gammaOnly, "the number of operator applications is as claimed");
    compare(cost.workBlocks, 1, wanted.gammaBlocks, "the number of operator applications is as claimed");
    compare(cost.workPackets, 1, wanted.gammaPackets, "the number of operator applications to packets is as claimed");
  }
}

bool Execution::isAboutRounds(const ir::CostClause &claim) const { return schedule.rounds && &claim == &*schedule.rounds; }

Term Execution::claimedStartups(const ir::CostClause &claim, Frame &frame) {
  try {
    const ClaimedCost wanted = ClauseReader(*this, frame).read(*claim.formula);
    const Term startups = isAboutRounds(claim) ? wanted.one : wanted.alpha;
    // All coefficients have one denominator, as 2 in (p - 1)*alpha + p*p/2*beta*n: divide those of the startups by it.
    Term whole = pool.integer(TermPool::constantOf(startups) / wanted.denominator);
    for (const Monomial &part : TermPool::monomialsOf(startups))
      whole = pool.add(whole, pool.scale(part.coefficient / wanted.denominator, part.atom));
    return pool.scale(wanted.denominator, whole) == startups ? whole : Term();
  } catch (const NotModelled &) {
    return {};
  }
}

/// What the clauses claim of one part of the cost, as far as they have values by now and whole coefficients.
llvm::SmallVector<Term, 2> Execution::claimedParts(Term SymbolicCost::*part) {
  llvm::SmallVector<Term, 2> result;
  for (const std::optional<ir::CostClause> *claim : {&schedule.cost, &schedule.rounds}) {
    const bool isKnown = *claim && !ir::anyPart(*(*claim)->formula, [&](const ir::Expr &of) {
      return of.op == ir::Op::Variable && !outermost->values[of.variable].term;
    });
    if (!isKnown)
      continue;
    const Progress before = progress();
    try {
      const ClaimedCost wanted = ClauseReader(*this, *outermost).read(*(*claim)->formula);
      if (wanted.denominator == 1)
        result.push_back(part == &SymbolicCost::startups ? (isAboutRounds(**claim) ? wanted.one : wanted.alpha)
                         : part == &SymbolicCost::blocks  ? wanted.betaBlocks
                         : part == &SymbolicCost::packets ? wanted.betaPackets
                                                          : wanted.betaOnly);
    } catch (const NotModelled &) { // then the clause is not shown anyway
    } catch (const TermOverflow &) {
    }
    takeBack(before); // what the clause needs is required when it is compared
  }
  return result;
}

void Execution::requireClause(const ir::CostClause &claim, Frame &frame, std::optional<NotModelled> &unknown) {
  ClauseReader reader(*this, frame);
  try {
    requireClause(claim, isAboutRounds(claim), reader);
  } catch (const NotModelled &why) {
    unknown = why;
    if (!unknown->range.isValid())
      unknown->range = claim.range;
  }
}

void Execution::requireCost(Frame &frame) {
  const SymbolicCost synchronous = cost;
  auto requireOf = [&](const std::optional<ir::CostClause> &claim, std::optional<NotModelled> &unknown) {
    if (!claim)
      return;
    if (isByTime)
      cost = costByTime(isAboutRounds(*claim));
    requireClause(*claim, frame, unknown);
    cost = synchronous;
  };
  requireOf(schedule.cost, costUnknown);
  requireOf(schedule.rounds, roundsUnknown);
}

} // namespace quadrille::compiler::prove
