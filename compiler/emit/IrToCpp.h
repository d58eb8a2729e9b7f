//===- IrToCpp.h - Building the C++ tree -------------------------------------------------------------------------------*- C++ -*-===//
//
// Split by construct: IrToCppExpr (numbers), IrToCppTree (functions, tree definitions), IrToCppData (slices, assignments),
// IrToCppStorage (temporaries), IrToCppStmt (control flow and steps), and EntryLowering.h (the public function).
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_EMIT_IRTOCPP_H
#define QUADRILLE_EMIT_IRTOCPP_H

#include "Bounds.h"
#include "CppTree.h"
#include "Fullness.h"
#include "Fusion.h"
#include "Names.h"

#include "ir/Lengths.h"
#include "source/Sources.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringMap.h"

#include <cassert>
#include <functional>
#include <map>
#include <optional>

namespace quadrille::compiler::emit {

using ir::BlockLengths;

/// Shared by all functions of one emitted file: its names, and the helpers that functions call, each emitted once and only if
/// needed.
class Module {
public:
  /// `survey`: a module that has lowered the same schedule before. Then only the functions and trees that it needed get names; if it is
  /// null, all do.
  Module(const ir::Program &program, const Sources &sources, const Module *survey = nullptr);

  /// The name of the C++ function for a `fn`.
  std::string function(const ir::Function &function);

  struct TreeNames {
    std::string place, root, height, depth, size; // names of functions; depth and size only of trees given by relatives
    bool usesPlace = false, usesRoot = false, usesHeight = false, usesDepth = false, usesSize = false;
  };
  TreeNames &tree(const ir::Tree &tree);

  /// Lowers a schedule for blocks of these lengths and flags for these parameters, unless done before, and returns its function's
  /// name.
  std::string schedule(const ir::Schedule &schedule, BlockLengths lengths, const FlaggedParameters &flagged = {});

  FullnessAnalysis fullness;

  /// All helpers, callees before callers.
  std::vector<cpp::Function> takeFunctions();

  const Sources &sources;
  Names names;
  bool usesVector = false, usesInitializerList = false, usesPresence = false;
  /// Whether ranks know some lengths only. Then emitted code finds an entry of a table by a function (KnownTables.h).
  bool knowsSome = false;
  /// Whether emitted code asks for the place of a node in a tree that splits ranges.
  bool usesRanges() const;

private:
  std::vector<cpp::Function> lowerTrees();

  // Settled in the constructor, so that no local variable takes such a name. Definitions in different files may share a name;
  // only those that the survey needed get one.
  llvm::DenseMap<const ir::Function *, std::string> functionNames;
  llvm::DenseMap<const ir::Tree *, std::unique_ptr<TreeNames>> treeNames;
  // The helpers that are needed, in the order in which they were first asked for.
  llvm::SetVector<const ir::Function *> functions;
  llvm::SetVector<const ir::Tree *> trees;
  std::map<std::tuple<const ir::Schedule *, BlockLengths, FlaggedParameters>, std::string> schedules; // for lookups only
  std::vector<cpp::Function> scheduleFunctions;
};

/// Lowers the expressions of one frame.
class ExprLowering {
public:
  ExprLowering(Module &module, size_t variables) : module(module), names(variables), frame(variables) {}

  cpp::ExprPtr lower(const ir::Expr &expr) const;
  /// The condition under which `rank` is not `none`; null if it never is `none`.
  cpp::ExprPtr exists(const ir::Expr &rank) const;
  /// The call of a tree's function (`place`, `root`, `height`, ...). `node` is the first argument; null if the function takes no
  /// node.
  cpp::ExprPtr treeCall(const ir::Expr &build, const std::string &function, const cpp::ExprPtr &node) const;

  void bind(unsigned variable, cpp::ExprPtr value) {
    assert(variable < names.size() && value && "a variable of another frame");
    names[variable] = std::move(value);
  }
  bool isBound(unsigned variable) const {
    assert(variable < names.size() && "a variable of another frame");
    return names[variable] != nullptr;
  }

