//===- Groups.cpp - Schedules that are used in groups of ranks ---------------------------------------------------------===//
//
// `use s among { member : c in lo ..< hi }`. The schedule s is proved by itself, for every number of ranks (Groups.h); here it is
// shown that its collective's promises may be taken over, with the members of a group in the place of ranks:
//
//   - A formula C gives the position of a rank: lo <= C < hi, and member(C) is the rank itself. Of every member(c) of its group
//     it is shown that it is a rank that comes here, too, that its list of members is the same, and that C of it is c. So groups
//     do not overlap, no rank is twice in one, and all ranks of a group run s in the same order.
//   - All members give the same numbers, which s admits for a group of this size.
//   - If s is right for commutative operators only, so is the schedule that uses it.
//   - What s relies on is there: inputs are full where its collective has them. Elsewhere, and in outputs, a block is shown to be
//     empty, or else the proof of s allows for any content there.
//   - If packets take the place of blocks, block j is packet base + j on all members, and a single block is that with the number of its
//     rank. The proof of s supposes no more of lengths: that blocks with the same number are equally long.
//
// Then s ends in each group, whenever its ranks begin: synchronous sends wait for their receivers, so messages are the same at all
// times. s receives all messages that it sends, so none of them meets a transfer before or after it; therefore ranks that are in no
// group may skip it. After it, blocks hold what is promised: the contents of other members' blocks as they
// were, or their product. A product of intervals that follow each other is the interval from the first to the last one.
//
//===----------------------------------------------------------------------------------------------------------------===//

#include "Execution.h"

#include "ir/Walk.h"
#include "limits/Limits.h"
#include "prove/definitions/SamplePoints.h"

#include "llvm/ADT/STLExtras.h"

namespace quadrille::compiler::prove {

/// Executes one `use` in groups. Terms are about the generic rank `me` of the outermost schedule; `member`, `lo`, `hi` and the
/// position are numbers of the using schedule and of the list.
class Execution::GroupUse {
public:
  GroupUse(Execution &execution, const ir::UseStmt &stmt, Frame &frame, Term guard)
      : execution(execution), pool(execution.pool), names(execution.names), stmt(stmt), callee(*stmt.callee), frame(frame),
        guard(guard), inner(callee) {}

  void run() {
    if (!execution.contentsMatter || execution.moving || execution.haveOwnLengths() || !callee.tables.empty() ||
        frame.blocksArePackets)
      throw notModelled();
    if (callee.usesNodes) // each group has a map of its own
      throw NotModelled{Gap::NodesAreData, stmt.keyword};
    me = execution.rankIn(frame, names.me);
    lo = execution.termOf(*stmt.lo, frame, guard);
    hi = execution.termOf(*stmt.hi, frame, guard);
    size = pool.subtract(hi, lo);
    binder = pool.fresh("member");
    frame.values[stmt.binder] = {binder, {}, {}};
    member = execution.termOf(*stmt.member, frame, pool.both(guard, pool.inRange(lo, binder, hi)));
    findPosition();
    enter();
    bindAll();
    takeOver();
  }

private:
  NotModelled notModelled() const { return {Gap::UsedInGroups, stmt.keyword}; }

  Term replaced(Term term, Term variable, Term by) {
    TermPool::Substitution with;
    with[variable.get()] = by;
    return pool.substitute(term, with);
  }

  /// The rank, as the outermost schedule counts, of the member with this number in the list of `me`.
  Term rankOf(Term number) { return execution.rankOutermost(frame, replaced(member, binder, number)); }
  /// A term of `me` as a term of that member.
  Term of(Term term, Term number) { return execution.at(term, rankOf(number)); }

  bool isProved(Term where, Term goal) {
    Obligation question{Claim::Defined, "groups", stmt.keyword, execution.facts, goal};
    question.hypotheses.push_back(where);
    question.hypotheses.push_back(pool.inRange(pool.integer(0), names.me, names.p));
    if (SamplePoints(execution.defined, pool, question.hypotheses, limits::pairingSamples).refute(goal))
      return false;
    execution.complete(question);
    return execution.oracle.isProved(question);
  }

