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
  const std::vector<Index> &arrived() const { return arrived_; }
  const Status &status() const noexcept override { return failure_; }
  bool failed() const { return static_cast<bool>(failure_); }

protected:
  /// Begins anew, for the call `name` of a rank.
  void reset(const char *name, Index rank, Index elementBytes);

  /// The program of a plan for `n`, with the arguments of the call that
  /// `recorder` knows. `allocate(elements)` gives memory for temporaries, null if
  /// there is none. Throws std::bad_alloc; lengths that do not fit together are
  /// the program's failure.
  template <class Allocate>
  void load(std::shared_ptr<Plan> plan, Index n, const Recorder &recorder, Allocate allocate) {
    release();
    plan_ = std::move(plan);
    BoundPlan &bound = plan_->bind(n, name_, rank_);
    bound_ = &bound;
    ++bound.users;
    failure_ = bound.failure;
    std::byte *temporaries = nullptr;
    if (!failure_ && bound.temporaryElements > 0) {
      temporaries = allocate(bound.temporaryElements);
      if (!temporaries)
        throw std::bad_alloc();
    }
    load(bound, recorder, temporaries);
  }
  /// The program of one step.
  void load(const Fragment &fragment);
  /// The same program from its beginning. Throws std::bad_alloc.
  void rewind();
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
  std::vector<std::byte *> bases_; ///< of the program's buffers
  std::vector<Index> arrived_;     ///< numbers that came with messages, by slot
  Window window_;
  Status failure_;

private:
  void load(const BoundPlan &bound, const Recorder &recorder, std::byte *temporaries);
  Status otherLengths(const Elements &to, const Elements &from) const;
  Status otherLengths(const Elements &to, const Elements &left, const Elements &right) const;
};

} // namespace detail
} // namespace quadrille

#endif // QUADRILLE_PLAN_EXECUTION_H
