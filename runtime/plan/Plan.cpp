//===- Plan.cpp - What one rank does in a call, for every n ---------------===//

#include "Plan.h"

#include "quadrille/math.h"

using namespace quadrille;
using namespace quadrille::detail;

/// Converts an Index for printf's %lld, since Index need not be long long.
static long long number(Index i) { return i; }

std::size_t Plan::bytes() const {
  std::size_t sum = sizeof *this + divisions.bytes() +
                    operations.capacity() * sizeof(Operation) +
                    operands.capacity() * sizeof(Blocks) +
                    buffers.capacity() * sizeof(PlanBuffer);
  for (const auto &bound : bound_)
    sum += sizeof *bound + bound->operands.capacity() * sizeof(Operand) +
           bound->pieces.capacity() * sizeof(Piece) +
           bound->temporaries.capacity() * sizeof(Index);
  return sum;
}

BoundPlan &Plan::bindSlowly(Index n, const char *name, Index rank) {
  for (const auto &known : bound_)
    if (known->n == n)
      return *(latest_ = known.get());
  auto made = std::make_unique<BoundPlan>();
  made->n = n;
  const Numbers numbers(divisions, n);
  bindOperands(*made, numbers);
  made->temporaries.resize(buffers.size(), 0);
  // Temporaries that only removed operations used need no memory.
  std::vector<bool> isUsed(buffers.size(), false);
  for (const Operation &operation : operations)
    for (std::size_t i = 0; i < operation.operandCount; ++i)
      isUsed[made->operands[operation.operands + i].buffer] = true;
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    if (buffers[i].argument != PlanBuffer::temporary || !isUsed[i])
      continue;
    made->temporaries[i] = made->temporaryElements;
    made->temporaryElements += numbers.elements(divisions.whole(buffers[i].division));
  }
  made->failure = check(*made, name, rank);
  latest_ = made.get();
  for (std::size_t tried = 0; bound_.size() >= keptLengths && tried < bound_.size(); ++tried) {
    std::unique_ptr<BoundPlan> &old = bound_[oldest_++ % bound_.size()];
    if (old->users > 0)
      continue;
    old = std::move(made);
    return *latest_;
  }
  bound_.push_back(std::move(made));
  return *latest_;
}

void Plan::bindOperands(BoundPlan &bound, const Numbers &numbers) const {
  bound.operands.reserve(operands.size());
  for (const Blocks &blocks : operands) {
    Operand result;
    result.buffer = divisions.bufferOf(blocks.division);
    result.elements = numbers.elements(blocks);
    BlockRange one{};
    std::size_t count = 0;
    const BlockRange *ranges = divisions.ranges(blocks, one, count);
    const std::size_t first = bound.pieces.size();
    for (std::size_t i = 0; i < count; ++i) {
      const Index begin = numbers.offset(blocks.division, ranges[i].lo);
      const Index end = numbers.offset(blocks.division, ranges[i].lo + ranges[i].len);
      if (begin == end && result.elements >= 0)
        continue;
      // Join ranges that are adjacent in memory. Ranges that are not adjacent
      // by number are if the blocks between them are empty.
      if (bound.pieces.size() > first &&
          bound.pieces.back().offset + bound.pieces.back().elements == begin)
        bound.pieces.back().elements += end - begin;
      else
        bound.pieces.push_back({begin, end - begin});
    }
    const std::size_t pieces = bound.pieces.size() - first;
    if (pieces <= 1) {
      result.offset = pieces == 1 ? bound.pieces.back().offset : 0;
      bound.pieces.resize(first);
    } else {
      result.pieces = static_cast<std::uint32_t>(first) + 1;
      result.offset = static_cast<Index>(pieces);
    }
    bound.operands.push_back(result);
  }
}

/// Checks that lengths which have to agree do, as far as they are known before
/// the call.
Status Plan::check(const BoundPlan &bound, const char *name, Index rank) const {
  for (const Operation &operation : operations) {
    const auto elements = [&](std::size_t i) {
      return bound.operands[operation.operands + i].elements;
    };
    const auto differ = [](Index a, Index b) { return a >= 0 && b >= 0 && a != b; };
    if (operation.kind == Operation::Kind::Copy && differ(elements(0), elements(1)))
      return Status::format(ErrorCode::Transport, "%s: rank %lld copies %lld elements to %lld",
                            name, number(rank), number(elements(1)), number(elements(0)));
    if (operation.kind == Operation::Kind::Combine &&
        (differ(elements(0), elements(1)) || differ(elements(0), elements(2))))
      return Status::format(ErrorCode::Transport,
                            "%s: rank %lld combines %lld and %lld elements into %lld", name,
                            number(rank), number(elements(1)), number(elements(2)),
                            number(elements(0)));
  }
  return {};
}
