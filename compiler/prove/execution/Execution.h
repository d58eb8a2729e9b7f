//===- Execution.h - A uniform schedule executed on formulas --------------------------------------------------*- C++ -*-===//
//
// Walks the schedule once, for all ranks and all p at the same time. The state is a formula (State.h); at loops it is
// replaced by an invariant. What has to hold on the way are obligations, about the statements that a user wrote.
//
// All ranks go through the same steps, so every transfer has to meet its other side in the same step (docs/proofs.md).
// Ranks are numbered as the outermost schedule's `me`.
//
// This folder promises that a claim holds for all p if all its obligations are proved, whatever invariants it was given;
// prove/costs/, which is part of it, promises the same of costs.
//
// Private to prove/. Split by purpose: Execution (control flow, lets, used schedules), Slices (slots, labels, values),
// Steps (transfers), Loops (heads, facts, invariants), StatedInvariants (those of the author), Locations (where contributions are),
// Promises (the initial state and the result).
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_PROVE_EXECUTION_EXECUTION_H
#define QUADRILLE_PROVE_EXECUTION_EXECUTION_H

#include "Progress.h"

#include <map>
#include <optional>

namespace quadrille::compiler::prove {

/// Whether a name is that of a function which tells where contributions are.
inline bool isLocation(Term call) {
  const llvm::StringRef name = call->name; // calls of functions of the language end with parentheses
  return call->kind == TermKind::Apply && call->operands.size() == 3 && name.starts_with("location") && !name.ends_with("()");
}

/// Whether it is a sum or maximum over a range, of a variable that is free in its operands.
inline bool isAggregate(Term call) {
  return call->kind == TermKind::Apply && (call->name == "sum" || call->name == "max");
}

/// Whether invariants speak of what ranks hold together, in a body or in schedules that it uses.
bool statesLocations(const ir::Body &body);

/// What the execution asks of its surroundings.
class Oracle {
public:
  virtual ~Oracle() = default;
  /// Invariants to try, best first.
  virtual std::vector<Invariant> invariants(const LoopHead &head, const StateSymbols &symbols) = 0;
  /// Whether the obligation can be proved; remembers the answer.
  virtual bool isProved(const Obligation &obligation) = 0;
  /// Whether it was not decided as it takes more than it may.
  virtual bool gaveUp(const Obligation &) { return false; }
  /// What ended the last search for invariants.
  virtual LimitInForce boundOfSearch() const { return limits::fitSize; }
};

/// What the cost rests on and is not shown.
struct NotShown {
  Obligation obligation;
};

class Execution : protected Progress {
public:
  virtual ~Execution() = default;

  Execution(const ir::Schedule &schedule, TermPool &pool, Oracle &oracle, Products products, DefinedTerms &defined);

  /// Throws NotModelled, TermOverflow.
  void run();
  /// The same without regard to what ranks hold, for those who want to know the cost alone: without invariants, and
  /// without what is obliged of contents. Throws NotShown, too, where an obligation about functions is not proved.
  void runForCost();

  llvm::ArrayRef<Obligation> obligations() const { return found.all(); }
  const StateSymbols &symbols() const { return names; }
  /// The numbers of the schedule (parameters, root), as variables, in the order of Schedule::numbers.
  const std::vector<Term> &numbers() const { return numberTerms; }
  /// p >= 1, the ranges of numbers, and what `requires` says.
  const std::vector<Term> &assumptions() const { return assumed; }
  /// The same, and that p and the numbers of the schedule are those that proofs are about: below 2^31.
  std::vector<Term> countableAssumptions() const;
  /// The invariants that were used, for those who want to see them.
  llvm::ArrayRef<std::pair<LoopHead, Invariant>> invariants() const { return used.all(); }
  /// Why nothing is said about the cost clause; absent: its obligations are among the others.
  const std::optional<NotModelled> &whyNoCost() const { return costUnknown; }
  /// What all rounds together cost, in p, the numbers, and packets where blocks are split: per block, this many.
  const Cost &totalCost() const { return cost; }
  Term packetsPerBlock() const { return packets; }
  /// The last values of loop variables that occur in the cost though their loops have ended.
  const TermPool::Substitution &lastValues() const { return last; }
  /// The first loop without an invariant; what depends on what ranks hold is not shown then.
  const std::optional<NotModelled> &missingInvariant() const { return missing; }
  llvm::ArrayRef<ClockText> clockTexts() const { return clocksShown.all(); }
  /// What the schedule states and cannot be looked at.
  llvm::ArrayRef<Diagnostic> doubts() const { return doubtful.all(); }
  /// What has no formula and nobody needs, though it might have no value.
  const std::optional<NotModelled> &unusedGap() const { return unused; }
  /// What the author states about a loop and was not looked at. Nothing rests on it.
  const std::optional<NotModelled> &unreadInvariant() const { return unread; }
  /// The same about clocks.
  const std::optional<NotModelled> &unreadClock() const { return unreadTimes; }

protected:
  using Frame = SymbolicFrame;
  using Transfer = SymbolicTransfer;
  using Location = SymbolicLocation;
  struct LoopModel;

