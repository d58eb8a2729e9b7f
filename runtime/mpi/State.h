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

/// Elements in MPI's words. Owns its datatype if it had to make one.
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

/// Looks at MPI between which no time passes, and then the cores are offered to
/// others.
inline constexpr std::uint64_t looksBeforeYield = 100, looksBeforeSleep = 1000;

/// Lets some time pass between two looks, the longer the higher `round`: the
/// looks since something last happened. In a crowd it offers its core at once.
void passTime(std::uint64_t round, bool isCrowded) noexcept;

/// What the calls of a communicator share: it is touched by the thread that is
/// inside the list of tasks.
///
/// A call's tag is its number modulo `tags`. Of two calls in flight with one
/// tag the later would not be wrong as long as the earlier has ended on this
/// rank: MPI does not let messages of a pair overtake. So that is waited for.
struct CommunicatorState final : quadrille::detail::TaskList {
  using Task = quadrille::detail::Task;

  int tagOf(std::uint64_t sequence) const {
    return static_cast<int>(sequence % tags);
  }
  /// Waits until no call in flight has the tag of call `sequence`.
  void awaitTag(std::uint64_t sequence) noexcept;

  MPI_Comm comm = MPI_COMM_NULL;
  std::uint64_t tags = 32767; ///< MPI guarantees one more, that of local copies
  std::uint64_t calls = 0;
  /// This node has more ranks than cores, and who waits inside MPI keeps his.
  bool isCrowded = false;
  quadrille::detail::Arena arena; ///< of blocking calls
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
