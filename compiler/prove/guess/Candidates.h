//===- Candidates.h - Invariants to try ----------------------------------------------------------------------------------*- C++ -*-===//
//
// For every loop: what the author says, else what the traces of small cases suggest.
//
// This folder promises nothing. What it finds is shown before anything rests on it, so a mistake here costs a proof and
// never makes a wrong one.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_PROVE_GUESS_CANDIDATES_H
#define QUADRILLE_PROVE_GUESS_CANDIDATES_H

#include "Explanation.h"

#include "prove/execution/Execution.h"

namespace quadrille::compiler::prove {

class Candidates {
public:
  /// `like`: a schedule with the same loops, whose invariants are to be tried as well, before the schedule's own; or null.
  Candidates(const ir::Schedule &schedule, TermPool &pool, const ir::Schedule *like = nullptr);
  ~Candidates();

  std::vector<Invariant> invariants(const LoopHead &head, const StateSymbols &symbols);

  /// What ended the last search: the size of formulas, their number, or that of their combinations.
  LimitInForce bound() const { return reached; }

private:
  struct Source;
  struct Store;
  std::vector<Invariant> invariantsFrom(Source &source, const LoopHead &head, const StateSymbols &symbols);
  std::unique_ptr<Store> store;
  LimitInForce reached = limits::fitSize;
};

/// In the syntax of the language, to be pasted into the schedule.
Explanation invariantText(const LoopHead &head, const Invariant &invariant, const ir::Schedule &schedule, TermPool &pool,
                            const StateSymbols &symbols);

} // namespace quadrille::compiler::prove

#endif // QUADRILLE_PROVE_GUESS_CANDIDATES_H
