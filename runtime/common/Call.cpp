//===- Call.cpp - What the calls of all backends share --------------------===//

#include "quadrille/call.h"

#include "../plan/PlanText.h"
#include "../plan/Plans.h"

#include "quadrille/math.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <limits>
#include <string>
#include <utility>

using namespace quadrille;
using namespace quadrille::detail;

/// Converts an Index for printf's %lld, since Index need not be long long.
static long long number(Index i) { return i; }

Index detail::positiveFromEnvironment(const char *name) noexcept {
  const char *text = std::getenv(name);
  if (!text)
    return 0;
  char *end = nullptr;
  errno = 0;
  const long long value = std::strtoll(text, &end, 10);
  return end != text && *end == '\0' && errno == 0 && value > 0 ? value : 0;
}

/// Computes a * b for non-negative a and b. False if it overflows.
static bool multiply(Index a, Index b, Index &product) {
#if defined(__GNUC__)
  return !__builtin_mul_overflow(a, b, &product); // avoids a division, which is slow
#else
  if (a != 0 && b > std::numeric_limits<Index>::max() / a)
    return false;
  product = a * b;
  return true;
#endif
}

/// An address as a number, for arithmetic with intermediate results outside of
/// the object.
static std::uintptr_t address(const void *pointer) {
  return reinterpret_cast<std::uintptr_t>(pointer);
}

//===----------------------------------------------------------------------===//
// A call, and its plan
//===----------------------------------------------------------------------===//

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

/// Runs `what`, which uses the recorder. The call fails if there is no memory.
template <class What> void CallBase::record(What what) {
  try {
    what();
  } catch (const std::bad_alloc &) {
    (void)fail(Status::format(ErrorCode::OutOfMemory, "%s: rank %lld has no memory for its plan",
                              name_, number(rank_)));
  }
}

/// The plan to carry out.
const std::shared_ptr<Plan> &CallBase::plan() const { return known_ ? known_->plan : plan_; }

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
  const PlanObserver *const observer = plans_.observer;
  return observer ? observer->receivesFirst() : combinesThroughMemory();
}

