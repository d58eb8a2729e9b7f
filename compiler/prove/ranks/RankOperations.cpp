//===- RankOperations.cpp - What the ranks of a schedule do, step after step -----------------------------------------------===//

#include "RankOperations.h"

#include "prove/definitions/FormulaFit.h"
#include "limits/Limits.h"
#include "prove/terms/Solutions.h"

#include "llvm/ADT/STLExtras.h"

#include <cassert>
#include <numeric>

namespace quadrille::compiler::prove {

// ---- walking -------------------------------------------------------------------------------------------------------------------

void RankWalk::complete(Obligation &obligation) {
  if (!isTrial)
    Execution::complete(obligation);
}

RankLoop RankWalk::enter(const ir::ForStmt &stmt, Frame &frame, Term guard) {
  const Term zero = pool.integer(0), one = pool.integer(1), two = pool.integer(2);
  auto bound = [&](const ir::Expr *expr, Term otherwise) { return expr ? termOf(*expr, frame, guard) : otherwise; };
  auto positive = [&](Term number) { return holds(pool.lessEqual(one, number), guard, stmt.keyword); };
  RankLoop loop;
  loop.place = places++;
  loop.variable = loop.first = pool.fresh(frame.schedule.variables[stmt.variable].name);
  loop.condition = pool.truth(true);
  loop.descending = stmt.loop == ir::LoopKind::Descending || stmt.loop == ir::LoopKind::Half || stmt.loop == ir::LoopKind::HalvingsReversed;
  switch (stmt.loop) {
  case ir::LoopKind::Ascending:
  case ir::LoopKind::Descending: {
    loop.lo = bound(stmt.lo, zero);
    loop.hi = bound(stmt.hi, zero);
    if (loop.descending) // the loop includes its first value, hi
      loop.hi = pool.add(loop.hi, one);
    const Term step = bound(stmt.factor, one);
    if (step == one)
      return loop;
    if (loop.descending || !positive(step))
      throw NotModelled{Gap::StepByRank, stmt.keyword};
    loop.first = pool.add(loop.lo, pool.multiply(step, loop.variable));
    loop.hi = pool.quotient(pool.add(pool.subtract(loop.hi, loop.lo), pool.subtract(step, one)), step);
    loop.lo = zero;
    return loop;
  }
  case ir::LoopKind::Times: {
    const Term lo = bound(stmt.lo, one), hi = bound(stmt.hi, zero);
    if (bound(stmt.factor, two) != two || !positive(lo))
      throw NotModelled{Gap::MultiplyingByRank, stmt.keyword};
    const Term parts = pool.quotient(pool.add(hi, pool.subtract(lo, one)), lo);
    loop.lo = zero;
    loop.hi = exponentsBelow(parts, positive(parts));
    loop.first = pool.multiply(lo, pool.power2(loop.variable));
    return loop;
  }
  case ir::LoopKind::Half: {
    const Term hi = bound(stmt.hi, zero);
    if (TermPool::asInteger(bound(stmt.lo, one)) != 1)
      throw NotModelled{Gap::HalvingNotToOne, stmt.keyword};
    loop.lo = zero;
    loop.first = pool.power2(loop.variable);
    if (const std::optional<Powers> powers = powersUpTo(hi)) {
      require(Claim::Defined, "the first value of a halving loop is a power of two", stmt.keyword, guard, powers->areWhole);
      loop.hi = powers->count;
      return loop;
    }
    const Term isThere = pool.lessEqual(one, hi);
    require(Claim::Defined, "the first value of a halving loop is a power of two", stmt.keyword, pool.both(guard, isThere), pool.isPower2(hi));
    loop.hi = pool.select(isThere, pool.add(pool.floorLog2(hi), one), zero);
    if (positive(hi))
      loop.hi = pool.add(pool.floorLog2(hi), one);
    return loop;
  }
  case ir::LoopKind::Halvings:
  case ir::LoopKind::HalvingsReversed: {
    const Term number = bound(stmt.hi, one);
    const auto halved = [&](Term times) { // each time rounded up
      const Term power = pool.power2(times);
      return pool.quotient(pool.add(number, pool.subtract(power, one)), power);
    };
    loop.lo = zero;
    loop.hi = exponentsBelow(number, positive(number));
    loop.second = halved(loop.variable);
    loop.first = halved(pool.add(loop.variable, one));
    return loop;
  }
  case ir::LoopKind::Others:
    loop.lo = zero;
    loop.hi = names.p;
    loop.condition = pool.notEqual(loop.variable, rankIn(frame, names.me));
    return loop;
  case ir::LoopKind::Children:
    break;
  }
  throw NotModelled{Gap::LoopOverRanks, stmt.keyword};
}

Term RankWalk::exponentsBelow(Term number, bool isPositive) {
  const Term exponents = pool.ceilLog2(number);
  return isPositive ? exponents : pool.select(pool.lessEqual(pool.integer(1), number), exponents, pool.integer(0));
}

std::optional<RankWalk::Powers> RankWalk::powersUpTo(Term largest) {
  const Term zero = pool.integer(0), one = pool.integer(1);
  if (largest->kind == TermKind::Power2) {
    const Term exponent = largest->operands[0];
    return Powers{pool.add(exponent, one), pool.lessEqual(zero, exponent)};
  }
  const bool isChoice = largest->kind == TermKind::Select, isHalf = largest->kind == TermKind::Quotient && TermPool::asInteger(largest->operands[1]) == 2;
  if (isHalf && largest->operands[0]->kind == TermKind::Power2) {
    const Term exponent = largest->operands[0]->operands[0];
    return Powers{exponent, pool.lessEqual(zero, exponent)};
  }
  const Term choice = isChoice ? largest : isHalf ? largest->operands[0] : Term();
  if (!choice || choice->kind != TermKind::Select)
    return std::nullopt;
  std::optional<Powers> sides[2];
  for (unsigned side : {0u, 1u}) {
    const Term number = choice->operands[side + 1];
    sides[side] = powersUpTo(isHalf ? pool.quotient(number, pool.integer(2)) : number);
    if (!sides[side])
      return std::nullopt;
  }
  const Term condition = choice->operands[0];
  return Powers{pool.select(condition, sides[0]->count, sides[1]->count), pool.select(condition, sides[0]->areWhole, sides[1]->areWhole)};
}

void RankWalk::setVariables(const ir::ForStmt &stmt, Frame &frame, const RankLoop &loop, Term number) {
  TermPool::Substitution by;
  by[loop.variable.get()] = number;
  frame.values[stmt.variable] = {pool.substitute(loop.first, by), {}, {}};
  if (loop.second)
    frame.values[stmt.second] = {pool.substitute(loop.second, by), {}, {}};
}

void RankWalk::iterate(const ir::ForStmt &stmt, Frame &frame, Term guard, const RankLoop &loop, Term number) {
  TermPool::Substitution by;
  by[loop.variable.get()] = number;
  RankLoop now = loop;
  now.variable = number;
  now.condition = pool.substitute(loop.condition, by);
  setVariables(stmt, frame, loop, number);
  around.push_back(now);
  execute(stmt.body, frame, pool.both(guard, now.condition));
  around.pop_back();
}

bool RankWalk::overChildren(const ir::ForStmt &stmt, Frame &frame, Term guard, llvm::function_ref<void(Term)> atHead) {
  if (stmt.loop != ir::LoopKind::Children)
    return false;
  const Term tree = termOf(*stmt.tree, frame, guard), me = rankIn(frame, names.me);
  for (ir::TreeFieldKind side : {ir::TreeFieldKind::Left, ir::TreeFieldKind::Right}) {
    ir::Expr field;
    field.op = ir::Op::TreeField;
    field.field = side;
    field.range = stmt.keyword;
    Value child = defined.field(field, tree, me);
    frame.values[stmt.variable] = {child.term, {}, {}};
    const Term isThere = child.exists ? pool.both(guard, child.exists) : guard;
    if (atHead)
      atHead(isThere);
    execute(stmt.body, frame, isThere);
  }
  if (atHead)
    atHead(guard);
  return true;
}

namespace {
/// Collects the ops. Ignores contents and drops obligations: RankExecution walks the schedule a second time.
class Survey : public RankWalk {
public:
  Survey(const ir::Schedule &schedule, TermPool &pool, Oracle &oracle, DefinedTerms &defined)
      : RankWalk(schedule, pool, oracle, Products::Ordered, defined) {}

