//===- quadrille/mpi.h - The MPI backend ------------------------*- C++ -*-===//
//
// Ranks are MPI processes. Any MPI 3 library serves, at any thread level.
//
//   quadrille::mpi::Communicator comm(MPI_COMM_WORLD);
//   quadrille::Status bad = scan_hypercube(comm, x, y, n, MPI_DOUBLE, MPI_SUM);
//
//===----------------------------------------------------------------------===//

#ifndef QUADRILLE_MPI_H
#define QUADRILLE_MPI_H

#include "quadrille/call.h"
#include "quadrille/calls_in_order.h"
#include "quadrille/machine.h"
#include "quadrille/math.h"
#include "quadrille/numbers.h"
#include "quadrille/request.h"

// Only MPI's C interface: the C++ bindings that some libraries still ship cause warnings in the user's compilation.
#ifndef OMPI_SKIP_MPICXX
#define OMPI_SKIP_MPICXX 1
#endif
#ifndef MPICH_SKIP_MPICXX
#define MPICH_SKIP_MPICXX 1
#endif
#include <mpi.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <vector>

namespace quadrille {
namespace mpi {

namespace detail {
struct CommunicatorState;
class Execution;
struct TestAccess;
} // namespace detail

/// Any committed MPI datatype. The handle is not owned and must stay valid.
class Datatype {
public:
  Datatype(MPI_Datatype type);

  /// The predefined MPI type of a C++ number type. For other types, commit an MPI
  /// datatype.
  template <class T> static Datatype of() {
    static_assert(std::is_arithmetic_v<T> && !std::is_same_v<T, bool>,
                  "no predefined MPI datatype");
    if constexpr (std::is_same_v<T, float>)
      return MPI_FLOAT;
    else if constexpr (std::is_same_v<T, double>)
      return MPI_DOUBLE;
    else if constexpr (std::is_same_v<T, long double>)
      return MPI_LONG_DOUBLE;
    else if constexpr (sizeof(T) == 1)
      return std::is_signed_v<T> ? MPI_INT8_T : MPI_UINT8_T;
    else if constexpr (sizeof(T) == 2)
      return std::is_signed_v<T> ? MPI_INT16_T : MPI_UINT16_T;
    else if constexpr (sizeof(T) == 4)
      return std::is_signed_v<T> ? MPI_INT32_T : MPI_UINT32_T;
    else
      return std::is_signed_v<T> ? MPI_INT64_T : MPI_UINT64_T;
  }

  MPI_Datatype handle() const { return type_; }
  bool isNull() const { return type_ == MPI_DATATYPE_NULL; }

  /// The bytes of data in an element, without gaps.
  Index sizeBytes() const { return sizeBytes_; }
  const quadrille::detail::ElementShape &shape() const { return shape_; }
  /// Whether elements lie in memory as in a message: without gaps, and in the same
  /// order.
  bool isPlain() const { return isPlain_; }
  /// Whether it is known to be one of MPI's own, which are never freed.
  bool isNamed() const { return isNamed_; }
  /// The kind of number that elements are; `Opaque` if the runtime does not compute with
  /// them itself.
  NumberKind number() const { return number_; }

private:
  MPI_Datatype type_;
  friend class Operator;
  Index sizeBytes_ = 0;
  quadrille::detail::ElementShape shape_;
  bool isNamed_ = false; ///< known to be one of MPI's own
  bool isPlain_ = true;
  NumberKind number_ = NumberKind::Opaque;
};

/// Any MPI operation, predefined or the user's. The handle is not owned and
/// must stay valid.
class Operator {
public:
  Operator(MPI_Op op);

  static Operator sum() { return MPI_SUM; }
  static Operator prod() { return MPI_PROD; }
  static Operator min() { return MPI_MIN; }
  static Operator max() { return MPI_MAX; }
  static Operator band() { return MPI_BAND; }
  static Operator bor() { return MPI_BOR; }
  static Operator bxor() { return MPI_BXOR; }
  static Operator land() { return MPI_LAND; }
  static Operator lor() { return MPI_LOR; }

  MPI_Op handle() const { return op_; }
  bool isCommutative() const { return commutative_; }
  bool isPredefined() const { return isPredefined_; }
  /// The operator, if the runtime computes it itself; else `None`.
  BuiltinOperator builtin() const { return builtin_; }

