//===- HubCosts.cpp - Costs where one rank takes part in every message -------------------------------------------------===//
//
// If every message has this rank, the hub, on one of its sides, and each step of the hub has one message, then a message is in the
// round that its place among the hub's messages tells: it cannot be earlier, and its other rank has had no other messages but earlier
// ones of the hub, as no rank waits for ever. So the cost is the sum over the hub's own steps, whatever the lengths are.
//
//===----------------------------------------------------------------------------------------------------------------===//

#include "RankExecution.h"

#include "llvm/ADT/STLExtras.h"

namespace quadrille::compiler::prove {

namespace {
/// An op as the hub carries it out: formulas with the hub in the place of `me`, in the op's loop variables.
struct HubOp {
  Term guard;
  std::vector<RankLoop> loops;
};
} // namespace

/// A conjunction without one of its parts.
static Term withoutPart(TermPool &pool, Term condition, Term part) {
  if (condition == part)
    return pool.truth(true);
  if (condition->kind != TermKind::And)
    return condition;
  llvm::SmallVector<Term, 4> others(condition->operands.begin(), condition->operands.end());
  llvm::erase(others, part);
  return pool.conjunction(others);
}

static HubOp atHub(const RankOperations &program, const RankOp &op, Term hub, TermPool &pool) {
  std::vector<Term> own;
  for (const RankLoop &loop : op.loops)
    own.push_back(loop.variable);
  const auto there = [&](Term term) { return program.at(op, term, hub, own); };
  HubOp result{there(op.guard), op.loops};
  for (RankLoop &loop : result.loops) {
    loop.lo = there(loop.lo);
    loop.hi = there(loop.hi);
    loop.condition = there(loop.condition);
    // Where the loop comes to an iteration, its condition holds.
    result.guard = withoutPart(pool, result.guard, loop.condition);
  }
  return result;
}

/// The sum of `each` over all iterations in which the hub carries out the operation.
Term RankExecution::sumAtHub(unsigned number, Term hub, Term each) {
  const Term zero = pool.integer(0), one = pool.integer(1);
  const HubOp op = atHub(program, program.ops[number], hub, pool);
  Term sum = pool.select(op.guard, each, zero);
  const RankLoop *innermost = op.loops.empty() ? nullptr : &op.loops.back();
  for (const RankLoop &loop : llvm::reverse(op.loops)) {
    // Of iterations that are alike, those count in which the operation takes place.
    if (&loop == innermost && !llvm::is_contained(variablesOf({each}), loop.variable)) {
      Axis iterations;
      iterations.kind = Axis::Number;
      iterations.label = loop.variable;
      iterations.lo = loop.lo;
      iterations.hi = loop.hi;
      iterations.filter = pool.both(op.guard, loop.condition);
      std::int64_t denominator = 1;
      const Term count = countOf(iterations, pool.truth(true), program.ops[number].stmt->keyword, denominator);
      if (count && denominator == 1) {
        sum = pool.multiply(count, each);
        continue;
      }
    }
    const bool isSame = !llvm::is_contained(variablesOf({sum}), loop.variable);
    const bool isOfOthers = loop.lo == zero && loop.hi == names.p && loop.condition == pool.notEqual(loop.variable, hub);
    if (isSame && pool.isTrue(loop.condition))
      sum = pool.multiply(pool.maximum(zero, pool.subtract(loop.hi, loop.lo)), sum);
    else if (isSame && isOfOthers)
      sum = pool.multiply(pool.subtract(names.p, one), sum);
    else
      sum = aggregate("sum", sum, loop.variable, loop.lo, loop.hi, loop.condition);
  }
  return sum;
}

/// What the messages of the hub cost, one after the other. Nothing if a message may be without blocks, which is not sent, or has no
/// length that is known.
std::optional<SymbolicCost> RankExecution::costAtHub(Term hub) {
  SymbolicCost total = noCost();
  for (unsigned number = 0; number < program.ops.size(); ++number) {
    const std::optional<SymbolicCost> &length = lengths[number];
    if (!length || length->unknown || length->denominator != 1)
      return std::nullopt;
    const std::optional<Slots> &slots = program.ops[number].slots;
    if (slots && (slots->block.kind != Axis::Single || slots->packet.kind != Axis::Single))
      return std::nullopt;
    std::vector<Term> own;
    for (const RankLoop &loop : program.ops[number].loops)
      own.push_back(loop.variable);
    total.startups = pool.add(total.startups, sumAtHub(number, hub, pool.integer(1)));
    for (Term SymbolicCost::*part : {&SymbolicCost::own, &SymbolicCost::ownReceived, &SymbolicCost::blocks, &SymbolicCost::packets})
      total.*part = pool.add(total.*part, sumAtHub(number, hub, program.at(program.ops[number], (*length).*part, hub, own)));
    total.exact &= length->packets == pool.integer(0); // packets of a block differ in length
  }
  total.withRankZero = total.longestWithRankZero = false;
  return total;
}

bool RankExecution::requireHub(Term hub, llvm::SMRange range) {
  const Progress before = progress();
  require(Claim::Cost, "the rank of all messages exists", range, pool.truth(true), pool.inRange(pool.integer(0), hub, names.p));
  for (unsigned number = 0; number < program.ops.size(); ++number) {
    const RankOp &op = program.ops[number];
    if (op.isSend())
      require(Claim::Cost, "one rank takes part in every message", range, pool.both(program.isReached(op), op.guard),
              pool.either(pool.equal(names.me, hub), pool.equal(op.peer, hub)));
    for (unsigned other = 0; other < number; ++other)
      if (program.ops[other].place == op.place)
        require(Claim::Cost, "this rank has one message in a step", range, program.isReached(op),
                pool.negate(pool.both(atHub(program, op, hub, pool).guard, atHub(program, program.ops[other], hub, pool).guard)));
  }
  if (llvm::all_of(found.since(before.found.size()), [&](const Obligation &obligation) { return oracle.isProved(obligation); }))
    return true;
  takeBack(before);
  return false;
}

std::optional<SymbolicCost> RankExecution::costOfHub(llvm::SMRange range) {
  llvm::SmallVector<Term, 4> hubs{pool.integer(0)}; // ranks count from the origin, if there is one
  if (program.origin())
    hubs.push_back(program.origin());
  llvm::append_range(hubs, program.numbers);
  for (Term hub : hubs)
    if (const std::optional<SymbolicCost> total = costAtHub(hub); total && requireHub(hub, range))
      return total;
  return std::nullopt;
}

} // namespace quadrille::compiler::prove