  void require(Claim claim, const char *name, Term where, Term goal) {
    execution.require(claim, name, stmt.keyword, pool.both(guard, where), goal);
  }

  // ---- the groups --------------------------------------------------------------------------------------------------------------

  /// Terms c for which member(c) may be the rank `x`: the equation solved for c, and digits of x.
  std::vector<Term> solutions(Term x) {
    std::vector<Term> result = execution.solutions(member, binder, x);
    auto add = [&](Term candidate) {
      if (!llvm::is_contained(result, candidate))
        result.push_back(candidate);
    };
    add(x);
    forEachNode({member, guard}, [&](Term node) {
      if ((node->kind == TermKind::Modulo || node->kind == TermKind::Quotient) &&
          !llvm::is_contained(variablesOf({node->operands[1]}), binder)) {
        add(pool.modulo(x, node->operands[1]));
        add(pool.quotient(x, node->operands[1]));
      }
      if (nodeOperation(node) == ir::Op::RankOn)
        for (ir::Op place : {ir::Op::NodeOf, ir::Op::LocalRank})
          add(nodeTerm(pool, place, {x}));
    });
    return result;
  }

  void findPosition() {
    const Term zero = pool.integer(0), other = pool.fresh("member"), isMember = pool.inRange(lo, binder, hi);
    const Term isOther = pool.inRange(lo, other, hi);
    const Term itself = rankOf(binder);
    const Term isRank = pool.inRange(zero, member, names.p);
    std::vector<Term> candidates = solutions(me);
    for (const Value &named : frame.values) // the author may have computed it
      if (named.term && !named.exists && !named.term->isBoolean() && llvm::is_contained(variablesOf({named.term}), names.me) &&
          !llvm::is_contained(variablesOf({named.term}), binder) && !llvm::is_contained(candidates, named.term))
        candidates.push_back(named.term);
    for (Term candidate : candidates) {
      const Term isHere = pool.both(pool.inRange(lo, candidate, hi), pool.equal(rankOf(candidate), names.me));
      const Term isThere = pool.equal(execution.at(candidate, itself), binder);
      if (!isProved(guard, isHere) || !isProved(pool.both(guard, isMember), isThere))
        continue;
      require(Claim::Defined, "a rank is in its group", pool.truth(true), isHere);
      require(Claim::Defined, "the members of a group are ranks", isMember, isRank);
      require(Claim::Defined, "all members of a group come to it", isMember, execution.at(guard, itself));
      require(Claim::Defined, "the members of a group differ", isMember, isThere);
      require(Claim::Defined, "all members of a group list as many", isMember,
              pool.both(pool.equal(execution.at(lo, itself), lo), pool.equal(execution.at(hi, itself), hi)));
      require(Claim::Defined, "all members of a group list the same ranks", pool.both(isMember, isOther),
              pool.equal(execution.at(rankOf(other), itself), rankOf(other)));
      position = pool.subtract(candidate, lo);
      number = candidate;
      return;
    }
    throw notModelled();
  }

  // ---- the schedule in its group -------------------------------------------------------------------------------------------

