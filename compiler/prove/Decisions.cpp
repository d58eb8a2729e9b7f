//===- Decisions.cpp - Answers to what an execution asks --------------------------------------------------------------------===//

#include "Decisions.h"

#include <algorithm>

namespace quadrille::prove {

const Outcome &Decisions::decide(const Obligation &obligation) {
  // Hypotheses that say the same are the same term, so this is the whole question.
  Term question = pool.implies(pool.conjunction(obligation.hypotheses), obligation.goal);
  auto [entry, isNew] = known.try_emplace(question);
  if (!isNew)
    return entry->second;
  if (pool.isTrue(question)) {
    entry->second.answer = Answer::Proved;
  } else if (solver.resourcesUsed() > options.totalResources) {
    entry->second.answer = Answer::Unknown;
    entry->second.gaveUp = true;
    entry->second.reason = "the proof of this schedule takes more than it may";
  } else {
    Question asked = questionOf(obligation);
    if (supposing) {
      auto supposed = std::stable_partition(asked.hypotheses.begin(), asked.hypotheses.end(),
                                            [&](Term a) { return !supposing->isSupposed(a); });
      asked.suppositions.assign(supposed, asked.hypotheses.end());
      asked.hypotheses.erase(supposed, asked.hypotheses.end());
    }
    Outcome outcome = solver.prove(asked, options.resources * patience, options.otherShare);
    outOfMemory |= outcome.outOfMemory;
    known[question] = outcome; // `entry` need not be there any more
  }
  return known[question];
}

bool Decisions::isProved(const Obligation &obligation) {
  const Outcome outcome = decide(obligation); // showing laws asks for more
  if (outcome.answer != Answer::Proved)
    return false;
  if (outcome.restsOn.empty() || !supposing || supposing->showLaws(outcome.restsOn))
    return true;
  Obligation rest = obligation;
  llvm::erase_if(rest.hypotheses, [&](Term a) { return supposing->isNotShown(a); });
  return isProved(rest);
}

} // namespace quadrille::prove
