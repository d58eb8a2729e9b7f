//===- StatedInvariants.cpp - Invariants that authors state, as formulas --------------------------------------------------===//
//
// An invariant is about the buffers and inputs of its own schedule. If another schedule uses that one, its buffers are parts of
// the caller's, and its inputs are the contents at the beginning of the `use`.
//
//===----------------------------------------------------------------------------------------------------------------===//

#include "Execution.h"

#include "ir/Walk.h"

#include "llvm/ADT/STLExtras.h"

namespace quadrille::compiler::prove {

/// Sets the loop variables to formulas in the head.
void Execution::setLoopVariables(const ir::ForStmt &stmt, Frame &frame, Term head) {
  const Term one = pool.integer(1);
  switch (stmt.loop) {
  case ir::LoopKind::Descending:
    frame.values[stmt.variable] = {pool.subtract(head, one), {}, {}};
    break;
  case ir::LoopKind::Half:
    frame.values[stmt.variable] = {pool.quotient(head, pool.integer(2)), {}, {}};
    break;
  case ir::LoopKind::Halvings:
    frame.values[stmt.variable] = {pool.quotient(pool.add(head, one), pool.integer(2)), {}, {}};
    frame.values[stmt.second] = {head, {}, {}};
    break;
  default:
    frame.values[stmt.variable] = {head, {}, {}};
  }
}

/// The block of the view to which slot (block', packet') of the storage belongs, and the condition under which it belongs to one.
std::pair<Term, Term> Execution::blockInView(const SymbolicView &view) {
  if (view.blocksArePackets) {
    const Term block = pool.subtract(names.packet, view.packetBase);
    return {block, pool.both(pool.equal(names.block, view.blockBase), pool.inRange(pool.integer(0), block, view.blocks))};
  }
  if (view.packetBase)
    return {pool.integer(0), pool.both(pool.equal(names.block, view.blockBase), pool.equal(names.packet, view.packetBase))};
  if (!view.blocksAreBlocks)
    return {pool.integer(0), pool.equal(names.block, view.blockBase)};
  const Term block = pool.subtract(names.block, view.blockBase);
  return {block, pool.inRange(pool.integer(0), block, view.blocks)};
}

/// The content of block `block` of an input on `rank` (outermost numbering) when the schedule of the frame began.
Content Execution::inputOf(Frame &frame, unsigned input, Term rank, Term block) {
  const SymbolicView &view = frame.views[frame.schedule.inputs[input]->index];
  TermPool::Substitution by;
  by[names.me.get()] = rank;
  const Term blockBase = at(view.blockBase, rank), packetBase = view.packetBase ? at(view.packetBase, rank) : Term();
  by[names.block.get()] = view.blocksAreBlocks && !packetBase ? pool.add(blockBase, block) : blockBase;
  if (packetBase)
    by[names.packet.get()] = view.blocksArePackets ? pool.add(packetBase, block) : packetBase;
  return substitute(frame.inputsAtEntry[input], by);
}

/// The right side of an invariant, for the frame's values of its variables; nothing if it is a product without a formula.
/// `guard`: the condition under which the invariant says it.
std::optional<Content> Execution::statedValue(const ir::Invariant &stated, Frame &frame, Term guard) {
  const Term zero = pool.integer(0), one = pool.integer(1);
  auto term = [&](const ir::Expr &expr) { return termOf(expr, frame, guard); };
  const Term block = stated.index ? term(*stated.index) : zero;
  const bool isUsed = !frame.place.uses.empty();
  Content content = empty();
  content.valid = pool.truth(true);
  if (!stated.isFold && isUsed)
    return inputOf(frame, stated.input, rankOutermost(frame, term(*stated.rank)), block);
  content.input = pool.integer(stated.input);
  content.block = block;
  content.packet = names.packet;
  content.length = one;
  if (stated.isFold) {
    const Term lo = term(*stated.lo), hi = term(*stated.hi);
    content.lo = stated.isCyclic ? pool.modulo(lo, names.p) : lo;
    content.length = pool.subtract(hi, lo);
  } else {
    content.lo = rankName(term(*stated.rank));
  }
  if (stated.isFold && isUsed) {
    // Ranks, one after the other, each with its own operand.
    const Term rank = pool.fresh("rank");
    Content own = inputOf(frame, stated.input, rank, block);
    const bool inOrder = !frame.origin || TermPool::asInteger(frame.origin) == 0;
    llvm::SmallVector<Term, 3> parts{own.input, own.block, own.packet};
    if (!inOrder || own.lo != rankName(rank) || own.length != one || !pool.isTrue(own.valid) || !pool.isFalse(own.unknown) ||
        llvm::is_contained(variablesOf(parts), rank))
      return std::nullopt;
    content.input = own.input;
    content.block = own.block;
    content.packet = own.packet;
  }
  content.member = pool.less(pool.modulo(pool.subtract(names.member, content.lo), names.p), content.length);
  return content;
}

/// Sets the variables of the left side. `block`: the block of the view.
void Execution::setIndices(const ir::Invariant &stated, Frame &frame, Term block) {
  if (stated.blockVariable)
    frame.values[*stated.blockVariable] = {stated.buffer ? block : rankIn(frame, names.block), {}, {}};
  if (stated.packetVariable)
    frame.values[*stated.packetVariable] = {names.packet, {}, {}};
}

/// The content of a storage by an invariant about a view of it; outside the view, the content before the loop. If the invariant
/// says nothing where its condition does not hold, there are two answers: there the slot is unknown but full, or entirely
/// unknown. Requires that the invariant's expressions have values at every head.
std::vector<Content> Execution::statedContents(const ir::Invariant &stated, Frame &frame, const SymbolicBuffer &storage, Term guard) {
  Term block = names.block, inside = pool.truth(true);
  if (stated.buffer && !frame.place.uses.empty())
    std::tie(block, inside) = blockInView(frame.views[stated.buffer->index]);
  setIndices(stated, frame, block);
  Content content = empty();
  const Term slots = pool.both(slotsWhere(storage, guard), inside);
  const Term condition = stated.condition ? termOf(*stated.condition, frame, slots) : pool.truth(true);
  content.valid = condition;
  if (stated.buffer) {
    std::optional<Content> value = statedValue(stated, frame, pool.both(slots, condition));
    if (!value)
      return {};
    content = *value;
    content.valid = pool.both(condition, content.valid);
  }
  const bool saysAll = stated.elseEmpty || !stated.condition;
  content.unknown = pool.both(condition, content.unknown);
  if (!saysAll)
    content.unknown = pool.either(content.unknown, pool.negate(condition));
  std::vector<Content> result;
  if (!saysAll) {
    Content something = content;
    something.valid = pool.truth(true);
    result.push_back(select(inside, something, storage.content));
  }
  result.push_back(select(inside, content, storage.content));
  return result;
}

static bool deniesHearing(const ir::Body &body) {
  return ir::anyStatement(body, [](const ir::Stmt &stmt) {
    if (auto *use = llvm::dyn_cast<ir::UseStmt>(&stmt))
      return !use->member && deniesHearing(use->callee->body);
    auto *loop = llvm::dyn_cast<ir::ForStmt>(&stmt);
    return loop && llvm::any_of(loop->invariants, [](const ir::Invariant &stated) { return !stated.buffer && stated.elseEmpty; });
  });
}

/// Whether an invariant says that a rank has not heard of another. Where only a part of what ranks hear is followed, that cannot be
/// shown.
bool Execution::statesWhatIsNotHeard() const { return deniesHearing(schedule.body); }

/// The storage that an invariant is about: a buffer's or `heard`, which is null if the collective is not about hearing.
SymbolicBuffer *Execution::statedStorage(const ir::Invariant &stated, const Frame &frame) const {
  return stated.buffer ? frame.views[stated.buffer->index].storage : heard;
}

/// Requires stated invariants about storages that the loop does not write: they must follow from the contents before the loop.
void Execution::requireStatedOfUnwritten(const ir::ForStmt &stmt, Frame &frame, Term guard, const LoopModel &model,
                                         const LoopHead &head) {
  if (!frame.place.uses.empty())
    return; // the proof of the used schedule itself shows it
  const Trail<Term>::Scope inLoop(facts);
  facts.append(model.facts);
  setLoopVariables(stmt, frame, model.head);
  for (const ir::Invariant &stated : stmt.invariants) {
    const SymbolicBuffer *storage = statedStorage(stated, frame);
    if (!storage || llvm::is_contained(head.written, storage))
      continue;
    if (stated.holder) {
      unread = NotModelled{Gap::ProductOfUnwritten, stated.range};
      continue;
    }
    const Content content = statedContents(stated, frame, *storage, guard).back();
    require(Claim::Invariant, "the invariant of `" + storage->name + "`, which the loop does not write, holds", stated.range,
            slotsWhere(*storage, guard),
            storage == heard && !stated.elseEmpty ? pool.implies(content.valid, storage->content.valid)
                                                  : sameContent(storage->content, content));
  }
}

/// The stated invariants, completed by each of the candidates for storages without a stated one.
std::vector<Invariant> Execution::statedInvariants(const ir::ForStmt &stmt, Frame &frame, Term guard, const LoopModel &model,
                                                   const LoopHead &head, const std::vector<Invariant> &candidates,
                                                   const std::vector<Location> &located) {
  const Trail<Term>::Scope inLoop(facts);
  facts.append(model.facts);
  setLoopVariables(stmt, frame, model.head);
  std::vector<std::vector<Content>> variants;
  for (const SymbolicBuffer *storage : head.written) {
    std::vector<Content> &contents = variants.emplace_back();
    for (const Location &location : located)
      if (location.storage == storage)
        contents = {location.content};
    for (const ir::Invariant &invariant : stmt.invariants)
      if (contents.empty() && !invariant.holder && statedStorage(invariant, frame) == storage)
        contents = statedContents(invariant, frame, *storage, guard);
  }
  if (llvm::all_of(variants, [](const std::vector<Content> &contents) { return contents.empty(); }))
    return frame.place.uses.empty() ? candidates : std::vector<Invariant>(); // else the caller tries the candidates anyway
  std::vector<Invariant> result;
  const size_t count = std::max<size_t>(1, candidates.size());
  for (size_t candidate = 0; candidate < count; ++candidate)
    for (size_t variant = 0; variant < 2; ++variant) {
      Invariant invariant;
      for (size_t i = 0; i < head.written.size(); ++i) {
        if (!variants[i].empty())
          invariant.push_back(variants[i][std::min(variant, variants[i].size() - 1)]);
        else if (candidate < candidates.size())
          invariant.push_back(candidates[candidate][i]);
      }
      if (invariant.size() == head.written.size())
        result.push_back(std::move(invariant));
    }
  return result;
}

} // namespace quadrille::compiler::prove
