//===- quadrille/shm.h - The shared-memory backend --------------*- C++ -*-===//
//
// Ranks are threads of one process. A receiver copies or combines straight
// from the sender's memory; see docs/runtime.md for the protocol.
//
//   quadrille::shm::Team team(8);
//   quadrille::Status bad = team.run([&](quadrille::shm::Communicator &comm) {
//     return scan_hypercube(comm, x[comm.rank()], y[comm.rank()], n,
//                           quadrille::shm::Datatype::of<double>(),
//                           quadrille::shm::Operator::sum());
//   });
//
//===----------------------------------------------------------------------===//

#ifndef QUADRILLE_SHM_H
#define QUADRILLE_SHM_H

#include "quadrille/call.h"
#include "quadrille/calls_in_order.h"
#include "quadrille/machine.h"
#include "quadrille/math.h"
#include "quadrille/numbers.h"
#include "quadrille/request.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <vector>

namespace quadrille {
namespace shm {

namespace detail {
class WorldState;
struct CommunicatorState;
class ElementOperations;
class Execution;
} // namespace detail

//===----------------------------------------------------------------------===//
// Elements and operators
//===----------------------------------------------------------------------===//

/// The type of elements: numbers that the built-in operators know, or opaque
/// bytes, for operators of the user.
class Datatype {
public:
  using Kind = NumberKind;

  /// A built-in kind other than Opaque.
  Datatype(Kind kind) : Datatype(kind, sizeOf(kind)) {}

  /// Elements of `sizeBytes` >= 0 bytes, `sizeBytes` apart.
  static Datatype opaque(std::size_t sizeBytes) {
    return Datatype(Kind::Opaque, sizeBytes);
  }

  /// The built-in kind that represents T, or opaque elements of T's size. T must
  /// be trivially copyable.
  template <class T> static Datatype of() {
    static_assert(std::is_trivially_copyable_v<T>, "elements are copied as bytes");
    if constexpr (std::is_same_v<T, float>)
      return Kind::Float;
    else if constexpr (std::is_same_v<T, double>)
      return Kind::Double;
    else if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>)
      return integer(sizeof(T), std::is_signed_v<T>);
    else
      return opaque(sizeof(T));
  }

  Kind kind() const { return kind_; }
  std::size_t sizeBytes() const { return sizeBytes_; }

private:
  Datatype(Kind kind, std::size_t sizeBytes) : kind_(kind), sizeBytes_(sizeBytes) {}
  static Datatype integer(std::size_t sizeBytes, bool isSigned);
  static constexpr std::size_t sizeOf(Kind kind) {
    constexpr std::uint8_t sizes[] = {1, 2, 4, 8, 1, 2, 4, 8, 4, 8, 0};
    return sizes[static_cast<unsigned char>(kind)];
  }

  Kind kind_;
  std::size_t sizeBytes_;
};

/// The binary operation `<>` of a collective; associative.
class Operator {
public:
  using Builtin = BuiltinOperator;

  /// inout[i] := in[i] <> inout[i] for i in 0 ..< count, as in MPI: the element
  /// of the lower rank is in `in`. `in` and `inout` do not overlap. It must not
  /// throw, and is called by several threads at once.
  using Function = void(const void *in, void *inout, std::size_t count,
                        const Datatype &type, void *context);

  Operator(Builtin builtin) : builtin_(builtin) {}

  /// An operator of the user. `context` is passed to every call of `function`.
  static Operator user(Function *function, void *context = nullptr,
                       bool commutative = false);

  static Operator sum() { return Builtin::Sum; }
  static Operator prod() { return Builtin::Prod; }
  static Operator min() { return Builtin::Min; }
  static Operator max() { return Builtin::Max; }
  static Operator band() { return Builtin::Band; }
  static Operator bor() { return Builtin::Bor; }
  static Operator bxor() { return Builtin::Bxor; }
  static Operator land() { return Builtin::Land; }
  static Operator lor() { return Builtin::Lor; }

  bool isCommutative() const { return commutative_; }
  bool isBuiltin() const { return !function_; }

