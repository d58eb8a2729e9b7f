//===- NodeMap.cpp - On which node each rank is ---------------------------------------------------------------------===//

#include "NodeMap.h"

#include "limits/Limits.h"

#include <algorithm>
#include <map>
#include <random>

namespace quadrille::compiler {

NodeMap::NodeMap(llvm::ArrayRef<std::int64_t> labels) {
  std::map<std::int64_t, std::int64_t> known;
  for (size_t rank = 0; rank < labels.size(); ++rank) {
    const std::int64_t node = known.try_emplace(labels[rank], nodes()).first->second;
    if (node == nodes())
      members.emplace_back();
    areConsecutive &= members[static_cast<size_t>(node)].empty() || nodeOf.back() == node;
    nodeOf.push_back(node);
    localRank.push_back(static_cast<std::int64_t>(members[static_cast<size_t>(node)].size()));
    members[static_cast<size_t>(node)].push_back(static_cast<std::int64_t>(rank));
    largest = std::max(largest, localRank.back() + 1);
  }
}

NodeMap NodeMap::consecutive(std::int64_t ranks, std::int64_t nodes) {
  std::vector<std::int64_t> labels;
  for (std::int64_t rank = 0; rank < ranks; ++rank)
    labels.push_back(rank * std::min(nodes, ranks) / ranks);
  return NodeMap(labels);
}

NodeMap NodeMap::usual(std::int64_t ranks) {
  std::int64_t nodes = 1;
  while (nodes * nodes < ranks)
    ++nodes;
  return consecutive(ranks, nodes);
}

std::string NodeMap::text() const {
  std::string result;
  for (std::int64_t node : nodeOf)
    result += (result.empty() ? "" : ",") + std::to_string(node);
  return result;
}

Nodes NodeChoice::at(std::int64_t ranks) const {
  if (nodes > 0)
    return std::make_shared<const NodeMap>(NodeMap::consecutive(ranks, nodes));
  return !labels.empty() && static_cast<std::int64_t>(labels.size()) == ranks ? std::make_shared<const NodeMap>(labels) : nullptr;
}

namespace {
/// All maps of the ranks, each once: a label is at most one above all labels before it. Maps with fewer nodes come first.
std::vector<NodeMap> allMaps(std::int64_t ranks) {
  std::vector<NodeMap> result;
  std::vector<std::int64_t> labels(static_cast<size_t>(ranks), 0);
  auto from = [&](auto &self, size_t rank, std::int64_t known) -> void {
    if (rank == labels.size()) {
      result.emplace_back(labels);
      return;
    }
    for (labels[rank] = 0; labels[rank] <= known; ++labels[rank])
      self(self, rank + 1, std::max(known, labels[rank] + 1));
  };
  from(from, 0, 0);
  std::stable_sort(result.begin(), result.end(), [](const NodeMap &a, const NodeMap &b) { return a.nodes() < b.nodes(); });
  return result;
}

/// Some maps of each kind. Those at which mistakes are easiest to understand come first.
std::vector<NodeMap> someMaps(std::int64_t ranks) {
  std::vector<NodeMap> result;
  auto add = [&](auto label) {
    std::vector<std::int64_t> labels;
    for (std::int64_t rank = 0; rank < ranks; ++rank)
      labels.push_back(label(rank));
    if (NodeMap map(labels); !llvm::is_contained(result, map))
      result.push_back(std::move(map));
  };
  add([](std::int64_t) { return 0; });                                                  // one node
  for (std::int64_t size : {2, 3, 4, 5, 8})                                             // so many ranks on each, but the last one
    add([=](std::int64_t rank) { return rank / size; });
  add([](std::int64_t rank) { return rank; });                                          // one rank on each
  for (std::int64_t nodes : {2, 3})                                                     // round robin
    add([=](std::int64_t rank) { return rank % nodes; });
  add([](std::int64_t rank) { return rank == 0 ? 0 : 1; });                             // the first rank by itself
  add([=](std::int64_t rank) { return rank == ranks - 1 ? 1 : 0; });                    // the last one
  std::int64_t last = 0, size = 1;                                                      // 1, 2, 3, ... ranks
  add([&](std::int64_t rank) { return rank == last + size ? (last = rank, size++) : size; });
  add([=](std::int64_t rank) { return std::min(rank, ranks - 1 - rank); });             // from both ends
  std::mt19937_64 random(static_cast<std::uint64_t>(ranks));
  for (std::uint64_t nodes : {3, 3, 5})                                                 // any
    add([&](std::int64_t) { return static_cast<std::int64_t>(random() % nodes); });
  return result;
}
} // namespace

std::vector<Nodes> mapsToTry(std::int64_t ranks, bool &areAll) {
  const bool isFew = ranks <= limits::ranksOfAllMaps;
  areAll &= isFew;
  std::vector<Nodes> result;
  for (NodeMap &map : isFew ? allMaps(ranks) : someMaps(ranks))
    result.push_back(std::make_shared<const NodeMap>(std::move(map)));
  return result;
}

} // namespace quadrille::compiler
