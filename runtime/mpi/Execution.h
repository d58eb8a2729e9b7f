//===- Execution.h - How programs are carried out over MPI ---------------===//
//
// Private to runtime/mpi.
//
//===----------------------------------------------------------------------===//

#ifndef QUADRILLE_MPI_EXECUTION_H
#define QUADRILLE_MPI_EXECUTION_H

#include "State.h"
#include "Steps.h"

#include "../channel/Straight.h"
#include "../common/Kernels.h"
#include "../plan/Execution.h"

#include <optional>
#include <vector>

namespace quadrille {
namespace mpi {
namespace detail {

/// Copies and combines consecutive elements of one type with one operator.
class ElementOperations {
public:
  ElementOperations() : type_(MPI_BYTE), op_(MPI_OP_NULL) {}
  ElementOperations(const Datatype &type, const Operator &op, Index rank, CommunicatorState &state,
                    quadrille::detail::Arena &arena)
      : type_(type), op_(op), rank_(rank), state_(&state), arena_(&arena),
        kernel_(quadrille::detail::kernel(op.builtin(), type.number())) {}

  /// Whether they are of this type and operator; null: any.
  bool areFor(const Datatype &type, const Operator *op) const {
    return type.handle() == type_.handle() && (!op || op->handle() == op_.handle());
  }
  /// Forgets failures, and takes memory from another arena.
  void reset(quadrille::detail::Arena &arena) {
    arena_ = &arena;
    failure_ = nullptr;
  }

  void copy(std::byte *dst, const std::byte *src, Index elements);

  /// dst := a <> b, where dst may be a or b. MPI combines if the runtime has no loop
  /// for type and operator, or if elements do not lie at multiples of their size.
  void combine(std::byte *dst, const std::byte *a, const std::byte *b, Index elements) {
    const std::uintptr_t addresses = reinterpret_cast<std::uintptr_t>(dst) | reinterpret_cast<std::uintptr_t>(a) |
                                     reinterpret_cast<std::uintptr_t>(b);
    if (kernel_ && (addresses & static_cast<std::uintptr_t>(elementBytes() - 1)) == 0)
      kernel_(dst, a, b, static_cast<std::size_t>(elements));
    else
      combineByMpi(dst, a, b, elements);
  }

  /// Copies consecutive elements to `bytes`, and back, where their data are without
  /// gaps, in the order of a message. `bytes` need not be aligned.
  void pack(std::byte *bytes, const std::byte *src, Index elements);
  void unpack(std::byte *dst, const std::byte *bytes, Index elements);

  /// Memory of the arena for elements; null, and a failure, if there is none.
  std::byte *allocate(Index elements);

  const Datatype &type() const { return type_; }
  Index elementBytes() const { return type_.shape().extentBytes; }

  /// Combines aligned elements; null: MPI combines.
  quadrille::detail::Kernel *kernel() const { return kernel_; }

  /// What failed, as a text that follows the call's name; null: nothing.
  const char *failure() const { return failure_; }
  int error() const { return error_; }
  void forgetFailure() { failure_ = nullptr; }

private:
  void combineByMpi(std::byte *dst, const std::byte *a, const std::byte *b, Index elements);
  void apply(const std::byte *in, std::byte *inout, Index count);
  template <class Part> void inParts(Index elements, const char *what, Part part);

  Datatype type_;
  Operator op_;
  Index rank_ = 0;
  CommunicatorState *state_ = nullptr;
  quadrille::detail::Arena *arena_ = nullptr;
  quadrille::detail::Kernel *kernel_ = nullptr; ///< null: MPI combines
  const char *failure_ = nullptr;
  int error_ = MPI_SUCCESS;
};

/// Carries out one program on one rank.
class Execution final : public quadrille::detail::Execution {
  using Operation = quadrille::detail::Operation;
  using Elements = quadrille::detail::Elements;
  using Progress = quadrille::detail::Progress;

public:
  /// Loads the call's plan with its arguments. Fails if there is no memory.
  Status prepare(Call &call);
  /// Loads one step.
  Status prepare(Call &call, const quadrille::detail::Fragment &fragment);

