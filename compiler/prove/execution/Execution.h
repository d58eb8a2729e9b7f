//===- Execution.h - A uniform schedule executed on formulas --------------------------------------------------*- C++ -*-===//
//
// Walks the schedule once, for all ranks and all p at the same time. The state is a formula (State.h); at loops an invariant
// replaces it. Each statement adds obligations: what has to hold for it.
//
// All ranks go through the same steps, so every transfer has to meet its other side in the same step (docs/proofs.md).
// Ranks are numbered as in the outermost schedule.
//
// This folder promises that a claim holds for all p if all its obligations are proved, independent of the invariants that it was
// given; prove/costs/, which belongs to it, promises the same for costs.
//
// Used only in prove/. Split by purpose: Execution (control flow, lets, used schedules), Groups (schedules used in groups), Slices
// (slots, labels, values), Knowledge (lengths that ranks know), Steps (transfers), StepLoops (loops of transfers), LoopModels (heads,
// facts), Loops (invariants), StatedInvariants (invariants of the author), Locations (where contributions are), Pigeonhole (loops that
// fill every slot), Witnesses (ranks with a longest message), Promises (the initial state and the result).
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_PROVE_EXECUTION_EXECUTION_H
#define QUADRILLE_PROVE_EXECUTION_EXECUTION_H

#include "Groups.h"
#include "Progress.h"

#include "llvm/ADT/SetVector.h"

#include <functional>
#include <map>
#include <optional>

namespace quadrille::compiler::prove {

/// Whether a term applies a location function: the rank that has a contribution (see Locations.cpp).
inline bool isLocation(Term call) {
  const llvm::StringRef name = call->name; // calls of functions of the language end with parentheses
  return call->kind == TermKind::Apply && call->operands.size() == 3 && name.starts_with("location") && !name.ends_with("()");
}

/// Whether a term is a sum or maximum over a range. Its operands contain the index as a free variable.
inline bool isAggregate(Term call) {
  return call->kind == TermKind::Apply && (call->name == "sum" || call->name == "max");
}

/// Whether a body, or a schedule that it uses, states an invariant about what several ranks hold together.
bool statesLocations(const ir::Body &body);

/// Whether a step of a body, or of a schedule that it uses, contains a loop of transfers.
bool hasLoopsInSteps(const ir::Body &body);

/// The questions that the execution asks; Decisions answers them.
class Oracle {
public:
  virtual ~Oracle() = default;
  /// Invariants to try, best first.
  virtual std::vector<Invariant> invariants(const LoopHead &head, const StateSymbols &symbols) = 0;
  /// Whether the obligation can be proved; remembers the answer.
  virtual bool isProved(const Obligation &obligation) = 0;
  /// Values of variables for which all conditions hold; nothing if none were found.
  virtual std::optional<std::vector<std::pair<Term, std::int64_t>>> example(llvm::ArrayRef<Term>) { return std::nullopt; }
  /// The limit that ran out before the obligation was decided, if one did.
  virtual std::optional<LimitInForce> ranOut(const Obligation &) { return std::nullopt; }
  /// The limit that ended the last search for invariants.
  virtual LimitInForce boundOfSearch() const { return limits::fitSize; }
  /// What is shown of a schedule by itself. The result lives as long as the oracle. Null if this oracle does not show it.
  virtual const ProofAlone *proofAlone(const UsedAlone &) { return nullptr; }
};

/// Thrown by runForCost: the cost depends on this obligation, which is not shown.
struct NotShown {
  Obligation obligation;
};

class Execution : protected Progress {
public:
  virtual ~Execution() = default;

  Execution(const ir::Schedule &schedule, TermPool &pool, Oracle &oracle, Products products, DefinedTerms &defined);

  /// From now on the schedule is executed as one that is used in groups. `how` must live as long as this object.
  void standAlone(const UsedAlone &how) { alone = &how; }
  /// From now on the cost is what it is by time: some ranks pass by what others do.
  void countByTime() { isByTime = true; }

