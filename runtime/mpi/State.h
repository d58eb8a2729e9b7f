//===- State.h - What the MPI backend keeps -------------------------------===//
//
// Private to runtime/mpi; runtime/collectives asks whether ranks share cores.
//
//===----------------------------------------------------------------------===//

#ifndef QUADRILLE_MPI_STATE_H
#define QUADRILLE_MPI_STATE_H

#include "Node.h"

#include "../channel/Peer.h"
#include "../common/Tasks.h"
#include "../plan/Plans.h"
#include "../plan/Repeats.h"

#include "quadrille/mpi.h"

#include <algorithm>
#include <chrono>
#include <limits>
#include <vector>

namespace quadrille {
namespace mpi {
namespace detail {

/// The most elements that one argument of MPI can count.
inline constexpr Index largestCount = std::numeric_limits<int>::max();

/// Elements as buffer, count and datatype of MPI. Owns the datatype if it had
/// to create one.
class Message {
public:
  Message() = default;
  Message(const Message &) = delete;
  Message &operator=(const Message &) = delete;
  Message(Message &&other) noexcept { *this = std::move(other); }
  Message &operator=(Message &&other) noexcept {
    std::swap(buffer, other.buffer);
    std::swap(count, other.count);
    std::swap(type, other.type);
    std::swap(owned_, other.owned_);
    return *this;
  }
  ~Message();

  /// Describes elements of type `element`, with no count above `most`. Returns an
  /// error code of MPI; throws std::bad_alloc.
  ///
  /// One piece is its own description. Several become one derived datatype
  /// (hindexed: displacements in bytes, any number of elements each), unless they
  /// are few bytes, which Execution packs: nothing is copied, no buffer as large as the
  /// message is needed, and libraries gather while they send. The same datatype carries
  /// the messages whose length does not fit into an int. Its signature is that
  /// of the elements in order, so the other side may be segmented otherwise.
  int describe(const quadrille::detail::Elements &elements, MPI_Datatype element,
               Index most = largestCount);

  void *buffer = nullptr;
  int count = 0;
  MPI_Datatype type = MPI_BYTE;

private:
  bool owned_ = false;
};

class Execution;

/// After so many looks without progress a waiting rank yields, or sleeps,
/// between looks.
inline constexpr std::uint64_t looksBeforeYield = 100, looksBeforeSleep = 1000;

/// Lets time pass between two looks, depending on `round`, the number of looks
/// since there was progress. If the node is crowded it yields at once.
void passTime(std::uint64_t round, bool isCrowded) noexcept;

/// The state that all calls of a communicator share. Only the thread that is
/// inside the list of tasks accesses it.
///
/// A call's tag is its number modulo `tags`. Two calls may have the same tag if
/// the earlier one has ended on this rank before the later one begins, since
/// messages of MPI between two ranks do not overtake each other. So the later
/// call waits for that. So do started calls that share a lane of the node's
/// memory: see channel/Channel.h.
///
/// A persistent call has one tag for all of its starts, from behind these, which no
/// other call ever gets: each rank would free it at another time.
struct CommunicatorState final : quadrille::detail::TaskList {
  using Task = quadrille::detail::Task;

  int tagOf(std::uint64_t sequence) const {
    return static_cast<int>(sequence % tags);
  }
  /// Waits until no call in flight has the tag of call `sequence`.
  void awaitTag(std::uint64_t sequence) noexcept;

  /// The tag of a persistent call for all of its starts; below 0: it has none, and
  /// each start has that of a call. So if there are no more such tags, and after a
  /// start that has failed, as messages of that one may be left.
  int keptTagOf(const Task &task) const {
    const std::uint64_t number = task.firstStart();
    return task.hasFailed() || number >= keptTags ? -1 : static_cast<int>(tags + number);
  }
  /// The tag of local copies, which no call has.
  int localTag() const { return static_cast<int>(tags + keptTags); }
  /// Shares out the tags from 0 to `largest`.
  void shareTags(std::uint64_t largest) {
    keptTags = largest / 2;
    tags = largest - keptTags;
  }

  MPI_Comm comm = MPI_COMM_NULL;
  std::uint64_t tags = 32767; ///< calls have the tags below this
  std::uint64_t keptTags = 0; ///< persistent calls have so many tags behind them
  quadrille::detail::CallNumbers calls;
  std::unique_ptr<Node> node; ///< null: all ranks are reached through MPI
  std::uint64_t executionCount = 0;
  /// The process that made the communicator: see processGeneration.
  std::uint32_t generation = quadrille::detail::processGeneration.load(std::memory_order_relaxed);
  /// Whether this node has more ranks than cores, and a rank that waits inside
  /// MPI does not yield its core.
  bool isCrowded = false;
  /// Of the node where most ranks share a core: how many ranks it has, and how many
  /// cores. The same on all ranks. No cores: every rank has one.
  Index sharingRanks = 0, sharedCores = 0;
  quadrille::detail::Arena arena; ///< temporaries of blocking calls
  std::vector<std::byte> piece;   ///< of a message that is read from another process and combined
  quadrille::detail::Plans plans;
  quadrille::detail::Pool<Execution> executions;
  quadrille::detail::Repeats<Execution> repeats;

  CommunicatorState();
  ~CommunicatorState() override;

  static CommunicatorState &of(Communicator &communicator) { return *communicator.state_; }

  /// Whether this is the child of a fork, which shares messages with nobody.
  bool isForked() const {
    return generation != quadrille::detail::processGeneration.load(std::memory_order_relaxed);
  }
  /// An error if it is one.
  Status forked(const char *call, Index rank) const;

  /// Publishes which calls this rank has left: all before the first one that is
  /// open.
  void depart() noexcept;

  /// See Communicator::repeat; null: the call has no operator.
  bool repeat(const CallKey &key, const Datatype &type, const Operator *op, Status &ended);

  /// Calls MPI, which makes progress only while it is called: messages of the program
  /// may wait for that.
  void letMpiProgress() noexcept;

private:
  std::uint64_t next() noexcept override { return ++calls.entered; }
  bool mayBeginBeside(const Task &task, const Task &earlier) const noexcept override {
    return task.sequence - earlier.sequence < tags && (!node || node->laneOf(task.sequence) != node->laneOf(earlier.sequence));
  }
  void failed(std::uint64_t, const Status &) noexcept override {}
  void ended() noexcept override { depart(); }
  void pause(quadrille::detail::TaskWait &wait) noexcept override;
  /// Without shared memory pauses are short, and are not interrupted.
  void interrupt() noexcept override {
    if (node)
      node->self().bell.ring();
  }
  Status mayHaveThread() noexcept override;
};

} // namespace detail
} // namespace mpi
} // namespace quadrille

#endif // QUADRILLE_MPI_STATE_H
