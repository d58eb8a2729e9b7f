//===- DerivedCost.cpp - What a schedule costs, as terms ----------------------------------------------------------------------===//

#include "DerivedCost.h"

#include "Decisions.h"

#include "instantiate/CaseRun.h"
#include "prove/costs/Aggregates.h"

#include "llvm/Support/SaveAndRestore.h"

namespace quadrille::compiler::prove {

namespace {

/// Makes terms shorter. What the solver proves from the `known` facts decides: a condition that always (never) holds becomes a
/// constant, a part of a conjunction that the others imply is dropped, and so on.
class Shortener {
public:
  Shortener(TermPool &pool, Decisions &decisions, llvm::ArrayRef<Term> known, llvm::SMRange range)
      : pool(pool), decisions(decisions), known(known.begin(), known.end()), range(range) {}

  Term operator()(Term term) {
    return pool.rebuild(term, [&](Term node) -> Term {
      switch (node->kind) {
      case TermKind::AtLeastZero:
      case TermKind::IsZero:
      case TermKind::Bit:
      case TermKind::IsPower2:
        if (follows(node, {}))
          return pool.truth(true);
        if (follows(pool.negate(node), {}))
          return pool.truth(false);
        return {};
      case TermKind::Select: {
        // If yes == no wherever the condition holds (does not hold), `no` (`yes`) suffices.
        const Term condition = node->operands[0], yes = node->operands[1], no = node->operands[2];
        if (yes->isBoolean())
          return {};
        const Term same = pool.equal(yes, no);
        return follows(same, {condition}) ? no : follows(same, {pool.negate(condition)}) ? yes : Term();
      }
      case TermKind::Power2:
        for (Term inside : node->operands[0]->operands)
          if (node->operands[0]->kind == TermKind::CeilLog2 && follows(pool.equal(node, inside), {}))
            return inside;
        return {};
      case TermKind::Modulo:
        return follows(pool.equal(node, pool.integer(0)), {}) ? pool.integer(0) : Term();
      case TermKind::Quotient:
        return node->operands[0] == node->operands[1] && follows(pool.equal(node, pool.integer(1)), {}) ? pool.integer(1)
                                                                                                        : Term();
      case TermKind::And: {
        llvm::SmallVector<Term, 4> rest(node->operands.begin(), node->operands.end());
        for (size_t i = 0; i < rest.size();) {
          llvm::SmallVector<Term, 4> others = rest;
          others.erase(others.begin() + i);
          if (!others.empty() && follows(rest[i], others))
            rest = others;
          else
            ++i;
        }
        return rest.size() < node->operands.size() ? pool.conjunction(rest) : Term();
      }
      default:
        return {};
      }
    });
  }

  bool follows(Term goal, llvm::ArrayRef<Term> from) {
    Obligation question{Claim::Cost, "a shorter formula", range, known, goal};
    llvm::append_range(question.hypotheses, from);
    // In the body of a sum or maximum its index is a variable of the question. A sum or maximum as a whole does not depend on its
    // index, so a fresh variable replaces it.
    for (Term &formula : llvm::drop_begin(question.hypotheses, known.size()))
      formula = withNumbers(formula);
    question.goal = withNumbers(goal);
    for (Term variable : variablesOf({question.goal}))
      if (llvm::StringRef(variable->name).starts_with(aggregateIndex)) // the index of a sum begins with 0
        question.hypotheses.push_back(pool.lessEqual(pool.integer(0), variable));
    return decisions.isProved(question);
  }

private:
  Term withNumbers(Term formula) {
    return pool.rebuild(formula, [&](Term node) -> Term {
      if (!isAggregate(node))
        return {};
      Term &number = numbers[node];
      if (!number)
        number = pool.fresh("aggregate");
      return number;
    });
  }

  TermPool &pool;
  Decisions &decisions;
  const std::vector<Term> known;
  const llvm::SMRange range;
  llvm::DenseMap<Term, Term> numbers; // the variables that replace sums and maxima
};

/// Whether a formula has a value for all p. The cost of a loop has a value if the loop is executed, but the formula need not
/// contain the condition under which it is.
class ValueCheck {
public:
  ValueCheck(TermPool &pool, Shortener &facts) : pool(pool), facts(facts) {}

