//===- FunctionBounds.cpp - Bounds of functions that call themselves ---------------------------------------------------===//
//
// A bound is shown by induction on the calls: the function's value is within it if the values of its calls are. The recursion
// ends because a measure decreases with each call, and a call with a negative measure makes no further call.
//
// If the body divides by a number, the value may be the number of digits of an argument to that base: then powers of the base with
// the value as exponent are bounds of the argument.
//
//===----------------------------------------------------------------------------------------------------------------===//

#include "DefinedTerms.h"
#include "SamplePoints.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/SaveAndRestore.h"

#include <array>

namespace quadrille::compiler::prove {

/// Appends the calls of function `name` in a term, with the conditions under which they are made.
static void findCalls(TermPool &pool, Term term, llvm::StringRef name, Term condition,
                      std::vector<std::pair<Term, Term>> &calls) {
  bool any = false;
  forEachNode({term}, [&](Term a) { any |= a->kind == TermKind::Apply && a->name == name; });
  if (!any)
    return;
  if (term->kind == TermKind::Apply && term->name == name)
    calls.push_back({term, condition});
  if (term->kind == TermKind::Select) {
    findCalls(pool, term->operands[0], name, condition, calls);
    findCalls(pool, term->operands[1], name, pool.both(condition, term->operands[0]), calls);
    findCalls(pool, term->operands[2], name, pool.both(condition, pool.negate(term->operands[0])), calls);
    return;
  }
  for (const Monomial &m : term->monomials)
    findCalls(pool, m.atom, name, condition, calls);
  for (Term operand : term->operands)
    findCalls(pool, operand, name, condition, calls);
}

class DefinedTerms::BoundsSearch {
public:
  BoundsSearch(DefinedTerms &defined, Bounds &bounds)
      : defined(defined), bounds(bounds), pool(defined.pool), zero(pool.integer(0)), one(pool.integer(1)),
        two(pool.integer(2)) {}

  void run() {
    translate();
    for (std::vector<Term> &before : waysToBegin())
      if (std::optional<Way> way = attempt(std::move(before))) {
        // A way without facts about the result adds nothing to the rules there are.
        if (!way->after.empty() || bounds.rules.empty()) {
          bounds.rules.push_back({way->before, way->after, way->measure});
          for (const Obligation &obligation : way->shown)
            if (llvm::none_of(bounds.shown, [&](const Obligation &o) { return isSame(o, obligation); }))
              bounds.shown.push_back(obligation);
        }
        ways.push_back(std::move(*way));
      }
    dropCovered();
  }

private:
  /// What holds for the function if its arguments satisfy `before`, which the arguments of its recursive calls then satisfy too.
  struct Way {
    std::vector<Term> before, after; // about the arguments; about the result
    Term measure;                    // decreases with each call
    std::vector<Obligation> shown;
  };

  static bool isSame(const Obligation &a, const Obligation &b) { return a.goal == b.goal && a.hypotheses == b.hypotheses; }

  /// Sets the function's body as a term, the calls in it, and the condition under which it has a value.
  void translate() {
    const ir::Function &function = *bounds.function;
    std::vector<Value> values(function.variables.size());
    for (size_t i = 0; i < bounds.arguments.size(); ++i)
      values[i] = {bounds.arguments[i], {}, {}};
    llvm::SmallVector<Term, 8> conditions;
    std::vector<std::pair<Term, Term>> made; // recursive calls, with their conditions
    {
      const Numbers::Apart apart(defined.numbers);
      // Recursive calls in the body find this unfinished entry: boundsOf returns it.
      const llvm::SaveAndRestore noted(defined.callsOfItself, &made);
      const Value value = defined.numbers.value(*function.body, values);
      if (value.exists)
        throw NotModelled{Gap::RecursiveFunction, function.name, function.range};
      bounds.body = value.term;
      for (const Numbers::Need &need : defined.numbers.needs)
        conditions.push_back(need.condition);
    }
    // The proof that the recursion ends must not use lemmas, whose proofs assume that it ends.
    body = defined.withFormulas(bounds.body);
    hasValue = defined.withFormulas(pool.conjunction(conditions));
    // Calls may be lost when the body's term is simplified, but evaluation makes them: add them.
    findCalls(pool, body, nameOf(function), pool.truth(true), calls);
    for (const auto &[call, condition] : made) {
      const Term same = withFormulasInside(call), when = defined.withFormulas(condition);
      if (llvm::none_of(calls, [&](const auto &known) {
            return known.first == same && (pool.isTrue(known.second) || known.second == when || pool.isTrue(pool.implies(when, known.second)));
          }))
        calls.push_back({same, when});
    }
    callsAgain = pool.truth(false);
    for (const auto &entry : calls)
      callsAgain = pool.either(callsAgain, entry.second);
  }