  /// Executes the schedule. Throws NotModelled, TermOverflow.
  void run();
  /// Executes it for its cost alone, without the contents of buffers: without invariants and without obligations about contents.
  /// Also throws NotShown if an obligation that involves functions is not proved.
  void runForCost();

  llvm::ArrayRef<Obligation> obligations() const { return found.all(); }
  const StateSymbols &symbols() const { return names; }
  /// The numbers of the schedule (parameters, root), as variables, in the order of Schedule::numbers.
  const std::vector<Term> &numbers() const { return numberTerms; }
  /// p >= 1, the ranges of numbers, and what `requires` says.
  const std::vector<Term> &assumptions() const { return assumed; }
  /// The assumptions, and that p and the schedule's numbers are below 2^31.
  std::vector<Term> countableAssumptions() const;
  /// The invariants that were used, for explanations.
  llvm::ArrayRef<std::pair<LoopHead, Invariant>> invariants() const { return used.all(); }
  /// Why there are no obligations for the cost clauses; absent if there are.
  const std::optional<NotModelled> &whyNoCost() const { return costUnknown; }
  /// The same for the clause about rounds.
  const std::optional<NotModelled> &whyNoRounds() const { return roundsUnknown; }
  /// The cost of all rounds, over p and the schedule's numbers; if blocks are split, into packetsPerBlock() packets.
  const SymbolicCost &totalCost() const { return cost; }
  Term packetsPerBlock() const { return packets ? packets : packetsOfGroups.size() == 1 ? packetsOfGroups[0] : Term(); }
  /// The caller's number of a rank of the schedule, which may begin with `ranks from`.
  Term machineRank(Term rank);
  /// Into how many packets blocks are split, by the schedule and by what it uses.
  std::vector<Term> splits() const;
  /// For each output, whether its slots of which nothing is promised are empty at the end. Only of a schedule that is used in groups.
  const std::vector<char> &emptyElsewhere() const { return leavesEmpty; }
  /// Only of a schedule that is used in groups.
  const RoundsAlone &roundsAlone() const { return ownRounds; }
  /// The last values of loop variables, which may occur in the cost after their loops.
  const TermPool::Substitution &lastValues() const { return last; }
  /// The first loop without an invariant. Claims about contents are then not shown.
  const std::optional<NotModelled> &missingInvariant() const { return missing; }
  llvm::ArrayRef<ClockText> clockTexts() const { return clocksShown.all(); }
  /// Warnings about stated invariants that were not used.
  llvm::ArrayRef<Diagnostic> doubts() const { return doubtful.all(); }
  /// The first let that has no formula and was not used; it may have no value.
  const std::optional<NotModelled> &unusedGap() const { return unused; }
  /// A stated invariant that was not used. No claim depends on it except that of invariants.
  const std::optional<NotModelled> &unreadInvariant() const { return unread; }
  /// A stated clock that was not used.
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
  /// Whether a goal about costs holds here, for every rank of which `where` holds. It is decided now, and what follows rests on
  /// it: so it is among the obligations if it is shown.
  bool isShownNow(const char *what, llvm::SMRange range, Term where, Term goal);
  bool isDead(Term guard, llvm::SMRange range);
  /// Adds instances of laws to the hypotheses of an obligation.
  virtual void complete(Obligation &obligation);
  /// Called before the body of a used schedule is executed.
  virtual void beginUse(const ir::UseStmt &, Frame &, Frame &) {}
  /// Whether a step may stand under a condition on the rank.
  virtual bool ranksDiffer() const { return false; }
  void requireNeeds(Term guard);
  Value valueOf(const ir::Expr &expr, Frame &frame, Term guard);
  Term termOf(const ir::Expr &expr, Frame &frame, Term guard);
  static bool hasTransfers(const ir::Body &body);
  void execute(const ir::Body &body, Frame &frame, Term guard);
  void execute(const ir::Stmt &stmt, Frame &frame, Term guard);
  void declare(const ir::Buffer &buffer, Frame &frame, Term guard);
  void use(const ir::UseStmt &stmt, Frame &frame, Term guard);
  SymbolicView bind(const ir::Slice &slice, const ir::Buffer &param, Frame &outer, Frame &inner, Term guard);
  /// Requires what the parameters of an instance's bases must be.
  void requireArguments(const ir::Schedule &instance, Frame &frame, Term guard);
  void setUniformLets(const ir::Schedule &schedule, Frame &frame);
  void splitInto(const ir::Schedule &schedule, Frame &frame);
  /// Notes that a schedule used in a group splits blocks into `parts` packets, and requires that this agrees with all other splits.
  void splitInGroup(Term parts, llvm::SMRange where);
  /// Requires that two splits make as many packets, or that one of them makes a single packet, the whole block.
  void agreeOnPackets(Term parts, Term others, llvm::SMRange where);
  Term rankIn(const Frame &frame, Term outermost);
  Term rankOutermost(const Frame &frame, Term inFrame);

