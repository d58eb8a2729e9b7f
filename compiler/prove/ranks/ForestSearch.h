//===- ForestSearch.h - The forest in which ranks hand on what they have got -----------------------------------------------*- C++ -*-===//
//
// A guess from the messages of small cases. That the forest is one, and that messages hold what is below their senders, is proved (RankExecution).
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_PROVE_RANKS_FORESTSEARCH_H
#define QUADRILLE_PROVE_RANKS_FORESTSEARCH_H

#include "Forest.h"
#include "MessageContents.h"

namespace quadrille::compiler::prove {

struct ForestGuess {
  Forest forest;
  std::vector<Term> measures; // formulas in the rank that get smaller from each sender to its receiver in small cases
};

/// Whether a send hands on what its rank has got, and not the result. `contents`: of its messages.
bool handsOn(const RankOp &op, llvm::ArrayRef<MessageSlot> contents);

/// The forest that the sends make which hand on. Nothing if their messages hold something else than what is below their senders.
std::optional<ForestGuess> findForest(RankOperations &program, const ir::Schedule &schedule, TermPool &pool, DefinedTerms &defined,
                                      llvm::ArrayRef<std::vector<MessageSlot>> rows);

} // namespace quadrille::compiler::prove

#endif // QUADRILLE_PROVE_RANKS_FORESTSEARCH_H
