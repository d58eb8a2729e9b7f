//===- Call.cpp - What the calls of all backends share -------------------===//

#include "CallParts.h"

#include <utility>

using namespace quadrille;
using namespace quadrille::detail;

Nodes CallBase::nodes(const Group &group, Index origin) const { return Nodes(plans_.nodeOf, group, origin); }

CallBase::CallBase(Plans &plans, Arena &arena, const char *name, Index rank, Index size,
                   const ElementShape &shape, bool hasOperator, bool commutative,
                   bool isStarted)
    : plans_(plans), recorder_(plans.recorders.take()), arena_(arena), mark_(arena.mark()),
      name_(name), rank_(rank), size_(size), shape_(shape), hasOperator_(hasOperator),
      commutative_(commutative), isStarted_(isStarted) {
  if (!recorder_) {
    (void)fail(outOfMemory());
    return;
  }
  recorder_->reset(shape_);
}

CallBase::~CallBase() {
  // A started call still uses its memory in the arena.
  if (!isStarted_)
    arena_.rewind(mark_);
  plans_.recorders.giveBack(recorder_);
}

Status CallBase::outOfMemory() const {
  return Status::format(ErrorCode::OutOfMemory, "%s: out of memory", name_);
}

/// Whether the call is recorded. A started call always is: if it has no plan
/// yet, its recording begins here.
bool CallBase::isRecording() {
  if (isStarted_ && recorder_ && !recorder_->isRecording() && !known_ && !plan_)
    record([&] { recorder_->begin(size_); });
  return recorder_ && recorder_->isRecording();
}

Status CallBase::fail(Status status) {
  if (!failure_)
    failure_ = std::move(status);
  return failure_;
}
