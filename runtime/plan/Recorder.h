//===- Recorder.h - Writes down what a rank does in a call ----------------===//
//
// Private to the runtime. While a call is recorded, its regions know their
// divisions, and its copies, combinations and messages are appended to a plan
// instead of being carried out.
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

/// A buffer that the call's user passes.
struct Argument {
  std::byte *data = nullptr;
  Index blocks = 0;
  Index n = 0;        ///< elements per block; below 0: blocks have lengths of their own
  Index elements = 0; ///< in all blocks together
  const char *name = nullptr; ///< for explanations
};

/// How the memory of two arguments is related. A plan depends on it.
enum class Relation : Index {
  Apart, ///< no element in common
  Same,  ///< the same blocks in the same memory
  Overlapping
};

class Recorder {
public:
  /// Begins the next call, with elements of this shape. Data of the call before
  /// is kept for comparison, since the next call is mostly the same.
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

  /// Begins to record a call on `size` ranks.
  void begin(Index size);
  bool isRecording() const { return recording_; }
  /// Ends the recording; the plan is as recorded.
  std::unique_ptr<Plan> end();
  /// Ends the recording, removes superfluous operations and finds dependences.
  /// Throws std::bad_alloc.
  std::unique_ptr<Plan> finish(bool combinesOnArrival);
  /// The fate of every recorded operation in `finish`.
  const std::vector<Fate> &fates() const { return fates_; }

  //===--- Arguments ------------------------------------------------------===//

  /// Whether the next argument is the same as in the call before: then it
  /// passes the same checks.
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
  /// Called when all arguments have been noted. Whether the call equals the
  /// call before, of the same function `site`: then it has the same plan.
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
  /// Stores this call, for comparison with the next one. Throws std::bad_alloc.
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
  /// Tables of lengths that have been checked, with their sizes.
  std::vector<std::pair<const std::size_t *, Index>> tables;
  /// The numbers on which the plan depends, beside its function and the number
  /// of ranks.
  PlanKey key;

  /// Makes sends wait for all earlier receives, so that a message signals that
  /// all has happened for which its sender had to wait.
  void keepOrder() { keepsOrder_ = true; }

  /// The plan holds for this n only.
  bool isExact() const { return exact_; }
  void makeExact() { exact_ = true; }
  /// Whether the plan holds for this call only, because it uses memory that is
  /// no argument and no temporary.
  bool isSingular() const { return singular_; }

  //===--- Regions --------------------------------------------------------===//

  /// Tells the recorder that `region` is a whole argument: with blocks of n
  /// elements, or between these offsets.
  void attachUniform(Region &region, void *data, Index blocks, Index n);
  void attachUneven(Region &region, void *data, Index blocks, const Index *offsets);
  /// Tells the recorder that `region` is a new temporary of `count` blocks, or
  /// with blocks like those of another region.
  void attachTemporary(Region &region, Index count, Index n);
  void attachTemporaryOf(Region &region, Index count, const Index *offsets);
  void attachTemporaryLike(Region &region, const Region &shape);
  void attachTemporaryBlocks(Region &region, const Region &like, Index count);
  /// Gives the temporary `region` a name for explanations; null: none.
  void name(const Region &region, const char *name);
  /// Whether the region belongs to a temporary, or to an argument that was
  /// checked before the recording.
  bool isKnown(const Region &region) const;
  /// Whether two such regions may overlap. Decided by their buffers.
  bool mayOverlap(const Region &a, const Region &b) const;
  /// Whether the given input partly overlaps another argument.
  bool overlapsAnother(const void *data, Index blocks, Index n) const;

  //===--- Operations -----------------------------------------------------===//

  void copy(const Region &dst, const Region &src);
  void combine(const Region &dst, const Region &a, const Region &b);
  /// The same for elements that are given by their addresses.
  void copyAt(std::byte *dst, std::byte *src, Index elements);
  void combineAt(std::byte *dst, std::byte *a, std::byte *b, Index elements);

  /// Begins a step, to which the following messages belong. `lockstep`: none of
  /// them begins before all earlier steps are complete.
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

  std::size_t noted_ = 0;   ///< arguments of this call; the rest are the call before's
  bool isAsBefore_ = false; ///< whether the call equals the call before so far
  ElementShape shape_;
  const void *site_ = nullptr; ///< the function of the call before; null: unknown
  std::vector<Index> numbers_; ///< of the call before, like the next two
  KnownCall *known_ = nullptr;
  std::uint64_t removals_ = 0;
  bool recording_ = false, exact_ = false, singular_ = false;
  bool keepsOrder_ = false; ///< see keepOrder()
  bool stepByStep_ = false; ///< buffers overlap, so all steps keep their order
  Index n_ = -1; ///< the call's n; -1: not known yet
  std::size_t knownArguments_ = 0; ///< how many arguments were checked before the recording
  std::unique_ptr<Plan> plan_;
  std::vector<Fate> fates_;
  std::vector<std::uint32_t> bufferOfArgument_; ///< by argument: 1 + its buffer; 0: none yet
  /// The memory of a buffer in this call, used to find elements by address.
  struct Span {
    const std::byte *begin = nullptr, *end = nullptr;
    Index elementBytes = 0;
  };
  std::vector<Span> spans_;
  std::vector<std::uint32_t> sent_, received_; ///< by rank: the number of messages so far
  std::uint32_t step_ = 0; ///< the number of the latest step
  bool lockstep_ = false;  ///< whether the latest step is in lockstep
};

} // namespace detail
} // namespace quadrille

#endif // QUADRILLE_PLAN_RECORDER_H
