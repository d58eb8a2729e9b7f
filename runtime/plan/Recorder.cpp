//===- Recorder.cpp - Writes down what a rank does in a call --------------===//

#include "Recorder.h"

#include "Dependences.h"

#include "quadrille/math.h"

#include <algorithm>
#include <functional>
#include <new>

using namespace quadrille;
using namespace quadrille::detail;

void Recorder::begin(Index size) {
  plan_ = std::make_unique<Plan>();
  arguments.resize(noted_);
  knownArguments_ = noted_;
  bufferOfArgument_.assign(knownArguments_, 0);
  spans_.clear();
  step_ = 0;
  sent_.assign(static_cast<std::size_t>(size), 0);
  received_.assign(static_cast<std::size_t>(size), 0);
  for (const Argument &argument : arguments) {
    if (argument.n >= 0 && n_ < 0)
      n_ = argument.n;
    exact_ |= argument.n >= 0 && argument.n != n_;
  }
  recording_ = true;
}

std::unique_ptr<Plan> Recorder::end() {
  recording_ = false;
  return std::move(plan_);
}

/// Puts the sends of each step before its receives: all of them are under way at once,
/// and who carries them out one after the other is not kept by a receive from sending
/// what others wait for.
static void putSendsFirst(std::vector<Operation> &operations) {
  for (auto begin = operations.begin(); begin != operations.end();) {
    const std::uint32_t step = begin->step;
    const auto end = std::find_if(begin, operations.end(), [&](const Operation &operation) { return operation.step != step; });
    if (step != 0)
      std::stable_partition(begin, end, [](const Operation &operation) { return operation.isSend(); });
    begin = end;
  }
}

std::unique_ptr<Plan> Recorder::finish(bool combinesOnArrival) {
  if (stepByStep_)
    fates_.assign(plan_->operations.size(), Fate::Kept);
  else
    removeSuperfluous(*plan_, combinesOnArrival, fates_);
  putSendsFirst(plan_->operations);
  findDependences(*plan_, stepByStep_ ? Order::Steps : keepsOrder_ ? Order::Messages : Order::Data);
  return end();
}

//===----------------------------------------------------------------------===//
// Regions
//===----------------------------------------------------------------------===//

std::uint32_t Recorder::newBuffer(std::uint32_t argument) {
  PlanBuffer buffer;
  buffer.argument = argument;
  plan_->buffers.push_back(buffer);
  spans_.emplace_back();
  return static_cast<std::uint32_t>(plan_->buffers.size()) - 1;
}

/// The number of the argument with exactly this memory and shape; adds one if
/// there is none.
std::uint32_t Recorder::argumentAt(void *data, Index blocks, Index n, Index elements,
                                   const Index *offsets) {
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i].data != data || arguments[i].blocks != blocks || arguments[i].n != n ||
        arguments[i].elements != elements)
      continue;
    // Other arguments may be the same memory with other offsets.
    const std::uint32_t buffer = bufferOfArgument_[i];
    if (!offsets || buffer == 0 ||
        plan_->divisions.areOffsets(plan_->buffers[buffer - 1].division, offsets))
      return static_cast<std::uint32_t>(i);
  }
  // The argument was not checked before. If it is used, the plan holds for this
  // call only.
  arguments.push_back({static_cast<std::byte *>(data), blocks, n, elements});
  bufferOfArgument_.push_back(0);
  return static_cast<std::uint32_t>(arguments.size()) - 1;
}

void Recorder::attach(Region &region, Divisions::Id division) {
  region.divisions_ = &plan_->divisions;
  region.layout_.division = division;
  own(region);
}

/// Stores the memory of a buffer, given the region that is all of it.
void Recorder::own(const Region &region) {
  const std::uint32_t buffer = plan_->divisions.bufferOf(region.layout_.division);
  plan_->buffers[buffer].division = region.layout_.division;
  if (!region.base_)
    return;
  Span &span = spans_[buffer];
  const Index last = region.spanElements() * region.elementBytes_;
  span.begin = region.base_;
  span.end = region.base_ + maximum(last, 0);
  span.elementBytes = region.elementBytes_;
  // Arguments that were not checked before may overlap in any way: then all
  // steps keep their order.
  for (std::size_t i = 0; i < spans_.size(); ++i)
    stepByStep_ |= i != buffer && std::less<>()(span.begin, spans_[i].end) &&
                   std::less<>()(spans_[i].begin, span.end) &&
                   plan_->buffers[i].argument != PlanBuffer::temporary &&
                   plan_->buffers[buffer].argument != PlanBuffer::temporary;
}