  Progress progress() const { return *this; }
  void takeBack(const Progress &to) { static_cast<Progress &>(*this) = to; }

  // ---- Execution.cpp
  void assume(Term fact) {
    assert(fact && fact->isBoolean());
    facts.push_back(fact);
  }
  void require(Claim claim, std::string name, llvm::SMRange range, Term guard, Term goal);
  /// What else the solver should know about an obligation.
  virtual void complete(Obligation &obligation);
  /// A schedule that is used is about to begin.
  virtual void beginUse(const ir::UseStmt &, Frame &, Frame &) {}
  /// Whether a step may stand under a condition on the rank.
  virtual bool ranksDiffer() const { return false; }
  void requireNeeds(Term guard);
  Value valueOf(const ir::Expr &expr, Frame &frame, Term guard);
  Term termOf(const ir::Expr &expr, Frame &frame, Term guard);
  void execute(const ir::Body &body, Frame &frame, Term guard);
  void execute(const ir::Stmt &stmt, Frame &frame, Term guard);
  void declare(const ir::Buffer &buffer, Frame &frame, Term guard);
  void use(const ir::UseStmt &stmt, Frame &frame, Term guard);
  SymbolicView bind(const ir::Slice &slice, const ir::Buffer &param, Frame &outer, Frame &inner, Term guard);
  void splitInto(const ir::Schedule &schedule, Frame &frame);
  Term rankIn(const Frame &frame, Term outermost);
  Term rankOutermost(const Frame &frame, Term inFrame);

  // ---- Slices.cpp
  Axis axisOf(const ir::Index &index, Term count, Frame &frame, Term guard, llvm::SMRange range);
  Slots slotsOf(const ir::Slice &slice, Frame &frame, Term guard);
  Term contains(const Axis &axis);
  Term contains(const Axis &block, const Axis &packet) { return pool.both(contains(block), contains(packet)); }
  Term slotAt(const Axis &axis);
  /// The label of the slot `slot`, and the condition under which it is one of the axis.
  std::pair<Term, Term> labelOf(const Axis &axis, Term slot);
  /// The axis of the same labels that lies in a message: label x is slot x.
  Axis messageAxis(const Axis &axis);
  /// Pairs what two axes list, in order: the label of `from` that goes with the label of `to`. What has to hold for there
  /// to be as many is required under `guard`. `hints` are differences to try between the numbers of filters.
  Term pair(const Axis &from, const Axis &to, bool isBlock, Term guard, llvm::ArrayRef<Term> hints, llvm::SMRange range,
            Claim claim);
  Content read(const Slots &slots);
  Data dataOf(const ir::DataExpr &expr, Frame &frame, Term guard);
  bool requireThere(llvm::ArrayRef<const Content *> operands, Term guard, llvm::SMRange range, bool lengthsDiffer);
  Content combine(const Content &a, const Content &b, Term guard, llvm::SMRange range);
  bool haveOwnLengths() const;
  Term comesFrom(const Content &content, size_t input);
  Content select(Term condition, const Content &yes, const Content &no);
  Content substitute(Content content, const TermPool::Substitution &by);
  Content empty();
  /// Writes `data` to `slots` where `guard` holds. `from`: the label of the data for each label of the slots.
  virtual void write(const Slots &slots, const Content &content, Term guard, llvm::SMRange range);
  virtual void assign(const ir::AssignStmt &stmt, Frame &frame, Term guard);
  void requireInRange(const Slots &slots, Term guard, llvm::SMRange range);
  /// Slots of an axis, where `guard` holds, are in 0 ..< count.
  void requireWithin(const Axis &axis, Term count, Term guard, const char *what, llvm::SMRange range);

