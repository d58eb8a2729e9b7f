//===- Execution.cpp - A program that one rank carries out ----------------===//

#include "Execution.h"

#include <new>

using namespace quadrille;
using namespace quadrille::detail;

/// Converts an Index for printf's %lld, since Index need not be long long.
static long long number(Index i) { return i; }

/// Sets `bound_`, and makes room for addresses and slots of the plan.
void Execution::use(BoundPlan &bound) {
  if (bound_)
    --bound_->users;
  bound_ = &bound;
  ++bound.users;
  ++programNumber_;
  bases_.assign(plan_->buffers.size(), nullptr);
  arrived_.assign(plan_->slots, 0);
}

/// Elements must have no gaps.
void Execution::placeTemporaries(Arena &arena) {
  void *const memory = arena.allocate(static_cast<std::size_t>(bound_->temporaryElements * elementBytes_));
  if (!memory)
    throw std::bad_alloc();
  for (std::size_t i = 0; i < bases_.size(); ++i)
    if (plan_->buffers[i].argument == PlanBuffer::temporary)
      bases_[i] = static_cast<std::byte *>(memory) + bound_->temporaries[i] * elementBytes_;
}

void Execution::rewind() {
  failure_ = bound_->failure;
  begin();
}

void Execution::load(const Fragment &fragment) {
  ++programNumber_;
  bases_ = fragment.bases();
  arrived_.assign(fragment.slots(), 0);
  window_.reset(fragment.program());
}

Status Execution::otherLengths(const Elements &to, const Elements &from) const {
  return Status::format(ErrorCode::Transport, "%s: rank %lld copies %lld elements to %lld",
                        name_, number(rank_), number(from.elements()), number(to.elements()));
}

Status Execution::otherLengths(const Elements &to, const Elements &left,
                               const Elements &right) const {
  return Status::format(ErrorCode::Transport,
                        "%s: rank %lld combines %lld and %lld elements into %lld", name_,
                        number(rank_), number(left.elements()), number(right.elements()),
                        number(to.elements()));
}

Status Execution::timedOut(Index timeoutMs) const {
  WaitReport report;
  StepPlace where{name_, 0, rank_};
  window_.forEachPending([&](const Operation &operation, bool) {
    if (!operation.isMessage() || (where.line != 0 && operation.line != where.line))
      return;
    where.line = operation.line;
    report.add(operation, elementsOf(operation));
  });
  return report.status(where, timeoutMs);
}
