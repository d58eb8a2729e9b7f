//===- Execution.h - A program that one rank carries out ------------------===//
//
// Private to the runtime: what the backends' executions have in common.
//
//===----------------------------------------------------------------------===//

#ifndef QUADRILLE_PLAN_EXECUTION_H
#define QUADRILLE_PLAN_EXECUTION_H

#include "../common/Tasks.h"
#include "../common/Transfer.h"

#include "Fragment.h"
#include "Moves.h"
#include "Plan.h"
#include "Recorder.h"
#include "Window.h"

#include <cstddef>
#include <memory>
#include <vector>

namespace quadrille {
namespace detail {

/// A program, the memory that it works on, and how far it has come. Kept and
/// used again, so that it costs no malloc.
class Execution : public Job {
public:
  Execution() = default;
  Execution(const Execution &) = delete;
  Execution &operator=(const Execution &) = delete;
  ~Execution() override { release(); }

  const std::vector<Index> &arrived() const { return arrived_; }
  const Status &status() const noexcept override { return failure_; }
  bool failed() const { return static_cast<bool>(failure_); }

  /// The call that this execution stays ready for; null: none, and `giveBack`
  /// gives it to anybody.
  void setHome(KnownCall *home) { home_ = home; }

protected:
  /// Begins anew, for the call `name` of a rank.
  void reset(const char *name, Index rank, Index elementBytes) {
    name_ = name;
    rank_ = rank;
    elementBytes_ = elementBytes;
    if (failure_)
      failure_ = {};
  }

  /// The program of `plan` for `n`, with the arguments of the call that
  /// `recorder` knows. `allocate(elements)` gives memory for temporaries, null if
  /// there is none. Throws std::bad_alloc; lengths that do not fit together are
  /// the program's failure. What it was loaded with before, stays.
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
    // The same program as before, mostly, elsewhere.
    const PlanBuffer *const buffers = plan_->buffers.data();
    for (std::size_t i = 0; i < bases_.size(); ++i)
      bases_[i] = buffers[i].argument == PlanBuffer::temporary
                      ? temporaries + bound.temporaries[i] * elementBytes_
                      : recorder.arguments[buffers[i].argument].data;
    begin();
  }
  /// The program of one step.
  void load(const Fragment &fragment);
  /// The same program from its beginning. Throws std::bad_alloc.
  void rewind();
  /// Whether it stays ready, and for the next such call only.
  bool goesHome() {
    if (home_)
      home_->isReadyInUse = false;
    return home_ != nullptr;
  }
  /// Leaves the plan to others.
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
  /// Of a message.
  Index elementsOf(const Operation &operation) const {
    return operation.operandCount > 0 ? elements(operation, 0).elements() : 0;
  }

  /// Carries out an operation that is not a message, with the backend's knowledge
  /// of elements.
  template <class Ops> Progress move(Ops &ops, const Operation &operation) {
    if (operation.kind == Operation::Kind::Copy) {
      // Mostly both are in one piece, of a length that was known before.
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

  void fail(Status status) {
    if (!failure_)
      failure_ = std::move(status);
  }
  StepPlace place(const Operation &operation) const { return {name_, operation.line, rank_}; }

  /// The watchdog's report: of what is waited for, the first step's.
  Status timedOut(Index timeoutMs) const;

  const char *name_ = "";
  Index rank_ = 0;
  Index elementBytes_ = 0;
  std::shared_ptr<Plan> plan_;
  BoundPlan *bound_ = nullptr; ///< of the plan
  KnownCall *home_ = nullptr;
  std::uint64_t programNumber_ = 0; ///< another one with another program
  std::vector<std::byte *> bases_; ///< of the program's buffers
  std::vector<Index> arrived_;     ///< numbers that came with messages, by slot
  Window window_;
  Status failure_;

private:
  void use(BoundPlan &bound);
  /// Nothing of the program has been done.
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
