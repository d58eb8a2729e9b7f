//===- Recorder.h - Writes down what a rank does in a call ----------------===//
//
// Private to the runtime. While a call is recorded, its regions know their
// division, its copies, combinations and steps are appended here, and nothing
// moves.
//
//===----------------------------------------------------------------------===//

#ifndef QUADRILLE_PLAN_RECORDER_H
#define QUADRILLE_PLAN_RECORDER_H

#include "PlanCache.h"
#include "Superfluous.h"

#include "quadrille/call.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <utility>
#include <vector>

namespace quadrille {
namespace detail {

/// A buffer of the call's user.
struct Argument {
  std::byte *data = nullptr;
  Index blocks = 0;
  Index n = 0;        ///< elements of every block; below 0: each has its own length
  Index elements = 0; ///< of all blocks together
  const char *name = nullptr; ///< for people
};

/// How two arguments lie to each other: a part of what a plan depends on.
enum class Relation : Index {
  Apart, ///< no element in common
  Same,  ///< the same blocks in the same memory
  Overlapping
};

class Recorder {
public:
  /// The next call begins, with elements of this shape. What the call before was
  /// like is kept, as mostly the next one is the same.
  void reset(const ElementShape &shape) {
    noted_ = 0;
    if (shape.extentBytes != shape_.extentBytes || shape.dense != shape_.dense ||
        shape.lowerBoundBytes != shape_.lowerBoundBytes ||
        shape.trueExtentBytes != shape_.trueExtentBytes) {
      arguments.clear();
      shape_ = shape;
    }
    isAsBefore_ = true;
    recording_ = exact_ = singular_ = keepsOrder_ = stepByStep_ = false;
    n_ = -1;
    tables.clear();
  }

  /// Begins to record a call among `size` ranks.
  void begin(Index size);
  bool isRecording() const { return recording_; }
  /// Ends it.
  std::unique_ptr<Plan> end();
  /// Ends it, and finds out what is superfluous, and what has to wait for what.
  /// Throws std::bad_alloc.
  std::unique_ptr<Plan> finish(bool combinesOnArrival);
  /// What `finish` made of every operation that had been recorded.
  const std::vector<Fate> &fates() const { return fates_; }

  //===--- Arguments ------------------------------------------------------===//

  /// Whether the next argument is what it was in the call before: then its checks
  /// end as they did.
  bool isNextAsBefore(const void *data, Index blocks, Index n) const {
    if (noted_ >= arguments.size())
      return false;
    const Argument &before = arguments[noted_];
    return before.data == data && before.n == n && before.blocks == blocks && n >= 0;
  }
  void noteAsBefore(const char *name) { arguments[noted_++].name = name; }
  /// Throws std::bad_alloc.
  void note(const Argument &argument) {
    isAsBefore_ = false;
    arguments.resize(noted_);
    arguments.push_back(argument);
    ++noted_;
  }
  /// All arguments have been noted. True if the call is the one before, which was
  /// made at `site`: then its plan is the same, too.
  bool isCallAsBefore(const void *site, std::initializer_list<Index> numbers,
                      const PlanCache &cache) {
    if (noted_ != arguments.size()) {
      isAsBefore_ = false;
      arguments.resize(noted_);
    }
    return isAsBefore_ && site == site_ && cache.removals() == removals_ && tables.empty() &&
           std::equal(numbers.begin(), numbers.end(), numbers_.begin(), numbers_.end());
  }
  KnownCall *before() const { return known_; }
  /// What the next call is compared with. Throws std::bad_alloc.
  void keepCall(const void *site, std::initializer_list<Index> numbers, const PlanCache &cache,
                KnownCall *known) {
    site_ = nullptr;
    if (!known || !tables.empty())
      return;
    numbers_.assign(numbers.begin(), numbers.end());
    known_ = known;
    removals_ = cache.removals();
    site_ = site;
  }

  std::vector<Argument> arguments; ///< in the order of their checks
  /// Lengths that have been checked, and their number.
  std::vector<std::pair<const std::size_t *, Index>> tables;
  /// What a plan depends on beside its function and the number of ranks.
  PlanKey key;

  /// What arrives tells that all has happened for which its sender had to wait.
  void keepOrder() { keepsOrder_ = true; }

