//===- RankOperations.h - What the ranks of a schedule do, step after step ------------------------------------------*- C++ -*-===//
//
// If ranks take different steps, a send and its receive are not in the same step. So all transfers ("ops") are collected first:
// which ranks make each one, in which iterations of the loops around it, and with which partner. Small cases show which sends and
// receives meet, and to which iteration of the other side's loops a message belongs; formulas that fit the small cases are then
// proved.
//
// Used only in prove/.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_PROVE_RANKS_RANKOPERATIONS_H
#define QUADRILLE_PROVE_RANKS_RANKOPERATIONS_H

#include "instantiate/CaseRun.h"
#include "prove/definitions/DefinedTerms.h"
#include "prove/execution/Execution.h"

#include <map>

namespace quadrille::compiler::prove {

/// A loop around operations. Its iterations have consecutive numbers, of which its own variables are formulas: if it counts by 1 the
/// number is the variable itself, and if it multiplies by 2 the number is the exponent.
struct RankLoop {
  unsigned place = 0;      // its number among steps and loops, in the order of the text
  Term variable;           // the number of the iteration
  Term lo, hi;             // which is in lo ..< hi
  bool descending = false; // the largest number comes first
  Term condition;          // and satisfies this
  Term first, second;      // the loop's variables, as formulas in `variable`; `second` is null but for halvings
};

/// Walks a schedule whose ranks take different steps. Steps and loops are numbered as they are met, so that two walks give them
/// the same numbers.
class RankWalk : public Execution {
protected:
  RankWalk(const ir::Schedule &schedule, TermPool &pool, Oracle &oracle, Products products, DefinedTerms &defined)
      : Execution(schedule, pool, oracle, products, defined) {}

  bool ranksDiffer() const override { return true; }
  void complete(Obligation &obligation) override;
  /// The model of a loop, with a new symbol for the number of an iteration.
  RankLoop enter(const ir::ForStmt &stmt, Frame &frame, Term guard);
  /// The number of exponents e >= 0 with 2**e < number.
  Term exponentsBelow(Term number, bool isPositive);
  /// The number of powers 1, 2, 4, ..., `largest`, if it has the form of a power of two, of half of one, or of a choice of such numbers: of half
  /// of 1 there are none. `areWhole`: the exponents are not negative. Nothing if it has another form.
  struct Powers {
    Term count, areWhole;
  };
  std::optional<Powers> powersUpTo(Term largest);
  /// Gives the loop's variables the values that they have in the iteration `number`.
  void setVariables(const ir::ForStmt &stmt, Frame &frame, const RankLoop &loop, Term number);
  /// Executes the body for the iteration `number`.
  void iterate(const ir::ForStmt &stmt, Frame &frame, Term guard, const RankLoop &loop, Term number);
  /// Executes a loop over the children of a rank, once for each child; false for other loops. `atHead`, which may be null, is
  /// called at each head with the condition under which it is reached.
  bool overChildren(const ir::ForStmt &stmt, Frame &frame, Term guard, llvm::function_ref<void(Term guard)> atHead = nullptr);

  bool isTrial = false; // obligations of this pass are not kept
  std::vector<RankLoop> around; // the loops around the current statement; `variable` is the current iteration
};

/// A transfer statement, for the generic rank `me` and all iterations of the loops around it.
struct RankOp {
  const ir::TransferStmt *stmt = nullptr;
  unsigned place = 0;
  std::vector<RankLoop> loops;
  Term guard;                 // the condition under which `me` makes the transfer in a given iteration
  Term peer;
  std::optional<Slots> slots; // `storage` is null, since the storages of the survey are gone
  Term packetCount;           // packets per block of the storage; null without data
  Term origin;                // the rank that its schedule counts as 0; null: 0
  unsigned phase = 0;         // ops that may meet are in the same phase
  bool isOwn = true;          // it is written in the schedule itself, not in one that it uses
  std::vector<std::pair<Term, std::string>> treeNames; // the schedule's names of trees, by the trees' numbers
  /// The stated clock; `times` has the same length for all ops that have one.
  const ir::Clock *clock = nullptr; // the innermost of the clocks that apply; null: none is stated
  std::vector<Term> times;
  Term timesExist;            // the condition under which the times have values