  /// Whether the operator is defined for these elements.
  bool accepts(const Datatype &type) const {
    return !isBuiltin() || type.kind() < Datatype::Kind::Float ||
           (type.kind() < Datatype::Kind::Opaque && builtin_ <= Builtin::Max);
  }

private:
  friend class detail::ElementOperations;
  Builtin builtin_ = Builtin::Sum;
  bool commutative_ = true;
  Function *function_ = nullptr;
  void *context_ = nullptr;
};

//===----------------------------------------------------------------------===//
// Ranks
//===----------------------------------------------------------------------===//

class Call;

/// The state that the ranks of a communicator share. Needed only for threads of
/// the program; a Team has its own.
class World {
public:
  /// `size` >= 1 ranks. Throws std::bad_alloc, std::invalid_argument.
  explicit World(Index size);
  ~World();
  World(const World &) = delete;
  World &operator=(const World &) = delete;

  Index size() const;

  /// Resets the communicators after ranks have made different numbers of calls,
  /// so that their next calls match again. No rank may be in a call; the caller
  /// must order this before the next call of every rank.
  void reset();

private:
  friend class Communicator;
  friend class Team;
  std::unique_ptr<detail::WorldState> state_;
};

/// A communicator, as one rank uses it, from one thread at a time. All ranks must
/// make the same collective calls in the same order.
///
/// If a rank fails in a call, ranks that wait for it in *that* call return
/// ErrorCode::Aborted with a text that names it. The next call is not affected,
/// so a program may continue if all its ranks do.
class Communicator : public quadrille::detail::CallsInOrder<Communicator> {
public:
  using Call = shm::Call;
  using Datatype = shm::Datatype;
  using Operator = shm::Operator;

  /// Rank `rank` of `world`, which must outlive this object; at most one
  /// communicator per rank. Throws std::bad_alloc, std::invalid_argument.
  Communicator(World &world, Index rank);
  ~Communicator();
  Communicator(const Communicator &) = delete;
  Communicator &operator=(const Communicator &) = delete;

  Index rank() const { return rank_; }
  Index size() const { return size_; }

  /// All ranks as a group. Does not communicate.
  Group everyone() const { return Group::everyone(size_, rank_); }

  /// On which node each rank is. Always the same, on all ranks. Does not
  /// communicate. Throws std::bad_alloc.
  Nodes nodes() const;

  /// The time after which this rank gives up on a step (ErrorCode::Timeout);
  /// 0: never. Initially QUADRILLE_TIMEOUT_MS, 0 if that is not set.
  void setTimeout(Index timeoutMs) { timeoutMs_ = timeoutMs > 0 ? timeoutMs : 0; }
  Index timeoutMs() const { return timeoutMs_.load(std::memory_order_relaxed); }

  /// The machine by which a call with `k = 0` chooses the number of packets. It
  /// must be the same on all ranks: set it on all of them, between the same
  /// calls, and while no started call is in flight. Initially QUADRILLE_ALPHA and
  /// QUADRILLE_BETA when the World was made, or `usualShmMachine`.
  void setMachine(const MachineTimes &machine) { machine_ = machine; }
  const MachineTimes &machine() const { return machine_; }

  /// Makes a call again that equals an earlier one: with the same key, datatype and
  /// operator. False if none is known, or it has to be looked at again; then
  /// nothing has happened. `ended` is how it ended, or how it was started.
  bool repeat(const CallKey &key, Status &ended);
  bool repeat(const CallKey &key, const Datatype &type, Status &ended);
  bool repeat(const CallKey &key, const Datatype &type, const Operator &op, Status &ended);

  //===--- Nonblocking collectives: see docs/runtime.md ------------------===//

  /// Starts the collective calls that `body()` makes on this communicator, as
  /// one nonblocking collective call. `body` returns a Status. It runs now, and
  /// its calls are recorded and return at once. They are executed one after the
  /// other: as far as possible now, the rest when this rank makes progress.
  template <class Body> Request start(Body body) {
    return startTask(
        {[](void *from) -> Status { return (*static_cast<Body *>(from))(); }, &body});
  }

  /// Records the calls of `body()`, as `start` does, without executing them. The
  /// result can be started many times. Does not communicate.
  template <class Body> Persistent prepare(Body body) {
    return prepareTask(
        {[](void *from) -> Status { return (*static_cast<Body *>(from))(); }, &body});
  }

