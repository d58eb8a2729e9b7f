//===- Superfluous.cpp - Copies that only change a name -------------------===//

#include "Superfluous.h"

#include <algorithm>
#include <optional>

using namespace quadrille;
using namespace quadrille::detail;

namespace {

class Remover {
public:
  Remover(Plan &plan, std::vector<Fate> &fates) : plan_(plan), fates_(fates) {
    fates_.assign(plan.operations.size(), Fate::Kept);
  }

  void run(bool combinesOnArrival);

private:
  using Kind = Operation::Kind;

  /// Bounds the work: all passes together look at operations at most this many
  /// times the number of operations.
  static constexpr std::size_t effort = 64;

  Divisions &divisions() { return plan_.divisions; }
  Operation &at(std::size_t i) { return plan_.operations[i]; }
  std::size_t count() const { return plan_.operations.size(); }
  Blocks &operand(const Operation &of, std::size_t i) { return plan_.operands[of.operands + i]; }
  bool overlap(const Blocks &a, const Blocks &b) { return divisions().mayOverlap(a, b); }
  bool isTemporary(const Blocks &blocks) {
    return plan_.buffers[divisions().bufferOf(blocks.division)].argument == PlanBuffer::temporary;
  }
  /// Whether the operation may read (write) some of `blocks`.
  bool reads(const Operation &of, const Blocks &blocks);
  bool writes(const Operation &of, const Blocks &blocks);
  bool isRemoved(std::size_t i) const { return fates_[i] > Fate::Narrowed; }
  bool spend() { return spent_++ < effort * (count() + 64); }

  bool mayRead(std::size_t i, const Blocks &blocks);
  void forwardCopy(std::size_t i);
  void writeThrough(std::size_t i);
  void rename(std::size_t i);
  void combineOnArrival(std::size_t i);

  Plan &plan_;
  std::vector<Fate> &fates_;
  std::vector<std::size_t> uses_; ///< per slot: the number of operands whose length it gives
  std::size_t spent_ = 0;
};

} // namespace

bool Remover::reads(const Operation &of, const Blocks &blocks) {
  for (std::size_t k = 0; k < of.operandCount; ++k)
    if (of.reads(k) && overlap(operand(of, k), blocks))
      return true;
  return false;
}

bool Remover::writes(const Operation &of, const Blocks &blocks) {
  return of.operandCount > 0 && of.writes(0) && overlap(operand(of, 0), blocks);
}

//===----------------------------------------------------------------------===//
// Forwarding: readers of a copy's target read its source
//===----------------------------------------------------------------------===//

namespace {

/// Tracks which blocks of a copy's target have been overwritten since the copy,
/// by division.
class Overwritten {
public:
  Overwritten(const Divisions &divisions, const Blocks &target)
      : divisions_(divisions), target_(target) {}

  enum class State { Copied, Gone, Mixed };

  /// Whether `blocks`, a part of the target, still hold what was copied
  /// (Copied), nothing of it (Gone), or it is not known (Mixed).
  State of(const Blocks &blocks) const {
    bool someGone = false, someLeft = false;
    for (Divisions::Id division = blocks.division; division != 0;) {
      if (division == blocks.division) {
        BlockRange one{};
        std::size_t count = 0;
        const BlockRange *ranges = divisions_.ranges(blocks, one, count);
        for (std::size_t i = 0; i < count; ++i)
          for (std::int32_t j = ranges[i].lo; j < ranges[i].lo + ranges[i].len; ++j)
            (isGone(division, j) ? someGone : someLeft) = true;
      }
      if (division == target_.division)
        break;
      const Divisions::Id parent = divisions_.parentOf(division);
      const Entry *above = find(parent);
      if (above && above->gone[static_cast<std::size_t>(divisions_.blockOf(division))])
        return State::Gone;
      division = parent;
    }
    // Other divisions of the same memory or of parts of it.
    for (const Entry &entry : entries_)
      if (entry.division != blocks.division && entry.count > 0 &&
          !divisions_.isWithin(blocks.division, entry.division) &&
          !(entry.isComplete() && divisions_.parentOf(entry.division) == blocks.division) &&
          divisions_.mayOverlap(blocks, divisions_.whole(entry.division)))
        return State::Mixed;
    return !someGone ? State::Copied : someLeft ? State::Mixed : State::Gone;
  }

