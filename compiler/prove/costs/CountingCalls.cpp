//===- CountingCalls.cpp - Functions of a clause that count what the iterations of a loop cost --------------------------------===//
//
// An author who writes `for w in 1 ..< p times r` counts its iterations by a function that calls itself, such as steps(1, p, r) with
// steps(w, m, r) = if w >= m then 0 else 1 + steps(w*r, m, r), or rounds(p, r) with rounds(m, r) = if m <= 1 then 0 else
// 1 + rounds((m + r - 1) div r, r). Then steps(w, p, r), or rounds of p div w rounded up, counts the iterations that are still to come.
// So does ones(d div w) where an iteration costs something if the bit w of d is set, with
// ones(d) = if d == 0 then 0 else d mod 2 + ones(d div 2).
//
//===----------------------------------------------------------------------------------------------------------------===//

#include "prove/execution/Execution.h"

#include "ir/Walk.h"
#include "prove/terms/Factors.h"

#include "llvm/ADT/STLExtras.h"

namespace quadrille::compiler::prove {

/// The calls of such functions in the clauses of the outermost schedule, as far as their arguments have values by now.
llvm::SmallVector<Term, 4> Execution::callsInClauses() {
  llvm::SmallVector<Term, 4> result;
  for (const std::optional<ir::CostClause> *claim : {&schedule.cost, &schedule.rounds})
    if (*claim)
      ir::anyPart(*(*claim)->formula, [&](const ir::Expr &part) {
        const auto hasValue = [&](const ir::Expr &of) { return of.op != ir::Op::Variable || outermost->values[of.variable].term; };
        if (part.op != ir::Op::Call || ir::anyPart(part, [&](const ir::Expr &of) { return !hasValue(of); }))
          return false;
        try {
          exprs.needs.clear();
          if (const Term call = exprs.term(part, *outermost); call->kind == TermKind::Apply && !llvm::is_contained(result, call))
            result.push_back(call);
        } catch (const NotModelled &) { // then the clause has no formula either
        } catch (const TermOverflow &) {
        }
        exprs.needs.clear();
        return false;
      });
  return result;
}

/// What an iteration costs at most if a clause says so: if it claims trips*most, then `most`. Null if it does not, or that is not shown.
Term Execution::boundByClause(Term each, Term SymbolicCost::*part, Term trips, const LoopModel &model, Term guard, llvm::SMRange range) {
  for (Term claimed : claimedParts(part)) {
    Term most = pool.integer(0);
    for (const Monomial &term : TermPool::monomialsOf(claimed)) {
      llvm::SmallVector<Term, 4> factors = factorsOf(term.atom);
      if (!takeOut(trips, factors))
        continue;
      Term rest = pool.integer(term.coefficient);
      for (Term factor : factors)
        rest = pool.multiply(rest, factor);
      most = pool.add(most, rest);
    }
    if (most == pool.integer(0))
      continue;
    const Trail<Term>::Scope inBody(facts);
    TermPool::Substitution body;
    body[model.head.get()] = model.atBody;
    for (Term fact : model.facts)
      if (!model.iterations || !llvm::is_contained(variablesOf({fact}), model.iterations))
        assume(pool.substitute(fact, body));
    facts.append(model.inBody);
    assume(guard);
    if (isShownNow("no iteration costs more than the clause allows", range, pool.truth(true), pool.lessEqual(each, most)))
      return most;
  }
  return {};
}

/// The sum of `each` over the iterations of a loop that multiplies, or of one over exponents, if a call of a clause is that. Null if none is.
Term Execution::countedByCalls(Term each, const LoopModel &model, llvm::SMRange range) {
  if (model.first != model.head || (!model.factor && TermPool::asInteger(model.entry) != 0))
    return {};
  const Term head = model.head, one = pool.integer(1);
  const auto at = [&](Term form, Term value) {
    TermPool::Substitution by;
    by[head.get()] = value;
    return pool.substitute(form, by);
  };
  const auto isShown = [&](const char *what, Term left, llvm::ArrayRef<Term> more, Term goal) {
    const Trail<Term>::Scope here(facts);
    if (const Term equation = defined.equation(left))
      assume(equation);
    for (llvm::ArrayRef<Term> known : {llvm::ArrayRef(model.facts), more})
      for (Term fact : known) // of powers much else could be said
        if (!model.iterations || !llvm::is_contained(variablesOf({fact}), model.iterations))
          assume(fact);
    return isShownNow(what, range, pool.truth(true), goal);
  };
  for (Term call : callsInClauses())
    for (size_t i = 0; i < call->operands.size(); ++i) {
      const Term argument = call->operands[i];
      llvm::SmallVector<Term, 2> later;
      if (argument == model.entry)
        later.push_back(head);
      else if (!model.factor) // digits to base 2
        later.push_back(pool.quotient(argument, pool.power2(head)));
      else if (!TermPool::asInteger(argument))
        later.assign({pool.quotient(pool.add(argument, pool.subtract(head, one)), head), pool.quotient(argument, head)});
      for (Term now : later) {
        llvm::SmallVector<Term, 4> arguments(call->operands.begin(), call->operands.end());
        arguments[i] = now;
        const Term counted = pool.apply(call->name, arguments); // what the iterations from this one on cost
        if (at(counted, model.entry) != call)
          continue;
        llvm::SmallVector<Term, 4> tried{counted};
        forEachNode({each}, [&](Term node) { // the first of them may cost nothing, as the lowest bit that is set
          if (node->kind == TermKind::IsZero && llvm::is_contained(variablesOf({node}), head))
            tried.push_back(pool.subtract(counted, pool.select(node, one, pool.integer(0))));
        });
        for (Term left : tried)
          if (isShown("what the iterations cost that are still to come", counted, model.inBody, pool.equal(left, pool.add(each, at(left, model.next)))) &&
              isShown("no iteration is still to come", counted, model.atExit, pool.equal(left, pool.integer(0))))
            return at(left, model.entry);
      }
    }
  return {};
}

} // namespace quadrille::compiler::prove
