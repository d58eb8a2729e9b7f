//===- Slices.cpp - Slots, labels and values ------------------------------------------------------------------------===//

#include "Execution.h"

#include <cassert>

namespace quadrille::compiler::prove {

// ---- axes ---------------------------------------------------------------------------------------------------------------

Axis Execution::axisOf(const ir::Index &index, Term count, Frame &frame, Term guard, llvm::SMRange range) {
  Axis axis;
  auto value = [&](const ir::Expr &expr) { return termOf(expr, frame, guard); };
  switch (index.kind) {
  case ir::IndexKind::Whole:
    if (TermPool::asInteger(count) == 1) {
      axis.start = pool.integer(0);
    } else {
      axis.kind = Axis::Position;
      axis.start = pool.integer(0);
      axis.count = count;
    }
    return axis;
  case ir::IndexKind::Point:
    axis.start = value(*index.a);
    return axis;
  case ir::IndexKind::Range:
  case ir::IndexKind::Run:
  case ir::IndexKind::Cyclic: {
    axis.kind = Axis::Position;
    axis.start = value(*index.a);
    Term end = value(*index.b);
    axis.count = index.kind == ir::IndexKind::Range ? pool.subtract(end, axis.start) : end;
    require(Claim::Range, "the length of a slice is not negative", range, guard, pool.lessEqual(pool.integer(0), axis.count));
    if (index.kind == ir::IndexKind::Cyclic) {
      axis.modulus = value(*index.c);
      axis.start = pool.modulo(axis.start, axis.modulus);
      require(Claim::Range, "a cyclic slice is no longer than its modulus", range, guard,
              pool.both(pool.lessEqual(pool.integer(1), axis.modulus), pool.lessEqual(axis.count, axis.modulus)));
    }
    return axis;
  }
  case ir::IndexKind::Filter: {
    axis.kind = Axis::Number;
    axis.lo = value(*index.a);
    axis.hi = value(*index.b);
    // The caller replaces the label by that of the dimension.
    axis.label = pool.fresh("label");
    frame.values[index.binder] = {axis.label, {}, {}};
    axis.filter = termOf(*index.c, frame, pool.both(guard, pool.inRange(axis.lo, axis.label, axis.hi)));
    return axis;
  }
  }
  return axis;
}

static void relabel(Axis &axis, Term label, TermPool &pool) {
  if (axis.kind == Axis::Single)
    return;
  if (axis.kind == Axis::Number) {
    TermPool::Substitution by;
    by[axis.label.get()] = label;
    axis.filter = pool.substitute(axis.filter, by);
  }
  axis.label = label;
}

/// Moves an axis by `base` slots.
static void shift(Axis &axis, Term base, TermPool &pool, llvm::SMRange range) {
  if (TermPool::asInteger(base) == 0)
    return;
  if (axis.modulus)
    throw NotModelled{Gap::CyclicPart, range};
  if (axis.kind != Axis::Number) {
    axis.start = pool.add(axis.start, base);
    return;
  }
  TermPool::Substitution by;
  by[axis.label.get()] = pool.subtract(axis.label, base);
  axis.filter = pool.substitute(axis.filter, by);
  axis.lo = pool.add(axis.lo, base);
  axis.hi = pool.add(axis.hi, base);
}

Slots Execution::slotsOf(const ir::Slice &slice, Frame &frame, Term guard) {
  const SymbolicView &view = frame.views[slice.buffer->index];
  if (!view.storage)
    throw NotModelled{Gap::UndeclaredBuffer, slice.range};
  Slots result;
  result.storage = view.storage;
  SymbolicBuffer &storage = *view.storage;
  if (storage.isMessage) {
    const bool isPart = slice.blocks.kind != ir::IndexKind::Whole;
    if (!storage.hasShape || slice.packets.kind != ir::IndexKind::Whole || (isPart && storage.blockShape.kind == Axis::Number))
      throw NotModelled{Gap::PartOfMessage, slice.range};
    result.block = messageAxis(storage.blockShape);
    result.packet = messageAxis(storage.packetShape);
    if (isPart) { // its blocks are numbered from 0
      const Term count = storage.blockShape.kind == Axis::Single ? pool.integer(1) : storage.blockShape.count;
      result.block = axisOf(slice.blocks, count, frame, guard, slice.range);
      relabel(result.block, blockLabel, pool);
      const Term inside = pool.both(guard, contains(result.block, result.packet));
      requireWithin(result.block, count, inside, "every block is in the message", slice.range);
    }
    return result;
  }
  const Term zero = pool.integer(0);
  Axis block;
  if (slice.blocks.kind == ir::IndexKind::Whole && !slice.buffer->isArray)
    block.start = zero;
  else
    block = axisOf(slice.blocks, view.blocks, frame, guard, slice.range);
  if (block.kind == Axis::Position && slice.blocks.kind == ir::IndexKind::Whole && TermPool::asInteger(view.blocks) == 1)
    block = Axis{Axis::Single, zero, {}, {}, {}, {}, {}, {}};
  // If a used schedule's buffer is a part of a storage, its indices must stay in this part.
  const bool isPart = view.blocks != storage.blocks || view.blocksArePackets || view.blockBase != zero;
  if (slice.buffer->isArray && slice.blocks.kind != ir::IndexKind::Whole && isPart) {
    Axis part = block;
    if (part.kind == Axis::Position)
      part.label = blockLabel;
    requireWithin(part, view.blocks, guard, "every block is in its buffer", slice.range);
  }
  if (view.blocksArePackets) {
    shift(block, view.packetBase, pool, slice.range);
    result.block = block;
    result.packet = Axis{Axis::Single, view.blockBase, {}, {}, {}, {}, {}, {}};
    result.blocksArePackets = true;
  } else if (view.packetBase) {
    result.block = Axis{Axis::Single, view.packetBase, {}, {}, {}, {}, {}, {}};
    result.packet = Axis{Axis::Single, view.blockBase, {}, {}, {}, {}, {}, {}};
    result.blocksArePackets = true;
  } else {
    if (view.blocksAreBlocks)
      shift(block, view.blockBase, pool, slice.range);
    else
      block = Axis{Axis::Single, view.blockBase, {}, {}, {}, {}, {}, {}};
    result.block = block;
    result.packet = axisOf(slice.packets, storage.packets, frame, guard, slice.range);
  }
  relabel(result.block, blockLabel, pool);
  relabel(result.packet, packetLabel, pool);
  return result;
}

Term Execution::contains(const Axis &axis) {
  switch (axis.kind) {
  case Axis::Single:
    return pool.truth(true);
  case Axis::Position:
    return pool.inRange(pool.integer(0), axis.label, axis.count);
  case Axis::Number:
    return pool.both(pool.inRange(axis.lo, axis.label, axis.hi), axis.filter);
  }
  return {};
}

Term Execution::slotAt(const Axis &axis) {
  switch (axis.kind) {
  case Axis::Single:
    return axis.start;
  case Axis::Position: {
    Term slot = pool.add(axis.start, axis.label);
    return axis.modulus ? pool.modulo(slot, axis.modulus) : slot;
  }
  case Axis::Number:
    return axis.label;
  }
  return {};
}

std::pair<Term, Term> Execution::labelOf(const Axis &axis, Term slot) {
  const Term zero = pool.integer(0);
  switch (axis.kind) {
  case Axis::Single:
    return {zero, pool.equal(slot, axis.start)};
  case Axis::Position: {
    Term label = pool.subtract(slot, axis.start);
    if (!axis.modulus)
      return {label, pool.inRange(zero, label, axis.count)};
    label = pool.modulo(label, axis.modulus);
    return {label, pool.both(pool.less(label, axis.count), pool.inRange(zero, slot, axis.modulus))};
  }
  case Axis::Number: {
    TermPool::Substitution by;
    by[axis.label.get()] = slot;
    return {slot, pool.both(pool.inRange(axis.lo, slot, axis.hi), pool.substitute(axis.filter, by))};
  }
  }
  return {};
}

Term Execution::isAmong(const Slots &slots) {
  return pool.both(labelOf(slots.alongBlocks(), names.block).second, labelOf(slots.alongPackets(), names.packet).second);
}

Axis Execution::messageAxis(const Axis &axis) {
  Axis result = axis;
  if (axis.kind != Axis::Number)
    result.start = pool.integer(0);
  result.modulus = {};
  return result;
}

std::optional<std::pair<Term, Term>> Execution::strideOf(const Axis &axis) {
  if (axis.kind != Axis::Number || axis.lo != pool.integer(0) || axis.filter->kind != TermKind::IsZero)
    return std::nullopt;
  const Term sum = axis.filter->operands[0];
  for (const Monomial &part : TermPool::monomialsOf(sum))
    if (part.atom->kind == TermKind::Modulo && part.atom->operands[0] == axis.label && std::abs(part.coefficient) == 1) {
      const Term first = pool.subtract(part.atom, pool.scale(part.coefficient, sum)), distance = part.atom->operands[1];
      if (!llvm::is_contained(variablesOf({first, distance}), axis.label))
        return std::pair(distance, first);
    }
  return std::nullopt;
}

Term Execution::pair(const Axis &from, const Axis &to, bool isBlock, Term guard, llvm::ArrayRef<Term> hints,
                     llvm::SMRange range, Claim claim) {
  const Term zero = pool.integer(0), one = pool.integer(1);
  const Term label = isBlock ? blockLabel : packetLabel;
  const char *name = "as many blocks on both sides";
  auto count = [&](const Axis &axis) { return axis.kind == Axis::Single ? one : axis.count; };
  if (from.kind != Axis::Number && to.kind != Axis::Number) {
    require(claim, name, range, guard, pool.equal(count(from), count(to)));
    return to.kind == Axis::Single ? zero : label;
  }
  // One side lists every m-th slot, the other one slots side by side: number r + m*k of the one is number k of the other.
  const auto ofFrom = strideOf(from), ofTo = strideOf(to);
  if ((ofFrom && to.kind != Axis::Number) || (ofTo && from.kind != Axis::Number)) {
    const auto [distance, first] = ofFrom ? *ofFrom : *ofTo;
    const Term many = count(ofFrom ? to : from), end = pool.add(first, pool.multiply(distance, many)), hi = ofFrom ? from.hi : to.hi;
    require(claim, name, range, guard,
            pool.conjunction({pool.inRange(zero, first, distance), pool.lessEqual(zero, many), pool.lessEqual(hi, end),
                              pool.either(pool.equal(many, zero), pool.less(pool.subtract(end, distance), hi))}));
    if (ofFrom)
      return pool.add(first, pool.multiply(distance, to.kind == Axis::Single ? zero : label));
    return from.kind == Axis::Single ? zero : pool.quotient(label, distance);
  }
  // One side is a filter: both must list the same numbers, moved by some distance.
  auto asNumbers = [&](Axis axis) {
    if (axis.kind == Axis::Number)
      return axis;
    if (axis.modulus)
      throw NotModelled{Gap::CyclicAndSelection, range};
    Axis result;
    result.kind = Axis::Number;
    result.label = label;
    result.lo = axis.start;
    result.hi = pool.add(axis.start, count(axis));
    result.filter = pool.truth(true);
    return result;
  };
  const bool labelsArePositions = to.kind != Axis::Number;
  Axis source = asNumbers(from), target = asNumbers(to);
  llvm::SmallVector<Term, 6> distances{zero, pool.subtract(source.lo, target.lo)};
  distances.append(hints.begin(), hints.end());
  for (Term hint : hints)
    distances.push_back(pool.subtract(zero, hint));
  if (ofFrom && ofTo)
    distances.push_back(pool.subtract(ofFrom->second, ofTo->second));
  auto sameNumbers = [&](Term distance) {
    TermPool::Substitution by;
    by[label.get()] = pool.add(label, distance);
    return pool.equal(contains(target), pool.substitute(contains(source), by));
  };
  Term chosen = zero;
  for (Term distance : distances) {
    Obligation question{claim, name, range, facts, sameNumbers(distance)};
    question.hypotheses.push_back(guard);
    question.hypotheses.push_back(pool.inRange(zero, names.me, names.p));
    complete(question);
    if (oracle.isProved(question)) {
      chosen = distance;
      break;
    }
  }
  require(claim, name, range, guard, sameNumbers(chosen));
  Term number = labelsArePositions ? (to.kind == Axis::Single ? to.start : pool.add(to.start, label)) : label;
  Term result = pool.add(number, chosen);
  if (from.kind == Axis::Number)
    return result;
  return pool.subtract(result, from.start);
}

void Execution::requireInRange(const Slots &slots, Term guard, llvm::SMRange range) {
  const SymbolicBuffer &storage = *slots.storage;
  if (storage.isMessage)
    return;
  Term inside = pool.both(guard, contains(slots.block, slots.packet));
  requireWithin(slots.alongBlocks(), storage.blocks, inside, "every block is in its buffer", range);
  requireWithin(slots.alongPackets(), storage.packets, inside, "every packet is in its block", range);
}

void Execution::requireWithin(const Axis &axis, Term count, Term guard, const char *what, llvm::SMRange range) {
  const Term zero = pool.integer(0);
  if (axis.kind == Axis::Position && !axis.modulus) // consecutive slots: the ends suffice
    require(Claim::Range, what, range, pool.both(guard, pool.less(zero, axis.count)),
            pool.both(pool.lessEqual(zero, axis.start), pool.lessEqual(pool.add(axis.start, axis.count), count)));
  else
    require(Claim::Range, what, range, pool.both(guard, contains(axis)), pool.inRange(zero, slotAt(axis), count));
}

// ---- contents -----------------------------------------------------------------------------------------------------------

Content Execution::empty() {
  Term zero = pool.integer(0);
  return {pool.truth(false), pool.truth(false), zero, zero, zero, zero, zero, pool.truth(false)};
}

Content Execution::select(Term condition, const Content &yes, const Content &no) {
  assert(condition->isBoolean() && yes.isWhole() && no.isWhole());
  Content result;
  // If one side is never full, its other parts do not matter.
  bool noMatters = !pool.isFalse(no.valid), yesMatters = !pool.isFalse(yes.valid);
  result.unknown = pool.select(condition, yes.unknown, no.unknown);
  result.valid = pool.select(condition, yes.valid, no.valid);
  auto choose = [&](Term a, Term b) { return !noMatters ? a : !yesMatters ? b : pool.select(condition, a, b); };
  result.input = choose(yes.input, no.input);
  result.block = choose(yes.block, no.block);
  result.packet = choose(yes.packet, no.packet);
  result.lo = choose(yes.lo, no.lo);
  result.length = choose(yes.length, no.length);
  // For intervals, `member` follows from lo and length.
  result.member = products == Products::Members ? choose(yes.member, no.member) : pool.truth(false);
  return result;
}

Content Execution::substitute(Content content, const TermPool::Substitution &by) {
  for (Term *part : content.parts())
    *part = pool.substitute(*part, by);
  return content;
}

Content Execution::read(const Slots &slots) {
  assert(slots.storage && slots.storage->content.isWhole() && "a storage that has been declared");
  TermPool::Substitution by;
  by[names.block.get()] = slotAt(slots.alongBlocks());
  by[names.packet.get()] = slotAt(slots.alongPackets());
  return substitute(slots.storage->content, by);
}

/// Requires that the operands are full and known, and returns true, if that can be shown; else requires nothing. If lengths differ,
/// the obligation belongs to Matching too.
bool Execution::requireThere(llvm::ArrayRef<const Content *> operands, Term guard, llvm::SMRange range, bool lengthsDiffer) {
  const Progress before = progress();
  for (const Content *operand : operands)
    for (Claim claim : {Claim::Range, Claim::Matching}) {
      if (claim == Claim::Matching && !lengthsDiffer)
        continue;
      const size_t last = found.size();
      require(claim, "both operands are there", range, guard, pool.both(operand->valid, pool.negate(operand->unknown)));
      if (found.size() > last && !oracle.isProved(found.back())) {
        takeBack(before);
        return false;
      }
    }
  return true;
}

/// Whether some input has blocks with lengths of their own.
bool Execution::haveOwnLengths() const {
  return llvm::any_of(inputs, [](const SymbolicBuffer *input) { return input->length; });
}

/// The condition under which a content, if full, comes from this input.
Term Execution::comesFrom(const Content &content, size_t input) {
  return inputs.size() == 1 ? pool.truth(true) : pool.equal(content.input, pool.integer(static_cast<std::int64_t>(input)));
}

/// Requires that every rank of one set is before every rank of the other one, so that the product of both has its operands in order.
void Execution::requireOrder(Term left, Term right, Term guard, llvm::SMRange range) {
  const Term x = pool.variable("left'"), y = pool.variable("right'"), zero = pool.integer(0);
  TermPool::Substitution byLeft, byRight;
  byLeft[names.member.get()] = x;
  byRight[names.member.get()] = y;
  require(Claim::Operator, "every rank of the left operand is before those of the right one", range,
          pool.conjunction({guard, pool.inRange(zero, x, names.p), pool.inRange(zero, y, names.p), pool.substitute(left, byLeft),
                            pool.substitute(right, byRight)}),
          pool.less(x, y));
}

Content Execution::combine(const Content &a, const Content &b, Term guard, llvm::SMRange range) {
  assert(a.isWhole() && b.isWhole() && guard->isBoolean());
  Term both = pool.conjunction({guard, a.valid, b.valid, pool.negate(a.unknown), pool.negate(b.unknown)});
  Content product = a;
  Term sameBlock = pool.conjunction(
      {pool.equal(a.input, b.input), pool.equal(a.block, b.block), pool.equal(a.packet, b.packet)});
  // Operands must have equal lengths even if the product is not used.
  const bool lengthsDiffer = (packets && packets != pool.integer(1)) || haveOwnLengths();
  require(lengthsDiffer ? Claim::Range : Claim::Result, "the operands are parts of the same block", range, both, sameBlock);
  for (auto [number, input] : llvm::enumerate(inputs))
    for (auto [index, left, right] : llvm::zip(input->lengthIndices, lengthIndicesOf(*input, a), lengthIndicesOf(*input, b)))
      if (llvm::is_contained(variablesOf({index}), names.me)) // else equal blocks have equal lengths
        require(Claim::Range, "the operands have the same length", range, pool.both(both, comesFrom(a, number)),
                pool.equal(left, right));
  // With locations, formulas stay short if it is shown here, once, that both operands are full.
  const bool areThere = !locations.empty() && requireThere({&a, &b}, guard, range, lengthsDiffer);
  if (!areThere && lengthsDiffer)
    require(Claim::Range, "it is known what the operands are", range, guard,
            pool.negate(pool.either(a.unknown, b.unknown)));
  const Term length = pool.add(a.length, b.length);
  switch (products) {
  case Products::Ordered:
    require(Claim::Operator, "the right operand follows the left one", range, both,
            pool.equal(pool.add(a.lo, a.length), b.lo));
    product.length = length;
    break;
  case Products::Cyclic: {
    Term follows = pool.equal(pool.modulo(pool.add(a.lo, a.length), names.p), b.lo);
    Term precedes = pool.equal(pool.modulo(pool.add(b.lo, b.length), names.p), a.lo);
    require(Claim::Operator, "one operand follows the other, and no rank is in both", range, both,
            pool.both(pool.either(follows, precedes), pool.lessEqual(length, names.p)));
    product.lo = pool.select(follows, a.lo, b.lo);
    product.length = length;
    break;
  }
  case Products::Members:
    if (schedule.requiresCommutative)
      require(Claim::Operator, "no rank is in both operands", range, both, pool.negate(pool.both(a.member, b.member)));
    else
      requireOrder(a.member, b.member, both, range);
    product.member = pool.either(a.member, b.member);
    break;
  }
  if (areThere) {
    product.valid = pool.truth(true);
    product.unknown = pool.truth(false);
    return product;
  }
  Content result = select(b.valid, select(a.valid, product, b), a);
  result.valid = pool.either(a.valid, b.valid);
  result.unknown = pool.either(a.unknown, b.unknown);
  return result;
}

Data Execution::dataOf(const ir::DataExpr &expr, Frame &frame, Term guard) {
  if (!expr.isCombine) {
    Slots slots = slotsOf(expr.slice, frame, guard);
    requireInRange(slots, guard, expr.slice.range);
    return {slots.block, slots.packet, read(slots), expr.range, slots};
  }
  Data left = dataOf(*expr.left, frame, guard), right = dataOf(*expr.right, frame, guard);
  TermPool::Substitution by;
  by[blockLabel.get()] = pair(right.block, left.block, true, guard, {}, expr.range, Claim::Range);
  by[packetLabel.get()] = pair(right.packet, left.packet, false, guard, {}, expr.range, Claim::Range);
  Term inside = pool.both(guard, contains(left.block, left.packet));
  const Content operand = substitute(right.content, by);
  addWork(left, operand, guard, expr.range);
  left.content = combine(left.content, operand, inside, expr.range);
  left.range = expr.range;
  return left;
}

void Execution::write(const Slots &slots, const Content &content, Term guard, llvm::SMRange range) {
  assert(slots.storage && content.isWhole() && llvm::is_contained(buffers, slots.storage));
  SymbolicBuffer &storage = *slots.storage;
  auto [blockAt, inBlock] = labelOf(slots.block, slots.blocksArePackets ? names.packet : names.block);
  auto [packetAt, inPacket] = labelOf(slots.packet, slots.blocksArePackets ? names.block : names.packet);
  if (storage.length) {
    Term inside = pool.both(guard, contains(slots.block, slots.packet));
    require(Claim::Matching, "it is known what the block is to hold", range, inside, pool.negate(content.unknown));
    inside = pool.both(inside, content.valid);
    TermPool::Substitution slot;
    slot[names.block.get()] = slotAt(slots.alongBlocks());
    // A content is as long as the block of the input from which it comes.
    for (auto [number, input] : llvm::enumerate(inputs)) {
      if (!input->length || input->table != storage.table)
        throw NotModelled{Gap::TablesThatDiffer, range};
      for (auto [own, arriving] : llvm::zip(storage.lengthIndices, lengthIndicesOf(*input, content)))
        require(Claim::Matching, "the block has the length of what it is to hold", range,
                pool.both(inside, comesFrom(content, number)), pool.equal(pool.substitute(own, slot), arriving));
    }
  }
  // What takes the length of what it receives must be received by a rank that knows it.
  if (!storage.length && (storage.isMessage || storage.takesLength) && schedule.hasUnknownLengths()) {
    const Term inside = pool.both(guard, contains(slots.block, slots.packet));
    require(Claim::Range, "it is known what arrives", range, inside, pool.negate(content.unknown));
    for (auto [number, input] : llvm::enumerate(inputs))
      if (input->length)
        requireKnown("what it receives", input->table, lengthIndicesOf(*input, content), range,
                     pool.conjunction({inside, content.valid, comesFrom(content, number)}));
  }
  // A block of n elements must not be written with a block that has a length of its own.
  if (!storage.length && storage.buffer && !storage.isMessage && !storage.takesLength)
    for (auto [number, input] : llvm::enumerate(inputs))
      if (input->length)
        require(Claim::Matching, "the block has the length of what it is to hold", range,
                pool.conjunction({guard, contains(slots.block, slots.packet),
                                  pool.either(pool.both(content.valid, comesFrom(content, number)), content.unknown)}),
                pool.truth(false));
  TermPool::Substitution by;
  by[blockLabel.get()] = blockAt;
  by[packetLabel.get()] = packetAt;
  Term here = pool.conjunction({guard, inBlock, inPacket});
  if (packets && packets != pool.integer(1) && storage.buffer && !storage.isMessage && !storage.takesLength) {
    // Packets differ in length: the content must be the same packet of its block.
    Content arrived = substitute(content, by);
    Term packet = storage.packets != pool.integer(1) ? names.packet : storage.packet;
    require(Claim::Matching, "the block has the length of what it is to hold", range,
            pool.both(here, pool.either(arrived.valid, arrived.unknown)),
            packet ? pool.both(pool.negate(arrived.unknown), pool.equal(arrived.packet, packet)) : pool.truth(false));
  }
  if (writes)
    writes->push_back({&storage, slots, guard, substitute(content, by), heads.size()});
  storage.content = select(here, atOwnSlot(slots, substitute(content, by)), storage.content);
}

void Execution::assign(const ir::AssignStmt &stmt, Frame &frame, Term guard) {
  packetsFixed = true;
  Data data = dataOf(*stmt.value, frame, guard);
  Slots target = slotsOf(stmt.target, frame, guard);
  requireInRange(target, guard, stmt.target.range);
  if (target.storage->isMessage) // a message has no blocks before it arrives
    require(Claim::Range, "the message that is written has come", stmt.target.range,
            pool.both(guard, contains(target.block, target.packet)), read(target).valid);
  // If a received selection is assigned to another selection, their numbers often differ by the distance of the partners.
  llvm::SmallVector<Term, 4> hints;
  for (const Transfer &receive : receives)
    if (!receive.index)
      hints.push_back(pool.subtract(receive.peer, names.me));
  TermPool::Substitution by;
  by[blockLabel.get()] = pair(data.block, target.block, true, guard, hints, stmt.range, Claim::Range);
  by[packetLabel.get()] = pair(data.packet, target.packet, false, guard, hints, stmt.range, Claim::Range);
  write(target, substitute(data.content, by), guard, stmt.range);
}

} // namespace quadrille::compiler::prove