  /// Sets the names of the used schedule, and requires what it requires.
  void enter() {
    inner.values.resize(callee.variables.size());
    inner.values[ir::Schedule::variableP] = {size, {}, {}};
    inner.values[ir::Schedule::variableMe] = {position, {}, {}};
    const Term isMember = pool.inRange(lo, binder, hi), one = pool.integer(1);
    for (size_t i = 0; i < stmt.numbers.size(); ++i) {
      const Term given = execution.termOf(*stmt.numbers[i], frame, guard);
      inner.values[ir::Schedule::firstNumber + i] = {given, {}, {}};
      numbers.push_back(given);
      require(Claim::Defined, "all members of a group give the same number", isMember, pool.equal(of(given, binder), given));
      // The proof of the schedule by itself supposes this of all of them, numbers of trees among them.
      require(Claim::Defined, "the used schedule gets a number that it may have", pool.truth(true),
              callee.isRank(i) ? pool.inRange(pool.integer(0), given, size) : pool.lessEqual(one, given));
    }
    for (const ir::Requirement &requirement : callee.requirements)
      execution.require(Claim::Defined, "the used schedule may be used here: " + requirement.text, stmt.keyword, guard,
                        execution.termOf(*requirement.condition, inner, guard));
  }

  bool isOfPackets() const {
    auto passes = [](llvm::ArrayRef<ir::Slice> slices, llvm::ArrayRef<const ir::Buffer *> parameters) {
      return llvm::any_of(llvm::zip(slices, parameters), [](const auto &pair) {
        return std::get<1>(pair)->isArray && ir::passesPackets(std::get<0>(pair), *std::get<1>(pair));
      });
    };
    return passes(stmt.inputs, callee.inputs) || passes(stmt.outputs, callee.outputs);
  }

  /// Packets take the place of blocks: of an array, packet `packetBase + j` that of block j; of a single block that of its rank.
  Slots packetsOf(Slots slots, const ir::Buffer &parameter) {
    const Term zero = pool.integer(0);
    Axis &packet = slots.packet;
    if (slots.block.kind != Axis::Single || packet.modulus || packet.kind != (parameter.isArray ? Axis::Position : Axis::Single))
      throw notModelled();
    if (!packetBase) {
      packetBase = parameter.isArray ? packet.start : pool.subtract(packet.start, position);
      require(Claim::Matching, "all members of a group pass the same packets", pool.inRange(lo, binder, hi),
              pool.equal(of(packetBase, binder), packetBase));
    }
    require(Claim::Matching, "all that a schedule works on are the same packets", pool.truth(true),
            pool.equal(packet.start, parameter.isArray ? packetBase : pool.add(packetBase, position)));
    if (parameter.isArray) {
      const Term wanted = execution.termOf(*parameter.count, inner, guard);
      require(Claim::Range, "a used schedule gets as many blocks as it works on", pool.truth(true),
              pool.both(pool.lessEqual(zero, wanted), pool.lessEqual(wanted, packet.count)));
      packet.count = wanted; // it does not know of packets beyond these
    }
    return slots;
  }

  /// The slots of a parameter. Throws NotModelled unless they are a block, packets of a block, or consecutive blocks.
  Slots slotsOf(const ir::Slice &slice, const ir::Buffer &parameter) {
    Slots slots = execution.slotsOf(slice, frame, guard);
    execution.requireInRange(slots, guard, slice.range);
    const SymbolicBuffer &storage = *slots.storage;
    const Axis &block = slots.block, &packet = slots.packet;
    if (slots.blocksArePackets || storage.packet || storage.isMessage || block.kind == Axis::Number || block.modulus ||
        packet.kind == Axis::Number)
      throw notModelled();
    if (how.blocksArePackets)
      return packetsOf(std::move(slots), parameter);
    const Term one = pool.integer(1);
    const Term wanted = parameter.isArray ? execution.termOf(*parameter.count, inner, guard) : one;
    require(Claim::Range, "a used schedule gets as many blocks as it works on", pool.truth(true),
            pool.both(pool.lessEqual(pool.integer(0), wanted),
                      block.kind == Axis::Single ? pool.equal(wanted, one) : pool.lessEqual(wanted, block.count)));
    if (block.kind == Axis::Position) // it does not know of blocks beyond these
      slots.block.count = wanted;
    // Blocks are as long as others of the group: whole blocks, or the same packet everywhere.
    if (packet.kind == Axis::Position) {
      if (packet.start != pool.integer(0) || packet.count != storage.packets || packet.modulus || onePacket)
        throw notModelled();
      wholeBlocks = true;
    } else if (TermPool::asInteger(storage.packets) != 1) {
      if (wholeBlocks)
        throw notModelled();
      if (!onePacket)
        require(Claim::Matching, "all members of a group pass the same packet", pool.inRange(lo, binder, hi),
                pool.equal(of(packet.start, binder), packet.start));
      else
        require(Claim::Matching, "all that a schedule works on is the same packet", pool.truth(true),
                pool.equal(packet.start, onePacket));
      onePacket = packet.start;
    } else if (execution.packets && execution.packets != one) {
      throw notModelled();
    }
    return slots;
  }