  Term withFormulasInside(Term call) const {
    std::vector<Term> arguments;
    for (Term argument : call->operands)
      arguments.push_back(defined.withFormulas(argument));
    return pool.apply(call->name, arguments);
  }

  /// Whether the body divides by what contains the argument, or multiplies with it.
  bool isFactor(Term argument) const {
    bool result = false;
    forEachNode({body}, [&](Term a) {
      result |= a->kind == TermKind::Quotient && llvm::is_contained(variablesOf({a->operands[1]}), argument);
      result |= a->kind == TermKind::Product && llvm::is_contained(a->operands, argument);
    });
    return result;
  }

  /// The conditions on arguments that are tried: none; or each argument is at least 0 or at least 1, in all combinations up to
  /// three arguments, else all arguments alike or all but one. Divisors and factors are also tried where they are at least 2: what is
  /// divided gets smaller then, and a product larger.
  std::vector<std::vector<Term>> waysToBegin() const {
    const size_t count = bounds.arguments.size();
    std::vector<std::vector<Term>> result{{}};
    auto add = [&](auto &&isFromZero) {
      std::vector<Term> &before = result.emplace_back();
      for (size_t i = 0; i < count; ++i)
        before.push_back(pool.lessEqual(isFromZero(i) ? zero : one, bounds.arguments[i]));
    };
    if (count <= 3) {
      for (unsigned way = 0; way < 1u << count; ++way)
        add([&](size_t i) { return (way >> i & 1) != 0; });
      const size_t plain = result.size();
      for (size_t i = 0; i < count; ++i)
        for (size_t way = 1; way < plain && isFactor(bounds.arguments[i]); ++way) {
          std::vector<Term> before = result[way];
          if (before[i] != pool.lessEqual(one, bounds.arguments[i]))
            continue;
          before[i] = pool.lessEqual(two, bounds.arguments[i]);
          result.push_back(std::move(before));
        }
      return result;
    }
    add([](size_t) { return false; });
    add([](size_t) { return true; });
    for (size_t different = 0; different < count; ++different)
      add([&](size_t i) { return i != different; });
    return result;
  }

  Term all(llvm::ArrayRef<Term> facts, llvm::ArrayRef<Term> arguments, Term result) const {
    llvm::SmallVector<Term, 4> instances;
    for (Term fact : facts)
      instances.push_back(defined.instance(fact, bounds, arguments, result));
    return pool.conjunction(instances);
  }

  Obligation question(const std::vector<Term> &hypotheses, const std::string &what, Term goal) const {
    Obligation obligation{Claim::Defined, "`" + bounds.function->name + "` " + what, bounds.function->range, hypotheses, goal};
    std::vector<Term> formulas = hypotheses;
    formulas.push_back(goal);
    llvm::append_range(obligation.hypotheses, defined.lemmas(formulas));
    obligation.isOfDefinitions = true;
    return obligation;
  }

  bool isProved(const Obligation &obligation) const {
    if (defined.isProved(obligation))
      return true;
    if (!bounds.ranOut && defined.ranOut)
      bounds.ranOut = defined.ranOut(obligation);
    return false;
  }

  /// Whether the obligation is proved; the solver is not asked if it is false at a sample point.
  bool isShown(const Obligation &obligation, SamplePoints &samples, Way &way) const {
    if (samples.refute(obligation.goal) || !isProved(obligation))
      return false;
    way.shown.push_back(obligation);
    return true;
  }

  std::optional<Way> attempt(std::vector<Term> before) const {
    Way way{std::move(before), {}, {}, {}};
    SamplePoints samples(defined, pool, way.before);
    llvm::SmallVector<Term, 4> inside;
    for (auto [call, condition] : calls)
      inside.push_back(pool.implies(condition, all(way.before, call->operands, call)));
    if (!isShown(question(way.before, "calls itself where its bounds hold", pool.conjunction(inside)), samples, way))
      return std::nullopt;
    // Facts that were found under a weaker condition hold here too.
    bool isKnown = false;
    for (const Way &wider : ways)
      if (isGiven(wider.before, way.before)) {
        isKnown = true;
        way.measure = wider.measure;
        for (Term fact : wider.after)
          if (!llvm::is_contained(way.after, fact))
            way.after.push_back(fact);
        llvm::append_range(way.shown, wider.shown);
      }
    if (!isKnown && !end(way, samples))
      return std::nullopt;
    findFacts(way, samples);
    if (!isKnown) {
      way.shown.push_back(question(ifCallsKeep(way.before, way.after), "has a value", hasValue));
      if (!isProved(way.shown.back()))
        return std::nullopt;
    }
    return way;
  }

