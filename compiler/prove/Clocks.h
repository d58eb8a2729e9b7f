//===- Clocks.h - Why ranks that go through different steps never wait for ever ------------------------------------*- C++ -*-===//
//
// A clock gives every transfer a tuple of numbers, ordered like words in a dictionary, such that both sides of a message
// have the same tuple and the transfers of a rank's earlier steps have smaller ones than those of later steps. Then nobody
// waits for ever: of all messages that are not complete take one with the smallest tuple; at both ends everything before it
// is complete, so both sides are there. And messages from one rank to another arrive in the order in which they are sent.
//
// A clock may be any formula, so it is searched for: among combinations of what tells messages apart, those that fit all
// small cases. Whether they fit all cases is proved.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_PROVE_CLOCKS_H
#define QUADRILLE_PROVE_CLOCKS_H

#include "RankProgram.h"

namespace quadrille::prove {

/// The tuple of an op, in its own symbols; of the same length for all.
using Clock = std::vector<Term>;

/// How many combinations that fit the small cases are tried for the ops of a phase.
constexpr unsigned maxClocks = 12;

/// A clock for every op; none if no combination fits the small cases. Of those that do for the ops of a phase, the first
/// one that `isSound` accepts, else the first. The ops of other phases have no clocks yet when it is asked.
std::optional<std::vector<Clock>> findClocks(RankProgram &program, TermPool &pool, DefinedTerms &defined,
                                             llvm::function_ref<bool(unsigned phase, const std::vector<Clock> &)> isSound);

/// a < b, word by word.
Term isEarlier(TermPool &pool, llvm::ArrayRef<Term> a, llvm::ArrayRef<Term> b);
Term isSame(TermPool &pool, llvm::ArrayRef<Term> a, llvm::ArrayRef<Term> b);

} // namespace quadrille::prove

#endif // QUADRILLE_PROVE_CLOCKS_H
