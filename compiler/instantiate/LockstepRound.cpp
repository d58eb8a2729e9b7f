//===- LockstepRound.cpp - The transfers of one step of all ranks -------------------------------------------------===//

#include "LockstepRound.h"

#include "CaseRun.h"
#include "Semantics.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace quadrille::compiler::lockstep {

OpColumn &LockstepRound::add(const ir::TransferStmt &stmt) {
  if (opCount == ops.size())
    ops.emplace_back();
  OpColumn &op = ops[opCount++];
  op.stmt = &stmt;
  op.storage = nullptr;
  op.elastic = op.takesLength = false;
  op.shape = nullptr;
  op.peers.assign(ranks, -1);
  op.slots.clear();
  return op;
}

// ---- matching -------------------------------------------------------------------------------------------------------

void LockstepRound::match(bool wantsTransfers) {
  round.transfers.clear();
  round.words.clear();
  round.partners.reset();
  receivers.clear();
  size_t sends = 0, recvs = 0;
  const OpColumn *send = nullptr, *recv = nullptr;
  for (size_t i = 0; i < opCount; ++i)
    (ops[i].stmt->isSend ? (++sends, send) : (++recvs, recv)) = &ops[i];
  if (sends == 1 && recvs == 1)
    matchPartners(*send, *recv, wantsTransfers);
  else
    matchInOrder();
}

/// Matches a single send statement with a single receive statement: partners must name each other.
void LockstepRound::matchPartners(const OpColumn &send, const OpColumn &recv, bool wantsTransfers) {
  const std::int32_t *to = send.peers.data(), *from = recv.peers.data();
  std::uint32_t count = 0;
  for (std::uint32_t r = 0; r < ranks; ++r) {
    if (from[r] >= 0 && to[from[r]] != static_cast<std::int32_t>(r))
      unmatched(recv, r);
    if (to[r] < 0)
      continue;
    if (from[to[r]] != static_cast<std::int32_t>(r))
      unmatched(send, r);
    ++count;
  }
  round.transferCount = count;
  round.partners = Partners{to, from, send.stmt, recv.stmt, nullptr, 0};
  partnerSend = &send;
  partnerRecv = &recv;
  measurePartners();
  if (wantsTransfers) {
    addPartnerTransfers();
    measureTransfers();
  }
}

/// Matches the n-th send of each pair of ranks with its n-th receive, in the order of the text.
void LockstepRound::matchInOrder() {
  struct Half {
    std::uint64_t pair; // source and destination
    const OpColumn *op;
    std::uint32_t source() const { return static_cast<std::uint32_t>(pair >> 32); }
    std::uint32_t destination() const { return static_cast<std::uint32_t>(pair); }
  };
  std::vector<Half> sends, recvs;
  for (size_t i = 0; i < opCount; ++i) {
    const OpColumn &op = ops[i];
    for (std::uint32_t r = 0; r < ranks; ++r) {
      if (op.peers[r] < 0)
        continue;
      std::uint64_t other = static_cast<std::uint64_t>(op.peers[r]);
      if (op.stmt->isSend)
        sends.push_back({(std::uint64_t(r) << 32) | other, &op});
      else
        recvs.push_back({(other << 32) | r, &op});
    }
  }
  auto byPair = [](const Half &a, const Half &b) { return a.pair < b.pair; };
  std::stable_sort(sends.begin(), sends.end(), byPair);
  std::stable_sort(recvs.begin(), recvs.end(), byPair);
  auto send = sends.begin(), recv = recvs.begin();
  while (send != sends.end() || recv != recvs.end()) {
    if (recv == recvs.end() || (send != sends.end() && send->pair < recv->pair))
      unmatched(*send->op, send->source());
    if (send == sends.end() || recv->pair < send->pair)
      unmatched(*recv->op, recv->destination());
    addTransfer(*send->op, *recv->op, send->source(), send->destination());
    ++send, ++recv;
  }
  round.transferCount = static_cast<std::uint32_t>(round.transfers.size());
  measureTransfers();
}

