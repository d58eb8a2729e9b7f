//===- Schedule.h - A schedule, resolved and typed, parametric in p -----------------------------------------*- C++ -*-===//
//
// The IR that all later stages read: checks, costs, proofs, pictures and emitted code. A schedule is one program for all ranks,
// all p, roots and parameters; instantiate/ evaluates it for given ones.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_IR_SCHEDULE_H
#define QUADRILLE_IR_SCHEDULE_H

#include "Expr.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Casting.h"

#include <cassert>
#include <deque>
#include <iterator>
#include <map>
#include <memory>
#include <optional>

namespace quadrille::compiler::ir {

struct Schedule;
struct Collective;

// ---- data ------------------------------------------------------------------------------------------------------------

enum class BufferKind { Input, Output, Local, Message };

struct Slice;

/// A table of block lengths that the caller provides, the same on all ranks: len[p], len[p][p].
struct Table {
  std::string name;
  llvm::SmallVector<const Expr *, 2> extents;
  llvm::SMRange range;
};

/// Which ranks know which entries of a table: every rank `me` knows the entries with these indices for which the condition holds.
struct Knowledge {
  struct Index {
    std::optional<unsigned> variable; // any index: the variable that the condition has for it
    const Expr *value = nullptr;      // without `variable`: this index only; mentions no variable of another index
  };
  unsigned table = 0; // index in Schedule::tables, or in those of the collective
  llvm::SmallVector<Index, 2> indices;
  const Expr *condition = nullptr; // null: always
  bool isRequired = false;         // the schedule requires more than its collective says
  /// The schedule by which ranks tell each other the whole table before the schedule begins (Telling.h). Null: they do not.
  const Schedule *toldBy = nullptr;
  llvm::SMRange range;