void Recorder::attachUniform(Region &region, void *data, Index blocks, Index n) {
  if (n_ < 0)
    n_ = n;
  const std::uint32_t argument = argumentAt(data, blocks, n, blocks * n, nullptr);
  if (bufferOfArgument_[argument] == 0) {
    const std::uint32_t buffer = newBuffer(argument);
    bufferOfArgument_[argument] = buffer + 1;
    exact_ |= n != n_;
    Divisions &divisions = plan_->divisions;
    plan_->buffers[buffer].division = divisions.uniform(
        buffer, blocks, n == n_ ? Divisions::callLength : divisions.fixed(n));
  }
  attach(region, plan_->buffers[bufferOfArgument_[argument] - 1].division);
}

void Recorder::attachUneven(Region &region, void *data, Index blocks, const Index *offsets) {
  const std::uint32_t argument = argumentAt(data, blocks, -1, offsets[blocks], offsets);
  if (bufferOfArgument_[argument] == 0) {
    const std::uint32_t buffer = newBuffer(argument);
    bufferOfArgument_[argument] = buffer + 1;
    plan_->buffers[buffer].division = plan_->divisions.uneven(buffer, blocks, offsets);
  }
  attach(region, plan_->buffers[bufferOfArgument_[argument] - 1].division);
}

void Recorder::attachTemporary(Region &region, Index count, Index n) {
  exact_ = true;
  const std::uint32_t buffer = newBuffer(PlanBuffer::temporary);
  attach(region, plan_->divisions.uniform(buffer, count, plan_->divisions.fixed(n)));
}

void Recorder::attachTemporaryOf(Region &region, Index count, const Index *offsets) {
  const std::uint32_t buffer = newBuffer(PlanBuffer::temporary);
  attach(region, plan_->divisions.uneven(buffer, count, offsets));
}

void Recorder::attachTemporaryLike(Region &region, const Region &shape) {
  const std::uint32_t buffer = newBuffer(PlanBuffer::temporary);
  Divisions::Id division =
      shape.divisions_ == &plan_->divisions ? plan_->divisions.shapeOf(buffer, shape) : 0;
  if (division == 0) {
    // The shape has no division, or its length arrives with a message.
    exact_ = true;
    division = plan_->divisions.uniform(buffer, 1, plan_->divisions.fixed(shape.elements()));
  }
  attach(region, division);
}

void Recorder::attachTemporaryBlocks(Region &region, const Region &like, Index count) {
  const std::uint32_t buffer = newBuffer(PlanBuffer::temporary);
  Divisions &divisions = plan_->divisions;
  Divisions::LengthId length = 0;
  if (like.divisions_ != &divisions || like.layout_.division == 0 || like.layout_.offsets ||
      like.count_ == 0) {
    exact_ |= !like.layout_.offsets;
    length = divisions.fixed(like.longest());
  } else {
    // The first packets of a block are the longest.
    Index lowest = like.range(0).lo;
    for (std::size_t i = 1; i < like.rangeCount_; ++i)
      lowest = minimum(lowest, like.range(i).lo);
    length = divisions.ofBlock(like.layout_.division, lowest);
  }
  attach(region, divisions.uniform(buffer, count, length));
}

void Recorder::name(const Region &region, const char *name) {
  if (region.layout_.division != 0)
    plan_->buffers[plan_->divisions.bufferOf(region.layout_.division)].name = name;
}

/// The relation of two arguments that were checked before, from the key.
Relation Recorder::relation(std::size_t i, std::size_t j) const {
  if (i == j)
    return Relation::Same;
  if (i < j)
    std::swap(i, j);
  return static_cast<Relation>(key[i * (i - 1) / 2 + j]);
}