void LockstepRound::unmatched(const OpColumn &op, std::uint32_t rank) const {
  std::uint32_t other = static_cast<std::uint32_t>(op.peers[rank]);
  bool isSend = op.stmt->isSend;
  // For the diagnostic: with which rank does the other side make such a transfer instead?
  const OpColumn *otherOp = nullptr;
  for (size_t i = 0; i < opCount && !otherOp; ++i)
    if (ops[i].stmt->isSend != isSend && ops[i].peers[other] >= 0)
      otherOp = &ops[i];
  const std::optional<std::int32_t> instead = otherOp ? std::optional(otherOp->peers[other]) : std::nullopt;
  const bool fewer = instead == static_cast<std::int32_t>(rank);
  const std::optional<diag::Amount> amount =
      op.storage && !op.elastic ? std::optional(amountOf(op.slots.slots(rank), machine.unitSlots)) : std::nullopt;
  Diagnostic diagnostic(op.stmt->keyword,
                        isSend ? diag::Facts(diag::SendUnmatched{.rank = rank, .amount = amount, .to = other, .round = round.number,
                                                                 .from = instead, .fewer = fewer})
                               : diag::ReceiveUnmatched{.rank = rank, .amount = amount, .from = other, .round = round.number,
                                                        .to = instead, .fewer = fewer});
  if (otherOp)
    diagnostic.note(otherOp->stmt->keyword, hereTransfers(!isSend, other, *otherOp->stmt, otherOp->peers[other]));
  throw UnmatchedInLockstep{{std::move(diagnostic)}};
}

void LockstepRound::addTransfer(const OpColumn &send, const OpColumn &recv, std::uint32_t source,
                                std::uint32_t destination) {
  Transfer &transfer = round.transfers.emplace_back();
  transfer.source = source;
  transfer.destination = destination;
  transfer.send = send.stmt;
  transfer.recv = recv.stmt;
  transfer.storage = send.storage;
  if (send.storage) {
    transfer.runs = send.slots.begin(source);
    transfer.runCount = send.slots.size(source);
    transfer.slots = send.slots.slots(source);
  }
  receivers.push_back(&recv);
}

void LockstepRound::addPartnerTransfers() {
  for (std::uint32_t r = 0; r < ranks; ++r)
    if (round.partners->to[r] >= 0)
      addTransfer(*partnerSend, *partnerRecv, r, static_cast<std::uint32_t>(round.partners->to[r]));
}

void LockstepRound::measureTransfers() {
  size_t samples = machine.sampleCount();
  round.words.assign(round.transfers.size() * samples, 0);
  for (size_t i = 0; i < round.transfers.size(); ++i) {
    const Transfer &transfer = round.transfers[i];
    if (!transfer.storage)
      continue;
    if (machine.countsBlocks()) {
      round.words[i] = transfer.slots;
      continue;
    }
    for (std::uint32_t j = 0; j < transfer.runCount; ++j)
      machine.addWords(*transfer.storage, transfer.source, transfer.runs[j], &round.words[i * samples]);
  }
}

void LockstepRound::measurePartners() {
  size_t samples = machine.sampleCount();
  const OpColumn &send = *partnerSend;
  Partners &partners = *round.partners;
  if (!send.storage || (machine.countsBlocks() && send.slots.isSame())) {
    partnerWords.assign(samples, send.storage ? send.slots.run(0).count : 0);
  } else {
    partnerWords.assign(std::size_t(ranks) * samples, 0);
    partners.stride = samples;
    for (std::uint32_t r = 0; r < ranks; ++r) {
      if (partners.to[r] < 0)
        continue;
      if (machine.countsBlocks())
        partnerWords[r] = send.slots.slots(r);
      else
        for (std::uint32_t j = 0; j < send.slots.size(r); ++j)
          machine.addWords(*send.storage, r, send.slots.begin(r)[j], &partnerWords[r * samples]);
    }
  }
  partners.words = partnerWords.data();
}