  /// The plan holds for this n only.
  bool isExact() const { return exact_; }
  void makeExact() { exact_ = true; }
  /// The plan holds for this call only: it uses memory that it cannot name.
  bool isSingular() const { return singular_; }

  //===--- Regions --------------------------------------------------------===//

  /// `region` is all of this argument: uniform, or between these offsets.
  void attachUniform(Region &region, void *data, Index blocks, Index n);
  void attachUneven(Region &region, void *data, Index blocks, const Index *offsets);
  /// Memory of `count` blocks.
  void attachTemporary(Region &region, Index count, Index n);
  void attachTemporaryOf(Region &region, Index count, const Index *offsets);
  void attachTemporaryLike(Region &region, const Region &shape);
  void attachTemporaryBlocks(Region &region, const Region &like, Index count);
  /// What people call the temporary that `region` is; null: nothing.
  void name(const Region &region, const char *name);
  /// Whether it is of a temporary, or of an argument that was checked before.
  bool isKnown(const Region &region) const;
  /// Whether two such regions may overlap.
  bool mayOverlap(const Region &a, const Region &b) const;
  /// Whether an input overlaps an argument that is not the same.
  bool overlapsAnother(const void *data, Index blocks, Index n) const;

  //===--- Operations -----------------------------------------------------===//

  void copy(const Region &dst, const Region &src);
  void combine(const Region &dst, const Region &a, const Region &b);
  /// The same for elements that are known by where they are.
  void copyAt(std::byte *dst, std::byte *src, Index elements);
  void combineAt(std::byte *dst, std::byte *a, std::byte *b, Index elements);

  /// Messages from here on until the next other operation are of one step.
  /// `lockstep`: none of them begins before the steps before are complete.
  void beginStep(bool lockstep);
  void send(const Region *what, Index rank, int line);
  void receive(const Region *into, Index rank, int line);
  void receiveUpTo(const Region &room, Index rank, int line, Region *arrived);
  /// `throughMemory`: the message is received first, and then combined.
  void receiveCombine(const Region &dst, Index rank, Side side, int line, bool throughMemory);

private:
  std::uint32_t newBuffer(std::uint32_t argument);
  std::uint32_t argumentAt(void *data, Index blocks, Index n, Index elements,
                           const Index *offsets);
  Relation relation(std::size_t i, std::size_t j) const;
  void attach(Region &region, Divisions::Id division);
  void own(const Region &region);
  Blocks operandOf(const Region &region);
  Blocks pieceAt(std::byte *data, Index elements);
  Blocks temporaryFor(const Blocks &blocks);
  void copy(const Blocks &dst, const Blocks &src);
  void combine(const Blocks &dst, Blocks a, Blocks b);
  Operation &append(Operation::Kind kind, std::initializer_list<Blocks> operands);
  Operation &appendMessage(Operation::Kind kind, std::initializer_list<Blocks> operands,
                           Index rank, int line);

  std::size_t noted_ = 0;   ///< of the arguments; the others are of the call before
  bool isAsBefore_ = false; ///< so far
  ElementShape shape_;
  const void *site_ = nullptr; ///< of the call before; null: it is not known
  std::vector<Index> numbers_; ///< of it, as the rest
  KnownCall *known_ = nullptr;
  std::uint64_t removals_ = 0;
  bool recording_ = false, exact_ = false, singular_ = false;
  bool keepsOrder_ = false; ///< of messages
  bool stepByStep_ = false; ///< buffers overlap, so that steps keep their order
  Index n_ = -1; ///< the call's; -1: not known yet
  std::size_t knownArguments_ = 0; ///< that were checked before
  std::unique_ptr<Plan> plan_;
  std::vector<Fate> fates_;
  std::vector<std::uint32_t> bufferOfArgument_; ///< 0: none yet; else 1 + it
  /// Where the memory of a buffer is in this call, to find elements by address.
  struct Span {
    const std::byte *begin = nullptr, *end = nullptr;
    Index elementBytes = 0;
  };
  std::vector<Span> spans_;
  std::vector<std::uint32_t> sent_, received_; ///< messages so far, per rank
  std::uint32_t step_ = 0; ///< the latest
  bool lockstep_ = false;  ///< of this step
};

} // namespace detail
} // namespace quadrille

#endif // QUADRILLE_PLAN_RECORDER_H