  /// Whether the program is that of a call with this type and operator; null: the
  /// call has no operator.
  bool isFor(const Datatype &type, const Operator *op) const { return ops_.areFor(type, op); }
  /// Prepares the program that is loaded so that blocking calls can repeat it.
  void straighten() noexcept;
  /// Carries out the same call, with the same arguments, as the blocking call
  /// `sequence`.
  Status repeat(std::uint64_t sequence, quadrille::detail::Arena &arena);
  /// Adds the same call to a task that is being started.
  Status repeatIn(quadrille::detail::Task &task);

  /// Carries out the program, up to its end or the first error.
  Status wait();
  /// The same, and tells an observer of all operations.
  Status waitObserved(quadrille::detail::PlanObserver &observer);

  quadrille::detail::Looked look(quadrille::detail::Look how) noexcept override;
  void end(const Status &why) noexcept override;
  Status restart(quadrille::detail::Task &task) noexcept override;
  void giveBack() noexcept override;

  // For the window.
  Progress begin(const Operation &operation);
  Progress poll(const Operation &operation);

private:
  /// The numbers of messages that have begun with a rank, in the execution
  /// `epoch`.
  struct Turns {
    std::uint64_t epoch = 0;
    std::uint32_t sent = 0, received = 0;

    std::uint32_t &of(const Operation &operation) { return operation.isSend() ? sent : received; }
  };

  struct Piece;
  class RemoteBytes;

  void begin(Call &call);
  void beginAs(std::uint64_t sequence, unsigned lane);
  void beginAgain(std::uint64_t sequence, unsigned lane, quadrille::detail::Arena &arena);
  unsigned laneOf(const quadrille::detail::Task &task) const;
  Status noMemory(const char *what) const;
  void failMpi(const Operation &operation, const char *action, int error);
  void failMoving();
  bool collect(bool isWait);
  bool progress(bool mayWait);
  Progress post(const Operation &operation);
  struct Kept;
  Kept *keptFor(const Operation &operation);
  void passToMpi(const Operation &operation, const Message &message, Kept *kept);
  void forgetRequests() noexcept;
  Turns &turnsOf(const Operation &operation);
  void carryOutSteps();
  void observeStep(const Step &step, bool isDone);
  struct Pending;
  void complete(const Pending &pending, const MPI_Status &status, int error);
  Index check(const Operation &operation, const MPI_Status &status, int error);
  std::byte *packingFor(const Elements &what, quadrille::detail::Arena &memory);
  Elements consecutive(std::byte *data, Index elements) const {
    return Elements(data, elements, elementBytes_);
  }
  void cancel() noexcept;
  void cancelRequests() noexcept;
  void checkDeadline();
  Status waitInSteps();

