//===- Placed.cpp - A network of nodes at which several ranks stand ------------------------------------------------===//

#include "Placed.h"

namespace quadrille::compiler::topology {

namespace {

class Placed : public Topology {
public:
  Placed(std::shared_ptr<const Topology> network, const NodeMap &nodes)
      : Topology(network->shape, network->name), network(std::move(network)) {
    for (std::int64_t node : nodes.nodeOf)
      nodeOfRank.push_back(this->network->nodeOf(static_cast<std::uint32_t>(node)));
  }

  std::uint32_t nodes() const override { return network->nodes(); }
  std::uint32_t places() const override { return static_cast<std::uint32_t>(nodeOfRank.size()); }
  std::uint32_t nodeOf(std::uint32_t rank) const override { return nodeOfRank[rank]; }
  std::string nodeName(std::uint32_t node) const override { return network->nodeName(node); }
  LinkNumber linkNumbers() const override { return network->linkNumbers(); }
  std::optional<Link> link(LinkNumber number) const override { return network->link(number); }
  std::optional<LinkNumber> reverse(LinkNumber number) const override { return network->reverse(number); }
  bool hasUnitWidths() const override { return network->hasUnitWidths(); }
  void route(std::uint32_t from, std::uint32_t to, Route &links) const override { network->route(from, to, links); }
  llvm::ArrayRef<std::int64_t> extents() const override { return network->extents(); }
  std::optional<Point> placeInPicture(std::uint32_t node) const override { return network->placeInPicture(node); }

private:
  const std::shared_ptr<const Topology> network;
  std::vector<std::uint32_t> nodeOfRank;
};

} // namespace

std::shared_ptr<const Topology> placed(std::shared_ptr<const Topology> network, const NodeMap &nodes) {
  return std::make_shared<const Placed>(std::move(network), nodes);
}

} // namespace quadrille::compiler::topology