// ---- races ----------------------------------------------------------------------------------------------------------

void LockstepRound::checkRaces() const {
  // Most pairs of statements cannot overlap, which is quick to see, but the number of pairs is quadratic.
  if (opCount <= 8)
    checkRacesOfPairs();
  else
    checkRacesBySweep();
}

static bool overlap(SlotRun a, SlotRun b) { return a.lo < b.lo + b.count && b.lo < a.lo + a.count; }

void LockstepRound::checkRacesOfPairs() const {
  for (size_t a = 0; a < opCount; ++a)
    for (size_t b = a + 1; b < opCount; ++b) {
      const OpColumn &x = ops[a], &y = ops[b];
      if (!x.storage || x.storage != y.storage || (x.stmt->isSend && y.stmt->isSend))
        continue;
      if (!x.elastic && !y.elastic && x.slots.isSame() && y.slots.isSame() && !overlap(x.slots.run(0), y.slots.run(0)))
        continue;
      for (std::uint32_t r = 0; r < ranks; ++r) {
        if (x.peers[r] < 0 || y.peers[r] < 0)
          continue;
        if (x.elastic || y.elastic) // accesses all of the name
          race(x, y, r, {0, 1});
        for (std::uint32_t i = 0; i < x.slots.size(r); ++i)
          for (std::uint32_t j = 0; j < y.slots.size(r); ++j)
            checkOverlap(x, y, r, x.slots.begin(r)[i], y.slots.begin(r)[j]);
      }
    }
}

void LockstepRound::checkRacesBySweep() const {
  struct Access {
    size_t group; // index of the first operation on the same storage: an order independent of addresses
    SlotRun run;
    const OpColumn *op;
  };
  std::vector<Access> accesses;
  std::map<const Storage *, size_t> groups;
  for (size_t a = 0; a < opCount; ++a)
    if (ops[a].storage)
      groups.try_emplace(ops[a].storage, a);
  for (std::uint32_t r = 0; r < ranks; ++r) {
    accesses.clear();
    for (size_t a = 0; a < opCount; ++a)
      if (const OpColumn &op = ops[a]; op.storage && op.peers[r] >= 0) {
        size_t group = groups[op.storage];
        if (op.elastic) // accesses all of the name
          accesses.push_back({group, {0, 1}, &op});
        else
          for (std::uint32_t i = 0; i < op.slots.size(r); ++i)
            accesses.push_back({group, op.slots.begin(r)[i], &op});
      }
    std::stable_sort(accesses.begin(), accesses.end(), [](const Access &a, const Access &b) {
      return std::tie(a.group, a.run.lo) < std::tie(b.group, b.run.lo);
    });
    // Among the accesses so far, the write and the read that extend furthest.
    const Access *lastWrite = nullptr, *lastRead = nullptr;
    for (const Access &access : accesses) {
      if (lastWrite && lastWrite->group != access.group)
        lastWrite = nullptr;
      if (lastRead && lastRead->group != access.group)
        lastRead = nullptr;
      if (lastWrite)
        checkOverlap(*lastWrite->op, *access.op, r, lastWrite->run, access.run);
      if (lastRead && !access.op->stmt->isSend)
        checkOverlap(*lastRead->op, *access.op, r, lastRead->run, access.run);
      const Access *&last = access.op->stmt->isSend ? lastRead : lastWrite;
      if (!last || last->run.lo + last->run.count < access.run.lo + access.run.count)
        last = &access;
    }
  }
}

void LockstepRound::checkOverlap(const OpColumn &x, const OpColumn &y, std::uint32_t rank, SlotRun a, SlotRun b) const {
  std::uint32_t lo = std::max(a.lo, b.lo), hi = std::min(a.lo + a.count, b.lo + b.count);
  if (lo < hi)
    race(x, y, rank, {lo, hi - lo});
}

