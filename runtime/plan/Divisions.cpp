//===- Divisions.cpp - How memory is divided into blocks, for every n -----===//

#include "Divisions.h"

#include "quadrille/math.h"

#include <algorithm>
#include <limits>
#include <new>

using namespace quadrille;
using namespace quadrille::detail;

void Divisions::clear() {
  divisions_.assign(1, Division());
  lengths_.assign(1, Length{LengthKind::Call, 0, 0, 0, {}});
  order_.assign(1, isLength | callLength);
  offsets_.clear();
  lists_.clear();
  packetsOf_.clear();
  packetLengths_.clear();
}

std::size_t Divisions::bytes() const {
  return divisions_.capacity() * sizeof(Division) + lengths_.capacity() * sizeof(Length) +
         order_.capacity() * sizeof(std::uint32_t) + offsets_.capacity() * sizeof(Index) +
         lists_.capacity() * sizeof(BlockRange);
}

/// The text of the block or buffer that a division divides.
std::string Divisions::place(Id id,
                             const std::function<std::string(std::uint32_t)> &name) const {
  const Division &division = divisions_[id];
  if (division.parent == 0)
    return name(division.buffer);
  const Division &parent = divisions_[division.parent];
  const std::string of = place(division.parent, name);
  const std::string block =
      parent.count == 1 && parent.kind == Kind::Uniform ? of
                                                        : of + "[" + std::to_string(division.block) + "]";
  if (division.kind != Kind::Piece)
    return block;
  return block + (isArriving(id) ? "(message " + std::to_string(lengths_[division.length].a + 1) + ")"
                                 : "(part)");
}

std::string Divisions::text(const Blocks &blocks,
                            const std::function<std::string(std::uint32_t)> &name) const {
  const Division &division = divisions_[blocks.division];
  const std::string of = place(blocks.division, name);
  BlockRange one{};
  std::size_t count = 0;
  const BlockRange *list = ranges(blocks, one, count);
  if (division.kind == Kind::Piece ||
      (count == 1 && list[0].lo == 0 && list[0].len == division.count))
    return of;
  std::string result;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string first = std::to_string(list[i].lo);
    result += (i > 0 ? ", " : "") +
              (list[i].len == 1 ? first : first + " ..< " + std::to_string(list[i].lo + list[i].len));
  }
  return of + "[" + result + "]";
}

//===----------------------------------------------------------------------===//
// Lengths
//===----------------------------------------------------------------------===//

Divisions::LengthId Divisions::add(const Length &length) {
  const LengthId id = static_cast<LengthId>(lengths_.size());
  lengths_.push_back(length);
  order_.push_back(isLength | id);
  return id;
}

Divisions::LengthId Divisions::fixed(Index elements) {
  return add({LengthKind::Fixed, 0, elements, 0, {}});
}

Divisions::LengthId Divisions::packet(LengthId of, Index k, Index j) {
  if (k == 1)
    return of;
  const auto [known, isNew] = packetLengths_.try_emplace({of, k, j}, 0);
  if (isNew)
    known->second = add({LengthKind::Packet, of, k, j, {}});
  return known->second;
}

Divisions::LengthId Divisions::arrived(std::uint32_t slot) {
  return add({LengthKind::Arrived, 0, slot, 0, {}});
}

Divisions::LengthId Divisions::sum(const Blocks &blocks) {
  if (blocks.list == 0 && blocks.len == 1)
    return ofBlock(blocks.division, blocks.lo);
  return add({LengthKind::Sum, 0, 0, 0, blocks});
}

Divisions::LengthId Divisions::most(const Blocks &blocks) {
  return isKnown(blocks) ? sum(blocks) : sum(whole(divisions_[blocks.division].parent));
}

Divisions::LengthId Divisions::ofBlock(Id id, Index block) {
  const Division division = divisions_[id];
  switch (division.kind) {
  case Kind::Uniform:
  case Kind::Piece:
    return division.length;
  case Kind::Packets:
    return packet(division.length, division.parts, division.first + block);
  case Kind::Uneven: {
    const Index *at = offsets_.data() + division.offsets + division.first + block;
    return fixed(at[1] - at[0]);
  }
  }
  return callLength;
}

//===----------------------------------------------------------------------===//
// Divisions
//===----------------------------------------------------------------------===//

Divisions::Id Divisions::add(const Division &division) {
  const Id id = static_cast<Id>(divisions_.size());
  divisions_.push_back(division);
  order_.push_back(id);
  return id;
}

Divisions::Id Divisions::uniform(std::uint32_t buffer, Index count, LengthId each) {
  Division made;
  made.buffer = buffer;
  made.count = count;
  made.length = each;
  return add(made);
}

