//===- Decisions.h - Answers to what an execution asks ------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_PROVE_DECISIONS_H
#define QUADRILLE_PROVE_DECISIONS_H

#include "Prove.h"

#include "prove/execution/Execution.h"
#include "prove/guess/Candidates.h"
#include "prove/solver/Solver.h"

namespace quadrille::compiler::prove {

/// Decides obligations, each once, within the resources of one schedule.
class Decisions : public Oracle {
public:
  Decisions(TermPool &pool, Candidates &candidates, const ProofOptions &options)
      : pool(pool), solver(pool, options.shared), candidates(&candidates), options(options) {}

  std::vector<Invariant> invariants(const LoopHead &head, const StateSymbols &symbols) override {
    return candidates->invariants(head, symbols);
  }

  /// Whether the obligation is proved. If the proof used supposed laws (see `supposing`), these are proved too, or put in `owed`.
  bool isProved(const Obligation &obligation) override;

  std::optional<std::vector<std::pair<Term, std::int64_t>>> example(llvm::ArrayRef<Term> conditions) override;

  std::optional<LimitInForce> ranOut(const Obligation &obligation) override { return decide(obligation).ranOut; }

  LimitInForce boundOfSearch() const override { return candidates->bound(); }

  const ProofAlone *proofAlone(const UsedAlone &how) override;

  SolverResult decide(const Obligation &obligation);

  static Question questionOf(const Obligation &obligation) {
    return {obligation.name, obligation.hypotheses, obligation.goal, {}, obligation.isOfDefinitions};
  }

  TermPool &pool;
  Solver solver;
  Candidates *candidates; // for the schedule that is being executed
  bool outOfMemory = false; // the solver has run out of memory at least once
  DefinedTerms *supposing = nullptr; // whose laws are proved only when a proof has used them; null: laws are proved before use
  llvm::SetVector<Term> *owed = nullptr; // collects used laws that the caller proves later; null: they are proved at once

private:
  /// Whether a counterexample that was found before refutes this question, too.
  bool isRefutedByKnown(const Question &asked);

  std::vector<std::unique_ptr<std::pair<UsedAlone, ProofAlone>>> alone;
  const ProofOptions &options;
  llvm::DenseMap<Term, SolverResult> known;
  std::vector<llvm::DenseMap<Term, std::int64_t>> counterexamples; // the latest ones; the one that was used last is the last one
};

} // namespace quadrille::compiler::prove

#endif // QUADRILLE_PROVE_DECISIONS_H