  /// Whether every rank knows every entry.
  bool isOfAll() const {
    return !condition && llvm::all_of(indices, [](const Index &index) { return index.variable.has_value(); });
  }
};

/// The length of a block that does not have n elements: an entry of a table, or the length of packet `part` if that many elements
/// are split into `parts` packets.
struct LengthOf {
  unsigned table = 0; // index in Schedule::tables, or in those of the collective
  llvm::SmallVector<const Expr *, 2> indices;
  std::optional<unsigned> binder; // the variable for the number of the block, in an array
  const Expr *parts = nullptr, *part = nullptr; // null: the whole length
  llvm::SMRange range;
};

/// A block or an array of blocks, of every rank. There are two kinds of declarations:
///   - with a type: `isArray`, `count`, `length`; `parts` if there is a `split`;
///   - by the first value (`var t := e`, `recv t`): it has the shape of the slice `like`; null for a message that is a single
///     block.
struct Buffer {
  std::string name;
  BufferKind kind = BufferKind::Local;
  unsigned index = 0;              // index in Schedule::buffers
  bool isArray = false;            // block[count] instead of block
  const Expr *count = nullptr;     // null for a single block
  std::optional<LengthOf> length;  // absent: n elements
  const Slice *like = nullptr;
  const Expr *presence = nullptr;  // the rank that has it (`at root`); null: all
  const Expr *parts = nullptr;     // `split x into parts`; null: not split
  llvm::SMRange range;
};

enum class IndexKind { Whole, Point, Range, Run, Cyclic, Filter };

/// Selects blocks of an array, or packets of a block. Ranges are half open.
struct Index {
  IndexKind kind = IndexKind::Whole;
  const Expr *a = nullptr; // Point: the index; Range, Filter: lo; Run, Cyclic: start
  const Expr *b = nullptr; // Range, Filter: hi; Run, Cyclic: length
  const Expr *c = nullptr; // Cyclic: the modulus; Filter: the condition
  unsigned binder = 0;     // Filter: the variable
};

/// A part of a buffer: some of its blocks and, if blocks.kind is Whole or Point, possibly only some packets.
struct Slice {
  const Buffer *buffer = nullptr;
  Index blocks;  // Whole for a single block
  Index packets; // Whole if not indexed by packet
  llvm::SMRange range;
};

/// A value for an assignment: slices combined with the operator, a <> b.
struct DataExpr {
  bool isCombine = false;
  Slice slice;                      // if not isCombine
  const DataExpr *left = nullptr, *right = nullptr;
  llvm::SMRange range;
};

// ---- statements --------------------------------------------------------------------------------------------------------

enum class StmtKind { Let, Declare, Assign, Transfer, Step, If, For, Use };

struct Stmt {
  const StmtKind kind;
  llvm::SMRange range;   // the whole statement
  llvm::SMRange keyword; // where diagnostics point
  explicit Stmt(StmtKind kind) : kind(kind) {}
  virtual ~Stmt() = default;
};

using Body = std::vector<std::unique_ptr<Stmt>>;

struct LetStmt : Stmt {
  unsigned variable = 0;
  const Expr *value = nullptr;
  LetStmt() : Stmt(StmtKind::Let) {}
  static bool classof(const Stmt *s) { return s->kind == StmtKind::Let; }
};

/// `var t: block[m]`: t is empty from here on.
struct DeclareStmt : Stmt {
  const Buffer *buffer = nullptr;
  DeclareStmt() : Stmt(StmtKind::Declare) {}
  static bool classof(const Stmt *s) { return s->kind == StmtKind::Declare; }
};

struct AssignStmt : Stmt {
  Slice target;
  const DataExpr *value = nullptr;
  AssignStmt() : Stmt(StmtKind::Assign) {}
  static bool classof(const Stmt *s) { return s->kind == StmtKind::Assign; }
};

/// The stated time of transfers: a tuple of numbers in lexicographic order; missing numbers at the end are 0. Both sides of a
/// message must have the same time, and the times of a rank must grow from step to step. The time of a transfer in a used
/// schedule is that of the `use`, followed by its own. Used by proofs and checked in small cases; not executed.
struct Clock {
  llvm::SMRange range;
  llvm::SmallVector<const Expr *, 3> times; // over the frame of the schedule
  unsigned sender = 0, receiver = 0;        // the variables for the two ranks of the message
  std::string text;                         // as written
};

/// A send or a receive, always inside a step. An exchange consists of one of each.
struct TransferStmt : Stmt {
  bool isSend = false;
  bool ofExchange = false;
  std::optional<Slice> message; // absent: a message without data
  const Expr *peer = nullptr;   // may be none
  const Clock *clock = nullptr; // null: not stated; then no transfer of the schedule has one
  TransferStmt() : Stmt(StmtKind::Transfer) {}
  static bool classof(const Stmt *s) { return s->kind == StmtKind::Transfer; }
};

// Statements that contain others have a head, which is all but these and can be copied.

struct StepHead : Stmt {
  bool bare = false; // a send, recv or exchange outside `step { }`
  bool lockstep = false; // a rank begins it only after it has completed the step before
  std::vector<const Buffer *> messages; // names that its receives declare; they are empty when the step begins
  StepHead() : Stmt(StmtKind::Step) {}
};

/// Transfers that run at the same time, then local assignments. The body contains lets, transfers, ifs, fors, assignments; on every
/// path transfers come before assignments.
struct StepStmt : StepHead {
  Body body;
  StepStmt() = default;
  explicit StepStmt(const StepHead &head) : StepHead(head) {}
  static bool classof(const Stmt *s) { return s->kind == StmtKind::Step; }
};

struct IfHead : Stmt {
  const Expr *condition = nullptr;
  bool containsStep = false;
  IfHead() : Stmt(StmtKind::If) {}
};

struct IfStmt : IfHead {
  Body yes, no;
  IfStmt() = default;
  explicit IfStmt(const IfHead &head) : IfHead(head) {}
  static bool classof(const Stmt *s) { return s->kind == StmtKind::If; }
};

enum class LoopKind {
  Ascending,        // variable in lo ..< hi by factor (default 1)
  Times,            // variable in lo ..< hi, multiplied by factor
  Descending,       // variable from hi down to lo (inclusive) by factor (default 1)
  Half,             // variable from hi down to lo (inclusive), halved (rounding down)
  Halvings,         // (variable, second) = (ceil(a/2), a) for a = hi, ceil(hi/2), ... while a > 1
  HalvingsReversed, // the same pairs, last first
  Others,           // all ranks but me, ascending
  Children,         // the children of me in a tree, left to right
};

/// A statement about the head of a loop, before every iteration and after the last one, for every rank `me` and every block:
/// where the condition holds, the buffer holds the right side. With a `holder`: the product of what the buffer holds on all ranks
/// for which the condition holds is the right side. Loop variables have their value in the coming iteration; after the last one,
/// the value that they would have in the next. Used by proofs and checked in small cases; not executed.
struct Invariant {
  llvm::SMRange range;
  const Buffer *buffer = nullptr;         // null: the statement is `heard(j)`: me has heard of rank j
  std::optional<unsigned> blockVariable;  // ranges over the blocks of an array, in `heard(j)` over ranks
  std::optional<unsigned> packetVariable; // ranges over packets of a split block; the right side is the same packet
  std::optional<unsigned> holder;         // ranges over the ranks of a product; `me` does not occur then
  // The right side: x@rank[index], or fold(x@j[index] for j in lo ..< hi), with x@(j mod p) if isCyclic. Ranks are counted as `me`.
  unsigned input = 0;                     // index in Schedule::inputs
  const Expr *rank = nullptr;             // null for a fold
  const Expr *index = nullptr;            // null: a single block; does not depend on the binder of a fold
  bool isFold = false;
  unsigned binder = 0;
  const Expr *lo = nullptr, *hi = nullptr;
  bool isCyclic = false;
  const Expr *condition = nullptr;        // null: always
  bool elseEmpty = false;                 // the buffer is empty where the condition does not hold; otherwise nothing is stated there
};

struct ForHead : Stmt {
  LoopKind loop = LoopKind::Ascending;
  unsigned variable = 0, second = 0;
  const Expr *lo = nullptr, *hi = nullptr, *factor = nullptr; // Ascending, Times: hi exclusive
  const Expr *tree = nullptr;                                 // Children
  std::vector<Invariant> invariants;                          // at most one for each buffer
  bool containsStep = false;
  ForHead() : Stmt(StmtKind::For) {}
};

struct ForStmt : ForHead {
  Body body;
  ForStmt() = default;
  explicit ForStmt(const ForHead &head) : ForHead(head) {}
  static bool classof(const Stmt *s) { return s->kind == StmtKind::For; }
};

/// Runs another schedule among all ranks, or inside groups.
struct UseStmt : Stmt {
  const Schedule *callee = nullptr;
  std::vector<unsigned> tables;      // of the caller, one for each table of the callee
  std::vector<const Expr *> numbers; // for the callee's parameters and the collective's numbers, as in Schedule::numbers
  std::vector<Slice> inputs, outputs;
  // among { member : binder in lo ..< hi }: null member: all ranks
  const Expr *member = nullptr, *lo = nullptr, *hi = nullptr;
  unsigned binder = 0;
  const Clock *clock = nullptr; // null: not stated, as for transfers
  UseStmt() : Stmt(StmtKind::Use) {}
  static bool classof(const Stmt *s) { return s->kind == StmtKind::Use; }
};

// ---- collectives ---------------------------------------------------------------------------------------------------------

struct CollectiveParam {
  std::string name;
  bool isNumber = false; // the root
  bool isTable = false;  // len[p]: `extents` say how large it is
  llvm::SmallVector<const Expr *, 2> extents;
  bool isArray = false;
  const Expr *count = nullptr;    // of blocks, over the frame of the collective
  std::optional<LengthOf> length; // over that frame
  const Expr *presence = nullptr; // the rank that has it; null: all
  llvm::SMRange range;

