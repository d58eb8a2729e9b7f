//===- OwnComm.h - What the library keeps of a communicator -----*- C++ -*-===//
//
// Each communicator on which the program makes a collective call has an OwnComm, as an
// attribute. The library's messages need a communicator of their own. It is made within a
// collective call of the program, when there have been so many that it is worth while. It is a
// new communicator and not a duplicate, so no attribute is copied and no function of the program
// is called.
//
// MPI deletes the attribute while it frees the communicator, in any order with other attributes,
// or in MPI_Finalize. So the OwnComm itself is freed later, by a call that frees or makes a
// communicator.
//
//===----------------------------------------------------------------------===//

#ifndef QUADRILLE_RUNTIME_PRELOAD_OWNCOMM_H
#define QUADRILLE_RUNTIME_PRELOAD_OWNCOMM_H

#include "Elements.h"
#include "Functions.h"
#include "Wishes.h"

#include "quadrille/collectives.h"

#include <atomic>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <optional>

namespace quadrille {
namespace preload {

using Collectives = quadrille::Collectives<mpi::Communicator>;

/// What a call keeps while it is under way.
struct Memory {
  Scratch sent, received;
  Blocks::Table ofSent, ofReceived;
};

class OwnComm {
public:
  /// The OwnComm of a communicator. Null for the null handle, and before the beginning and after
  /// the end of MPI, when attributes may not be asked for.
  [[gnu::always_inline]] static OwnComm *of(MPI_Comm comm) {
    const Known &place = placeOf(comm);
    if (place.comm == comm && place.generation == generation.load(std::memory_order_acquire)) [[likely]]
      return place.own;
    return find(comm);
  }

  /// Notes a call, which all ranks make, and returns whether the library carries it out if its
  /// arguments admit that. The first such call that may wait for others makes the library's
  /// communicator, so it is collective.
  bool takes(Function function);
  /// Whether `takes` is true for all calls of a blocking function, and nothing notes them: then it need not be asked. False does
  /// not say that it is not.
  bool takesAll(Function function) const { return takesAll_[numberOf(function)]; }

  int rank() const { return rank_; }
  int size() const { return size_; }
  bool has(int rank) const { return 0 <= rank && rank < size_; }
  MPI_Comm handle() const { return program_; }
  /// The number of the call among those of its function, the same on all ranks.
  std::uint64_t callsOf(Function function) const { return calls_[numberOf(function)]; }

  // Only if `takes`:
  Collectives &collectives() { return *collectives_; }
  MPI_Comm library() const { return comm_->handle(); }

  Memory memory; ///< of blocking calls, which one thread at a time makes
  /// Makes progress with nonblocking calls, unless it is another's turn.
  void progressInTurn();
  /// Makes the MPI library make progress with its messages.
  void letMpiProgress() const;
  void setFreed() { isFreed_ = true; }

  /// Tells the communicator's error handler, or that of MPI_COMM_WORLD if it was freed, and returns the code for the program.
  int raise(const Status &status) const;

private:
  friend class Process;
  friend class Turn;
  friend class Flights;
  explicit OwnComm(MPI_Comm comm);
  bool prepare();

  /// The last communicators that a thread has used. To look up an attribute takes a lock.
  struct alignas(32) Known {
    MPI_Comm comm;
    OwnComm *own;
    std::uint64_t generation; ///< 0: nothing is known
  };
  static constexpr int knownBits = 3;
  static inline thread_local Known known[1 << knownBits] __attribute__((tls_model("initial-exec"))) = {};
  /// Changes whenever an attribute is deleted, since MPI may then reuse the handle of its communicator, and at the end of MPI. A thread
  /// that uses the new communicator does so after the change (release, acquire), as the program orders its calls.
  static inline std::atomic<std::uint64_t> generation{1};

  [[gnu::always_inline]] static Known &placeOf(MPI_Comm comm) {
    std::uint64_t handle = 0;
    std::memcpy(&handle, &comm, sizeof comm);
    return known[(handle * 0x9e3779b97f4a7c15u) >> (64 - knownBits)];
  }
  static OwnComm *find(MPI_Comm comm);

  MPI_Comm program_;
  int rank_ = 0, size_ = 1;
  std::array<bool, functionCount> takesAll_{};
  bool isCandidate_ = true, mayFly_ = false; ///< the library may carry out calls; also nonblocking and persistent ones
  std::atomic<bool> isFreed_{false}; ///< by the program
  std::atomic<bool> isTaken_{false}; ///< it is somebody's turn; for its memory orders see Turn
  std::atomic<unsigned> flights_{0}; ///< nonblocking calls under way, which need this object
  unsigned before_ = 0; ///< calls before it was prepared
  std::array<std::uint64_t, functionCount> calls_{};
  std::optional<mpi::Communicator> comm_;
  std::optional<Collectives> collectives_;
};

/// The right to use the library's communicator, which one thread has at a time. A thread that has
/// it must not wait for it again. Where threads may call MPI at the same time, taking it is a
/// lock (acquire, and release where it ends). Elsewhere the program orders what its threads do;
/// then it only keeps the function that MPI calls while it waits from coming in between.
class Turn {
public:
  /// Waits until no other thread has the turn.
  [[gnu::always_inline]] explicit Turn(OwnComm &own) : own_(own), isMine_(true) {
    if (!hasThreads.load(std::memory_order_relaxed)) {
      own.isTaken_.store(true, std::memory_order_relaxed);
      return;
    }
    while (own.isTaken_.exchange(true, std::memory_order_acquire))
      yield();
  }
  /// Takes the turn only if no thread has it.
  Turn(OwnComm &own, std::try_to_lock_t) : own_(own), isMine_(!own.isTaken_.exchange(true, std::memory_order_acquire)) {}
  ~Turn() {
    if (isMine_)
      own_.isTaken_.store(false, std::memory_order_release);
  }
  Turn(const Turn &) = delete;
  explicit operator bool() const { return isMine_; }

  /// Whether threads may call MPI at the same time (MPI_THREAD_MULTIPLE). Relaxed: set
  /// before the library is active.
  static inline std::atomic<bool> hasThreads{true};

private:
  static void yield();
  OwnComm &own_;
  bool isMine_;
};

/// What the library knows of this process: from MPI_Init to MPI_Finalize.
class Process {
public:
  /// Reads the environment of rank 0; collective over MPI_COMM_WORLD. Ends the program if
  /// something is wrong with it.
  static void begin();
  /// Frees the OwnComms of communicators that were freed.
  static void bury() noexcept;

  static bool isActive();
  /// Marks that an attribute was deleted, or all were: what threads know of communicators may be wrong.
  static void forget() { OwnComm::generation.fetch_add(1, std::memory_order_release); }
  static const Wishes &wishes();
};

} // namespace preload
} // namespace quadrille

#endif // QUADRILLE_RUNTIME_PRELOAD_OWNCOMM_H
