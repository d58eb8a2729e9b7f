//===- ScheduleSema.h - Analysis of a schedule --------------------------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_SEMA_SCHEDULESEMA_H
#define QUADRILLE_SEMA_SCHEDULESEMA_H

#include "PlainSema.h"
#include "Reversal.h"

#include "llvm/ADT/DenseSet.h"

namespace quadrille::compiler::sema {

class ScheduleSema {
public:
  /// `record`: the schedule's text. Schedules that it names are looked up there; `resolver` finds each of them the first time.
  ScheduleSema(ScheduleText &record, ir::Program &program, const Sources &sources, Diagnostics &diagnostics,
               const ScheduleResolver &resolver);

  /// The trees that a `use` gives for those that the used schedule leaves open, and how it is used.
  struct TreesGiven {
    std::vector<const ir::Expr *> trees; // Op::BuildTree over the frame of the user, in the order of the parameters
    bool isAmong = false;                // the used schedule runs in groups: its p is another one
    const ir::Collective *reversedFor = nullptr; // it runs backwards, for this collective; null: it runs forwards
    bool isCommutative = false;          // the using schedule requires a commutative operator, so this one does
    std::string name;                    // of the resulting schedule
  };

  /// Analyzes the schedule. Null after an error, which is reported. `given`: null leaves trees open.
  std::unique_ptr<ir::Schedule> run(const TreesGiven *given = nullptr);

private:
  // declarations
  bool signature(const TreesGiven *given);
  /// Adds an input or result of a collective to those of the schedule.
  ir::Buffer *newData(const ast::Name &name, const ir::CollectiveParam &param, ir::BufferKind kind, const ir::Collective &collective);

  // instances
  /// A schedule whose clauses hold: this one, what it is an instance of, and so on. The last one has the statements.
  struct Level {
    ScheduleText *record;
    Names names;            // in which its clauses are analyzed; those of the last level are the current ones
    bool isRenamed = false; // arguments are named differently, so the text of a clause cannot be shown for the instance
  };
  /// Declares the trees that the schedule leaves open, or those that are given.
  void declareTrees(const TreesGiven *given);
  /// Declares the numbers that are passed on for the trees that are given.
  void declareNumbersOf(const TreesGiven &given);
  /// A name for a tree; `value`: null if it is open.
  Symbol treeSymbol(const ast::Name &name, const ir::Expr *value);
  /// Adds the level of an instance's base. False after an error, which is reported.
  bool enterBase();
  /// The symbol for a parameter of a base. `isSameName`: set if the argument is a name, the same as the parameter's.
  Symbol argument(const ast::Expr &expr, const ast::ScheduleParameter &param, const std::string &base, bool &isSameName);
  /// The schedule that a part of a text, at `place`, names: `by` is a `use` or a clause, or null for the base of an instance.
  UsedSchedule named(ScheduleText &in, const void *by, llvm::SMRange place, llvm::StringRef folder, llvm::StringRef schedule);
  const ir::Expr *treeGiven(const ast::Expr &expr);
  /// Reports a schedule that is not found, or whose errors are reported already.
  void reportMissing(const UsedSchedule &used, const std::string &path, llvm::SMRange range, bool isBase);
  template <typename Analyze> void forClauses(Analyze analyze);
  const ScheduleText &statementsOf() const { return *levels.back().record; }
  const ir::Expr *withoutLets(const ir::Expr *expr);
  std::string textOfClause(const ast::Expr &expr, const ir::Expr *meaning) const;
  void duplicate(const ast::Clause &clause, llvm::StringRef word, llvm::SMRange before);
  /// The instance of an open schedule with the trees that a `use` gives; the numbers among their arguments go to `numbers`. Null after
  /// an error.
  const ir::Schedule *withTrees(ScheduleText &open, TreesGiven given, llvm::SMRange place, std::vector<const ir::Expr *> &numbers);

  // blocks with lengths of their own
  /// Turns the claims of a text for blocks of n elements into upper bounds, in which n is the longest block. Clauses of the instance may
  /// replace them.
  void claimForLongest();
  /// The length of the longest block.
  const ir::Expr *longestBlock(llvm::SMRange range);

