//===- Case.h - Cases, limits, findings ---------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_EVALUATE_CASE_H
#define QUADRILLE_EVALUATE_CASE_H

#include "diagnostics/Diagnostics.h"
#include "limits/Limits.h"

#include <cstdint>
#include <limits>
#include <vector>

namespace quadrille::compiler {

/// One instance of a schedule: p and the values of its numbers (parameters, then root).
struct Case {
  std::int64_t p = 1;
  std::vector<std::int64_t> numbers;
};

/// Limits on memory and work of one run.
struct Limits {
  std::uint64_t memoryBytes = limits::caseMemory << 20;
  std::uint64_t maxSteps = limits::caseSteps; // in the simulation: sum of the steps of all ranks; in lockstep: rounds
  std::uint64_t maxRounds = std::numeric_limits<std::uint64_t>::max(); // an additional limit on rounds
  std::uint64_t maxRuns = std::numeric_limits<std::uint64_t>::max();   // runs in products (Values.h), whose size may double per step
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

/// The finding that there are more of something than 32-bit numbers.
Finding tooMany(llvm::StringRef name, unsigned __int128 count, llvm::StringRef what, const LimitInForce &most, llvm::SMRange range);

} // namespace quadrille::compiler

#endif // QUADRILLE_EVALUATE_CASE_H
