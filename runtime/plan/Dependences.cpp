//===- Dependences.cpp - Which operations have to wait for which ----------===//

#include "Dependences.h"

#include <algorithm>
#include <array>

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

/// Whether messages of two steps have to keep their order, though no data says
/// so: a message without data tells that whatever its sender had to wait for has
/// happened, which is all that a barrier is about.
static bool keepOrder(const Operation &earlier, const Operation &later) {
  const auto isEmpty = [](const Operation &of) { return of.isMessage() && of.operandCount == 0; };
  return earlier.isReceive() && later.isSend() && (isEmpty(earlier) || isEmpty(later));
}

/// Which buffers an operation reads and writes, modulo 64: most pairs of
/// operations need no closer look.
struct Touched {
  std::uint64_t read = 0, written = 0;
};

static Touched touchedBy(const Plan &plan, const Operation &operation) {
  Touched result;
  for (std::size_t i = 0; i < operation.operandCount; ++i) {
    const Blocks &operand = plan.operands[operation.operands + i];
    const std::uint64_t bit = std::uint64_t{1}
                              << plan.divisions.bufferOf(operand.division) % 64;
    (operation.writes(i) ? result.written : result.read) |= bit;
  }
  return result;
}

void detail::findDependences(Plan &plan, bool stepByStep) {
  std::array<Touched, window> recent;
  std::size_t stepBegin = 0;
  std::uint32_t step = 0;
  for (std::size_t i = 0; i < plan.operations.size(); ++i) {
    Operation &later = plan.operations[i];
    if (later.step != 0 && later.step != step) {
      step = later.step;
      stepBegin = i;
    }
    const Touched mine = recent[i % window] = touchedBy(plan, later);
    later.waitsFor = 0;
    for (std::size_t back = 1; back < window && back <= i; ++back) {
      const Operation &earlier = plan.operations[i - back];
      const Touched &other = recent[(i - back) % window];
      const bool inOneStep = later.step != 0 && earlier.step == later.step;
      const bool mayConflict = (mine.written & (other.read | other.written)) != 0 ||
                               (mine.read & other.written) != 0;
      if ((!inOneStep && (stepByStep || keepOrder(earlier, later))) ||
          (mayConflict && conflict(plan, earlier, later)))
        later.waitsFor |= std::uint64_t{1} << (64 - back);
    }
    // Farther back than that everything has to be done: it belongs to earlier
    // steps, unless a step is that long. Its messages wait for no other of it.
    const std::size_t far = i < window ? 0 : i - window + 1;
    later.follows = static_cast<std::uint32_t>(later.isMessage() ? std::min(far, stepBegin) : far);
  }
}
