//===- Execution.h - How programs are carried out over shared memory ---------------===//
//
// Private to runtime/shm.
//
//===----------------------------------------------------------------------===//

#ifndef QUADRILLE_SHM_EXECUTION_H
#define QUADRILLE_SHM_EXECUTION_H

#include "World.h"

#include "../channel/Straight.h"
#include "../common/Kernels.h"
#include "../plan/Execution.h"

#include <optional>

namespace quadrille {
namespace shm {
namespace detail {

/// Copies and combines consecutive elements of one type with one operator.
class ElementOperations {
public:
  ElementOperations() : type_(Datatype::opaque(0)), op_(Operator::sum()) {}
  ElementOperations(const Datatype &type, const Operator &op, quadrille::detail::Arena &arena)
      : ElementOperations() {
    set(type, op, arena);
  }

  /// Sets type and operator, and forgets failures. Cheap if type and operator
  /// stay the same.
  void set(const Datatype &type, const Operator &op, quadrille::detail::Arena &arena) {
    arena_ = &arena;
    failed_ = false;
    if (!arePrepared_ || type.kind() != type_.kind() || op.isBuiltin() != op_.isBuiltin() ||
        op.builtin_ != op_.builtin_)
      kernel_ = op.isBuiltin() ? quadrille::detail::kernel(op.builtin_, type.kind()) : nullptr;
    arePrepared_ = true;
    type_ = type;
    op_ = op;
  }

  /// Whether they were set to this type and operator; null: any.
  bool areFor(const Datatype &type, const Operator *op) const {
    return type.kind() == type_.kind() && type.sizeBytes() == type_.sizeBytes() &&
           (!op || (op->builtin_ == op_.builtin_ && op->function_ == op_.function_ &&
                    op->context_ == op_.context_ && op->commutative_ == op_.commutative_));
  }
  /// Forgets failures, and takes memory from another arena.
  void reset(quadrille::detail::Arena &arena) {
    arena_ = &arena;
    failed_ = false;
  }

  void copy(std::byte *dst, const std::byte *src, Index elements) {
    quadrille::detail::copyBytes(dst, src, static_cast<std::size_t>(elements) * type_.sizeBytes());
  }
  void combine(std::byte *dst, const std::byte *a, const std::byte *b, Index elements) {
    if (kernel_)
      kernel_(dst, a, b, static_cast<std::size_t>(elements));
    else
      combineByUser(dst, a, b, elements);
  }

  bool isBuiltin() const { return kernel_ != nullptr; }
  /// Combines with a built-in operator; else null.
  quadrille::detail::Kernel *kernel() const { return kernel_; }
  Index elementBytes() const { return static_cast<Index>(type_.sizeBytes()); }
  /// Whether memory has run out.
  bool failed() const { return failed_; }
  void forgetFailure() { failed_ = false; }

private:
  void combineByUser(std::byte *dst, const std::byte *a, const std::byte *b, Index elements);

  Datatype type_;
  Operator op_;
  quadrille::detail::Arena *arena_ = nullptr;
  quadrille::detail::Kernel *kernel_ = nullptr;
  bool arePrepared_ = false;
  bool failed_ = false;
};

/// Carries out one program on one rank.
class Execution final : public quadrille::detail::Execution {
  using Operation = quadrille::detail::Operation;
  using Elements = quadrille::detail::Elements;
  using Progress = quadrille::detail::Progress;
  using SharedWork = quadrille::detail::SharedWork;

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
  bool isStraight() const { return straight_.exists(); }
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
  void begin(Call &call);
  void beginAs(std::uint64_t sequence, unsigned lane);
  void beginAgain(std::uint64_t sequence, unsigned lane, quadrille::detail::Arena &arena);
  Status noMemory(const char *what) const;
  bool progress() { return advance(*this); }
  auto wayOf() const;
  Status repeatStraight(std::uint64_t sequence, quadrille::detail::Arena &arena);
  void goOnBehind(std::size_t done, std::uint64_t sequence, unsigned lane, quadrille::detail::Arena &arena);
  bool startStraight(quadrille::detail::Task &task, unsigned lane);
  void leaveStraight() noexcept;
  Status waitLonger(std::optional<Patience> &patience);
  Direction *turnOf(const Operation &operation);
  bool open(const Operation &operation, Direction &messages);
  Progress send(const Operation &operation);
  Progress receive(const Operation &operation);
  void take(const Operation &operation, const Elements &incoming, Channel *channel = nullptr, Tag tag = 0);
  bool takeTogether(Channel &channel, Tag tag, Index partner, const std::byte *incoming, const SharedWork::Order &order);
  void carryOutPart(const SharedWork::Order &order, const std::byte *data, Index first, Index count);
  void withdraw() noexcept;
  bool examine();
  std::int64_t checkDeadline();

  CommunicatorState *state_ = nullptr;
  std::uint64_t sequence_ = 0;
  std::uint64_t number_ = 0; ///< this execution's number in the communicator
  unsigned lane_ = 0;
  std::uint64_t turn_ = 0; ///< of the call in that lane, see turnIn
  std::size_t slots_ = 0;  ///< of the channels in that lane
  Peer *peers_ = nullptr;
  ElementOperations ops_;
  quadrille::detail::StraightProgram<Rank> straight_; ///< without steps if the program is not straight
  quadrille::detail::StraightCall started_;           ///< the call that goes through it, if that was started
  std::uint64_t abortsSeen_ = 0;
  std::uint64_t idleLooks_ = 0;  ///< looks since there was progress
  std::int64_t deadlineNs_ = 0;  ///< 0: not set since there was progress
};

} // namespace detail
} // namespace shm
} // namespace quadrille

#endif // QUADRILLE_SHM_EXECUTION_H
