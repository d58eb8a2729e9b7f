//===- Messages.h - Iteration over the messages of a round --------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_INSTANTIATE_MESSAGES_H
#define QUADRILLE_INSTANTIATE_MESSAGES_H

#include "Round.h"

#include <cassert>

namespace quadrille::compiler {

/// Calls visit(source, destination, words) for each message of a round. `sample`: index of the machine's sample for `words`.
template <typename Visitor> void forEachMessage(const Round &round, const Machine &machine, size_t sample, Visitor visit) {
  if (round.partners) {
    const Partners &partners = *round.partners;
    assert(partners.to && partners.words && "the round is matched and measured");
    for (std::uint32_t rank = 0; rank < machine.ranks; ++rank)
      if (partners.to[rank] >= 0)
        visit(rank, static_cast<std::uint32_t>(partners.to[rank]), partners.words[rank * partners.stride + sample]);
    return;
  }
  assert(round.words.size() == round.transfers.size() * machine.sampleCount() && "the round is measured");
  for (size_t i = 0; i < round.transfers.size(); ++i)
    visit(round.transfers[i].source, round.transfers[i].destination, round.words[i * machine.sampleCount() + sample]);
}

/// The index of the machine's sample for the lengths number `wanted`. A machine that counts blocks has only one.
inline size_t sampleIn(const Machine &machine, size_t wanted) { return machine.countsBlocks() ? 0 : wanted; }

} // namespace quadrille::compiler

#endif // QUADRILLE_INSTANTIATE_MESSAGES_H