  bool operator()(Term term) { return hasValue(term, {}); }

private:
  bool hasValue(Term term, const std::vector<Term> &where) {
    if (!isPartial(term))
      return true;
    auto with = [&](std::initializer_list<Term> more) {
      std::vector<Term> result = where;
      result.insert(result.end(), more);
      return result;
    };
    auto allHaveValues = [&](const std::vector<Term> &there) {
      return llvm::all_of(term->monomials, [&](const Monomial &part) { return hasValue(part.atom, there); }) &&
             llvm::all_of(term->operands, [&](Term operand) { return hasValue(operand, there); });
    };
    if (term->kind == TermKind::Select) {
      const Term condition = term->operands[0];
      return hasValue(condition, where) && hasValue(term->operands[1], with({condition})) &&
             hasValue(term->operands[2], with({pool.negate(condition)}));
    }
    if (isAggregate(term)) {
      const Term each = term->operands[0], choice = term->operands[1], count = term->operands[2];
      const Term index = pool.variable(aggregateIndex.str() + std::to_string(aggregateLevel(term)));
      const Term inside = pool.inRange(pool.integer(0), index, count);
      return hasValue(count, where) && hasValue(choice, with({inside})) &&
             hasValue(each, with({inside, pool.equal(choice, pool.integer(1))}));
    }
    if (!allHaveValues(where))
      return false;
    const Term zero = pool.integer(0);
    switch (term->kind) {
    case TermKind::FloorLog2:
    case TermKind::CeilLog2:
      return facts.follows(pool.less(zero, term->operands[0]), where);
    case TermKind::Power2:
    case TermKind::Power:
      return facts.follows(pool.lessEqual(zero, term->operands.back()), where);
    case TermKind::Quotient:
    case TermKind::Modulo:
      return TermPool::asInteger(term->operands[1]) || facts.follows(pool.notEqual(term->operands[1], zero), where);
    default:
      return true;
    }
  }

  /// Whether a part of the term has no value for some operands.
  static bool isPartial(Term term) {
    bool result = false;
    forEachNode({term}, [&](Term node) {
      const bool divides = (node->kind == TermKind::Quotient || node->kind == TermKind::Modulo) &&
                           !TermPool::asInteger(node->operands[1]);
      result |= divides || node->kind == TermKind::FloorLog2 || node->kind == TermKind::CeilLog2 || node->kind == TermKind::Power2 ||
                node->kind == TermKind::Power;
    });
    return result;
  }

