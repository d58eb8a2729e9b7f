//===- Unfold.h - What each rank does, step after step ------------------------------------------------------------------*- C++ -*-===//
//
// As data never decides what a rank does next, the whole program of every rank is known before any message moves.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_INSTANTIATE_UNFOLD_H
#define QUADRILLE_INSTANTIATE_UNFOLD_H

#include "CaseRun.h"
#include "Semantics.h"

#include <exception>
#include <memory>

namespace quadrille::compiler {

/// A send or receive of one rank, its numbers filled in.
struct RankTransfer {
  const ir::TransferStmt *stmt = nullptr;
  std::uint32_t peer = 0;
  Storage *storage = nullptr; // null: without data
  bool elastic = false;       // a name that is declared by receiving: how many slots it has is known when it has come
  bool takesLength = false;   // the buffer does (ir/Lengths.h), and this is all of it
  std::uint32_t firstRun = 0, runCount = 0; // in RankProgram::runs
  std::uint32_t shape = 0;    // elastic, received: the slots that a name is as long as, in RankProgram::slots,
  std::uint32_t room = 0;     //   and how many it has
  const ir::Clock *clock = nullptr;           // when it happens, if that is stated and wanted: the innermost clock,
  std::uint32_t firstTime = 0, timeCount = 0; //   and the numbers of all, in RankProgram::times
};

/// The head of a loop of the outermost schedule that states invariants, with what they may speak of.
struct RankHead {
  /// What changes seldom, so that heads share it.
  struct Surroundings {
    std::vector<View> views; // with one entry for this rank
    RankMap ranks;
  };
  const ir::ForStmt *loop = nullptr;
  std::int64_t head = 0; // as LoopVisit tells where a loop stands
  Frame numbers;
  std::shared_ptr<const Surroundings> around;
};

/// The target of an assignment or a leaf of its value.
struct RankSlots {
  Storage *storage = nullptr;
  bool elastic = false;     // all that has arrived
  bool takesLength = false; // as of transfers
  std::uint32_t firstRun = 0, runCount = 0;
};

struct RankAction {
  enum Kind { Step, Assign, Declare, Head } kind = Step;
  const ir::Stmt *stmt = nullptr;
  std::uint32_t first = 0, count = 0; // Step: transfers; Assign: slots, the target first; Declare: `count` slots;
                                      // Head: the number of the head
  Storage *storage = nullptr;         // Declare
  bool hasClasses = false;            // Declare: how long the slots are is declared too,
  std::uint32_t firstClass = 0;       //   by their classes in RankProgram::classes,
  bool hasModel = false;              //   or as those of the slots `first`, and as many
};

struct RankProgram {
  std::vector<RankAction> actions;
  std::vector<RankTransfer> transfers;
  std::vector<RankSlots> slots;
  std::vector<SlotRun> runs;
  std::vector<std::uint32_t> classes;
  std::vector<std::int64_t> times;
  std::vector<RankHead> heads;
  bool leavesHeadsOut = false; // there are more than are kept
  /// What is wrong with the action after the last: thrown when, and if, the rank gets there.
  std::exception_ptr failure;

  llvm::ArrayRef<SlotRun> runsOf(const RankSlots &of) const { return {runs.data() + of.firstRun, of.runCount}; }
  /// What grows with the number of steps.
  std::uint64_t bytes() const {
    return actions.size() * sizeof(RankAction) + transfers.size() * sizeof(RankTransfer) + slots.size() * sizeof(RankSlots) +
           runs.size() * sizeof(SlotRun) + classes.size() * sizeof(std::uint32_t);
  }
};

/// The runs that slots of a rank take; `whole` holds them if that is all that has arrived.
llvm::ArrayRef<SlotRun> runsOf(const RankProgram &program, const RankSlots &slots, std::uint32_t rank, SlotRun &whole);

/// Executes a declaration of a rank: its slots are empty, and as long as the program says.
void declare(Machine &machine, const RankProgram &program, std::uint32_t rank, const RankAction &action);

/// The shape of the name that a rank receives into.
MessageShape shapeOf(const RankProgram &program, const RankTransfer &transfer);

/// Unfolds the programs of all ranks. Storages are those of the machine; rows of local buffers are shaped when their
/// declaration is executed. With what is stated of its loops and of the times of transfers, if that is wanted. Throws
/// Finding, EvaluationError.
std::vector<RankProgram> unfold(CaseRun &run, FinalState &state, bool wantStated = false);

} // namespace quadrille::compiler

#endif // QUADRILLE_INSTANTIATE_UNFOLD_H