  bool isData() const { return !isNumber && !isTable; }
};

/// x@rank[index], or its fold over ranks lo ..< hi.
struct PromisedTerm {
  unsigned input = 0; // which of Collective::inputs
  const Expr *rank = nullptr;
  const Expr *index = nullptr; // null: a single block
  bool isFold = false;
  unsigned binder = 0;
  const Expr *lo = nullptr, *hi = nullptr, *condition = nullptr;
};

struct Promise {
  llvm::SMRange range;
  bool isHeard = false; // ensures heard(i, j): nobody leaves before everybody has entered
  unsigned output = 0;
  // The promise holds for every value of its free variables: ranks 0 ..< p and indices 0 ..< count.
  std::optional<unsigned> rankVariable;  // else only for rank `rank`
  const Expr *rank = nullptr;
  std::optional<unsigned> indexVariable; // else only for index `index`, or a single block
  const Expr *index = nullptr;
  PromisedTerm term;
  const Expr *condition = nullptr; // may be null
};

/// Variables: 0: p, then one per number among the inputs, `me` (for lengths), then those of lengths and promises.
struct Collective {
  std::string name;
  std::vector<Variable> variables;
  std::vector<CollectiveParam> inputs, outputs; // inputs include the numbers and tables
  unsigned numberCount = 0;
  unsigned variableMe() const { return numberCount + 1; }
  std::vector<Promise> promises;
  std::vector<Knowledge> knowledge; // a table that is not mentioned here is known to all ranks
  llvm::SMRange range;

