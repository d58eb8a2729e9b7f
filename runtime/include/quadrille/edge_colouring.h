//===- quadrille/edge_colouring.h - Who sends when, for any amounts --*- C++ -*-===//

#ifndef QUADRILLE_EDGE_COLOURING_H
#define QUADRILLE_EDGE_COLOURING_H

#include "quadrille/index.h"

#include <cstdint>
#include <vector>

namespace quadrille {

/// Distributes packets between p ranks over as few steps as possible, when a
/// rank can send one packet and receive one in a step.
///
/// The packets are the edges of a bipartite multigraph of senders and
/// receivers; a step is a set of edges no two of which meet, a colour. There
/// are h colours if no rank sends or receives more than h packets (Koenig,
/// 1916), and fewer do not suffice. Edges are coloured one after the other; where
/// the two ends have no free colour in common, the colours along an alternating
/// path are swapped (Sanders et al., 2019, Exercise 13.12).
///
/// The same amounts give the same colouring everywhere, so that ranks which
/// know all amounts need no messages to agree.
class EdgeColouring {
public:
  /// `packets[i*p + j]` >= 0 packets go from rank i to rank j. Those from a rank
  /// to itself need no step and get no colour. Takes time O(E (p + h/64)) for E
  /// packets and memory O(p h). Throws std::bad_alloc, std::length_error.
  EdgeColouring(const std::vector<Index> &packets, Index p);

  /// h: the most packets that any rank sends to others, or receives from them.
  Index colours() const { return colours_; }

  Index ranks() const { return ranks_; }

  /// To whom `sender` sends in step `colour`, 0 <= colour < colours(); or none.
  Index receiver(Index sender, Index colour) const {
    return receivers_[at(sender, colour)];
  }
  /// From whom `receiver` receives in that step; or none.
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
  /// The first colour that neither of two sets has; none if there is none.
  Index firstFree(const std::uint64_t *used, const std::uint64_t *alsoUsed) const;

  Index ranks_ = 0, colours_ = 0;
  std::size_t words_ = 0;              ///< per rank, in the sets of colours
  std::vector<Index> receivers_, senders_;
  std::vector<std::uint64_t> sent_, received_; ///< colours in use, a bit each
};

} // namespace quadrille

#endif // QUADRILLE_EDGE_COLOURING_H
