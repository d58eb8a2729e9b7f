//===- CostClause.cpp - Whether the author's clause says what the rounds cost ---------------------------------------------===//

#include "Execution.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"

#include <array>

namespace quadrille::prove {

namespace {
/// A claimed cost: a sum of terms over a common denominator, by what they are multiples of.
struct ClaimedCost {
  Term one, alpha, betaBlocks, betaPackets, betaOnly, blocks, packets, gamma;
  std::int64_t denominator = 1;
};

} // namespace

/// With a number of its own for every sum and maximum, the same for those that are made of the same. That is asked of each pair
/// by itself: an index stands for all its values at once, so that what holds of one pair or of another for each value need not
/// hold of either for all of them.
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
      llvm::SmallVector<Term, 3> same;
      for (size_t i = 0; i < node->operands.size(); ++i)
        same.push_back(pool.equal(node->operands[i], known->operands[i]));
      const size_t before = found.size();
      require(Claim::Cost, "what is summed is the same", range, pool.truth(true), pool.conjunction(same));
      if (found.size() > before && !oracle.isProved(found.back())) {
        found.resize(before);
        continue;
      }
      result = number;
      break;
    }
    if (!result)
      result = pool.fresh("aggregate");
    aggregateNumbers.push_back({node, result});
    return result;
  });
}