  bool folds() const {
    for (const Promise &promise : promises)
      if (promise.term.isFold)
        return true;
    return false;
  }
};

// ---- schedules -------------------------------------------------------------------------------------------------------------

enum class PortModel { HalfDuplex, Telephone, FullDuplex, Ports, Shared };
/// Their names in texts, in the order of the enumeration.
inline constexpr llvm::StringLiteral portModelNames[] = {"half_duplex", "telephone", "full_duplex", "ports", "shared"};
inline llvm::StringRef portModelName(PortModel model) { return portModelNames[static_cast<unsigned>(model)]; }
/// The model of this name; nothing if there is none.
inline std::optional<PortModel> portModelNamed(llvm::StringRef name) {
  const auto *found = llvm::find(portModelNames, name);
  return found == std::end(portModelNames) ? std::nullopt : std::optional(static_cast<PortModel>(found - portModelNames));
}

struct ModelClause {
  PortModel model = PortModel::FullDuplex;
  const Expr *ports = nullptr; // Ports
  std::string text;            // as written
  llvm::SMRange range;
};

struct Requirement {
  const Expr *condition = nullptr;
  std::string text; // as written
  llvm::SMRange range;
};

/// A `cost` or `rounds` clause.
struct CostClause {
  const Expr *formula = nullptr; // cost: linear in alpha, beta, gamma; rounds: an integer
  bool upperBound = false;
  bool mentionsGamma = false;
  std::string text;
  llvm::SMRange range;
};

/// A schedule of which another one is an instance or the reversal, as the text of that one names it.
struct Base {
  std::string path;
  bool isReversed = false;
  bool isPlain = false; // its blocks have n elements, those of the instance lengths of their own
  llvm::SMRange range; // the whole declaration
};

/// What an instance gives for a parameter of its base, which is a number >= 1.
struct Argument {
  const Expr *value = nullptr; // over p and the numbers of the instance
  std::string parameter;       // its name in the base
  std::string base;            // the path of the base
};

/// All of a schedule but its statements. Variables of its frame: 0: p, 1: me, then `numbers` in order (schedule parameters first, then the
/// collective's, such as root), then loop variables and lets. A copy shares buffers and clocks, to which statements point.
struct ScheduleHead {
  static constexpr unsigned variableP = 0, variableMe = 1, firstNumber = 2;

  std::string name;
  const Collective *collective = nullptr;
  std::vector<Variable> variables;
  unsigned parameterCount = 0; // of its own: schedule name(k, q)
  unsigned numberCount = 0;    // parameterCount + the numbers of the collective
  unsigned ofTreesCount = 0;   // the last of the parameters: numbers of the trees that a `use` gives, which may be any
  std::vector<Table> tables;   // those of the collective, over this frame
  std::vector<std::shared_ptr<Buffer>> buffers;
  std::vector<const Buffer *> inputs, outputs; // as in the collective, numbers left out
  std::vector<Requirement> requirements;       // over p and the numbers
  std::vector<Knowledge> knowledge;            // what the collective says, then what it requires; `me` is the caller's number
  bool requiresCommutative = false;
  llvm::SMRange commutativeRange;
  std::optional<ModelClause> model;
  std::optional<CostClause> cost, rounds;
  const Expr *origin = nullptr; // ranks from origin
  bool lockstep = false; // all its steps are `lockstep` steps
  std::vector<std::shared_ptr<Clock>> clocks;  // those that its transfers and uses refer to
  bool usesOperator = false;
  bool usesNodes = false; // it, or a schedule that it uses, asks for the map from ranks to nodes
  /// A buffer whose block lengths it has to know, and the schedule that declares it. Such a schedule cannot be used on blocks with
  /// lengths of their own, nor on packets.
  struct LengthsOf {
    std::string buffer, schedule;
  };
  std::optional<LengthsOf> lengthsOf;
  std::string file;
  std::vector<Argument> arguments; // of an instance, and of its bases
  std::vector<Base> bases; // of an instance: its base, the base of that, and so on; the last one has the statements
  llvm::SMRange range;     // the whole declaration
  llvm::SMRange nameRange; // where diagnostics about the whole point