  /// Makes progress with all started calls, as far as possible without waiting.
  void progress() noexcept;

  /// Starts a thread that makes progress while this rank computes. An error if it
  /// cannot be started. If the environment variable QUADRILLE_PROGRESS_THREAD is
  /// a positive number, the first `start` starts it.
  Status startProgressThread() noexcept;
  void stopProgressThread() noexcept;

private:
  friend class shm::Call;
  friend class Team;
  friend struct detail::CommunicatorState;
  friend class detail::Execution;

  Request startTask(const quadrille::detail::TaskBody &body) noexcept;
  Persistent prepareTask(const quadrille::detail::TaskBody &body) noexcept;
  friend class quadrille::detail::CallsInOrder<Communicator>;
  /// Whether `start` or `prepare` runs what makes calls now.
  bool isRecording() const noexcept;
  Status putOff(quadrille::detail::KeptBody body) noexcept;

  Index rank_, size_;
  std::atomic<Index> timeoutMs_; ///< also read by a progress thread, relaxed: nothing depends on it
  MachineTimes machine_;
  std::unique_ptr<detail::CommunicatorState> state_;
};

//===----------------------------------------------------------------------===//
// Calls and steps
//===----------------------------------------------------------------------===//

/// One execution of a collective by a rank: see quadrille/call.h. The name is not
/// copied. Calls on a communicator nest like blocks. The calls of one `start`
/// count as one call for the other ranks.
class Call final : public quadrille::detail::CallBase {
public:
  /// For a collective without data, such as a barrier.
  Call(Communicator &comm, const char *name);
  Call(Communicator &comm, const char *name, const Datatype &type);
  /// The call fails (ErrorCode::BadParameter) if `op` is not defined for `type`.
  Call(Communicator &comm, const char *name, const Datatype &type,
       const Operator &op);
  ~Call();

private:
  Call(Communicator &comm, const char *name, const Datatype &type,
       const Operator *op, quadrille::detail::Task *task);

  friend class detail::Execution;

  void copyElements(std::byte *dst, const std::byte *src, Index elements) override;
  void combineElements(std::byte *dst, const std::byte *a, const std::byte *b,
                       Index elements) override;
  Status carryOut() override;
  void noteRepeat();
  Status carryOut(quadrille::detail::Fragment &fragment) override;
  bool combinesThroughMemory() const override { return false; }

  Communicator &comm_;
  Datatype type_;
  Operator op_;
  quadrille::detail::Task *task_; ///< the task of a started call; null: a blocking call
  quadrille::detail::OpenCall open_;
  unsigned lane_ = 0;
};

//===----------------------------------------------------------------------===//
// Threads
//===----------------------------------------------------------------------===//

/// Threads that are the ranks of a communicator. They sleep between runs.
class Team {
public:
  /// Starts the threads. Throws std::invalid_argument if `size` < 1,
  /// std::bad_alloc, std::system_error.
  explicit Team(Index size);
  /// Ends the threads; no run may be under way.
  ~Team();
  Team(const Team &) = delete;
  Team &operator=(const Team &) = delete;

  Index size() const;

  /// Runs body(communicator) on every rank and returns when all are done. If
  /// `body` returns a Status, the result is the error of one of the ranks, if
  /// possible one that is not a consequence of another's error (Aborted). An
  /// exception thrown by `body` aborts the calls of the other ranks and is
  /// rethrown here. In any case the next run starts with a reset World.
  template <class Body> Status run(Body &&body) {
    auto onRank = [&body](Communicator &comm) -> Status {
      if constexpr (std::is_void_v<decltype(body(comm))>) {
        body(comm);
        return {};
      } else {
        return body(comm);
      }
    };
    using OnRank = decltype(onRank);
    return runOnAll([](void *from, Communicator &comm) { return (*static_cast<OnRank *>(from))(comm); }, &onRank);
  }

private:
  /// Runs call(body, communicator) on every rank.
  Status runOnAll(Status (*call)(void *body, Communicator &comm), void *body);
  struct State;
  std::unique_ptr<State> state_;
};

} // namespace shm
} // namespace quadrille

#endif // QUADRILLE_SHM_H
