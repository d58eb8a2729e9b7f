//===- State.h - What the MPI backend keeps -------------------------------===//
//
// Private to runtime/mpi.
//
//===----------------------------------------------------------------------===//

#ifndef QUADRILLE_MPI_STATE_H
#define QUADRILLE_MPI_STATE_H

#include "../common/Tasks.h"
#include "../plan/Plans.h"

#include "quadrille/mpi.h"

#include <limits>

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
  /// (hindexed: displacements in bytes, any number of elements each) instead
  /// of being packed: nothing is copied, no buffer as large as the message is
  /// needed, and libraries gather while they send. The same datatype carries
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
/// call waits for that.
struct CommunicatorState final : quadrille::detail::TaskList {
  using Task = quadrille::detail::Task;

  int tagOf(std::uint64_t sequence) const {
    return static_cast<int>(sequence % tags);
  }
  /// Waits until no call in flight has the tag of call `sequence`.
  void awaitTag(std::uint64_t sequence) noexcept;

  MPI_Comm comm = MPI_COMM_NULL;
  std::uint64_t tags = 32767; ///< MPI has one more, used for local copies
  std::uint64_t calls = 0;
  /// Whether this node has more ranks than cores, and a rank that waits inside
  /// MPI does not yield its core.
  bool isCrowded = false;
  quadrille::detail::Arena arena; ///< temporaries of blocking calls
  quadrille::detail::Plans plans;
  quadrille::detail::Pool<Execution> executions;

  ~CommunicatorState() override;

private:
  Numbers next() noexcept override {
    const std::uint64_t sequence = calls++;
    return {sequence, sequence};
  }
  bool mayBeginBeside(const Task &task, const Task &oldest) noexcept override {
    return task.sequence - oldest.sequence < tags;
  }
  void failed(std::uint64_t, const Status &) noexcept override {}
  void ended() noexcept override {}
  void pause(std::uint64_t &round) noexcept override { passTime(++round, isCrowded); }
  void interrupt() noexcept override {} // pauses are short
  Status mayHaveThread() noexcept override;
};


} // namespace detail
} // namespace mpi
} // namespace quadrille

#endif // QUADRILLE_MPI_STATE_H
