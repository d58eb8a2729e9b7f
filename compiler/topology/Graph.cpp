//===- Graph.cpp - Networks of any shape -----------------------------------------------------------------------------------===//

#include "Graph.h"

#include "limits/Limits.h"

#include "llvm/ADT/STLExtras.h"

#include <limits>

namespace quadrille::compiler::topology {

namespace {

constexpr std::uint32_t noLink = std::numeric_limits<std::uint32_t>::max();

class Graph final : public Topology {
public:
  Graph(std::string name, GraphParts given) : Topology(Shape::Graph, std::move(name)), parts(std::move(given)) {
    arriving.resize(parts.nodes.size());
    for (LinkNumber number = 0; number < parts.links.size(); ++number) {
      arriving[parts.links[number].to].push_back(static_cast<std::uint32_t>(number));
      unitWidths &= parts.links[number].width == Rational(1);
    }
  }

  std::uint32_t nodes() const override { return static_cast<std::uint32_t>(parts.nodes.size()); }
  std::uint32_t places() const override { return static_cast<std::uint32_t>(parts.nodeOfRank.size()); }
  std::uint32_t nodeOf(std::uint32_t rank) const override { return parts.nodeOfRank[rank]; }
  std::string nodeName(std::uint32_t node) const override { return parts.nodes[node].name; }
  LinkNumber linkNumbers() const override { return parts.links.size(); }
  std::optional<Link> link(LinkNumber number) const override { return parts.links[number]; }
  std::optional<LinkNumber> reverse(LinkNumber number) const override { return parts.reverses[number]; }
  bool hasUnitWidths() const override { return unitWidths; }
  std::optional<Point> placeInPicture(std::uint32_t node) const override { return parts.nodes[node].place; }

  void route(std::uint32_t from, std::uint32_t to, Route &links) const override {
    if (auto given = parts.routes.find({from, to}); given != parts.routes.end()) {
      for (LinkNumber link : given->second)
        links.push_back({link, 1});
      return;
    }
    const std::vector<std::uint32_t> &next = nextLinks(to);
    while (from != to) {
      if (next[from] == noLink)
        throw findingAbout(name, diag::NoRoute{.from = parts.nodes[from].name, .to = parts.nodes[to].name});
      links.push_back({next[from], 1});
      from = parts.links[next[from]].to;
    }
  }

private:
  /// The routing table for the destination `to`: for each node, the link on which it forwards a message.
  const std::vector<std::uint32_t> &nextLinks(std::uint32_t to) const {
    auto [entry, isNew] = tables.try_emplace(to);
    std::vector<std::uint32_t> &next = entry->second;
    if (!isNew)
      return next;
    if (tables.size() * parts.nodes.size() > limits::routeEntries)
      throw findingAbout(name, diag::TopologyTooLarge{.what = diag::OfNetworkRoutingEntries{}, .limit = limits::routeEntries});
    next.assign(parts.nodes.size(), noLink);
    // Breadth-first search from the destination. Nodes of a level are visited by number, so the lowest one becomes the next node.
    std::vector<std::uint32_t> level{to}, further;
    std::vector<bool> reached(parts.nodes.size(), false);
    reached[to] = true;
    while (!level.empty()) {
      further.clear();
      for (std::uint32_t node : level)
        for (std::uint32_t link : arriving[node]) {
          const std::uint32_t before = parts.links[link].from;
          if (reached[before])
            continue;
          reached[before] = true;
          next[before] = link;
          further.push_back(before);
        }
      llvm::sort(further);
      std::swap(level, further);
    }
    return next;
  }

  const GraphParts parts;
  std::vector<std::vector<std::uint32_t>> arriving; // links, per node
  bool unitWidths = true;
  mutable std::map<std::uint32_t, std::vector<std::uint32_t>> tables; // routing tables by destination, built on demand
};

} // namespace

std::shared_ptr<const Topology> makeGraph(std::string name, GraphParts parts) {
  return std::make_shared<Graph>(std::move(name), std::move(parts));
}

} // namespace quadrille::compiler::topology