  void collectOps(std::vector<RankOp> &result, std::vector<RankGroups> &groupsFound, std::vector<Term> &numbers, Term &origin, bool &isSplit,
                  std::optional<NotModelled> &clockGap) {
    ops = &result;
    groups = &groupsFound;
    Frame frame(schedule);
    outermost = &frame;
    begin(frame);
    execute(schedule.body, frame, pool.truth(true));
    numbers = numberTerms;
    origin = this->origin;
    isSplit = static_cast<bool>(packets);
    clockGap = gap;
    size_t longest = 0;
    for (RankOp &op : result) {
      if (op.slots)
        op.slots->storage = nullptr; // the storage lives no longer than this survey
      longest = std::max(longest, op.times.size());
    }
    for (RankOp &op : result)
      if (op.clock)
        op.times.resize(longest, pool.integer(0));
  }

private:
  void complete(Obligation &) override {}
  void assign(const ir::AssignStmt &, Frame &, Term) override {}

  void loop(const ir::ForStmt &stmt, Frame &frame, Term guard) override {
    if (overChildren(stmt, frame, guard))
      return;
    RankLoop loop = enter(stmt, frame, guard);
    iterate(stmt, frame, guard, loop, loop.variable);
  }

  void step(const ir::StepStmt &stmt, Frame &frame, Term guard) override {
    const unsigned place = places++;
    for (const ir::Buffer *message : stmt.messages) {
      declare(*message, frame, guard);
      frame.views[message->index].storage->hasShape = true; // as a single block: the shape does not matter here
    }
    sends.clear();
    receives.clear();
    collect(stmt.body, frame, guard);
    for (const std::vector<Transfer> *side : {&sends, &receives})
      for (const Transfer &transfer : *side) {
        RankOp op;
        op.stmt = transfer.stmt;
        op.place = place;
        op.loops = around;
        op.guard = transfer.guard;
        op.peer = transfer.peer;
        op.slots = transfer.slots;
        if (op.slots) // a message that is passed on counts as one packet
          op.packetCount = op.slots->storage->isMessage ? pool.integer(1) : op.slots->storage->packets;
        op.origin = frame.origin;
        addClock(op, frame);
        ops->push_back(std::move(op));
      }
    execute(stmt.body, frame, guard);
  }

