//===- Steps.cpp - Transfers of one step -------------------------------------------------------------------------------===//

#include "Execution.h"

#include "ir/Walk.h"
#include "limits/Limits.h"
#include "prove/definitions/SamplePoints.h"
#include "prove/terms/Solutions.h"

#include <cassert>
#include <utility>

namespace quadrille::compiler::prove {

Term Execution::at(Term term, Term rank) {
  assert(rank && !rank->isBoolean() && "a rank is a number");
  TermPool::Substitution by;
  by[names.me.get()] = rank;
  by[partner.get()] = names.me;
  return pool.substitute(term, by);
}

// ---- what the step asks for ---------------------------------------------------------------------------------------------

void Execution::collect(const ir::Body &body, Frame &frame, Term guard) {
  for (const auto &stmt : body) {
    if (auto *transfer = llvm::dyn_cast<ir::TransferStmt>(stmt.get())) {
      collect(*transfer, frame, guard);
    } else if (auto *let = llvm::dyn_cast<ir::LetStmt>(stmt.get())) {
      execute(*let, frame, guard);
    } else if (auto *branch = llvm::dyn_cast<ir::IfStmt>(stmt.get())) {
      Term condition = termOf(*branch->condition, frame, guard);
      if (!isDead(pool.both(guard, condition), branch->keyword))
        collect(branch->yes, frame, pool.both(guard, condition));
      collect(branch->no, frame, pool.both(guard, pool.negate(condition)));
    } else if (auto *loop = llvm::dyn_cast<ir::ForStmt>(stmt.get())) {
      if (hasTransfers(loop->body))
        collectLoop(*loop, frame, guard);
    }
  }
}

void Execution::collect(const ir::TransferStmt &stmt, Frame &frame, Term guard) {
  Transfer transfer;
  transfer.stmt = &stmt;
  transfer.frame = &frame;
  Value peer = valueOf(*stmt.peer, frame, guard);
  transfer.guard = peer.exists ? pool.both(guard, peer.exists) : guard;
  if (pool.isFalse(transfer.guard))
    return;
  const char *word = stmt.isSend ? "a send goes to another rank that exists" : "a receive is from another rank that exists";
  Term me = rankIn(frame, names.me);
  require(Claim::Matching, word, stmt.peer->range, transfer.guard,
          pool.both(pool.inRange(pool.integer(0), peer.term, names.p), pool.notEqual(peer.term, me)));
  transfer.peer = rankOutermost(frame, peer.term);
  if (stmt.message) {
    SymbolicBuffer &storage = *frame.views[stmt.message->buffer->index].storage;
    if (stmt.isSend || !storage.isMessage) {
      transfer.slots = slotsOf(*stmt.message, frame, transfer.guard);
      requireInRange(*transfer.slots, transfer.guard, stmt.message->range);
      if (stmt.isSend) {
        Term inside = pool.both(transfer.guard, contains(transfer.slots->block, transfer.slots->packet));
        Content sent = read(*transfer.slots);
        // If lengths differ, the content must be known, since lengths have to agree.
        const bool haveLengths = packets || haveOwnLengths();
        require(Claim::Initialization, "nothing empty is sent", stmt.message->range, inside,
                haveLengths ? pool.both(sent.valid, pool.negate(sent.unknown)) : sent.valid);
      }
    } else {
      transfer.slots = Slots{&storage, {}, {}, false};
    }
  }
  (stmt.isSend ? sends : receives).push_back(transfer);
}

// ---- sends meet receives -------------------------------------------------------------------------------------------------

Term Execution::meets(const Transfer &transfer, const Transfer &other) {
  return pool.both(at(other.guard, transfer.peer), pool.equal(at(other.peer, transfer.peer), names.me));
}

void Execution::requireMatching() {
  const Progress before = progress();
  requireSingleMessages();
  inOrder = false;
  if (sends.size() > 1 && sends.size() == receives.size() && !hasFamilies() &&
      !llvm::all_of(found.since(before.found.size()), [&](const Obligation &o) { return oracle.isProved(o); })) {
    takeBack(before);
    inOrder = requireSameOrder();
    if (inOrder)
      return;
    requireSingleMessages();
  }
  for (const Transfer &send : sends) {
    llvm::SmallVector<Term, 4> met;
    for (const Transfer &recv : receives)
      for (const Transfer &iteration : iterationsMeeting(recv, send))
        met.push_back(meets(send, iteration));
    require(Claim::Matching, "the send meets a receive", send.stmt->keyword, send.guard, pool.disjunction(met));
  }
  for (const Transfer &recv : receives) {
    llvm::SmallVector<Term, 4> met;
    for (const Transfer &send : sends)
      for (const Transfer &iteration : iterationsMeeting(send, recv))
        met.push_back(meets(recv, iteration));
    require(Claim::Matching, "the receive meets a send", recv.stmt->keyword, recv.guard, pool.disjunction(met));
  }
}

/// Requires, if that is proved, that the i-th send of the step meets the i-th receive, for every i: it is made if and only if that one is. Then
/// messages between the same two ranks come in their order, though a step may have several.
bool Execution::requireSameOrder() {
  const Progress before = progress();
  for (auto [send, recv] : llvm::zip_equal(sends, receives)) {
    require(Claim::Matching, "the send meets a receive", send.stmt->keyword, send.guard, meets(send, recv));
    require(Claim::Matching, "the receive meets a send", recv.stmt->keyword, recv.guard, meets(recv, send));
  }
  if (llvm::all_of(found.since(before.found.size()), [&](const Obligation &o) { return oracle.isProved(o); }))
    return true;
  takeBack(before);
  return false;
}

/// Requires that a step has at most one message from one rank to another: messages between the same two ranks are matched in their order,
/// and with one of them no order is needed.
void Execution::requireSingleMessages() {
  const char *name = "at most one message from one rank to another in a step";
  for (const std::vector<Transfer> *side : {&sends, &receives})
    for (size_t i = 0; i < side->size(); ++i) {
      const Transfer &one = (*side)[i];
      forTwoIterations(one, [&](const Transfer &other, Term differ) {
        require(Claim::Matching, name, one.stmt->keyword, pool.conjunction({one.guard, other.guard, differ}),
                pool.notEqual(one.peer, other.peer));
      });
      for (size_t j = i + 1; j < side->size(); ++j) {
        const Transfer other = apart((*side)[j]);
        require(Claim::Matching, name, other.stmt->keyword, pool.both(one.guard, other.guard), pool.notEqual(one.peer, other.peer));
      }
    }
}

/// The port model that is claimed; its number of ports is 0 if that is no constant.
std::optional<ModelInForce> Execution::modelInForce() {
  if (alone)
    return alone->model;
  if (!schedule.model)
    return std::nullopt;
  ModelInForce model{schedule.model->model};
  if (model.model == ir::PortModel::Ports)
    model.ports = TermPool::asInteger(termOf(*schedule.model->ports, *outermost, pool.truth(true))).value_or(0);
  return model;
}

/// How many messages a rank has of the transfer at most. Of a loop all iterations count, but for one that an inequality in its condition leaves out.
Term Execution::mostOf(const Transfer &transfer) {
  const Term zero = pool.integer(0), one = pool.integer(1);
  if (!transfer.index)
    return pool.select(transfer.guard, one, zero);
  for (const Term &part : conjunctsOf(transfer.guard))
    if (part->kind == TermKind::Not)
      for (Term left : iterationsByEquations(part, transfer.index)) {
        const Term makesNone = pool.negate(inIteration(transfer, left).guard);
        const Term out = pool.both(pool.inRange(transfer.first, left, transfer.end), makesNone);
        return pool.maximum(zero, pool.subtract(transfer.count, pool.select(out, one, zero)));
      }
  return pool.maximum(zero, transfer.count);
}

/// Requires that a rank makes no more transfers than there are ports.
void Execution::requireNoMoreThanPorts(const ModelInForce &model, llvm::SMRange range) {
  if (model.ports == 0 && (alone || !schedule.model->ports))
    throw NotModelled{Gap::BeyondPorts, range};
  const Term ports = model.ports ? pool.integer(model.ports) : termOf(*schedule.model->ports, *outermost, pool.truth(true));
  for (const std::vector<Transfer> *side : {&sends, &receives}) {
    Term count = pool.integer(0);
    for (const Transfer &transfer : *side)
      count = pool.add(count, mostOf(transfer));
    require(Claim::Port, "a rank has no more transfers at a time than ports", range, pool.truth(true), pool.lessEqual(count, ports));
  }
}

bool Execution::hasFamilies() const {
  auto isFamily = [](const Transfer &transfer) { return transfer.index != Term(); };
  return llvm::any_of(sends, isFamily) || llvm::any_of(receives, isFamily);
}

void Execution::requirePorts() {
  const std::optional<ModelInForce> model = modelInForce();
  if (!model)
    return;
  const llvm::SMRange range = schedule.model ? schedule.model->range : schedule.nameRange;
  auto never = [&](const Transfer &a, const Transfer &b, const char *name) {
    require(Claim::Port, name, range, pool.both(a.guard, apart(b).guard), pool.truth(false));
  };
  auto atMostOne = [&](const std::vector<Transfer> &side, const char *name) {
    for (size_t i = 0; i < side.size(); ++i) {
      forTwoIterations(side[i], [&](const Transfer &other, Term differ) {
        require(Claim::Port, name, range, pool.conjunction({side[i].guard, other.guard, differ}), pool.truth(false));
      });
      for (size_t j = i + 1; j < side.size(); ++j)
        never(side[i], side[j], name);
    }
  };
  switch (model->model) {
  case ir::PortModel::HalfDuplex:
    for (const Transfer &send : sends)
      for (const Transfer &recv : receives)
        never(send, recv, "no rank sends and receives at once");
    break;
  case ir::PortModel::Telephone:
    for (const Transfer &send : sends)
      for (const Transfer &recv : receives) {
        const Transfer other = apart(recv);
        require(Claim::Port, "a rank talks to one partner", range, pool.both(send.guard, other.guard),
                pool.equal(send.peer, other.peer));
      }
    break;
  case ir::PortModel::FullDuplex:
    break;
  case ir::PortModel::Ports: {
    const bool areFew = model->ports > 0 && static_cast<std::int64_t>(std::max(sends.size(), receives.size())) <= model->ports;
    if (hasFamilies() || (!areFew && model->ports != 1))
      requireNoMoreThanPorts(*model, range);
    else if (!areFew)
      break; // as one port below
    return;
  }
  case ir::PortModel::Shared:
    return;
  }
  atMostOne(sends, "a rank sends at most one message at a time");
  atMostOne(receives, "a rank receives at most one message at a time");
}

void Execution::requireNoRace() {
  auto overlap = [&](const Slots &a, const Slots &b) {
    auto [block, inBlock] = labelOf(b.alongBlocks(), slotAt(a.alongBlocks()));
    auto [packet, inPacket] = labelOf(b.alongPackets(), slotAt(a.alongPackets()));
    return pool.conjunction({contains(a.block, a.packet), inBlock, inPacket});
  };
  for (size_t i = 0; i < receives.size(); ++i) {
    const Transfer &recv = receives[i];
    if (!recv.slots)
      continue;
    auto differs = [&](const Transfer &other, const char *name, Term where) {
      if (!other.slots || other.slots->storage != recv.slots->storage)
        return;
      // A name declared by a receive is written as a whole, so its transfers always overlap.
      const Term isApart = recv.slots->storage->isMessage ? pool.truth(false) : pool.negate(overlap(*recv.slots, *other.slots));
      require(Claim::Race, name, recv.stmt->keyword, pool.conjunction({recv.guard, other.guard, where}), isApart);
    };
    const char *twice = "nothing is received twice into one place";
    forTwoIterations(recv, [&](const Transfer &other, Term differ) { differs(other, twice, differ); });
    for (size_t j = i + 1; j < receives.size(); ++j)
      differs(apart(receives[j]), twice, pool.truth(true));
    for (const Transfer &send : sends)
      differs(apart(send), "nothing is received over what is being sent", pool.truth(true));
  }
}

/// Requires that a message that `recv` waits for has at least one block along the axis, if it is sent under `guard`.
void Execution::requireBlocks(const Axis &axis, Term guard, const Transfer &recv) {
  const char *name = "the message has blocks";
  const llvm::SMRange range = recv.stmt->keyword;
  if (axis.kind == Axis::Position)
    require(Claim::Matching, name, range, guard, pool.lessEqual(pool.integer(1), axis.count));
  if (axis.kind != Axis::Number)
    return;
  // Find a number that satisfies the filter.
  llvm::SmallVector<Term, 8> candidates{axis.lo, pool.subtract(axis.hi, pool.integer(1)), names.me, recv.peer};
  const std::size_t most = limits::blocksOfMessage;
  forEachNode({axis.filter}, [&](Term node) {
    if ((node->kind == TermKind::Power2 || node->isPower) && candidates.size() < most)
      candidates.push_back(node);
  });
  for (Term number : numbersWithDigits(pool, axis.filter, axis.label))
    if (candidates.size() < most)
      candidates.push_back(number);
  Term fulfilled = pool.truth(false);
  for (Term candidate : candidates) {
    TermPool::Substitution by;
    by[axis.label.get()] = candidate;
    fulfilled = pool.substitute(contains(axis), by);
    Obligation question{Claim::Matching, name, range, facts, fulfilled};
    question.hypotheses.push_back(guard);
    question.hypotheses.push_back(pool.inRange(pool.integer(0), names.me, names.p));
    complete(question);
    if (oracle.isProved(question))
      break;
  }
  require(Claim::Matching, name, range, guard, fulfilled);
}

/// Requires that a message fits the name that `recv` declares for it: the name has the shape of a slice that its step sends, else
/// of one block; if it takes the message's length, there must be room for it.
void Execution::requireRoom(const Axis &block, const Axis &packet, Term guard, const Transfer &recv) {
  const ir::Buffer &buffer = *recv.stmt->message->buffer;
  const ir::Slice *like = ir::shapeOfMessage(buffer);
  const llvm::SMRange range = recv.stmt->keyword;
  const Axis one{Axis::Single, pool.integer(0), {}, {}, {}, {}, {}, {}};
  const bool several = like && (like->blocks.kind == ir::IndexKind::Whole ? like->buffer->isArray
                                                                          : like->blocks.kind != ir::IndexKind::Point);
  if (!several) {
    pair(block, one, true, guard, {}, range, Claim::Matching);
    if (like && like->packets.kind == ir::IndexKind::Point)
      pair(packet, one, false, guard, {}, range, Claim::Matching);
    return;
  }
  Frame &frame = *recv.frame;
  const Term room = frame.views[like->buffer->index].blocks;
  if (ir::takesLength(buffer, frame.schedule, frame.lengths)) {
    if (block.kind != Axis::Single)
      require(Claim::Matching, "there is room for the message", range, guard,
              pool.lessEqual(block.kind == Axis::Number ? pool.subtract(block.hi, block.lo) : block.count, room));
    return;
  }
  const Axis expected = like->blocks.kind == ir::IndexKind::Whole ? Axis{Axis::Position, pool.integer(0), room, {}, {}, {}, {}, blockLabel}
                                                            : slotsOf(*like, frame, guard).block;
  const Term distance = pool.subtract(names.me, recv.peer);
  if (isRotation(block, expected, distance) || isRotation(block, expected, pool.scale(-1, distance)))
    return;
  pair(block, expected, true, guard, {distance}, range, Claim::Matching);
}

/// Whether two axes select as many of the numbers 0 ..< hi since the filter of one, moved by the distance, is that of the other, and
/// repeats itself after hi numbers: it names the label in terms such as `(label + c) mod hi` only.
bool Execution::isRotation(const Axis &a, const Axis &b, Term distance) {
  const Term zero = pool.integer(0);
  if (a.kind != Axis::Number || b.kind != Axis::Number || a.lo != zero || b.lo != zero || a.hi != b.hi)
    return false;
  auto mentions = [](Term term, Term label) { return llvm::is_contained(variablesOf({term}), label); };
  auto repeats = [&](const Axis &axis) {
    const Term without = pool.rebuild(axis.filter, [&](Term node) {
      const bool isResidue = node->kind == TermKind::Modulo && node->operands[1] == axis.hi && llvm::all_of(TermPool::monomialsOf(node->operands[0]), [&](const Monomial &part) {
        return part.atom == axis.label || !mentions(part.atom, axis.label);
      });
      return isResidue ? zero : Term();
    });
    return !mentions(a.hi, axis.label) && !mentions(without, axis.label);
  };
  TermPool::Substitution by;
  by[b.label.get()] = pool.add(a.label, distance);
  return repeats(a) && repeats(b) && pool.substitute(b.filter, by) == a.filter;
}

// ---- what arrives --------------------------------------------------------------------------------------------------------

/// Whether it is proved that a receive never meets a certain send: that `pairing`, the condition under which it does, never holds. Many
/// sample points are tried first, since few of them have several ranks in one round.
bool Execution::neverMeet(const Transfer &recv, Term pairing) {
  Obligation never{Claim::Matching, "the pair never meets", recv.stmt->keyword, facts, pool.negate(pairing)};
  never.hypotheses.push_back(pool.inRange(pool.integer(0), names.me, names.p));
  if (SamplePoints(defined, pool, never.hypotheses, limits::pairingSamples).refute(never.goal))
    return false;
  complete(never);
  return oracle.isProved(never);
}

/// What a receive of the generic rank finds if it meets a send of its partner.
struct Execution::Arrival {
  Slots slots; // of the receiver
  Content content;
  Term guard;
  llvm::SMRange range;
};

/// The condition under which a message has blocks: one without is not sent.
Term Execution::hasBlocks(const Axis &axis) {
  switch (axis.kind) {
  case Axis::Single:
    return pool.truth(true);
  case Axis::Number:
    return pool.truth(false);
  default:
    return pool.lessEqual(pool.integer(1), axis.count);
  }
}

/// Gives the message that a receive declares its blocks. Where `guard` does not hold, nothing is received: then the name has no
/// blocks, or a single one that is empty.
void Execution::giveShape(SymbolicBuffer &message, const Axis &block, const Axis &packet, Term guard) {
  message.hasShape = true;
  message.blockShape = messageAxis(block);
  message.packetShape = messageAxis(packet);
  for (Axis *axis : {&message.blockShape, &message.packetShape}) {
    if (axis->kind == Axis::Position)
      axis->count = pool.select(guard, axis->count, pool.integer(0));
    if (axis->kind == Axis::Number)
      axis->filter = pool.both(guard, axis->filter);
  }
}

/// What comes into slots that a receive names, if the sender's blocks and packets have this content: requires that they match.
Content Execution::movedInto(const Slots &slots, const Transfer &recv, const Axis &block, const Axis &packet, const Content &content,
                             Term pairing) {
  const Term distance = pool.subtract(names.me, recv.peer);
  TermPool::Substitution by;
  by[blockLabel.get()] = pair(block, slots.block, true, pairing, {distance}, recv.stmt->keyword, Claim::Matching);
  by[packetLabel.get()] = pair(packet, slots.packet, false, pairing, {distance}, recv.stmt->keyword, Claim::Matching);
  return substitute(content, by);
}

/// The arrival of a message that the receive declares. `isCertain`: whoever receives meets this send. `hasShape`: another send
/// has given the message its shape, and this one must have the same.
Execution::Arrival Execution::arrivalOfMessage(const Transfer &recv, const Axis &block, const Axis &packet, const Content &content,
                                               Term pairing, bool isCertain, bool hasShape) {
  SymbolicBuffer &target = *recv.slots->storage;
  // A message without blocks is not sent, and the receive would wait for it.
  requireBlocks(block, pairing, recv);
  requireBlocks(packet, pairing, recv);
  requireRoom(block, packet, pairing, recv);
  const auto isSingle = [](const Axis &a, const Axis &b) { return a.kind == Axis::Single && b.kind == Axis::Single; };
  if (!hasShape)
    giveShape(target, block, packet, recv.guard);
  else if (!isSingle(target.blockShape, block) || !isSingle(target.packetShape, packet))
    throw NotModelled{Gap::MessageOfSeveralSends, recv.stmt->keyword};
  return {{&target, target.blockShape, target.packetShape, false}, content, isCertain ? recv.guard : pairing, recv.stmt->range};
}

/// The arrival of blocks in slots that the receive names.
Execution::Arrival Execution::arrivalInSlots(const Transfer &recv, const Axis &block, const Axis &packet, const Content &content,
                                             Term pairing) {
  const Content moved = movedInto(*recv.slots, recv, block, packet, content, pairing);
  if (!recv.index)
    return {*recv.slots, moved, pairing, recv.stmt->range};
  const Term iteration = iterationOfSlot(recv);
  TermPool::Substitution slot;
  slot[recv.index.get()] = iteration;
  return {*inIteration(recv, iteration).slots, substitute(moved, slot), pool.substitute(pairing, slot), recv.stmt->range};
}

void Execution::deliver() {
  std::vector<Arrival> arrivals;
  std::vector<std::pair<Term, const Transfer *>> signals; // the condition under which a message arrives
  for (size_t number = 0; number < receives.size(); ++number) {
    const Transfer &recv = receives[number];
    Term arrives = recv.guard;
    bool hasShape = false;
    std::vector<Transfer> sent;
    for (const Transfer &send : sends)
      llvm::append_range(sent, iterationsMeeting(send, recv));
    for (auto [other, send] : llvm::enumerate(sent)) {
      if (inOrder && other != number)
        continue;
      Term pairing = pool.conjunction(
          {recv.guard, at(send.guard, recv.peer), pool.equal(at(send.peer, recv.peer), names.me)});
      if (!inOrder && sent.size() > 1 && neverMeet(recv, pairing))
        continue;
      if (!send.slots || !recv.slots) {
        if (send.slots || recv.slots)
          require(Claim::Matching, "data meets data", recv.stmt->keyword, pairing, pool.truth(false));
        continue;
      }
      const auto ofSender = [&](Term term) { return at(term, recv.peer); };
      const Axis block = send.slots->block.changed(ofSender), packet = send.slots->packet.changed(ofSender);
      if (heard)
        for (const Axis &axis : {block, packet})
          arrives = pool.both(arrives, pool.implies(pairing, hasBlocks(axis)));
      TermPool::Substitution byPartner;
      byPartner[names.me.get()] = recv.peer;
      byPartner[partner.get()] = names.me;
      const Content content = substitute(read(*send.slots), byPartner);
      if (!recv.slots->storage->isMessage)
        arrivals.push_back(arrivalInSlots(recv, block, packet, content, pairing));
      else
        arrivals.push_back(arrivalOfMessage(recv, block, packet, content, pairing, /*isCertain=*/!hasShape && (sent.size() == 1 || inOrder),
                                            std::exchange(hasShape, true)));
    }
    signals.push_back({arrives, &receives[number]});
  }
  if (heard) {
    Content old = heard->content;
    for (auto [arrives, recv] : signals) {
      TermPool::Substitution by;
      by[names.me.get()] = recv->peer;
      const Term told = recv->index ? heardInLoop(arrives, *recv, old.valid) : pool.both(arrives, pool.substitute(old.valid, by));
      heard->content.valid = pool.either(heard->content.valid, told);
    }
  }
  for (const Arrival &arrival : arrivals)
    write(arrival.slots, arrival.content, arrival.guard, arrival.range);
}

void Execution::step(const ir::StepStmt &stmt, Frame &frame, Term guard) {
  std::vector<Transfer> outerSends, outerReceives;
  std::swap(outerSends, sends);
  std::swap(outerReceives, receives);
  packetsFixed = true;
  for (const ir::Buffer *message : stmt.messages)
    declare(*message, frame, guard);
  collect(stmt.body, frame, guard);
  requireMatching();
  requirePorts();
  requireNoRace();
  endWork(stmt.keyword);
  const Term startups = cost.startups;
  addRound(guard);
  beginStepOfWork(cost.unknown || !cost.startupsExact ? Term() : pool.subtract(cost.startups, startups));
  if (moving)
    for (Location &location : *moving)
      location.sent.push_back(sends);
  deliver();
  // After the transfers, execute the assignments.
  execute(stmt.body, frame, guard);
  std::swap(outerSends, sends);
  std::swap(outerReceives, receives);
}

} // namespace quadrille::compiler::prove
