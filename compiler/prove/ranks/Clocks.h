//===- Clocks.h - Why ranks that go through different steps never wait for ever ------------------------------------*- C++ -*-===//
//
// A clock gives every transfer a tuple of numbers, ordered like words in a dictionary, such that both sides of a message
// have the same tuple and the transfers of a rank's earlier steps have smaller ones than those of later steps. Then nobody
// waits for ever: of all messages that are not complete take one with the smallest tuple; at both ends everything before it
// is complete, so both sides are there. And messages from one rank to another arrive in the order in which they are sent.
//
// A clock may be any formula, so it is searched for: among combinations of what tells messages apart, those that fit all
// small cases. Or the schedule states it. Whether it fits all cases is proved.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_PROVE_RANKS_CLOCKS_H
#define QUADRILLE_PROVE_RANKS_CLOCKS_H

#include "RankOperations.h"

namespace quadrille::compiler::prove {

/// The tuple of an op, in its own symbols; of the same length for all.
using Clock = std::vector<Term>;

/// Clocks of all ops.
struct Clocks {
  std::vector<Clock> times;
  std::vector<std::string> texts; // `clock -T.depth@sender, sender`, as the schedule of the op would say it
};

/// A clock for every op; none if no combination fits the small cases. Of those that do for the ops of a phase, the first
/// one that `isSound` accepts, else the first: what the schedule states before all others. The ops of other phases have
/// no clocks yet when it is asked.
std::optional<Clocks> findClocks(const ir::Schedule &schedule, RankOperations &program, TermPool &pool, DefinedTerms &defined,
                                 llvm::function_ref<bool(unsigned phase, const std::vector<Clock> &)> isSound);

/// The clocks that the schedule and those it uses state; none if they do not for every op.
std::optional<Clocks> statedClocks(const RankOperations &program);

/// a < b, word by word.
Term isEarlier(TermPool &pool, llvm::ArrayRef<Term> a, llvm::ArrayRef<Term> b);
Term isSame(TermPool &pool, llvm::ArrayRef<Term> a, llvm::ArrayRef<Term> b);

} // namespace quadrille::compiler::prove

#endif // QUADRILLE_PROVE_RANKS_CLOCKS_H
