//===- StepLoops.cpp - Loops of transfers within a step ---------------------------------------------------------------===//
//
// `step { for j in others { send x[j] to j; recv y[j] from j } }`. All iterations run at once, so the transfers are those of one step:
// a family with a transfer for every iteration, of which all terms are formulas in the iteration j. What has to hold for each
// transfer is shown for an arbitrary j. Besides:
//
//   - Transfers of different iterations have different partners, so messages need no order, and at most one iteration of a
//     partner's family meets a given transfer. Which one it may be is found by solving `partner(j) == rank` for j.
//   - A slot is written by one iteration only: a formula of the slot yields j for every slot that iteration j writes (iterationOfSlot).
//     Put in the place of j, it turns what iteration j writes into what is in the slot.
//
//===----------------------------------------------------------------------------------------------------------------===//

#include "Execution.h"

#include "ir/Walk.h"
#include "prove/definitions/SamplePoints.h"
#include "prove/terms/Solutions.h"

#include "llvm/ADT/STLExtras.h"

#include <array>
#include <cassert>

namespace quadrille::compiler::prove {

bool hasLoopsInSteps(const ir::Body &body) {
  return ir::anyStatement(body, [](const ir::Stmt &stmt) {
    if (auto *use = llvm::dyn_cast<ir::UseStmt>(&stmt))
      return !use->member && hasLoopsInSteps(use->callee->body); // in groups it is proved by itself
    auto *step = llvm::dyn_cast<ir::StepStmt>(&stmt);
    return step && ir::anyStatement(step->body, [](const ir::Stmt &inner) { return llvm::isa<ir::ForStmt>(inner); });
  });
}

std::vector<Term> Execution::solutions(Term formula, Term variable, Term value) {
  std::vector<Term> result = solutionsOf(pool, formula, variable, value);
  llvm::append_range(result, defined.solutions(formula, variable, value));
  return result;
}

/// Collects the transfers of an arbitrary iteration.
void Execution::collectLoop(const ir::ForStmt &loop, Frame &frame, Term guard) {
  const bool isOthers = loop.loop == ir::LoopKind::Others;
  const bool isCounting = loop.loop == ir::LoopKind::Ascending && !loop.factor;
  const bool isPlain = !ir::anyStatement(loop.body, [](const ir::Stmt &stmt) {
    auto *transfer = llvm::dyn_cast<ir::TransferStmt>(&stmt);
    return llvm::isa<ir::ForStmt, ir::AssignStmt>(stmt) ||
           (transfer && !transfer->isSend && transfer->message && transfer->message->buffer->kind == ir::BufferKind::Message);
  });
  assert(!writes && "writes are recorded of loops without families only");
  if (ranksDiffer() || (heard && statesWhatIsNotHeard()) || moving || !(isOthers || isCounting) || !isPlain)
    throw NotModelled{Gap::LoopOfTransfers, loop.keyword};
  const Term zero = pool.integer(0), me = rankIn(frame, names.me);
  const Term lo = isOthers ? zero : termOf(*loop.lo, frame, guard), hi = isOthers ? names.p : termOf(*loop.hi, frame, guard);
  const Term index = pool.fresh(frame.schedule.variables[loop.variable].name);
  Term inside = pool.inRange(lo, index, hi), count = pool.subtract(hi, lo);
  if (isOthers) {
    inside = pool.both(inside, pool.notEqual(index, me));
    count = pool.subtract(names.p, pool.integer(1));
  }
  frame.values[loop.variable] = {index, {}, {}};
  const size_t firstSend = sends.size(), firstReceive = receives.size();
  collect(loop.body, frame, pool.both(guard, inside));
  for (auto [side, first] : {std::pair(&sends, firstSend), std::pair(&receives, firstReceive)})
    for (size_t i = first; i < side->size(); ++i) {
      (*side)[i].index = index;
      (*side)[i].first = lo;
      (*side)[i].end = hi;
      (*side)[i].count = pool.maximum(zero, count);
    }
}

/// The transfer of this iteration; the transfer itself if it is in no loop.
Execution::Transfer Execution::inIteration(const Transfer &transfer, Term iteration) {
  if (!transfer.index)
    return transfer;
  TermPool::Substitution by;
  by[transfer.index.get()] = iteration;
  Transfer result = transfer;
  auto replace = [&](Term &term) {
    if (term)
      term = pool.substitute(term, by);
  };
  replace(result.guard);
  replace(result.peer);
  if (result.slots)
    for (Axis *axis : {&result.slots->block, &result.slots->packet})
      for (Term *part : {&axis->start, &axis->count, &axis->modulus, &axis->lo, &axis->hi, &axis->filter})
        replace(*part);
  result.index = {};
  return result;
}

/// The iterations that the equations in a condition may single out, as `me == g*j` does.
std::vector<Term> Execution::iterationsByEquations(Term condition, Term index) {
  std::vector<Term> result;
  const Term zero = pool.integer(0);
  forEachNode({condition}, [&](Term node) {
    if (node->kind != TermKind::IsZero)
      return;
    for (Term sum : {node->operands[0], pool.scale(-1, node->operands[0])}) {
      Term withIndex = zero; // the parts of the sum that mention the index
      for (const Monomial &part : TermPool::monomialsOf(sum))
        if (llvm::is_contained(variablesOf({part.atom}), index))
          withIndex = pool.add(withIndex, pool.scale(part.coefficient, part.atom));
      for (auto [formula, value] : {std::pair(sum, zero), std::pair(withIndex, pool.subtract(withIndex, sum))})
        for (Term solution : solutions(formula, index, value))
          if (!llvm::is_contained(result, solution) && !llvm::is_contained(variablesOf({solution}), index))
            result.push_back(solution);
    }
  });
  return result;
}

/// The iterations that a rank is in the part of, as `j*w <= me < (j + 1)*w` says: me div w.
std::vector<Term> Execution::iterationsByParts(Term condition, Term index) {
  std::vector<Term> result;
  forEachNode({condition}, [&](Term node) {
    if (node->kind != TermKind::AtLeastZero)
      return;
    for (const Monomial &part : TermPool::monomialsOf(node->operands[0]))
      if (part.atom->kind == TermKind::Product && llvm::is_contained(part.atom->operands, index) && part.coefficient == -1)
        for (Term solution : solutions(node->operands[0], index, pool.integer(0)))
          if (!llvm::is_contained(result, solution))
            result.push_back(solution);
  });
  return result;
}

/// The iteration in which the condition holds, as a formula; null if it may hold in several, or no formula is found. `where`: what is known
/// besides.
Term Execution::iterationWhere(Term condition, Term index, Term where, llvm::SMRange range) {
  std::vector<Term> candidates = iterationsByEquations(condition, index), hypotheses = facts;
  llvm::append_range(candidates, iterationsByParts(condition, index));
  llvm::append_range(hypotheses, std::array{where, pool.inRange(pool.integer(0), names.me, names.p)});
  SamplePoints samples(defined, pool, hypotheses);
  for (Term candidate : candidates)
    if (const Term goal = pool.equal(candidate, index); !samples.refute(goal) && holds(goal, pool.both(where, hypotheses.back()), range))
      return candidate;
  return {};
}

/// The iterations of a family that may transfer with the rank `partner`: one for each way to solve `peer == partner`, or an equation
/// of the condition, for the iteration. At most one of all iterations has this partner. `at` replaces the rank and `partner`. If there is no
/// solution, it may be the iteration of `other`, if that is in the same loop.
std::vector<Execution::Transfer> Execution::iterationsMeeting(const Transfer &transfer, const Transfer &other) {
  if (!transfer.index)
    return {transfer};
  std::vector<Transfer> result;
  std::vector<Term> iterations = solutions(transfer.peer, transfer.index, partner);
  llvm::append_range(iterations, iterationsByEquations(transfer.guard, transfer.index));
  if (iterations.empty() && transfer.index == other.index)
    iterations.push_back(transfer.index);
  for (Term iteration : iterations)
    result.push_back(inIteration(transfer, iteration));
  return result;
}

/// What the rank hears of through the receives of a loop that arrive under this condition: of `names.block`, from the partner that has
/// heard of it, in the iterations that may have `names.block` itself as partner. Others are not followed, so ranks may have heard of
/// more.
Term Execution::heardInLoop(Term arrives, const Transfer &recv, Term heardBefore) {
  std::vector<Term> result{pool.truth(false)};
  for (Term iteration : solutions(recv.peer, recv.index, names.block)) {
    TermPool::Substitution inLoop, ofPeer;
    inLoop[recv.index.get()] = iteration;
    const Term peer = pool.substitute(recv.peer, inLoop);
    ofPeer[names.me.get()] = peer;
    result.push_back(pool.both(pool.substitute(arrives, inLoop), pool.substitute(heardBefore, ofPeer)));
  }
  return pool.disjunction(result);
}

/// A transfer of the same family in another iteration; the transfer itself if it is in no loop.
Execution::Transfer Execution::apart(const Transfer &transfer) {
  return transfer.index ? inIteration(transfer, pool.fresh("iteration")) : transfer;
}

/// If the transfer is in a loop: calls `visit` with the transfer of another iteration, and the condition that the iterations differ.
void Execution::forTwoIterations(const Transfer &transfer, llvm::function_ref<void(const Transfer &, Term differ)> visit) {
  if (!transfer.index)
    return;
  const Term other = pool.fresh("iteration");
  visit(inIteration(transfer, other), pool.notEqual(transfer.index, other));
}

/// The iteration in which the generic slot is received, as a formula of the slot. Requires that it is the iteration of every slot
/// that is received.
Term Execution::iterationOfSlot(const Transfer &recv) {
  const Slots &slots = *recv.slots;
  const Axis &block = slots.alongBlocks(), &packet = slots.alongPackets();
  TermPool::Substitution slot;
  slot[names.block.get()] = slotAt(block);
  slot[names.packet.get()] = slotAt(packet);
  const Term inside = pool.both(recv.guard, contains(slots.block, slots.packet));
  std::vector<Term> candidates;
  for (auto [axis, name] : {std::pair(&block, names.block), std::pair(&packet, names.packet)})
    if (axis->kind != Axis::Number)
      llvm::append_range(candidates, solutions(axis->start, recv.index, name));
  llvm::append_range(candidates, iterationsByEquations(recv.guard, recv.index));
  // As the digit by which `for z in 1 ..< r { recv y[j in others if j mod r == z] ... }` tells blocks apart.
  for (auto [axis, name] : {std::pair(&block, names.block), std::pair(&packet, names.packet)})
    if (axis->kind == Axis::Number) {
      TermPool::Substitution by;
      by[axis->label.get()] = name;
      llvm::append_range(candidates, iterationsByEquations(pool.substitute(axis->filter, by), recv.index));
    }
  llvm::append_range(candidates, iterationsByParts(recv.guard, recv.index));
  std::optional<LimitInForce> ranOut;
  for (Term iteration : candidates) {
    const Term goal = pool.equal(pool.substitute(iteration, slot), recv.index);
    Obligation question{Claim::Race, "one iteration receives a slot", recv.stmt->keyword, facts, goal};
    question.hypotheses.push_back(inside);
    question.hypotheses.push_back(pool.inRange(pool.integer(0), names.me, names.p));
    complete(question);
    if (!oracle.isProved(question)) {
      if (!ranOut)
        ranOut = oracle.ranOut(question);
      continue;
    }
    require(Claim::Race, "one iteration receives a slot", recv.stmt->keyword, inside, goal);
    return iteration;
  }
  throw NotModelled{Gap::LoopOfTransfers, recv.stmt->keyword, ranOut};
}

} // namespace quadrille::compiler::prove
