//===- RankExecution.h - Every rank's own steps, executed on formulas ------------------------------------------------*- C++ -*-===//
//
// The state is what the generic rank holds when it has come to a place in its own program, whatever the others do. What it
// receives is what the contract of the other side says (Contracts.h); why the other side is there, and with this message, is
// shown for all transfers at once, by clocks (Clocks.h).
//
// This folder promises what execution/ does. The cases, contracts and clocks of RankCases.cpp, Contracts.cpp and
// ClockSearch.cpp are guesses and promise nothing: the obligations written here are about all of them.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_PROVE_RANKS_RANKEXECUTION_H
#define QUADRILLE_PROVE_RANKS_RANKEXECUTION_H

#include "Clocks.h"
#include "Contracts.h"

namespace quadrille::compiler::prove {

class RankExecution : public RankWalk {
public:
  RankExecution(const ir::Schedule &schedule, TermPool &pool, Oracle &oracle, DefinedTerms &defined, RankOperations &program)
      : RankWalk(schedule, pool, oracle, Products::Ordered, defined), program(program) {}

  /// Throws NotModelled, TermOverflow.
  void runRanks();
  /// What is stated of the time of transfers, whatever they carry.
  void runForClocks();

private:
  void write(const Slots &slots, const Content &content, Term guard, llvm::SMRange range) override;
  void step(const ir::StepStmt &stmt, Frame &frame, Term guard) override;
  void loop(const ir::ForStmt &stmt, Frame &frame, Term guard) override;

  // ---- all transfers at once
  /// False if trees and functions are not what proofs take them for: nothing else can be shown then.
  bool requireDefinitions();
  void requireMeetings();
  /// Both sides of a message have the same clock, and a rank's steps follow each other on it.
  void requireClocks();
  void requireClocks(const std::vector<Clock> &times, Claim claim);
  /// What the schedule states about time is a claim of its own. True if it will do for all transfers.
  bool useStatedClocks();
  void requireStatedClocks(const Clocks &stated, Claim claim);
  void showClocks(llvm::ArrayRef<std::string> texts);
  struct TwoOps {
    std::vector<Term> values; // of the loops around the second
    Term isBefore, isSameIteration, areMade;
  };
  TwoOps twoOps(const RankOp &a, const RankOp &b);
  Term meetsInTime(unsigned op, const RankPair &pair, const std::vector<Clock> &times);
  void requireSameTimes(unsigned phase, const std::vector<Clock> &times, Claim claim);
  void requireOrder(unsigned phaseBefore, unsigned phaseAfter, const std::vector<Clock> &times, Claim claim);
  void requireSingleMessages();

  // ---- one step
  unsigned opOf(const Transfer &transfer, unsigned place) const;
  std::vector<Term> iterations() const;
  void requireSame(const std::string &name, llvm::SMRange range, Term guard, const Content &had, const Content &wanted);
  void requireContracts(unsigned place);
  void receive(unsigned place);

  // ---- loops
  struct Touch {
    SymbolicBuffer *storage;
    bool ofBlock;
    Term slot; // that is written, as a formula of the loop's variable
  };
  std::vector<Invariant> deriveInvariants(const ir::ForStmt &stmt, Frame &frame, Term guard, const RankLoop &loop,
                                          llvm::ArrayRef<SymbolicBuffer *> written, Term head);
  void requireStated(const ir::ForStmt &stmt, Frame &frame, Term guard, llvm::function_ref<Content(const SymbolicBuffer &)> atHead);

  RankOperations &program;
  std::vector<Clock> clocks;
  std::vector<std::optional<Content>> contracts;
  std::vector<Touch> *touches = nullptr; // where writes are noted; null: they are not
};

} // namespace quadrille::compiler::prove

#endif // QUADRILLE_PROVE_RANKS_RANKEXECUTION_H
