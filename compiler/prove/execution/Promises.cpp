//===- Promises.cpp - The initial state, and what has to be there in the end ------------------------------------===//

#include "Execution.h"

#include "ir/Walk.h"

#include "llvm/ADT/STLExtras.h"

namespace quadrille::compiler::prove {

/// The length of blocks that take the place of packets. It is no entry of a table that the schedule names.
static const ir::LengthOf lengthOfPacket;

/// Gives p, the numbers, `me` and the origin their terms, and assumes what is required of them.
void Execution::beginNumbers(Frame &frame) {
  const Term zero = pool.integer(0), one = pool.integer(1);
  frame.values[ir::Schedule::variableP] = {names.p, {}, {}};
  assume(pool.lessEqual(one, names.p));
  for (unsigned i = 0; i < schedule.numberCount; ++i) {
    unsigned variable = ir::Schedule::firstNumber + i;
    Term number = pool.variable(schedule.variables[variable].name);
    numberTerms.push_back(number);
    frame.values[variable] = {number, {}, {}};
    // Parameters are counts, such as that of packets; the numbers of a collective are ranks.
    assume(i < schedule.parameterCount ? pool.lessEqual(one, number) : pool.inRange(zero, number, names.p));
  }
  if (schedule.origin && ir::asksForNodes(*schedule.origin)) // as the caller numbers them
    throw NotModelled{Gap::NodesAreData, schedule.origin->range};
  if (schedule.origin)
    frame.origin = termOf(*schedule.origin, frame, pool.truth(true));
  // All formulas use this schedule's numbering of ranks.
  const Term origin = frame.origin;
  frame.origin = {};
  frame.values[ir::Schedule::variableMe] = {names.me, {}, {}};
  for (const ir::Requirement &requirement : schedule.requirements)
    assume(termOf(*requirement.condition, frame, pool.truth(true)));
  assumed = facts;
  this->origin = origin;
}

/// Declares an input or an output.
SymbolicBuffer &Execution::declareParameter(const ir::Buffer &buffer, Frame &frame) {
  declare(buffer, frame, pool.truth(true));
  SymbolicBuffer &storage = *frame.views[buffer.index].storage;
  if (alone && alone->blocksArePackets) {
    storage.length = &lengthOfPacket;
    storage.lengthIndices = {buffer.isArray ? names.block : machineRank(names.me)};
  }
  return storage;
}

/// Every rank that has an input holds its own blocks.
void Execution::declareInputs(Frame &frame) {
  std::int64_t number = 0;
  for (const ir::Buffer *buffer : schedule.inputs) {
    SymbolicBuffer &storage = declareParameter(*buffer, frame);
    inputs.push_back(&storage);
    storage.content.valid = pool.truth(true);
    if (buffer->presence) {
      Value owner = valueOf(*buffer->presence, frame, pool.truth(true));
      storage.content.valid = pool.equal(machineRank(names.me), owner.term);
      if (owner.exists)
        storage.content.valid = pool.both(owner.exists, storage.content.valid);
      if (alone && alone->unknownElsewhere[static_cast<size_t>(number)])
        storage.content.unknown = pool.negate(storage.content.valid);
    }
    storage.content.input = pool.integer(number++);
    storage.content.block = names.block;
    storage.content.packet = names.packet;
    storage.content.lo = rankName(names.me);
    storage.content.length = pool.integer(1);
    storage.content.member = pool.equal(names.member, storage.content.lo);
  }
}

/// Outputs are empty, but where a caller has something in them.
void Execution::declareOutputs(Frame &frame) {
  const Term ownNumber = machineRank(names.me);
  for (auto [number, buffer] : llvm::enumerate(schedule.outputs)) {
    SymbolicBuffer &storage = declareParameter(*buffer, frame);
    if (!alone)
      continue;
    if (alone->unknownBefore[number])
      storage.content.unknown = pool.truth(true);
    if (const std::optional<unsigned> input = alone->inPlaceOf[number]) {
      // Input and output share one storage. It has the name of the output, since traces name storages so.
      SymbolicView &view = frame.views[schedule.inputs[*input]->index];
      Content given = inputs[*input]->content;
      if (alone->inOwnBlock[number]) {
        TermPool::Substitution only;
        only[names.block.get()] = pool.integer(0);
        given = select(pool.equal(names.block, ownNumber), substitute(given, only), storage.content);
        view.blockBase = ownNumber;
      }
      storage.content = given;
      view.storage = &storage;
    }
  }
}

/// In a barrier every rank has heard of itself.
void Execution::declareHeard() {
  for (const ir::Promise &promise : schedule.collective->promises)
    if (promise.isHeard && !heard) {
      storages.emplace_back();
      heard = &storages.back();
      heard->name = "heard";
      heard->blocks = names.p;
      heard->packets = pool.integer(1);
      heard->content = empty();
      heard->content.valid = pool.equal(names.me, names.block);
      buffers.add(*heard);
    }
}

void Execution::begin(Frame &frame) {
  const Term zero = pool.integer(0);
  frame.values.resize(schedule.variables.size());
  frame.views.resize(schedule.buffers.size());
  beginNumbers(frame);
  addChainRank(zero);
  if (const std::optional<unsigned> root = schedule.rootVariable())
    addChainRank(rankOf(frame.values[*root].term));
  requireArguments(schedule, frame, pool.truth(true));
  // Expressions that no statement may evaluate must have values too.
  for (const ir::Table &table : schedule.tables)
    for (const ir::Expr *extent : table.extents)
      require(Claim::Range, "a table of lengths has no negative number of entries", extent->range, pool.truth(true),
              pool.lessEqual(zero, termOf(*extent, frame, pool.truth(true))));
  if (schedule.model && schedule.model->ports)
    termOf(*schedule.model->ports, frame, pool.truth(true));

  // Expressions of the collective use the caller's numbering of ranks.
  frame.values[ir::Schedule::variableMe] = {machineRank(names.me), {}, {}};
  if (alone && alone->blocksArePackets)
    frame.lengths = ir::BlockLengths::Packets;
  declareInputs(frame);
  declareOutputs(frame);
  frame.values[ir::Schedule::variableMe] = {names.me, {}, {}};
  declareHeard();
  splitInto(schedule, frame);
}

/// The indices of the table entry with the length of `content`, which is a block of `input`; they are the same for all factors of
/// a product.
llvm::SmallVector<Term, 2> Execution::lengthIndicesOf(const SymbolicBuffer &input, const Content &content) {
  TermPool::Substitution by;
  by[names.me.get()] = schedule.usesOperator ? rankOf(content.lo) : content.lo;
  by[names.block.get()] = content.block;
  llvm::SmallVector<Term, 2> result;
  for (Term index : input.lengthIndices)
    result.push_back(pool.substitute(index, by));
  return result;
}

/// The caller's number of a rank of the outermost schedule, which may begin with `ranks from`.
Term Execution::machineRank(Term rank) {
  if (!origin || TermPool::asInteger(origin) == 0)
    return rank;
  return pool.modulo(pool.add(rank, origin), names.p);
}

/// The reverse of machineRank.
Term Execution::rankOf(Term machineRank) {
  if (!origin || TermPool::asInteger(origin) == 0)
    return machineRank;
  return pool.modulo(pool.subtract(machineRank, origin), names.p);
}

/// The number by which contents name a rank: the caller's if there is an operator, since products are in the caller's order.
Term Execution::rankName(Term rank) { return schedule.usesOperator ? machineRank(rank) : rank; }

void Execution::requirePromises(Frame &frame) {
  const Term zero = pool.integer(0);
  for (auto [number, output] : llvm::enumerate(schedule.outputs)) {
    // Nothing is claimed about what the output's memory held before.
    if (!output->presence || (alone && (alone->inPlaceOf[number] || alone->unknownBefore[number])))
      continue;
    const SymbolicBuffer &storage = *frame.views[output->index].storage;
    Value owner = valueOf(*output->presence, frame, pool.truth(true));
    Term elsewhere = pool.notEqual(machineRank(names.me), owner.term);
    if (owner.exists)
      elsewhere = pool.either(pool.negate(owner.exists), elsewhere);
    require(Claim::Result, "nothing is written on ranks that are not to have it", output->range,
            pool.conjunction({elsewhere, pool.inRange(zero, names.block, storage.blocks),
                              pool.inRange(zero, names.packet, storage.packets)}),
            pool.negate(pool.either(storage.content.valid, storage.content.unknown)));
  }
  std::vector<Term> promised(schedule.outputs.size(), pool.truth(false));
  for (const ir::Promise &promise : schedule.collective->promises)
    if (const Term where = requirePromise(promise, frame))
      promised[promise.output] = pool.either(promised[promise.output], where);
  if (!alone)
    return;
  // Who uses the schedule in groups may read an output where nothing is promised of it.
  for (auto [number, output] : llvm::enumerate(schedule.outputs)) {
    const SymbolicBuffer &storage = *frame.views[output->index].storage;
    const Term elsewhere = slotsWhere(storage, pool.negate(promised[number]));
    const Term isEmpty = pool.negate(pool.either(storage.content.valid, storage.content.unknown));
    bool leaves = !alone->inPlaceOf[number] && !alone->unknownBefore[number];
    if (leaves) {
      const Progress before = progress();
      const size_t last = found.size();
      require(Claim::Result, "nothing is written where nothing is promised", output->range, elsewhere, isEmpty);
      leaves = found.size() == last || oracle.isProved(found.back());
      if (!leaves)
        takeBack(before);
    }
    leavesEmpty.push_back(leaves);
  }
}

/// What one promise says of an output.
class Execution::Promised {
public:
  Promised(Execution &execution, const ir::Promise &promise, Frame &frame)
      : execution(execution), pool(execution.pool), names(execution.names), schedule(execution.schedule), promise(promise),
        storage(*frame.views[schedule.outputs[promise.output]->index].storage), me(execution.machineRank(names.me)),
        zero(pool.integer(0)), of{schedule, {}}, guard(pool.truth(true)) {
    // The frame of the collective: p, its numbers, then the variables of the promise.
    const ir::Collective &collective = *schedule.collective;
    of.values.resize(collective.variables.size());
    of.values[0] = {names.p, {}, {}};
    unsigned number = 1;
    for (const ir::CollectiveParam &input : collective.inputs)
      if (input.isNumber) {
        of.values[number] = frame.values[ir::Schedule::firstNumber + schedule.parameterCount + number - 1];
        ++number;
      }
    of.values[collective.variableMe()] = {me, {}, {}};
    if (promise.rankVariable)
      of.values[*promise.rankVariable] = {me, {}, {}};
    if (promise.indexVariable) {
      of.values[*promise.indexVariable] = {names.block, {}, {}};
      guard = pool.inRange(zero, names.block, storage.blocks);
    }
  }