  // ---- Groups.cpp
  class GroupUse;
  virtual void useInGroups(const ir::UseStmt &stmt, Frame &frame, Term guard);
  std::optional<ModelInForce> modelInForce();

  // ---- Slices.cpp
  Axis axisOf(const ir::Index &index, Term count, Frame &frame, Term guard, llvm::SMRange range);
  Slots slotsOf(const ir::Slice &slice, Frame &frame, Term guard);
  Term contains(const Axis &axis);
  Term contains(const Axis &block, const Axis &packet) { return pool.both(contains(block), contains(packet)); }
  Term slotAt(const Axis &axis);
  /// The condition under which the generic slot is one of these.
  Term isAmong(const Slots &slots);
  /// The label of the slot `slot`, and the condition under which the axis contains it.
  std::pair<Term, Term> labelOf(const Axis &axis, Term slot);
  /// The axis with the same labels inside a message, where label x is slot x.
  Axis messageAxis(const Axis &axis);
  /// If the axis selects every m-th slot: the distance m and the first one.
  std::optional<std::pair<Term, Term>> strideOf(const Axis &axis);
  /// Pairs the slots of two axes in order: returns the label of `from` that corresponds to the label of `to`. Requires under
  /// `guard` that both have equally many slots. `hints`: differences to try between the numbers that two filters select.
  Term pair(const Axis &from, const Axis &to, bool isBlock, Term guard, llvm::ArrayRef<Term> hints, llvm::SMRange range,
            Claim claim);
  Content read(const Slots &slots);
  Data dataOf(const ir::DataExpr &expr, Frame &frame, Term guard);
  bool requireThere(llvm::ArrayRef<const Content *> operands, Term guard, llvm::SMRange range, bool lengthsDiffer);
  void requireOrder(Term left, Term right, Term guard, llvm::SMRange range);
  Content combine(const Content &a, const Content &b, Term guard, llvm::SMRange range);
  bool haveOwnLengths() const;
  Term comesFrom(const Content &content, size_t input);
  Content select(Term condition, const Content &yes, const Content &no);
  Content substitute(Content content, const TermPool::Substitution &by);
  Content empty();
  /// Writes `content`, a formula in the labels of `slots`, to the slots where `guard` holds.
  virtual void write(const Slots &slots, const Content &content, Term guard, llvm::SMRange range);
  virtual void assign(const ir::AssignStmt &stmt, Frame &frame, Term guard);
  void requireInRange(const Slots &slots, Term guard, llvm::SMRange range);
  /// Requires that the slots of an axis are in 0 ..< count where `guard` holds.
  void requireWithin(const Axis &axis, Term count, Term guard, const char *what, llvm::SMRange range);