Divisions::Id Divisions::uneven(std::uint32_t buffer, Index count, const Index *offsets) {
  Division made;
  made.kind = Kind::Uneven;
  made.buffer = buffer;
  made.count = count;
  made.offsets = offsets_.size();
  offsets_.insert(offsets_.end(), offsets, offsets + count + 1);
  return add(made);
}

bool Divisions::areOffsets(Id id, const Index *offsets) const {
  const Division &division = divisions_[id];
  return division.kind == Kind::Uneven &&
         std::equal(offsets, offsets + division.count + 1, offsets_.data() + division.offsets);
}

Divisions::Id Divisions::shapeOf(std::uint32_t buffer, const Region &region) {
  const Id like = region.layout_.division;
  if (like == 0 || isArriving(like))
    return 0;
  Division made = divisions_[like];
  made.buffer = buffer;
  made.depth = 0;
  made.parent = 0;
  made.block = made.shift = 0;
  Index lowest = 0, end = 0;
  for (std::size_t i = 0; i < region.rangeCount_; ++i) {
    const Region::Range &range = region.range(i);
    lowest = i == 0 ? range.lo : minimum(lowest, range.lo);
    end = maximum(end, range.lo + range.len);
  }
  // The same cases as in Region::shape.
  made.origin = made.first + lowest;
  if (isUneven(like) && region.rangeCount_ > 1) {
    made.count = end;
  } else {
    made.first += lowest;
    made.count = region.count_;
  }
  return add(made);
}

Divisions::Id Divisions::packets(Id of, Index block, Index k) {
  if (of == 0)
    return 0;
  const auto [known, isNew] = packetsOf_.try_emplace({of, block, k}, 0);
  if (isNew) {
    const LengthId length = ofBlock(of, block);
    Division made;
    made.kind = Kind::Packets;
    made.buffer = divisions_[of].buffer;
    made.depth = divisions_[of].depth + 1;
    made.parent = of;
    made.block = block;
    made.length = length;
    made.parts = k;
    made.count = k;
    known->second = add(made);
  }
  return known->second;
}

Blocks Divisions::piece(Id of, Index from, LengthId elements) {
  Division made;
  made.kind = Kind::Piece;
  made.buffer = divisions_[of].buffer;
  made.depth = divisions_[of].depth + 1;
  made.parent = of;
  made.shift = from;
  made.count = 1;
  made.length = elements;
  return whole(add(made));
}

/// Sets the division of `result`, which is that division's only block; its
/// numbers are already set.
void Divisions::place(Region &result, Id division) {
  result.divisions_ = this;
  result.layout_.division = division;
}

void Divisions::partOf(const Region &region, Index first, Region &result) {
  const Id of = region.layout_.division;
  Division made;
  made.kind = Kind::Piece;
  made.buffer = divisions_[of].buffer;
  made.depth = divisions_[of].depth + 1;
  made.parent = of;
  made.block = region.count_ > 0 ? region.range(0).lo : 0;
  made.shift = first;
  made.count = 1;
  made.length = fixed(result.layout_.quotient);
  place(result, of == 0 ? 0 : add(made));
}

void Divisions::likeOf(const Region &room, const Region &other, Region &result) {
  partOf(room, 0, result);
  const Blocks blocks = blocksOf(other);
  if (result.layout_.division != 0 && blocks.division != 0)
    divisions_[result.layout_.division].length = sum(blocks);
  else
    result.layout_.division = 0;
  // The length was made after the division that depends on it: move the
  // division behind it.
  if (result.layout_.division != 0) {
    order_.erase(std::find(order_.rbegin(), order_.rend(), result.layout_.division).base() - 1);
    order_.push_back(result.layout_.division);
  }
}

void Divisions::nothingOf(const Region &room, Region &result) { partOf(room, 0, result); }

void Divisions::arrivedOf(const Region &room, std::uint32_t slot, Region &result) {
  partOf(room, 0, result);
  const Id made = result.layout_.division;
  if (made == 0)
    return;
  const LengthId length = arrived(slot);
  divisions_[made].length = length;
  order_.erase(std::find(order_.rbegin(), order_.rend(), made).base() - 1);
  order_.push_back(made);
}

Blocks Divisions::whole(Id division) const {
  Blocks result;
  result.division = division;
  result.len = static_cast<std::int32_t>(divisions_[division].count);
  return result;
}

