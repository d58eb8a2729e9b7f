//===- Divisions.h - How memory is divided into blocks, for every n -------===//
//
// Private to the runtime. A division describes how a buffer, or a block of
// another division, consists of blocks. While a plan is recorded, every region
// knows its division and its blocks, beside the numbers for the n of this call.
// The plan keeps divisions instead of numbers, so that it holds for every n.
//
//===----------------------------------------------------------------------===//

#ifndef QUADRILLE_PLAN_DIVISIONS_H
#define QUADRILLE_PLAN_DIVISIONS_H

#include "quadrille/index.h"
#include "quadrille/region.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace quadrille {
namespace detail {

/// Blocks of a division: lo ..+ len, or a list of such ranges.
struct Blocks {
  std::uint32_t division = 0;
  /// 0: one range. Else 1 + the index in Divisions::lists_ where the ranges
  /// begin; `len` is their number then, and `lo` is not used.
  std::uint32_t list = 0;
  std::int32_t lo = 0, len = 0;
};

struct BlockRange {
  std::int32_t lo, len;
};

class Divisions {
public:
  using Id = std::uint32_t;       ///< the number of a division; 0: none
  using LengthId = std::uint32_t; ///< the number of a length, which is a number of elements

  /// The length n that the call's user gave.
  static constexpr LengthId callLength = 0;

  Divisions() { clear(); }
  void clear();

  //===--- Lengths --------------------------------------------------------===//

  LengthId fixed(Index elements);
  /// The length of packet `j` of `k` of a block with length `of`.
  LengthId packet(LengthId of, Index k, Index j);
  /// The number of elements that arrive with the message of `slot`.
  LengthId arrived(std::uint32_t slot);
  LengthId sum(const Blocks &blocks);
  /// The sum; or if the length is that of a message, the length of its room.
  LengthId most(const Blocks &blocks);
  /// Whether the blocks' lengths are known before the call: no message gives
  /// them.
  bool isKnown(const Blocks &blocks) const { return !isArriving(blocks.division); }
  LengthId ofBlock(Id division, Index block);

  //===--- Divisions ------------------------------------------------------===//

  /// A buffer of `count` blocks.
  Id uniform(std::uint32_t buffer, Index count, LengthId each);
  /// A buffer of blocks between these `count + 1` offsets, in elements, which
  /// are copied.
  Id uneven(std::uint32_t buffer, Index count, const Index *offsets);
  /// Whether the division's blocks lie between these offsets.
  bool areOffsets(Id division, const Index *offsets) const;
  /// A buffer with blocks like those of `region`, as Region::shape describes. 0
  /// if the region's division is not known, or if a message gives its length.
  Id shapeOf(std::uint32_t buffer, const Region &region);
  /// The division of block `block` of division `of` into k packets; 0 if `of`
  /// is 0.
  Id packets(Id of, Index block, Index k);

  /// `elements` elements, beginning `from` elements behind the beginning of
  /// division `of`.
  Blocks piece(Id of, Index from, LengthId elements);

  /// For Region::part, like, nothing and arrived messages: sets the division of
  /// `result`, a part of `region` or `room`.
  void partOf(const Region &region, Index first, Region &result);
  void likeOf(const Region &room, const Region &other, Region &result);
  void nothingOf(const Region &room, Region &result);
  void arrivedOf(const Region &room, std::uint32_t slot, Region &result);

  /// Whether the blocks may differ in length.
  bool isUneven(Id division) const {
    const Kind kind = divisions_[division].kind;
    return kind == Kind::Packets || kind == Kind::Uneven;
  }

  std::uint32_t bufferOf(Id division) const { return divisions_[division].buffer; }
  /// All blocks of a division.
  Blocks whole(Id division) const;

  /// The blocks of `region`; their division is 0 if it is not known. Throws
  /// std::bad_alloc.
  Blocks blocksOf(const Region &region);

  /// Whether they may have an element in common for some n.
  bool mayOverlap(const Blocks &a, const Blocks &b) const;
  bool areSame(const Blocks &a, const Blocks &b) const;

  //===--- Blocks of one division as blocks of another -------------------===//

  /// Whether `a` and `b` are one range each of equally many blocks, and their
  /// blocks have pairwise equal lengths for every n.
  bool areAlike(const Blocks &a, const Blocks &b) const;
  /// The part of `to` that corresponds to the part `blocks` of `from`, where
  /// `from` and `to` are alike. Nothing if `blocks` does not lie in `from`, or
  /// not in a way that can be mapped.
  std::optional<Blocks> mapped(const Blocks &blocks, const Blocks &from, const Blocks &to);
  /// Some of the blocks of a range: `ranges` are ascending, and counted from 0.
  Blocks selected(const Blocks &of, const std::vector<BlockRange> &ranges);
  /// The slot of the message that gives the blocks' length, if there is one.
  std::optional<std::uint32_t> slotOf(const Blocks &blocks) const;

