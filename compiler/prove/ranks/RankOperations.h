//===- RankOperations.h - What the ranks of a schedule do, step after step ------------------------------------------*- C++ -*-===//
//
// Where ranks go through different steps, a send and its receive do not stand in the same step. So all transfers are
// collected first: who makes each one, for which values of the loops around it, and with whom. From small cases one sees
// which sends and receives meet, and which iteration of the other side's loops a message belongs to; the formulas that
// tell so are what has to be proved.
//
// Private to prove/.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_PROVE_RANKS_RANKOPERATIONS_H
#define QUADRILLE_PROVE_RANKS_RANKOPERATIONS_H

#include "instantiate/CaseRun.h"
#include "prove/definitions/DefinedTerms.h"
#include "prove/execution/Execution.h"

namespace quadrille::compiler::prove {

/// A loop around a transfer.
struct RankLoop {
  unsigned place = 0;      // in the order of the text, as steps are counted
  Term variable;           // its value
  Term lo, hi;             // which lies in lo ..< hi
  bool descending = false;
  Term condition;          // and fulfils this
};

/// Walks a schedule whose ranks go through different steps. Steps and loops are counted as they are met, so that two
/// walks give them the same numbers.
class RankWalk : public Execution {
protected:
  RankWalk(const ir::Schedule &schedule, TermPool &pool, Oracle &oracle, Products products, DefinedTerms &defined)
      : Execution(schedule, pool, oracle, products, defined) {}

  bool ranksDiffer() const override { return true; }
  void complete(Obligation &obligation) override;
  /// The loop with a new variable for its value.
  RankLoop enter(const ir::ForStmt &stmt, Frame &frame, Term guard);
  /// In the iteration in which the variable is `value`.
  void iterate(const ir::ForStmt &stmt, Frame &frame, Term guard, const RankLoop &loop, Term value);
  /// A loop over the children of a rank has a part for each of them. True if it is one. `atHead`: is told where it is at its
  /// head, and may be null.
  bool overChildren(const ir::ForStmt &stmt, Frame &frame, Term guard, llvm::function_ref<void(Term guard)> atHead = nullptr);

  bool isTrial = false; // what is required now does not count
  std::vector<RankLoop> around; // `variable` is the value of the current iteration
};

/// A transfer statement, for the generic rank `me` and all iterations of the loops around it.
struct RankOp {
  const ir::TransferStmt *stmt = nullptr;
  unsigned place = 0;
  std::vector<RankLoop> loops;
  Term guard;                 // whether `me` makes the transfer, where the loops get there
  Term peer;
  std::optional<Slots> slots; // storages are those of the survey
  Term packetCount;           // of the storage; null without data
  Term origin;                // of its schedule's ranks; null: 0
  unsigned phase = 0;         // ops that may meet are of one phase
  bool isOwn = true;          // not of a schedule that is used
  std::vector<std::pair<Term, std::string>> treeNames; // of trees by number, as the schedule calls them
  /// What the schedule states about when it happens; of the same length for all ops that are timed.
  const ir::Clock *clock = nullptr; // the innermost; null: nothing is stated
  std::vector<Term> times;
  Term timesExist;            // whether they have values

  bool isSend() const { return stmt->isSend; }
};

/// Which iteration of the other side's loops a transfer belongs to.
struct RankPair {
  unsigned op = 0;          // the other side
  std::vector<Term> values; // of its loops, in the symbols of this side
};

/// A message of a small case.
struct SmallMessage {
  unsigned smallCase = 0;
  unsigned send = 0, recv = 0;                     // ops
  std::int64_t source = 0, destination = 0;        // as the outermost schedule counts
  std::vector<std::int64_t> sendValues, recvValues; // of the loops
};

/// A small case: what all ranks do, in order.
struct SmallCase {
  Case instance;
  std::int64_t origin = 0;
  /// Per rank the messages that it takes part in, step by step.
  std::vector<std::vector<std::vector<unsigned>>> steps;
};

class RankOperations {
public:
  /// Throws NotModelled.
  RankOperations(const ir::Schedule &schedule, TermPool &pool, Oracle &oracle, DefinedTerms &defined);

  /// The number of the op of a statement at a place; none if its guard is never true.
  std::optional<unsigned> find(const ir::TransferStmt &stmt, unsigned place) const;
  /// Where the loops around an op get, without its guard.
  Term isReached(const RankOp &op) const;
  /// A term about an op, of another rank and other iterations.
  Term at(const RankOp &op, Term term, Term rank, llvm::ArrayRef<Term> values) const;
  /// That the other side of `op` is the one of `pair`: it is reached, it is made, and with `me`. In the symbols of `op`.
  Term meets(const RankOp &op, const RankPair &pair) const;
  /// At a message of a small case, the value of a term about its send or its receive.
  std::optional<std::int64_t> valueAt(const SmallMessage &message, bool ofSend, Term term);
  /// A rank of the outermost schedule, as it is known outside.
  std::int64_t machineRank(const SmallMessage &message, std::int64_t rank) const;

  std::vector<RankOp> ops;
  std::vector<std::vector<RankPair>> partners; // per op
  std::vector<SmallCase> cases;
  std::vector<SmallMessage> messages;
  unsigned phases = 0;
  std::vector<Term> numbers; // of the schedule
  bool isSplit = false;      // blocks have packets
  std::optional<NotModelled> clockGap; // why what is stated about time has no formula
  /// Where the ranks of the outermost schedule are counted from; null: 0.
  Term origin() const { return originTerm; }

private:
  struct Side;
  class CaseWalk;

  void runSmallCases();
  void pairUp(std::vector<std::vector<Side>> &sides);
  void findPartners();
  void findPhases();
  std::vector<Term> vocabulary(const RankOp &op) const;

  const ir::Schedule &schedule;
  TermPool &pool;
  DefinedTerms &defined;
  Term originTerm;
  TreeCache cache;
};

} // namespace quadrille::compiler::prove

#endif // QUADRILLE_PROVE_RANKS_RANKOPERATIONS_H