  /// The condition under which the collective has a parameter on this rank.
  Term isPresent(const ir::Buffer &parameter) {
    if (!parameter.presence)
      return pool.truth(true);
    execution.exprs.needs.clear();
    const Value owner = execution.exprs.value(*parameter.presence, inner);
    const Term here = pool.equal(position, owner.term);
    return owner.exists ? pool.both(owner.exists, here) : here;
  }

  static Term contains(Execution &execution, const Slots &slots) { return execution.contains(slots.block, slots.packet); }

  /// Whether it is shown that all of the slots are empty.
  bool isEmpty(const Slots &slots, Term where) {
    const Content held = execution.read(slots);
    const Term there = pool.both(where, contains(execution, slots));
    const Term goal = pool.negate(pool.either(held.valid, held.unknown));
    if (!isProved(pool.both(guard, there), goal))
      return false;
    require(Claim::Initialization, "what a used schedule is to find empty is empty", there, goal);
    return true;
  }

  bool isSamePlace(const Slots &a, const Slots &b) const {
    return a.block.kind == b.block.kind && a.block.start == b.block.start && a.block.count == b.block.count &&
           a.packet.kind == b.packet.kind && a.packet.start == b.packet.start && a.packet.count == b.packet.count;
  }

  /// Whether the input is shown to be the block of the output that has the number of the rank.
  bool isOwnBlock(const Slots &input, const Slots &output) {
    const auto [of, one] = how.blocksArePackets ? std::pair(output.packet, input.packet) : std::pair(output.block, input.block);
    const auto [as, other] = how.blocksArePackets ? std::pair(output.block, input.block) : std::pair(output.packet, input.packet);
    if (of.kind != Axis::Position || of.modulus || one.kind != Axis::Single || as.kind != other.kind || as.start != other.start ||
        as.count != other.count)
      return false;
    const Term goal = pool.equal(one.start, pool.add(of.start, position));
    if (!isProved(guard, goal))
      return false;
    require(Claim::Initialization, "a used schedule gets the block of its rank", pool.truth(true), goal);
    return true;
  }

  /// The number of a block of the used schedule, as a label.
  Term labelOf(const Slots &slots) const {
    const Axis &axis = how.blocksArePackets ? slots.packet : slots.block;
    return axis.kind == Axis::Single ? pool.integer(0) : axis.label;
  }

  void bindAll() {
    how.callee = &callee;
    how.blocksArePackets = isOfPackets();
    how.model = execution.modelInForce();
    for (auto [slice, parameter] : llvm::zip(stmt.inputs, callee.inputs)) {
      inputs.push_back(slotsOf(slice, *parameter));
      const Term present = isPresent(*parameter), inside = contains(execution, inputs.back());
      require(Claim::Initialization, "a used schedule gets what its collective says", pool.both(present, inside),
              execution.read(inputs.back()).valid);
      how.unknownElsewhere.push_back(!pool.isTrue(present) && !isEmpty(inputs.back(), pool.negate(present)));
    }
    for (auto [slice, parameter] : llvm::zip(stmt.outputs, callee.outputs)) {
      const Slots slots = slotsOf(slice, *parameter);
      how.inPlaceOf.emplace_back();
      how.inOwnBlock.push_back(false);
      for (auto [i, input] : llvm::enumerate(inputs)) {
        if (input.storage != slots.storage)
          continue;
        how.inOwnBlock.back() = isOwnBlock(input, slots);
        if ((!isSamePlace(input, slots) && !how.inOwnBlock.back()) || how.inPlaceOf.back())
          throw notModelled(); // parts of one storage, which may overlap
        how.inPlaceOf.back() = static_cast<unsigned>(i);
      }
      if (llvm::any_of(outputs, [&](const Slots &output) { return output.storage == slots.storage; }))
        throw notModelled();
      outputs.push_back(slots);
      const Term isOther = how.inOwnBlock.back() ? pool.notEqual(labelOf(slots), position) : pool.truth(!how.inPlaceOf.back());
      how.unknownBefore.push_back(!pool.isFalse(isOther) && !isEmpty(slots, isOther));
    }
  }

