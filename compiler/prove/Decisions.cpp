//===- Decisions.cpp - Answers to what an execution asks --------------------------------------------------------------------===//

#include "Decisions.h"

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
    entry->second.reason = "the proof of this schedule takes more than it may";
  } else {
    Outcome outcome = solver.prove(questionOf(obligation), options.resources * patience);
    outOfMemory |= outcome.outOfMemory;
    known[question] = outcome; // `entry` need not be there any more
  }
  return known[question];
}

} // namespace quadrille::prove