Blocks Divisions::blocksOf(const Region &region) {
  Blocks result;
  result.division = region.divisions_ == this ? region.layout_.division : 0;
  constexpr Index most = std::numeric_limits<std::int32_t>::max();
  for (std::size_t i = 0; i < region.rangeCount_; ++i)
    if (region.range(i).lo + region.range(i).len > most)
      throw std::bad_alloc(); // a plan of so many blocks does not fit into memory
  if (region.rangeCount_ == 1) {
    result.lo = static_cast<std::int32_t>(region.range(0).lo);
    result.len = static_cast<std::int32_t>(region.range(0).len);
  } else if (region.rangeCount_ > 1) {
    result.list = static_cast<std::uint32_t>(lists_.size()) + 1;
    result.len = static_cast<std::int32_t>(region.rangeCount_);
    for (std::size_t i = 0; i < region.rangeCount_; ++i)
      lists_.push_back({static_cast<std::int32_t>(region.range(i).lo),
                        static_cast<std::int32_t>(region.range(i).len)});
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Which blocks have elements in common
//===----------------------------------------------------------------------===//

bool Divisions::areSame(const Blocks &a, const Blocks &b) const {
  if (a.division != b.division)
    return false;
  BlockRange oneA{}, oneB{};
  std::size_t countA = 0, countB = 0;
  const BlockRange *rangesA = ranges(a, oneA, countA);
  const BlockRange *rangesB = ranges(b, oneB, countB);
  if (countA != countB)
    return false;
  for (std::size_t i = 0; i < countA; ++i)
    if (rangesA[i].lo != rangesB[i].lo || rangesA[i].len != rangesB[i].len)
      return false;
  return true;
}

bool Divisions::mayOverlap(const Blocks &a, const Blocks &b) const {
  const Division *of[] = {&divisions_[a.division], &divisions_[b.division]};
  if (of[0]->buffer != of[1]->buffer)
    return false;
  BlockRange one[2] = {};
  std::size_t count[2] = {0, 0};
  const BlockRange *list[] = {ranges(a, one[0], count[0]), ranges(b, one[1], count[1])};
  Id id[] = {a.division, b.division};
  // Go up to the deepest division in which both lie. If the same memory is
  // divided in two ways, overlaps depend on n: the answer is yes.
  while (id[0] != id[1]) {
    const int deeper = of[0]->depth >= of[1]->depth ? 0 : 1;
    const Division &division = *of[deeper];
    if (division.kind == Kind::Piece || division.parent == 0)
      return true;
    if (count[deeper] == 0)
      return false;
    one[deeper] = {static_cast<std::int32_t>(division.block), 1};
    list[deeper] = &one[deeper];
    count[deeper] = 1;
    id[deeper] = division.parent;
    of[deeper] = &divisions_[division.parent];
  }
  for (std::size_t i = 0; i < count[0]; ++i)
    for (std::size_t j = 0; j < count[1]; ++j)
      if (list[0][i].lo < list[1][j].lo + list[1][j].len &&
          list[1][j].lo < list[0][i].lo + list[0][i].len)
        return true;
  return false;
}

//===----------------------------------------------------------------------===//
// Blocks of one division as blocks of another
//===----------------------------------------------------------------------===//

bool Divisions::areAlike(const Blocks &a, const Blocks &b) const {
  if (a.list != 0 || b.list != 0 || a.len != b.len || a.len == 0)
    return false;
  const Division &x = divisions_[a.division], &y = divisions_[b.division];
  if (x.kind != y.kind || !isKnown(a) || !isKnown(b))
    return false;
  switch (x.kind) {
  case Kind::Uniform:
  case Kind::Piece:
    return x.length == y.length;
  case Kind::Packets:
    return x.length == y.length && x.parts == y.parts && x.first + a.lo == y.first + b.lo;
  case Kind::Uneven:
    for (Index j = 0; j < a.len; ++j) {
      const Index *of = offsets_.data() + x.offsets + x.first + a.lo + j;
      const Index *with = offsets_.data() + y.offsets + y.first + b.lo + j;
      if (of[1] - of[0] != with[1] - with[0])
        return false;
    }
    return true;
  }
  return false;
}

std::optional<Blocks> Divisions::mapped(const Blocks &blocks, const Blocks &from,
                                        const Blocks &to) {
  // The divisions from that of `blocks` up to that of `from`.
  std::vector<Id> path;
  for (Id at = blocks.division; at != from.division; at = divisions_[at].parent) {
    if (divisions_[at].kind != Kind::Packets || divisions_[at].parent == 0 ||
        divisions_[at].first != 0)
      return std::nullopt;
    path.push_back(at);
  }
  BlockRange one{};
  std::size_t count = 0;
  const BlockRange *list = ranges(blocks, one, count);
  if (path.empty()) {
    std::vector<BlockRange> relative;
    for (std::size_t i = 0; i < count; ++i) {
      if (list[i].lo < from.lo || list[i].lo + list[i].len > from.lo + from.len)
        return std::nullopt;
      relative.push_back({list[i].lo - from.lo, list[i].len});
    }
    return selected(to, relative);
  }
  const Index block = divisions_[path.back()].block;
  if (block < from.lo || block >= from.lo + from.len)
    return std::nullopt;
  Id division = to.division;
  Index at = to.lo + block - from.lo;
  for (auto level = path.rbegin(); level != path.rend(); ++level) {
    const Index parts = divisions_[*level].parts;
    division = packets(division, at, parts);
    if (level + 1 != path.rend())
      at = divisions_[*(level + 1)].block;
  }
  Blocks result = blocks;
  result.division = division;
  return result;
}

Blocks Divisions::selected(const Blocks &of, const std::vector<BlockRange> &ranges) {
  Blocks result = of;
  if (ranges.size() == 1) {
    result.lo = of.lo + ranges[0].lo;
    result.len = ranges[0].len;
    return result;
  }
  result.lo = 0;
  result.list = static_cast<std::uint32_t>(lists_.size()) + 1;
  result.len = static_cast<std::int32_t>(ranges.size());
  for (const BlockRange &range : ranges)
    lists_.push_back({of.lo + range.lo, range.len});
  return result;
}

std::optional<std::uint32_t> Divisions::slotOf(const Blocks &blocks) const {
  if (!isArriving(blocks.division))
    return std::nullopt;
  return static_cast<std::uint32_t>(lengths_[divisions_[blocks.division].length].a);
}

bool Divisions::isWithin(Id division, Id of) const {
  while (division != 0 && division != of)
    division = divisions_[division].parent;
  return division == of;
}

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

Numbers::Numbers(const Divisions &divisions, Index n)
    : divisions_(divisions), lengths_(divisions.lengths_.size()),
      extents_(divisions.divisions_.size()) {
  for (const std::uint32_t next : divisions.order_)
    if (next & Divisions::isLength)
      evaluateLength(next & ~Divisions::isLength, n);
    else
      evaluateDivision(next);
}

void Numbers::evaluateLength(std::size_t i, Index n) {
  const Divisions::Length &length = divisions_.lengths_[i];
  switch (length.kind) {
  case Divisions::LengthKind::Call:
    lengths_[i] = n;
    return;
  case Divisions::LengthKind::Fixed:
    lengths_[i] = length.a;
    return;
  case Divisions::LengthKind::Packet: {
    const Index whole = lengths_[length.of];
    lengths_[i] = whole < 0 ? whole : whole / length.a + (length.b < whole % length.a ? 1 : 0);
    return;
  }
  case Divisions::LengthKind::Sum:
    lengths_[i] = elements(length.blocks);
    return;
  case Divisions::LengthKind::Arrived:
    lengths_[i] = -1 - length.a;
    return;
  }
}

void Numbers::evaluateDivision(std::size_t i) {
  const Divisions::Division &division = divisions_.divisions_[i];
  Extent &e = extents_[i];
  if (division.parent != 0)
    e.start = offset(division.parent, division.block) + division.shift;
  e.first = division.first;
  switch (division.kind) {
  case Divisions::Kind::Uniform:
  case Divisions::Kind::Piece: {
    const Index length = lengths_[division.length];
    e.quotient = length < 0 ? 0 : length;
    e.dynamic = length < 0 ? length : 0;
    break;
  }
  case Divisions::Kind::Packets: {
    const Index length = maximum(lengths_[division.length], 0);
    e.quotient = length / division.parts;
    e.remainder = length % division.parts;
    break;
  }
  case Divisions::Kind::Uneven:
    e.offsets = divisions_.offsets_.data() + division.offsets + division.first;
    e.start -= divisions_.offsets_[division.offsets + static_cast<std::size_t>(division.origin)];
    return;
  }
  e.start -= division.origin * e.quotient + minimum(division.origin, e.remainder);
}

Index Numbers::elements(const Blocks &blocks) const {
  const Index dynamic = extents_[blocks.division].dynamic;
  BlockRange one{};
  std::size_t count = 0;
  const BlockRange *ranges = divisions_.ranges(blocks, one, count);
  Index sum = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (dynamic < 0 && ranges[i].len > 0)
      return dynamic;
    sum += offset(blocks.division, ranges[i].lo + ranges[i].len) - offset(blocks.division, ranges[i].lo);
  }
  return sum;
}
