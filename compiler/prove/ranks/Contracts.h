//===- Contracts.h - What messages hold -------------------------------------------------------------------------------*- C++ -*-===//
//
// A contract says what a send sends, as a formula in the sender, the iteration and p. With contracts each rank's program can be
// followed by itself: a receive yields what the contract of the other side says, and a send has to send what its contract says.
// By induction on the clock (Clocks.h) all contracts hold.
//
// Contracts are guesses: simple formulas that fit the messages of small cases. That they are kept is proved (RankExecution).
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_PROVE_RANKS_CONTRACTS_H
#define QUADRILLE_PROVE_RANKS_CONTRACTS_H

#include "ForestSearch.h"

namespace quadrille::compiler::prove {

struct Contracts {
  /// The contract of every send, in the symbols of the op; absent for receives and for messages without data.
  std::vector<std::optional<Content>> ofSends;
  std::optional<ForestGuess> guess; // with Products::Members: the forest of which contracts speak
};

/// Throws NotModelled if no formula fits. With Products::Members a message holds the product over the ranks below its sender in some forest
/// (Forest.h), or over a cyclic interval of ranks; without such a forest, that is no way to go.
Contracts findContracts(RankOperations &program, const ir::Schedule &schedule, TermPool &pool, DefinedTerms &defined, Products products);

} // namespace quadrille::compiler::prove

#endif // QUADRILLE_PROVE_RANKS_CONTRACTS_H