  // ---- what is promised ----------------------------------------------------------------------------------------------------------

  void takeOver() {
    proof = execution.oracle.proofAlone(how);
    if (!proof)
      throw notModelled();
    if (proof->open)
      throw *proof->open;
    if (proof->isUpToOrder && !execution.schedule.requiresCommutative)
      throw NotModelled{Gap::OrderInGroups, stmt.keyword};
    execution.proofsAlone.insert(proof);
    splitBlocks();
    std::vector<Content> after;
    for (unsigned output = 0; output < outputs.size(); ++output)
      after.push_back(contentOf(output));
    hear();
    for (auto [slots, content] : llvm::zip(outputs, after))
      put(slots, content);
    execution.packetsFixed = true;
    pay();
  }

  /// The schedule that uses this one splits the same blocks: requires that it makes as many packets.
  void splitBlocks() {
    const TermPool::Substitution by = ofGroup();
    for (Term parts : proof->packets) {
      if ((onePacket || how.blocksArePackets) && TermPool::asInteger(parts) != 1)
        throw NotModelled{Gap::PacketsOfPackets, stmt.keyword};
      execution.splitInGroup(pool.substitute(parts, by), stmt.keyword);
    }
  }

  /// Replaces p and the numbers of the schedule, as it is proved by itself, by the size and the numbers of the group.
  TermPool::Substitution ofGroup() const {
    TermPool::Substitution by;
    by[names.p.get()] = size;
    for (auto [variable, value] : llvm::zip(proof->numbers, numbers))
      by[variable.get()] = value;
    return by;
  }

  /// What an output holds afterwards, as a formula in the labels of its slots.
  Content contentOf(unsigned output) {
    // Where nothing is promised, nothing is known, unless it is shown to be left empty. Ranks for which the collective has no such
    // output do not write it.
    Content result = execution.empty();
    if (how.inPlaceOf[output] || how.unknownBefore[output])
      result.unknown = pool.truth(true);
    else if (!proof->emptyElsewhere[output])
      result.unknown = isPresent(*callee.outputs[output]);
    for (const ir::Promise &promise : callee.collective->promises)
      if (!promise.isHeard && promise.output == output) {
        auto [where, content] = promised(promise, outputs[output]);
        result = execution.select(where, content, result);
      }
    return result;
  }

