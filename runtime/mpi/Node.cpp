//===- Node.cpp - Finding the ranks of this node --------------------------===//

#include "Node.h"

#include "../common/Cores.h"
#include "../common/Environment.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string>
#include <utility>

#if defined(__linux__)
#include <sys/stat.h>
#endif

using namespace quadrille;
using namespace quadrille::mpi::detail;
using quadrille::detail::CoreSet;
using quadrille::detail::OtherProcess;
using quadrille::detail::SharedMemory;

namespace {

/// What a rank tells the others of its node. Sent as bytes.
struct Card {
  OtherProcess::Card process;
  std::uint64_t processNumbers; ///< the PID namespace, in which the number of the process counts
  int rank;                     ///< in the communicator
  CoreSet cores;
};

/// The ranks of a communicator on this node, as MPI finds them.
class RanksOfNode {
public:
  /// Collective.
  RanksOfNode(MPI_Comm comm, int rank) {
    if (MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &comm_) != MPI_SUCCESS)
      comm_ = MPI_COMM_NULL;
    if (comm_ == MPI_COMM_NULL)
      return;
    MPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN);
    MPI_Comm_size(comm_, &size_);
    MPI_Comm_rank(comm_, &self_);
  }
  RanksOfNode(const RanksOfNode &) = delete;
  RanksOfNode &operator=(const RanksOfNode &) = delete;
  ~RanksOfNode() {
    if (comm_ != MPI_COMM_NULL)
      MPI_Comm_free(&comm_);
  }

  bool isThere() const { return comm_ != MPI_COMM_NULL; }
  int self() const { return self_; }

  /// What each rank says; empty after an error of MPI. Collective. Throws
  /// std::bad_alloc.
  template <class What> std::vector<What> gather(const What &mine) const {
    std::vector<What> all(static_cast<std::size_t>(size_));
    if (MPI_Allgather(&mine, static_cast<int>(sizeof mine), MPI_BYTE, all.data(), static_cast<int>(sizeof mine), MPI_BYTE,
                      comm_) != MPI_SUCCESS)
      all.clear();
    return all;
  }

private:
  MPI_Comm comm_ = MPI_COMM_NULL;
  int size_ = 1, self_ = 0;
};

/// Identifies the PID namespace of this process; 0: unknown. A process number means
/// the same process to all processes of one namespace.
std::uint64_t processNumbers() {
#if defined(__linux__)
  struct stat is {};
  if (::stat("/proc/self/ns/pid", &is) == 0)
    return static_cast<std::uint64_t>(is.st_ino);
#endif
  return 0;
}

/// Tells why a rank shares no memory with others of its node, if QUADRILLE_TRACE is set.
void note(int rank, const std::string &others, const std::string &reason) {
  const char *const trace = std::getenv("QUADRILLE_TRACE");
  if (trace && *trace && std::strcmp(trace, "0") != 0)
    std::fprintf(stderr, "quadrille: rank %d reaches %s through MPI: %s\n", rank, others.c_str(), reason.c_str());
}

} // namespace

NodeWishes NodeWishes::ofEnvironment(Index size) {
  NodeWishes wishes;
  const char *const shared = std::getenv("QUADRILLE_SHARED_MEMORY");
  wishes.isOn = !shared || std::strcmp(shared, "0") != 0;
  if (shared && *shared && wishes.isOn && std::strcmp(shared, "1") != 0)
    quadrille::detail::sayIgnored("QUADRILLE_SHARED_MEMORY", shared, "0, or 1, which is the default");
  wishes.pretended = quadrille::detail::pretendedNodes(size);
  return wishes;
}

/// The node of a rank as the environment pretends it; 0 if it does not.
static Index pretendedNode(const NodeWishes &wishes, int rank) {
  return wishes.pretended.empty() ? 0 : wishes.pretended[static_cast<std::size_t>(rank)];
}

/// What the cards of a node's ranks, `all`, say to the rank of `mine`.
static NodeFacts factsOf(const std::vector<Card> &all, const Card &mine, const NodeWishes &wishes) {
  // The union of the ranks' cores, since each rank may be bound to one core.
  CoreSet cores;
  for (const Card &card : all)
    for (std::size_t i = 0; i < CoreSet::words; ++i)
      cores.bits[i] |= card.cores.bits[i];
  // In a simulation all ranks are in one process, and which cores that may use says
  // nothing of those that are simulated. No memory is shared there, so it does no harm
  // if ranks disagree.
  const bool isSimulated = std::any_of(all.begin(), all.end(), [&](const Card &other) {
    return other.rank != mine.rank && other.processNumbers == mine.processNumbers && other.process.pid == mine.process.pid;
  });
  NodeFacts facts{mine.rank, static_cast<Index>(all.size()), isSimulated ? 0 : cores.count()};
  for (const Card &card : all)
    if (pretendedNode(wishes, card.rank) == pretendedNode(wishes, mine.rank))
      facts.first = std::min<Index>(facts.first, card.rank);
  return facts;
}

