//===- FunctionTerms.cpp - Functions that call themselves, as terms ------------------------------------------------------===//

#include "DefinedTerms.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/SaveAndRestore.h"

#include <cassert>

namespace quadrille::compiler::prove {

std::string DefinedTerms::nameOf(const ir::Function &function) { return function.name + "()"; }

// Names of arguments do not begin with an apostrophe, so they differ from that of the result.
Term DefinedTerms::argumentName(const ir::Function &function, unsigned i) {
  return pool.variable(function.variables[i].name + "'" + function.name);
}
Term DefinedTerms::resultName(const ir::Function &function) { return pool.variable("'result'" + function.name); }

Value DefinedTerms::call(const ir::Expr &expr, llvm::ArrayRef<Value> arguments, Term &isDefined) {
  const ir::Function &function = *expr.function;
  std::vector<Term> terms;
  for (const Value &argument : arguments) {
    if (argument.exists || !argument.term || argument.term->isBoolean())
      throw NotModelled{Gap::ArgumentOfFunction, function.name, expr.range};
    terms.push_back(argument.term);
  }
  if (function.type != ir::Type::Integer)
    throw NotModelled{Gap::RecursiveFunction, function.name, expr.range};
  isDefined = domain(boundsOf(function), terms);
  const Term result = pool.apply(nameOf(function), terms);
  if (callsOfItself && open.back() == &function)
    callsOfItself->push_back({result, numbers.condition()});
  return {result, {}, {}};
}

// While bounds are being searched, the search itself shows that the calls end.
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

/// A fact about a function's variables, applied to a call.
Term DefinedTerms::instance(Term fact, const Bounds &bounds, llvm::ArrayRef<Term> arguments, Term result) {
  assert(arguments.size() == bounds.arguments.size() && "the arguments of one call");
  TermPool::Substitution by;
  for (size_t i = 0; i < bounds.arguments.size(); ++i)
    by[bounds.arguments[i].get()] = arguments[i];
  by[bounds.result.get()] = result;
  return pool.substitute(fact, by);
}

DefinedTerms::Bounds &DefinedTerms::boundsOf(const ir::Function &function) {
  const std::string name = nameOf(function);
  if (auto known = recursive.find(name); known != recursive.end()) {
    if (llvm::is_contained(open, &function) && open.back() != &function)
      throw NotModelled{Gap::RecursiveFunction, function.name, function.range}; // functions that call each other are not modelled
    if (known->second->function != &function)
      throw NotModelled{Gap::SameNameFunction, function.name, function.range};
    return *known->second;
  }
  Bounds &bounds = *(recursive[name] = std::make_unique<Bounds>());
  bounds.function = &function;
  for (unsigned i = 0; i < function.argumentCount; ++i)
    bounds.arguments.push_back(argumentName(function, i));
  bounds.result = resultName(function);
  open.push_back(&function);
  try {
    findBounds(bounds);
    if (bounds.rules.empty())
      throw NotModelled{Gap::RecursiveFunction, function.name, function.range, bounds.ranOut};
  } catch (const NotModelled &) {
    open.pop_back();
    recursive.erase(name);
    throw;
  }
  assert(open.back() == &function && "searches are nested");
  open.pop_back();
  if (!wantsNoLaws)
    wantLaws(function);
  return bounds;
}

llvm::ArrayRef<FunctionFacts> DefinedTerms::factsOf(const ir::Function &function) {
  auto [known, isNew] = facts.try_emplace(&function);
  if (!isNew)
    return known->second;
  std::vector<FunctionFacts> found;
  try {
    const llvm::SaveAndRestore withoutLaws(wantsNoLaws, true);
    const Bounds &bounds = boundsOf(function);
    for (const Bounds::Rule &rule : bounds.rules)
      found.push_back(factsOf(bounds, rule));
  } catch (const NotModelled &) { // no bounds: nothing is known
  } catch (const TermOverflow &) {
  }
  return facts[&function] = std::move(found);
}

FunctionFacts DefinedTerms::factsOf(const Bounds &bounds, const Bounds::Rule &rule) {
  const Term zero = pool.integer(0), one = pool.integer(1);
  auto takes = [&](Term fact) { return llvm::is_contained(rule.before, fact); };
  auto yields = [&](Term fact) { return llvm::is_contained(rule.after, fact); };
  FunctionFacts result;
  for (Term argument : bounds.arguments)
    result.least.push_back(takes(pool.lessEqual(pool.integer(2), argument)) ? std::optional<std::int64_t>(2)
                           : takes(pool.lessEqual(one, argument))  ? std::optional<std::int64_t>(1)
                           : takes(pool.lessEqual(zero, argument)) ? std::optional<std::int64_t>(0)
                                                                      : std::nullopt);
  if (yields(pool.lessEqual(one, bounds.result)))
    result.atLeast = 1;
  else if (yields(pool.lessEqual(zero, bounds.result)))
    result.atLeast = 0;
  for (unsigned i = 0; i < bounds.arguments.size(); ++i) {
    const Term argument = bounds.arguments[i];
    if (yields(pool.lessEqual(bounds.result, argument)) || yields(pool.less(bounds.result, argument)))
      result.atMost.push_back(i);
    else if (yields(pool.lessEqual(bounds.result, pool.maximum(one, argument))))
      result.atMostOrOne.push_back(i);
  }
  // A base is an argument, or a number that the body divides by.
  llvm::SmallVector<std::pair<Term, FunctionFacts::Digits>, 4> bases;
  for (unsigned i = 0; i < bounds.arguments.size(); ++i)
    bases.push_back({bounds.arguments[i], {0, i}});
  forEachNode(rule.after, [&](Term a) {
    if (a->kind == TermKind::Power)
      if (auto number = TermPool::asInteger(a->operands[0]))
        bases.push_back({a->operands[0], {0, std::nullopt, *number}});
  });
  const Term before = pool.subtract(bounds.result, one);
  for (auto [base, digits] : bases)
    for (unsigned i = 0; i < bounds.arguments.size(); ++i) {
      const Term argument = bounds.arguments[i], power = pool.power(base, before);
      digits.argument = i;
      for (Term fact : {pool.less(power, argument), pool.lessEqual(power, argument), pool.lessEqual(power, pool.maximum(one, argument))})
        if (yields(pool.implies(pool.lessEqual(zero, before), fact)) && !llvm::is_contained(result.digits, digits))
          result.digits.push_back(digits);
    }
  // The measure is an argument, or the difference of two.
  for (unsigned i = 0; i < bounds.arguments.size(); ++i) {
    if (rule.measure == bounds.arguments[i])
      result.measure = {i, std::nullopt};
    for (unsigned j = 0; j < bounds.arguments.size(); ++j)
      if (i != j && rule.measure == pool.subtract(bounds.arguments[i], bounds.arguments[j]))
        result.measure = {i, j};
  }
  return result;
}

std::optional<LimitInForce> DefinedTerms::boundOfSearch(const Obligation &obligation) const {
  std::optional<LimitInForce> result;
  std::vector<Term> formulas = obligation.hypotheses;
  formulas.push_back(obligation.goal);
  forEachNode(formulas, [&](Term a) {
    if (a->kind != TermKind::Apply || result)
      return;
    if (auto known = recursive.find(a->name); known != recursive.end())
      result = known->second->ranOut;
  });
  return result;
}

std::vector<Obligation> DefinedTerms::laterObligations() {
  std::vector<Obligation> result;
  for (const auto &[name, bounds] : recursive)
    if (withObligations.insert(name).second)
      llvm::append_range(result, bounds->shown);
  for (const auto &tree : trees)
    if (!std::exchange(tree->arePotentialsReturned, true))
      for (const Potential &potential : tree->potentials)
        llvm::append_range(result, potential.shown);
  const auto add = [&](Law &law) {
    if (law.isShown && !std::exchange(law.isReturned, true))
      llvm::append_range(result, law.shown);
  };
  for (const auto &[which, law] : growth)
    add(*law);
  for (const auto &[which, law] : digitLaws)
    add(*law);
  return result;
}

/// Lemmas of trailing zeros: 2**e divides the number if and only if e <= trailing_zeros(number). So any power of two w, such as the variable
/// of a loop that doubles, divides the number if and only if w <= 2**trailing_zeros(number).
void DefinedTerms::zerosLemmas(llvm::ArrayRef<Term> calls, llvm::ArrayRef<Term> formulas, std::vector<Term> &result) {
  const Term zero = pool.integer(0), one = pool.integer(1);
  llvm::SmallSetVector<Term, 8> exponents, powers;
  for (Term call : calls)
    if (call->name == trailingZerosName)
      exponents.insert(call);
  if (exponents.empty())
    return;
  forEachNode(formulas, [&](Term a) {
    if (a->kind == TermKind::Power2)
      exponents.insert(a->operands[0]);
    if (a->kind == TermKind::Variable && a->isPower)
      for (std::int64_t multiple : {1, 2})
        powers.insert(pool.scale(multiple, a));
  });
  const size_t given = exponents.size();
  for (size_t i = 0; i < given; ++i)
    exponents.insert(pool.add(exponents[i], one));
  for (Term call : calls) {
    if (call->name != trailingZerosName)
      continue;
    const Term number = call->operands[0], some = pool.notEqual(number, zero);
    result.push_back(pool.implies(some, pool.lessEqual(zero, call)));
    result.push_back(pool.implies(pool.lessEqual(one, number), pool.lessEqual(pool.power2(call), number)));
    for (Term exponent : exponents)
      result.push_back(pool.implies(pool.both(some, pool.lessEqual(zero, exponent)),
                                    pool.equal(pool.lessEqual(exponent, call),
                                               pool.equal(pool.modulo(number, pool.power2(exponent)), zero))));
    for (Term power : powers)
      result.push_back(pool.implies(some, pool.equal(pool.lessEqual(power, pool.power2(call)),
                                                     pool.equal(pool.modulo(number, power), zero))));
  }
}

void DefinedTerms::rootLemmas(llvm::ArrayRef<Term> calls, llvm::ArrayRef<Term> formulas, std::vector<Term> &result) {
  const Term zero = pool.integer(0), one = pool.integer(1);
  llvm::SmallVector<Term, 2> roots;
  llvm::copy_if(calls, std::back_inserter(roots), [](Term call) { return call->name == squareRootName; });
  if (roots.empty())
    return;
  llvm::SmallSetVector<Term, 8> squared;
  forEachNode(formulas, [&](Term a) {
    if (a->kind == TermKind::Product && a->operands.size() == 2 && a->operands[0] == a->operands[1])
      squared.insert(a->operands[0]);
  });
  for (Term root : roots) {
    const Term number = root->operands[0], square = pool.multiply(root, root), next = pool.add(root, one);
    const Term isSquare = pool.equal(square, number);
    result.push_back(pool.implies(pool.lessEqual(zero, number),
                                  pool.conjunction({pool.lessEqual(zero, root), pool.lessEqual(root, number), pool.lessEqual(square, number),
                                                    pool.less(number, pool.multiply(next, next))})));
    result.push_back(pool.implies(pool.both(isSquare, pool.lessEqual(one, number)),
                                  pool.conjunction({pool.lessEqual(one, root), pool.equal(pool.modulo(number, root), zero),
                                                    pool.equal(pool.quotient(number, root), root)})));
    for (Term other : squared)
      if (other != root)
        result.push_back(pool.implies(pool.both(pool.lessEqual(zero, other), pool.equal(pool.multiply(other, other), number)), pool.equal(other, root)));
  }
}

} // namespace quadrille::compiler::prove