  TermPool &pool;
  Shortener &facts;
};

struct Failure {
  bool contentsMatter = false; // an execution with the contents of buffers might find more
  std::optional<LimitInForce> ranOut; // a higher limit might find more
};

/// When to prove the laws of functions that a cost depends on. Many laws are about the contents of buffers, which lengths do not
/// use.
enum class Laws {
  AtOnce, // as soon as a proof has used them
  Last,   // when the cost has been found: many searches fail for other reasons
};

/// Derives the cost in one way; nothing if the cost depends on laws that could not be shown.
std::optional<CostDerivation> derive(const ir::Schedule &schedule, const std::shared_ptr<TermPool> &pool, Decisions &decisions,
                                     const ProofOptions &options, bool withContents, Laws when, Failure &failure) {
  // Facts about functions and laws may depend on each other, so laws that facts use are proved at once.
  auto isProved = [&](const Obligation &obligation) {
    const llvm::SaveAndRestore<llvm::SetVector<Term> *> owing(decisions.owed, nullptr);
    return decisions.isProved(obligation);
  };
  DefinedTerms defined(schedule, *pool, isProved, [&](const Obligation &obligation) { return decisions.ranOut(obligation); });
  defined.supposeLaws();
  llvm::SetVector<Term> owed;
  const llvm::SaveAndRestore supposing(decisions.supposing, &defined);
  const llvm::SaveAndRestore owing(decisions.owed, when == Laws::Last ? &owed : nullptr);
  Execution execution(schedule, *pool, decisions, Products::Ordered, defined);
  CostDerivation result;
  auto isOpen = [&](const Obligation &obligation) {
    result.why = {Gap::NotShown, obligation.name, obligation.range, defined.boundOfSearch(obligation)};
    // If a limit ran out, an execution with contents, which asks more, does not help.
    if (const std::optional<LimitInForce> limit = decisions.decide(obligation).ranOut)
      failure.ranOut = limit;
    else
      failure.contentsMatter = true;
  };
  try {
    withContents ? execution.run() : execution.runForCost();
  } catch (const NotModelled &gap) {
    result.why = gap;
    return result;
  } catch (const NotShown &open) {
    isOpen(open.obligation);
    return result;
  } catch (const TermOverflow &overflow) {
    result.why = {overflow, schedule.nameRange};
    return result;
  } catch (const EvaluationError &error) {
    result.why = {Gap::SmallCase, error.range};
    return result;
  } catch (const Finding &finding) {
    result.why = {Gap::SmallCase, finding.diagnostic.range};
    return result;
  }
  if (execution.unusedGap()) { // an unused expression that may have no value
    result.why = *execution.unusedGap();
    return result;
  }
  auto factsOf = [&](const ir::Function &function) { return defined.factsOf(function); };
  if (const std::optional<NotModelled> overflow = whatMayOverflow(schedule, factsOf, /*costIsProved=*/false).evaluated) {
    result.why = *overflow;
    return result;
  }
  const SymbolicCost &cost = execution.totalCost();
  if (cost.unknown) {
    result.why = *cost.unknown;
    return result;
  }
  // With contents, the length of a message may depend on invariants, and on which of several receives wrote a buffer last.
  auto isNeeded = [&](Claim claim) {
    return (costRestsOn(claim) && claim != Claim::Cost && claim != Claim::Rounds) ||
           (withContents && (claim == Claim::Invariant || claim == Claim::Race));
  };
  for (const Obligation &obligation : execution.obligations())
    if (isNeeded(obligation.claim) && !obligation.isStatedOnly && !decisions.isProved(obligation)) {
      isOpen(obligation);
      return result;
    }
  if (decisions.solver.satisfiable(execution.countableAssumptions(), options.effort) == Answer::Refuted) {
    result.why = {Gap::NothingAdmitted, schedule.nameRange};
    return result;
  }
  bool clauseHolds = (schedule.cost || schedule.rounds) && !execution.whyNoCost() && !execution.whyNoRounds();
  for (const Obligation &obligation : execution.obligations())
    if (obligation.claim == Claim::Cost || obligation.claim == Claim::Rounds)
      clauseHolds = clauseHolds && decisions.isProved(obligation);
  Shortener shorter(*pool, decisions, execution.assumptions(), schedule.nameRange);
  auto finished = [&](Term term) {
    // The start of a loop may be the last value of another loop's variable, so substitute repeatedly.
    for (unsigned i = 0; i <= execution.lastValues().size(); ++i)
      term = pool->substitute(term, execution.lastValues());
    return shorter(term);
  };
  try {
    result.cost = DerivedCost{pool, finished(cost.startups), finished(cost.blocks), finished(cost.packets),
                              finished(cost.own), cost.denominator, execution.packetsPerBlock(), cost.startupsExact,
                              cost.exact, cost.startupsExact && cost.withRankZero,
                              cost.startupsExact && cost.exact && cost.longestWithRankZero, clauseHolds};
  } catch (const TermOverflow &overflow) {
    result.why = {overflow, schedule.nameRange};
  }
  ValueCheck hasValue(*pool, shorter);
  if (result.cost && !llvm::all_of(std::array{result.cost->startups, result.cost->blocks, result.cost->packets, result.cost->own},
                                   hasValue)) {
    result.cost.reset();
    result.why = {Gap::DerivedWithoutValue, schedule.nameRange};
    return result;
  }
  if (result.cost && !defined.showLaws(owed.getArrayRef()))
    return std::nullopt;
  return result;
}

CostDerivation derive(const ir::Schedule &schedule, const std::shared_ptr<TermPool> &pool, Decisions &decisions,
                      const ProofOptions &options, bool withContents, Failure &failure) {
  auto with = [&](Laws when) { return derive(schedule, pool, decisions, options, withContents, when, failure); };
  std::optional<CostDerivation> result = with(Laws::Last);
  if (!result)
    result = with(Laws::AtOnce);
  return std::move(*result);
}

} // namespace

/// The limits for costs: users wait for a cost, so it gets less time than a proof.
static ProofOptions briefly() {
  ProofOptions options;
  options.effort = {limits::costSolverSteps, limits::solverStepsOther.at(0)};
  options.totalResources = limits::costProofSteps;
  return options;
}

CostDerivation deriveCost(const ir::Schedule &schedule, SharedAnswers *shared) {
  if (schedule.usesNodes)
    return {std::nullopt, {Gap::NodesAreData, schedule.nameRange}, /*outOfMemory=*/false};
  if (!solverMemoryLeft())
    return {std::nullopt, {Gap::Memory, schedule.nameRange, solverMemory()}, /*outOfMemory=*/true};
  if (needsSimulation(schedule))
    return {std::nullopt, {Gap::RoundsByRank, schedule.nameRange}, /*outOfMemory=*/false};
  ProofOptions options = briefly();
  options.shared = shared;
  auto pool = std::make_shared<TermPool>();
  Candidates candidates(schedule, *pool);
  Decisions decisions(*pool, candidates, options); // shared, so that both ways decide equal questions once
  // The contents of buffers matter only if lengths depend on them: with packets, and with blocks of their own lengths.
  Failure failure;
  CostDerivation quick = derive(schedule, pool, decisions, options, /*withContents=*/false, failure);
  const bool isBound = quick.cost && !(quick.cost->wordsExact && quick.cost->startupsExact);
  CostDerivation thorough;
  // The thorough way asks all this again and more: it would not finish if the quick way has used more than half of the resources.
  const bool isWanted = isBound || failure.contentsMatter;
  const bool isThorough = isWanted && decisions.solver.resourcesUsed() <= options.totalResources.value() / 2;
  if (isWanted && !isThorough)
    failure.ranOut = options.totalResources;
  if (isThorough)
    thorough = derive(schedule, pool, decisions, options, /*withContents=*/true, failure);
  CostDerivation result = isThorough && (thorough.cost || !quick.cost) ? std::move(thorough) : std::move(quick);
  result.outOfMemory = decisions.outOfMemory;
  if (!result.cost && (failure.ranOut || decisions.solver.resourcesUsed() > options.totalResources.value()))
    result.why = {Gap::LongDerivation, schedule.nameRange,
                  failure.ranOut.value_or(options.totalResources)};
  return result;
}

} // namespace quadrille::compiler::prove
