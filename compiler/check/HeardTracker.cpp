//===- HeardTracker.cpp - Who has heard of whom ---------------------------------------------------------------------------------===//

#include "HeardTracker.h"

namespace quadrille::compiler {

HeardTracker::HeardTracker(std::uint32_t ranks, const Limits &limits)
    : ranks(ranks), words((std::size_t(ranks) + 63) / 64), changed(ranks, 0) {
  std::uint64_t bytes = std::uint64_t(ranks) * words * 16;
  if (bytes > limits.memoryBytes)
    throw tooMuchMemory(ranks, bytes, limits);
  known.assign(std::size_t(ranks) * words, 0);
  for (std::uint32_t r = 0; r < ranks; ++r)
    known[r * words + r / 64] |= std::uint64_t(1) << (r % 64);
  hearing = known;
}

void HeardTracker::onRound(const Round &round, const Machine &) {
  for (const Transfer &transfer : round.transfers) {
    const std::uint64_t *from = &known[transfer.source * words];
    std::uint64_t *to = &hearing[transfer.destination * words];
    for (size_t w = 0; w < words; ++w)
      to[w] |= from[w];
    changed[transfer.destination] = 1;
  }
}

void HeardTracker::onStepEnd(std::uint32_t first, std::uint32_t count) {
  for (std::uint32_t rank = first; rank < first + count; ++rank) {
    if (!changed[rank])
      continue;
    changed[rank] = 0;
    std::copy_n(hearing.begin() + static_cast<std::ptrdiff_t>(rank * words), words,
                known.begin() + static_cast<std::ptrdiff_t>(rank * words));
  }
}

void HeardTracker::check(const ir::Promise &promise) const {
  for (std::uint32_t i = 0; i < ranks; ++i)
    for (std::uint32_t j = 0; j < ranks; ++j)
      if (!hasHeard(i, j)) {
        Diagnostic diagnostic({}, diag::NotHeard{.rank = i, .of = j});
        diagnostic.note(promise.range, diag::PromisedHere{});
        throw Finding{std::move(diagnostic)};
      }
}

} // namespace quadrille::compiler