  Id parentOf(Id division) const { return divisions_[division].parent; }
  Index blockOf(Id division) const { return divisions_[division].block; }
  /// Whether `division` is `of`, or divides a part of it.
  bool isWithin(Id division, Id of) const;

  /// Returns the ranges of `blocks`, and sets `count`. `one` is storage for a
  /// single range.
  const BlockRange *ranges(const Blocks &blocks, BlockRange &one, std::size_t &count) const {
    if (blocks.list == 0) {
      one = {blocks.lo, blocks.len};
      count = 1;
      return &one;
    }
    count = static_cast<std::size_t>(blocks.len);
    return lists_.data() + (blocks.list - 1);
  }

  std::size_t bytes() const;

  /// The text of blocks: `y`, `y[2]`, `y[1][0 ..< 3]`. `name` returns the name
  /// of a buffer.
  std::string text(const Blocks &blocks,
                   const std::function<std::string(std::uint32_t)> &name) const;

private:
  friend class Numbers;

  enum class Kind : std::uint8_t {
    Uniform, ///< blocks of one length
    Packets, ///< a length in `parts` parts that differ by at most 1
    Uneven,  ///< blocks between given offsets
    Piece    ///< one block of its own length, anywhere in its parent
  };

  struct Division {
    Kind kind = Kind::Uniform;
    std::uint32_t buffer = 0;
    std::uint32_t depth = 0;
    Id parent = 0; ///< 0: it divides the whole buffer
    Index block = 0;
    LengthId length = 0; ///< Uniform: of each block. Packets, Piece: of all blocks together
    Index parts = 0;     ///< Packets: their number
    Index shift = 0;     ///< Piece: its offset in `block`, in elements
    Index first = 0;     ///< the number of its block 0 among the blocks that `kind` describes
    Index origin = 0;    ///< the number, among the same, of the block that lies at its beginning
    Index count = 0;     ///< the number of its blocks
    std::size_t offsets = 0; ///< Uneven: the index of its offsets in `offsets_`
  };

  enum class LengthKind : std::uint8_t { Call, Fixed, Packet, Sum, Arrived };
  struct Length {
    LengthKind kind;
    LengthId of;
    Index a, b;
    Blocks blocks;
  };

  bool isArriving(Id division) const {
    const Division &of = divisions_[division];
    return of.kind == Kind::Piece && lengths_[of.length].kind == LengthKind::Arrived;
  }
  std::string place(Id division, const std::function<std::string(std::uint32_t)> &name) const;
  Id add(const Division &division);
  LengthId add(const Length &length);
  void place(Region &result, Id division);

  std::vector<Division> divisions_; ///< [0] stands for none
  std::vector<Length> lengths_;
  /// All divisions and lengths, each after those that it depends on: the number
  /// of a division, or that of a length with the bit `isLength`.
  std::vector<std::uint32_t> order_;
  static constexpr std::uint32_t isLength = 0x80000000u;
  std::vector<Index> offsets_;
  std::vector<BlockRange> lists_;
  std::map<std::tuple<Id, Index, Index>, Id> packetsOf_;
  std::map<std::tuple<LengthId, Index, Index>, LengthId> packetLengths_;
};

/// The values of divisions and lengths for one n.
class Numbers {
public:
  Numbers(const Divisions &divisions, Index n);

  /// The offset of a block from the beginning of its buffer, in elements.
  Index offset(std::uint32_t division, Index block) const {
    const Extent &e = extents_[division];
    if (e.offsets)
      return e.start + e.offsets[block];
    const Index j = e.first + block;
    return e.start + j * e.quotient + (j < e.remainder ? j : e.remainder);
  }

  /// A length in elements; below 0: -1 - the slot of the message that gives it.
  Index length(std::uint32_t length) const { return lengths_[length]; }
  /// The length of all blocks together; below 0 in the same sense.
  Index elements(const Blocks &blocks) const;

  const Divisions &divisions() const { return divisions_; }

private:
  struct Extent {
    Index start = 0, first = 0, quotient = 0, remainder = 0;
    const Index *offsets = nullptr;
    Index dynamic = 0; ///< below 0: a message gives the length, as in `length`
  };
  void evaluateLength(std::size_t i, Index n);
  void evaluateDivision(std::size_t i);

  const Divisions &divisions_;
  std::vector<Index> lengths_;
  std::vector<Extent> extents_;
};

} // namespace detail
} // namespace quadrille

#endif // QUADRILLE_PLAN_DIVISIONS_H