  bool isSend() const { return stmt->isSend; }
};

/// A schedule that is used in groups of ranks, outside of loops. All messages of such a use are its own.
struct RankGroups {
  unsigned place = 0; // its number among steps and loops
  Term guard;         // whether `me` is in a group
  llvm::SMRange range;
};

/// The other side of a transfer, and the iteration of its loops to which the transfer belongs.
struct RankPair {
  unsigned op = 0;          // the other side
  std::vector<Term> values; // the values of its loop variables, in the symbols of this side
};

/// A message of a small case.
struct SmallMessage {
  unsigned smallCase = 0;
  unsigned send = 0, recv = 0;                     // ops
  std::int64_t source = 0, destination = 0;        // in the outermost schedule's numbering
  std::vector<std::int64_t> sendValues, recvValues; // of the loop variables
};

/// A small case, with the messages of all ranks in order.
struct SmallCase {
  Case instance;
  std::int64_t map = 0; // the number of its map to nodes among those that are tried (evaluate/NodeMap.h)
  std::int64_t origin = 0;
  /// Per rank and step: the numbers of the messages in which the rank takes part.
  std::vector<std::vector<std::vector<unsigned>>> steps;
};

/// A maximum over some of the ranks, as the latest of their arrivals, for which variables stand.
struct Largest {
  Term most, where;        // its value, and an index at which it has this value
  Term each, index, count; // it is that of `each`, over 0 <= index < count
};

class RankOperations {
public:
  /// Collects the ops, runs small cases and finds partners. Throws NotModelled.
  RankOperations(const ir::Schedule &schedule, TermPool &pool, Oracle &oracle, DefinedTerms &defined);

  /// The number of the op of a statement at a place; nothing if its guard is never true.
  std::optional<unsigned> find(const ir::TransferStmt &stmt, unsigned place) const;
  /// The condition under which the loops around an op reach it; without its guard.
  Term isReached(const RankOp &op) const;
  /// A term in the symbols of an op, for another rank and iteration.
  Term at(const RankOp &op, Term term, Term rank, llvm::ArrayRef<Term> values) const;
  /// The condition, in the symbols of `op`, that its other side is `pair`: that op is reached and made, with `me` as partner.
  Term meets(const RankOp &op, const RankPair &pair) const;
  /// The value of a term in the symbols of a message's send (`ofSend`) or receive, at this message of a small case. `label`: the label
  /// of its slots, if the term contains it, and the label's value.
  std::optional<std::int64_t> valueAt(const SmallMessage &message, bool ofSend, Term term,
                                      std::pair<Term, std::int64_t> label = {});
  /// The formulas that are tried for the iteration of another op, in the symbols of this one.
  std::vector<Term> vocabulary(const RankOp &op) const;
  /// Comparisons of a rank with numbers that are the same on all ranks, by which receives, or sends, choose their partners.
  std::vector<Term> comparisons(bool ofReceives) const;
  /// Where the text counts ranks from another one without `ranks from`, as by (me - root) mod p: the ranks that it counts from.
  std::vector<Term> countedFrom() const;
  /// The condition that `first` comes in a step before that of `second`, on one rank, in these iterations of the loops around both.
  Term comesBefore(const RankOp &first, llvm::ArrayRef<Term> firstValues, const RankOp &second,
                   llvm::ArrayRef<Term> secondValues) const;
  /// From now on all ops are in one phase.
  void joinPhases();
  /// Runs some cases of more ranks, whose messages are added.
  void runLargerCases();
  /// The pairs of messages that are in consecutive steps of some rank in a small case, the earlier message first.
  std::vector<std::pair<unsigned, unsigned>> consecutive() const;
  /// The machine's number of a rank of the outermost schedule.
  std::int64_t machineRank(const SmallMessage &message, std::int64_t rank) const;

  std::vector<RankOp> ops;
  std::vector<RankGroups> groups;              // in the order of the text
  std::vector<unsigned> sections;              // per phase: how many of `groups` come before its ops, where a rank takes part in both
  std::vector<std::vector<RankPair>> partners; // per op
  std::vector<SmallCase> cases;
  std::vector<SmallMessage> messages;
  unsigned phases = 0;
  std::vector<Term> numbers; // the numbers of the schedule
  std::vector<Largest> maxima;
  bool isSplit = false;      // blocks are split into packets
  std::optional<NotModelled> clockGap; // why a stated clock has no formula
  /// The rank that the outermost schedule counts as 0 (`ranks from`); null: 0.
  Term origin() const { return originTerm; }

private:
  std::optional<std::int64_t> valueOf(const Largest &largest, bool where, const SmallMessage &message);
  struct Side;
  class CaseWalk;

  void runSmallCases();
  std::vector<std::pair<Case, std::int64_t>> onNodes(llvm::ArrayRef<Case> instances, std::size_t most);
  void runCases(llvm::ArrayRef<Case> instances, std::size_t mapsOfCase);
  void pairUp(std::vector<std::vector<Side>> &sides);
  void findPartners();
  Term iterationOfPartner(unsigned self, RankPair &found, llvm::ArrayRef<const SmallMessage *> together);
  void findPhases();

  const ir::Schedule &schedule;
  TermPool &pool;
  DefinedTerms &defined;
  Term originTerm;
  TreeCache cache;
  std::map<std::pair<unsigned, std::string>, std::optional<std::int64_t>> largestIn; // per small case and variable
};

} // namespace quadrille::compiler::prove

#endif // QUADRILLE_PROVE_RANKS_RANKOPERATIONS_H