  /// Marks blocks as overwritten; false if there are too many divisions to
  /// track.
  bool add(const Blocks &blocks) {
    Entry *entry = find(blocks.division);
    if (!entry) {
      if (entries_.size() >= mostDivisions)
        return false;
      entries_.push_back({blocks.division, {}, 0});
      entry = &entries_.back();
      entry->gone.assign(
          static_cast<std::size_t>(divisions_.whole(blocks.division).len), false);
    }
    BlockRange one{};
    std::size_t count = 0;
    const BlockRange *ranges = divisions_.ranges(blocks, one, count);
    for (std::size_t i = 0; i < count; ++i)
      for (std::int32_t j = ranges[i].lo; j < ranges[i].lo + ranges[i].len; ++j) {
        auto &&gone = entry->gone[static_cast<std::size_t>(j)];
        entry->count += !gone;
        gone = true;
      }
    return true;
  }

  /// Whether all of the target's block `block` has been overwritten.
  bool isGone(std::int32_t block) const { return isGone(target_.division, block); }

private:
  static constexpr std::size_t mostDivisions = 8;
  struct Entry {
    Divisions::Id division;
    std::vector<bool> gone;
    std::size_t count; ///< how many blocks are gone
    bool isComplete() const { return count == gone.size(); }
  };
  bool isGone(Divisions::Id division, std::int32_t block) const {
    const Entry *own = find(division);
    if (own && own->gone[static_cast<std::size_t>(block)])
      return true;
    for (const Entry &entry : entries_)
      if (entry.isComplete() && divisions_.parentOf(entry.division) == division &&
          divisions_.blockOf(entry.division) == block)
        return true;
    return false;
  }
  const Entry *find(Divisions::Id division) const {
    for (const Entry &entry : entries_)
      if (entry.division == division)
        return &entry;
    return nullptr;
  }
  Entry *find(Divisions::Id division) {
    return const_cast<Entry *>(std::as_const(*this).find(division));
  }

  const Divisions &divisions_;
  Blocks target_;
  std::vector<Entry> entries_;
};

} // namespace

/// Whether operation `i` may read `blocks` instead of one of its operands. Its
/// target has to be the same or lie apart. And no operation of its step may write
/// them: that would add a wait within the step, while other ranks may rely on all
/// of its messages being begun.
bool Remover::mayRead(std::size_t i, const Blocks &blocks) {
  const Operation &operation = at(i);
  if (writes(operation, blocks) && !divisions().areSame(operand(operation, 0), blocks))
    return false;
  if (operation.step == 0)
    return true;
  const auto isOfStep = [&](std::size_t j) { return at(j).step == operation.step; };
  for (std::size_t j = i + 1; j < count() && isOfStep(j); ++j)
    if (++spent_; writes(at(j), blocks))
      return false;
  for (std::size_t j = i; j-- > 0 && isOfStep(j);)
    if (++spent_; writes(at(j), blocks))
      return false;
  return true;
}

void Remover::forwardCopy(std::size_t i) {
  const Blocks dst = operand(at(i), 0), src = operand(at(i), 1);
  if (!divisions().areAlike(dst, src))
    return;
  Overwritten overwritten(divisions(), dst);
  std::vector<bool> needed(static_cast<std::size_t>(dst.len), false);
  std::vector<std::pair<std::size_t, Blocks>> replaced; // operands, by number
  bool sourceLasts = true, isTraceable = true;
  const auto need = [&](const Blocks &what) {
    spent_ += static_cast<std::size_t>(dst.len);
    for (std::int32_t j = 0; j < dst.len; ++j)
      if (!needed[static_cast<std::size_t>(j)]) {
        Blocks block = dst;
        block.lo = dst.lo + j;
        block.len = 1;
        if (overlap(what, block))
          needed[static_cast<std::size_t>(j)] = true;
      }
  };
  for (std::size_t j = i + 1; j < count(); ++j) {
    if (isRemoved(j))
      continue;
    if (!spend())
      return;
    const Operation &operation = at(j);
    for (std::size_t k = 0; k < operation.operandCount; ++k) {
      const Blocks &read = operand(operation, k);
      if (!operation.reads(k) || !overlap(read, dst))
        continue;
      const std::optional<Blocks> instead = divisions().mapped(read, dst, src);
      const Overwritten::State state =
          instead && isTraceable ? overwritten.of(read) : Overwritten::State::Mixed;
      if (state == Overwritten::State::Gone)
        continue;
      if (state == Overwritten::State::Copied && sourceLasts && mayRead(j, *instead))
        replaced.emplace_back(operation.operands + k, *instead);
      else
        need(read);
    }
    if (operation.operandCount == 0 || !operation.writes(0))
      continue;
    const Blocks &written = operand(operation, 0);
    if (overlap(written, src))
      sourceLasts = false;
    if (!overlap(written, dst))
      continue;
    // The length of such a message is not known: it may leave a part unchanged.
    if (operation.kind == Kind::ReceiveUpTo || !divisions().mapped(written, dst, src))
      isTraceable = false;
    else if (!overwritten.add(written))
      return;
  }
  for (const auto &[index, instead] : replaced)
    plan_.operands[index] = instead;
  std::vector<BlockRange> left;
  for (std::int32_t j = 0; j < dst.len; ++j) {
    const bool isResult = !isTemporary(dst) && !overwritten.isGone(dst.lo + j);
    if (!needed[static_cast<std::size_t>(j)] && !isResult)
      continue;
    if (!left.empty() && left.back().lo + left.back().len == j)
      ++left.back().len;
    else
      left.push_back({j, 1});
  }
  if (left.empty()) {
    fates_[i] = Fate::Forwarded;
    return;
  }
  if (left.size() != 1 || left.front().len != dst.len)
    fates_[i] = Fate::Narrowed;
  operand(at(i), 0) = divisions().selected(dst, left);
  operand(at(i), 1) = divisions().selected(src, left);
}

