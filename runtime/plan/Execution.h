//===- Execution.h - A program that one rank carries out ------------------===//
//
// Private to the runtime: the common part of the executions of both backends.
//
//===----------------------------------------------------------------------===//

#ifndef QUADRILLE_PLAN_EXECUTION_H
#define QUADRILLE_PLAN_EXECUTION_H

#include "../common/Tasks.h"
#include "../common/Transfer.h"

#include "Fragment.h"
#include "Moves.h"
#include "ObservedPort.h"
#include "Plan.h"
#include "Recorder.h"
#include "Window.h"

#include <cstddef>
#include <memory>
#include <vector>

namespace quadrille {
namespace detail {

/// A program, the memory that it works on, and its progress. Objects are kept
/// and reused, so that calls need no malloc.
class Execution : public Job {
public:
  Execution() = default;
  Execution(const Execution &) = delete;
  Execution &operator=(const Execution &) = delete;
  ~Execution() override { release(); }

  const std::vector<Index> &arrived() const { return arrived_; }
  const Status &status() const noexcept override { return failure_; }
  bool failed() const { return static_cast<bool>(failure_); }

  /// Whether an operation moves more than a few microseconds' worth of bytes.
  bool takesLong(const Operation &operation) const {
    constexpr Index few = 4096;
    return operation.operandCount > 0 && window_.program().operand(operation, 0).elements > few / (elementBytes_ > 0 ? elementBytes_ : few);
  }

  /// What an operation that is done has moved or combined.
  Index movedBytes(const Operation &operation) const {
    const bool isUpTo = operation.kind == Operation::Kind::ReceiveUpTo;
    return (isUpTo ? arrived_[operation.slot] : elementsOf(operation)) * elementBytes_;
  }

  /// Sets the flag of the call for which this execution stays ready: true as long as
  /// it is in use. Null: there is no such call, and `giveBack` returns it to the pool.
  void setHome(bool *isInUse) { isInUse_ = isInUse; }

protected:
  /// Begins anew for the call `name` of a rank.
  void reset(const char *name, Index rank, Index elementBytes) {
    name_ = name;
    rank_ = rank;
    elementBytes_ = elementBytes;
    observer_ = nullptr;
    forgetFailure();
  }

  /// Begins or continues what can go on, see Window::advance. `port` is this
  /// execution.
  template <class Port> bool advance(Port &port) {
    if (!observer_)
      return window_.advance(port);
    ObservedPort<Port> observed(port, *observer_);
    return window_.advance(observed);
  }

  /// Loads the program of `plan` for `n`, with the call's arguments in
  /// `recorder`. `allocate(elements)` returns memory for temporaries, or null
  /// if there is none. Throws std::bad_alloc; lengths that do not fit together
  /// become this execution's failure. If it was loaded with the same plan
  /// before, little has to be done.
  template <class Allocate>
  void load(const std::shared_ptr<Plan> &plan, Index n, const Recorder &recorder,
            Allocate allocate) {
    if (plan_ != plan) {
      release();
      plan_ = plan;
    }
    BoundPlan &bound = plan_->bind(n, name_, rank_);
    if (bound_ != &bound)
      use(bound);
    std::byte *temporaries = nullptr;
    if (bound.failure)
      failure_ = bound.failure;
    else if (bound.temporaryElements > 0 && !(temporaries = allocate(bound.temporaryElements)))
      throw std::bad_alloc();
    // Usually the program is the same as before, and only addresses differ.
    const PlanBuffer *const buffers = plan_->buffers.data();
    for (std::size_t i = 0; i < bases_.size(); ++i)
      bases_[i] = buffers[i].argument == PlanBuffer::temporary
                      ? temporaries + bound.temporaries[i] * elementBytes_
                      : recorder.arguments[buffers[i].argument].data;
    begin();
  }
  /// Loads the same program again, with the same arguments. Temporaries are in
  /// `arena`. Throws std::bad_alloc.
  void loadAgain(Arena &arena) {
    placeAgain(arena);
    startAgain();
  }
  /// The two parts of `loadAgain`: finds places for temporaries, which may throw; and
  /// forgets what was done.
  void placeAgain(Arena &arena) {
    if (bound_->temporaryElements > 0)
      placeTemporaries(arena);
  }
  void startAgain() {
    forgetFailure();
    if (!arrived_.empty())
      arrived_.assign(arrived_.size(), 0);
    window_.rewind();
  }
  /// Loads the program of one step.
  void load(const Fragment &fragment);
  /// Begins the same program again, with the same temporaries. Throws std::bad_alloc.
  void rewind();
  /// Whether it stays ready for its call. Then marks it as not in use.
  bool goesHome() {
    if (isInUse_)
      *isInUse_ = false;
    return isInUse_ != nullptr;
  }
  /// Gives up the plan and its numbers.
  void release() {
    if (bound_)
      --bound_->users;
    bound_ = nullptr;
    plan_.reset();
  }

