//===- FunctionTerms.cpp - Bounds of functions that call themselves ----------------------------------------------------===//
//
// A bound is shown by induction on the calls: what the function yields is within it if what its calls yield is. That the
// calls end is shown by a number that falls with each of them and is never negative.
//
//===----------------------------------------------------------------------------------------------------------------===//

#include "DefinedTerms.h"
#include "SamplePoints.h"

#include "llvm/ADT/STLExtras.h"

namespace quadrille::prove {

std::string DefinedTerms::nameOf(const ir::Function &function) { return function.name + "()"; }

Value DefinedTerms::call(const ir::Expr &expr, llvm::ArrayRef<Value> arguments, Term &isDefined) {
  const ir::Function &function = *expr.function;
  std::vector<Term> terms;
  for (const Value &argument : arguments) {
    if (argument.exists || !argument.term || argument.term->isBoolean())
      throw NotModelled{"an argument of the recursive function `" + function.name + "`", expr.range};
    terms.push_back(argument.term);
  }
  if (function.type != ir::Type::Integer)
    throw NotModelled{"the recursive function `" + function.name + "`", expr.range};
  isDefined = domain(boundsOf(function), terms);
  return {pool.apply(nameOf(function), terms), {}, {}};
}

/// Where the calls are known to end. For a function whose bounds are being found that is one of the questions.
Term DefinedTerms::domain(const Bounds &bounds, llvm::ArrayRef<Term> arguments) {
  if (llvm::is_contained(open, bounds.function))
    return pool.truth(true);
  llvm::SmallVector<Term, 4> ways;
  for (const Bounds::Rule &rule : bounds.rules) {
    llvm::SmallVector<Term, 4> before;
    for (Term fact : rule.before)
      before.push_back(instance(fact, bounds, arguments, bounds.result));
    ways.push_back(pool.conjunction(before));
  }
  return pool.disjunction(ways);
}

/// What a fact about a function's variables says of a call.
Term DefinedTerms::instance(Term fact, const Bounds &bounds, llvm::ArrayRef<Term> arguments, Term result) {
  TermPool::Substitution by;
  for (size_t i = 0; i < bounds.arguments.size(); ++i)
    by[bounds.arguments[i].get()] = arguments[i];
  by[bounds.result.get()] = result;
  return pool.substitute(fact, by);
}

DefinedTerms::Bounds &DefinedTerms::boundsOf(const ir::Function &function) {
  const NotModelled unknown{"the recursive function `" + function.name + "`", function.range};
  const std::string name = nameOf(function);
  if (auto known = recursive.find(name); known != recursive.end()) {
    if (llvm::is_contained(open, &function) && open.back() != &function)
      throw unknown; // functions that call each other
    if (known->second->function != &function)
      throw NotModelled{"another function with the name `" + function.name + "`", function.range};
    return *known->second;
  }
  Bounds &bounds = *(recursive[name] = std::make_unique<Bounds>());
  bounds.function = &function;
  for (unsigned i = 0; i < function.argumentCount; ++i)
    bounds.arguments.push_back(pool.variable(function.variables[i].name + "'" + function.name));
  bounds.result = pool.variable("result'" + function.name);
  open.push_back(&function);
  try {
    findBounds(bounds);
    if (bounds.rules.empty())
      throw unknown;
  } catch (const NotModelled &) {
    open.pop_back();
    recursive.erase(name);
    throw;
  }
  open.pop_back();
  wantLaws(function);
  return bounds;
}

ArgumentBounds DefinedTerms::argumentBounds() {
  const Term zero = pool.integer(0), one = pool.integer(1);
  ArgumentBounds result;
  for (const auto &entry : recursive) {
    const Bounds &bounds = *entry.second;
    auto bounded = [&](const Bounds::Rule &rule) -> std::optional<unsigned> {
      auto says = [&](std::initializer_list<Term> facts) {
        return llvm::any_of(facts, [&](Term fact) { return llvm::is_contained(rule.after, fact); });
      };
      if (says({pool.lessEqual(zero, bounds.result), pool.lessEqual(one, bounds.result)}))
        for (unsigned i = 0; i < bounds.arguments.size(); ++i)
          if (says({pool.lessEqual(bounds.result, bounds.arguments[i]), pool.less(bounds.result, bounds.arguments[i]),
                    pool.lessEqual(bounds.result, pool.maximum(one, bounds.arguments[i]))}))
            return i;
      return std::nullopt;
    };
    // The same whichever rule it is that a call falls under, or by that for the most arguments.
    std::optional<unsigned> common;
    bool isCommon = !bounds.rules.empty();
    for (const Bounds::Rule &rule : bounds.rules) {
      const std::optional<unsigned> argument = bounded(rule);
      isCommon &= argument && (!common || *common == *argument);
      common = argument;
    }
    if (isCommon) {
      result[bounds.function] = {*common, {}};
      continue;
    }
    for (const Bounds::Rule &rule : llvm::reverse(bounds.rules))
      if (const std::optional<unsigned> argument = bounded(rule); argument && !rule.before.empty()) {
        std::vector<std::int64_t> least;
        for (Term value : bounds.arguments)
          least.push_back(llvm::is_contained(rule.before, pool.lessEqual(one, value)) ? 1 : 0);
        result[bounds.function] = {*argument, std::move(least)};
        break;
      }
  }
  return result;
}

/// A number ends in as many zeros as there are powers of two, after the first, that divide it.
void DefinedTerms::zerosLemmas(llvm::ArrayRef<Term> calls, llvm::ArrayRef<Term> formulas, std::vector<Term> &result) {
  const Term zero = pool.integer(0), one = pool.integer(1);
  llvm::SmallSetVector<Term, 8> exponents;
  for (Term call : calls)
    if (call->name == "trailing_zeros")
      exponents.insert(call);
  if (exponents.empty())
    return;
  forEachNode(formulas, [&](Term a) {
    if (a->kind == TermKind::Power2)
      exponents.insert(a->operands[0]);
  });
  const size_t given = exponents.size();
  for (size_t i = 0; i < given; ++i)
    exponents.insert(pool.add(exponents[i], one));
  for (Term call : calls) {
    if (call->name != "trailing_zeros")
      continue;
    const Term number = call->operands[0], some = pool.notEqual(number, zero);
    result.push_back(pool.implies(some, pool.lessEqual(zero, call)));
    result.push_back(pool.implies(pool.lessEqual(one, number), pool.lessEqual(pool.power2(call), number)));
    for (Term exponent : exponents)
      result.push_back(pool.implies(pool.both(some, pool.lessEqual(zero, exponent)),
                                    pool.equal(pool.lessEqual(exponent, call),
                                               pool.equal(pool.modulo(number, pool.power2(exponent)), zero))));
  }
}

/// Calls of the function in a term, and the conditions under which they are made.
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

void DefinedTerms::findBounds(Bounds &bounds) {
  const ir::Function &function = *bounds.function;
  const Term zero = pool.integer(0), one = pool.integer(1);
  std::vector<Value> values(function.variables.size());
  for (size_t i = 0; i < bounds.arguments.size(); ++i)
    values[i] = {bounds.arguments[i], {}, {}};
  // Calls of the function itself in its body find the entry that is being made.
  std::vector<Numbers::Need> outer;
  std::swap(outer, numbers.needs);
  Value value = numbers.value(*function.body, values);
  std::vector<Numbers::Need> needs;
  std::swap(needs, numbers.needs);
  std::swap(outer, numbers.needs);
  if (value.exists)
    throw NotModelled{"the recursive function `" + function.name + "`", function.range};
  // Whether it ends has to be seen without the help of lemmas, which may rest on that.
  bounds.body = value.term;
  const Term body = withFormulas(value.term);
  for (Numbers::Need &need : needs)
    need.condition = withFormulas(need.condition);
  std::vector<std::pair<Term, Term>> calls;
  findCalls(pool, body, nameOf(function), pool.truth(true), calls);

  std::vector<Term> candidates{pool.lessEqual(zero, bounds.result), pool.lessEqual(one, bounds.result)};
  for (Term argument : bounds.arguments) {
    candidates.push_back(pool.lessEqual(bounds.result, argument));
    candidates.push_back(pool.less(bounds.result, argument));
    candidates.push_back(pool.lessEqual(bounds.result, pool.maximum(one, argument)));
  }
  auto all = [&](llvm::ArrayRef<Term> facts, llvm::ArrayRef<Term> arguments, Term result) {
    llvm::SmallVector<Term, 4> instances;
    for (Term fact : facts)
      instances.push_back(instance(fact, bounds, arguments, result));
    return pool.conjunction(instances);
  };
  // What says the same as another bound, or less.
  auto dropImplied = [&](std::vector<Term> &after) {
    auto drop = [&](Term weaker, Term stronger) {
      if (llvm::is_contained(after, stronger))
        llvm::erase(after, weaker);
    };
    drop(pool.lessEqual(zero, bounds.result), pool.lessEqual(one, bounds.result));
    for (Term argument : bounds.arguments) {
      drop(pool.lessEqual(bounds.result, argument), pool.less(bounds.result, argument));
      for (Term stronger : {pool.lessEqual(bounds.result, argument), pool.less(bounds.result, argument)})
        drop(pool.lessEqual(bounds.result, pool.maximum(one, argument)), stronger);
    }
  };
  auto question = [&](const std::vector<Term> &before, std::string what, Term goal) {
    Obligation obligation{Claim::Defined, "`" + function.name + "` " + what, function.range, before, goal};
    std::vector<Term> formulas = before;
    formulas.push_back(goal);
    llvm::append_range(obligation.hypotheses, lemmas(formulas));
    return obligation;
  };
  // All arguments whatever; or arguments at least 0 or at least 1, where those of the calls are again. Each way has bounds
  // of its own; of many arguments all are alike, or all but one.
  const size_t argumentCount = bounds.arguments.size();
  std::vector<std::optional<std::uint64_t>> ways{std::nullopt};
  for (std::uint64_t way = 0; argumentCount <= 3 && way < std::uint64_t(1) << argumentCount; ++way)
    ways.push_back(way);
  if (argumentCount > 3) {
    ways.insert(ways.end(), {0, ~std::uint64_t(0)});
    for (size_t i = 0; i < argumentCount; ++i)
      ways.push_back(~(std::uint64_t(1) << i % 64));
  }
  for (std::optional<std::uint64_t> way : ways) {
    std::vector<Term> before;
    for (size_t i = 0; way && i < argumentCount; ++i)
      before.push_back(pool.lessEqual((*way >> (i % 64)) & 1 ? zero : one, bounds.arguments[i]));
    std::vector<Obligation> shown;
    bool closed = true;
    SamplePoints samples(*this, pool, before);
    for (auto [call, condition] : calls) {
      Obligation inside = question(before, "calls itself where its bounds hold",
                                   pool.implies(condition, all(before, call->operands, call)));
      shown.push_back(inside);
      closed = closed && !samples.refute(inside.goal) && isProved(inside);
    }
    if (!closed)
      continue;
    // The calls end: the measure falls, and where it is negative, a call calls no more.
    Term again = pool.truth(false);
    for (const auto &entry : calls)
      again = pool.either(again, entry.second);
    std::vector<Term> measures = bounds.arguments;
    for (Term a : bounds.arguments)
      for (Term b : bounds.arguments)
        if (a != b)
          measures.push_back(pool.subtract(a, b));
    bool ends = false;
    for (Term measure : measures) {
      llvm::SmallVector<Term, 4> falls;
      for (auto [call, condition] : calls)
        falls.push_back(pool.implies(
            condition, pool.both(pool.less(instance(measure, bounds, call->operands, call), measure),
                                 pool.either(pool.lessEqual(zero, measure),
                                             pool.negate(instance(again, bounds, call->operands, call))))));
      Obligation end = question(before, "comes to an end", pool.conjunction(falls));
      if (!samples.refute(end.goal) && isProved(end)) {
        shown.push_back(end);
        if (!bounds.measure)
          bounds.measure = measure;
        ends = true;
        break;
      }
    }
    if (!ends)
      continue;
    // Whatever is not kept by the body is dropped, until the rest is. Of a call that is not made nothing may be assumed: it
    // need not be nearer to the end.
    std::vector<Term> after = candidates;
    const Term itself = pool.apply(nameOf(function), bounds.arguments);
    llvm::erase_if(after, [&](Term fact) { return samples.refute(instance(fact, bounds, bounds.arguments, itself)); });
    for (bool changed = true; changed;) {
      changed = false;
      std::vector<Term> hypotheses = before;
      for (auto [call, condition] : calls)
        hypotheses.push_back(pool.implies(pool.both(condition, all(before, call->operands, call)), all(after, call->operands, call)));
      for (size_t i = 0; i < after.size();) {
        if (isProved(question(hypotheses, "is within its bounds", instance(after[i], bounds, bounds.arguments, body)))) {
          ++i;
        } else {
          after.erase(after.begin() + static_cast<std::ptrdiff_t>(i));
          changed = true;
        }
      }
    }
    dropImplied(after);
    std::vector<Term> hypotheses = before;
    for (auto [call, condition] : calls)
      hypotheses.push_back(pool.implies(pool.both(condition, all(before, call->operands, call)), all(after, call->operands, call)));
    for (Term fact : after)
      shown.push_back(question(hypotheses, "is within its bounds", instance(fact, bounds, bounds.arguments, body)));
    for (const Numbers::Need &need : needs) {
      shown.push_back(question(hypotheses, need.what, need.condition));
      closed = closed && isProved(shown.back());
    }
    if (!closed || (after.empty() && !bounds.rules.empty()))
      continue;
    bounds.rules.push_back({before, after});
    bounds.shown.insert(bounds.shown.end(), shown.begin(), shown.end());
  }
  // A rule for fewer arguments that tells no more is none.
  auto isGiven = [&](Term fact, const Bounds::Rule &rule) {
    return llvm::any_of(rule.before, [&](Term known) {
      return fact == known || llvm::any_of(bounds.arguments, [&](Term argument) {
        return known == pool.lessEqual(one, argument) && fact == pool.lessEqual(zero, argument);
      });
    });
  };
  auto isCovered = [&](const Bounds::Rule &rule, const Bounds::Rule &by) {
    if (!llvm::all_of(by.before, [&](Term fact) { return isGiven(fact, rule); }))
      return false;
    return llvm::all_of(rule.after, [&](Term fact) { return llvm::is_contained(by.after, fact); });
  };
  const std::vector<Bounds::Rule> found = bounds.rules;
  llvm::erase_if(bounds.rules, [&](const Bounds::Rule &rule) {
    return llvm::any_of(found, [&](const Bounds::Rule &by) { return by.before != rule.before && isCovered(rule, by); });
  });
}

} // namespace quadrille::prove
