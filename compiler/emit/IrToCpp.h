//===- IrToCpp.h - Building the C++ tree -------------------------------------------------------------------------------*- C++ -*-===//
//
// Split by construct: IrToCppExpr (numbers), IrToCppTree (tree definitions), IrToCppData (slices, assignments),
// IrToCppStorage (temporaries),
// IrToCppStmt (control flow and steps), IrToCppEntry (the public function).
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

#include <functional>
#include <map>
#include <optional>

namespace quadrille::compiler::emit {

using ir::BlockLengths;

/// What the functions of one emitted file share: the helpers that they call, each written once and only if needed.
class Module {
public:
  /// `survey`: one that has lowered the same, so that it is known which functions and trees will be asked for.
  Module(const ir::Program &program, const Sources &sources, const Module *survey = nullptr);

  /// The name of the C++ function for a `fn`.
  std::string function(const ir::Function &function);

  struct TreeNames {
    std::string place, root, height, depth, size; // functions; the last two of trees given by relatives
    bool usesPlace = false, usesRoot = false, usesHeight = false, usesDepth = false, usesSize = false;
  };
  TreeNames &tree(const ir::Tree &tree);

  /// The name of the function for a schedule on such blocks, and with flags for such parameters.
  std::string schedule(const ir::Schedule &schedule, BlockLengths lengths, const FlaggedParameters &flagged = {});

  FullnessAnalysis fullness;

  /// All helpers, callees before callers.
  std::vector<cpp::Function> takeFunctions();

  const Sources &sources;
  Names names;
  bool usesVector = false, usesInitializerList = false, usesPresence = false;
  /// Whether its functions allocate memory of their own.
  bool allocates() const { return usesVector || usesPresence; }

  /// Whether places in trees that split ranges are asked for.
  bool usesRanges() const;

private:
  std::vector<cpp::Function> lowerTrees();

  // Settled from the start, so that no local variable takes such a name. Of those of one name, which stand in different
  // files, few are ever asked for.
  llvm::DenseMap<const ir::Function *, std::string> functionNames;
  llvm::DenseMap<const ir::Tree *, std::unique_ptr<TreeNames>> treeNames;
  // What is needed, in the order in which it was first asked for.
  llvm::SetVector<const ir::Function *> functions;
  llvm::SetVector<const ir::Tree *> trees;
  std::map<std::tuple<const ir::Schedule *, BlockLengths, FlaggedParameters>, std::string> schedules; // looked up, never walked
  std::vector<cpp::Function> scheduleFunctions;
};

/// Lowers the expressions of one frame.
class ExprLowering {
public:
  ExprLowering(Module &module, size_t variables) : module(module), names(variables), frame(variables) {}

  cpp::ExprPtr lower(const ir::Expr &expr) const;
  /// The condition under which a rank is there; null if it always is.
  cpp::ExprPtr exists(const ir::Expr &rank) const;
  /// The call that yields a tree's `place`, `root` or `height`, ... of a node if there is one.
  cpp::ExprPtr treeCall(const ir::Expr &build, const std::string &function, const cpp::ExprPtr &node) const;

  void bind(unsigned variable, cpp::ExprPtr value) { names[variable] = std::move(value); }
  bool isBound(unsigned variable) const { return names[variable] != nullptr; }

  Module &module;
  std::vector<cpp::ExprPtr> names; // what stands for a variable
  BoundsFrame frame;
  /// What a tree variable was set to.
  std::function<const ir::Expr *(unsigned)> treeValue;
  /// `[&](Index j) { return len[j]; }`. `tables` are the names of the schedule's tables.
  cpp::ExprPtr lengthFunction(const ir::Schedule &schedule, const ir::LengthOf &length, const std::string &binder,
                              llvm::ArrayRef<std::string> tables);
  cpp::ExprPtr me; // the rank that places in trees are about, unless said otherwise

private:
  cpp::ExprPtr treeField(const ir::Expr &expr) const;
  /// Of a tree given by relatives, what takes a walk.
  cpp::ExprPtr walkedField(const ir::Expr &build, ir::TreeFieldKind field, const cpp::ExprPtr &rank) const;
  cpp::ExprPtr comparison(const ir::Expr &expr) const;
};

/// An operand of an assignment: where it is and when it is there.
struct Operand {
  cpp::ExprPtr region;
  cpp::ExprPtr present;     // null: always
  bool absent = false;      // never there
  cpp::ExprPtr there;       // by element: points to what is
  const ir::Buffer *buffer = nullptr;
};

/// How a buffer of this rank alone is kept.
struct Allocation {
  enum Kind {
    None,   // not needed
    Exact,  // the region has the buffer's shape
    View,   // the first blocks of a larger region, as many as the message has
    Ragged, // lengths are known when it has been written: a region that is set anew
  } kind = None;
  std::string room;          // View, Ragged: the larger region
  std::function<cpp::ExprPtr()> allocation; // called where everything it needs is known
};

/// Lowers one schedule to the function that runs it among a group.
class ScheduleLowering {
public:
  ScheduleLowering(Module &module, const ir::Schedule &schedule, BlockLengths lengths, const FlaggedParameters &flagged = {});

