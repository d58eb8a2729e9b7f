//===- LinkLoads.h - What the messages of a round put on the links -------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_TOPOLOGY_LINKLOADS_H
#define QUADRILLE_TOPOLOGY_LINKLOADS_H

#include "Topology.h"

#include "instantiate/Messages.h"

namespace quadrille::compiler::topology {

/// Links first ..< end carry the same load. Loads are sums over the messages that cross a link.
struct LinkLoad {
  LinkNumber first = 0, end = 0;
  std::int64_t words = 0, messages = 0;
};

/// Adds loads of routes to links.
class LoadCounter {
public:
  explicit LoadCounter(const Topology &topology) : topology(topology) {}

  /// A message of so many words crosses the links on the way between the places of two ranks. Throws Finding.
  void add(std::uint32_t source, std::uint32_t destination, std::int64_t words);
  /// The loads that are not zero, by link, of what has been added since the last call.
  llvm::ArrayRef<LinkLoad> take();

private:
  /// From this link on there is so much more, or less.
  struct Change {
    LinkNumber link;
    std::int64_t words, messages;
  };
  void fold();
  void put(LinkNumber begin, LinkNumber end, std::int64_t words, std::int64_t messages);

  const Topology &topology;
  std::uint64_t runs = 0; // of all routes so far
  std::int64_t sum = 0;   // of the words added since the last call: no link carries more
  Route route;
  std::vector<Change> changes;
  std::vector<std::pair<std::int64_t, std::int64_t>> dense; // changes by link, where they are many
  bool folded = false;                                       // some changes are in `dense`
  std::vector<LinkLoad> loads;
};

} // namespace quadrille::compiler::topology

#endif // QUADRILLE_TOPOLOGY_LINKLOADS_H