  /// "allgather/ring"
  std::string path() const {
    assert(collective && "every schedule is of a collective");
    return collective->name + "/" + name;
  }
  /// What ranks know of a table when the schedule begins, after they have told each other (`toldBy`); empty: everything.
  std::vector<const Knowledge *> knowledgeOf(unsigned table) const {
    assert(table < tables.size() && "a table of another schedule");
    std::vector<const Knowledge *> result;
    bool isStated = false;
    for (const Knowledge &known : knowledge)
      if (known.table == table) {
        if (known.isOfAll())
          return {};
        isStated |= !known.isRequired;
        result.push_back(&known);
      }
    return isStated ? result : std::vector<const Knowledge *>();
  }
  /// The clause by which ranks tell each other a table; null: they do not.
  const Knowledge *tellingOf(unsigned table) const {
    const auto found = llvm::find_if(knowledge, [&](const Knowledge &known) { return known.table == table && known.toldBy; });
    return found == knowledge.end() ? nullptr : &*found;
  }
  /// Whether ranks tell each other lengths before the schedule begins.
  bool tellsLengths() const {
    return llvm::any_of(knowledge, [](const Knowledge &known) { return known.toldBy != nullptr; });
  }
  /// What ranks know of a table when they call the schedule, before they have told each other; empty: everything.
  std::vector<const Knowledge *> knowledgeOfCallers(unsigned table) const {
    if (!tellingOf(table))
      return knowledgeOf(table);
    std::vector<const Knowledge *> result;
    for (const Knowledge &known : knowledge)
      if (known.table == table && !known.isRequired)
        result.push_back(&known);
    return result;
  }
  /// Whether there is an entry of a table that some rank need not know.
  bool hasUnknownLengths() const {
    for (unsigned table = 0; table < tables.size(); ++table)
      if (!knowledgeOf(table).empty())
        return true;
    return false;
  }
  /// The schedule whose text has the statements.
  std::string pathOfStatements() const { return bases.empty() ? path() : bases.back().path; }
  /// Whether it runs the statements of its base backwards.
  bool isReversal() const {
    return llvm::any_of(bases, [](const Base &base) { return base.isReversed; });
  }
  /// Whether its blocks have lengths of their own, while the blocks of a base have n elements.
  bool isOfPlain() const {
    return llvm::any_of(bases, [](const Base &base) { return base.isPlain; });
  }
  /// Whether the number is a parameter as the text has it, and so at least 1.
  bool isParameter(size_t number) const { return number + ofTreesCount < parameterCount; }
  /// Whether the number is one of the collective's, and so a rank.
  bool isRank(size_t number) const { return number >= parameterCount; }
  /// The number that is the collective's root, if it has one (any number of the collective ranges over ranks).
  std::optional<unsigned> rootVariable() const {
    assert(parameterCount <= numberCount && "parameters are the first numbers");
    return numberCount > parameterCount ? std::optional<unsigned>(firstNumber + parameterCount) : std::nullopt;
  }
};

struct Schedule : ScheduleHead {
  Body body;
};

/// Owns everything that schedules share.
struct Program {
  std::deque<Expr> expressions;
  std::deque<DataExpr> dataExpressions;
  std::deque<Slice> slices;
  std::vector<std::unique_ptr<Function>> functions;
  std::vector<std::unique_ptr<Lemma>> lemmas;
  std::vector<std::unique_ptr<Tree>> trees;
  std::vector<std::unique_ptr<Collective>> collectives;
  std::vector<std::unique_ptr<Schedule>> schedules;
  /// Instances that were made for a `use`, among `schedules`: of the text at this address, by what it was given. Here, as they end with them: texts
  /// of the library live longer than programs of those who analyze several.
  std::map<const void *, llvm::StringMap<const Schedule *>> instances;

  const Collective *findCollective(llvm::StringRef name) const {
    for (const auto &c : collectives)
      if (c->name == name)
        return c.get();
    return nullptr;
  }
};

} // namespace quadrille::compiler::ir

#endif // QUADRILLE_IR_SCHEDULE_H