  cpp::Function run(const std::string &name);

  /// Parameters of the public function and of the helper share names.
  std::string bufferName(const ir::Buffer &buffer) const { return bufferNames[buffer.index]; }

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
  Operand evaluateByElement(const ir::DataExpr &value, const ir::Slice &target, const cpp::ExprPtr &into, bool intoTarget,
                            unsigned level, bool isLast, cpp::Body &out);
  cpp::ExprPtr presenceOf(const ir::DataExpr &leaf);
  Operand evaluate(const ir::DataExpr &value, const ir::Slice &target, const cpp::ExprPtr &into, bool intoTarget,
                   unsigned level, cpp::Body &out);
  void store(const Operand &a, const Operand &b, const cpp::ExprPtr &into, cpp::Body &out);
  cpp::ExprPtr region(const ir::Slice &slice);
  cpp::ExprPtr region(const ir::Buffer &buffer);
  cpp::ExprPtr part(cpp::ExprPtr base, const ir::Index &index);
  cpp::ExprPtr packets(const ir::Buffer &buffer);
  cpp::ExprPtr blockCount(const ir::Slice &slice);
  cpp::ExprPtr presence(const Fullness &fullness, const ir::Slice &slice);
  Operand operand(const ir::DataExpr &leaf);
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
  /// A region whose blocks are as long as a block of this schedule.
  cpp::ExprPtr oneBlock();
  cpp::ExprPtr lengthOfBlock();
  void takeLength(const ir::Buffer &target, llvm::ArrayRef<const ir::DataExpr *> operands, cpp::Body &out);
  bool isDeclaredBlock(const ir::Buffer &buffer) const;
  cpp::ExprPtr declaredBlock(const ir::Buffer &buffer);
  bool sameOnAllRanks(const ir::Buffer &buffer) const;
  /// `atTop`: in the body of the schedule, so that it is known in all that follows.
  void allocate(const ir::Buffer &buffer, bool atTop, cpp::Body &out);
  void allocateMessages(const ir::StepStmt &step, cpp::Body &out);
  void allocateWithin(const ir::Stmt &stmt, cpp::Body &out);
  void declareSplits(const ir::Stmt &stmt, cpp::Body &out);
  bool isKnown(const ir::Expr *expr) const;
  bool isKnown(const ir::Buffer &buffer) const;

  Module &module;
  const ir::Schedule &schedule;
  const BlockLengths lengths;
  const bool ragged; // the blocks of arrays may differ in length
  Names names;
  ExprLowering exprs;
  const FullnessFacts &fullness;
  llvm::DenseSet<const ir::Buffer *> flaggedParameters; // those whose user knows what is there
  llvm::DenseMap<const ir::TransferStmt *, FusedReceive> fused;
  llvm::DenseSet<const ir::AssignStmt *> superfluous; // done by fused receives
  llvm::DenseMap<unsigned, const ir::Expr *> letValues;
  llvm::DenseSet<unsigned> known; // variables that have been set at top level
  std::vector<std::string> tableNames, bufferNames, packetNames, flagNames, variableNames;
  std::vector<Allocation> storage;
  std::vector<bool> allocated, splitDeclared, viewDeclared;
  std::vector<cpp::ExprPtr> sharedAllocation; // of messages: those alike share memory
  std::vector<std::vector<std::string>> scratchNames; // per buffer, for values that cannot be built in place
  llvm::DenseMap<const ir::Expr *, cpp::ExprPtr> hoistedPeers; // in the step at hand
  std::vector<std::pair<const ir::Slice *, std::string>> namedSlices;       // of the step at hand
  std::vector<std::pair<std::string, std::string>> received; // room, buffer whose length the message tells; of the step at hand
  unsigned stepNesting = 0; // of branches and loops inside the step at hand
  llvm::StringMap<std::string> settledVariables; // by their names in the schedule
  llvm::StringMap<std::string> scopedNames;
};

/// The public function of a schedule, and its prototype.
struct Entry {
  cpp::Function definition;
  std::vector<std::string> comment;
  /// Says which number of packets a call with 0 of them takes; absent if the schedule has none to choose.
  std::optional<cpp::Function> packets;
  /// Puts that number in place of 0: the beginning of both forms of the function.
  cpp::Body choice;
  /// Parameters whose names are not free: the schedule's, and the function's.
  std::vector<std::pair<std::string, std::string>> renamed;
};
/// `packets`: a name for that function.
Entry lowerEntry(Module &module, const ir::Schedule &schedule, const std::string &name, const std::string &helper,
                 const std::string &packets);

/// Whether the operator has to be commutative. What a schedule uses may require more than its use here needs, such as in groups of
/// one rank: the checks look at the order of the operands in the whole.
bool needsCommutative(const ir::Schedule &schedule);

} // namespace quadrille::compiler::emit

#endif // QUADRILLE_EMIT_IRTOCPP_H