/// Looks for a known plan. True if there is none, and its recording has begun;
/// false if there is one, or the call has failed.
bool CallBase::beginPlan(const void *site, std::initializer_list<Index> numbers) {
  if (failure_)
    return false;
  bool mustRecord = false;
  record([&] {
    Recorder &recorder = *recorder_;
    if (recorder.isCallAsBefore(site, numbers, plans_.cache) && !plans_.observer) {
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
    if (!plans_.observer)
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
    if (site && !plans_.observer && !recorder_->isSingular())
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
  if (plans_.observer)
    return fail(plans_.observer->see(plan_, *recorder_, lengthOfCall()));
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

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

Status CallBase::fail(Status status) {
  if (!failure_)
    failure_ = std::move(status);
  return failure_;
}

Status CallBase::requireSize(bool holds, const char *what) {
  if (holds || failure_)
    return failure_;
  return fail(Status::format(ErrorCode::UnsupportedSize,
                             "%s: requires %s, but p = %lld", name_, what,
                             number(size_)));
}

Status CallBase::requireBuffer(const char *name, const void *data, Index blocks,
                               std::size_t n) {
  if (failure_)
    return failure_;
  if (recorder_->isNextAsBefore(data, blocks, static_cast<Index>(n))) {
    recorder_->noteAsBefore(name);
    noteLength(static_cast<Index>(n));
    return {};
  }
  Index elements = 0, bytes = 0;
  if (blocks < 0 ||
      n > static_cast<std::size_t>(std::numeric_limits<std::ptrdiff_t>::max()) ||
      !multiply(blocks, static_cast<Index>(n), elements) ||
      !multiply(elements,
                maximum(absolute(shape_.extentBytes), shape_.trueExtentBytes),
                bytes))
    return fail(Status::format(
        ErrorCode::TooLarge,
        "%s: buffer %s of %lld blocks of %zu elements of %lld bytes is larger "
        "than the address space",
        name_, name, number(blocks), n, number(shape_.extentBytes)));
  if (!data && elements > 0)
    return fail(Status::format(
        ErrorCode::NullBuffer,
        "%s: buffer %s is null on rank %lld, but %lld blocks of %zu elements "
        "are expected there",
        name_, name, number(rank_), number(blocks), n));
  noteLength(static_cast<Index>(n));
  noteArgument(name, data, blocks, static_cast<Index>(n), elements);
  return failure_;
}

/// Notes the length of an argument's blocks. The first one is the call's
/// length.
void CallBase::noteLength(Index n) {
  longest_ = maximum(longest_, n);
  if (!hasLength_) {
    lengthOfCall_ = n;
    hasLength_ = true;
  }
}

/// Notes an argument that the plan may use.
void CallBase::noteArgument(const char *name, const void *data, Index blocks, Index n,
                            Index elements) {
  if (recorder_ && !failure_)
    record([&] {
      recorder_->note({const_cast<std::byte *>(static_cast<const std::byte *>(data)), blocks, n,
                       elements, name});
    });
}

Status CallBase::requireLengths(const char *name, const std::size_t *lengths,
                                Index count) {
  if (failure_)
    return failure_;
  if (!lengths && count > 0)
    return fail(Status::format(
        ErrorCode::NullBuffer,
        "%s: %s is null on rank %lld, but %lld lengths are expected there",
        name_, name, number(rank_), number(count)));
  const Index extent =
      maximum(absolute(shape_.extentBytes), maximum(shape_.trueExtentBytes, 1));
  const std::size_t most = static_cast<std::size_t>(
      std::numeric_limits<std::ptrdiff_t>::max() / extent);
  std::size_t sum = 0;
  for (Index i = 0; i < count; ++i) {
    if (lengths[i] > most - sum)
      return fail(Status::format(
          ErrorCode::TooLarge,
          "%s: blocks of the lengths in %s, elements of %lld bytes, are larger "
          "than the address space",
          name_, name, number(shape_.extentBytes)));
    sum += lengths[i];
    longest_ = maximum(longest_, static_cast<Index>(lengths[i]));
  }
  record([&] { recorder_->tables.emplace_back(lengths, count); });
  return failure_;
}

Status CallBase::requireElements(const char *name, const void *data, Index blocks,
                                 Index elements) {
  if (failure_)
    return failure_;
  Index bytes = 0;
  if (elements < 0 ||
      !multiply(elements,
                maximum(absolute(shape_.extentBytes), shape_.trueExtentBytes),
                bytes))
    return fail(Status::format(
        ErrorCode::TooLarge,
        "%s: buffer %s of elements of %lld bytes is larger than the address "
        "space",
        name_, name, number(shape_.extentBytes)));
  if (!data && elements > 0)
    return fail(Status::format(
        ErrorCode::NullBuffer,
        "%s: buffer %s is null on rank %lld, but %lld elements are expected "
        "there",
        name_, name, number(rank_), number(elements)));
  noteArgument(name, data, blocks, -1, elements);
  return failure_;
}

void CallBase::failTooLong() {
  (void)fail(Status::format(
      ErrorCode::TooLarge,
      "%s: blocks of rank %lld together are larger than the address space",
      name_, number(rank_)));
}

Status CallBase::requireCommutative() {
  if ((hasOperator_ && commutative_) || failure_)
    return failure_;
  return fail(Status::format(
      ErrorCode::NotCommutative,
      "%s: requires a commutative operator, but %s", name_,
      hasOperator_ ? "the operator is not commutative" : "none was given"));
}

Status CallBase::requireRoot(Index root) {
  if ((0 <= root && root < size_) || failure_)
    return failure_;
  return fail(Status::format(ErrorCode::BadRoot,
                             "%s: root %lld is not a rank in 0 ..< %lld", name_,
                             number(root), number(size_)));
}

Status CallBase::requireParameter(const char *name, Index value, bool holds,
                                  const char *what) {
  if (holds || failure_)
    return failure_;
  return fail(Status::format(ErrorCode::BadParameter,
                             "%s: requires %s, but %s = %lld", name_, what, name,
                             number(value)));
}

void CallBase::synchronizes() {
  if (recorder_)
    recorder_->keepOrder();
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

std::byte *CallBase::allocateElements(Index elements) {
  // An upper bound first, so that the exact size cannot overflow.
  const Index extent = absolute(shape_.extentBytes);
  Index bytes = 0;
  if (elements < 0 ||
      !multiply(elements, maximum(extent, 1), bytes) ||
      bytes > std::numeric_limits<std::ptrdiff_t>::max() - shape_.trueExtentBytes) {
    (void)fail(Status::format(
        ErrorCode::TooLarge,
        "%s: a temporary of %lld elements of %lld bytes is larger than the "
        "address space",
        name_, number(elements), number(extent)));
    return nullptr;
  }
  bytes = elements == 0 ? 0 : (elements - 1) * extent + shape_.trueExtentBytes;
  void *memory = arena_.allocate(static_cast<std::size_t>(bytes));
  if (!memory) {
    (void)fail(Status::format(ErrorCode::OutOfMemory,
                              "%s: rank %lld has no memory for a temporary of "
                              "%lld bytes",
                              name_, number(rank_), number(bytes)));
    return nullptr;
  }
  // Return the beginning of the first element, which need not be the lowest
  // byte.
  Index below = shape_.lowerBoundBytes;
  if (shape_.extentBytes < 0 && elements > 0)
    below -= (elements - 1) * extent;
  if (below == 0)
    return static_cast<std::byte *>(memory);
  return reinterpret_cast<std::byte *>(address(memory) -
                                       static_cast<std::uintptr_t>(below));
}

Index *CallBase::allocateIndices(Index count) {
  if (failure_)
    return nullptr;
  void *memory =
      arena_.allocate(static_cast<std::size_t>(count) * sizeof(Index));
  if (!memory)
    (void)fail(Status::format(ErrorCode::OutOfMemory,
                              "%s: rank %lld has no memory for %lld numbers",
                              name_, number(rank_), number(count)));
  return static_cast<Index *>(memory);
}

Region CallBase::argument(void *data, Index blocks, Index n) {
  Region region = Region::uniform(data, shape_.extentBytes, blocks, n);
  if (isRecording())
    record([&] { recorder_->attachUniform(region, data, blocks, n); });
  return region;
}

Region CallBase::argumentOf(void *data, Index blocks, const Index *offsets) {
  Region region = Region::uneven(data, shape_.extentBytes, blocks, offsets);
  if (isRecording() && offsets)
    record([&] { recorder_->attachUneven(region, data, blocks, offsets); });
  return region;
}

/// Whether an input overlaps another argument without being the same. False if
/// the call is not recorded: then copies check this themselves.
bool CallBase::overlapsInPart(const void *data, Index blocks, Index n) {
  return isRecording() && recorder_->overlapsAnother(data, blocks, n);
}

/// Allocates memory for `shape`. `attach(region)` tells the recorder about it.
template <class Attach> Region CallBase::allocateFor(const Region &shape, Attach attach) {
  if (shape.isBroken())
    (void)fail(Status::format(ErrorCode::OutOfMemory,
                              "%s: rank %lld has no memory for a list of blocks",
                              name_, number(rank_)));
  if (failure_)
    return shape;
  Region region = shape.at(allocateElements(shape.spanElements()));
  if (isRecording() && !failure_)
    record([&] { attach(region); });
  return region;
}

Region CallBase::named(const char *name, Region temporary) {
  if (isRecording() && !failure_)
    recorder_->name(temporary, name);
  return temporary;
}

Region CallBase::temporary(Index count, Index n) {
  return allocateFor(Region::uniform(nullptr, shape_.extentBytes, count, n),
                     [&](Region &region) { recorder_->attachTemporary(region, count, n); });
}

Region CallBase::temporaryBetween(Index count, const Index *offsets) {
  return allocateFor(Region::uneven(nullptr, shape_.extentBytes, count, offsets),
                     [&](Region &region) { recorder_->attachTemporaryOf(region, count, offsets); });
}

Region CallBase::temporaryLike(const Region &like) {
  return allocateFor(like.shape(),
                     [&](Region &region) { recorder_->attachTemporaryLike(region, like); });
}

Region CallBase::temporaryBlocks(const Region &like, Index count) {
  return allocateFor(Region::uniform(nullptr, shape_.extentBytes, count, like.longest()),
                     [&](Region &region) { recorder_->attachTemporaryBlocks(region, like, count); });
}

Region CallBase::copyOf(const Region &region) {
  Region result = temporaryLike(region);
  copy(result, region);
  return result;
}

/// The range from the lowest to the highest byte of a region that is not empty.
CallBase::Bytes CallBase::bytesOf(const Region &region) const {
  Bytes result{nullptr, nullptr};
  for (const Segment &segment : region.segments()) {
    const std::byte *first = segment.data;
    const std::byte *last = first + (segment.elements - 1) * shape_.extentBytes;
    if (shape_.extentBytes < 0)
      std::swap(first, last);
    first += shape_.lowerBoundBytes;
    last += shape_.lowerBoundBytes + shape_.trueExtentBytes;
    if (!result.begin || std::less<>()(first, result.begin))
      result.begin = first;
    if (!result.end || std::less<>()(result.end, last))
      result.end = last;
  }
  return result;
}

bool CallBase::overlap(const Region &a, const Region &b) {
  // A plan depends on which arguments overlap, but not on n.
  if (isRecording() && recorder_->isKnown(a) && recorder_->isKnown(b))
    return recorder_->mayOverlap(a, b);
  // std::less compares pointers into different objects, `<` need not.
  const Bytes x = bytesOf(a), y = bytesOf(b);
  return std::less<>()(x.begin, y.end) && std::less<>()(y.begin, x.end);
}

static bool sameMemory(const Region &a, const Region &b) {
  auto i = a.segments().begin(), j = b.segments().begin();
  const auto end = a.segments().end();
  for (; i != end && j != end; ++i, ++j)
    if (i->data != j->data || i->elements != j->elements)
      return false;
  return i == end && j == end;
}

static bool isContiguous(const Region &region) {
  auto i = region.segments().begin();
  const auto end = region.segments().end();
  return i == end || !(++i != end);
}

void CallBase::copyPieces(const Region &dst, const Region &src) {
  SegmentCursor to(dst), from(src);
  while (const Index n = minimum(to.available(), from.available())) {
    if (to.data() != from.data())
      copyElements(to.data(), from.data(), n);
    to.skip(n);
    from.skip(n);
  }
}

bool CallBase::checkCopy(const Region &dst, const Region &src) {
  if (failure_)
    return false;
  if (dst.isBroken() || src.isBroken()) {
    (void)fail(Status::format(ErrorCode::OutOfMemory,
                              "%s: rank %lld has no memory for a list of blocks",
                              name_, number(rank_)));
    return false;
  }
  const Index elements = src.elements();
  // Lengths in a plan are compared when it is bound to an n.
  if (!isRecording() && dst.elements() != elements) {
    (void)fail(Status::format(ErrorCode::Transport,
                              "%s: rank %lld copies %lld elements to %lld", name_,
                              number(rank_), number(elements),
                              number(dst.elements())));
    return false;
  }
  return true;
}

void CallBase::copy(const Region &dst, const Region &src) {
  if (!checkCopy(dst, src))
    return;
  if (isRecording())
    return record([&] { recorder_->copy(dst, src); });
  const Index elements = src.elements();
  if (elements == 0 || sameMemory(dst, src))
    return;
  if (!overlap(dst, src) ||
      (shape_.dense && isContiguous(dst) && isContiguous(src))) {
    copyPieces(dst, src);
    return;
  }
  const Arena::Mark mark = arena_.mark();
  const Region between = temporary(1, elements);
  if (!failure_) {
    copyPieces(between, src);
    copyPieces(dst, between);
  }
  arena_.rewind(mark);
}

bool CallBase::checkCombine(const Region &dst, const Region &a, const Region &b) {
  if (failure_)
    return false;
  if (dst.isBroken() || a.isBroken() || b.isBroken()) {
    (void)fail(Status::format(ErrorCode::OutOfMemory,
                              "%s: rank %lld has no memory for a list of blocks",
                              name_, number(rank_)));
    return false;
  }
  const Index elements = dst.elements();
  if (hasOperator_ && isRecording())
    return true;
  if (!hasOperator_ || a.elements() != elements || b.elements() != elements) {
    (void)fail(Status::format(
        hasOperator_ ? ErrorCode::Transport : ErrorCode::BadParameter,
        hasOperator_
            ? "%s: rank %lld combines %lld and %lld elements into %lld"
            : "%s: rank %lld combines %lld and %lld elements into %lld, but the "
              "call has no operator",
        name_, number(rank_), number(a.elements()), number(b.elements()),
        number(elements)));
    return false;
  }
  return true;
}

/// Whether writing `dst` could change `from` before it is read, so that `from`
/// must be copied first.
bool CallBase::isOverwritten(const Region &from, const Region &dst) {
  return !sameMemory(dst, from) && overlap(dst, from);
}

void CallBase::combine(const Region &dst, const Region &a, const Region &b) {
  if (!checkCombine(dst, a, b))
    return;
  if (isRecording())
    return record([&] { recorder_->combine(dst, a, b); });
  const Arena::Mark mark = arena_.mark();
  const Region first = isOverwritten(a, dst) ? copyOf(a) : a;
  const Region second = isOverwritten(b, dst) ? copyOf(b) : b;
  if (failure_)
    return;
  SegmentCursor to(dst), left(first), right(second);
  while (const Index n = minimum(
             to.available(), minimum(left.available(), right.available()))) {
    combineElements(to.data(), left.data(), right.data(), n);
    to.skip(n);
    left.skip(n);
    right.skip(n);
  }
  arena_.rewind(mark);
}

//===--- Blocks that may be empty ----------------------------------------===//

static Presence::Alike alike(const Presence *presence, const SegmentCursor &at,
                             Index stride, Index elements) {
  return presence ? presence->alike(at.data(), stride, elements)
                  : Presence::Alike{true, elements};
}

/// Copies consecutive elements, or records the copy by their addresses.
void CallBase::copyRun(std::byte *dst, std::byte *src, Index elements) {
  if (isRecording())
    record([&] { recorder_->copyAt(dst, src, elements); });
  else
    copyElements(dst, src, elements);
}

void CallBase::combineRun(std::byte *dst, std::byte *a, std::byte *b, Index elements) {
  if (isRecording())
    record([&] { recorder_->combineAt(dst, a, b, elements); });
  else
    combineElements(dst, a, b, elements);
}

/// Copies the elements that are present. `dst` and `src` are the same or do not
/// overlap.
void CallBase::copyPieces(const Region &dst, Presence *dstThere,
                          const Region &src, const Presence *srcThere) {
  const Index stride = shape_.extentBytes;
  SegmentCursor to(dst), from(src);
  while (const Index most = minimum(to.available(), from.available())) {
    const auto [there, n] = alike(srcThere, from, stride, most);
    if (there && to.data() != from.data())
      copyRun(to.data(), from.data(), n);
    if (dstThere)
      dstThere->set(to.data(), stride, n, there);
    to.skip(n);
    from.skip(n);
  }
}

void CallBase::copy(const Region &dst, Presence *dstThere, const Region &src,
                    const Presence *srcThere) {
  if (srcThere && !srcThere->any(src)) {
    if (dstThere)
      dstThere->remove(dst);
    return;
  }
  if (!checkCopy(dst, src))
    return;
  if (!isOverwritten(src, dst))
    return copyPieces(dst, dstThere, src, srcThere);
  const Arena::Mark mark = arena_.mark();
  const Region between = temporaryLike(src);
  Presence betweenThere;
  if (!failure_) {
    copyPieces(between, &betweenThere, src, srcThere);
    copyPieces(dst, dstThere, between, &betweenThere);
  }
  arena_.rewind(mark);
}

void CallBase::combine(const Region &dst, Presence *dstThere, const Region &a,
                       const Presence *aThere, const Region &b,
                       const Presence *bThere) {
  if (aThere && !aThere->any(a))
    return copy(dst, dstThere, b, bThere);
  if (bThere && !bThere->any(b))
    return copy(dst, dstThere, a, aThere);
  if (!checkCombine(dst, a, b))
    return;
  const Arena::Mark mark = arena_.mark();
  Region first = a, second = b;
  Presence firstThere, secondThere;
  const auto keep = [&](Region &operand, const Presence *&there, Presence &own) {
    if (!isOverwritten(operand, dst))
      return;
    const Region kept = temporaryLike(operand);
    if (!failure_)
      copyPieces(kept, &own, operand, there);
    operand = kept;
    there = &own;
  };
  keep(first, aThere, firstThere);
  keep(second, bThere, secondThere);
  if (failure_)
    return;
  const Index stride = shape_.extentBytes;
  SegmentCursor to(dst), left(first), right(second);
  while (const Index most = minimum(
             to.available(), minimum(left.available(), right.available()))) {
    const Presence::Alike ofLeft = alike(aThere, left, stride, most);
    const Presence::Alike ofRight = alike(bThere, right, stride, ofLeft.elements);
    const Index n = ofRight.elements;
    if (ofLeft.there && ofRight.there)
      combineRun(to.data(), left.data(), right.data(), n);
    else if (ofLeft.there && to.data() != left.data())
      copyRun(to.data(), left.data(), n);
    else if (ofRight.there && to.data() != right.data())
      copyRun(to.data(), right.data(), n);
    if (dstThere)
      dstThere->set(to.data(), stride, n, ofLeft.there || ofRight.there);
    to.skip(n);
    left.skip(n);
    right.skip(n);
  }
  arena_.rewind(mark);
}
