//===- Node.h - The ranks of this node that share memory ------------------===//
//
// Private to runtime/mpi.
//
//===----------------------------------------------------------------------===//

#ifndef QUADRILLE_MPI_NODE_H
#define QUADRILLE_MPI_NODE_H

#include "../channel/Peer.h"
#include "../node/OtherProcess.h"
#include "../node/SharedMemory.h"

#include "quadrille/mpi.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace quadrille {
namespace mpi {
namespace detail {

/// What the environment says, the same on all ranks.
struct NodeWishes {
  bool isOn = true;    ///< QUADRILLE_SHARED_MEMORY is not 0
  std::vector<Index> pretended; ///< QUADRILLE_NODES: the node of each rank; empty: as it is

  /// For a communicator of so many ranks.
  static NodeWishes ofEnvironment(Index size);
};

/// What a rank finds out about its node, also where no memory is shared.
struct NodeFacts {
  Index first = 0; ///< the first rank of the node, real or pretended, which identifies it
  Index ranks = 1; ///< of the communicator, on the real node
  Index cores = 0; ///< that these ranks may use together; 0: unknown

  bool isCrowded() const { return cores > 0 && ranks > cores; }
};

/// A long message whose bytes are under way in one direction. There is at most
/// one in each, as messages of a channel follow each other.
struct Transfer {
  bool isOpen = false;
  Index bytes = 0, done = 0;
  Index step = 0;            ///< bytes in a cell
  std::uint64_t cell = 0;    ///< the number of the next cell
  bool isPacked = false;     ///< the bytes are in `packed`, not where the elements are
  std::vector<std::byte> packed;
};

/// One rank's state about another rank, in one lane.
struct NodePeer {
  static constexpr int byMpi = -1;

  int place = byMpi; ///< the other rank's place on this node
  quadrille::detail::Peer peer;
  quadrille::detail::CellRing *toIt = nullptr, *fromIt = nullptr;
  Transfer sending, receiving;
};

/// The ranks of a communicator that reach each other through shared memory, as
/// one of them sees it.
class Node {
public:
  /// Finds the node's ranks and their memory; collective. Null if there are none,
  /// or nothing of the kind is possible; then everything goes through MPI.
  static std::unique_ptr<Node> find(MPI_Comm comm, int rank, int size, const NodeWishes &wishes,
                                    NodeFacts &facts);

  /// Whether all ranks of the communicator are reached.
  bool reachesAll() const { return reachesAll_; }

  quadrille::detail::NodeRank &self() { return memory_->rank(static_cast<std::size_t>(self_)); }
  quadrille::detail::NodeRank &at(int place) { return memory_->rank(static_cast<std::size_t>(place)); }
  const quadrille::detail::OtherProcess &process(int place) const {
    return processes_[static_cast<std::size_t>(place)];
  }

  /// Whether the rank at `place` reads this one's memory.
  bool isReadBy(int place) const {
    return memory_->readsMemory(static_cast<std::size_t>(place), static_cast<std::size_t>(self_))
               .load(std::memory_order_relaxed) != 0;
  }
  /// From now on this rank does not read that one's memory.
  void stopReading(int place) {
    memory_->readsMemory(static_cast<std::size_t>(self_), static_cast<std::size_t>(place))
        .store(0, std::memory_order_relaxed);
  }

  /// This rank's state about all ranks, in a lane; null if there is no memory.
  NodePeer *peersOf(unsigned lane) noexcept {
    std::vector<NodePeer> &list = peers_[lane];
    return list.empty() ? newPeers(lane) : list.data();
  }
  unsigned startedLanes() const { return memory_->startedLanes(); }
  /// The lane of the started call with this number among all calls.
  unsigned laneOf(std::uint64_t call) const { return quadrille::detail::laneOf(call, startedLanes()); }
  /// How many slots the channels of a lane have.
  std::size_t slots(unsigned lane) const { return memory_->slots(lane); }

  /// How often a waiting rank looks before it yields.
  int spins() const { return spins_; }
  /// Whether there are more ranks than cores. They do not spin then.
  bool isCrowded() const { return spins_ == 1; }

private:
  Node() = default;
  NodePeer *newPeers(unsigned lane) noexcept;

  std::unique_ptr<quadrille::detail::SharedMemory> memory_;
  int self_ = 0;
  std::vector<int> placeOf_; ///< per rank of the communicator
  std::vector<quadrille::detail::OtherProcess> processes_;
  std::vector<std::vector<NodePeer>> peers_; ///< per lane
  bool reachesAll_ = false;
  int spins_ = 1;
};

} // namespace detail
} // namespace mpi
} // namespace quadrille

#endif // QUADRILLE_MPI_NODE_H
