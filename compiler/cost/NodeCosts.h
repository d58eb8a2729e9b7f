//===- NodeCosts.h - What a run costs inside nodes, and between them -------------------------------------------------*- C++ -*-===//
//
// With two startups and two times per word, a round with messages between nodes lasts as long as the longest of those messages, for they
// are the slower ones. Any other round lasts as long as its longest message.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_COST_NODECOSTS_H
#define QUADRILLE_COST_NODECOSTS_H

#include "Meter.h"

namespace quadrille::compiler {

/// Startups and words of a run, once for the rounds with messages between nodes and once for the others, and how many messages there are.
struct NodeCost {
  Cost between, inside;
  std::int64_t messagesBetween = 0, messages = 0;
  std::int64_t wordsBetween = 0, words = 0; // of all messages together
};

/// Counts for the sample of lengths with this index.
class NodeMeter : public RunObserver {
public:
  NodeMeter(Nodes nodes, size_t sample) : nodes(std::move(nodes)), sample(sample) {}

  void onRound(const Round &round, const Machine &machine) override;
  void onRestart() override { found = {}; }
  const NodeCost &result() const { return found; }

private:
  const Nodes nodes;
  const size_t sample;
  NodeCost found;
};

} // namespace quadrille::compiler

#endif // QUADRILLE_COST_NODECOSTS_H
