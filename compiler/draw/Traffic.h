//===- Traffic.h - Who sends how much to whom, and along which tree -------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_DRAW_TRAFFIC_H
#define QUADRILLE_DRAW_TRAFFIC_H

#include "Look.h"

#include "instantiate/Round.h"
#include "scene/Scene.h"

#include "llvm/Support/raw_ostream.h"

#include <map>

namespace quadrille::compiler::draw {

struct Traffic {
  struct Sum {
    std::int64_t messages = 0;
    double words = 0;
  };
  /// What joins a rank to its parent in the tree.
  struct Edge {
    std::uint32_t parent = 0, round = 0;
  };
  std::string schedule, caseText;
  std::uint32_t ranks = 0;
  std::map<std::pair<std::uint32_t, std::uint32_t>, Sum> sums; // by source and destination
  std::map<std::uint32_t, Edge> firstReceipts, lastSends;      // by rank

  /// By whom each rank hears first or, where nobody hears from one rank alone, whom each tells last. Nothing if neither is a tree of all
  /// ranks. `growsDown`: data comes from the root.
  std::optional<std::map<std::uint32_t, Edge>> tree(bool &growsDown) const;
};

class TrafficRecorder : public RunObserver {
public:
  /// `n`: elements of a block, the machine's only length.
  TrafficRecorder(Traffic &traffic, std::int64_t n) : traffic(traffic), n(static_cast<double>(n)) {}

  bool wantsTransfers() const override { return false; }
  void onRound(const Round &round, const Machine &machine) override;
  void onRestart() override;

private:
  Traffic &traffic;
  const double n;
};

/// Senders from top to bottom, receivers from left to right; how dark a field is says how much.
scene::Scene matrixScene(const Traffic &traffic, const Look &look);
void writeMatrixCsv(const Traffic &traffic, llvm::raw_ostream &out);

/// The tree must be one, see Traffic::tree.
scene::Scene treeScene(const Traffic &traffic, const std::map<std::uint32_t, Traffic::Edge> &tree, bool growsDown, const Look &look);
void writeTreeCsv(const std::map<std::uint32_t, Traffic::Edge> &tree, llvm::raw_ostream &out);

} // namespace quadrille::compiler::draw

#endif // QUADRILLE_DRAW_TRAFFIC_H
