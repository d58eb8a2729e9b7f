//===- Case.cpp - Cases, limits, findings -----------------------------------------------------===//

#include "Case.h"

#include "Work.h"

namespace quadrille::compiler {

Finding tooMuchMemory(std::uint64_t ranks, std::uint64_t bytes, const Limits &limits, llvm::SMRange range) {
  constexpr std::uint64_t megabyte = std::uint64_t(1) << 20;
  // Rounded up, so that the number shown exceeds the limit shown.
  const std::uint64_t needed = bytes / megabyte + (bytes % megabyte != 0);
  return Finding{Diagnostic(range, diag::TooMuchMemory{.p = ranks, .megabytes = needed, .refused = false,
                                                       .limit = limits::caseMemory.at(limits.memoryBytes / megabyte)})};
}

Finding tooManySteps(const LimitInForce &most, llvm::SMRange range) {
  return Finding{Diagnostic(range, diag::TooManySteps{.limit = most, .what = diag::WorkloadSteps{}})};
}

void checkWork(const Limits &limits) {
  if (Work::done() > limits.maxWork)
    throw Finding{Diagnostic({}, diag::TooManySteps{.limit = limits::refutedWork, .what = diag::WorkloadWork{}})};
}

Finding tooMany(llvm::StringRef name, unsigned __int128 count, const diag::Stored &what, const LimitInForce &most, llvm::SMRange range) {
  constexpr std::uint64_t largest = std::numeric_limits<std::uint64_t>::max();
  return Finding{Diagnostic(range, diag::TooManySlots{.name = name.str(),
                                                      .count = count > largest ? largest : static_cast<std::uint64_t>(count),
                                                      .more = count > largest,
                                                      .what = what,
                                                      .limit = most})};
}

} // namespace quadrille::compiler