  /// Whether the recursion ends: searches a measure that decreases with each call, and such that a call with a negative one makes
  /// no further call.
  bool end(Way &way, SamplePoints &samples) const {
    std::vector<Term> measures = bounds.arguments;
    for (Term a : bounds.arguments)
      for (Term b : bounds.arguments)
        if (a != b)
          measures.push_back(pool.subtract(a, b));
    for (Term measure : measures) {
      llvm::SmallVector<Term, 4> falls;
      for (auto [call, condition] : calls)
        falls.push_back(pool.implies(
            condition, pool.both(pool.less(defined.instance(measure, bounds, call->operands, call), measure),
                                 pool.either(pool.lessEqual(zero, measure),
                                             pool.negate(defined.instance(callsAgain, bounds, call->operands, call))))));
      if (!isShown(question(way.before, "comes to an end", pool.conjunction(falls)), samples, way))
        continue;
      if (!bounds.measure)
        bounds.measure = measure;
      way.measure = measure;
      return true;
    }
    return false;
  }

  /// Induction hypotheses: the facts `after` hold for each call that is made and whose arguments satisfy `before`. Nothing may be
  /// assumed about a call that is not made, since its measure need not be smaller.
  std::vector<Term> ifCallsKeep(const std::vector<Term> &before, llvm::ArrayRef<Term> after) const {
    std::vector<Term> hypotheses = before;
    for (auto [call, condition] : calls)
      hypotheses.push_back(pool.implies(pool.both(condition, all(before, call->operands, call)), all(after, call->operands, call)));
    return hypotheses;
  }

  /// Adds facts about the result. Candidates that the body does not preserve are dropped, until the rest is preserved.
  void findFacts(Way &way, SamplePoints &samples) const {
    std::vector<Term> candidates{pool.lessEqual(zero, bounds.result), pool.lessEqual(one, bounds.result)};
    for (Term argument : bounds.arguments) {
      candidates.push_back(pool.lessEqual(bounds.result, argument));
      candidates.push_back(pool.less(bounds.result, argument));
      candidates.push_back(pool.lessEqual(bounds.result, pool.maximum(one, argument)));
    }
    // Where a part of the argument begins that is halved again and again.
    forEachNode({body}, [&](Term part) {
      if (part->kind == TermKind::Quotient && llvm::is_contained(bounds.arguments, part->operands[0]))
        candidates.push_back(pool.lessEqual(pool.add(bounds.result, part), part->operands[0]));
    });
    for (const std::vector<Term> &facts : boundsByPowers())
      llvm::append_range(candidates, facts);
    const Term itself = pool.apply(nameOf(*bounds.function), bounds.arguments);
    llvm::erase_if(candidates, [&](Term fact) {
      return llvm::is_contained(way.after, fact) || isImplied(fact, way.after) ||
             samples.refute(defined.instance(fact, bounds, bounds.arguments, itself));
    });
    auto kept = [&](llvm::ArrayRef<Term> facts) {
      std::vector<Term> after = way.after;
      llvm::append_range(after, candidates);
      return question(ifCallsKeep(way.before, after), "is within its bounds", all(facts, bounds.arguments, body));
    };
    bool isStable = isProved(kept(candidates));
    while (!isStable) {
      isStable = true;
      for (size_t i = 0; i < candidates.size();) {
        if (isProved(kept({candidates[i]}))) {
          ++i;
          continue;
        }
        candidates.erase(candidates.begin() + static_cast<std::ptrdiff_t>(i));
        isStable = false;
      }
    }
    // What is implied by others may be needed as an induction hypothesis all the same.
    const std::vector<Term> stable = candidates;
    dropImplied(candidates);
    if (!llvm::all_of(candidates, [&](Term fact) { return isProved(kept({fact})); }))
      candidates = stable;
    for (Term fact : candidates)
      way.shown.push_back(kept({fact}));
    llvm::append_range(way.after, candidates);
    dropImplied(way.after);
  }