//===----------------------------------------------------------------------===//
// Writing through: the writer of a temporary writes the target of its copy
//===----------------------------------------------------------------------===//

void Remover::writeThrough(std::size_t i) {
  const Blocks dst = operand(at(i), 0), src = operand(at(i), 1);
  if (!isTemporary(src) || !divisions().isKnown(src))
    return;
  // No later operation may read the temporary.
  for (std::size_t j = i + 1; j < count(); ++j) {
    if (!spend() || (!isRemoved(j) && reads(at(j), src)))
      return;
    if (!isRemoved(j) && at(j).operandCount > 0 && at(j).writes(0) &&
        at(j).kind != Kind::ReceiveUpTo && divisions().areSame(operand(at(j), 0), src))
      break;
  }
  for (std::size_t j = i; j-- > 0;) {
    if (isRemoved(j))
      continue;
    if (!spend())
      return;
    Operation &writer = at(j);
    if (writes(writer, src)) {
      if (writer.kind == Kind::ReceiveUpTo || !divisions().areSame(operand(writer, 0), src))
        return;
      // Its operands must be the same as the new target, or lie apart from it.
      for (std::size_t k = 1; k < writer.operandCount; ++k)
        if (overlap(operand(writer, k), dst) && !divisions().areSame(operand(writer, k), dst))
          return;
      // No earlier operation of the same step may use the new target.
      for (std::size_t k = j; writer.step != 0 && k-- > 0 && at(k).step == writer.step;)
        if (!isRemoved(k) && (reads(at(k), dst) || writes(at(k), dst)))
          return;
      operand(writer, 0) = dst;
      fates_[i] = Fate::WrittenThrough;
      return;
    }
    if (reads(writer, src) || reads(writer, dst) || writes(writer, dst))
      return;
  }
}

/// If a temporary is copied as a whole to a target that was not used before and
/// is not written later, the target replaces it everywhere.
void Remover::rename(std::size_t i) {
  const Blocks dst = operand(at(i), 0), src = operand(at(i), 1);
  if (!isTemporary(src) || isTemporary(dst) || !divisions().areAlike(dst, src) ||
      !divisions().areSame(src, divisions().whole(src.division)) ||
      divisions().parentOf(src.division) != 0)
    return;
  std::vector<std::pair<std::size_t, Blocks>> renamed; // operands, by number
  for (std::size_t j = 0; j < count(); ++j) {
    if (isRemoved(j) || j == i)
      continue;
    if (!spend())
      return;
    const Operation &operation = at(j);
    if (j < i && (reads(operation, dst) || writes(operation, dst)))
      return;
    if (j > i && (writes(operation, dst) || writes(operation, src)))
      return;
    for (std::size_t k = 0; k < operation.operandCount; ++k) {
      const Blocks &now = operand(operation, k);
      if (!overlap(now, src))
        continue;
      const std::optional<Blocks> instead = divisions().mapped(now, src, dst);
      if (!instead)
        return;
      renamed.emplace_back(operation.operands + k, *instead);
    }
  }
  for (const auto &[index, instead] : renamed)
    plan_.operands[index] = instead;
  fates_[i] = Fate::Renamed;
}

