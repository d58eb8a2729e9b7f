//===- Fragment.cpp - One step, in numbers --------------------------------===//

#include "Fragment.h"

using namespace quadrille;
using namespace quadrille::detail;

void Fragment::reset(Index size) {
  for (const Operation &operation : operations_) {
    const std::size_t partner = static_cast<std::size_t>(operation.partner);
    if (operation.isMessage() && partner < sent_.size())
      sent_[partner] = received_[partner] = 0;
  }
  operations_.clear();
  operands_.clear();
  pieces_.clear();
  bases_.clear();
  results_.clear();
  sent_.resize(static_cast<std::size_t>(size), 0);
  received_.resize(static_cast<std::size_t>(size), 0);
}

std::uint32_t Fragment::add(const Region &region) {
  Operand operand;
  operand.buffer = static_cast<std::uint32_t>(bases_.size());
  operand.elements = region.elements();
  const std::size_t first = pieces_.size();
  std::byte *base = nullptr;
  for (const Segment &segment : region.segments()) {
    if (!base)
      base = segment.data;
    // Distances between segments of one region are multiples of an element.
    const Index bytes = region.elementBytes();
    pieces_.push_back({bytes == 0 ? 0 : (segment.data - base) / bytes, segment.elements});
  }
  const std::size_t count = pieces_.size() - first;
  if (count <= 1) {
    pieces_.resize(first);
  } else {
    operand.pieces = static_cast<std::uint32_t>(first) + 1;
    operand.offset = static_cast<Index>(count);
  }
  bases_.push_back(base);
  operands_.push_back(operand);
  return static_cast<std::uint32_t>(operands_.size()) - 1;
}

Operation &Fragment::append(Operation::Kind kind, Index rank, int line, const Region *region) {
  Operation made{};
  made.kind = kind;
  made.partner = static_cast<std::int32_t>(rank);
  made.line = line;
  auto &counts = made.isSend() ? sent_ : received_;
  made.message = counts[static_cast<std::size_t>(rank)]++;
  if (region) {
    made.operands = add(*region);
    made.operandCount = 1;
  }
  operations_.push_back(made);
  return operations_.back();
}

void Fragment::send(const Region *what, Index rank, int line) {
  append(Operation::Kind::Send, rank, line, what);
}

void Fragment::receive(const Region *into, Index rank, int line) {
  append(Operation::Kind::Receive, rank, line, into);
}

void Fragment::receiveUpTo(const Region &room, Index rank, int line, Index *received,
                           Region *arrived) {
  append(Operation::Kind::ReceiveUpTo, rank, line, &room).slot =
      static_cast<std::uint32_t>(results_.size());
  results_.push_back({room, received, arrived});
}

void Fragment::receiveCombine(const Region &dst, Index rank, Side side, int line) {
  Operation &made = append(Operation::Kind::ReceiveCombine, rank, line, &dst);
  made.side = side;
  operands_.push_back(operands_.back());
  made.operandCount = 2;
}

void Fragment::receiveAndCombine(const Region &dst, const Region &room, Index rank, Side side,
                                 int line) {
  Operation combine{};
  combine.kind = Operation::Kind::Combine;
  combine.line = line;
  append(Operation::Kind::Receive, rank, line, &room);
  const Operand incoming = operands_.back();
  combine.operands = add(dst);
  combine.operandCount = 3;
  const Operand own = operands_.back();
  operands_.push_back(side == Side::Left ? incoming : own);
  operands_.push_back(side == Side::Left ? own : incoming);
  combine.waitsFor = std::uint64_t{1} << 63; // the receive, one before
  operations_.push_back(combine);
}

void Fragment::deliver(const std::vector<Index> &arrived) const {
  for (std::size_t i = 0; i < results_.size(); ++i) {
    const Result &result = results_[i];
    if (result.received)
      *result.received = arrived[i];
    if (result.arrived)
      *result.arrived = result.room.beginning(arrived[i]);
  }
}
