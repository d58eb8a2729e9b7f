//===- Dependences.cpp - Which operations have to wait for which ----------===//

#include "Dependences.h"

#include <algorithm>
#include <array>
#include <vector>

using namespace quadrille;
using namespace quadrille::detail;

bool detail::conflict(const Plan &plan, const Operation &earlier, const Operation &later) {
  for (std::size_t i = 0; i < earlier.operandCount; ++i)
    for (std::size_t j = 0; j < later.operandCount; ++j)
      if ((earlier.writes(i) || later.writes(j)) &&
          plan.divisions.mayOverlap(plan.operands[earlier.operands + i],
                                    plan.operands[later.operands + j]))
        return true;
  return false;
}

namespace {

/// A summary of an operation, which suffices to see that most pairs do not
/// conflict.
struct Outline {
  std::uint64_t read = 0, written = 0; ///< its memory, as bits of Sketch
  std::uint32_t step = 0;
  bool isSend = false, isReceive = false, isEmpty = false;
};

/// Whether two operations of different steps have to keep their order although
/// they do not conflict. A message without data signals that all has happened
/// for which its sender had to wait, as barriers need.
bool keepOrder(const Outline &earlier, const Outline &later, Order order) {
  return order == Order::Steps || (earlier.isReceive && later.isSend &&
                                   (order == Order::Messages || earlier.isEmpty || later.isEmpty));
}

/// Represents the memory of operands in 64 bits. Operands that overlap have a
/// bit in common.
class Sketch {
public:
  explicit Sketch(const Plan &plan) : plan_(plan), divisionOf_(plan.buffers.size(), none) {
    for (const Operation &operation : plan.operations)
      for (std::size_t i = 0; i < operation.operandCount; ++i) {
        const Divisions::Id division = plan.operands[operation.operands + i].division;
        Divisions::Id &known = divisionOf_[plan.divisions.bufferOf(division)];
        known = known == none || known == division ? division : several;
      }
  }

  Outline of(const Operation &operation) const {
    Outline result;
    result.step = operation.step;
    result.isSend = operation.isSend();
    result.isReceive = operation.isReceive();
    result.isEmpty = operation.isMessage() && operation.operandCount == 0;
    for (std::size_t i = 0; i < operation.operandCount; ++i)
      (operation.writes(i) ? result.written : result.read) |= bits(plan_.operands[operation.operands + i]);
    return result;
  }

private:
  static constexpr Divisions::Id none = 0, several = ~Divisions::Id{0};

  /// A bit for each block, if the buffer is divided in one way only; else one
  /// bit for the buffer.
  std::uint64_t bits(const Blocks &operand) const {
    constexpr std::int32_t most = 64;
    const std::uint32_t buffer = plan_.divisions.bufferOf(operand.division);
    if (divisionOf_[buffer] == several)
      return std::uint64_t{1} << buffer % 64;
    BlockRange one{};
    std::size_t count = 0;
    const BlockRange *ranges = plan_.divisions.ranges(operand, one, count);
    std::uint64_t result = 0;
    for (std::size_t i = 0; i < count; ++i) {
      if (ranges[i].len >= most)
        return ~std::uint64_t{0};
      for (std::int32_t j = 0; j < ranges[i].len; ++j)
        result |= std::uint64_t{1} << (static_cast<std::uint32_t>(ranges[i].lo + j) + 7 * buffer) % 64;
    }
    return result;
  }

  const Plan &plan_;
  std::vector<Divisions::Id> divisionOf_; ///< by buffer: that of all operands
};

} // namespace

void detail::findDependences(Plan &plan, Order order) {
  const Sketch sketch(plan);
  std::array<Outline, window> recent;
  std::size_t stepBegin = 0;
  std::uint32_t step = 0;
  for (std::size_t i = 0; i < plan.operations.size(); ++i) {
    Operation &later = plan.operations[i];
    if (later.step != 0 && later.step != step) {
      step = later.step;
      stepBegin = i;
    }
    const Outline mine = recent[i % window] = sketch.of(later);
    later.waitsFor = 0;
    for (std::size_t back = 1; back < window && back <= i; ++back) {
      const Outline &other = recent[(i - back) % window];
      // Operands of messages of one step lie apart, though divisions do not
      // always show it.
      if (later.isMessage() && mine.step != 0 && other.step == mine.step)
        continue;
      const bool mayConflict = (mine.written & (other.read | other.written)) != 0 ||
                               (mine.read & other.written) != 0;
      if (keepOrder(other, mine, order) ||
          (mayConflict && conflict(plan, plan.operations[i - back], later)))
        later.waitsFor |= std::uint64_t{1} << (64 - back);
    }
    // All operations farther back than the window have to be done. They belong
    // to earlier steps, unless a step is longer than the window: its messages
    // only wait for those before the step.
    const std::size_t far = i < window ? 0 : i - window + 1;
    later.follows = static_cast<std::uint32_t>(later.lockstep      ? stepBegin
                                               : later.isMessage() ? std::min(far, stepBegin)
                                                                   : far);
  }
}
