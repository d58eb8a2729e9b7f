//===- EdgeColouring.cpp - Packets in fewest steps ------------------------===//

#include "quadrille/edge_colouring.h"

#include <algorithm>
#include <cassert>

using namespace quadrille;

EdgeColouring::EdgeColouring(const std::vector<Index> &packets, Index p)
    : ranks_(p) {
  assert(static_cast<Index>(packets.size()) == p * p && "not a p by p matrix");
  for (Index i = 0; i < p; ++i) {
    Index sent = 0, received = 0;
    for (Index j = 0; j < p; ++j) {
      if (i == j)
        continue;
      sent += packets[static_cast<std::size_t>(i * p + j)];
      received += packets[static_cast<std::size_t>(j * p + i)];
    }
    colours_ = std::max({colours_, sent, received});
  }
  words_ = static_cast<std::size_t>((colours_ + 63) / 64);
  receivers_.assign(static_cast<std::size_t>(p * colours_), none);
  senders_ = receivers_;
  sent_.assign(static_cast<std::size_t>(p) * words_, 0);
  received_ = sent_;
  for (Index i = 0; i < p; ++i)
    for (Index j = 0; j < p; ++j)
      for (Index k = 0; i != j && k < packets[static_cast<std::size_t>(i * p + j)]; ++k)
        insert(i, j);
}

Index EdgeColouring::firstFree(const std::uint64_t *used,
                               const std::uint64_t *alsoUsed) const {
  for (std::size_t word = 0; word < words_; ++word) {
    const std::uint64_t free = ~(used[word] | alsoUsed[word]);
    if (free == 0)
      continue;
    Index colour = static_cast<Index>(word) * 64;
    for (std::uint64_t bits = free; (bits & 1) == 0; bits >>= 1)
      ++colour;
    return colour < colours_ ? colour : none;
  }
  return none;
}

void EdgeColouring::set(Index sender, Index receiver, Index colour) {
  receivers_[at(sender, colour)] = receiver;
  senders_[at(receiver, colour)] = sender;
  const std::size_t word = static_cast<std::size_t>(colour / 64);
  const std::uint64_t bit = std::uint64_t{1} << (colour % 64);
  sent_[static_cast<std::size_t>(sender) * words_ + word] |= bit;
  received_[static_cast<std::size_t>(receiver) * words_ + word] |= bit;
}

void EdgeColouring::clear(Index sender, Index receiver, Index colour) {
  receivers_[at(sender, colour)] = none;
  senders_[at(receiver, colour)] = none;
  const std::size_t word = static_cast<std::size_t>(colour / 64);
  const std::uint64_t bit = std::uint64_t{1} << (colour % 64);
  sent_[static_cast<std::size_t>(sender) * words_ + word] &= ~bit;
  received_[static_cast<std::size_t>(receiver) * words_ + word] &= ~bit;
}

void EdgeColouring::insert(Index from, Index to) {
  const std::uint64_t *sent = &sent_[static_cast<std::size_t>(from) * words_];
  const std::uint64_t *received = &received_[static_cast<std::size_t>(to) * words_];
  const Index common = firstFree(sent, received);
  if (common != none)
    return set(from, to, common);
  // A rank has fewer than h coloured packets before its last one, so each end has
  // a free colour: a at `from`, b at `to`. The path from `to` along edges of
  // colours a, b, a, ... cannot end at `from`: its last edge would have colour a,
  // which is free at `from`.
  const Index a = firstFree(sent, sent), b = firstFree(received, received);
  struct Edge {
    Index sender, receiver, colour;
  };
  std::vector<Edge> path;
  for (Index receiver = to;;) {
    const Index sender = senders_[at(receiver, a)];
    if (sender == none)
      break;
    path.push_back({sender, receiver, a});
    receiver = receivers_[at(sender, b)];
    if (receiver == none)
      break;
    path.push_back({sender, receiver, b});
  }
  for (const Edge &edge : path)
    clear(edge.sender, edge.receiver, edge.colour);
  for (const Edge &edge : path)
    set(edge.sender, edge.receiver, edge.colour == a ? b : a);
  set(from, to, a);
}
