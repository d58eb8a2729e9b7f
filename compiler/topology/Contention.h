//===- Contention.h - What a schedule costs where messages share links ---------------------------------------*- C++ -*-===//
//
// A round lasts as long as its busiest link, and at least as long as its longest message: alpha + beta*t with
// t = max(longest message, words on a link / width of the link). A round suffers if t exceeds its longest message.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_TOPOLOGY_CONTENTION_H
#define QUADRILLE_TOPOLOGY_CONTENTION_H

#include "LinkLoads.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseSet.h"

#include <map>

namespace quadrille::compiler::topology {

/// One round that suffers, or several with the same numbers that follow each other. Words are multiples of n where the
/// machine counts blocks.
struct SufferingRounds {
  std::uint32_t first = 0, last = 0;
  LinkNumber link = 0; // the busiest of the first of them; of several equally busy ones the one with the lowest number
  bool sameLink = true;
  std::int64_t words = 0, messages = 0; // on that link
  std::int64_t longest = 0;             // message of the round
  Rational time;                        // in words

  Rational factor() const { return time / Rational(longest); }
};

/// How many different pairs of ranks have a route over a link.
struct SharedLink {
  std::uint64_t pairs = 0;
  LinkNumber link = 0;
};

struct Contention {
  std::uint64_t rounds = 0, suffering = 0;
  std::vector<SufferingRounds> listed; // at most Contention::maxListed
  std::uint64_t groups = 0;            // of equal rounds, with those that are not listed
  std::optional<SufferingRounds> worst; // the first with the largest factor
  Rational words;                      // sum of all rounds' times: the factor of beta
  std::int64_t mostMessages = 0;       // on one link in one round
  LinkNumber messagesLink = 0;
  std::uint32_t messagesRound = 0;
  SharedLink oneWay, bothWays;         // bothWays: over the two directions of a cable together

  static constexpr size_t maxListed = 24;
};

/// Watches a run on a topology. `sample` is the sample of lengths for which words are counted.
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
  // Pairs that have been seen: a bit for each, or a set where that would be too many bits.
  llvm::BitVector pairBits;
  llvm::DenseSet<std::uint64_t> pairSet;
  Contention found;
};

} // namespace quadrille::compiler::topology

#endif // QUADRILLE_TOPOLOGY_CONTENTION_H