  /// The condition of a promise, and what is there then.
  std::pair<Term, Content> promised(const ir::Promise &promise, const Slots &slots) {
    const ir::Collective &collective = *callee.collective;
    std::vector<Value> values(collective.variables.size());
    values[0] = {size, {}, {}};
    for (unsigned i = 0; i < collective.numberCount; ++i)
      values[1 + i] = {numbers[callee.parameterCount + i], {}, {}};
    values[collective.variableMe()] = {position, {}, {}};
    const Term zero = pool.integer(0), label = labelOf(slots);
    if (promise.rankVariable)
      values[*promise.rankVariable] = {position, {}, {}};
    if (promise.indexVariable)
      values[*promise.indexVariable] = {label, {}, {}};
    Variables variables{callee, std::move(values)};
    // The proof of the schedule by itself shows that all of these have values.
    auto term = [&](const ir::Expr &expr) {
      execution.exprs.needs.clear();
      return execution.exprs.term(expr, variables);
    };
    auto factor = [&](Term rank, Term block) {
      TermPool::Substitution by;
      by[names.me.get()] = rankOf(pool.add(lo, rank));
      by[(how.blocksArePackets ? execution.packetLabel : execution.blockLabel).get()] = block;
      return execution.substitute(execution.read(inputs[inputOf(promise)]), by);
    };
    Term where = contains(execution, slots);
    if (promise.rank) {
      execution.exprs.needs.clear();
      const Value rank = execution.exprs.value(*promise.rank, variables);
      where = pool.both(where, pool.equal(position, rank.term));
      if (rank.exists)
        where = pool.both(where, rank.exists);
    }
    if (promise.index)
      where = pool.both(where, pool.equal(label, term(*promise.index)));
    if (promise.condition)
      where = pool.both(where, term(*promise.condition));
    const ir::PromisedTerm &wanted = promise.term;
    if (!wanted.isFold)
      return {where, factor(term(*wanted.rank), wanted.index ? term(*wanted.index) : zero)};
    if (wanted.condition)
      throw NotModelled{Gap::PromiseOfSome, stmt.keyword};
    const Term each = pool.fresh("factor");
    variables.values[wanted.binder] = {each, {}, {}};
    const Term first = term(*wanted.lo), end = term(*wanted.hi);
    return {where, product(factor(term(*wanted.rank), wanted.index ? term(*wanted.index) : zero), each, first, end, where)};
  }

  size_t inputOf(const ir::Promise &promise) const {
    size_t input = 0;
    for (unsigned i = 0; i < promise.term.input; ++i)
      input += callee.collective->inputs[i].isData();
    return input;
  }

  /// The product of the factors, which are formulas in `each`, for first <= each < end.
  Content product(const Content &factor, Term each, Term first, Term end, Term where) {
    const Term one = pool.integer(1), isFactor = pool.inRange(first, each, end);
    auto at = [&](Term which) {
      TermPool::Substitution by;
      by[each.get()] = which;
      return execution.substitute(factor, by);
    };
    Content result = at(first);
    require(Claim::Result, "it is known what is combined in a group", pool.both(where, isFactor), pool.negate(factor.unknown));
    require(Claim::Result, "the operands are parts of the same block", pool.both(where, isFactor),
            pool.conjunction({pool.equal(factor.input, result.input), pool.equal(factor.block, result.block),
                              pool.equal(factor.packet, result.packet)}));
    result.valid = pool.truth(true);
    result.unknown = pool.truth(false);
    if (execution.products == Products::Members) {
      if (!execution.schedule.requiresCommutative) {
        const Term later = pool.fresh("later");
        execution.requireOrder(factor.member, at(later).member,
                               pool.conjunction({guard, where, isFactor, pool.less(each, later), pool.less(later, end)}), stmt.keyword);
      }
      result.member = memberOf(factor, each, first, end, where);
      return result;
    }
    const Content next = at(pool.add(each, one)), last = at(pool.subtract(end, one));
    require(Claim::Operator, "the right operand follows the left one",
            pool.conjunction({where, isFactor, pool.less(pool.add(each, one), end)}),
            pool.equal(pool.add(factor.lo, factor.length), next.lo));
    result.length = pool.subtract(pool.add(last.lo, last.length), result.lo);
    if (execution.products == Products::Cyclic)
      require(Claim::Operator, "no rank is in both operands", where, pool.lessEqual(result.length, names.p));
    return result;
  }

