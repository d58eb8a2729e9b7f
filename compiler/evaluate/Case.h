//===- Case.h - One instance of a schedule, and what ends it ---------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_EVALUATE_CASE_H
#define QUADRILLE_EVALUATE_CASE_H

#include "diagnostics/Diagnostics.h"

#include <cstdint>
#include <limits>
#include <vector>

namespace quadrille::compiler {

/// One instance of a schedule: p and the values of its numbers (parameters, then root).
struct Case {
  std::int64_t p = 1;
  std::vector<std::int64_t> numbers;
};

/// Bounds on what one run may take.
struct Limits {
  std::uint64_t memoryBytes = std::uint64_t(4) << 30;
  std::uint64_t maxSteps = std::uint64_t(100) << 20; // steps times ranks in simulation, else rounds
  std::uint64_t maxRounds = std::numeric_limits<std::uint64_t>::max(); // where these are to be fewer
  std::uint64_t maxRuns = std::numeric_limits<std::uint64_t>::max();   // of products that are put together (Values.h), where products may double
};

/// The first thing found wrong in a case; ends its run.
struct Finding {
  Diagnostic diagnostic;
};

/// What is reported where a case takes more than `Limits` allow, or than can be told apart.
inline bool isLimit(diag::Id id) {
  return id == diag::Id::TooMuchMemory || id == diag::Id::TooManySlots || id == diag::Id::TooManySteps;
}

/// Says that a case with `ranks` ranks needs so many bytes, more than its limit.
Finding tooMuchMemory(std::uint64_t ranks, std::uint64_t bytes, const Limits &limits, llvm::SMRange range = {});

/// Says that a case takes more steps than --max-steps.
Finding tooManySteps(std::uint64_t most, llvm::SMRange range = {});

/// Says that there are more of something than numbers of 32 bits tell apart.
Finding tooMany(llvm::StringRef name, unsigned __int128 count, llvm::StringRef what, std::uint64_t most, llvm::SMRange range);

} // namespace quadrille::compiler

#endif // QUADRILLE_EVALUATE_CASE_H