  /// Candidates for facts about a number of digits: the powers of a base between which an argument lies. Bases are the divisors in the
  /// body (arguments or numbers), but not 2, which has facts of its own. In each list, the first fact that holds implies the others.
  std::vector<std::vector<Term>> boundsByPowers() const {
    llvm::SetVector<Term> bases;
    forEachNode({body}, [&](Term a) {
      if (a->kind == TermKind::Quotient && a->operands[1] != two &&
          (TermPool::asInteger(a->operands[1]) || llvm::is_contained(bounds.arguments, a->operands[1])))
        bases.insert(a->operands[1]);
    });
    std::vector<std::vector<Term>> result;
    for (Term base : bases)
      for (Term argument : bounds.arguments) {
        if (argument == base)
          continue;
        std::vector<Term> below, above;
        for (std::int64_t more : {-1, 0, 1}) {
          const Term exponent = pool.add(bounds.result, pool.integer(more)), power = pool.power(base, exponent);
          auto fact = [&](Term relation) { return pool.implies(pool.lessEqual(zero, exponent), relation); };
          llvm::append_range(below, std::array{fact(pool.less(argument, power)), fact(pool.lessEqual(argument, power))});
          above.insert(above.begin(), {fact(pool.less(power, argument)), fact(pool.lessEqual(power, argument))});
          if (more == -1) // of 0 there is one digit, too
            above.push_back(fact(pool.lessEqual(power, pool.maximum(one, argument))));
        }
        result.push_back(std::move(below));
        result.push_back(std::move(above));
      }
    return result;
  }

  void dropImplied(std::vector<Term> &facts) const {
    const std::vector<Term> given = facts;
    llvm::erase_if(facts, [&](Term fact) { return isImplied(fact, given); });
    for (const std::vector<Term> &group : boundsByPowers()) {
      const auto most = llvm::find_if(group, [&](Term fact) { return llvm::is_contained(given, fact); });
      llvm::erase_if(facts, [&](Term fact) { return llvm::is_contained(group, fact) && fact != *most; });
    }
  }

  /// Whether one of the facts implies `fact`.
  bool isImplied(Term fact, llvm::ArrayRef<Term> facts) const {
    auto says = [&](Term stronger) { return llvm::is_contained(facts, stronger); };
    if (fact == pool.lessEqual(zero, bounds.result))
      return says(pool.lessEqual(one, bounds.result));
    return llvm::any_of(bounds.arguments, [&](Term argument) {
      const Term most = pool.lessEqual(bounds.result, argument), less = pool.less(bounds.result, argument);
      return (fact == most && says(less)) ||
             (fact == pool.lessEqual(bounds.result, pool.maximum(one, argument)) && (says(most) || says(less)));
    });
  }

  /// Whether arguments that satisfy `facts` satisfy `wanted`.
  bool isGiven(llvm::ArrayRef<Term> wanted, llvm::ArrayRef<Term> facts) const {
    return llvm::all_of(wanted, [&](Term fact) {
      return llvm::is_contained(facts, fact) || llvm::any_of(bounds.arguments, [&](Term argument) {
               const Term natural = pool.lessEqual(zero, argument), positive = pool.lessEqual(one, argument);
               const bool isTwo = llvm::is_contained(facts, pool.lessEqual(two, argument));
               return (fact == natural && (isTwo || llvm::is_contained(facts, positive))) || (fact == positive && isTwo);
             });
    });
  }

  /// Drops rules that another rule with a weaker condition covers.
  void dropCovered() {
    const std::vector<Bounds::Rule> found = bounds.rules;
    llvm::erase_if(bounds.rules, [&](const Bounds::Rule &rule) {
      return llvm::any_of(found, [&](const Bounds::Rule &by) {
        return by.before != rule.before && isGiven(by.before, rule.before) &&
               llvm::all_of(rule.after, [&](Term fact) { return llvm::is_contained(by.after, fact); });
      });
    });
  }

  DefinedTerms &defined;
  Bounds &bounds;
  TermPool &pool;
  const Term zero, one, two;
  Term body, hasValue, callsAgain;
  std::vector<std::pair<Term, Term>> calls; // recursive calls, with the conditions under which they are made
  std::vector<Way> ways;
};

void DefinedTerms::findBounds(Bounds &bounds) { BoundsSearch(*this, bounds).run(); }

} // namespace quadrille::compiler::prove