  /// The condition under which rank x' is in one of the factors. Looks for a formula of the number of that factor.
  Term memberOf(const Content &factor, Term each, Term first, Term end, Term where) {
    const Term zero = pool.integer(0), isFactor = pool.inRange(first, each, end);
    const Term holder = execution.rankIn(frame, execution.rankOf(names.member));
    const Term isMember = pool.inRange(zero, names.member, names.p);
    std::vector<Term> candidates{execution.at(position, execution.rankOf(names.member))};
    for (Term candidate : solutions(holder))
      candidates.push_back(pool.subtract(candidate, lo));
    forEachNode({factor.member}, [&](Term node) { // digits of x' by which sets are told
      const auto variables = variablesOf({node});
      if ((node->kind == TermKind::Modulo || node->kind == TermKind::Quotient) && llvm::is_contained(variables, names.member) &&
          !llvm::is_contained(variables, each))
        candidates.push_back(node);
    });
    for (Term candidate : candidates) {
      const Term inFactor = pool.conjunction({guard, where, isFactor, isMember, factor.member});
      const Term only = pool.equal(each, candidate);
      if (!isProved(inFactor, only))
        continue;
      require(Claim::Operator, "no rank is in two operands", inFactor, only);
      return pool.both(pool.inRange(first, candidate, end), replaced(factor.member, each, candidate));
    }
    throw notModelled();
  }

  /// Members of a group hear what the others have heard before.
  void hear() {
    if (!execution.heard ||
        llvm::none_of(callee.collective->promises, [](const ir::Promise &promise) { return promise.isHeard; }))
      return;
    if (execution.statesWhatIsNotHeard()) // only a part of what others have heard is followed
      throw notModelled();
    Content &heard = execution.heard->content;
    const Term before = heard.valid;
    std::vector<Term> told{heard.valid};
    // The member that has heard of rank block' may be in the same place of its group, be the first or the last one, or be that rank.
    std::vector<Term> candidates{replaced(number, names.me, names.block), lo, pool.subtract(hi, pool.integer(1))};
    llvm::append_range(candidates, solutions(execution.rankIn(frame, names.block)));
    for (Term candidate : candidates)
      told.push_back(pool.conjunction({guard, pool.inRange(lo, candidate, hi), of(before, candidate)}));
    heard.valid = pool.disjunction(told);
  }

  void put(const Slots &slots, const Content &content) {
    SymbolicBuffer &storage = *slots.storage;
    auto [blockAt, inBlock] = execution.labelOf(slots.block, names.block);
    auto [packetAt, inPacket] = execution.labelOf(slots.packet, names.packet);
    TermPool::Substitution by;
    by[execution.blockLabel.get()] = blockAt;
    by[execution.packetLabel.get()] = packetAt;
    const Content arrived = execution.substitute(content, by);
    if (execution.writes)
      execution.writes->push_back({&storage, slots, guard, arrived, execution.heads.size()});
    storage.content = execution.select(pool.conjunction({guard, inBlock, inPacket}), arrived, storage.content);
  }

  /// Adds what the schedule costs.
  void pay() {
    execution.addGroups({stmt, *proof, guard, lo, size, position, numbers, [&](Term number) { return rankOf(number); },
                         onePacket || how.blocksArePackets});
  }

  Execution &execution;
  TermPool &pool;
  const StateSymbols &names;
  const ir::UseStmt &stmt;
  const ir::Schedule &callee;
  Frame &frame;
  const Term guard;
  Frame inner;
  Term me, lo, hi, size, binder, member; // `member` is a formula in `me` and `binder`
  Term number, position;                 // of `me` in the list; `position` begins with 0
  std::vector<Term> numbers;
  std::vector<Slots> inputs, outputs;
  bool wholeBlocks = false;
  Term onePacket;  // the packet that all slots are; null: they are blocks
  Term packetBase; // the packet that takes the place of block 0; null: none does
  UsedAlone how;
  const ProofAlone *proof = nullptr;
};

void Execution::useInGroups(const ir::UseStmt &stmt, Frame &frame, Term guard) { GroupUse(*this, stmt, frame, guard).run(); }

} // namespace quadrille::compiler::prove