  // ---- Steps.cpp
  virtual void step(const ir::StepStmt &stmt, Frame &frame, Term guard);
  void collect(const ir::Body &body, Frame &frame, Term guard);
  void collect(const ir::TransferStmt &stmt, Frame &frame, Term guard);
  void requireMatching();
  void requirePorts();
  void requireNoRace();
  Term at(Term term, Term rank);
  Term meets(const Transfer &send, const Transfer &recv); // of the generic rank's send
  void requireBlocks(const Axis &axis, Term guard, const Transfer &recv);
  void requireRoom(const Axis &block, const Axis &packet, Term guard, const Transfer &recv);
  bool neverMeet(const Transfer &recv, Term pairing);
  void deliver();

  // ---- StatedInvariants.cpp
  void setLoopVariables(const ir::ForStmt &stmt, Frame &frame, Term head);
  std::pair<Term, Term> blockInView(const SymbolicView &view);
  Content inputOf(Frame &frame, unsigned input, Term rank, Term block);
  std::optional<Content> statedValue(const ir::Invariant &stated, Frame &frame, Term guard);
  std::vector<Content> statedContents(const ir::Invariant &stated, Frame &frame, const SymbolicBuffer &storage, Term guard);
  void setIndices(const ir::Invariant &stated, Frame &frame, Term block);
  SymbolicBuffer *statedStorage(const ir::Invariant &stated, const Frame &frame) const;
  void requireStatedOfUnwritten(const ir::ForStmt &stmt, Frame &frame, Term guard, const LoopModel &model,
                                const LoopHead &head);
  std::vector<Invariant> statedInvariants(const ir::ForStmt &stmt, Frame &frame, Term guard, const LoopModel &model,
                                          const LoopHead &head, const std::vector<Invariant> &candidates,
                                          const std::vector<Location> &located);

  // ---- LoopModels.cpp
  bool holds(Term goal, Term guard, llvm::SMRange range);
  LoopModel modelOf(const ir::ForStmt &stmt, Frame &frame, Term guard);
  void findWritten(const ir::Body &body, const Frame &frame, std::vector<SymbolicBuffer *> &written);

  // ---- Loops.cpp
  virtual void loop(const ir::ForStmt &stmt, Frame &frame, Term guard);
  bool tryPigeonhole(const ir::ForStmt &stmt, Frame &frame, Term guard, const LoopModel &model, const LoopHead &head);
  class LoopTrial;
  bool tryInvariant(const ir::ForStmt &stmt, Frame &frame, Term guard, const LoopModel &model, const LoopHead &head,
                    const Invariant &invariant, bool toTheEnd = false);
  std::vector<Invariant> candidatesFor(const ir::ForStmt &stmt, Frame &frame, Term guard, const LoopModel &model,
                                       const LoopHead &head, std::vector<Location> &located);
  Term sameProduct(const Content &had, const Content &wanted);
  Term sameFullness(const Content &had, const Content &wanted);
  Term sameContent(const Content &had, const Content &wanted);
  Term slotsWhere(const SymbolicBuffer &storage, Term guard);

  // ---- Locations.cpp
  Location locationIn(SymbolicBuffer &storage, Term rank, Term bound, Content content);
  std::vector<Location> statedLocations(const ir::ForStmt &stmt, Frame &frame, Term guard, const LoopModel &model,
                                        const LoopHead &head);
  std::optional<Location> statedLocation(const ir::Invariant &stated, Frame &frame, Term guard, SymbolicBuffer &storage);
  bool tryLocations(const ir::ForStmt &stmt, Frame &frame, Term guard, const LoopModel &model, const LoopHead &head);
  void addLocations(Obligation &obligation);
  /// The rank that has a contribution, of the arguments of `call`, after what the body of the loop has sent.
  Term rankAfter(const Location &location, Term call);
  Term located(Term term, const Location &location, llvm::function_ref<Term(Term call)> rank);
  /// The call for the contributor and the slot that formulas speak of.
  Term callOf(const Location &location);
  Content atOwnSlot(const Slots &slots, Content content);