  // reversals
  /// A schedule that runs backwards.
  struct Running {
    Direction outer;     // the data of the reversal
    std::string path;    // of the schedule that runs backwards
    size_t level = 0;    // the first one that belongs to it
    const ir::Collective *own = nullptr; // the collective for which used schedules run backwards; null: not known
  };
  /// Replaces the schedule's data by that of the base, which is to run backwards; its names go to `inner`. False after an error, which is
  /// reported. `own`: the collective of the reversal; null if only the base is for blocks of n elements.
  bool beginReversal(const ast::Schedule &base, const ir::Collective &collective, const ir::Collective *own, const std::string &path,
                     llvm::SMRange range, Names &inner);
  /// Reverses the statements that have been analyzed.
  void reverse();
  /// The reversal of a used schedule, for a `use` that runs backwards; null after an error, which is reported.
  const ir::Schedule *reverseUsed(const ir::UseStmt &use, const ir::Collective &forward, const Running &running);
  /// The signature of a schedule that is used backwards. Its data has the names of what runs backwards, the other way round.
  bool reversedSignature(const TreesGiven &given, const ir::Collective &forward);
  /// The note for errors in the text of a base.
  diag::Facts factOfInstance() const;

  /// Analyzes the clauses that the meaning of statements depends on: `ranks from`, `lockstep` and `requires commutative`.
  void clausesThatShapeStatements();
  /// Analyzes all other clauses, which may name variables of the body.
  void clauses();
  void claim(const ast::Clause &clause, std::optional<ir::CostClause> &into, llvm::StringRef word);
  void model(const ast::Clause &clause);
  void requirement(const ast::Clause &clause);
  void knowledge(const ast::Clause &clause);
  /// The schedule by which ranks tell each other what the clause says that they know; null after an error, which is reported.
  const ir::Schedule *toldBy(const ast::Clause &clause, const ir::Knowledge &known);
  /// Reports lengths that are not known although ranks tell each other others.
  void checkTold();
  /// The collective's statement about what ranks know, translated to the frame of the schedule.
  ir::Knowledge translatedKnowledge(const ir::Knowledge &stated, const ir::Collective &collective);
  ir::Buffer *addBuffer(const ast::Name &name, ir::BufferKind kind);
  /// The same, for a new name.
  ir::Buffer *newBuffer(const ast::Name &name, ir::BufferKind kind);
  void declare(const ast::Name &name, Symbol symbol);
  void notDeclared(const ast::Name &name);

  // statements
  using Statements = llvm::ArrayRef<std::unique_ptr<ast::Statement>>;
  ir::Body body(Statements block);
  template <typename T> static T &append(ir::Body &into, const ast::Statement &s) {
    auto owned = std::make_unique<T>();
    T &result = *owned;
    result.range = s.range;
    result.keyword = s.keyword;
    into.push_back(std::move(owned));
    return result;
  }
  void statement(const ast::Statement &s, ir::Body &into);
  void let(const ast::Statement &s, ir::Body &into);
  void var(const ast::Statement &s, ir::Body &into);
  void assign(const ast::Statement &s, ir::Body &into);
  /// The same with two operands, of which the lower rank's comes first.
  void assignInOrder(const ast::Statement &s, const ir::Slice &target, const ir::DataExpr &value, ir::Body &into);
  void transfer(const ast::Statement &s, ir::Body &into);
  void step(const ast::Statement &s, ir::Body &into);
  void ifElse(const ast::Statement &s, ir::Body &into);
  void loop(const ast::Statement &s, ir::Body &into);
  void split(const ast::Statement &s);
  std::optional<ir::Slice> passed(const ast::Expr &expr, const ir::CollectiveParam &param, bool isResult);
  std::optional<unsigned> passedTable(const ast::Expr &expr, const ir::CollectiveParam &param);
  void use(const ast::Statement &s, ir::Body &into);