  void require() {
    const Content content = found();
    const Content wanted = promise.term.isFold ? product() : block();
    requireSame(content, wanted);
  }

  /// Where the promise holds: on which ranks and for which slots. Known after `require`.
  Term where() const { return guard; }

private:
  Term term(const ir::Expr &expr) {
    execution.exprs.needs.clear();
    const Term result = execution.exprs.term(expr, of);
    execution.requireNeeds(guard);
    return result;
  }

  void requireRange(const ir::Expr &expr, Term goal) {
    execution.require(Claim::Range, "what is promised is about ranks that exist", expr.range, guard, goal);
  }

  /// The content of the slots that the promise is about. From here on `guard` says on which ranks and for which slots it holds; elsewhere
  /// the ranks and blocks that it mentions need not exist.
  Content found() {
    if (promise.condition)
      guard = pool.both(guard, term(*promise.condition));
    if (promise.rank) {
      execution.exprs.needs.clear();
      Value rank = execution.exprs.value(*promise.rank, of);
      execution.requireNeeds(guard);
      const Term isRank = pool.inRange(zero, rank.term, names.p);
      requireRange(*promise.rank, rank.exists ? pool.both(rank.exists, isRank) : isRank);
      guard = pool.both(guard, pool.equal(me, rank.term));
      if (rank.exists)
        guard = pool.both(guard, rank.exists);
    }
    TermPool::Substitution slot;
    slot[names.packet.get()] = names.packet;
    if (!promise.indexVariable)
      slot[names.block.get()] = promise.index ? term(*promise.index) : zero;
    if (promise.index)
      execution.require(Claim::Range, "what is promised is about blocks that exist", promise.index->range, guard,
                        pool.inRange(zero, slot[names.block.get()], storage.blocks));
    guard = pool.both(guard, pool.inRange(zero, names.packet, storage.packets));
    return execution.substitute(storage.content, slot);
  }

