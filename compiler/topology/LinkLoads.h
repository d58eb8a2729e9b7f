//===- LinkLoads.h - The loads of links in a round -------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_TOPOLOGY_LINKLOADS_H
#define QUADRILLE_TOPOLOGY_LINKLOADS_H

#include "Topology.h"

#include "instantiate/Messages.h"

namespace quadrille::compiler::topology {

/// The load of each of the links first ..< end: the sum over all messages that cross it.
struct LinkLoad {
  LinkNumber first = 0, end = 0;
  std::int64_t words = 0, messages = 0;
};

/// Computes the loads of links from the routes of messages.
class LoadCounter {
public:
  explicit LoadCounter(const Topology &topology) : topology(topology) {}

  /// Adds a message between two ranks. Throws Finding if there is no route, or numbers become too large.
  void add(std::uint32_t source, std::uint32_t destination, std::int64_t words);
  /// The nonzero loads, sorted by link, of the messages added since the last call.
  llvm::ArrayRef<LinkLoad> take();

private:
  /// The loads of links from this one on are larger by these amounts (smaller, if negative).
  struct Change {
    LinkNumber link;
    std::int64_t words, messages;
  };
  void fold();
  void put(LinkNumber begin, LinkNumber end, std::int64_t words, std::int64_t messages);

  const Topology &topology;
  std::uint64_t runs = 0; // runs of links, of all routes so far
  std::int64_t sum = 0;   // of all words added since the last call: an upper bound of the load of a link
  Route route;
  std::vector<Change> changes;
  std::vector<std::pair<std::int64_t, std::int64_t>> dense; // changes by link, where they are many
  bool folded = false;                                       // some changes are in `dense`
  std::vector<LinkLoad> loads;
};

} // namespace quadrille::compiler::topology

#endif // QUADRILLE_TOPOLOGY_LINKLOADS_H
