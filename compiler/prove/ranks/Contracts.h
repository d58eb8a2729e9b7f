//===- Contracts.h - What messages hold -------------------------------------------------------------------------------*- C++ -*-===//
//
// A contract says what a send sends, as a formula of the sender, of the iteration and of p. With it every rank's program
// can be looked at by itself: what arrives is what the contract of the other side says, and what is sent has to be what the
// contract says. By induction on the clock (Clocks.h) all of it is true.
//
// A contract is guessed: simple formulas are held against the messages of small cases. Whether it is kept is proved.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_PROVE_RANKS_CONTRACTS_H
#define QUADRILLE_PROVE_RANKS_CONTRACTS_H

#include "RankOperations.h"

namespace quadrille::compiler::prove {

/// The contract of every send, in the symbols of the op; absent for receives and for messages without data.
/// Throws NotModelled where no formula fits.
std::vector<std::optional<Content>> findContracts(RankOperations &program, const ir::Schedule &schedule, TermPool &pool,
                                                  DefinedTerms &defined);

} // namespace quadrille::compiler::prove

#endif // QUADRILLE_PROVE_RANKS_CONTRACTS_H