  void useInGroups(const ir::UseStmt &stmt, Frame &, Term guard) override {
    if (!around.empty())
      throw NotModelled{Gap::UsedInGroups, stmt.keyword};
    groups->push_back({places++, guard, stmt.keyword});
  }

  void beginUse(const ir::UseStmt &stmt, Frame &outer, Frame &inner) override {
    addTimes(stmt.clock, outer, outer, sender, receiver, inner);
  }

  /// Sets `into.times` to the times of `around` followed by those of `clock`, evaluated in `frame` for a message from rank `from`
  /// to rank `to` of the outermost schedule.
  void addTimes(const ir::Clock *clock, Frame &frame, const Frame &around, Term from, Term to, Frame &into) {
    into.times = around.times;
    into.timesExist = around.timesExist;
    into.clock = around.clock;
    if (!clock)
      return;
    frame.values[clock->sender] = {rankIn(frame, from), {}, {}};
    frame.values[clock->receiver] = {rankIn(frame, to), {}, {}};
    into.clock = clock;
    try {
      exprs.needs.clear();
      for (const ir::Expr *time : clock->times)
        into.times.push_back(exprs.term(*time, frame));
      for (const Numbers::Need &need : exprs.needs)
        into.timesExist = into.timesExist ? pool.both(into.timesExist, need.condition) : need.condition;
    } catch (const NotModelled &notModelled) {
      if (!gap)
        gap = notModelled;
    }
  }

