//===- Topologies.cpp - Networks by their names and files ----------------------------------------------------------------------------===//

#include "Topologies.h"

#include "GraphFile.h"
#include "Placed.h"

#include "diagnostics/InputFile.h"

#include "llvm/ADT/STLExtras.h"

namespace quadrille::compiler::topology {

std::optional<Topologies> Topologies::load(llvm::ArrayRef<TopologyText> texts, Sources &sources, Diagnostics &diagnostics) {
  Topologies result;
  for (const TopologyText &text : texts) {
    Entry entry{text, nullptr};
    if (text.isFile()) {
      Sources::Loaded loaded = sources.load(text.text);
      if (loaded.problem != Sources::Problem::None) {
        reportUnreadable(loaded, text.text, diagnostics);
        return std::nullopt;
      }
      entry.graph = readGraph(sources, loaded.buffer, diagnostics);
      if (!entry.graph)
        return std::nullopt;
    }
    result.entries.push_back(std::move(entry));
  }
  return result;
}

std::vector<std::int64_t> Topologies::defaultRanks(std::int64_t otherwise) const {
  std::vector<std::int64_t> ranks;
  for (const Entry &entry : entries)
    ranks.push_back(entry.places().value_or(otherwise));
  if (ranks.empty())
    ranks.push_back(otherwise);
  llvm::sort(ranks);
  ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
  return ranks;
}

std::vector<std::shared_ptr<const Topology>> Topologies::at(std::int64_t p, bool asked) const {
  std::vector<std::shared_ptr<const Topology>> result;
  for (const Entry &entry : entries) {
    const std::optional<std::int64_t> places = entry.places();
    if (!asked && places && *places != p)
      continue;
    if (entry.graph && p > *places)
      throw findingAbout(entry.text.text, diag::TopologyTooSmall{.p = p, .places = *places});
    result.push_back(entry.graph ? entry.graph : makeTopology(entry.text, p));
  }
  return result;
}

std::vector<std::shared_ptr<const Topology>> Topologies::at(const NodeMap &nodes) const {
  try {
    std::vector<std::shared_ptr<const Topology>> networks = at(nodes.nodes(), /*asked=*/true);
    for (std::shared_ptr<const Topology> &network : networks)
      network = placed(std::move(network), nodes);
    return networks;
  } catch (Finding &finding) {
    finding.diagnostic.note({}, diag::PlacesOfNodes{.nodes = nodes.nodes()});
    throw;
  }
}

} // namespace quadrille::compiler::topology