  // ---- Steps.cpp
  virtual void step(const ir::StepStmt &stmt, Frame &frame, Term guard);
  void collect(const ir::Body &body, Frame &frame, Term guard);
  void collect(const ir::TransferStmt &stmt, Frame &frame, Term guard);
  void requireMatching();
  void requireSingleMessages();
  bool requireSameOrder();
  void requirePorts();
  Term mostOf(const Transfer &transfer);
  void requireNoMoreThanPorts(const ModelInForce &model, llvm::SMRange range);
  bool hasFamilies() const; // whether the step has loops of transfers
  void requireNoRace();
  Term at(Term term, Term rank);
  Term meets(const Transfer &transfer, const Transfer &other); // the transfer of the generic rank meets `other` on its partner
  void requireBlocks(const Axis &axis, Term guard, const Transfer &recv);
  bool isRotation(const Axis &a, const Axis &b, Term distance);
  void requireRoom(const Axis &block, const Axis &packet, Term guard, const Transfer &recv);
  bool neverMeet(const Transfer &recv, Term pairing);
  struct Arrival;
  void giveShape(SymbolicBuffer &message, const Axis &block, const Axis &packet, Term guard);
  Content movedInto(const Slots &slots, const Transfer &recv, const Axis &block, const Axis &packet, const Content &content, Term pairing);
  Term hasBlocks(const Axis &axis);
  Arrival arrivalOfMessage(const Transfer &recv, const Axis &block, const Axis &packet, const Content &content, Term pairing,
                           bool isCertain, bool hasShape);
  Arrival arrivalInSlots(const Transfer &recv, const Axis &block, const Axis &packet, const Content &content, Term pairing);
  void deliver();

  // ---- StepLoops.cpp
  std::vector<Term> solutions(Term formula, Term variable, Term value);
  void collectLoop(const ir::ForStmt &loop, Frame &frame, Term guard);
  Transfer inIteration(const Transfer &transfer, Term iteration);
  std::vector<Term> iterationsByEquations(Term condition, Term index);
  std::vector<Term> iterationsByParts(Term condition, Term index);
  Term iterationWhere(Term condition, Term index, Term where, llvm::SMRange range);
  std::vector<Transfer> iterationsMeeting(const Transfer &transfer, const Transfer &other);
  Term heardInLoop(Term arrives, const Transfer &recv, Term heardBefore);
  Transfer apart(const Transfer &transfer);
  void forTwoIterations(const Transfer &transfer, llvm::function_ref<void(const Transfer &other, Term differ)> visit);
  Term iterationOfSlot(const Transfer &recv);

  // ---- StatedInvariants.cpp
  void setLoopVariables(const ir::ForStmt &stmt, Frame &frame, Term head);
  std::pair<Term, Term> blockInView(const SymbolicView &view);
  Content inputOf(Frame &frame, unsigned input, Term rank, Term block);
  std::optional<Content> statedValue(const ir::Invariant &stated, Frame &frame, Term guard);
  std::vector<Content> statedContents(const ir::Invariant &stated, Frame &frame, const SymbolicBuffer &storage, Term guard);
  void setIndices(const ir::Invariant &stated, Frame &frame, Term block);
  bool statesWhatIsNotHeard() const;
  SymbolicBuffer *statedStorage(const ir::Invariant &stated, const Frame &frame) const;
  void requireStatedOfUnwritten(const ir::ForStmt &stmt, Frame &frame, Term guard, const LoopModel &model,
                                const LoopHead &head);
  std::vector<Invariant> statedInvariants(const ir::ForStmt &stmt, Frame &frame, Term guard, const LoopModel &model,
                                          const LoopHead &head, const std::vector<Invariant> &candidates,
                                          const std::vector<Location> &located);

  // ---- LoopModels.cpp
  bool holds(Term goal, Term guard, llvm::SMRange range);
  class LoopModelling;
  LoopModel modelOf(const ir::ForStmt &stmt, Frame &frame, Term guard);
  void findWritten(const ir::Body &body, const Frame &frame, std::vector<SymbolicBuffer *> &written);

