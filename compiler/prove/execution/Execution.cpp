//===- Execution.cpp - Control flow and schedules used by others -----------------------------------------------------===//

#include "Execution.h"

#include "ir/Walk.h"
#include "prove/costs/Aggregates.h"
#include "prove/definitions/SamplePoints.h"

#include "llvm/ADT/STLExtras.h"

namespace quadrille::compiler::prove {

Execution::Execution(const ir::Schedule &schedule, TermPool &pool, Oracle &oracle, Products products, DefinedTerms &defined)
    : schedule(schedule), pool(pool), oracle(oracle), defined(defined), products(products), names(pool),
      blockLabel(pool.variable("label'")), packetLabel(pool.variable("packetLabel'")), partner(pool.variable("partner'")), exprs(pool, &defined) {}

void Execution::run() {
  Frame frame(schedule);
  outermost = &frame;
  begin(frame);
  cost = noCost();
  work.startups = pool.integer(1); // before the first step there is nothing with which work could be one stretch
  execute(schedule.body, frame, pool.truth(true));
  endWork(schedule.nameRange);
  requirePromises(frame);
  if (!alone) // the clauses are claims of the schedule by itself
    requireCost(frame);
  if (isByTime)
    cost = costByTime(/*forRounds=*/false);
  if (alone)
    ownRounds = describeRounds();
  for (const ProofAlone *proof : proofsAlone)
    for (const Obligation &obligation : proof->obligations)
      found.push_back(obligation);
  // Obligations on which instances of laws about functions and trees depend.
  for (Obligation &obligation : defined.obligations(assumed))
    found.push_back(std::move(obligation));
}

void Execution::complete(Obligation &obligation) {
  std::vector<Term> formulas = obligation.hypotheses;
  formulas.push_back(obligation.goal);
  // Equations between calls and bodies add more terms than most obligations need: first try without them.
  if (defined.unfolds(formulas)) {
    Obligation simple = obligation;
    llvm::append_range(simple.hypotheses, defined.lemmasWithoutCalls(formulas));
    // If the solver gave up, more terms would make it slower.
    if (oracle.isProved(simple) || (!contentsMatter && oracle.ranOut(simple))) {
      obligation = std::move(simple);
      return;
    }
  }
  llvm::append_range(obligation.hypotheses, defined.lemmas(formulas));
}

void Execution::runForCost() {
  contentsMatter = false;
  Frame frame(schedule);
  outermost = &frame;
  begin(frame);
  cost = noCost();
  execute(schedule.body, frame, pool.truth(true));
  requireCost(frame);
  found.append(defined.obligationsOfTrees(assumed));
}

bool Execution::isShownNow(const char *what, llvm::SMRange range, Term where, Term goal) {
  Obligation question{Claim::Cost, what, range, facts, goal};
  question.hypotheses.push_back(where);
  question.hypotheses.push_back(pool.inRange(pool.integer(0), names.me, names.p));
  if (SamplePoints(defined, pool, question.hypotheses).refute(goal))
    return false;
  complete(question);
  if (!oracle.isProved(question))
    return false;
  found.push_back(question);
  return true;
}

/// Where ranks have been brought in step: whether it is shown that no rank comes to what stands under the guard. Such is left of statements that may follow each
/// other on a rank, and never do.
bool Execution::isDead(Term guard, llvm::SMRange range) {
  return isByTime && isShownNow("no rank comes here", range, guard, pool.truth(false));
}

void Execution::require(Claim claim, std::string name, llvm::SMRange range, Term guard, Term goal) {
  assert(guard && guard->isBoolean() && goal && goal->isBoolean());
  if (pool.isTrue(goal) || pool.isFalse(guard) || !(contentsMatter || costRestsOn(claim)))
    return;
  Obligation obligation{claim, std::move(name), range, facts, goal};
  if (!pool.isTrue(guard))
    obligation.hypotheses.push_back(guard);
  const Term zero = pool.integer(0);
  const llvm::SmallVector<Term, 2> used{guard, goal};
  const auto variables = variablesOf(used);
  // Bounds of loops may name the rank where neither the guard nor the goal does.
  if (ranksDiffer() && !llvm::is_contained(variables, names.me) && llvm::is_contained(variablesOf(facts.all()), names.me))
    obligation.hypotheses.push_back(pool.inRange(zero, names.me, names.p));
  for (Term variable : variables) {
    if (variable == names.me || variable == names.member)
      obligation.hypotheses.push_back(pool.inRange(zero, variable, names.p));
    if (llvm::StringRef(variable->name).starts_with(aggregateIndex)) // the index of a sum begins with 0
      obligation.hypotheses.push_back(pool.lessEqual(zero, variable));
  }
  addLocations(obligation);
  // For costs, decide obligations with functions at once, which take long: if one is not shown, the rest need not be done.
  const bool isDecidedNow =
      !contentsMatter && claim != Claim::Cost && (defined.unfolds(obligation.hypotheses) || defined.unfolds({goal}));
  complete(obligation);
  if (isDecidedNow && !oracle.isProved(obligation))
    throw NotShown{std::move(obligation)};
  found.push_back(std::move(obligation));
}

// ---- numbers ------------------------------------------------------------------------------------------------------------

Value Execution::valueOf(const ir::Expr &expr, Frame &frame, Term guard) {
  exprs.needs.clear();
  Value value = exprs.value(expr, frame);
  requireNeeds(guard);
  return value;
}

Term Execution::termOf(const ir::Expr &expr, Frame &frame, Term guard) {
  exprs.needs.clear();
  Term term = exprs.term(expr, frame);
  requireNeeds(guard);
  return term;
}

/// Requires what the expressions translated last need to have values.
void Execution::requireNeeds(Term guard) {
  for (const Numbers::Need &need : exprs.needs)
    require(Claim::Defined, need.what, need.range, guard, need.condition);
}

/// The number in a frame of a rank of the outermost schedule; rankOutermost is the reverse.
Term Execution::rankIn(const Frame &frame, Term outermost) {
  if (!frame.origin || TermPool::asInteger(frame.origin) == 0)
    return outermost;
  return pool.modulo(pool.subtract(outermost, frame.origin), names.p);
}

Term Execution::rankOutermost(const Frame &frame, Term inFrame) {
  if (!frame.origin || TermPool::asInteger(frame.origin) == 0)
    return inFrame;
  return pool.modulo(pool.add(inFrame, frame.origin), names.p);
}

// ---- statements ------------------------------------------------------------------------------------------------------------

/// Whether ranks that skip the body miss no other steps than those of their groups: outside its `use`s among groups there are no
/// steps, and none of these is in a loop.
static bool usesGroupsOnly(const ir::Body &body) {
  return !ir::anyStatement(body, [](const ir::Stmt &stmt) {
    auto *use = llvm::dyn_cast<ir::UseStmt>(&stmt);
    auto *loop = llvm::dyn_cast<ir::ForStmt>(&stmt);
    return llvm::isa<ir::StepStmt>(stmt) || (use && !use->member) || (loop && loop->containsStep);
  });
}

bool Execution::hasTransfers(const ir::Body &body) {
  return ir::anyStatement(body, [](const ir::Stmt &stmt) { return llvm::isa<ir::TransferStmt>(stmt); });
}

void Execution::execute(const ir::Body &body, Frame &frame, Term guard) {
  for (const auto &stmt : body)
    execute(*stmt, frame, guard);
}

void Execution::execute(const ir::Stmt &stmt, Frame &frame, Term guard) {
  switch (stmt.kind) {
  case ir::StmtKind::Let: {
    const auto &let = llvm::cast<ir::LetStmt>(stmt);
    try {
      frame.values[let.variable] = valueOf(*let.value, frame, guard);
    } catch (const NotModelled &gap) {
      frame.values[let.variable] = {{}, {}, gap}; // reported if the variable is used
      if (!unused)
        unused = gap;
    }
    return;
  }
  case ir::StmtKind::Declare:
    return declare(*llvm::cast<ir::DeclareStmt>(stmt).buffer, frame, guard);
  case ir::StmtKind::Assign:
    return assign(llvm::cast<ir::AssignStmt>(stmt), frame, guard);
  case ir::StmtKind::Transfer:
    return; // handled at the beginning of its step
  case ir::StmtKind::Step:
    return step(llvm::cast<ir::StepStmt>(stmt), frame, guard);
  case ir::StmtKind::If: {
    const auto &branch = llvm::cast<ir::IfStmt>(stmt);
    Term condition = termOf(*branch.condition, frame, guard);
    if (!branch.containsStep) {
      if (!isDead(pool.both(guard, condition), branch.keyword))
        execute(branch.yes, frame, pool.both(guard, condition));
      execute(branch.no, frame, pool.both(guard, pool.negate(condition)));
      return;
    }
    if (branch.condition->dependsOnRank && !ranksDiffer() && !(usesGroupsOnly(branch.yes) && usesGroupsOnly(branch.no)))
      throw NotModelled{Gap::StepUnderRank, branch.keyword};
    // The condition is the same on all ranks, or in each group of ranks, and becomes part of the guard of transfers.
    execute(branch.yes, frame, pool.both(guard, condition));
    execute(branch.no, frame, pool.both(guard, pool.negate(condition)));
    return;
  }
  case ir::StmtKind::For: {
    const auto &repeated = llvm::cast<ir::ForStmt>(stmt);
    if (!repeated.containsStep && hasTransfers(repeated.body))
      return; // a loop within a step, handled at its beginning
    return loop(repeated, frame, guard);
  }
  case ir::StmtKind::Use:
    return use(llvm::cast<ir::UseStmt>(stmt), frame, guard);
  }
}

/// Whether a schedule that `schedule` uses sets the buffer. It takes the buffer to have one length.
static bool isSetByUse(const ir::Buffer &buffer, const ir::Schedule &schedule) {
  return ir::anyStatement(schedule.body, [&](const ir::Stmt &stmt) {
    const auto *use = llvm::dyn_cast<ir::UseStmt>(&stmt);
    return use && llvm::any_of(use->outputs, [&](const ir::Slice &output) { return output.buffer == &buffer; });
  });
}

void Execution::declare(const ir::Buffer &buffer, Frame &frame, Term guard) {
  SymbolicView &view = frame.views[buffer.index];
  storages.emplace_back();
  SymbolicBuffer &storage = storages.back();
  storage.name = buffer.name;
  storage.buffer = &buffer;
  storage.place = frame.place;
  storage.isMessage = buffer.kind == ir::BufferKind::Message;
  const bool ofPackets = frame.blocksArePackets || (alone && alone->blocksArePackets);
  storage.takesLength = !storage.isMessage && ir::takesLength(buffer, frame.schedule, frame.lengths) && (buffer.like || ofPackets) &&
                        !isSetByUse(buffer, frame.schedule);
  const Term one = pool.integer(1);
  storage.packets = frame.blocksArePackets || !packets ? one : packets;
  storage.blocks = one;
  storage.content = empty();
  if (buffer.like && !storage.isMessage) {
    Slots like = slotsOf(*buffer.like, frame, guard);
    // A message that has not arrived has no blocks. A buffer declared like it would have none, and sending it would send no
    // message.
    if (like.storage->isMessage)
      require(Claim::Matching, "the message that `" + buffer.name + "` takes its shape from has come", buffer.range,
              pool.both(guard, contains(like.block, like.packet)), read(like).valid);
    auto count = [&](const Axis &axis) {
      if (axis.kind == Axis::Number)
        throw NotModelled{Gap::ShapeOfSelection, buffer.range};
      return axis.kind == Axis::Single ? one : axis.count;
    };
    storage.blocks = count(like.block);
    if (like.packet.kind == Axis::Single)
      storage.packets = one;
    if (packets && storage.packets == one && !storage.takesLength) {
      TermPool::Substitution slot, here;
      slot[names.block.get()] = slotAt(like.alongBlocks());
      here[blockLabel.get()] = names.block;
      Term packet = like.storage->packets != one ? slotAt(like.alongPackets())
                    : like.storage->packet       ? pool.substitute(like.storage->packet, slot)
                                                 : Term();
      storage.packet = packet ? pool.substitute(packet, here) : packet;
    }
    // The buffer has the lengths of the slice.
    if (like.storage->length && !storage.takesLength) {
      TermPool::Substitution slot, here;
      slot[names.block.get()] = slotAt(like.alongBlocks());
      here[blockLabel.get()] = names.block;
      storage.length = like.storage->length;
      storage.table = like.storage->table;
      for (Term index : like.storage->lengthIndices)
        storage.lengthIndices.push_back(pool.substitute(pool.substitute(index, slot), here));
    }
  } else if (buffer.isArray && buffer.count) {
    storage.blocks = termOf(*buffer.count, frame, guard);
    require(Claim::Range, "an array has no negative number of blocks", buffer.range, guard,
            pool.lessEqual(pool.integer(0), storage.blocks));
  }
  if (buffer.length) {
    if (buffer.length->parts)
      throw NotModelled{Gap::BlocksLikePackets, buffer.length->range};
    storage.length = &*buffer.length;
    storage.table = frame.tables.empty() ? buffer.length->table : frame.tables[buffer.length->table];
    if (buffer.length->binder)
      frame.values[*buffer.length->binder] = {names.block, {}, {}};
    const Term isBlock = pool.inRange(pool.integer(0), names.block, storage.blocks);
    for (auto [index, extent] : llvm::zip(buffer.length->indices, frame.schedule.tables[buffer.length->table].extents)) {
      storage.lengthIndices.push_back(termOf(*index, frame, pool.both(guard, isBlock)));
      require(Claim::Range, "an entry of the table of lengths is there", index->range, pool.both(guard, isBlock),
              pool.inRange(pool.integer(0), storage.lengthIndices.back(), termOf(*extent, frame, guard)));
    }
    Term isThere = pool.both(guard, isBlock);
    if (buffer.presence) {
      const Value owner = valueOf(*buffer.presence, frame, guard);
      isThere = pool.both(isThere, pool.equal(machineRank(names.me), owner.term));
      if (owner.exists)
        isThere = pool.both(owner.exists, isThere);
    }
    requireKnown("a block of `" + buffer.name + "`", storage.table, storage.lengthIndices, buffer.length->range, isThere);
  }
  packetsFixed |= buffer.kind == ir::BufferKind::Local;
  view = SymbolicView{};
  view.storage = &storage;
  view.blockBase = pool.integer(0);
  view.blocks = storage.blocks;
  buffers.add(storage);
}

std::vector<Term> Execution::countableAssumptions() const {
  const Term most = pool.integer(std::int64_t(1) << 31);
  std::vector<Term> result = assumed;
  result.push_back(pool.less(names.p, most));
  for (Term number : numberTerms)
    result.push_back(pool.less(number, most));
  return result;
}

// ---- used schedules ----------------------------------------------------------------------------------------------------------

/// Whether an expression names a variable from number `first` on.
static bool namesFrom(const ir::Expr &expr, unsigned first) {
  return (expr.op == ir::Op::Variable && expr.variable >= first) ||
         llvm::any_of(expr.operands, [&](const ir::Expr *operand) { return namesFrom(*operand, first); });
}

/// Gives values to what is the same on all ranks, for numbers of packets, which are needed before the body is executed. What these values
/// need is required there.
void Execution::setUniformLets(const ir::Schedule &callee, Frame &frame) {
  for (const auto &stmt : callee.body)
    if (auto *let = llvm::dyn_cast<ir::LetStmt>(stmt.get()); let && !let->value->dependsOnRank)
      try {
        exprs.needs.clear();
        frame.values[let->variable] = exprs.value(*let->value, frame);
      } catch (const NotModelled &gap) {
        frame.values[let->variable] = {{}, {}, gap};
      }
}

void Execution::splitInto(const ir::Schedule &callee, Frame &frame) {
  const unsigned firstLet = ir::Schedule::firstNumber + callee.numberCount;
  if (llvm::any_of(callee.buffers, [&](const auto &buffer) { return buffer->parts && namesFrom(*buffer->parts, firstLet); }))
    setUniformLets(callee, frame);
  for (const auto &buffer : callee.buffers) {
    if (!buffer->parts)
      continue;
    Term parts = termOf(*buffer->parts, frame, pool.truth(true));
    if (frame.blocksArePackets || (alone && alone->blocksArePackets))
      throw NotModelled{Gap::PacketsOfPackets, buffer->range};
    if (packets && packets != parts)
      throw NotModelled{Gap::SplitTwoWays, buffer->range};
    if (!packets && packetsFixed)
      throw NotModelled{Gap::SplitAfterUse, buffer->range};
    packets = parts;
    for (Term others : packetsOfGroups)
      agreeOnPackets(parts, others, buffer->range);
    require(Claim::Range, "a block is split into at least one packet", buffer->range, pool.truth(true),
            pool.lessEqual(pool.integer(1), parts));
    for (SymbolicBuffer *storage : buffers)
      if (storage->buffer && !storage->isMessage)
        storage->packets = packets;
  }
}

std::vector<Term> Execution::splits() const {
  std::vector<Term> result = packetsOfGroups;
  if (packets)
    result.push_back(packets);
  return result;
}

void Execution::splitInGroup(Term parts, llvm::SMRange where) {
  if (llvm::is_contained(packetsOfGroups, parts))
    return;
  // Another rank's group, or another iteration, would split differently.
  for (Term variable : variablesOf({parts}))
    if (variable != names.p && !llvm::is_contained(numberTerms, variable))
      throw NotModelled{Gap::SplitTwoWays, where};
  if (packets)
    agreeOnPackets(parts, packets, where);
  for (Term others : packetsOfGroups)
    agreeOnPackets(parts, others, where);
  packetsOfGroups.push_back(parts);
}

void Execution::agreeOnPackets(Term parts, Term others, llvm::SMRange where) {
  const Term one = pool.integer(1);
  require(Claim::Range, "blocks are split into as many packets everywhere", where, pool.truth(true),
          pool.disjunction({pool.equal(parts, others), pool.equal(parts, one), pool.equal(others, one)}));
}

void Execution::requireArguments(const ir::Schedule &instance, Frame &frame, Term guard) {
  for (const ir::Argument &argument : instance.arguments) {
    const Term given = termOf(*argument.value, frame, guard);
    require(Claim::Defined, "the base gets a number that it may have", argument.value->range, guard,
            pool.lessEqual(pool.integer(1), given));
  }
}

void Execution::use(const ir::UseStmt &stmt, Frame &frame, Term guard) {
  if (stmt.member)
    return useInGroups(stmt, frame, guard);
  // Numbers that differ between ranks may lead them through different steps.
  if (!ranksDiffer() && llvm::any_of(stmt.numbers, [](const ir::Expr *number) { return number->dependsOnRank; }))
    throw NotModelled{Gap::StepUnderRank, stmt.keyword};
  const ir::Schedule &callee = *stmt.callee;
  Frame inner(callee);
  inner.place = frame.place;
  inner.place.uses.push_back(&stmt);
  inner.lengths = ir::lengthsIn(stmt, frame.lengths);
  inner.values.resize(callee.variables.size());
  inner.views.resize(callee.buffers.size());
  for (size_t i = 0; i < stmt.inputs.size(); ++i)
    inner.views[callee.inputs[i]->index] = bind(stmt.inputs[i], *callee.inputs[i], frame, inner, guard);
  for (size_t i = 0; i < stmt.outputs.size(); ++i)
    inner.views[callee.outputs[i]->index] = bind(stmt.outputs[i], *callee.outputs[i], frame, inner, guard);
  inner.values[ir::Schedule::variableP] = {names.p, {}, {}};
  for (size_t i = 0; i < stmt.numbers.size(); ++i) {
    const Term given = termOf(*stmt.numbers[i], frame, guard);
    inner.values[ir::Schedule::firstNumber + i] = {given, {}, {}};
    if (callee.isRank(i) || callee.isParameter(i))
      require(Claim::Defined, "the used schedule gets a number that it may have", stmt.numbers[i]->range, guard,
              callee.isRank(i) ? pool.inRange(pool.integer(0), given, names.p) : pool.lessEqual(pool.integer(1), given));
  }
  inner.origin = frame.origin;
  if (callee.origin) {
    Term origin = termOf(*callee.origin, inner, guard); // in the caller's numbering
    inner.origin = frame.origin ? pool.add(frame.origin, origin) : origin;
  }
  if (inner.origin && callee.usesNodes) // it numbers the ranks, and so the nodes, otherwise
    throw NotModelled{Gap::NodesAreData, stmt.keyword};
  inner.values[ir::Schedule::variableMe] = {rankIn(inner, names.me), {}, {}};
  for (auto [number, table] : llvm::enumerate(stmt.tables)) {
    inner.tables.push_back(frame.tables.empty() ? table : frame.tables[table]);
    for (auto [extent, given] : llvm::zip(callee.tables[number].extents, frame.schedule.tables[table].extents))
      require(Claim::Range, "the table of lengths has as many entries", stmt.keyword, guard,
              pool.equal(termOf(*extent, inner, guard), termOf(*given, frame, guard)));
  }
  for (const ir::Requirement &requirement : callee.requirements)
    require(Claim::Defined, "the used schedule may be used here: " + requirement.text, stmt.keyword, guard,
            termOf(*requirement.condition, inner, guard));
  requireArguments(callee, inner, guard);
  splitInto(callee, inner);
  for (const ir::Buffer *input : callee.inputs)
    inner.inputsAtEntry.push_back(inner.views[input->index].storage->content);
  beginUse(stmt, frame, inner);
  execute(callee.body, inner, guard);
}

SymbolicView Execution::bind(const ir::Slice &slice, const ir::Buffer &param, Frame &outer, Frame &inner, Term guard) {
  const SymbolicView &from = outer.views[slice.buffer->index];
  Slots slots = slotsOf(slice, outer, guard);
  requireInRange(slots, guard, slice.range);
  SymbolicView view;
  view.storage = slots.storage;
  auto begins = [&](const Axis &axis) {
    if (axis.kind == Axis::Number || axis.modulus)
      throw NotModelled{Gap::UsedOnScatteredBlocks, slice.range};
    return axis.start;
  };
  const Term one = pool.integer(1);
  auto count = [&](const Axis &axis) { return axis.kind == Axis::Single ? one : axis.count; };
  view.blockBase = begins(slots.alongBlocks());
  if (from.blocksArePackets || ir::passesPackets(slice, param)) {
    inner.blocksArePackets = true;
    view.blocksAreBlocks = false;
    view.packetBase = begins(slots.alongPackets());
    view.blocksArePackets = param.isArray;
    view.blocks = param.isArray ? count(slots.alongPackets()) : one;
  } else {
    view.blocksAreBlocks = true;
    view.blocks = count(slots.block);
  }
  return view;
}

} // namespace quadrille::compiler::prove
