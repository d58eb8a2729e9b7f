//===- Pigeonhole.cpp - Loops that fill every slot once ------------------------------------------------------------===//
//
// For all-to-all schedules that meet every partner in some round, in an order that no formula describes. If the rounds write
// different slots, none of them slot `me`, and as many rounds write as there are other slots, then after the loop every slot but
// `me` has been written. No invariant about these slots is needed, since the loop does not read what it writes.
//
//===----------------------------------------------------------------------------------------------------------------===//

#include "Execution.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/SaveAndRestore.h"

namespace quadrille::compiler::prove {

bool Execution::tryPigeonhole(const ir::ForStmt &stmt, Frame &frame, Term guard, const LoopModel &model,
                              const LoopHead &head) {
  const Term zero = pool.integer(0), one = pool.integer(1);
  const bool descends = stmt.loop == ir::LoopKind::Descending; // by 1: other models are not made
  if ((!descends && (stmt.loop != ir::LoopKind::Ascending || model.next != pool.add(model.head, one))) || head.written.size() != 1 ||
      hasLoopsInSteps(stmt.body))
    return false;
  SymbolicBuffer &storage = *head.written[0];
  if (!storage.buffer || storage.blocks != names.p)
    return false;
  // In the loop, only the rank's own slot is known.
  const Content before = storage.content;
  Content unknown = before;
  const Term own = pool.equal(names.block, names.me);
  unknown.unknown = pool.either(pool.negate(own), before.unknown);
  unknown.valid = pool.both(own, before.valid);
  std::vector<Written> recorded;
  bool kept;
  {
    const llvm::SaveAndRestore recording(writes, &recorded);
    kept = tryInvariant(stmt, frame, guard, model, head, {unknown});
  }
  if (!kept || recorded.size() != 1 || !fillsOneSlot(recorded[0], storage))
    return false;
  const Written &write = recorded[0];
  // Which of two rounds comes first does not matter: `later` is the one with the larger number.
  const Term slot = write.slots.alongBlocks().start, round = model.first;
  TermPool::Substitution toBody;
  toBody[model.head.get()] = model.atBody;
  llvm::SmallVector<Term, 8> ofRound(model.inBody.begin(), model.inBody.end());
  for (Term fact : model.facts)
    ofRound.push_back(pool.substitute(fact, toBody));
  Term later = pool.fresh("later");
  TermPool::Substitution toLater;
  toLater[round.get()] = later;
  auto inLater = [&](Term term) { return pool.substitute(term, toLater); };
  const size_t firstObligation = found.size();
  const Trail<Term>::Scope inLoop(facts);
  for (Term fact : ofRound)
    assume(fact);
  const Term inRound = pool.conjunction({guard, write.guard});
  Term both = pool.conjunction({guard, pool.less(round, later), inLater(pool.conjunction(ofRound))});
  require(Claim::Invariant, "two rounds fill different slots", stmt.keyword,
          pool.conjunction({both, write.guard, inLater(write.guard)}), pool.notEqual(slot, inLater(slot)));
  require(Claim::Invariant, "a round fills another slot than that of the rank itself", stmt.keyword, inRound,
          pool.both(pool.inRange(zero, slot, names.p), pool.notEqual(slot, names.me)));
  // Either there are as many rounds as slots, and no round is idle; or there is one more, and at most one is idle.
  const Term rounds = descends ? pool.subtract(model.entry, model.exit) : pool.subtract(model.exit, model.entry), slots = pool.subtract(names.p, one);
  const Term never = pool.equal(rounds, slots);
  require(Claim::Invariant, "no round is idle if there are as many as slots", stmt.keyword, pool.both(guard, never),
          write.guard);
  require(Claim::Invariant, "at most one round is idle", stmt.keyword, pool.both(both, pool.negate(never)),
          pool.either(write.guard, inLater(write.guard)));
  require(Claim::Invariant, "there are as many rounds as slots, or one more", stmt.keyword, guard,
          pool.either(never, pool.equal(rounds, names.p)));
  // Express the written content by the slot instead of the round.
  Content content = write.content;
  auto known = [&](Term part, Term candidate) {
    Obligation question{Claim::Invariant, "a slot holds what its round wrote", stmt.keyword, facts,
                        pool.equal(part, candidate)};
    question.hypotheses.push_back(inRound);
    question.hypotheses.push_back(pool.equal(names.block, slot));
    question.hypotheses.push_back(pool.inRange(zero, names.me, names.p));
    if (!oracle.isProved(question))
      return false;
    found.push_back(question);
    return true;
  };
  bool all = true;
  for (Term *part : content.parts()) {
    if (part == &content.member && products != Products::Members) {
      *part = pool.truth(false);
      continue;
    }
    if (!llvm::is_contained(variablesOf({*part}), round))
      continue;
    llvm::SmallVector<Term, 4> candidates;
    if ((*part)->isBoolean())
      candidates = {pool.truth(true), pool.truth(false)};
    else
      candidates = {names.block, names.me, zero};
    const Term *found = llvm::find_if(candidates, [&](Term candidate) { return known(*part, candidate); });
    if (found == candidates.end())
      all = false;
    else
      *part = *found;
  }
  if (!all || !llvm::all_of(found.since(firstObligation), [&](const Obligation &obligation) { return oracle.isProved(obligation); }))
    return false;
  storage.content = select(pool.both(guard, pool.negate(own)), content, before);
  return true;
}

} // namespace quadrille::compiler::prove