  // ---- Loops.cpp
  virtual void loop(const ir::ForStmt &stmt, Frame &frame, Term guard);
  bool tryPigeonhole(const ir::ForStmt &stmt, Frame &frame, Term guard, const LoopModel &model, const LoopHead &head);
  struct LoopAt;
  class LoopTrial;
  class LoopSearch;
  bool tryInvariant(const ir::ForStmt &stmt, Frame &frame, Term guard, const LoopModel &model, const LoopHead &head,
                    const Invariant &invariant, bool toTheEnd = false);
  std::vector<Invariant> candidatesFor(const ir::ForStmt &stmt, Frame &frame, Term guard, const LoopModel &model,
                                       const LoopHead &head, std::vector<Location> &located);
  Term sameProduct(const Content &had, const Content &wanted);
  Term sameFullness(const Content &had, const Content &wanted);
  Term sameContent(const Content &had, const Content &wanted);
  Term slotsWhere(const SymbolicBuffer &storage, Term guard);

  // ---- Locations.cpp
  Location locationIn(SymbolicBuffer &storage, Term rank, Term bound, Content content, Term block = {}, Term slot = {});
  std::optional<Location> placedIn(SymbolicBuffer &storage, const Content &content);
  bool tryPlaces(const ir::ForStmt &stmt, Frame &frame, Term guard, const LoopModel &model, const LoopHead &head);
  std::vector<Location> statedLocations(const ir::ForStmt &stmt, Frame &frame, Term guard, const LoopModel &model,
                                        const LoopHead &head);
  std::optional<Location> statedLocation(const ir::Invariant &stated, Frame &frame, Term guard, SymbolicBuffer &storage);
  bool tryLocations(const ir::ForStmt &stmt, Frame &frame, Term guard, const LoopModel &model, const LoopHead &head);
  void addLocations(Obligation &obligation);
  /// The rank that has the contribution `call` after the sends of the loop's body.
  Term rankAfter(const Location &location, Term call);
  Term located(Term term, const Location &location, llvm::function_ref<Term(Term call)> rank);
  /// The application of the location function to the generic contributor, block and packet (names.member, names.block, names.packet).
  Term callOf(const Location &location);
  /// The same for the block whose contributions the generic slot of `me` holds.
  Term callAtSlot(const Location &location);
  Content atOwnSlot(const Slots &slots, Content content);

  // ---- Cost.cpp
  SymbolicCost noCost();
  void giveUpCost(const NotModelled &why);
  SymbolicCost plus(const SymbolicCost &a, const SymbolicCost &b);
  SymbolicCost onlyIf(Term condition, SymbolicCost some);
  SymbolicCost costByTime(bool forRounds);
  bool isFixed(Term number) const;
  void addChainRank(Term rank);
  SymbolicCost lengthOf(const Transfer &send);
  Term lengthHeld(const Slots &slots, Term guard, llvm::SMRange range);
  Term severalOf(const Transfer &send);
  Term packetOf(const Slots &slots);

  // ---- CostOfWork.cpp
  bool countsWork() const;
  void addWork(const Data &left, const Content &right, Term guard, llvm::SMRange range);
  void endWork(llvm::SMRange range);
  void beginStepOfWork(Term startups);
  Work enterLoopOfWork(const ir::ForStmt &stmt);
  void leaveLoopOfWork(const Work &before);
  void requireWorkKnown();

  // ---- SlotCount.cpp
  class SlotCount;
  Term countOf(const Axis &axis, Term guard, llvm::SMRange range, std::int64_t &denominator);

  // ---- CostOfGroups.cpp
  /// Groups that have run a schedule, as the generic rank sees them.
  struct Groups {
    const ir::UseStmt &stmt;
    const ProofAlone &proof;
    Term guard;                        // whether the rank is in a group
    Term lo, size, position;           // of its group: the first number in the list, how many there are, and the place of the rank
    llvm::ArrayRef<Term> numbers;      // that the schedule has got
    std::function<Term(Term)> rankOf;  // the rank with a number in the list
    bool arePackets = false;           // packets are in the place of blocks
  };
  class GroupCost;
  virtual void addGroups(const Groups &groups);