void Execution::requireCost(Frame &frame) {
  const Term zero = pool.integer(0);
  auto fail = [&](const ir::Expr &expr, const char *what) -> NotModelled { return {what, expr.range}; };
  std::function<ClaimedCost(const ir::Expr &)> value = [&](const ir::Expr &expr) -> ClaimedCost {
    ClaimedCost result{zero, zero, zero, zero, zero, zero, zero, zero, 1};
    auto parts = [](ClaimedCost &c) {
      return std::array<Term *, 8>{&c.one, &c.alpha, &c.betaBlocks, &c.betaPackets, &c.betaOnly, &c.blocks, &c.packets, &c.gamma};
    };
    auto scaled = [&](ClaimedCost c, Term factor) {
      for (Term *part : parts(c))
        *part = pool.multiply(*part, factor);
      return c;
    };
    auto unit = [&](Term ClaimedCost::*part) {
      result.*part = pool.integer(1);
      return result;
    };
    auto isNumber = [&](ClaimedCost c) {
      for (Term *part : parts(c))
        if (part != &c.one && *part != zero)
          return false;
      return true;
    };
    using ir::Op;
    switch (expr.op) {
    case Op::Alpha:
      return unit(&ClaimedCost::alpha);
    case Op::Beta:
      return unit(&ClaimedCost::betaOnly);
    case Op::Gamma:
      return unit(&ClaimedCost::gamma);
    case Op::Length:
      return unit(&ClaimedCost::blocks);
    case Op::Add:
    case Op::Subtract: {
      ClaimedCost a = value(*expr.operands[0]), b = value(*expr.operands[1]);
      const std::int64_t denominator = exactProduct(a.denominator, b.denominator);
      b = scaled(b, pool.integer(a.denominator));
      a = scaled(a, pool.integer(b.denominator));
      for (size_t i = 0; i < 8; ++i)
        *parts(a)[i] = expr.op == Op::Add ? pool.add(*parts(a)[i], *parts(b)[i]) : pool.subtract(*parts(a)[i], *parts(b)[i]);
      a.denominator = denominator;
      return a;
    }
    case Op::Multiply: {
      ClaimedCost a = value(*expr.operands[0]), b = value(*expr.operands[1]);
      if (!isNumber(a))
        std::swap(a, b);
      if (isNumber(a)) {
        ClaimedCost product = scaled(b, a.one);
        product.denominator = exactProduct(a.denominator, b.denominator);
        return product;
      }
      // beta * n, whichever comes first
      if (a.betaOnly == zero)
        std::swap(a, b);
      ClaimedCost onlyBeta = a, onlyLength = b;
      onlyBeta.betaOnly = onlyLength.blocks = onlyLength.packets = onlyLength.one = zero;
      if (!isNumber(onlyLength) || !isNumber(onlyBeta) || a.one != zero)
        throw fail(expr, "a clause that is not linear");
      result.betaBlocks = pool.multiply(a.betaOnly, b.blocks);
      result.betaPackets = pool.multiply(a.betaOnly, b.packets);
      result.betaOnly = pool.multiply(a.betaOnly, b.one);
      result.denominator = exactProduct(a.denominator, b.denominator);
      return result;
    }
    case Op::Ratio: {
      ClaimedCost a = value(*expr.operands[0]), b = value(*expr.operands[1]);
      auto divisor = TermPool::asInteger(b.one);
      if (!isNumber(b) || b.denominator != 1 || !divisor || *divisor < 1)
        throw fail(expr, "a ratio whose divisor is no number");
      a.denominator = exactProduct(a.denominator, *divisor);
      return a;
    }
    case Op::Ceiling: {
      const ir::Expr &ratio = *expr.operands[0];
      if (ratio.op == Op::Ratio && ratio.operands[0]->op == Op::Length && packets &&
          termOf(*ratio.operands[1], frame, pool.truth(true)) == packets) {
        result.packets = pool.integer(1);
        return result;
      }
      throw fail(expr, "a rounded ratio");
    }
    case Op::Element: {
      llvm::SmallVector<Term, 2> indices;
      for (const ir::Expr *index : expr.operands)
        indices.push_back(termOf(*index, frame, pool.truth(true)));
      result.one = pool.apply("table" + std::to_string(expr.variable), indices);
      return result;
    }
    case Op::SumOver:
    case Op::MaximumOver: {
      const Term always = pool.truth(true);
      Term lo = termOf(*expr.operands[0], frame, always), hi = termOf(*expr.operands[1], frame, always);
      Term variable = pool.fresh("index");
      frame.values[expr.variable] = {variable, {}, {}};
      Term condition;
      ClaimedCost each;
      {
        // What holds of the index is known of what is summed only, whether that has a formula or not.
        auto forget = llvm::make_scope_exit([this, known = facts.size()] { facts.resize(known); });
        facts.push_back(pool.inRange(lo, variable, hi));
        condition = expr.operands.size() > 3 ? termOf(*expr.operands[3], frame, always) : always;
        facts.push_back(condition);
        each = value(*expr.operands[2]);
      }
      if (expr.op == Op::MaximumOver) {
        if (!isNumber(each) || each.denominator != 1)
          throw fail(expr, "a maximum of costs");
        result.one = aggregate("max", each.one, variable, lo, hi, condition);
        return result;
      }
      for (Term *part : parts(each))
        if (*part != zero)
          *part = pool.isTrue(condition) && !llvm::is_contained(variablesOf({*part}), variable)
                      ? pool.multiply(*part, holds(pool.lessEqual(lo, hi), always, expr.range)
                                                 ? pool.subtract(hi, lo)
                                                 : pool.maximum(zero, pool.subtract(hi, lo)))
                      : aggregate("sum", *part, variable, lo, hi, condition);
      return each;
    }
    default:
      result.one = termOf(expr, frame, pool.truth(true));
      return result;
    }
  };
  auto claimOf = [&](const ir::Claim &claim, bool isRounds) {
    if (cost.unknown)
      throw *cost.unknown;
    ClaimedCost wanted = value(*claim.formula);
    const Term denominator = pool.integer(wanted.denominator);
    auto compare = [&](Term had, std::int64_t divisor, Term claimed, const char *what) {
      Term left = pool.multiply(had, denominator);
      claimed = pool.scale(divisor, claimed);
      const Term goal = claim.upperBound ? pool.lessEqual(left, claimed) : pool.equal(left, claimed);
      require(Claim::Cost, what, claim.formula->range, pool.truth(true),
              withNumbersForAggregates(goal, claim.formula->range));
    };
    if (!claim.upperBound && (isRounds ? !cost.startupsExact : !cost.exact))
      throw fail(*claim.formula, "whether the bound that was found is reached");
    if (isRounds)
      return compare(cost.startups, 1, wanted.one, "the number of rounds is as claimed");
    if (claim.mentionsGamma)
      throw fail(*claim.formula, "operator applications");
    if (wanted.one != zero)
      throw fail(*claim.formula, "a clause that is not linear");
    // The longest message, whether it is looked at where it leaves or where it arrives.
    const Term sent = pool.multiply(cost.own, denominator), received = pool.multiply(cost.ownReceived, denominator);
    if (claim.upperBound)
      compare(cost.own, 1, wanted.betaOnly, "the number of words of the tables is as claimed");
    else
      require(Claim::Cost, "the number of words of the tables is as claimed", claim.formula->range, pool.truth(true),
              withNumbersForAggregates(pool.either(pool.equal(sent, wanted.betaOnly), pool.equal(received, wanted.betaOnly)),
                                       claim.formula->range));
    compare(cost.startups, 1, wanted.alpha, "the number of startups is as claimed");
    compare(cost.blocks, cost.denominator, wanted.betaBlocks, "the number of words is as claimed");
    compare(cost.packets, cost.denominator, wanted.betaPackets, "the number of packets is as claimed");
  };
  try {
    if (schedule.cost)
      claimOf(*schedule.cost, false);
    if (schedule.rounds)
      claimOf(*schedule.rounds, true);
  } catch (const NotModelled &why) {
    costUnknown = why;
    if (!costUnknown->range.isValid())
      costUnknown->range = (schedule.cost ? schedule.cost : schedule.rounds)->range;
  }
}

} // namespace quadrille::prove
