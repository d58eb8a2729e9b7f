//===- Clocks.h - Why ranks that go through different steps never wait for ever ------------------------------------*- C++ -*-===//
//
// A clock gives every transfer a tuple of numbers, ordered lexicographically, such that both sides of a message have the same
// tuple, and a rank's transfers of earlier steps have smaller tuples than those of later steps. Then no rank waits for ever:
// among the messages that are not complete, take one with the smallest tuple; on both ranks all earlier transfers are complete,
// so both sides are there. It also follows that messages from one rank to another arrive in the order in which they are sent.
//
// A clock is a guess: either the schedule states it, or it is searched for among combinations of formulas that distinguish
// messages, such that it fits all small cases. That it fits all cases is proved (RankExecution).
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_PROVE_RANKS_CLOCKS_H
#define QUADRILLE_PROVE_RANKS_CLOCKS_H

#include "RankOperations.h"

namespace quadrille::compiler::prove {

/// The tuple of an op, as terms in the symbols of the op. All ops have tuples of the same length.
using Clock = std::vector<Term>;

/// Clocks of all ops.
struct Clocks {
  std::vector<Clock> times;
  std::vector<std::string> texts; // in the syntax of the op's schedule: `clock -T.depth@sender, sender`
};

/// Finds a clock for every op; nothing if no combination fits the small cases. Among those that fit the ops of a phase it takes
/// the first one that `isSound` accepts, else the first one; a stated clock is tried before others. When `isSound` is called, the
/// ops of other phases may have no clocks yet.
std::optional<Clocks> findClocks(const ir::Schedule &schedule, RankOperations &program, TermPool &pool, DefinedTerms &defined,
                                 llvm::function_ref<bool(unsigned phase, const std::vector<Clock> &)> isSound);

/// The clocks that the schedule and the schedules it uses state; nothing if an op has none.
std::optional<Clocks> statedClocks(const RankOperations &program);

/// a < b in lexicographic order, and a == b, as terms. Both have the same length.
Term isEarlier(TermPool &pool, llvm::ArrayRef<Term> a, llvm::ArrayRef<Term> b);
Term isSame(TermPool &pool, llvm::ArrayRef<Term> a, llvm::ArrayRef<Term> b);

} // namespace quadrille::compiler::prove

#endif // QUADRILLE_PROVE_RANKS_CLOCKS_H