  // ---- CostOfRounds.cpp
  class RoundCost;
  void addRound(Term guard);

  // ---- RoundsByTime.cpp
  class RoundsByTime;
  void noteLoop(const ir::ForStmt &stmt, const LoopModel &model, Term guard);
  void noteEndOfLoop();
  void noteOtherRounds();
  bool notesRounds() const { return isByTime || alone; }
  bool wordsAddUp();
  RoundsAlone describeRounds();

  // ---- Witnesses.cpp
  llvm::SmallVector<Term, 8> witnesses(const Transfer &send);
  std::vector<Term> atomsOfWitnesses(Term guard);
  llvm::SmallVector<Term, 2> fittedWitnesses(const Transfer &send, Term guard);
  void addWitnesses(Term guard, llvm::SmallVectorImpl<Term> &result);
  void addCountedFrom(const Transfer &send, llvm::SmallVectorImpl<Term> &result);

  // ---- Knowledge.cpp
  /// Requires that rank `me` knows an entry of a table of the outermost schedule, the length of `what`, where `guard` holds.
  void requireKnown(llvm::StringRef what, unsigned table, llvm::ArrayRef<Term> indices, llvm::SMRange range, Term guard);

  // ---- CostOfLoops.cpp
  Term tripsOf(const ir::ForStmt &stmt, const LoopModel &model);
  void addIterations(const ir::ForStmt &stmt, const LoopModel &model, const SymbolicCost &before, Term guard);
  llvm::SmallVector<Term, 4> callsInClauses();
  Term countedByCalls(Term each, const LoopModel &model, llvm::SMRange range);
  std::function<bool(Term)> changesIn(const LoopModel &model);
  bool boundsSuffice() const;
  bool claimsSums() const;
  Term boundByClause(Term each, Term SymbolicCost::*part, Term trips, const LoopModel &model, Term guard, llvm::SMRange range);
  llvm::SmallVector<Term, 2> claimedParts(Term SymbolicCost::*part);
  Term boundOfEach(Term each, llvm::function_ref<bool(Term)> changes);
  Term sumOver(Term each, const ir::ForStmt &stmt, const LoopModel &model, Term guard, llvm::SMRange range);
  Term sumOfParts(Term each, const ir::ForStmt &stmt, const LoopModel &model, Term guard, llvm::SMRange range);
  llvm::SmallVector<Term, 16> formsOfSum(Term each, const LoopModel &model, llvm::function_ref<bool(Term)> changes);
  Term closedSumOver(Term each, const ir::ForStmt &stmt, const LoopModel &model, Term guard, llvm::SMRange range);
  llvm::SmallVector<Term, 8> sumsCutOff(Term each, const LoopModel &model);
  Term withDoubledPowers(Term goal);
  Term sumInWords(Term each, const LoopModel &model, const ir::ForStmt &stmt);
  Term aggregate(llvm::StringRef name, Term each, Term variable, Term lo, Term hi, Term condition);

  // ---- CostClause.cpp
  class ClauseReader;
  bool isAboutRounds(const ir::CostClause &claim) const;
  bool boundsByLargest() const;
  void requireCost(Frame &frame);
  /// The startups that the cost clause claims (of the clause about rounds: those), a formula in p and the schedule's numbers. Null if
  /// there is no such formula.
  Term claimedStartups(const ir::CostClause &claim, Frame &frame);
  void requireClause(const ir::CostClause &claim, bool isRounds, ClauseReader &reader);
  /// Requires what a clause of the schedule says of `cost`; `unknown`: is set if that cannot be stated.
  void requireClause(const ir::CostClause &claim, Frame &frame, std::optional<NotModelled> &unknown);
  Term withNumbersForAggregates(Term formula, llvm::SMRange range);
  std::vector<std::pair<Term, Term>> aggregateNumbers; // sums and maxima, and the variable that stands for each

