//===- Candidates.h - Invariants to try ----------------------------------------------------------------------------------*- C++ -*-===//
//
// For every loop: what the author says, else what the traces of small cases suggest.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_PROVE_CANDIDATES_H
#define QUADRILLE_PROVE_CANDIDATES_H

#include "Execution.h"
#include "Prove.h"

namespace quadrille::prove {

class Candidates {
public:
  /// `like`: a schedule with the same loops, whose invariants are to be tried as well, before the schedule's own; or null.
  Candidates(const ir::Schedule &schedule, TermPool &pool, const ir::Schedule *like = nullptr);
  ~Candidates();

  std::vector<Invariant> invariants(const LoopHead &head, const StateSymbols &symbols);

private:
  struct Source;
  struct Store;
  std::vector<Invariant> invariantsFrom(Source &source, const LoopHead &head, const StateSymbols &symbols);
  std::unique_ptr<Store> store;
};

/// In the syntax of the language, to be pasted into the schedule.
Explanation invariantText(const LoopHead &head, const Invariant &invariant, const ir::Schedule &schedule, TermPool &pool,
                            const StateSymbols &symbols);

} // namespace quadrille::prove

#endif // QUADRILLE_PROVE_CANDIDATES_H