  /// The content of a packet of the input that the promise names, before it is said of which ranks.
  Content ofInput() {
    Content wanted = execution.empty();
    std::int64_t input = 0;
    for (unsigned i = 0; i < promise.term.input; ++i)
      input += schedule.collective->inputs[i].isData();
    wanted.input = pool.integer(input);
    wanted.packet = names.packet;
    return wanted;
  }

  Term blockOfInput() { return promise.term.index ? term(*promise.term.index) : zero; }

  /// Requires that some rank of a promised product over lo ..< hi satisfies `condition`, a formula in the rank x'.
  void requireFactor(Term lo, Term hi, Term condition, llvm::SMRange range) {
    const Term one = pool.integer(1);
    const char *name = "a promised product has factors, of ranks that exist";
    Term fulfilled;
    const auto isFactor = [&](Term rank) {
      TermPool::Substitution by;
      by[names.member.get()] = rank;
      return pool.both(pool.inRange(lo, rank, hi), pool.substitute(condition, by));
    };
    const Term second = pool.add(lo, one);
    for (Term rank : {me, lo, second, pool.subtract(hi, one), pool.subtract(hi, pool.integer(2)), pool.select(isFactor(lo), lo, second),
                      pool.add(me, one), pool.subtract(me, one)}) {
      fulfilled = isFactor(rank);
      if (execution.holds(fulfilled, pool.both(guard, pool.inRange(zero, names.me, names.p)), range))
        break;
    }
    execution.require(Claim::Range, name, range, guard, fulfilled);
  }

