//===- quadrille/edge_colouring.h - Packets in fewest steps ----------*- C++ -*-===//

#ifndef QUADRILLE_EDGE_COLOURING_H
#define QUADRILLE_EDGE_COLOURING_H

#include "quadrille/index.h"

#include <cstdint>
#include <vector>

namespace quadrille {

/// Schedules packets between p ranks in as few steps as possible. In a step a
/// rank can send one packet and receive one.
///
/// The packets are the edges of a bipartite multigraph of senders and
/// receivers. A step is a colour: a set of edges without common ends. If h is
/// the largest number of packets that a rank sends or receives, h colours are
/// sufficient (Koenig, 1916) and necessary. Edges are coloured one after the
/// other. If the two ends have no common free colour, the colours along an
/// alternating path are swapped (Sanders et al., 2019, Exercise 13.12).
///
/// Equal amounts give equal colourings, so ranks that know all amounts agree
/// without communication.
class EdgeColouring {
public:
  /// `packets[i*p + j]` >= 0: the number of packets from rank i to rank j. Those
  /// from a rank to itself get no colour. Takes time O(E (p + h/64)) for E
  /// packets and memory O(p h). Throws std::bad_alloc, std::length_error.
  EdgeColouring(const std::vector<Index> &packets, Index p);

  /// The number of steps h: the largest number of packets that a rank sends to,
  /// or receives from, others.
  Index colours() const { return colours_; }

  Index ranks() const { return ranks_; }

  /// The rank to which `sender` sends in step 0 <= colour < colours(), or none.
  Index receiver(Index sender, Index colour) const {
    return receivers_[at(sender, colour)];
  }
  /// The rank from which `receiver` receives in that step, or none.
  Index sender(Index receiver, Index colour) const {
    return senders_[at(receiver, colour)];
  }

private:
  std::size_t at(Index rank, Index colour) const {
    return static_cast<std::size_t>(rank * colours_ + colour);
  }
  void insert(Index sender, Index receiver);
  void set(Index sender, Index receiver, Index colour);
  void clear(Index sender, Index receiver, Index colour);
  /// The first colour that is in neither of two sets; none if there is none.
  Index firstFree(const std::uint64_t *used, const std::uint64_t *alsoUsed) const;

  Index ranks_ = 0, colours_ = 0;
  std::size_t words_ = 0;              ///< per rank, in `sent_` and `received_`
  std::vector<Index> receivers_, senders_;
  std::vector<std::uint64_t> sent_, received_; ///< bit sets: colours used by each rank
};

} // namespace quadrille

#endif // QUADRILLE_EDGE_COLOURING_H
