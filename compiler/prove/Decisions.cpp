//===- Decisions.cpp - Answers to what an execution asks --------------------------------------------------------------------===//

#include "Decisions.h"

#include <algorithm>
#include <cassert>

namespace quadrille::compiler::prove {

Outcome Decisions::decide(const Obligation &obligation) {
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
  Outcome outcome;
  if (pool.isTrue(question)) {
    outcome.answer = Answer::Proved;
  } else if (solver.resourcesUsed() > options.totalResources.value()) {
    outcome.ranOut = options.totalResources;
    outcome.reason = "the proof of this schedule takes more than it may";
  } else {
    if (supposing) {
      auto supposed = std::stable_partition(asked.hypotheses.begin(), asked.hypotheses.end(),
                                            [&](Term a) { return !supposing->isSupposed(a); });
      asked.suppositions.assign(supposed, asked.hypotheses.end());
      asked.hypotheses.erase(supposed, asked.hypotheses.end());
    }
    outcome = solver.prove(asked, options.effort);
    outOfMemory |= outcome.outOfMemory;
  }
  known[question] = outcome;
  return outcome;
}

bool Decisions::isProved(const Obligation &obligation) {
  const Outcome outcome = decide(obligation);
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
  Outcome outcome = solver.prove({"an example", conditions.vec(), pool.truth(false), {}}, options.effort);
  return outcome.answer == Answer::Refuted ? std::optional(std::move(outcome.model.values)) : std::nullopt;
}

} // namespace quadrille::compiler::prove
