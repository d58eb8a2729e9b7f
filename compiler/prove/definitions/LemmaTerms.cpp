//===- LemmaTerms.cpp - What authors say of functions, shown by induction ------------------------------------------------===//
//
// A lemma (here: law) holds for all arguments that satisfy its condition. It is proved from the bodies of the functions in it,
// and from the law itself for arguments with a smaller, not negative measure: that is induction on the measure. Once a law is
// shown, instances of it are made for the calls in a formula.
//
//===----------------------------------------------------------------------------------------------------------------===//

#include "DefinedTerms.h"
#include "Matcher.h"

#include "check/LemmaTrials.h"
#include "limits/Limits.h"

#include "llvm/ADT/STLExtras.h"

#include <cassert>

namespace quadrille::compiler::prove {

// ---- laws -------------------------------------------------------------------------------------------------------------------

/// Adds the lemmas about the functions in lawsWanted, and about functions in these lemmas, and shows them in the order of the
/// text: a lemma may be used to show later ones.
void DefinedTerms::addLaws() {
  const size_t firstNew = laws.size();
  for (size_t i = 0; i < lawsWanted.size(); ++i) {
    const ir::Function &function = *lawsWanted[i];
    for (const ir::Lemma *lemma : function.lemmas)
      if (llvm::none_of(laws, [&](const auto &law) { return law->lemma == lemma; })) {
        auto law = std::make_unique<Law>();
        law->lemma = lemma;
        law->name = "the lemma `" + lemma->name + "` holds";
        law->range = lemma->range;
        translate(*law);
        laws.push_back(std::move(law));
      }
  }
  lawsWanted.clear();
  std::sort(laws.begin() + static_cast<std::ptrdiff_t>(firstNew), laws.end(),
            [](const auto &a, const auto &b) { return a->lemma->number < b->lemma->number; });
  for (size_t i = firstNew; i < laws.size() && !lawsOnDemand; ++i)
    showLaw(*laws[i]);
}

bool DefinedTerms::isSupposed(Term hypothesis) const {
  const Law *law = lawOf.lookup(hypothesis);
  return law && !law->isShown && (!law->isTried || law->isBeingShown);
}

bool DefinedTerms::isNotShown(Term hypothesis) const {
  const Law *law = lawOf.lookup(hypothesis);
  return law && law->isTried && !law->isShown && !law->isBeingShown;
}

bool DefinedTerms::showLaws(llvm::ArrayRef<Term> hypotheses) {
  for (Term hypothesis : hypotheses) {
    Law *law = lawOf.lookup(hypothesis);
    // While a law is being shown, only instances that its induction allows are made.
    if (!law || law->isBeingShown)
      continue;
    if (!law->isTried) {
      law->isTried = law->isBeingShown = true;
      showLaw(*law);
      law->isBeingShown = false;
    }
    if (!law->isShown)
      return false;
  }
  return true;
}

Term DefinedTerms::argumentName(TermPool &pool, const ir::Lemma &lemma, unsigned i) {
  return pool.variable(lemma.variables[i].name + "'" + lemma.name + "'");
}

void DefinedTerms::translate(Law &law) {
  const ir::Lemma &lemma = *law.lemma;
  std::vector<Value> values(lemma.variables.size());
  for (unsigned i = 0; i < lemma.argumentCount; ++i) {
    law.arguments.push_back(argumentName(pool, lemma, i));
    values[i] = {law.arguments.back(), {}, {}};
  }
  // `needs` may be dropped: terms are total, and if an expression has no value, nothing is known about its term.
  const Numbers::Apart apart(numbers);
  law.condition = lemma.condition ? numbers.term(*lemma.condition, values) : pool.truth(true);
  law.claim = numbers.term(*lemma.claim, values);
  findTriggers(law);
}

/// Finds the triggers of a law: each single call that contains all arguments or, if there is none, one small set of calls that do so
/// together.
void DefinedTerms::findTriggers(Law &law) {
  llvm::SetVector<Term> calls;
  forEachNode({law.claim, law.condition}, [&](Term a) {
    if (a->kind == TermKind::Apply && recursive.contains(a->name)) {
      calls.insert(a);
      unfolded.insert(a->name);
      law.names.insert(a->name);
    }
  });
  auto tells = [&](Term call) {
    llvm::SmallVector<Term, 8> told;
    for (Term variable : variablesOf({call}))
      if (llvm::is_contained(law.arguments, variable))
        told.push_back(variable);
    return told;
  };
  // Calls inside the arguments of a call are matched together with it.
  for (Term call : calls)
    if (tells(call).size() == law.arguments.size())
      law.triggers.push_back({call});
  if (!law.triggers.empty())
    return;
  for (Term first : calls) {
    std::vector<Term> trigger{first};
    llvm::SmallSetVector<Term, 8> told;
    for (Term argument : tells(first))
      told.insert(argument);
    while (told.size() < law.arguments.size()) {
      Term best;
      size_t most = 0;
      for (Term call : calls) {
        const size_t more = static_cast<size_t>(llvm::count_if(tells(call), [&](Term a) { return !told.contains(a); }));
        if (more > most) {
          most = more;
          best = call;
        }
      }
      if (!best)
        break;
      trigger.push_back(best);
      for (Term argument : tells(best))
        told.insert(argument);
    }
    if (told.size() == law.arguments.size())
      law.triggers.push_back(trigger);
    return;
  }
}

void DefinedTerms::showLaw(Law &law) {
  assert(law.claim && law.condition && !law.isShown && "it has been translated, and not been shown yet");
  std::vector<Term> goals{law.claim};
  if (law.claim->kind == TermKind::And)
    goals.assign(law.claim->operands.begin(), law.claim->operands.end());
  auto question = [&](Term goal) {
    Obligation obligation{Claim::Defined, law.name, law.range, {law.condition}, goal};
    obligation.lemma = law.lemma;
    obligation.isOfDefinitions = true;
    return obligation;
  };
  auto tryWith = [&](const Induction &induction, unsigned unfoldings) {
    std::vector<Obligation> obligations;
    const std::vector<Term> known = lemmas({law.condition, law.claim}, &induction, unfoldings);
    for (Term goal : goals) {
      Obligation obligation = question(goal);
      obligation.hypotheses.insert(obligation.hypotheses.end(), known.begin(), known.end());
      obligations.push_back(obligation);
      if (!isProved(obligation)) {
        law.shown = {obligation};
        return false;
      }
    }
    law.shown = std::move(obligations);
    return true;
  };
  if (law.lemma && whereWrong(*law.lemma)) {
    law.shown = {question(law.claim)};
    return;
  }
  // Laws about functions that are not recursive are tried without induction first. Then try how many unfoldings suffice if the
  // law may be used for all other arguments: if that fails, no measure helps.
  const bool hasPlain = llvm::any_of(law.names, [&](const auto &name) { return recursive.at(name.first().str())->isPlain; });
  const bool hasRecursive = llvm::any_of(law.names, [&](const auto &name) { return !recursive.at(name.first().str())->isPlain; });
  unsigned unfoldings = 1;
  for (;; ++unfoldings) {
    if (unfoldings > limits::unfoldingsInLaws)
      return;
    if ((hasPlain || !hasRecursive) && tryWith({&law, {}, false}, unfoldings)) {
      law.isShown = true;
      return;
    }
    if (hasRecursive && tryWith({&law, {}}, unfoldings))
      break;
  }
  // Try the measures of the functions in the law first, then arguments, calls and differences of arguments.
  llvm::SetVector<Term> measures;
  std::vector<Term> calls;
  forEachNode({law.claim, law.condition}, [&](Term a) {
    if (a->kind == TermKind::Apply && recursive.contains(a->name))
      calls.push_back(a);
  });
  for (Term call : calls)
    if (const Bounds &bounds = *recursive.at(call->name); bounds.measure)
      measures.insert(instance(bounds.measure, bounds, call->operands, call));
  measures.insert(law.arguments.begin(), law.arguments.end());
  measures.insert(calls.begin(), calls.end());
  for (Term a : law.arguments)
    for (Term b : law.arguments)
      if (a != b)
        measures.insert(pool.subtract(a, b));
  for (Term measure : measures)
    if (tryWith({&law, measure}, unfoldings)) {
      law.isShown = true;
      return;
    }
}

// ---- instances ----------------------------------------------------------------------------------------------------------------

/// Appends instances of a law for `calls`; at least one call of each instance is at `firstNew` or later.
void DefinedTerms::lawLemmas(Law &law, const Induction *induction, llvm::ArrayRef<Term> calls, size_t firstNew,
                             std::vector<Term> &result) {
  const bool isHypothesis = induction && induction->law == &law;
  size_t count = 0;
  auto add = [&](const TermPool::Substitution &by) {
    if (++count > limits::lawInstances)
      return;
    llvm::SmallVector<Term, 4> conditions{pool.substitute(law.condition, by)};
    if (isHypothesis) {
      if (llvm::all_of(law.arguments, [&](Term a) { return by.lookup(a.get()) == a; }))
        return;
      if (induction->measure) {
        const Term measure = pool.substitute(induction->measure, by);
        conditions.push_back(pool.inRange(pool.integer(0), measure, induction->measure));
      }
    }
    result.push_back(pool.implies(pool.conjunction(conditions), pool.substitute(law.claim, by)));
    if (lawsOnDemand && !isHypothesis)
      lawOf[result.back()] = &law;
  };
  for (const std::vector<Term> &trigger : law.triggers) {
    std::function<void(size_t, const Matcher &, bool)> match = [&](size_t at, const Matcher &found, bool hasNew) {
      if (at == trigger.size()) {
        if (hasNew)
          add(found.by);
        return;
      }
      for (size_t i = 0; i < calls.size() && count < limits::lawInstances; ++i) {
        Matcher next = found;
        if (next.match(trigger[at], calls[i]))
          match(at + 1, next, hasNew || i >= firstNew);
      }
    };
    match(0, Matcher(pool, law.arguments), false);
  }
}

bool DefinedTerms::unfolds(llvm::ArrayRef<Term> formulas) const {
  bool result = false;
  forEachNode(formulas, [&](Term a) {
    result |= a->kind == TermKind::Apply && unfolded.contains(a->name) && (!isPlain(a) || recursive.at(a->name)->isSmall);
  });
  return result;
}

Term DefinedTerms::equation(Term call) {
  const auto function = call->kind == TermKind::Apply ? recursive.find(call->name) : recursive.end();
  if (function == recursive.end() || function->second->isPlain || llvm::is_contained(open, function->second->function))
    return {};
  const Bounds &bounds = *function->second;
  return pool.implies(domain(bounds, call->operands), pool.equal(call, instance(bounds.body, bounds, call->operands, call)));
}

/// Appends facts about the calls: bounds, equations with their bodies (`unfoldings` times, also for calls in bodies), and
/// instances of laws.
void DefinedTerms::functionLemmas(llvm::SetVector<Term> calls, const Induction *induction, unsigned unfoldings,
                                  std::vector<Term> &result) {
  const unsigned rounds = induction ? unfoldings + 1 : std::max(1u, unfoldings); // in which instances of laws are made
  size_t firstNew = 0;
  for (unsigned round = 0; firstNew < calls.size(); ++round) {
    const size_t firstResult = result.size();
    for (Term call : llvm::ArrayRef(calls.getArrayRef()).drop_front(firstNew)) {
      auto function = recursive.find(call->name);
      if (function == recursive.end())
        continue;
      const Bounds &bounds = *function->second;
      if (bounds.isPlain) {
        // If a plain function calls others that lemmas are about, the lemmas have to suffice.
        if (round < unfoldings && (induction ? induction->law->names.contains(call->name) : bounds.isSmall))
          result.push_back(pool.equal(call, instance(bounds.body, bounds, call->operands, call)));
        continue;
      }
      for (const Bounds::Rule &rule : bounds.rules) {
        llvm::SmallVector<Term, 4> before, after;
        for (Term fact : rule.before)
          before.push_back(instance(fact, bounds, call->operands, call));
        for (Term fact : rule.after)
          after.push_back(instance(fact, bounds, call->operands, call));
        if (!after.empty())
          result.push_back(pool.implies(pool.conjunction(before), pool.conjunction(after)));
      }
      const bool isAsked = unfolded.contains(call->name) || (induction && induction->law->names.contains(call->name));
      if (round < unfoldings && isAsked && !llvm::is_contained(open, bounds.function))
        result.push_back(equation(call));
    }
    if (round < rounds && induction && !induction->law->lemma && induction->isAssumed) // it is not among `laws`
      lawLemmas(*induction->law, induction, calls.getArrayRef(), firstNew, result);
    if (round < rounds)
      for (const auto &law : laws) {
        const bool isItself = induction && induction->law == law.get();
        if (law->isShown || (isItself && induction->isAssumed) || (!isItself && lawsOnDemand && !law->isTried))
          lawLemmas(*law, induction, calls.getArrayRef(), firstNew, result);
        if (isItself && lawsOnDemand) // the proofs of later laws may use this law
          break;
      }
    firstNew = calls.size();
    std::vector<Term> added(result.begin() + static_cast<std::ptrdiff_t>(firstResult), result.end());
    forEachNode(added, [&](Term a) {
      if (a->kind == TermKind::Apply)
        calls.insert(a);
    });
  }
}

} // namespace quadrille::compiler::prove
