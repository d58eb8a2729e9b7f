//===- Traffic.h - Who sends how much to whom, and along which tree -------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_DRAW_TRAFFIC_H
#define QUADRILLE_DRAW_TRAFFIC_H

#include "Look.h"

#include "instantiate/Round.h"
#include "scene/Scene.h"

#include "llvm/Support/raw_ostream.h"

#include <optional>
#include <vector>

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
  /// For each rank the edge to its parent; nothing for a rank without parent.
  using Edges = std::vector<std::optional<Edge>>;

  std::string schedule, caseText;
  std::uint32_t ranks = 0;

  /// The matrix. A field stands for `ranksPerField` senders and as many receivers, so that the matrix is small for every p.
  std::uint32_t ranksPerField = 1, fields = 0;
  std::vector<Sum> sums; // that of field (from, to) at from*fields + to

  Edges firstReceipts, lastSends; // empty: only the matrix is wanted

  /// Calls visit(from, to, sum) for all fields in which there is a message.
  template <class Visit> void forEachField(Visit visit) const {
    for (std::uint32_t from = 0; from < fields; ++from)
      for (std::uint32_t to = 0; to < fields; ++to)
        if (const Sum &sum = sums[std::size_t{from} * fields + to]; sum.messages > 0)
          visit(from, to, sum);
  }
  size_t fieldCount() const;
  /// Halves the number of fields along a side.
  void makeCoarser();
  /// The ranks of a row or column: "3", "4..7".
  std::string ranksOf(std::uint32_t field) const;

  /// The tree in which the parent of a rank is the one from which it receives first or, if that is no tree of all ranks, the one to which it
  /// sends last. Nothing if neither is such a tree. `growsDown`: it is the first, so data come from the root.
  std::optional<Edges> tree(bool &growsDown) const;
};

/// Thrown when there can be no tree any more: every rank has received, and every rank has sent.
struct NoTree {};

class TrafficRecorder : public RunObserver {
public:
  enum class What { Matrix, Tree };
  /// `n`: the length of a block, for which alone the machine must compute. `mostFields`: the largest number of fields along a side.
  /// Throws NoTree during a run for a tree.
  TrafficRecorder(Traffic &traffic, std::int64_t n, What what, std::uint32_t mostFields)
      : traffic(traffic), n(static_cast<double>(n)), what(what), mostFields(mostFields) {}

  bool wantsTransfers() const override { return false; }
  void onRound(const Round &round, const Machine &machine) override;
  void onRestart() override;

private:
  void allocate();
  void addToTree(std::uint32_t source, std::uint32_t destination, std::uint32_t round);

  Traffic &traffic;
  const double n;
  const What what;
  const std::uint32_t mostFields;
  std::uint32_t receivers = 0, senders = 0; // ranks that have received, that have sent
};

/// Senders are rows, receivers are columns. The more words a field has, the darker it is.
scene::Scene matrixScene(const Traffic &traffic, const Look &look);
void writeMatrixCsv(const Traffic &traffic, llvm::raw_ostream &out);

/// `tree`, `growsDown`: a result of Traffic::tree.
scene::Scene treeScene(const Traffic &traffic, const Traffic::Edges &tree, bool growsDown, const Look &look);
void writeTreeCsv(const Traffic::Edges &tree, llvm::raw_ostream &out);

} // namespace quadrille::compiler::draw

#endif // QUADRILLE_DRAW_TRAFFIC_H