  Module &module;
  std::vector<cpp::ExprPtr> names; // per variable: the C++ expression that stands for it
  BoundsFrame frame;
  /// Returns the expression that a tree variable was set to.
  std::function<const ir::Expr *(unsigned)> treeValue;
  /// The lengths of blocks as a C++ lambda, `[&](Index j) { return len[j]; }`. `tables` are the names of the schedule's tables.
  cpp::ExprPtr lengthFunction(const ir::Schedule &schedule, const ir::LengthOf &length, const std::string &binder,
                              llvm::ArrayRef<std::string> tables);
  cpp::ExprPtr nodes; // what tells on which node ranks are; null where nothing asks
  cpp::ExprPtr me; // the node whose place in a tree is asked for by default

private:
  cpp::ExprPtr treeField(const ir::Expr &expr) const;
  /// Height, depth or size in a tree given by relatives: the emitted function walks the tree.
  cpp::ExprPtr walkedField(const ir::Expr &build, ir::TreeFieldKind field, const cpp::ExprPtr &rank) const;
  cpp::ExprPtr comparison(const ir::Expr &expr) const;
  cpp::ExprPtr ofNodes(const ir::Expr &expr) const;
};

/// An operand of an assignment: its region, and the condition under which it is there (has been written).
struct AssignedOperand {
  cpp::ExprPtr region;
  cpp::ExprPtr present;     // null: always
  bool absent = false;      // it is never there
  cpp::ExprPtr there;       // by element: a pointer to the Presence that says which elements are there
  const ir::Buffer *buffer = nullptr;
};

/// How a temporary buffer is stored.
struct Allocation {
  enum Kind {
    None,   // no memory is needed
    Exact,  // the region has the buffer's shape
    View,   // the first blocks of a larger region, as many as the message has
    Ragged, // lengths are known only when it is written: a region variable that every write sets
  } kind = None;
  std::string room;          // View, Ragged: the larger region
  std::function<cpp::ExprPtr()> allocation; // builds the allocation; called where all variables in it are set
};

/// Lowers one schedule to the C++ function that runs it in a group of ranks.
class ScheduleLowering {
public:
  ScheduleLowering(Module &module, const ir::Schedule &schedule, BlockLengths lengths, const FlaggedParameters &flagged = {});

  cpp::Function run(const std::string &name);

private:
  // ---- IrToCppStmt
  enum class Phase { Transfers, Assignments, Both };
  void lowerBody(const ir::Body &body, Phase phase, cpp::Body &out);
  void lowerStmt(const ir::Stmt &stmt, Phase phase, cpp::Body &out);
  void lowerLet(const ir::LetStmt &let, cpp::Body &out);
  void lowerStep(const ir::StepStmt &step, bool alone, cpp::Body &out);
  void declareViews(const ir::StepStmt &step, cpp::Body &out);
  void hoistPeer(const ir::StepStmt &step, cpp::Body &out);
  void lowerTransfer(const ir::TransferStmt &transfer, cpp::Body &out);
  void lowerFor(const ir::ForStmt &loop, Phase phase, cpp::Body &out);
  void lowerHalvings(const ir::ForStmt &loop, Phase phase, const cpp::ExprPtr &extent, cpp::Body &out);
  void lowerHalvingsReversed(const ir::ForStmt &loop, Phase phase, const cpp::ExprPtr &extent, cpp::Body &out);
  void lowerChildren(const ir::ForStmt &loop, Phase phase, cpp::Body &out);
  void lowerUse(const ir::UseStmt &use, cpp::Body &out);
  void prologue(cpp::Body &out);
  cpp::ExprPtr peer(const ir::TransferStmt &transfer);
  std::string scoped(const std::string &wanted);
  void declareParameter(const ir::Buffer &buffer, cpp::Body &out);
  std::string sourceText(llvm::SMRange range) const;
  unsigned line(llvm::SMRange range) const { return module.sources.line(range.Start); }

  // ---- IrToCppData
  void lowerAssign(const ir::AssignStmt &assign, cpp::Body &out);
  void lowerByElement(const ir::AssignStmt &assign, const cpp::ExprPtr &into, cpp::Body &out);
  AssignedOperand evaluateByElement(const ir::DataExpr &value, const ir::Slice &target, const cpp::ExprPtr &into, bool intoTarget,
                            unsigned level, bool isLast, cpp::Body &out);
  cpp::ExprPtr presenceOf(const ir::DataExpr &leaf);
  AssignedOperand evaluate(const ir::DataExpr &value, const ir::Slice &target, const cpp::ExprPtr &into, bool intoTarget,
                   unsigned level, cpp::Body &out);
  void store(const AssignedOperand &a, const AssignedOperand &b, const cpp::ExprPtr &into, cpp::Body &out);
  cpp::ExprPtr region(const ir::Slice &slice);
  cpp::ExprPtr region(const ir::Buffer &buffer);
  cpp::ExprPtr part(cpp::ExprPtr base, const ir::Index &index);
  cpp::ExprPtr packets(const ir::Buffer &buffer);
  cpp::ExprPtr blockCount(const ir::Slice &slice);
  cpp::ExprPtr presence(const Fullness &fullness, const ir::Slice &slice);
  AssignedOperand operand(const ir::DataExpr &leaf);
  void declareFlag(const ir::Buffer &buffer, cpp::Body &out);
  void setFlag(const ir::Slice &slice, const cpp::ExprPtr &value, bool keepsOld, cpp::Body &out);
  bool perBlock(const ir::Buffer &buffer) const { return buffer.isArray || buffer.parts; }
  cpp::ExprPtr flagOf(const ir::Slice &slice);
  cpp::ExprPtr unitIndex(const ir::Slice &slice, const cpp::ExprPtr &i, cpp::Body &out);
  cpp::ExprPtr unitCount(const ir::Slice &slice);
  void planScratch();
  void declareScratch(const ir::Buffer &buffer, cpp::Body &out);
  cpp::ExprPtr scratch(const ir::Slice &target, unsigned level, const cpp::ExprPtr &into);

