//===- Locations.cpp - Where contributions are ------------------------------------------------------------------------===//
//
// A reduction may gather sets of ranks that no formula describes, as on circulant graphs. Then a location function tells where
// the contribution of each rank to each slot is: at first at the rank itself; a send of the slot moves it. The invariant only
// bounds the ranks that may have it. A slot holds by definition the contributions that are located there, so no rank is ever
// twice in a product, and in the end the bound leaves one rank.
//
// After a slot was sent, nothing is known about its content on the sender. The bound says which slots are known.
//
//===----------------------------------------------------------------------------------------------------------------===//

#include "Execution.h"

#include "ir/Walk.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/SaveAndRestore.h"

namespace quadrille::compiler::prove {

bool statesLocations(const ir::Body &body) {
  return ir::anyStatement(body, [](const ir::Stmt &stmt) {
    if (auto *use = llvm::dyn_cast<ir::UseStmt>(&stmt))
      return statesLocations(use->callee->body);
    auto *loop = llvm::dyn_cast<ir::ForStmt>(&stmt);
    return loop && llvm::any_of(loop->invariants, [](const ir::Invariant &stated) { return stated.holder.has_value(); });
  });
}

Term Execution::callOf(const Location &location) {
  auto number = [&](Term slot, Term count) { return TermPool::asInteger(count) == 1 ? pool.integer(0) : slot; };
  const SymbolicBuffer &storage = *location.storage;
  return pool.apply(location.function,
                    {names.member, number(names.block, storage.blocks), number(names.packet, storage.packets)});
}

Term Execution::callAtSlot(const Location &location) {
  TermPool::Substitution by;
  by[names.block.get()] = location.block;
  return pool.substitute(callOf(location), by);
}

/// The content for a write to `slots`. If the slot is a fixed one, applications of location functions to its number become
/// applications to the generic slot, which is the same slot where the write takes place.
Content Execution::atOwnSlot(const Slots &slots, Content content) {
  if (locations.empty())
    return content;
  const Axis &block = slots.alongBlocks(), &packet = slots.alongPackets();
  for (Term *part : content.parts())
    *part = pool.rebuild(*part, [&](Term node) -> Term {
      if (!isLocation(node))
        return {};
      llvm::SmallVector<Term, 3> arguments(node->operands.begin(), node->operands.end());
      if (block.kind == Axis::Single && !TermPool::asInteger(block.start) && arguments[1] == block.start)
        arguments[1] = names.block;
      if (packet.kind == Axis::Single && !TermPool::asInteger(packet.start) && arguments[2] == packet.start)
        arguments[2] = names.packet;
      return pool.apply(node->name, arguments);
    });
  return content;
}

Term Execution::located(Term term, const Location &location, llvm::function_ref<Term(Term)> rank) {
  return pool.rebuild(term, [&](Term node) -> Term {
    if (node->kind == TermKind::Apply && node->name == location.function)
      return rank(node);
    return {};
  });
}

Term Execution::rankAfter(const Location &location, Term call) {
  const Term block = pool.variable("block of contributions"); // the sender does not change it
  TermPool::Substitution itsSlot, itsBlock;
  itsSlot[names.block.get()] = block;
  itsBlock[block.get()] = call->operands[1];
  const Term slot = pool.substitute(location.slot, itsSlot);
  Term rank = call;
  for (const std::vector<Transfer> &step : location.sent) {
    Term next = rank;
    for (const Transfer &send : step) {
      if (!send.slots || send.slots->storage != location.storage)
        continue;
      const Term inBlock = labelOf(send.slots->alongBlocks(), slot).second;
      const Term inPacket = labelOf(send.slots->alongPackets(), call->operands[2]).second;
      const Term isSent = pool.substitute(at(pool.conjunction({send.guard, inBlock, inPacket}), rank), itsBlock);
      next = pool.select(isSent, at(send.peer, rank), next);
    }
    rank = next;
  }
  return rank;
}

/// Adds to the hypotheses the bounds of all location terms in an obligation. Bounds hold for existing slots and ranks, and where
/// the loop is executed.
void Execution::addLocations(Obligation &obligation) {
  if (locations.empty())
    return;
  std::vector<Term> all = obligation.hypotheses, more;
  all.push_back(obligation.goal);
  const Term zero = pool.integer(0);
  forEachNode(all, [&](Term node) {
    if (!isLocation(node))
      return;
    for (const Location &known : locations)
      if (node->name == known.function) {
        TermPool::Substitution there, by;
        there[names.me.get()] = node;
        there[names.block.get()] = node->operands[1];
        by[known.rank.get()] = node;
        by[names.block.get()] = pool.substitute(known.slot, there);
        by[names.packet.get()] = node->operands[2];
        const Term exists = pool.conjunction({known.guard, pool.inRange(zero, node->operands[0], names.p),
                                              pool.inRange(zero, node->operands[1], known.storage->blocks),
                                              pool.inRange(zero, node->operands[2], known.storage->packets)});
        more.push_back(pool.implies(exists, pool.both(pool.inRange(zero, node, names.p), pool.substitute(known.bound, by))));
      }
  });
  obligation.hypotheses.insert(obligation.hypotheses.end(), more.begin(), more.end());
}

/// A new location: a slot is known on the ranks that satisfy the bound, and holds the contributions that are located there. `block`, `slot`: as
/// in Location; null: the block has the number of the slot.
Execution::Location Execution::locationIn(SymbolicBuffer &storage, Term rank, Term bound, Content content, Term block, Term slot) {
  Location result{"location" + std::to_string(locationCount++), &storage, block ? block : names.block, slot ? slot : names.block, rank, bound, content, {}};
  TermPool::Substitution by;
  by[rank.get()] = names.me;
  result.content.valid = pool.substitute(bound, by);
  result.content.unknown = pool.negate(result.content.valid);
  result.content.member = pool.equal(callAtSlot(result), names.me);
  // Before the loop each rank has its own contribution, or an earlier loop has moved it.
  result.first = !origin || TermPool::asInteger(origin) == 0 ? names.member
                                                             : pool.modulo(pool.subtract(names.member, origin), names.p);
  for (const Location &known : locations)
    if (known.storage == &storage && storage.content.member == pool.equal(callAtSlot(known), names.me) && known.block == result.block)
      result.first = callOf(known);
  return result;
}

// ---- locations that authors state ---------------------------------------------------------------------------------------

/// The location for `fold(y@r[j] for r in 0 ..< p if c) == fold(x@i for i in 0 ..< p)`; nothing if it has no formula.
std::optional<Execution::Location> Execution::statedLocation(const ir::Invariant &stated, Frame &frame, Term guard,
                                                             SymbolicBuffer &storage) {
  Term block = names.block, inside = pool.truth(true);
  const SymbolicView &view = frame.views[stated.buffer->index];
  const bool isWhole = view.blocksAreBlocks && !view.blocksArePackets && !view.packetBase &&
                       TermPool::asInteger(view.blockBase) == 0 && view.blocks == storage.blocks;
  if (!frame.place.uses.empty() && !isWhole)
    std::tie(block, inside) = blockInView(view);
  llvm::SmallVector<Term, 2> place{block, inside};
  if (llvm::is_contained(variablesOf(place), names.me))
    return std::nullopt; // the view lies at different slots on each rank
  setIndices(stated, frame, block);
  const Term rank = pool.fresh("rank");
  frame.values[*stated.holder] = {rankIn(frame, rank), {}, {}};
  const Term slots = pool.conjunction({slotsWhere(storage, guard), inside, pool.inRange(pool.integer(0), rank, names.p)});
  const Term condition = stated.condition ? termOf(*stated.condition, frame, slots) : pool.truth(true);
  std::optional<Content> value = statedValue(stated, frame, pool.both(slotsWhere(storage, guard), inside));
  if (!value || !pool.isTrue(value->valid) || !pool.isFalse(value->unknown))
    return std::nullopt;
  Location result = locationIn(storage, rank, condition, *value);
  result.bound = pool.implies(inside, condition);
  result.content = select(inside, result.content, storage.content);
  return result;
}

std::vector<Execution::Location> Execution::statedLocations(const ir::ForStmt &stmt, Frame &frame, Term guard,
                                                            const LoopModel &model, const LoopHead &head) {
  std::vector<Location> result;
  if (products != Products::Members || !schedule.requiresCommutative || llvm::is_contained(variablesOf({guard}), names.me))
    return result;
  const Trail<Term>::Scope inLoop(facts);
  facts.append(model.facts);
  setLoopVariables(stmt, frame, model.head);
  for (const ir::Invariant &stated : stmt.invariants) {
    SymbolicBuffer *storage = statedStorage(stated, frame);
    if (stated.holder && llvm::is_contained(head.written, storage))
      if (std::optional<Location> location = statedLocation(stated, frame, guard, *storage))
        result.push_back(std::move(*location));
  }
  return result;
}

// ---- locations that are guessed -------------------------------------------------------------------------------------------

bool Execution::tryLocations(const ir::ForStmt &stmt, Frame &frame, Term guard, const LoopModel &model,
                             const LoopHead &head) {
  if (products != Products::Members || !schedule.requiresCommutative || !pool.isTrue(guard) || hasLoopsInSteps(stmt.body) || head.written.empty() ||
      llvm::is_contained(head.written, heard))
    return false;
  SymbolicBuffer &storage = *head.written[0];
  if (head.written.size() != 1 || storage.blocks != names.p)
    return tryPlaces(stmt, frame, guard, model, head);
  const Progress before = progress();
  const Content content = storage.content;
  for (bool ahead : {true, false}) {
    const Term rank = pool.variable("rank'");
    const Term distance = ahead ? pool.subtract(names.block, rank) : pool.subtract(rank, names.block);
    Content held = content;
    held.input = pool.integer(0);
    // Blocks that are as long as packets hold these.
    held.block = storage.packet ? pool.integer(0) : names.block;
    held.packet = storage.packet ? storage.packet : names.packet;
    std::vector<Location> tried{locationIn(storage, rank, pool.less(pool.modulo(distance, names.p), model.head), held)};
    const llvm::SaveAndRestore own(moving, &tried);
    used.push_back({head, {tried[0].content}});
    if (tryInvariant(stmt, frame, guard, model, head, {tried[0].content}))
      return true;
    takeBack(before);
  }
  return tryPlaces(stmt, frame, guard, model, head);
}

/// The location for a content of which traces tell in which slots it is, and which block of the input it is of; nothing if there is none.
std::optional<Execution::Location> Execution::placedIn(SymbolicBuffer &storage, const Content &content) {
  const Term rank = pool.variable("rank'");
  TermPool::Substitution by;
  by[names.me.get()] = rank;
  Content held = content;
  held.member = pool.truth(false);
  const Term bound = pool.substitute(content.valid, by);
  if (!llvm::is_contained(variablesOf({content.block}), names.me))
    return locationIn(storage, rank, bound, held);
  // Slots are counted from the rank.
  const Term block = pool.variable("block of contributions");
  const std::vector<Term> slots = solutions(content.block, names.block, block);
  if (storage.blocks != names.p || slots.empty())
    return std::nullopt;
  TermPool::Substitution generic;
  generic[block.get()] = names.block;
  return locationIn(storage, rank, bound, held, content.block, pool.substitute(slots[0], generic));
}

/// The bounds of locations as traces tell them: contributions are in slots that are still read.
bool Execution::tryPlaces(const ir::ForStmt &stmt, Frame &frame, Term guard, const LoopModel &model, const LoopHead &head) {
  LoopHead places = head;
  places.ofPlaces = true;
  const Progress before = progress();
  for (Invariant candidate : oracle.invariants(places, names)) {
    std::vector<Location> tried;
    for (auto [storage, content] : llvm::zip_equal(head.written, candidate))
      if (!content.member)
        if (const std::optional<Location> location = placedIn(*storage, content)) {
          content = location->content;
          tried.push_back(*location);
        }
    if (tried.empty() || llvm::any_of(candidate, [](const Content &content) { return !content.member; }))
      continue;
    const llvm::SaveAndRestore own(moving, &tried);
    used.push_back({head, candidate});
    if (tryInvariant(stmt, frame, guard, model, head, candidate))
      return true;
    takeBack(before);
  }
  return false;
}

} // namespace quadrille::compiler::prove
