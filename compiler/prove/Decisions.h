//===- Decisions.h - Answers to what an execution asks ------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_PROVE_DECISIONS_H
#define QUADRILLE_PROVE_DECISIONS_H

#include "Prove.h"

#include "prove/execution/Execution.h"
#include "prove/guess/Candidates.h"
#include "prove/solver/Solver.h"

namespace quadrille::compiler::prove {

/// Decides obligations, each once, within what one schedule may take.
class Decisions : public Oracle {
public:
  Decisions(TermPool &pool, Candidates &candidates, const ProofOptions &options)
      : pool(pool), solver(pool), candidates(candidates), options(options) {}

  std::vector<Invariant> invariants(const LoopHead &head, const StateSymbols &symbols) override {
    return candidates.invariants(head, symbols);
  }

  /// Where laws are only supposed, those that the answer rests on are shown as well.
  bool isProved(const Obligation &obligation) override;

  bool gaveUp(const Obligation &obligation) override { return decide(obligation).ranOut.has_value(); }

  LimitInForce boundOfSearch() const override { return candidates.bound(); }

  Outcome decide(const Obligation &obligation);

  static Question questionOf(const Obligation &obligation) {
    return {obligation.name, obligation.hypotheses, obligation.goal, {}};
  }

  TermPool &pool;
  Solver solver;
  bool outOfMemory = false; // once at least
  DefinedTerms *supposing = nullptr; // whose laws are shown where something rests on them; null: they are shown before
  llvm::SetVector<Term> *owed = nullptr; // takes what rests on laws that are to be shown later; null: they are shown at once

private:
  Candidates &candidates;
  const ProofOptions &options;
  llvm::DenseMap<Term, Outcome> known;
};

} // namespace quadrille::compiler::prove

#endif // QUADRILLE_PROVE_DECISIONS_H
