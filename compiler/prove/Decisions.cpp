//===- Decisions.cpp - Answers to what an execution asks --------------------------------------------------------------------===//

#include "Decisions.h"

#include "limits/Limits.h"

#include <algorithm>
#include <cassert>

namespace quadrille::compiler::prove {

SolverResult Decisions::decide(const Obligation &obligation) {
  assert(obligation.goal && obligation.goal->isBoolean() && "an obligation has a goal");
  assert((supposing || !owed) && "only supposed laws are owed");
  // Drop hypotheses that are laws which could not be shown.
  Question asked = questionOf(obligation);
  if (supposing)
    llvm::erase_if(asked.hypotheses, [&](Term a) { return supposing->isNotShown(a); });
  // Equal terms are the same node, so this term identifies the question.
  Term question = pool.implies(pool.conjunction(asked.hypotheses), asked.goal);
  if (auto entry = known.find(question); entry != known.end())
    return entry->second;
  SolverResult outcome;
  if (pool.isTrue(question)) {
    outcome.answer = Answer::Proved;
  } else if (solver.resourcesUsed() > options.totalResources.value()) {
    outcome.ranOut = options.totalResources;
    outcome.reason = "the proof of this schedule takes more than it may";
  } else if (isRefutedByKnown(asked)) {
    outcome.answer = Answer::Refuted;
  } else {
    if (supposing) {
      auto supposed = std::stable_partition(asked.hypotheses.begin(), asked.hypotheses.end(),
                                            [&](Term a) { return !supposing->isSupposed(a); });
      asked.suppositions.assign(supposed, asked.hypotheses.end());
      asked.hypotheses.erase(supposed, asked.hypotheses.end());
    }
    outcome = solver.prove(asked, options.effort);
    outOfMemory |= outcome.outOfMemory;
    if (outcome.answer == Answer::Refuted)
      counterexamples.emplace_back(outcome.model.values.begin(), outcome.model.values.end());
  }
  known[question] = outcome;
  return outcome;
}

bool Decisions::isRefutedByKnown(const Question &asked) {
  // What refutes one guess often refutes the next one. To evaluate a question takes far less time than to ask it.
  const std::size_t latest = limits::refutingPoints;
  if (counterexamples.size() > latest)
    counterexamples.erase(counterexamples.begin(), counterexamples.end() - latest);
  for (auto values = counterexamples.rbegin(); values != counterexamples.rend(); ++values) {
    auto valueOf = [&](Term variable) -> std::int64_t {
      const auto value = values->find(variable);
      return value != values->end() ? value->second : variable->isPower ? 1 : 0;
    };
    if (evaluate(asked.goal, valueOf) == 0 && llvm::all_of(asked.hypotheses, [&](Term a) { return evaluate(a, valueOf) == 1; })) {
      std::rotate(values.base() - 1, values.base(), counterexamples.end());
      return true;
    }
  }
  return false;
}

bool Decisions::isProved(const Obligation &obligation) {
  const SolverResult outcome = decide(obligation);
  if (outcome.answer != Answer::Proved)
    return false;
  if (outcome.restsOn.empty() || !supposing)
    return true;
  if (owed) {
    owed->insert(outcome.restsOn.begin(), outcome.restsOn.end());
    return true;
  }
  if (supposing->showLaws(outcome.restsOn))
    return true;
  return isProved(obligation); // again, without the laws that could not be shown
}

std::optional<std::vector<std::pair<Term, std::int64_t>>> Decisions::example(llvm::ArrayRef<Term> conditions) {
  if (solver.resourcesUsed() > options.totalResources.value())
    return std::nullopt;
  SolverResult outcome = solver.prove({"an example", conditions.vec(), pool.truth(false), {}}, options.effort);
  return outcome.answer == Answer::Refuted ? std::optional(std::move(outcome.model.values)) : std::nullopt;
}

} // namespace quadrille::compiler::prove
