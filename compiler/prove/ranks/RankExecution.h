//===- RankExecution.h - Every rank's own steps, executed on formulas ------------------------------------------------*- C++ -*-===//
//
// The state is what the generic rank holds at a place of its own program, independent of where the other ranks are. A receive
// yields what the contract of the other side says (Contracts.h). Obligations about all transfers at once, with clocks (Clocks.h),
// show that the other side is there with this message.
//
// This folder makes the same promise as execution/. The cases, contracts, forests, clocks and timetables of RankCases.cpp, MessageContents.cpp,
// Contracts.cpp, ForestSearch.cpp, ClockSearch.cpp, TimetableSearch.cpp, CriticalMessages.cpp, ChainLinks.cpp and RoundLengths.cpp are guesses and
// promise nothing: obligations stated here cover all of them.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_PROVE_RANKS_RANKEXECUTION_H
#define QUADRILLE_PROVE_RANKS_RANKEXECUTION_H

#include "Clocks.h"
#include "Contracts.h"
#include "Timetables.h"

namespace quadrille::compiler::prove {

class RankExecution : public RankWalk {
public:
  RankExecution(const ir::Schedule &schedule, TermPool &pool, Oracle &oracle, DefinedTerms &defined, RankOperations &program,
                Products products)
      : RankWalk(schedule, pool, oracle, products, defined), program(program) {}

  /// Executes the schedule. Throws NotModelled, TermOverflow.
  void runRanks();
  /// Requires the stated clocks and that transfers meet, but nothing of what buffers hold.
  void runForClocks();

private:
  void write(const Slots &slots, const Content &content, Term guard, llvm::SMRange range) override;
  void step(const ir::StepStmt &stmt, Frame &frame, Term guard) override;
  void loop(const ir::ForStmt &stmt, Frame &frame, Term guard) override;
  void useInGroups(const ir::UseStmt &stmt, Frame &frame, Term guard) override;
  void addGroups(const Groups &groups) override;

  // ---- all transfers at once
  /// Adds laws of the forest.
  void complete(Obligation &obligation) override;
  /// Requires that no chain of the forest comes back to a rank, by one of the measures. Throws NotModelled if none does.
  void requireForest(llvm::ArrayRef<Term> measures);
  /// Requires the obligations of trees and functions. False if one is not proved: nothing else can be shown then.
  bool requireDefinitions();
  void requireMeetings();
  /// Requires that both sides of a message have the same time, and that a rank's later steps have later times.
  void requireClocks();
  void requireClocks(const std::vector<Clock> &times, Claim claim);
  /// Requires the stated clocks, which are a claim of their own. True if they are proved and order all transfers.
  bool useStatedClocks();
  void requireStatedClocks(const Clocks &stated, Claim claim);
  void showClocks(llvm::ArrayRef<std::string> texts);
  struct TwoOps {
    std::vector<Term> values; // the iteration of the loops around the second op
    Term isBefore, isSameIteration, areMade;
  };
  TwoOps twoOps(const RankOp &a, const RankOp &b);
  Term meetsInTime(unsigned op, const RankPair &pair, const std::vector<Clock> &times);
  void requireSameTimes(unsigned phase, const std::vector<Clock> &times, Claim claim);
  void requireOrder(unsigned phaseBefore, unsigned phaseAfter, const std::vector<Clock> &times, Claim claim);
  void requireSingleMessages();

  // ---- RankGroups.cpp
  /// Finds which phases come before which groups, and requires that. Throws NotModelled if a phase is on both sides of one.
  void requireSections();

  // ---- RankBarriers.cpp
  class Hearing;
  void requireHeard(llvm::SMRange range) override;