  // ---- IrToCppStorage
  void planStorage();
  void plan(const ir::Buffer &buffer);
  void planLike(const ir::Buffer &buffer, const ir::Slice &like);
  /// An allocation of one block with the length of this schedule's blocks.
  cpp::ExprPtr oneBlock();
  cpp::ExprPtr lengthOfBlock();
  void takeLength(const ir::Buffer &target, llvm::ArrayRef<const ir::DataExpr *> operands, cpp::Body &out);
  bool isDeclaredBlock(const ir::Buffer &buffer) const;
  cpp::ExprPtr declaredBlock(const ir::Buffer &buffer);
  bool sameOnAllRanks(const ir::Buffer &buffer) const;
  /// `atTop`: at the top level of the schedule's body, so that the region is visible in all that follows.
  void allocate(const ir::Buffer &buffer, bool atTop, cpp::Body &out);
  void allocateMessages(const ir::StepStmt &step, cpp::Body &out);
  void allocateWithin(const ir::Stmt &stmt, cpp::Body &out);
  void declareSplits(const ir::Stmt &stmt, cpp::Body &out);
  bool isKnown(const ir::Expr *expr) const;
  bool isDeclaredByAll(const ir::Buffer &buffer) const;
  bool isKnown(const ir::Buffer &buffer) const;

  Module &module;
  const ir::Schedule &schedule;
  const BlockLengths lengths;
  const bool ragged; // the blocks of arrays may differ in length
  Names names;
  ExprLowering exprs;
  const FullnessFacts &fullness;
  llvm::DenseSet<const ir::Buffer *> flaggedParameters; // the schedule's user passes flags for them
  llvm::DenseMap<const ir::TransferStmt *, FusedReceive> fused;
  llvm::DenseSet<const ir::AssignStmt *> superfluous; // done by fused receives
  llvm::DenseMap<unsigned, const ir::Expr *> letValues;
  llvm::DenseSet<unsigned> known; // variables that are set at the top level so far
  std::vector<std::string> tableNames, bufferNames, packetNames, flagNames, variableNames;
  std::vector<Allocation> storage;
  std::vector<bool> allocated, splitDeclared, viewDeclared;
  std::vector<cpp::ExprPtr> sharedAllocation; // of messages: messages of the same name and shape share memory
  std::vector<std::vector<std::string>> scratchNames; // per buffer, for values that cannot be built in place
  llvm::DenseMap<const ir::Expr *, cpp::ExprPtr> hoistedPeers; // names of partners, in the current step
  std::vector<std::pair<const ir::Slice *, std::string>> namedSlices; // in the current step
  std::vector<std::pair<std::string, std::string>> received; // of the current step: a room, and the buffer that its message fills
  unsigned stepNesting = 0; // the number of branches and loops around the statement inside its step
  llvm::StringMap<std::string> settledVariables; // C++ name by name in the schedule
  llvm::StringMap<std::string> scopedNames;
};

/// The public function of a schedule, with the comment for its prototype.
struct EntryPoint {
  cpp::Function definition;
  std::vector<std::string> comment;
  /// The function that returns the number of packets that a call with 0 packets takes; absent if the schedule has no such choice.
  std::optional<cpp::Function> packets;
  /// The function that tells which calls the schedule admits; absent unless it was asked for.
  std::optional<cpp::Function> admits;
  /// The function template that calls another function with what a rank knows of whole tables; absent if every rank knows all.
  std::optional<cpp::Function> fromWholeTables;
  /// Statements that replace 0 packets by that number; all forms of the function begin with them.
  cpp::Body choice;
  /// Parameters whose names are not free, each with the name that the function has instead.
  std::vector<std::pair<std::string, std::string>> renamed;
};
/// `helper`: the function that runs the schedule. `packets`, `admits`, `fromWholeTables`: names for the functions of EntryPoint; if `admits`
/// is empty, that one is not made.
EntryPoint lowerEntry(Module &module, const ir::Schedule &schedule, const std::string &name, const std::string &helper,
                 const std::string &packets, const std::string &admits, const std::string &fromWholeTables, bool isForMpi);

/// Whether the operator has to be commutative. Only the schedule's own `requires commutative` counts: a schedule that it uses may
/// require it though this use does not need it (as in groups of one rank), and the checks look at the order of all operands.
bool needsCommutative(const ir::Schedule &schedule);

} // namespace quadrille::compiler::emit

#endif // QUADRILLE_EMIT_IRTOCPP_H