  // invariants
  /// Analyzes the invariants at the head of a loop. `withoutEnd`: the loop variable, if it has no value after the last iteration.
  std::vector<ir::Invariant> invariants(Statements heads, std::optional<unsigned> withoutEnd);
  void invariant(const ast::Statement &s, std::optional<unsigned> withoutEnd, ir::Invariant &into);
  void invariantOfAll(const ast::Statement &s, ir::Invariant &into, std::optional<unsigned> withoutEnd);
  void requireEnd(const ir::Invariant &stated, std::optional<unsigned> withoutEnd);
  std::optional<llvm::SMRange> readingOfRank(const ir::Expr *expr) const;
  /// False after an error, which is reported.
  bool invariantSubject(const ast::Expr &left, ir::Invariant &into);
  void invariantValue(const ast::Expr &right, ir::Invariant &into);
  void invariantFold(const ast::Expr &fold, const DataAtRank &data, ir::Invariant &into);
  std::optional<unsigned> invariantIndex(const ast::Expr &expr);
  unsigned invariantVariable(const ast::Name &name);
  void notAnInvariant(llvm::SMRange range, diag::MaybeNoInvariant why = std::nullopt);

  // clocks
  void clock(const ast::Statement &s);
  /// The clock in force for a transfer or a `use`; null if there is none. `what`: for messages.
  const ir::Clock *clockOf(bool isUse, llvm::SMRange range);
  void checkClocks();

  // data
  std::optional<ir::Slice> slice(const ast::Expr &expr);
  std::optional<ir::Index> index(const ast::Expr &expr);
  /// The target of a receive. Declares it if it is a new name.
  std::optional<ir::Slice> received(const ast::Expr &expr, const ir::Slice *like);
  const ir::DataExpr *data(const ast::Expr &expr);
  bool writable(const ir::Slice &slice, llvm::SMRange range);
  /// Records that the schedule has to know the lengths of the blocks of this array (Schedule::lengthsOf).
  void needsLengths(const ir::Buffer &buffer);
  void checkSameEverywhere(const ir::Expr &parts);
  void checkLengthsKnown(const ir::UseStmt &stmt, llvm::SMRange range);
  const ir::Slice *keep(const ir::Slice &slice);

  std::string textOf(llvm::SMRange range) const;

  ScheduleText &record;
  const ast::Schedule &text; // of the record
  ir::Program &program;
  const Sources &sources;
  Diagnostics &diagnostics;
  const ScheduleResolver &resolver;
  std::unique_ptr<ir::Schedule> result;
  Names names;
  ExprSema exprs;
  std::vector<Level> levels;
  std::vector<Running> reversals;
  /// The schedule that a `use` names, and the trees that it gives.
  struct Used {
    ScheduleText *text;
    TreesGiven given;
  };
  llvm::DenseMap<const ir::UseStmt *, Used> usedTexts;
  llvm::SmallPtrSet<const void *, 3> ofBase; // clauses taken from a base that runs backwards: the reversal's own ones replace them
  size_t current = 0; // the level whose clauses are being analyzed
  /// The first level whose text is for blocks of n elements, while those of the schedule have lengths of their own.
  std::optional<size_t> plainFrom;
  llvm::SmallVector<ir::Buffer *, 2> unmeasured; // arrays that this text declares, which have no lengths yet
  ir::Body treeLets;  // of the trees that parameters stand for
  std::vector<unsigned> numbersOfTrees; // variables
  llvm::SMRange originRange, lockstepRange; // of these clauses

  llvm::DenseMap<unsigned, const ir::Expr *> outerLets; // the values of top-level lets, by variable
  unsigned stepDepth = 0;       // > 0 inside step { }
  unsigned nesting = 0;         // > 0 inside loops, ifs, steps
  size_t stepScope = 0;         // depth of the scope of the current step
  ir::StepStmt *currentStep = nullptr;
  bool assignedInStep = false;  // an assignment has been seen in the current step
  const ir::Slice *lastSent = nullptr; // in the current step; received names get its shape

  /// A stated clock, and whether a transfer or `use` has it.
  struct StatedClock {
    const ir::Clock *clock;
    bool isUsed = false;
  };
  std::vector<StatedClock> statedClocks;
  std::optional<size_t> currentClock;                              // index in statedClocks
  std::vector<std::pair<bool, llvm::SMRange>> withoutClock; // transfers and uses (true) before the first clock
};

} // namespace quadrille::compiler::sema

#endif // QUADRILLE_SEMA_SCHEDULESEMA_H