  // ---- RankCosts.cpp
  void measure(unsigned place);
  std::optional<SymbolicCost> longestMessage();
  std::optional<std::vector<Term>> blocksOfMessages();
  Term withoutMaxima(Term rounds);
  std::vector<Term> knownOfMaxima(llvm::ArrayRef<Term> ranks);
  bool requireTimetable(Term rounds, bool exactly, bool areEarliest, llvm::SMRange range,
                        llvm::function_ref<bool(llvm::ArrayRef<Term>)> requireMore);
  void requireGroupsInTime(const Timetable &table, Term rounds, llvm::SMRange range);
  void requireMessages(llvm::SMRange range);
  void requireRoundLengths(const RoundLengths &guess, llvm::ArrayRef<Term> blocks, llvm::ArrayRef<Term> times, Term rounds, bool exactly,
                           llvm::SMRange range);
  SymbolicCost costOfLengths(const RoundLengths &lengths, Term rounds);
  bool isProvedSince(const Progress &start);
  bool requireCriticalChain(llvm::ArrayRef<Term> times, Term rounds, llvm::SMRange range);
  void requireChain(llvm::ArrayRef<Term> times, const Critical &which, Term rounds, Direction direction, bool isWhole, llvm::SMRange range);
  void requireClauseInTime(const ir::CostClause &claim, Frame &frame, const std::optional<SymbolicCost> &longest, std::optional<NotModelled> &unknown);
  std::vector<Term> guessedRounds(Frame &frame);
  void boundCostAlone(Frame &frame);
  void requireCostInTime(Frame &frame);

  // ---- HubCosts.cpp
  Term sumAtHub(unsigned number, Term hub, Term each);
  std::optional<SymbolicCost> costAtHub(Term hub);
  /// Requires that rank `hub` takes part in every message, with one in a step. False, and nothing is required, if that is not proved.
  bool requireHub(Term hub, llvm::SMRange range);
  /// The cost if one rank takes part in every message: what its messages cost, one after the other. Nothing if none is found.
  std::optional<SymbolicCost> costOfHub(llvm::SMRange range);

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
    Term slot;  // the slot that is written, as a formula in the number of the iteration; or if `width` is not null
    Term width; // the first of so many
    Term guard; // the condition under which it is
  };
  /// The only iteration of which the condition may hold, as a formula; null if none is found. `number` is that of the iteration.
  Term onlyIterationOf(Term condition, const RankLoop &loop, Term number, llvm::SMRange range);
  /// The content of a slot as the iterations of a loop change it, one after the other.
  struct Growth {
    const RankLoop &loop;
    Term number, head; // of an iteration, and that of the next one at the head
    Term where;        // on which ranks and in which slots it matters
    llvm::SMRange range;
    llvm::function_ref<Content(const Content &before)> after; // iteration `number`, given what was there before it

    Term last(TermPool &pool) const;       // the iteration before the head
    Term iterations(TermPool &pool) const; // how many there were before it
  };
  std::optional<Content> accumulated(const Content &atEntry, bool isEmpty, const Growth &growth);
  std::optional<Content> intervalAtHead(const Content &begun, bool isEmpty, const Growth &growth);
  std::optional<Content> membersAtHead(const Content &begun, const Growth &growth);
  std::vector<Invariant> deriveInvariants(const ir::ForStmt &stmt, Frame &frame, Term guard, const RankLoop &loop,
                                          llvm::ArrayRef<SymbolicBuffer *> written, Term head);
  std::vector<Invariant> invariantsByContracts(const RankLoop &loop, Frame &frame, llvm::ArrayRef<SymbolicBuffer *> written, Term head);
  void requireStated(const ir::ForStmt &stmt, Frame &frame, Term guard, llvm::function_ref<Content(const SymbolicBuffer &)> atHead);

  RankOperations &program;
  std::vector<Clock> clocks;
  std::vector<std::optional<Content>> contracts;
  std::optional<Forest> forest; // of which contracts speak
  std::vector<std::optional<SymbolicCost>> lengths; // per op: of its message
  std::vector<SymbolicCost> costsOfGroups;          // per use in groups, as far as they are known
  std::vector<Touch> *touches = nullptr; // if not null, writes to single slots are recorded here
};

} // namespace quadrille::compiler::prove

#endif // QUADRILLE_PROVE_RANKS_RANKEXECUTION_H