  Elements elements(const Operation &operation, std::size_t i) const {
    const Program &program = window_.program();
    return Elements(program, program.operand(operation, i), bases_.data(), arrived_.data(),
                    elementBytes_);
  }
  /// The address of an operand if it is in one piece of `elements` elements; else
  /// null.
  std::byte *piece(const Operation &operation, std::size_t i, Index elements) const {
    const Operand &operand = window_.program().operand(operation, i);
    return operand.pieces == 0 && operand.elements == elements
               ? bases_[operand.buffer] + operand.offset * elementBytes_
               : nullptr;
  }
  /// The address of a message that is in one piece, has elements, and at most so
  /// many bytes; and the number of its elements. Else null.
  std::byte *shortPiece(const Operation &operation, std::size_t mostBytes, Index &count) const {
    if (operation.operandCount == 0)
      return nullptr;
    const Operand &operand = window_.program().operand(operation, 0);
    const Index most = static_cast<Index>(mostBytes);
    if (operand.pieces != 0 || operand.elements <= 0 || operand.elements > most || elementBytes_ > most ||
        operand.elements * elementBytes_ > most)
      return nullptr;
    count = operand.elements;
    return bases_[operand.buffer] + operand.offset * elementBytes_;
  }
  /// The number of elements of a message.
  Index elementsOf(const Operation &operation) const {
    return operation.operandCount > 0 ? elements(operation, 0).elements() : 0;
  }

  /// Carries out a copy or a combination. `ops` is the backend's knowledge
  /// about elements, see Moves.h.
  template <class Ops> Progress move(Ops &ops, const Operation &operation) {
    if (operation.kind == Operation::Kind::Copy) {
      // The usual case: both are in one piece, with lengths known before the
      // call.
      const Operand *const operands = window_.program().operands + operation.operands;
      const Operand &dst = operands[0], &src = operands[1];
      if (dst.pieces == 0 && src.pieces == 0 && dst.elements > 0 &&
          dst.elements == src.elements) {
        std::byte *const target = bases_[dst.buffer] + dst.offset * elementBytes_;
        const std::byte *const source = bases_[src.buffer] + src.offset * elementBytes_;
        if (target != source)
          ops.copy(target, source, dst.elements);
        return Progress::Done;
      }
    }
    const Elements to = elements(operation, 0), left = elements(operation, 1);
    if (operation.kind == Operation::Kind::Copy) {
      if (to.elements() != left.elements())
        fail(otherLengths(to, left));
      else
        copy(ops, to, left);
      return Progress::Done;
    }
    const Elements right = elements(operation, 2);
    if (to.elements() != left.elements() || to.elements() != right.elements())
      fail(otherLengths(to, left, right));
    else
      combine(ops, to, left, right);
    return Progress::Done;
  }

  void forgetFailure() {
    if (failure_)
      failure_ = {};
  }
  void fail(Status status) {
    if (!failure_)
      failure_ = std::move(status);
  }
  StepPlace place(const Operation &operation) const { return {name_, operation.line, rank_}; }

  /// The watchdog's report: the messages of the first step that is waited for.
  Status timedOut(Index timeoutMs) const;

  const char *name_ = "";
  Index rank_ = 0;
  Index elementBytes_ = 0;
  std::shared_ptr<Plan> plan_;
  BoundPlan *bound_ = nullptr; ///< the plan's numbers for the current n; null: none
  PlanObserver *observer_ = nullptr; ///< of a call that is carried out by `waitObserved`
  bool *isInUse_ = nullptr; ///< null: it is from the pool
  std::uint64_t programNumber_ = 0; ///< changes whenever the program changes
  std::vector<std::byte *> bases_; ///< the addresses of the program's buffers
  std::vector<Index> arrived_;     ///< by slot: numbers of elements that came with messages
  Window window_;
  Status failure_;

private:
  void use(BoundPlan &bound);
  void placeTemporaries(Arena &arena);
  /// Resets the program's progress to its beginning.
  void begin() {
    if (!arrived_.empty())
      arrived_.assign(arrived_.size(), 0);
    window_.reset(plan_->program(*bound_));
  }
  Status otherLengths(const Elements &to, const Elements &from) const;
  Status otherLengths(const Elements &to, const Elements &left, const Elements &right) const;
};

} // namespace detail
} // namespace quadrille

#endif // QUADRILLE_PLAN_EXECUTION_H
