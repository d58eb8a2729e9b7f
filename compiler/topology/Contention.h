//===- Contention.h - The cost of a schedule when messages share links ---------------------------------------*- C++ -*-===//
//
// The duration of a round is alpha + beta*t, where t is the maximum of the longest message and of (words on a link) / (width of
// the link) over all links. A round suffers if t exceeds the length of its longest message.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_TOPOLOGY_CONTENTION_H
#define QUADRILLE_TOPOLOGY_CONTENTION_H

#include "LinkLoads.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseSet.h"

#include <map>

namespace quadrille::compiler::topology {

/// A round that suffers, or several consecutive ones with equal numbers. If the machine counts whole blocks, words are in
/// multiples of n.
struct SufferingRounds {
  std::uint32_t first = 0, last = 0;
  LinkNumber link = 0; // the busiest link of the first round; of equally busy ones the lowest number
  bool sameLink = true; // it is the busiest in all these rounds
  std::int64_t words = 0, messages = 0; // on that link
  std::int64_t longest = 0;             // length of the longest message of the round
  Rational time;                        // in words

  Rational factor() const { return time / Rational(longest); }
};

/// A link, and how many different pairs of ranks that communicate have a route over it.
struct SharedLink {
  std::uint64_t pairs = 0;
  LinkNumber link = 0;
};

struct Contention {
  std::uint64_t rounds = 0, suffering = 0;
  std::vector<SufferingRounds> listed; // at most Contention::maxListed
  std::uint64_t groups = 0;            // number of SufferingRounds, listed or not
  std::optional<SufferingRounds> worst; // with the largest factor; the first if there are several
  Rational words;                      // sum of t over all rounds: the factor of beta
  std::int64_t mostMessages = 0;       // on one link in one round
  LinkNumber messagesLink = 0;
  std::uint32_t messagesRound = 0;
  SharedLink oneWay, bothWays;         // most used link; bothWays: both directions of a cable counted together

  static constexpr size_t maxListed = 24;
};

/// Measures contention of a run on a topology. `sample`: index of the sample of lengths for which words are counted.
class ContentionMeter : public RunObserver {
public:
  ContentionMeter(const Topology &topology, std::uint32_t ranks, size_t sample);

  bool wantsTransfers() const override { return false; }
  void onRound(const Round &round, const Machine &machine) override;
  void onRestart() override;
  Contention result();

private:
  bool isNewPair(std::uint32_t source, std::uint32_t destination);
  void judge(std::uint32_t number, std::int64_t longest, llvm::ArrayRef<LinkLoad> loads);
  void countPairs();

  const Topology &topology;
  const std::uint32_t ranks;
  const size_t sample;
  LoadCounter counter, pairCounter;
  // Pairs of ranks seen so far: a bit per pair, or a set if that would be too many bits.
  llvm::BitVector pairBits;
  llvm::DenseSet<std::uint64_t> pairSet;
  Contention found;
};

} // namespace quadrille::compiler::topology

#endif // QUADRILLE_TOPOLOGY_CONTENTION_H