void LockstepRound::race(const OpColumn &a, const OpColumn &b, std::uint32_t rank, SlotRun common) const {
  const OpColumn &write = a.stmt->isSend ? b : a, &other = &write == &a ? b : a;
  reportWrittenTwice(machine, *write.stmt, *other.stmt, *write.storage, rank, common, round.number, other.peers[rank]);
}

// ---- moving data ----------------------------------------------------------------------------------------------------

void LockstepRound::move() {
  if (round.partners && partnersMoveSingleSlots())
    return moveSingleSlots();
  if (round.partners && round.transfers.empty())
    addPartnerTransfers();
  moveTransfers();
}

/// Whether all messages are single slots, the usual case, for which there is a fast loop.
bool LockstepRound::partnersMoveSingleSlots() const {
  const OpColumn &send = *partnerSend, &recv = *partnerRecv;
  if (!send.storage || !recv.storage || machine.hasClasses() || machine.usage || !send.slots.isSingle() ||
      (!recv.elastic && !recv.slots.isSingle()))
    return false;
  const std::int32_t *to = round.partners->to;
  for (std::uint32_t r = 0; r < ranks; ++r)
    if (to[r] >= 0 && (send.slots.run(r).count != 1 ||
                       (!recv.elastic && recv.slots.run(static_cast<size_t>(to[r])).count != 1)))
      return false;
  return true;
}

void LockstepRound::moveSingleSlots() {
  const OpColumn &send = *partnerSend, &recv = *partnerRecv;
  const Storage &from = *send.storage;
  Storage &to = *recv.storage;
  if (recv.elastic && to.stride == 0)
    machine.reset(to, 1, true);
  for (std::uint32_t r = 0; r < ranks; ++r) {
    if (round.partners->from[r] < 0)
      continue;
    std::uint32_t source = static_cast<std::uint32_t>(round.partners->from[r]);
    std::uint32_t taken = send.slots.run(source).lo, slot = recv.elastic ? 0 : recv.slots.run(r).lo;
    Value value = machine.read(from, source, taken);
    if (value == emptyValue)
      reportSendsEmpty(machine, *send.stmt, from, source, taken, round.number);
    machine.write(to, r, slot, value);
    if (!to.brackets.empty())
      to.brackets[std::size_t(r) * to.stride + slot] = machine.bracket(from, source, taken);
    if (recv.elastic)
      to.counts[r] = 1;
  }
}

void LockstepRound::moveTransfers() {
  for (size_t i = 0; i < round.transfers.size(); ++i) {
    const Transfer &transfer = round.transfers[i];
    const OpColumn &recv = *receivers[i];
    if (!transfer.storage && !recv.storage)
      continue;
    if (transfer.storage && recv.storage && recv.elastic) {
      const std::uint32_t rank = transfer.destination;
      MessageShape shape{recv.room[rank], recv.takesLength, nullptr, {}};
      SlotRun run{};
      if (recv.shape && recv.shape->slots(rank) >= recv.shape->unit) {
        run = {recv.shape->first(rank), recv.ofBlock ? recv.shape->unit : recv.shape->slots(rank)};
        shape.storage = recv.shape->storage;
        shape.runs = run;
      }
      receiveName(machine, transfer, *recv.storage, shape, round.number);
      continue;
    }
    std::uint32_t wanted = recv.storage ? recv.slots.slots(transfer.destination) : 0;
    if (!transfer.storage || !recv.storage || wanted != transfer.slots)
      reportLengthMismatch(machine, transfer, recv.storage != nullptr, wanted, round.number);
    moveMessage(machine, transfer, *recv.storage, recv.slots.begin(transfer.destination), recv.takesLength, round.number);
  }
}

} // namespace quadrille::compiler::lockstep
