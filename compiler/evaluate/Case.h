//===- Case.h - Cases, limits, findings ---------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_EVALUATE_CASE_H
#define QUADRILLE_EVALUATE_CASE_H

#include "NodeMap.h"

#include "diagnostics/Diagnostics.h"
#include "limits/Limits.h"

#include <cstdint>
#include <limits>
#include <vector>

namespace quadrille::compiler {

/// One instance of a schedule: p, the values of its numbers (parameters, then root), and the map from ranks to nodes.
struct Case {
  std::int64_t p = 1;
  std::vector<std::int64_t> numbers;
  Nodes nodes = nullptr; // null: NodeMap::usual, if the schedule asks for it
};

/// Limits on memory and work of one run.
struct Limits {
  std::uint64_t memoryBytes = limits::caseMemory << 20;
  std::uint64_t maxSteps = limits::caseSteps; // in the simulation: sum of the steps of all ranks; in lockstep: rounds
  std::uint64_t maxWork = std::numeric_limits<std::uint64_t>::max();   // the largest Work::done() of the thread, which counts from its start
};

/// Thrown for the first error in a case. It ends the run.
struct Finding {
  Diagnostic diagnostic;
};

/// Whether the diagnostic means that a case exceeds `Limits`, or has too many slots or blocks to number.
inline bool isLimit(diag::Id id) {
  return id == diag::Id::TooMuchMemory || id == diag::Id::TooManySlots || id == diag::Id::TooManySteps;
}

/// The finding that a case with `ranks` ranks needs `bytes`, more than its limit.
Finding tooMuchMemory(std::uint64_t ranks, std::uint64_t bytes, const Limits &limits, llvm::SMRange range = {});

/// The finding that a case takes more steps than `most` (--max-steps).
Finding tooManySteps(const LimitInForce &most, llvm::SMRange range = {});

/// Throws a Finding if the thread has done more work than the limits allow. To be called where work grows faster than rounds and
/// messages: products, whose size may double per step, and stated invariants.
void checkWork(const Limits &limits);

/// The finding that `name` has `count` of `what` (blocks, slots, ...), which is more than `most`.
Finding tooMany(llvm::StringRef name, unsigned __int128 count, const diag::Stored &what, const LimitInForce &most, llvm::SMRange range);

} // namespace quadrille::compiler

#endif // QUADRILLE_EVALUATE_CASE_H