  /// A promised fold. Only folds of the same block of each rank, over consecutive ranks or those of them that satisfy a condition, are modelled.
  Content product() {
    const ir::PromisedTerm &promised = promise.term;
    Content wanted = ofInput();
    if (promised.condition && execution.products != Products::Members)
      throw NotModelled{Gap::PromiseOfSome, promise.range};
    Term lo = term(*promised.lo), hi = term(*promised.hi);
    execution.require(Claim::Range, "a promised product has factors, of ranks that exist", promised.lo->range, guard,
                      pool.conjunction({pool.lessEqual(zero, lo), pool.less(lo, hi), pool.lessEqual(hi, names.p)}));
    const Term each = pool.fresh("rank");
    of.values[promised.binder] = {each, {}, {}};
    wanted.block = blockOfInput();
    if (term(*promised.rank) != each)
      throw NotModelled{Gap::PromiseInOtherOrder, promise.range};
    if (llvm::is_contained(variablesOf({wanted.block}), each))
      throw NotModelled{Gap::PromiseOfOtherBlock, promise.range};
    wanted.lo = lo;
    wanted.length = pool.subtract(hi, lo);
    wanted.member = pool.inRange(lo, names.member, hi);
    if (promised.condition) {
      of.values[promised.binder] = {names.member, {}, {}};
      const Term before = guard;
      guard = pool.both(guard, wanted.member);
      const Term condition = term(*promised.condition);
      guard = before;
      requireFactor(lo, hi, condition, promised.lo->range);
      wanted.member = pool.both(wanted.member, condition);
    }
    return wanted;
  }

  /// A promised block of one rank.
  Content block() {
    Content wanted = ofInput();
    Term rank = term(*promise.term.rank);
    requireRange(*promise.term.rank, pool.inRange(zero, rank, names.p));
    wanted.block = blockOfInput();
    // As in rankName.
    wanted.lo = schedule.usesOperator ? rank : execution.rankOf(rank);
    wanted.length = pool.integer(1);
    wanted.member = pool.equal(names.member, wanted.lo);
    return wanted;
  }

  void requireSame(const Content &content, const Content &wanted) {
    const char *name = "the result is the promised one";
    execution.require(Claim::Initialization, "nothing promised is empty", promise.range, guard,
                      pool.both(content.valid, pool.negate(content.unknown)));
    Term guardValid = pool.both(guard, content.valid);
    execution.require(Claim::Result, name, promise.range, guardValid,
                      pool.conjunction({pool.equal(content.input, wanted.input), pool.equal(content.block, wanted.block),
                                        pool.equal(content.packet, wanted.packet)}));
    if (execution.products == Products::Members) {
      execution.require(Claim::Result, name, promise.range, guardValid, pool.equal(content.member, wanted.member));
      return;
    }
    Term sameRanks = pool.both(pool.equal(content.lo, wanted.lo), pool.equal(content.length, wanted.length));
    if (execution.products == Products::Cyclic) // a product over all ranks is the same wherever it begins
      sameRanks = pool.either(sameRanks, pool.both(pool.equal(content.length, names.p), pool.equal(wanted.length, names.p)));
    execution.require(Claim::Result, name, promise.range, guardValid, sameRanks);
  }

  Execution &execution;
  TermPool &pool;
  const StateSymbols &names;
  const ir::Schedule &schedule;
  const ir::Promise &promise;
  const SymbolicBuffer &storage; // of the output
  const Term me, zero;           // the caller's number of this rank
  Variables of;
  Term guard;
};

/// Returns the condition under which the promise is about the generic slot; null if it is about no slots, or names its block by an index.
Term Execution::requirePromise(const ir::Promise &promise, Frame &frame) {
  if (!promise.isHeard) {
    Promised promised(*this, promise, frame);
    promised.require();
    return promise.index ? Term() : promised.where();
  }
  requireHeard(promise.range);
  return {};
}

void Execution::requireHeard(llvm::SMRange range) {
  require(Claim::Result, "everybody has heard of everybody", range, pool.inRange(pool.integer(0), names.block, names.p), heard->content.valid);
}

} // namespace quadrille::compiler::prove