  // Messages through the memory of the node: OnNode.h.
  NodePeer *peerOf(const Operation &operation) {
    NodePeer *const peer = peers_ ? &peers_[operation.partner] : nullptr;
    return peer && peer->place != NodePeer::byMpi ? peer : nullptr;
  }
  bool isTurnOf(const Operation &operation, NodePeer &peer);
  Progress send(const Operation &operation, NodePeer &peer);
  Progress continueSending(const Operation &operation, NodePeer &peer);
  Progress receive(const Operation &operation, NodePeer &peer);
  Progress receiveInline(const Operation &operation, NodePeer &peer, std::size_t at);
  Progress receiveFromMemory(const Operation &operation, NodePeer &peer, std::size_t at);
  quadrille::detail::SharedWork::Order orderOf(const Operation &operation, const NodePeer &peer, const quadrille::detail::Slot::Long &message,
                                               const Transfer &transfer);
  std::byte *roomFor(Index bytes) noexcept;
  bool takeTogether(NodePeer &peer, quadrille::detail::Channel &channel, quadrille::detail::Tag tag,
                    const std::byte *from, const quadrille::detail::SharedWork::Order &order);
  void helpReceiver(const Operation &operation, NodePeer &peer, quadrille::detail::Channel &channel, quadrille::detail::Tag tag);
  /// into := incoming <> own, or own <> incoming; of aligned elements, by a built-in operator.
  void combineInOrder(std::byte *into, const std::byte *incoming, const std::byte *own, Side side, Index count) {
    if (side == Side::Left)
      ops_.combine(into, incoming, own, count);
    else
      ops_.combine(into, own, incoming, count);
  }
  Progress continueReceiving(const Operation &operation, NodePeer &peer);
  Progress consumed(const Operation &operation, NodePeer &peer);
  void ring(const NodePeer &peer) { node_->at(peer.place).bell.ring(); }
  bool expects(const Operation &operation, Index elements, Index elementBytes);
  bool mustPack(const Operation &operation, Index elementBytes, Index bytes) const;
  void deliver(const Operation &operation, Transfer &transfer, std::byte *data, Index bytes);
  void deliverPacked(const Operation &operation, Transfer &transfer);
  void fill(const Operation &operation, Transfer &transfer, std::byte *cell);
  bool waitsOnNode(const Operation &operation, bool isUnderWay, NodePeer *&peer);
  bool examine();
  Status hasEnded(const Operation &operation, const NodePeer &peer) const;
  void withdraw() noexcept;
  auto wayOf() const;
  Status repeatStraight(std::uint64_t sequence, quadrille::detail::Arena &arena);
  void goOnBehind(std::size_t done, std::uint64_t sequence, unsigned lane, quadrille::detail::Arena &arena);
  bool startStraight(quadrille::detail::Task &task, unsigned lane);
  void leaveStraight() noexcept;
  Status waitOnNode();
  Status waitLongerOnNode(std::optional<quadrille::detail::Patience> &waited);

  CommunicatorState *state_ = nullptr;
  const Communicator *comm_ = nullptr;
  std::uint64_t sequence_ = 0;
  int tag_ = 0;
  Node *node_ = nullptr;       ///< null: all goes through MPI
  NodePeer *peers_ = nullptr;  ///< per rank of the communicator, if there is a node
  std::uint64_t turn_ = 0;     ///< of the call in its lane, see turnIn
  std::size_t slots_ = 0;      ///< of the channels of the node in its lane
  std::uint64_t number_ = 0;   ///< this execution's number in the communicator
  /// For calls that are repeated on the node; without steps if the program is not
  /// straight.
  quadrille::detail::StraightProgram<quadrille::detail::NodeRank> straight_;
  quadrille::detail::StraightCall started_; ///< the call that goes through it, if that was started
  std::uint64_t idleLooks_ = 0; ///< looks since there was progress
  double nextRollCall_ = 0;    ///< when to look which processes have ended, in seconds
  quadrille::detail::Arena *arena_ = nullptr;
  ElementOperations ops_;

  /// The request of a message in all starts of a persistent call.
  struct Kept {
    MPI_Request request = MPI_REQUEST_NULL; ///< null: it has not been needed yet
    std::byte *packed = nullptr;            ///< see Pending

    bool isMade() const { return request != MPI_REQUEST_NULL; }
  };
  struct Pending {
    const Operation *operation;
    std::byte *packed; ///< its elements, one after the other; null: in the program's buffer
    Kept *kept;        ///< whose request it is; null: it is one for this run only
  };
  std::vector<MPI_Request> requests_;
  std::vector<Pending> pending_; ///< what these are
  std::vector<Kept> kept_;           ///< per operation; empty: requests are not kept
  quadrille::detail::Arena keptPacking_; ///< of messages whose requests are kept
  quadrille::detail::Arena packing_; ///< of the messages that are packed in this run
  std::size_t packedBytes_ = 0;      ///< of these
  std::vector<MPI_Status> statuses_;
  std::vector<int> finished_;
  /// Per operation: whether MPI has completed it.
  std::vector<bool> ended_;
  Steps steps_;              ///< of the program, once they were needed
  std::vector<Turns> turns_; ///< per rank
  std::uint64_t epoch_ = 0;
  double deadline_ = 0; ///< of the watchdog, in seconds; 0: not set since there was progress
};

} // namespace detail
} // namespace mpi
} // namespace quadrille

#endif // QUADRILLE_MPI_EXECUTION_H