  // ---- Cost.cpp
  Cost noCost();
  void giveUpCost(const NotModelled &why);
  Cost plus(const Cost &a, const Cost &b);
  Cost onlyIf(Term condition, Cost some);
  Term countOf(const Axis &axis, Term guard, llvm::SMRange range, std::int64_t &denominator);
  Cost lengthOf(const Transfer &send);
  Term severalOf(const Transfer &send);
  Term packetOf(const Slots &slots);

  // ---- CostOfRounds.cpp
  class RoundCost;
  void addRound(Term guard);

  // ---- Witnesses.cpp
  llvm::SmallVector<Term, 8> witnesses(const Transfer &send);
  void addWitnesses(Term guard, llvm::SmallVectorImpl<Term> &result);

  // ---- CostOfLoops.cpp
  Term tripsOf(const ir::ForStmt &stmt, const LoopModel &model);
  void addIterations(const ir::ForStmt &stmt, const LoopModel &model, const Cost &before, Term guard);
  Term sumOver(Term each, const ir::ForStmt &stmt, const LoopModel &model, Term guard, llvm::SMRange range);
  Term aggregate(llvm::StringRef name, Term each, Term variable, Term lo, Term hi, Term condition);

  // ---- CostClause.cpp
  class ClauseReader;
  void requireCost(Frame &frame);
  void requireClause(const ir::Claim &claim, bool isRounds, ClauseReader &reader);
  Term withNumbersForAggregates(Term formula, llvm::SMRange range);
  std::vector<std::pair<Term, Term>> aggregateNumbers;

  // ---- Promises.cpp
  void begin(Frame &frame);
  void requirePromises(Frame &frame);
  void requirePromise(const ir::Promise &promise, Frame &frame);
  Term machineRank(Term rank);
  Term rankOf(Term machineRank);
  Term rankName(Term rank);
  llvm::SmallVector<Term, 2> lengthIndicesOf(const SymbolicBuffer &input, const Content &content);

  const ir::Schedule &schedule;
  TermPool &pool;
  Oracle &oracle;
  DefinedTerms &defined;
  const Products products;
  const StateSymbols names;
  const Term blockLabel, packetLabel; // of slices, messages and values
  Numbers exprs;

  std::deque<SymbolicBuffer> storages; // also those that were taken back
  std::vector<const SymbolicBuffer *> inputs; // of the schedule itself
  Term origin;                   // `ranks from` of the schedule itself; null: 0
  Frame *outermost = nullptr;    // of the schedule itself
  SymbolicBuffer *heard = nullptr;      // barrier: slot j of rank i is valid if i has heard of j
  std::vector<Term> assumed, numberTerms;
  bool contentsMatter = true; // else invariants are not looked for
  std::vector<Term> heads; // of enclosing loops
  std::vector<Transfer> sends, receives;
  /// One write, as formulas of a slot: where, and what.
  struct Written {
    const SymbolicBuffer *storage;
    Slots slots;
    Term guard;
    Content content;
    size_t loops; // around it
  };
  std::vector<Written> *writes = nullptr; // who wants to know
  std::vector<Location> *moving = nullptr; // of the loop that is being tried
  unsigned locationCount = 0;              // that have been named, also those that were taken back
};

/// Where the facts of a loop come from.
struct Execution::LoopModel {
  Term head, entry;           // the symbol at the head, its first value
  std::vector<Term> facts;    // about the head, also after the last iteration
  std::vector<Term> inBody;   // about what the body sees
  Term atBody, next;          // the head's value in the body, and after it
  Term first, second;         // the loop variables in the body
  std::vector<Term> atExit;   // what holds after the last iteration
  Term exit;                  // the head's last value, if it has a formula; else null
  Term limit;                 // the bound at which it ends, Times and Halvings
  Term trips;                 // the number of iterations, if it has a formula
};

} // namespace quadrille::compiler::prove

#endif // QUADRILLE_PROVE_EXECUTION_EXECUTION_H
