//===- CostOfLoops.cpp - What the iterations of a loop cost ----------------------------------------------------------------===//
//
// The sum over the iterations is a closed form that is 0 before the loop and grows by the cost of an iteration in each; if no
// such form is found, an application of `sum`, which matches a clause that writes the same sum.
//
//===----------------------------------------------------------------------------------------------------------------===//

#include "Aggregates.h"

#include "prove/definitions/SamplePoints.h"
#include "ir/Walk.h"
#include "prove/execution/Execution.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/SaveAndRestore.h"

namespace quadrille::compiler::prove {

Term Execution::tripsOf(const ir::ForStmt &stmt, const LoopModel &model) {
  const Term zero = pool.integer(0), one = pool.integer(1);
  switch (stmt.loop) {
  case ir::LoopKind::Ascending:
    if (!model.exit) { // the last step may lead beyond the limit
      const Term step = pool.subtract(model.next, model.head), rest = pool.subtract(model.limit, model.entry);
      const Term steps = pool.quotient(pool.add(rest, pool.subtract(step, one)), step);
      if (holds(pool.lessEqual(zero, rest), pool.truth(true), stmt.keyword))
        return steps;
      return pool.select(pool.lessEqual(zero, rest), steps, zero);
    }
    return pool.subtract(model.exit, model.entry);
  case ir::LoopKind::Descending:
    return pool.subtract(model.entry, model.exit);
  case ir::LoopKind::Times:
    if (auto first = TermPool::asInteger(model.entry); first && model.next == pool.scale(2, model.head)) {
      Term times = pool.quotient(pool.add(model.limit, pool.integer(*first - 1)), pool.integer(*first));
      if (holds(pool.lessEqual(one, times), pool.truth(true), stmt.keyword))
        return pool.ceilLog2(times);
      return pool.select(pool.lessEqual(one, times), pool.ceilLog2(times), zero);
    }
    if (const Term counted = countedByCalls(one, model, stmt.keyword))
      return counted;
    return model.iterations; // after the loop, what is known of the last head tells it
  case ir::LoopKind::Half: {
    const Term half = model.limit;
    const bool isWhole = half->kind == TermKind::Quotient && TermPool::asInteger(half->operands[1]) == 2 &&
                         isShownNow("twice the half is the whole", stmt.keyword, pool.truth(true), pool.equal(model.entry, half->operands[0]));
    return pool.floorLog2(isWhole ? half->operands[0] : model.entry);
  }
  case ir::LoopKind::Halvings:
  case ir::LoopKind::HalvingsReversed:
    if (holds(pool.lessEqual(one, model.limit), pool.truth(true), stmt.keyword))
      return pool.ceilLog2(model.limit);
    return pool.select(pool.lessEqual(one, model.limit), pool.ceilLog2(model.limit), zero);
  default:
    return {};
  }
}

/// Whether a term mentions a variable that the iterations of a loop change.
std::function<bool(Term)> Execution::changesIn(const LoopModel &model) {
  llvm::SmallVector<Term, 8> own = variablesOf({model.head, model.first});
  if (model.second)
    llvm::append_range(own, variablesOf({model.second}));
  return [own](Term term) { return llvm::any_of(variablesOf({term}), [&](Term variable) { return llvm::is_contained(own, variable); }); };
}

/// Whether all that is claimed of the cost are upper bounds.
bool Execution::boundsSuffice() const {
  const auto isBound = [](const std::optional<ir::CostClause> &claim) { return !claim || claim->upperBound; };
  return !alone && isBound(schedule.cost) && isBound(schedule.rounds);
}

/// Whether a clause is written with sums.
bool Execution::claimsSums() const {
  const auto hasSum = [](const std::optional<ir::CostClause> &claim) {
    return claim && ir::anyPart(*claim->formula, [](const ir::Expr &part) { return part.op == ir::Op::SumOver; });
  };
  return hasSum(schedule.cost) || hasSum(schedule.rounds);
}

/// A number that does not change between iterations, and that `each` does not exceed; null if its structure tells none.
Term Execution::boundOfEach(Term each, llvm::function_ref<bool(Term)> changes) {
  if (!changes(each))
    return each;
  if (each->kind == TermKind::Select) {
    const Term condition = each->operands[0], yes = each->operands[1], no = each->operands[2];
    const Term first = boundOfEach(yes, changes), second = boundOfEach(no, changes);
    // A minimum is at most either of its parts.
    if (!(first && second) && condition->kind == TermKind::AtLeastZero && condition->operands[0] == pool.subtract(no, yes))
      return first ? first : second;
    if (!first || !second)
      return {};
    return changes(condition) ? pool.maximum(first, second) : pool.select(condition, first, second);
  }
  if (each->kind != TermKind::Sum)
    return {};
  Term bound = pool.integer(TermPool::constantOf(each));
  for (const Monomial &part : TermPool::monomialsOf(each)) {
    const Term most = part.coefficient > 0 || !changes(part.atom) ? boundOfEach(part.atom, changes) : Term();
    if (!most)
      return {};
    bound = pool.add(bound, pool.scale(part.coefficient, most));
  }
  return bound;
}

/// Sets `cost`, which is that of one iteration, to `before` plus the cost of all iterations.
void Execution::addIterations(const ir::ForStmt &stmt, const LoopModel &model, const SymbolicCost &before, Term guard) {
  SymbolicCost each = cost;
  cost = before;
  if (cost.unknown)
    return;
  if (each.unknown) {
    cost.unknown = each.unknown;
    return;
  }
  SymbolicCost total = each;
  if (each.chains) // of a chain from one rank to another, the next iteration might not go on
    llvm::erase_if(*total.chains, [&](const Chain &chain) { return chain.from != chain.to; });
  for (Term SymbolicCost::*part : {&SymbolicCost::startups, &SymbolicCost::own, &SymbolicCost::ownReceived, &SymbolicCost::blocks, &SymbolicCost::packets}) {
    total.*part = sumOver(each.*part, stmt, model, guard, stmt.keyword);
    if (total.*part && !(isAggregate(total.*part) && boundsSuffice() && !claimsSums()))
      continue;
    // Where only bounds are claimed, no iteration costs more than a costliest one.
    const Term trips = model.trips ? model.trips : model.iterations;
    Term most = boundsSuffice() && trips ? boundByClause(each.*part, part, trips, model, guard, stmt.keyword) : Term();
    if (!most && boundsSuffice() && trips)
      most = boundOfEach(each.*part, changesIn(model));
    if (most) {
      total.*part = pool.multiply(trips, most);
      total.startupsExact = total.exact = false;
    } else if (!(total.*part)) {
      return giveUpCost({Gap::SumOverIterations, stmt.keyword});
    }
  }
  for (Term SymbolicCost::*part : {&SymbolicCost::workBlocks, &SymbolicCost::workPackets}) {
    total.*part = sumOver(each.*part, stmt, model, guard, stmt.keyword);
    if (!(total.*part)) {
      total.*part = pool.integer(0);
      total.workUnknown = NotModelled{Gap::SumOverIterations, stmt.keyword};
    }
  }
  cost = plus(before, onlyIf(guard, total));
}

/// Whether 2 ** head occurs in `each`.
static bool isExponent(Term each, Term head) {
  bool result = false;
  forEachNode({each}, [&](Term node) { result |= node->kind == TermKind::Power2 && llvm::is_contained(variablesOf({node}), head); });
  return result;
}

/// The multiples of functions of the head that occur in `each`. A function of head + c is replaced by the function of head.
static llvm::SetVector<Term> functionsOf(Term head, Term each, TermPool &pool) {
  llvm::SetVector<Term> result;
  forEachNode({each}, [&](Term node) {
    for (const Monomial &part : TermPool::monomialsOf(node))
      if (part.atom->kind == TermKind::Apply)
        for (Term argument : part.atom->operands)
          if (auto shift = TermPool::asInteger(pool.subtract(argument, head))) {
            TermPool::Substitution back;
            back[head.get()] = pool.subtract(head, pool.integer(*shift));
            result.insert(pool.scale(part.coefficient, pool.substitute(part.atom, back)));
          }
  });
  return result;
}

/// The powers in `each` of which the exponent is the variable plus what does not change, and the base does not change.
static llvm::SetVector<Term> powersOf(Term variable, Term each, TermPool &pool) {
  llvm::SetVector<Term> result;
  forEachNode({each}, [&](Term node) {
    if (node->kind == TermKind::Power &&
        !llvm::is_contained(variablesOf({node->operands[0], pool.subtract(node->operands[1], variable)}), variable))
      result.insert(node);
  });
  return result;
}

/// The factor of the head in a product with it, without its sign; null if it is no such product.
static Term factorOf(const Monomial &part, Term head, TermPool &pool) {
  if (part.atom->kind != TermKind::Product || llvm::count(part.atom->operands, head) != 1)
    return {};
  Term factor = pool.integer(std::abs(part.coefficient));
  for (Term operand : part.atom->operands)
    if (operand != head)
      factor = pool.multiply(factor, operand);
  return factor;
}

/// If `each` is a choice between two numbers by a comparison of the head, which counts, with another number: formulas for the sum of
/// `each` over the heads below this one, plus some constant.
static llvm::SmallVector<Term, 2> sumsOfSteps(Term each, Term head, TermPool &pool) {
  llvm::SmallVector<Term, 2> result;
  const auto parts = TermPool::monomialsOf(each);
  if (parts.size() != 1 || TermPool::constantOf(each) != 0 || parts[0].atom->kind != TermKind::Select)
    return result;
  const Term choice = parts[0].atom, zero = pool.integer(0), one = pool.integer(1);
  Term condition = choice->operands[0], yes = choice->operands[1], no = choice->operands[2];
  if (condition->kind == TermKind::Not) {
    condition = condition->operands[0];
    std::swap(yes, no);
  }
  if (condition->kind != TermKind::AtLeastZero && condition->kind != TermKind::IsZero)
    return result;
  for (const Monomial &part : TermPool::monomialsOf(condition->operands[0])) {
    if (const Term factor = factorOf(part, head, pool); factor && part.coefficient < 0 && condition->kind == TermKind::AtLeastZero) {
      // rest - factor*head >= 0: the heads up to rest div factor
      const Term rest = pool.subtract(condition->operands[0], pool.scale(part.coefficient, part.atom));
      const Term heads = pool.minimum(head, pool.add(pool.quotient(rest, factor), one));
      result.push_back(pool.scale(parts[0].coefficient, pool.add(pool.multiply(pool.subtract(yes, no), heads), pool.multiply(no, head))));
      continue;
    }
    if (part.atom != head || (part.coefficient != 1 && part.coefficient != -1))
      continue;
    // head + rest >= 0, rest - head >= 0, or head == -rest
    const Term rest = pool.subtract(condition->operands[0], pool.scale(part.coefficient, head));
    const Term place = pool.scale(-part.coefficient, rest);
    Term heads; // the number of heads below this one for which the condition holds, plus some constant
    if (condition->kind == TermKind::IsZero)
      heads = pool.minimum(pool.maximum(pool.subtract(head, place), zero), one);
    else
      heads = part.coefficient == 1 ? pool.maximum(head, place) : pool.minimum(head, pool.add(place, one));
    result.push_back(pool.scale(parts[0].coefficient,
                                pool.add(pool.multiply(pool.subtract(yes, no), heads), pool.multiply(no, head))));
  }
  return result;
}

/// If `each` is a choice between two numbers by a comparison of a power of two, the variable of a loop that doubles or halves it, with
/// another number: formulas for the sum of `each` over the powers below the head, plus some constant.
static llvm::SmallVector<Term, 2> sumsOfPowerSteps(Term each, Term first, Term head, TermPool &pool) {
  llvm::SmallVector<Term, 2> result;
  const auto parts = TermPool::monomialsOf(each);
  if (first->isPower != head->isPower || parts.size() != 1 || TermPool::constantOf(each) != 0 || parts[0].atom->kind != TermKind::Select)
    return result;
  const Term power = first->isPower ? first : pool.power2(first), all = first->isPower ? pool.floorLog2(head) : head;
  const Term choice = parts[0].atom, zero = pool.integer(0), one = pool.integer(1);
  Term condition = choice->operands[0], yes = choice->operands[1], no = choice->operands[2];
  if (condition->kind == TermKind::Not) {
    condition = condition->operands[0];
    std::swap(yes, no);
  }
  if (condition->kind != TermKind::AtLeastZero)
    return result;
  for (const Monomial &part : TermPool::monomialsOf(condition->operands[0])) {
    if (part.atom != power)
      continue;
    const bool isBelow = part.coefficient < 0; // bound - c*power >= 0, or c*power - bound - 1 >= 0
    const Term rest = pool.subtract(condition->operands[0], pool.scale(part.coefficient, power)), factor = pool.integer(std::abs(part.coefficient));
    const Term bound = pool.quotient(isBelow ? rest : pool.subtract(pool.scale(-1, rest), one), factor);
    const Term most = pool.select(pool.lessEqual(one, bound), pool.add(pool.floorLog2(bound), one), zero); // the number of powers up to the bound
    const Term below = pool.minimum(all, most), heads = isBelow ? below : pool.subtract(all, below);
    result.push_back(pool.scale(parts[0].coefficient, pool.add(pool.multiply(pool.subtract(yes, no), heads), pool.multiply(no, all))));
  }
  return result;
}

/// The cost of an iteration with the head in the place of the loop's variable, which is the head less 1 in a loop that counts down.
static Term inHead(TermPool &pool, Term each, Term variable, Term head) {
  if (variable->kind != TermKind::Variable)
    return each;
  TermPool::Substitution toHead;
  toHead[variable.get()] = head;
  return pool.substitute(each, toHead);
}

/// The head, a power of it, or so many times the head as occur in `each`, cut off at p, at a number of the schedule that occurs there or at
/// what it is compared with.
llvm::SmallVector<Term, 8> Execution::sumsCutOff(Term ofIteration, const LoopModel &model) {
  const Term each = inHead(pool, ofIteration, model.first, model.head);
  const bool isInHead = model.first == model.head || !model.head->isPower; // elsewhere the head is twice the variable
  llvm::SmallSetVector<Term, 4> bounds;
  llvm::SmallVector<Term, 4> products;
  for (Term variable : variablesOf({each}))
    if (llvm::is_contained(numberTerms, variable))
      bounds.insert(variable);
  forEachNode({each}, [&](Term node) { // as q in min(w, q - w)
    if (node->kind != TermKind::AtLeastZero)
      return;
    for (const Monomial &part : TermPool::monomialsOf(node->operands[0]))
      if (part.atom == model.head) {
        const Term bound = pool.scale(part.coefficient < 0 ? 1 : -1, pool.subtract(node->operands[0], pool.scale(part.coefficient, part.atom)));
        if (!llvm::is_contained(variablesOf({bound}), model.head))
          bounds.insert(bound);
      }
  });
  if (isInHead)
    forEachNode({each}, [&](Term node) {
      if (node->kind == TermKind::Product && llvm::count(node->operands, model.head) == 1)
        products.push_back(node);
    });
  llvm::SmallVector<Term, 8> result;
  auto add = [&](Term measure, Term bound) {
    for (std::int64_t factor : {1, -1, 2, -2})
      result.push_back(pool.scale(factor, bound ? pool.minimum(measure, bound) : measure));
  };
  for (Term bound : bounds) {
    add(model.head, bound);
    if (model.first != model.head || isExponent(each, model.head))
      add(pool.power2(model.head), bound);
  }
  for (Term power : powersOf(model.head, each, pool))
    add(power, names.p);
  for (Term product : products)
    for (Term bound : {Term(), names.p})
      add(product, bound);
  if (isInHead)
    forEachNode({each}, [&](Term node) {
      if (node->kind != TermKind::AtLeastZero)
        return;
      for (const Monomial &part : TermPool::monomialsOf(node->operands[0]))
        if (factorOf(part, model.head, pool)) {
          const Term bound = pool.scale(part.coefficient < 0 ? 1 : -1, pool.subtract(node->operands[0], pool.scale(part.coefficient, part.atom)));
          if (!llvm::is_contained(variablesOf({bound}), model.head))
            result.push_back(pool.minimum(pool.scale(std::abs(part.coefficient), part.atom), bound));
        }
    });
  return result;
}

/// The sum of `each` over the iterations: a closed form, or the sum of those of its parts; or an application of `sum`. Null if
/// none of these is possible.
Term Execution::sumOver(Term each, const ir::ForStmt &stmt, const LoopModel &model, Term guard, llvm::SMRange range) {
  if (Term closed = closedSumOver(each, stmt, model, guard, range))
    return closed;
  if (TermPool::monomialsOf(each).size() > 1 || TermPool::constantOf(each) != 0)
    if (Term total = sumOfParts(each, stmt, model, guard, range))
      return total;
  return sumInWords(each, model, stmt);
}

/// The sum of closed forms of the parts of `each`; null if one has none.
Term Execution::sumOfParts(Term each, const ir::ForStmt &stmt, const LoopModel &model, Term guard, llvm::SMRange range) {
  Term total = closedSumOver(pool.integer(TermPool::constantOf(each)), stmt, model, guard, range);
  for (const Monomial &part : TermPool::monomialsOf(each)) {
    const Term sum = total ? closedSumOver(pool.scale(part.coefficient, part.atom), stmt, model, guard, range) : Term();
    total = sum ? pool.add(total, sum) : Term();
  }
  return total;
}

/// Forms that may be 0 at the first head and grow by `each` in an iteration.
llvm::SmallVector<Term, 16> Execution::formsOfSum(Term each, const LoopModel &model, llvm::function_ref<bool(Term)> changes) {
  const Term zero = pool.integer(0), one = pool.integer(1);
  const Term head = model.head;
  llvm::SmallVector<Term, 16> forms;
  auto from = [&](Term form) { // shifted so that it is 0 before the loop
    TermPool::Substitution by;
    by[head.get()] = model.entry;
    forms.push_back(pool.subtract(form, pool.substitute(form, by)));
  };
  // What is divided, without the part that changes: the sum of (p + w - 1) div (2*w), as w doubles, is a difference of two (p - 1) div w.
  llvm::SmallSetVector<Term, 4> dividends;
  dividends.insert(names.p);
  forEachNode({each}, [&](Term node) {
    if (node->kind != TermKind::Quotient)
      return;
    Term fixed = pool.integer(TermPool::constantOf(node->operands[0]));
    for (const Monomial &part : TermPool::monomialsOf(node->operands[0]))
      if (!changes(part.atom))
        fixed = pool.add(fixed, pool.scale(part.coefficient, part.atom));
    if (!TermPool::asInteger(fixed))
      dividends.insert(fixed);
  });
  for (Term measure : {head, pool.power2(head)}) {
    if (measure != head && model.first == model.head && !isExponent(each, head))
      continue;
    for (std::int64_t factor : {1, -1, 2, -2}) {
      from(pool.scale(factor, measure));
      from(pool.scale(factor, pool.minimum(measure, names.p)));
      for (Term dividend : dividends)
        from(pool.scale(factor, pool.quotient(dividend, measure)));
    }
  }
  from(pool.multiply(head, pool.subtract(head, one)));
  const bool ascends = model.first == head && model.next == pool.add(head, one);
  if (ascends || model.atBody == pool.add(model.next, one)) { // an arithmetic series, of which the head is the number of terms
    TermPool::Substitution toZero, toOne;
    toZero[model.first.get()] = zero;
    toOne[model.first.get()] = one;
    const Term first = pool.substitute(each, toZero), rise = pool.subtract(pool.substitute(each, toOne), first);
    if (!changes(first) && each == pool.add(first, pool.multiply(rise, model.first))) {
      const Term pairs = pool.quotient(pool.multiply(head, pool.subtract(head, one)), pool.integer(2));
      from(pool.scale(ascends ? 1 : -1, pool.add(pool.multiply(rise, pairs), pool.multiply(first, head))));
    }
  }
  if (model.iterations) // a geometric series
    if (const Term rise = pool.subtract(model.next, head); TermPool::monomialsOf(rise).size() == 1 && TermPool::asInteger(model.entry))
      forms.push_back(pool.quotient(pool.subtract(head, model.entry), pool.integer(TermPool::monomialsOf(rise)[0].coefficient)));
  for (Term power : powersOf(model.first, each, pool)) { // another one, or a series backwards
    TermPool::Substitution toHead;
    toHead[model.first.get()] = head;
    const Term base = power->operands[0], terms = pool.quotient(pool.subtract(pool.substitute(power, toHead), one), pool.subtract(base, one));
    for (std::int64_t factor : {1, -1}) {
      from(pool.scale(factor, terms));
      from(pool.scale(factor, pool.substitute(power, toHead))); // a power is as many times its base less one as it grows by
    }
  }
  const bool countsDown = model.first != head && model.next == model.first && model.atBody == pool.add(model.first, one);
  if (model.first == head || countsDown)
    for (Term form : sumsOfSteps(inHead(pool, each, model.first, head), head, pool))
      from(countsDown ? pool.scale(-1, form) : form);
  for (Term form : sumsOfPowerSteps(each, model.first, head, pool))
    from(model.first == head ? form : pool.scale(-1, form));
  for (Term measure : functionsOf(head, each, pool)) {
    TermPool::Substitution following;
    following[head.get()] = pool.add(head, one);
    for (Term part : {measure, pool.minimum(measure, names.p)}) {
      from(part);
      from(pool.add(part, pool.substitute(part, following))); // if each value is the sum of the two before it
    }
  }
  auto at = [&](Term form, Term value) {
    TermPool::Substitution by;
    by[head.get()] = value;
    return pool.substitute(form, by);
  };
  for (Term form : sumsCutOff(each, model))
    from(form);
  if (ascends) { // all iterations alike but the first one, or the last one
    const Term first = at(each, model.entry), second = at(each, pool.add(model.entry, one));
    from(pool.add(pool.multiply(second, head),
                  pool.multiply(pool.subtract(first, second), pool.minimum(pool.subtract(head, model.entry), one))));
    if (model.exit) {
      const Term end = pool.subtract(model.exit, one);
      from(pool.add(pool.multiply(first, head), pool.multiply(pool.subtract(at(each, end), first),
                                                              pool.maximum(pool.subtract(head, end), zero))));
    }
  }
  return forms;
}

/// A form that is 0 at the first head and grows by `each` in an iteration, at the last head. Null if none is found.
Term Execution::closedSumOver(Term each, const ir::ForStmt &stmt, const LoopModel &model, Term guard, llvm::SMRange range) {
  if (TermPool::asInteger(each) == 0)
    return pool.integer(0);
  const auto changes = changesIn(model);
  if (each->kind == TermKind::Select && !changes(each->operands[0])) {
    Term yes = sumOver(each->operands[1], stmt, model, guard, range),
         no = sumOver(each->operands[2], stmt, model, guard, range);
    return yes && no ? pool.select(each->operands[0], yes, no) : Term();
  }
  if (!changes(each))
    return model.trips ? pool.multiply(model.trips, each) : Term();
  if (each->kind == TermKind::Select) // a condition of which a part does not change
    if (const Term condition = each->operands[0]; condition->kind == TermKind::And || condition->kind == TermKind::Or)
      if (const auto fixed = llvm::find_if(condition->operands, [&](Term part) { return !changes(part); });
          fixed != condition->operands.end()) {
        const auto choiceIf = [&](bool holds) {
          return pool.select(pool.rebuild(condition, [&](Term part) { return part == *fixed ? pool.truth(holds) : Term(); }),
                             each->operands[1], each->operands[2]);
        };
        return closedSumOver(pool.select(*fixed, choiceIf(true), choiceIf(false)), stmt, model, guard, range);
      }
  const Term head = model.head;
  auto at = [&](Term form, Term value) {
    TermPool::Substitution by;
    by[head.get()] = value;
    return pool.substitute(form, by);
  };
  std::vector<Term> inBody;
  TermPool::Substitution body;
  body[head.get()] = model.atBody;
  for (Term fact : model.facts)
    inBody.push_back(pool.substitute(fact, body));
  llvm::append_range(inBody, model.inBody);
  inBody.push_back(guard);
  std::vector<Term> known = facts;
  llvm::append_range(known, inBody);
  SamplePoints samples(defined, pool, known);
  /// Whether the goal holds in each iteration. What is known of iterations is not known behind them, so it is forgotten afterwards.
  auto isShown = [&](const char *what, Term goal) {
    if (samples.refute(goal))
      return false;
    const Trail<Term>::Scope here(facts);
    facts.append(inBody);
    // Sums and maxima that are equal under these facts need not be equal elsewhere, so forget their variables afterwards.
    const llvm::SaveAndRestore numbered(aggregateNumbers, {});
    for (Term wanted : {goal, withDoubledPowers(goal)}) {
      if (!wanted)
        continue;
      Obligation question{Claim::Cost, what, range, known, withNumbersForAggregates(wanted, range)};
      complete(question);
      if (oracle.isProved(question)) {
        found.push_back(question);
        return true;
      }
    }
    return false;
  };
  auto closed = [&](Term summand) -> Term {
    for (Term form : formsOfSum(summand, model, changes))
      if (isShown("the cost of the iterations so far", pool.equal(at(form, model.next), pool.add(at(form, model.atBody), summand))))
        return model.exit ? at(form, model.exit) : form;
    return {};
  };
  if (Term result = closed(each))
    return result;
  if (Term result = countedByCalls(each, model, range))
    return result;
  // What is 0 anyway where a condition does not hold needs no condition, and its parts can be summed by themselves.
  if (each->kind != TermKind::Select || TermPool::asInteger(each->operands[2]) != 0 ||
      !isShown("what is not sent has no length", pool.either(each->operands[0], pool.equal(each->operands[1], pool.integer(0)))))
    return {};
  return sumOfParts(each->operands[1], stmt, model, guard, range);
}

/// The goal with 2 * 2**e in the place of 2**(e + 1) where it contains both powers, and e >= 0 besides: lemmas about quotients relate those
/// whose divisors are the same term. Null if there are no such powers.
Term Execution::withDoubledPowers(Term goal) {
  llvm::SmallSetVector<Term, 4> powers;
  forEachNode({goal}, [&](Term node) {
    if (node->kind == TermKind::Power2)
      powers.insert(node);
  });
  std::vector<Term> conditions;
  const Term result = pool.rebuild(goal, [&](Term node) -> Term {
    if (node->kind != TermKind::Power2)
      return {};
    const Term exponent = pool.subtract(node->operands[0], pool.integer(1)), half = pool.power2(exponent);
    if (!powers.contains(half))
      return {};
    conditions.push_back(pool.lessEqual(pool.integer(0), exponent));
    return pool.scale(2, half);
  });
  if (conditions.empty())
    return {};
  conditions.push_back(result);
  return pool.conjunction(conditions);
}

/// An application of `sum`, which a clause may contain too; null if the loop does not count.
Term Execution::sumInWords(Term each, const LoopModel &model, const ir::ForStmt &stmt) {
  const Term zero = pool.integer(0), one = pool.integer(1), head = model.head, always = pool.truth(true);
  if (stmt.loop == ir::LoopKind::Ascending && model.exit && model.next == pool.add(head, one))
    return aggregate("sum", each, head, model.entry, model.exit, always);
  if (stmt.loop == ir::LoopKind::Ascending && !model.exit && model.trips) {
    const Term iteration = pool.fresh("iteration"), step = pool.subtract(model.next, head);
    TermPool::Substitution by;
    by[head.get()] = pool.add(model.entry, pool.multiply(step, iteration));
    return aggregate("sum", pool.substitute(each, by), iteration, zero, model.trips, always);
  }
  if (stmt.loop == ir::LoopKind::Descending && model.exit)
    return aggregate("sum", each, model.first, model.exit, model.entry, always);
  if (stmt.loop == ir::LoopKind::Times && model.trips && !model.iterations && TermPool::asInteger(model.entry) == 1) {
    Term exponent = pool.fresh("exponent");
    TermPool::Substitution by;
    by[head.get()] = pool.power2(exponent);
    return aggregate("sum", pool.substitute(each, by), exponent, zero, model.trips, always);
  }
  if (stmt.loop == ir::LoopKind::Times && model.iterations && model.trips != model.iterations && TermPool::asInteger(model.entry) == 1) {
    const Term exponent = pool.fresh("exponent");
    TermPool::Substitution by;
    by[head.get()] = pool.power(model.factor, exponent);
    return aggregate("sum", pool.substitute(each, by), exponent, zero, model.trips, always);
  }
  if ((stmt.loop == ir::LoopKind::Halvings || stmt.loop == ir::LoopKind::HalvingsReversed) && model.trips) {
    // After i halvings, each rounded up, a number is ceil(number / 2**i), and the last one is 1.
    const Term iteration = pool.fresh("iteration");
    const auto halved = [&](Term times) {
      const Term power = pool.power2(times);
      return pool.quotient(pool.add(model.limit, pool.subtract(power, one)), power);
    };
    // Numbered from the smallest on, whichever comes first: d for the pair halved(q - d), halved(q - d - 1).
    const Term ofFirst = pool.subtract(model.trips, iteration), ofSecond = pool.subtract(ofFirst, one);
    for (auto [value, inWords] : {std::pair(model.first, halved(ofFirst)), std::pair(model.second, halved(ofSecond))})
      each = pool.rebuild(each, [&, value = value, inWords = inWords](Term node) { return node == value ? inWords : Term(); });
    return aggregate("sum", each, iteration, zero, model.trips, always);
  }
  return {};
}

} // namespace quadrille::compiler::prove
