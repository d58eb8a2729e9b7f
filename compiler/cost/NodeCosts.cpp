//===- NodeCosts.cpp - What a run costs inside nodes, and between them --------------------------------------------===//

#include "NodeCosts.h"

#include <algorithm>

namespace quadrille::compiler {

void NodeMeter::onRound(const Round &round, const Machine &machine) {
  const size_t samples = machine.sampleCount();
  std::int64_t longestInside = 0, longestBetween = 0;
  bool isBetween = false;
  for (size_t i = 0; i < round.transfers.size(); ++i) {
    const std::int64_t words = round.words[i * samples + std::min(sample, samples - 1)];
    const bool crosses = nodes->nodeOf[round.transfers[i].source] != nodes->nodeOf[round.transfers[i].destination];
    std::int64_t &longest = crosses ? longestBetween : longestInside;
    longest = std::max(longest, words);
    isBetween |= crosses;
    found.messages += 1;
    found.words += words;
    found.messagesBetween += crosses;
    found.wordsBetween += crosses ? words : 0;
  }
  Cost &cost = isBetween ? found.between : found.inside;
  cost.a += 1;
  cost.b += isBetween ? longestBetween : longestInside;
}

} // namespace quadrille::compiler
