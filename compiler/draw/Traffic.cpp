//===- Traffic.cpp - Who sends how much to whom, and along which tree ------------------------------------------------===//

#include "Traffic.h"

#include "instantiate/Messages.h"

#include "llvm/ADT/STLExtras.h"

namespace quadrille::compiler::draw {

void TrafficRecorder::onRestart() {
  traffic.sums.clear();
  traffic.firstReceipts.clear();
  traffic.lastSends.clear();
}

void TrafficRecorder::onRound(const Round &round, const Machine &machine) {
  forEachMessage(round, machine, 0, [&](std::uint32_t source, std::uint32_t destination, std::int64_t words) {
    Traffic::Sum &sum = traffic.sums[{source, destination}];
    ++sum.messages;
    sum.words += static_cast<double>(words) * (machine.countsBlocks() ? n : 1);
    traffic.firstReceipts.try_emplace(destination, Traffic::Edge{source, round.number});
    traffic.lastSends[source] = {destination, round.number};
  });
}

/// Whether all ranks but one have an edge, and paths end at that one.
static bool isTree(const std::map<std::uint32_t, Traffic::Edge> &edges, std::uint32_t ranks) {
  if (edges.size() + 1 != ranks)
    return false;
  for (std::uint32_t rank = 0; rank < ranks; ++rank) {
    std::uint32_t at = rank, steps = 0;
    for (auto edge = edges.find(at); edge != edges.end(); edge = edges.find(at)) {
      at = edge->second.parent;
      if (++steps > ranks)
        return false;
    }
  }
  return true;
}

std::optional<std::map<std::uint32_t, Traffic::Edge>> Traffic::tree(bool &growsDown) const {
  growsDown = isTree(firstReceipts, ranks);
  if (growsDown)
    return firstReceipts;
  return isTree(lastSends, ranks) ? std::optional(lastSends) : std::nullopt;
}

void writeMatrixCsv(const Traffic &traffic, llvm::raw_ostream &out) {
  out << "source,destination,messages,words\n";
  for (const auto &[ends, sum] : traffic.sums)
    out << ends.first << ',' << ends.second << ',' << sum.messages << ',' << static_cast<std::int64_t>(sum.words) << '\n';
}

void writeTreeCsv(const std::map<std::uint32_t, Traffic::Edge> &tree, llvm::raw_ostream &out) {
  out << "rank,parent,round\n";
  for (const auto &[rank, edge] : tree)
    out << rank << ',' << edge.parent << ',' << edge.round << '\n';
}

} // namespace quadrille::compiler::draw