  // ---- Promises.cpp
  void beginNumbers(Frame &frame);
  SymbolicBuffer &declareParameter(const ir::Buffer &buffer, Frame &frame);
  void declareInputs(Frame &frame);
  void declareOutputs(Frame &frame);
  void declareHeard();
  void begin(Frame &frame);
  void requirePromises(Frame &frame);
  class Promised;
  Term requirePromise(const ir::Promise &promise, Frame &frame);
  /// Requires that every rank has heard of every other one.
  virtual void requireHeard(llvm::SMRange range);
  RoundsAlone ownRounds;
  std::vector<char> leavesEmpty; // by output, of a schedule that is used in groups
  Term rankOf(Term machineRank);
  Term rankName(Term rank); // the number by which contents name a rank
  llvm::SmallVector<Term, 2> lengthIndicesOf(const SymbolicBuffer &input, const Content &content);

  const ir::Schedule &schedule;
  TermPool &pool;
  Oracle &oracle;
  DefinedTerms &defined;
  const Products products;
  const StateSymbols names;
  const Term blockLabel, packetLabel; // the labels of slices, messages and values
  const Term partner; // the rank at the other end of a transfer. `at`, which turns a formula into that rank's view, puts `me` in its place
  Numbers exprs;

  std::deque<SymbolicBuffer> storages; // never shrinks: also storages that were taken back
  std::vector<const SymbolicBuffer *> inputs; // of the schedule itself
  Term origin;                   // the value of `ranks from` in the outermost schedule; null: 0
  Frame *outermost = nullptr;    // of the schedule itself
  SymbolicBuffer *heard = nullptr;      // barrier: slot j of rank i is valid if i has heard of j
  std::vector<Term> assumed, numberTerms;
  const UsedAlone *alone = nullptr; // how this schedule is used in groups; null: it is not
  bool isByTime = false; // whether the cost is that by time
  llvm::SetVector<const ProofAlone *> proofsAlone; // of schedules used in groups; never shrinks: also of uses that were taken back
  bool contentsMatter = true; // false: contents are ignored, and no invariants are sought
  std::vector<Term> heads; // the heads of the loops around the current statement
  std::vector<Transfer> sends, receives;
  bool inOrder = false; // of these, the first send meets the first receive, and so on
  /// One write: the slots, the condition and the content, as formulas.
  struct Written {
    const SymbolicBuffer *storage;
    Slots slots;
    Term guard;
    Content content;
    size_t loops; // the number of loops around it
  };
  /// Whether the write fills one slot of the storage, and is directly in the loop that is being modelled: an inner one may have no
  /// iteration.
  bool fillsOneSlot(const Written &write, const SymbolicBuffer &storage);
  std::vector<Written> *writes = nullptr; // if not null, every write is recorded here
  std::vector<Location> *moving = nullptr; // the locations of the loop that is being tried; null: none
  unsigned locationCount = 0;              // the number of names used so far, also for locations that were taken back
};

/// The model of a loop: a symbol for its state (the head), and facts about it.
struct Execution::LoopModel {
  Term head, entry;           // the symbol that stands for the head, and its first value
  std::vector<Term> facts;    // about the head, also after the last iteration
  std::vector<Term> inBody;   // about the variables in the body
  Term atBody, next;          // the head's value at the beginning of the body, and at the end
  Term first, second;         // the loop variables in the body
  std::vector<Term> atExit;   // what holds after the last iteration
  Term exit;                  // the head's last value, if it has a formula; else null
  Term limit;                 // Times and Halvings: the loop's bound
  Term factor;                // Times: what the variable is multiplied by
  Term trips;                 // the number of iterations, if it has a formula
  Term iterations;            // Times: the number of iterations before the head, if facts tell it; else null
};

} // namespace quadrille::compiler::prove

#endif // QUADRILLE_PROVE_EXECUTION_EXECUTION_H