  /// False for a null handle, and for a predefined operation on a type that is
  /// not predefined, which MPI does not define.
  bool accepts(const Datatype &type) const;

private:
  MPI_Op op_;
  bool commutative_ = true;
  bool isPredefined_ = false;
  BuiltinOperator builtin_ = BuiltinOperator::None;
};

class Call;

/// An MPI communicator of the same ranks as another, without its attributes, so that
/// messages of the runtime do not mix with those of the program. All ranks must make
/// the same collective calls in the same order.
///
/// Errors of MPI are returned as ErrorCode::Transport: this communicator returns
/// errors, whatever error handler the other has. A rank that fails in a call
/// does not tell the others; those that wait for it end by the watchdog, if set.
///
/// Ranks of the same node share memory, and messages between them go through
/// that; all others through MPI. See docs/runtime.md.
class Communicator : public quadrille::detail::CallsInOrder<Communicator> {
public:
  using Call = mpi::Call;
  using Datatype = mpi::Datatype;
  using Operator = mpi::Operator;

  /// Makes a communicator of the ranks of `parent`, broadcasts what the environment of
  /// rank 0 says, and finds the ranks of the same node; collective over `parent`. Must be
  /// called after MPI_Init. Errors of MPI are not thrown: they are in `status()`, and every
  /// call on this communicator returns them. Throws std::bad_alloc.
  explicit Communicator(MPI_Comm parent);
  /// Frees the communicator, which is collective for MPI, though nothing is sent.
  /// Should be called before MPI_Finalize; after that it does nothing.
  ~Communicator();
  Communicator(const Communicator &) = delete;
  Communicator &operator=(const Communicator &) = delete;

  Index rank() const { return rank_; }
  Index size() const { return size_; }

  /// Whether a buffer is MPI_IN_PLACE. Emitted functions look for the data in the
  /// buffer of the other direction then.
  static bool isInPlace(const void *buffer) { return buffer == MPI_IN_PLACE; }

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
  /// QUADRILLE_BETA of rank 0, or `usualMpiMachine`.
  void setMachine(const MachineTimes &machine) { machine_ = machine; }
  const MachineTimes &machine() const { return machine_; }

  const Status &status() const { return status_; }
  MPI_Comm handle() const;

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

  /// Starts a thread that makes progress while this rank computes. An error if
  /// MPI was not initialized with MPI_THREAD_MULTIPLE. If the environment
  /// variable QUADRILLE_PROGRESS_THREAD is a positive number, the first `start`
  /// starts it.
  Status startProgressThread() noexcept;
  void stopProgressThread() noexcept;

private:
  friend class mpi::Call;
  friend class detail::Execution;
  friend struct detail::CommunicatorState;
  friend struct detail::TestAccess;

  Request startTask(const quadrille::detail::TaskBody &body) noexcept;
  Persistent prepareTask(const quadrille::detail::TaskBody &body) noexcept;
  friend class quadrille::detail::CallsInOrder<Communicator>;
  /// Whether `start` or `prepare` runs what makes calls now.
  bool isRecording() const noexcept;
  Status putOff(quadrille::detail::KeptBody body) noexcept;

  Index rank_ = 0, size_ = 1;
  std::atomic<Index> timeoutMs_; ///< also read by a progress thread, relaxed: nothing depends on it
  MachineTimes machine_ = usualMpiMachine;
  Status status_;
  std::unique_ptr<detail::CommunicatorState> state_;
};

/// One execution of a collective by a rank: see quadrille/call.h. The name is not
/// copied. Calls on a communicator nest like blocks. The calls of one `start`
/// count as one call for the other ranks.
class Call final : public quadrille::detail::CallBase {
public:
  /// For a collective without data, such as a barrier.
  Call(Communicator &comm, const char *name);
  /// The call fails (ErrorCode::BadParameter) if `type` is null.
  Call(Communicator &comm, const char *name, const Datatype &type);
  /// The call fails (ErrorCode::BadParameter) if `op` is not defined for `type`.
  Call(Communicator &comm, const char *name, const Datatype &type,
       const Operator &op);
  ~Call();

private:
  friend class detail::Execution;
  Call(Communicator &comm, const char *name, const Datatype &type,
       const Operator *op, quadrille::detail::Task *task);

  void copyElements(std::byte *dst, const std::byte *src, Index elements) override;
  void combineElements(std::byte *dst, const std::byte *a, const std::byte *b,
                       Index elements) override;
  Status carryOut() override;
  void noteRepeat();
  Status carryOut(quadrille::detail::Fragment &fragment) override;
  bool combinesThroughMemory() const override;

  Communicator &comm_;
  Datatype type_;
  Operator op_;
  quadrille::detail::Task *task_; ///< the task of a started call; null: a blocking call
  quadrille::detail::OpenCall open_;
  unsigned lane_ = 0;
  int tag_ = 0;
};

} // namespace mpi
} // namespace quadrille

#endif // QUADRILLE_MPI_H