/// The ranks of a node that can share memory with that of `mine`, as indices in `all`: those of
/// the same node, real or pretended, and of the same PID namespace. Each of them finds the same
/// list. Notes which ranks of the node are in another namespace.
static std::vector<std::size_t> membersAmong(const std::vector<Card> &all, const Card &mine, const NodeWishes &wishes) {
  std::vector<std::size_t> members;
  std::vector<int> elsewhere;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (pretendedNode(wishes, all[i].rank) != pretendedNode(wishes, mine.rank))
      continue;
    else if (all[i].processNumbers == mine.processNumbers)
      members.push_back(i);
    else
      elsewhere.push_back(all[i].rank);
  if (!elsewhere.empty())
    note(mine.rank, "rank " + std::to_string(elsewhere.front()) + (elsewhere.size() > 1 ? " and " + std::to_string(elsewhere.size() - 1) + " more" : "") + " of its node",
         "the process numbers there are others, as in another container");
  return members;
}

std::unique_ptr<Node> Node::find(MPI_Comm comm, int rank, int size, const NodeWishes &wishes,
                                 NodeFacts &facts) {
  facts = {};
  if (size < 2)
    return nullptr;
  const RanksOfNode ranks(comm, rank);
  if (!ranks.isThere())
    return nullptr;

  const Card mine{OtherProcess::mine(), processNumbers(), rank, CoreSet::ofThisThread()};
  const std::vector<Card> all = ranks.gather(mine);
  if (all.empty())
    return nullptr;
  facts = factsOf(all, mine, wishes);
  if (!wishes.isOn)
    return nullptr;
  const std::vector<std::size_t> members = membersAmong(all, mine, wishes);
  const auto card = [&](std::size_t place) -> const Card & { return all[members[place]]; };

  // From here on every rank takes part in all that is collective, whatever fails
  // on it.
  std::unique_ptr<Node> node(new Node);
  std::string reason;
  bool isPossible = members.size() > 1;
  for (std::size_t i = 0; i < members.size(); ++i) {
    node->processes_.emplace_back(card(i).process);
    if (card(i).rank == rank)
      node->self_ = static_cast<int>(i);
    for (std::size_t j = 0; j < i; ++j)
      if (card(i).process.pid == card(j).process.pid && isPossible) {
        isPossible = false; // as in a simulation
        reason = "several ranks are in one process";
      }
  }
  SharedMemory::Handle handle{0, -1, 0};
  if (isPossible && node->self_ == 0)
    node->memory_ = SharedMemory::create(members.size(), facts.isCrowded(), handle, reason);
  const std::vector<SharedMemory::Handle> handles = ranks.gather(handle);
  if (isPossible && node->self_ > 0) {
    const SharedMemory::Handle &of = handles.empty() ? handle : handles[members[0]];
    if (of.file < 0)
      reason = "rank " + std::to_string(card(0).rank) + " could not make shared memory";
    else
      node->memory_ = SharedMemory::open(members.size(), facts.isCrowded(), of, reason);
  }
  if (node->memory_)
    for (std::size_t i = 0; i < members.size(); ++i)
      node->memory_->readsMemory(static_cast<std::size_t>(node->self_), i)
          .store(node->processes_[i].canBeRead(), std::memory_order_relaxed);
  const std::vector<int> attached = ranks.gather(node->memory_ ? 1 : 0);
  if (!reason.empty())
    note(rank, "its node", reason);
  if (!node->memory_ || attached.empty())
    return nullptr;
  // All have opened it, or never will.
  node->memory_->close();

  std::vector<int> placeOf(static_cast<std::size_t>(size), NodePeer::byMpi);
  int reached = 0;
  for (std::size_t i = 0; i < members.size(); ++i)
    if (attached[members[i]]) {
      placeOf[static_cast<std::size_t>(card(i).rank)] = static_cast<int>(i);
      ++reached;
    }
  if (reached < 2)
    return nullptr;
  node->placeOf_ = std::move(placeOf);
  node->reachesAll_ = reached == size;
  node->peers_.resize(1 + node->startedLanes());
  node->spins_ = quadrille::detail::longSpinsFor(facts.ranks, facts.cores > 0 ? facts.cores : quadrille::detail::availableCores());
  return node;
}

NodePeer *Node::newPeers(unsigned lane) noexcept {
  try {
    std::vector<NodePeer> list(placeOf_.size());
    const std::size_t self = static_cast<std::size_t>(self_);
    for (std::size_t rank = 0; rank < list.size(); ++rank) {
      NodePeer &peer = list[rank];
      peer.place = placeOf_[rank];
      if (peer.place == NodePeer::byMpi)
        continue;
      const std::size_t other = static_cast<std::size_t>(peer.place);
      peer.peer.out.channel = &memory_->channel(lane, self, other);
      peer.peer.in.channel = &memory_->channel(lane, other, self);
      peer.toIt = &memory_->ring(lane, self, other);
      peer.fromIt = &memory_->ring(lane, other, self);
    }
    peers_[lane] = std::move(list);
    return peers_[lane].data();
  } catch (const std::bad_alloc &) {
    return nullptr;
  }
}