  void addClock(RankOp &op, Frame &frame) {
    op.isOwn = frame.place.uses.empty();
    for (unsigned i = 0; i < frame.schedule.variables.size(); ++i)
      if (frame.schedule.variables[i].type == ir::Type::Tree && frame.values[i].term)
        op.treeNames.push_back({frame.values[i].term, frame.schedule.variables[i].name});
    const Term from = op.isSend() ? names.me : op.peer, to = op.isSend() ? op.peer : names.me;
    Frame times(frame.schedule);
    addTimes(op.stmt->clock, frame, frame, from, to, times);
    TermPool::Substitution by;
    by[sender.get()] = from;
    by[receiver.get()] = to;
    for (Term &time : times.times)
      time = pool.substitute(time, by);
    op.clock = times.clock;
    op.times = std::move(times.times);
    op.timesExist = times.timesExist ? pool.substitute(times.timesExist, by) : pool.truth(true);
  }

  std::vector<RankOp> *ops = nullptr;
  std::vector<RankGroups> *groups = nullptr;
  // Symbols for the ranks of a message in clocks of `use` statements.
  const Term sender = pool.variable("sender'"), receiver = pool.variable("receiver'");
  std::optional<NotModelled> gap;
};
} // namespace

RankOperations::RankOperations(const ir::Schedule &schedule, TermPool &pool, Oracle &oracle, DefinedTerms &defined)
    : schedule(schedule), pool(pool), defined(defined) {
  Survey(schedule, pool, oracle, defined).collectOps(ops, groups, numbers, originTerm, isSplit, clockGap);
  runSmallCases();
  findPartners();
  findPhases();
}

std::optional<unsigned> RankOperations::find(const ir::TransferStmt &stmt, unsigned place) const {
  for (unsigned i = 0; i < ops.size(); ++i)
    if (ops[i].stmt == &stmt && ops[i].place == place)
      return i;
  return std::nullopt;
}

std::vector<std::pair<unsigned, unsigned>> RankOperations::consecutive() const {
  std::vector<std::pair<unsigned, unsigned>> pairs;
  for (const SmallCase &small : cases)
    for (const auto &steps : small.steps)
      for (size_t i = 0; i + 1 < steps.size(); ++i)
        for (unsigned before : steps[i])
          for (unsigned after : steps[i + 1])
            pairs.push_back({before, after});
  llvm::sort(pairs);
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  return pairs;
}

Term RankOperations::isReached(const RankOp &op) const {
  llvm::SmallVector<Term, 4> conditions;
  for (const RankLoop &loop : op.loops) {
    conditions.push_back(pool.inRange(loop.lo, loop.variable, loop.hi));
    conditions.push_back(loop.condition);
  }
  return pool.conjunction(conditions);
}

Term RankOperations::at(const RankOp &op, Term term, Term rank, llvm::ArrayRef<Term> values) const {
  assert(values.size() == op.loops.size() && "an iteration of all loops around it");
  TermPool::Substitution by;
  by[pool.variable("me").get()] = rank;
  for (size_t i = 0; i < op.loops.size(); ++i)
    by[op.loops[i].variable.get()] = values[i];
  return pool.substitute(term, by);
}

Term RankOperations::meets(const RankOp &op, const RankPair &pair) const {
  assert(pair.op < ops.size() && ops[pair.op].isSend() != op.isSend() && "sends meet receives");
  const RankOp &other = ops[pair.op];
  Term condition = pool.conjunction({isReached(other), other.guard, pool.equal(other.peer, pool.variable("me'"))});
  TermPool::Substitution by;
  by[pool.variable("me'").get()] = pool.variable("me");
  return pool.substitute(at(other, condition, op.peer, pair.values), by);
}

Term RankOperations::comesBefore(const RankOp &first, llvm::ArrayRef<Term> firstValues, const RankOp &second,
                                 llvm::ArrayRef<Term> secondValues) const {
  size_t common = 0;
  while (common < first.loops.size() && common < second.loops.size() && first.loops[common].place == second.loops[common].place)
    ++common;
  // It does if its iteration of a common loop is earlier, or if all are equal and it comes first in the text.
  const unsigned placeOfFirst = common < first.loops.size() ? first.loops[common].place : first.place;
  const unsigned placeOfSecond = common < second.loops.size() ? second.loops[common].place : second.place;
  Term result = pool.truth(placeOfFirst < placeOfSecond);
  for (size_t i = common; i-- > 0;) {
    const Term x = firstValues[i], y = secondValues[i];
    result = pool.either(first.loops[i].descending ? pool.less(y, x) : pool.less(x, y), pool.both(pool.equal(x, y), result));
  }
  return result;
}

// ---- partners ---------------------------------------------------------------------------------------------------------------

std::vector<Term> RankOperations::vocabulary(const RankOp &op) const {
  const Term me = pool.variable("me"), one = pool.integer(1);
  std::vector<Term> result;
  if (schedule.usesNodes)
    for (Term rank : {me, op.peer})
      for (ir::Op what : {ir::Op::LocalRank, ir::Op::NodeOf})
        result.push_back(nodeTerm(pool, what, {rank}));
  for (const RankLoop &loop : op.loops)
    for (std::int64_t offset : {0, 1, -1, 2, -2})
      result.push_back(pool.add(loop.variable, pool.integer(offset)));
  for (std::int64_t constant : {0, 1})
    result.push_back(pool.integer(constant));
  for (Term rank : {me, op.peer}) {
    result.push_back(rank);
    if (op.origin)
      result.push_back(pool.modulo(pool.subtract(rank, op.origin), pool.variable("p")));
  }
  for (Term number : numbers) {
    result.push_back(number);
    result.push_back(pool.subtract(number, one));
  }
  result.push_back(pool.floorLog2(pool.subtract(me, op.peer)));
  result.push_back(pool.floorLog2(pool.subtract(op.peer, me)));
  return result;
}

std::vector<Term> RankOperations::comparisons(bool ofReceives) const {
  const Term me = pool.variable("me"), p = pool.variable("p");
  const auto isKnown = [&](Term variable) { return variable == me || variable == p || llvm::is_contained(numbers, variable); };
  std::vector<Term> result;
  for (const RankOp &op : ops)
    if (op.isSend() != ofReceives && !op.origin)
      forEachNode({op.peer}, [&](Term node) {
        const auto variables = variablesOf({node});
        if (node->kind == TermKind::AtLeastZero && llvm::is_contained(variables, me) && llvm::all_of(variables, isKnown) &&
            result.size() < limits::clockConditions && !llvm::is_contained(result, node))
          result.push_back(node);
      });
  return result;
}

std::vector<Term> RankOperations::countedFrom() const {
  std::vector<Term> text;
  for (const RankOp &op : ops)
    text.insert(text.end(), {op.guard, op.peer});
  std::vector<Term> result = originsByHand(pool, text, pool.variable("me"), pool.variable("p"));
  llvm::erase_if(result, [&](Term from) {
    return !llvm::all_of(variablesOf({from}), [&](Term variable) { return llvm::is_contained(numbers, variable); });
  });
  return result;
}

/// A formula for the next of the other side's loop variables, of which `found` has the first ones, that fits all messages. Throws
/// NotModelled if there is none.
Term RankOperations::iterationOfPartner(unsigned self, RankPair &found, llvm::ArrayRef<const SmallMessage *> together) {
  const RankOp &op = ops[self], &other = ops[found.op];
  const size_t which = found.values.size();
  auto wantedAt = [&](const SmallMessage &message) { return (op.isSend() ? message.recvValues : message.sendValues)[which]; };
  auto fits = [&](Term candidate) {
    return llvm::all_of(together, [&](const SmallMessage *message) {
      return valueAt(*message, op.isSend(), candidate) == wantedAt(*message);
    });
  };
  const auto solved = [&]() -> Term { // the iteration in which the other side has this rank as its partner
    TermPool::Substitution by;
    by[pool.variable("me").get()] = op.peer;
    for (size_t i = 0; i < which; ++i)
      by[other.loops[i].variable.get()] = found.values[i];
    for (Term solution : solutionsOf(pool, pool.substitute(other.peer, by), other.loops[which].variable, pool.variable("me'"))) {
      TermPool::Substitution here;
      here[pool.variable("me'").get()] = pool.variable("me");
      if (solution = pool.substitute(solution, here); fits(solution))
        return solution;
    }
    return {};
  };
  // If it is the same in all small cases, many formulas are equal to it, and in small cases a logarithm may be.
  const bool isConstant = llvm::all_of(together, [&](const SmallMessage *message) { return wantedAt(*message) == wantedAt(*together[0]); });
  if (const Term solution = isConstant ? solved() : Term())
    return solution;
  const std::vector<Term> usual = vocabulary(op);
  const auto isLogarithm = [](Term term) { return term->kind == TermKind::FloorLog2; };
  if (const auto first = llvm::find_if(usual, [&](Term term) { return !isLogarithm(term) && fits(term); }); first != usual.end())
    return *first;
  if (const Term solution = isConstant ? Term() : solved())
    return solution;
  if (const auto first = llvm::find_if(usual, [&](Term term) { return isLogarithm(term) && fits(term); }); first != usual.end())
    return *first;
  std::vector<Term> atoms = usual;
  llvm::append_range(atoms, partsOf({op.guard, op.peer}));
  std::vector<FitColumn> columns;
  std::vector<std::int64_t> wanted;
  for (const SmallMessage *message : together)
    wanted.push_back(wantedAt(*message));
  auto columnOf = [&](Term term) {
    FitColumn column{term, {}};
    for (const SmallMessage *message : together)
      if (auto value = valueAt(*message, op.isSend(), term))
        column.values.push_back(*value);
    return column;
  };
  for (Term atom : atoms)
    if (FitColumn column = columnOf(atom); column.values.size() == wanted.size())
      columns.push_back(std::move(column));
  if (Term fitted = fitFormula(pool, columns, columnOf(pool.variable("p")), wanted))
    return fitted;
  throw NotModelled{Gap::IterationOfPartner, op.stmt->keyword};
}

void RankOperations::findPartners() {
  partners.resize(ops.size());
  std::map<std::pair<unsigned, unsigned>, std::vector<const SmallMessage *>> together;
  for (const SmallMessage &message : messages)
    together[{message.send, message.recv}].push_back(&message);
  for (auto &[pair, list] : together) {
    for (bool ofSend : {true, false}) {
      const unsigned self = ofSend ? pair.first : pair.second, other = ofSend ? pair.second : pair.first;
      RankPair found;
      found.op = other;
      while (found.values.size() < ops[other].loops.size())
        found.values.push_back(iterationOfPartner(self, found, list));
      partners[self].push_back(std::move(found));
    }
  }
}

/// Numbers the phases: connected components of ops that may meet. A phase that some rank of a small case goes through before another one comes
/// before it, if that is an order; of those that it leaves open, the first in the text comes first.
void RankOperations::findPhases() {
  std::vector<unsigned> leader(ops.size());
  std::iota(leader.begin(), leader.end(), 0u);
  auto leaderOf = [&](unsigned op) {
    while (leader[op] != op)
      op = leader[op];
    return op;
  };
  for (unsigned op = 0; op < ops.size(); ++op)
    for (const RankPair &pair : partners[op]) {
      unsigned a = leaderOf(op), b = leaderOf(pair.op);
      leader[std::max(a, b)] = std::min(a, b);
    }
  llvm::DenseMap<unsigned, unsigned> numbers;
  for (unsigned op = 0; op < ops.size(); ++op)
    ops[op].phase = numbers.try_emplace(leaderOf(op), static_cast<unsigned>(numbers.size())).first->second;
  phases = static_cast<unsigned>(numbers.size());
  std::vector<std::vector<bool>> isBefore(phases, std::vector<bool>(phases));
  for (const auto &[before, after] : consecutive())
    isBefore[ops[messages[before].send].phase][ops[messages[after].send].phase] = true;
  std::vector<std::optional<unsigned>> place(phases);
  for (unsigned next = 0; next < phases; ++next) {
    unsigned first = 0;
    const auto comesLater = [&](unsigned phase) {
      for (unsigned other = 0; other < phases; ++other)
        if (other != phase && !place[other] && isBefore[other][phase])
          return true;
      return false;
    };
    while (first < phases && (place[first] || comesLater(first)))
      ++first;
    if (first == phases)
      return; // ranks go through phases again and again: the order of the text stays
    place[first] = next;
  }
  for (RankOp &op : ops)
    op.phase = *place[op.phase];
}

void RankOperations::joinPhases() {
  assert(groups.empty() && "sections are by phase");
  phases = 1;
  for (RankOp &op : ops)
    op.phase = 0;
}

} // namespace quadrille::compiler::prove
