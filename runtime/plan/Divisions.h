//===- Divisions.h - How memory is divided into blocks, for every n -------===//
//
// Private to the runtime. While a plan is recorded, every region knows, beside
// the numbers for the n of this call, which division of which buffer it takes
// its blocks from. A plan keeps those, so that it holds for every n.
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

/// Blocks of a division: lo ..+ len, and more such ranges if there are any.
struct Blocks {
  std::uint32_t division = 0;
  /// 0: one range. Else 1 + where, among the ranges that are kept beside, their
  /// list begins: `lo` is not used then, and `len` is their number.
  std::uint32_t list = 0;
  std::int32_t lo = 0, len = 0;
};

struct BlockRange {
  std::int32_t lo, len;
};

class Divisions {
public:
  using Id = std::uint32_t;       ///< of a division; 0: none
  using LengthId = std::uint32_t; ///< of a number of elements

  /// The number of elements that the call's user gave.
  static constexpr LengthId callLength = 0;

  Divisions() { clear(); }
  void clear();

  //===--- Lengths --------------------------------------------------------===//

  LengthId fixed(Index elements);
  /// Of packet `j` of `k`.
  LengthId packet(LengthId of, Index k, Index j);
  /// As many elements as came with the message that fills `slot`.
  LengthId arrived(std::uint32_t slot);
  LengthId sum(const Blocks &blocks);
  /// The same, or how many there may be if a message will tell.
  LengthId most(const Blocks &blocks);
  /// Whether their lengths are known before the call.
  bool isKnown(const Blocks &blocks) const { return !isArriving(blocks.division); }
  LengthId ofBlock(Id division, Index block);

  //===--- Divisions ------------------------------------------------------===//

  /// A buffer of `count` blocks.
  Id uniform(std::uint32_t buffer, Index count, LengthId each);
  /// A buffer of blocks between these `count + 1` offsets, which are copied.
  Id uneven(std::uint32_t buffer, Index count, const Index *offsets);
  /// Whether its blocks are those between these offsets.
  bool areOffsets(Id division, const Index *offsets) const;
  /// A buffer for what Region::shape describes: blocks as those of `region`.
  /// Null (0) if the region's division is not known, or how much of it arrives.
  Id shapeOf(std::uint32_t buffer, const Region &region);
  /// Block `block` of `of` in k packets; 0 of 0.
  Id packets(Id of, Index block, Index k);

  /// So many elements from `from` on of the buffer that `of` divides.
  Blocks piece(Id of, Index from, LengthId elements);

  /// For Region::part, like and nothing: tells `result` where it lies.
  void partOf(const Region &region, Index first, Region &result);
  void likeOf(const Region &room, const Region &other, Region &result);
  void nothingOf(const Region &room, Region &result);
  void arrivedOf(const Region &room, std::uint32_t slot, Region &result);

  /// Whether its blocks differ in length for some n.
  bool isUneven(Id division) const {
    const Kind kind = divisions_[division].kind;
    return kind == Kind::Packets || kind == Kind::Uneven;
  }

  std::uint32_t bufferOf(Id division) const { return divisions_[division].buffer; }
  /// Where the blocks of a whole buffer end.
  Blocks whole(Id division) const;

  /// What `region` takes of which division; a division of 0 if that is not
  /// known. Throws std::bad_alloc.
  Blocks blocksOf(const Region &region);

  /// Whether they may have an element in common, for any n.
  bool mayOverlap(const Blocks &a, const Blocks &b) const;
  bool areSame(const Blocks &a, const Blocks &b) const;

  //===--- Blocks of one division as blocks of another -------------------===//

  /// Whether `a` and `b` are one range each, of as many blocks, which are as long
  /// one by one, for every n.
  bool areAlike(const Blocks &a, const Blocks &b) const;
  /// What is `blocks` in `from` is this in `to`, which are alike. None if they do
  /// not lie within it.
  std::optional<Blocks> mapped(const Blocks &blocks, const Blocks &from, const Blocks &to);
  /// Of a range, these blocks: ascending ranges of numbers from 0 on.
  Blocks selected(const Blocks &of, const std::vector<BlockRange> &ranges);
  /// The slot that tells how long they are, if one does.
  std::optional<std::uint32_t> slotOf(const Blocks &blocks) const;

  Id parentOf(Id division) const { return divisions_[division].parent; }
  Index blockOf(Id division) const { return divisions_[division].block; }
  /// Whether it divides a block of `of`, or a part of one.
  bool isWithin(Id division, Id of) const;

  /// The ranges of `blocks`.
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

  /// As `y`, `y[2]`, `y[1][0 ..< 3]`; `name` tells a buffer's.
  std::string text(const Blocks &blocks,
                   const std::function<std::string(std::uint32_t)> &name) const;

private:
  friend class Numbers;

  enum class Kind : std::uint8_t {
    Uniform, ///< blocks of one length
    Packets, ///< one length in so many parts that differ by at most one
    Uneven,  ///< blocks between given offsets
    Piece    ///< one block of its own length, anywhere in its parent
  };

  struct Division {
    Kind kind = Kind::Uniform;
    std::uint32_t buffer = 0;
    std::uint32_t depth = 0;
    Id parent = 0; ///< 0: it begins with the buffer
    Index block = 0;
    LengthId length = 0; ///< Uniform: of each block. Packets, Piece: of all
    Index parts = 0;     ///< Packets: how many
    Index shift = 0;     ///< Piece: elements behind the beginning of `block`
    Index first = 0;     ///< its block 0 is block `first` of what `kind` says
    Index origin = 0;    ///< it begins where this block of the same does
    Index count = 0;     ///< its blocks are 0 ..< count
    std::size_t offsets = 0; ///< Uneven: where theirs begin in `offsets_`
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

  std::vector<Division> divisions_; ///< [0] is none
  std::vector<Length> lengths_;
  /// Both in the order in which they were made, each after what it rests on: a
  /// division's number, or that of a length with `isLength`.
  std::vector<std::uint32_t> order_;
  static constexpr std::uint32_t isLength = 0x80000000u;
  std::vector<Index> offsets_;
  std::vector<BlockRange> lists_;
  std::map<std::tuple<Id, Index, Index>, Id> packetsOf_;
  std::map<std::tuple<LengthId, Index, Index>, LengthId> packetLengths_;
};

/// The numbers that divisions stand for, for one n.
class Numbers {
public:
  Numbers(const Divisions &divisions, Index n);

  /// In elements from the beginning of the buffer.
  Index offset(std::uint32_t division, Index block) const {
    const Extent &e = extents_[division];
    if (e.offsets)
      return e.start + e.offsets[block];
    const Index j = e.first + block;
    return e.start + j * e.quotient + (j < e.remainder ? j : e.remainder);
  }

  /// A number of elements; below 0: -1 - the slot of the message that tells.
  Index length(std::uint32_t length) const { return lengths_[length]; }
  /// The same of all blocks together.
  Index elements(const Blocks &blocks) const;

  const Divisions &divisions() const { return divisions_; }

private:
  struct Extent {
    Index start = 0, first = 0, quotient = 0, remainder = 0;
    const Index *offsets = nullptr;
    Index dynamic = 0; ///< below 0: as `length`
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
