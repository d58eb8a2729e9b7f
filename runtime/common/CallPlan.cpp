//===- CallPlan.cpp - Finding, recording and carrying out a call's plan --===//

#include "CallParts.h"

#include "../plan/PlanText.h"

#include <cstdio>
#include <functional>
#include <string>
#include <utility>
#include <vector>

using namespace quadrille;
using namespace quadrille::detail;

/// The plan to carry out.
const std::shared_ptr<Plan> &CallBase::plan() const { return known_ ? known_->plan : plan_; }

bool CallBase::mayBeRepeated() const {
  // Longer ones would keep much memory, and gain little.
  constexpr std::size_t mostOperations = 256;
  return key_ && known_ && !plans_.observer && known_->plan->operations.size() <= mostOperations;
}

static inline Relation relationOf(const Argument &a, const Argument &b, const ElementShape &shape) {
  // The same address means the same argument also without elements, since the
  // plan holds for other lengths, too. Not if blocks have individual lengths (n
  // < 0), which may differ.
  if (a.data == b.data && a.n >= 0 && a.blocks == b.blocks && a.n == b.n)
    return Relation::Same;
  if (a.elements <= 0 || b.elements <= 0)
    return Relation::Apart;
  if (shape.dense) {
    const std::less<> isBefore;
    return isBefore(a.data, b.data + b.elements * shape.extentBytes) &&
                   isBefore(b.data, a.data + a.elements * shape.extentBytes)
               ? Relation::Overlapping
               : Relation::Apart;
  }
  const auto ends = [&](const Argument &of, const std::byte *&begin, const std::byte *&end) {
    const std::byte *first = of.data, *last = of.data + (of.elements - 1) * shape.extentBytes;
    if (shape.extentBytes < 0)
      std::swap(first, last);
    begin = first + shape.lowerBoundBytes;
    end = last + shape.lowerBoundBytes + shape.trueExtentBytes;
  };
  const std::byte *beginA = nullptr, *endA = nullptr, *beginB = nullptr, *endB = nullptr;
  ends(a, beginA, endA);
  ends(b, beginB, endB);
  return std::less<>()(beginA, endB) && std::less<>()(beginB, endA) ? Relation::Overlapping
                                                                    : Relation::Apart;
}

/// Whether receives that combine first receive into memory, and then combine.
bool CallBase::receivesFirst() const {
  return plans_.areOnlyShown() ? plans_.observer->receivesFirst() : combinesThroughMemory();
}

/// Looks for a known plan. True if there is none, and its recording has begun;
/// false if there is one, or the call has failed.
bool CallBase::beginPlan(const void *site, std::initializer_list<Index> numbers) {
  if (failure_)
    return false;
  bool mustRecord = false;
  record([&] {
    Recorder &recorder = *recorder_;
    if (recorder.isCallAsBefore(site, numbers, plans_.cache) && !plans_.areOnlyShown()) {
      known_ = recorder.before();
      return;
    }
    const Argument *const arguments = recorder.arguments.data();
    const std::size_t count = recorder.arguments.size();
    std::size_t words = count * (count + 3) / 2 + numbers.size();
    for (const auto &table : recorder.tables)
      words += static_cast<std::size_t>(table.second);
    Index *word = recorder.key.room(words);
    for (std::size_t i = 1; i < count; ++i)
      for (std::size_t j = 0; j < i; ++j)
        *word++ = static_cast<Index>(relationOf(arguments[i], arguments[j], shape_));
    for (std::size_t i = 0; i < count; ++i) {
      const Argument &argument = arguments[i];
      *word++ = argument.n < 0 ? -1 - argument.elements : argument.blocks;
      // Usually this is the length of the call, which is not part of the key.
      *word++ = argument.n < 0 || argument.n == lengthOfCall_ ? 0 : 1 + argument.n;
    }
    for (const Index number : numbers) {
      *word++ = number;
      planHint_ = planHint_ * 31 + static_cast<std::uint64_t>(number);
    }
    for (const auto &[lengths, count] : recorder.tables)
      for (Index i = 0; i < count; ++i)
        *word++ = static_cast<Index>(lengths[i]);
    if (!plans_.areOnlyShown())
      known_ = plans_.cache.find(site, planHint_, recorder.key, lengthOfCall_);
    recorder.keepCall(site, numbers, plans_.cache, known_);
    mustRecord = !known_;
    if (mustRecord)
      recorder.begin(size_);
  });
  return mustRecord;
}

void CallBase::endPlan(const void *site, Status status) {
  (void)fail(std::move(status));
  if (!recorder_ || !recorder_->isRecording())
    return;
  if (failure_) {
    (void)recorder_->end();
    return;
  }
  // Code written by hand may use buffers that requireBuffer has not checked.
  for (const Argument &argument : recorder_->arguments)
    if (argument.n >= 0)
      noteLength(argument.n);
  record([&] {
    if (plans_.observer && plans_.observer->stage() == PlanObserver::Stage::Recorded)
      plan_ = recorder_->end();
    else
      plan_ = recorder_->finish(!receivesFirst());
    if (explainsRank(rank_))
      explain();
    if (site && !plans_.areOnlyShown() && !recorder_->isSingular())
      known_ = plans_.cache.keep(site, planHint_, recorder_->key,
                                 recorder_->isExact() ? lengthOfCall() : -1, plan_);
  });
}

/// Writes the plan to standard error, in one piece.
void CallBase::explain() const {
  std::vector<const char *> names;
  for (const Argument &argument : recorder_->arguments)
    names.push_back(argument.name);
  std::string text = "plan of " + std::string(name_) + " for rank " + std::to_string(rank_) +
                     " of " + std::to_string(size_) + ": " +
                     std::to_string(plan_->operations.size()) + " operations, " +
                     std::to_string(plan_->removed) + " superfluous ones removed\n" +
                     textOf(*plan_, names);
  std::fputs(text.c_str(), stderr);
}

Status CallBase::finishPlan() {
  if (failure_)
    return failure_;
  // The temporaries of the recording are not needed any more.
  arena_.rewind(mark_);
  if (plans_.observer) {
    Status seen = plans_.observer->see(plan(), *recorder_, lengthOfCall());
    if (seen || plans_.areOnlyShown())
      return fail(std::move(seen));
  }
  if (Status bad = carryOut())
    return fail(std::move(bad));
  return {};
}

Status CallBase::finish(Status status) {
  if (!isRecording())
    return fail(std::move(status));
  endPlan(nullptr, std::move(status));
  return finishPlan();
}