//===----------------------------------------------------------------------===//
// Combining messages on arrival
//===----------------------------------------------------------------------===//

void Remover::combineOnArrival(std::size_t i) {
  Operation &receive = at(i);
  if (receive.operandCount == 0 || !isTemporary(operand(receive, 0)))
    return;
  const Blocks room = operand(receive, 0);
  std::size_t combine = i + 1;
  for (; combine < count(); ++combine) {
    if (isRemoved(combine))
      continue;
    if (!spend())
      return;
    if (writes(at(combine), room))
      return;
    if (reads(at(combine), room))
      break;
  }
  if (combine == count() || at(combine).kind != Kind::Combine)
    return;
  const Blocks dst = operand(at(combine), 0);
  // Whether `blocks` is exactly the message: its length is that of the
  // message's slot, or it is the whole operand.
  const auto isMessage = [&](const Blocks &blocks) {
    return receive.kind == Kind::ReceiveUpTo ? overlap(blocks, room) && divisions().slotOf(blocks) == receive.slot
                                             : divisions().areSame(blocks, room);
  };
  // No other operand may have the message's length.
  if (receive.kind == Kind::ReceiveUpTo && uses_[receive.slot] != 1)
    return;
  const bool isLeft = isMessage(operand(at(combine), 1));
  if (!isLeft && !isMessage(operand(at(combine), 2)))
    return;
  const Blocks own = operand(at(combine), isLeft ? 2 : 1);
  if (overlap(own, room) || overlap(dst, room))
    return;
  // No operation between, and no earlier one of the same step, may use the
  // combination's operands in a conflicting way.
  const auto disturbs = [&](const Operation &of) {
    return reads(of, dst) || writes(of, dst) || writes(of, own);
  };
  for (std::size_t j = i + 1; j < combine; ++j)
    if (!isRemoved(j) && disturbs(at(j)))
      return;
  for (std::size_t j = i; j-- > 0 && at(j).step == receive.step;)
    if (!isRemoved(j) && disturbs(at(j)))
      return;
  // No later operation may read the temporary.
  for (std::size_t j = combine + 1; j < count(); ++j) {
    if (isRemoved(j))
      continue;
    if (!spend() || reads(at(j), room))
      return;
    if (at(j).operandCount > 0 && at(j).writes(0) && divisions().areSame(operand(at(j), 0), room))
      break;
  }
  receive.kind = Kind::ReceiveCombine;
  receive.side = isLeft ? Side::Left : Side::Right;
  receive.operands = static_cast<std::uint32_t>(plan_.operands.size());
  receive.operandCount = 2;
  plan_.operands.push_back(dst);
  plan_.operands.push_back(own);
  fates_[combine] = Fate::OnArrival;
}

void Remover::run(bool combinesOnArrival) {
  uses_.assign(plan_.slots, 0);
  for (const Blocks &blocks : plan_.operands)
    if (const std::optional<std::uint32_t> slot = divisions().slotOf(blocks))
      ++uses_[*slot];
  const auto combineArriving = [&] {
    for (std::size_t i = 0; combinesOnArrival && i < count(); ++i)
      if (!isRemoved(i) && (at(i).kind == Kind::Receive || at(i).kind == Kind::ReceiveUpTo))
        combineOnArrival(i);
  };
  combineArriving();
  for (std::size_t i = count(); i-- > 0;)
    if (!isRemoved(i) && at(i).kind == Kind::Copy)
      writeThrough(i);
  for (std::size_t i = count(); i-- > 0;)
    if (!isRemoved(i) && at(i).kind == Kind::Copy)
      rename(i);
  for (std::size_t i = 0; i < count(); ++i)
    if (!isRemoved(i) && at(i).kind == Kind::Copy)
      forwardCopy(i);
  // A message of a step that sends a copy can be combined into that when the copy
  // is sent from where it came from.
  combineArriving();
  std::size_t kept = 0;
  for (std::size_t i = 0; i < count(); ++i)
    if (!isRemoved(i))
      plan_.operations[kept++] = plan_.operations[i];
  plan_.removed = count() - kept;
  plan_.operations.resize(kept);
}

void detail::removeSuperfluous(Plan &plan, bool combinesOnArrival, std::vector<Fate> &fates) {
  Remover(plan, fates).run(combinesOnArrival);
}