bool Recorder::isKnown(const Region &region) const {
  if (region.layout_.division == 0)
    return false;
  const std::uint32_t buffer = plan_->divisions.bufferOf(region.layout_.division);
  const std::uint32_t argument = plan_->buffers[buffer].argument;
  return argument == PlanBuffer::temporary || argument < knownArguments_;
}

bool Recorder::mayOverlap(const Region &a, const Region &b) const {
  const std::uint32_t i = plan_->divisions.bufferOf(a.layout_.division);
  const std::uint32_t j = plan_->divisions.bufferOf(b.layout_.division);
  const std::uint32_t of = plan_->buffers[i].argument, with = plan_->buffers[j].argument;
  if (of == PlanBuffer::temporary || with == PlanBuffer::temporary)
    return i == j;
  return relation(of, with) != Relation::Apart;
}

bool Recorder::overlapsAnother(const void *data, Index blocks, Index n) const {
  // Equal arguments are one buffer of the plan, so look at the relations of all
  // of them.
  for (std::size_t i = 0; i < knownArguments_; ++i)
    if (arguments[i].data == data && arguments[i].blocks == blocks && arguments[i].n == n)
      for (std::size_t j = 0; j < knownArguments_; ++j)
        if (relation(i, j) == Relation::Overlapping)
          return true;
  return false;
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

Blocks Recorder::operandOf(const Region &region) {
  Blocks blocks = plan_->divisions.blocksOf(region);
  if (blocks.division == 0) {
    // The region has no division: use its address.
    const auto segments = region.segments();
    const auto first = segments.begin();
    if (first != segments.end() && first->elements != region.elements())
      throw std::bad_alloc(); // see Region::uniform: no such region has gaps
    blocks = pieceAt(first != segments.end() ? first->data : nullptr, region.elements());
  }
  const std::uint32_t buffer = plan_->divisions.bufferOf(blocks.division);
  const std::uint32_t argument = plan_->buffers[buffer].argument;
  singular_ |= argument != PlanBuffer::temporary && argument >= knownArguments_;
  return blocks;
}

/// The blocks for elements at an address, for this call's n only.
Blocks Recorder::pieceAt(std::byte *data, Index elements) {
  exact_ = true;
  Divisions &divisions = plan_->divisions;
  // Search the latest buffers first: the memory of earlier temporaries may have
  // been reused.
  for (std::size_t i = spans_.size(); i-- > 0;) {
    const Span &span = spans_[i];
    if (!span.begin || std::less<>()(data, span.begin) || !std::less<>()(data, span.end))
      continue;
    return divisions.piece(plan_->buffers[i].division,
                           span.elementBytes == 0 ? 0 : (data - span.begin) / span.elementBytes,
                           divisions.fixed(elements));
  }
  singular_ = true;
  arguments.push_back({data, 1, elements, elements});
  bufferOfArgument_.push_back(0);
  const std::uint32_t buffer = newBuffer(static_cast<std::uint32_t>(arguments.size()) - 1);
  const Divisions::Id made = divisions.uniform(buffer, 1, divisions.fixed(elements));
  plan_->buffers[buffer].division = made;
  return divisions.whole(made);
}

/// A new temporary as large as `blocks`.
Blocks Recorder::temporaryFor(const Blocks &blocks) {
  Divisions &divisions = plan_->divisions;
  const std::uint32_t buffer = newBuffer(PlanBuffer::temporary);
  const Divisions::Id made = divisions.uniform(buffer, 1, divisions.most(blocks));
  plan_->buffers[buffer].division = made;
  return divisions.isKnown(blocks) ? divisions.whole(made)
                                   : divisions.piece(made, 0, divisions.sum(blocks));
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

void Recorder::copy(const Region &dst, const Region &src) {
  const Blocks to = operandOf(dst);
  copy(to, operandOf(src));
}

void Recorder::copy(const Blocks &dst, const Blocks &src) {
  const Divisions &divisions = plan_->divisions;
  if (divisions.areSame(dst, src))
    return;
  if (divisions.mayOverlap(dst, src)) {
    const Blocks between = temporaryFor(src);
    append(Operation::Kind::Copy, {between, src});
    append(Operation::Kind::Copy, {dst, between});
    return;
  }
  append(Operation::Kind::Copy, {dst, src});
}

void Recorder::combine(const Region &dst, const Region &a, const Region &b) {
  const Blocks to = operandOf(dst);
  const Blocks left = operandOf(a);
  combine(to, left, operandOf(b));
}

/// Records a combination. An operand that overlaps the target in part is copied
/// to a temporary first.
void Recorder::combine(const Blocks &dst, Blocks a, Blocks b) {
  const Divisions &divisions = plan_->divisions;
  for (Blocks *from : {&a, &b}) {
    if (divisions.areSame(dst, *from) || !divisions.mayOverlap(dst, *from))
      continue;
    const Blocks kept = temporaryFor(*from);
    append(Operation::Kind::Copy, {kept, *from});
    *from = kept;
  }
  append(Operation::Kind::Combine, {dst, a, b});
}

void Recorder::copyAt(std::byte *dst, std::byte *src, Index elements) {
  const Blocks to = pieceAt(dst, elements);
  copy(to, pieceAt(src, elements));
}

void Recorder::combineAt(std::byte *dst, std::byte *a, std::byte *b, Index elements) {
  const Blocks to = pieceAt(dst, elements);
  const Blocks left = pieceAt(a, elements);
  const Blocks right = pieceAt(b, elements);
  // Equal addresses must become equal blocks.
  combine(to, dst == a ? to : left, dst == b ? to : right);
}

void Recorder::beginStep(bool lockstep) {
  ++step_;
  lockstep_ = lockstep;
}

void Recorder::send(const Region *what, Index rank, int line) {
  if (what)
    appendMessage(Operation::Kind::Send, {operandOf(*what)}, rank, line);
  else
    appendMessage(Operation::Kind::Send, {}, rank, line);
}

void Recorder::receive(const Region *into, Index rank, int line) {
  if (into)
    appendMessage(Operation::Kind::Receive, {operandOf(*into)}, rank, line);
  else
    appendMessage(Operation::Kind::Receive, {}, rank, line);
}

void Recorder::receiveUpTo(const Region &room, Index rank, int line, Region *arrived) {
  Operation &made =
      appendMessage(Operation::Kind::ReceiveUpTo, {operandOf(room)}, rank, line);
  made.slot = plan_->slots++;
  if (arrived) {
    // While recording, its numbers say that all of the room is filled.
    *arrived = room.beginning(room.elements());
    plan_->divisions.arrivedOf(room, made.slot, *arrived);
  }
}

void Recorder::receiveCombine(const Region &dst, Index rank, Side side, int line,
                              bool throughMemory) {
  const Blocks blocks = operandOf(dst);
  if (throughMemory) {
    const Blocks incoming = temporaryFor(blocks);
    appendMessage(Operation::Kind::Receive, {incoming}, rank, line);
    Operation &made = side == Side::Left ? append(Operation::Kind::Combine, {blocks, incoming, blocks})
                                         : append(Operation::Kind::Combine, {blocks, blocks, incoming});
    made.line = line;
    made.step = step_;
    return;
  }
  appendMessage(Operation::Kind::ReceiveCombine, {blocks, blocks}, rank, line).side = side;
}

Operation &Recorder::appendMessage(Operation::Kind kind,
                                   std::initializer_list<Blocks> operands, Index rank,
                                   int line) {
  Operation &made = append(kind, operands);
  auto &counts = made.isSend() ? sent_ : received_;
  made.partner = static_cast<std::int32_t>(rank);
  made.message = counts[static_cast<std::size_t>(rank)]++;
  made.line = line;
  made.step = step_;
  made.lockstep = lockstep_;
  return made;
}

Operation &Recorder::append(Operation::Kind kind, std::initializer_list<Blocks> operands) {
  Operation made{};
  made.kind = kind;
  made.operandCount = static_cast<std::uint8_t>(operands.size());
  made.operands = static_cast<std::uint32_t>(plan_->operands.size());
  plan_->operands.insert(plan_->operands.end(), operands.begin(), operands.end());
  plan_->operations.push_back(made);
  return plan_->operations.back();
}
