//===- Contention.cpp - The cost of a schedule when messages share links --------------------------------------------------===//

#include "Contention.h"

namespace quadrille::compiler::topology {

/// The largest number of ranks for which every pair has a bit (32 MB).
static constexpr std::uint32_t pairBitsUpTo = 1 << 14;

ContentionMeter::ContentionMeter(const Topology &topology, std::uint32_t ranks, size_t sample)
    : topology(topology), ranks(ranks), sample(sample), counter(topology), pairCounter(topology) {
  onRestart();
}

void ContentionMeter::onRestart() {
  found = Contention();
  found.words = Rational(0);
  pairBits.clear();
  pairSet.clear();
  (void)counter.take();
  (void)pairCounter.take();
  if (ranks <= pairBitsUpTo)
    pairBits.resize(ranks * ranks);
}

bool ContentionMeter::isNewPair(std::uint32_t source, std::uint32_t destination) {
  if (pairBits.empty())
    return pairSet.insert((std::uint64_t(source) << 32) | destination).second;
  llvm::BitVector::reference bit = pairBits[source * ranks + destination];
  if (bit)
    return false;
  bit = true;
  return true;
}

void ContentionMeter::onRound(const Round &round, const Machine &machine) {
  std::int64_t longest = 0;
  forEachMessage(round, machine, sampleIn(machine, sample), [&](std::uint32_t source, std::uint32_t destination, std::int64_t words) {
    longest = std::max(longest, words);
    counter.add(source, destination, words);
    // On a full network every pair has a link of its own.
    if (topology.shape != Shape::Full && isNewPair(source, destination))
      pairCounter.add(source, destination, 0);
  });
  judge(round.number, longest, counter.take());
}

void ContentionMeter::judge(std::uint32_t number, std::int64_t longest, llvm::ArrayRef<LinkLoad> loads) {
  ++found.rounds;
  SufferingRounds here;
  here.first = here.last = number;
  here.longest = longest;
  here.time = Rational(longest);
  bool suffers = false;
  for (const LinkLoad &load : loads) {
    if (load.messages > found.mostMessages) {
      found.mostMessages = load.messages;
      found.messagesLink = load.first;
      found.messagesRound = number;
    }
    if (topology.hasUnitWidths() && (load.words <= longest || load.words <= here.words))
      continue;
    for (LinkNumber link = load.first; link < load.end; ++link) {
      const Rational time = topology.hasUnitWidths() ? Rational(load.words) : Rational(load.words) / topology.link(link)->width;
      if (!time.valid())
        throw findingAbout(topology.name, diag::LoadOverflow{});
      if (here.time < time) {
        suffers = true;
        here.time = time;
        here.link = link;
        here.words = load.words;
        here.messages = load.messages;
      }
      if (topology.hasUnitWidths())
        break; // all links of this run have the same time
    }
  }
  found.words = found.words + here.time;
  if (!suffers)
    return;
  ++found.suffering;
  if (!found.worst || found.worst->factor() < here.factor())
    found.worst = here;
  SufferingRounds *last = found.listed.empty() || found.groups > found.listed.size() ? nullptr : &found.listed.back();
  if (last && last->last + 1 == number && last->words == here.words && last->messages == here.messages &&
      last->longest == here.longest && last->time == here.time) {
    last->last = number;
    last->sameLink &= last->link == here.link;
    return;
  }
  ++found.groups;
  if (found.listed.size() < Contention::maxListed)
    found.listed.push_back(here);
}

void ContentionMeter::countPairs() {
  std::map<LinkNumber, std::uint64_t> cables;
  for (const LinkLoad &load : pairCounter.take()) {
    const std::uint64_t pairs = static_cast<std::uint64_t>(load.messages);
    if (pairs > found.oneWay.pairs)
      found.oneWay = {pairs, load.first};
    for (LinkNumber link = load.first; link < load.end; ++link) {
      std::optional<LinkNumber> back = topology.reverse(link);
      const LinkNumber cable = back ? std::min(link, *back) : link;
      cables[cable] += pairs;
    }
  }
  for (const auto &[cable, pairs] : cables)
    if (pairs > found.bothWays.pairs)
      found.bothWays = {pairs, cable};
}

Contention ContentionMeter::result() {
  countPairs();
  return found;
}

} // namespace quadrille::compiler::topology
