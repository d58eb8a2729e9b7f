//===- LockstepRound.cpp - The transfers of one step of all ranks -------------------------------------------------===//

#include "LockstepRound.h"

#include "CaseRun.h"
#include "Races.h"
#include "Semantics.h"

#include <cassert>
#include <map>
#include <numeric>

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
  assert(send.stmt->isSend && !recv.stmt->isSend && send.peers.size() == ranks && recv.peers.size() == ranks);
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

namespace {

/// A send or a receive of a round that is to be matched.
struct Half {
  std::uint32_t source, destination;
  const OpColumn *op;
  std::pair<std::uint32_t, std::uint32_t> pair() const { return {source, destination}; }
};

/// Sorts stably by one of both ranks, by counting.
void sortBy(std::uint32_t Half::*rank, std::uint32_t ranks, std::vector<Half> &halves, std::vector<Half> &scratch) {
  std::vector<std::uint32_t> end(ranks + 1);
  for (const Half &half : halves)
    ++end[half.*rank + 1];
  std::partial_sum(end.begin(), end.end(), end.begin());
  scratch.resize(halves.size());
  for (const Half &half : halves)
    scratch[end[half.*rank]++] = half;
  halves.swap(scratch);
}

} // namespace

/// Matches the n-th send of each pair of ranks with its n-th receive, in the order of the text.
void LockstepRound::matchInOrder() {
  std::vector<Half> sends, recvs, scratch;
  for (size_t i = 0; i < opCount; ++i) {
    const OpColumn &op = ops[i];
    assert(op.peers.size() == ranks && "there is a partner or -1 for each rank");
    for (std::uint32_t r = 0; r < ranks; ++r) {
      if (op.peers[r] < 0)
        continue;
      const auto other = static_cast<std::uint32_t>(op.peers[r]);
      if (op.stmt->isSend)
        sends.push_back({r, other, &op});
      else
        recvs.push_back({other, r, &op});
    }
  }
  for (std::vector<Half> *halves : {&sends, &recvs}) {
    sortBy(&Half::destination, ranks, *halves, scratch);
    sortBy(&Half::source, ranks, *halves, scratch);
  }
  auto send = sends.begin(), recv = recvs.begin();
  while (send != sends.end() || recv != recvs.end()) {
    if (recv == recvs.end() || (send != sends.end() && send->pair() < recv->pair()))
      unmatched(*send->op, send->source);
    if (send == sends.end() || recv->pair() < send->pair())
      unmatched(*recv->op, recv->destination);
    addTransfer(*send->op, *recv->op, send->source, send->destination);
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

void LockstepRound::checkRacesOfPairs() const {
  for (size_t a = 0; a < opCount; ++a)
    for (size_t b = a + 1; b < opCount; ++b) {
      const OpColumn &x = ops[a], &y = ops[b];
      if (!x.storage || x.storage != y.storage || (x.stmt->isSend && y.stmt->isSend))
        continue;
      if (!x.elastic && !y.elastic && x.slots.isSame() && y.slots.isSame() && !overlapOf(x.slots.run(0), y.slots.run(0)).count)
        continue;
      for (std::uint32_t r = 0; r < ranks; ++r) {
        if (x.peers[r] < 0 || y.peers[r] < 0)
          continue;
        if (x.elastic || y.elastic) // accesses all of the name
          race(x, y, r, {0, 1});
        if (const std::optional<SlotRun> common = findOverlap({x.slots.begin(r), x.slots.size(r)}, {y.slots.begin(r), y.slots.size(r)}))
          race(x, y, r, *common);
      }
    }
}

void LockstepRound::checkRacesBySweep() const {
  std::vector<Access> accesses;
  // A storage is numbered by its first operation, so that the order does not depend on addresses.
  std::map<const Storage *, std::uint32_t> storages;
  for (std::uint32_t a = 0; a < opCount; ++a)
    if (ops[a].storage)
      storages.try_emplace(ops[a].storage, a);
  for (std::uint32_t r = 0; r < ranks; ++r) {
    accesses.clear();
    for (std::uint32_t a = 0; a < opCount; ++a)
      if (const OpColumn &op = ops[a]; op.storage && op.peers[r] >= 0) {
        const std::uint32_t storage = storages[op.storage];
        if (op.elastic) // accesses all of the name
          accesses.push_back({storage, {0, 1}, op.stmt->isSend, a});
        else
          for (std::uint32_t i = 0; i < op.slots.size(r); ++i)
            accesses.push_back({storage, op.slots.begin(r)[i], op.stmt->isSend, a});
      }
    if (const std::optional<Race> found = findRace(accesses))
      race(ops[found->first], ops[found->second], r, found->common);
  }
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
  assert(round.partners && partnerSend && partnerRecv && "the round has partners");
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
  assert(receivers.size() == round.transfers.size() && "each transfer has a receiver");
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
