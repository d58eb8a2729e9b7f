//===- Unfold.h - The program of each rank ------------------------------------------------------------------*- C++ -*-===//
//
// Control flow never depends on data. So the program of every rank can be unfolded completely before any message moves.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_INSTANTIATE_UNFOLD_H
#define QUADRILLE_INSTANTIATE_UNFOLD_H

#include "CaseRun.h"
#include "Semantics.h"

#include <exception>
#include <memory>

namespace quadrille::compiler {

/// A send or receive of one rank, with all expressions evaluated.
struct RankTransfer {
  const ir::TransferStmt *stmt = nullptr;
  std::uint32_t peer = 0;
  Storage *storage = nullptr; // null: a message without data
  bool elastic = false;       // a name declared by a receive: its number of slots is known after the receive
  bool takesLength = false;   // the buffer takes the length of what it receives (ir/Lengths.h), and all of it is received
  std::uint32_t firstRun = 0, runCount = 0; // in RankProgram::runs
  std::uint32_t shape = 0;    // elastic, received: index in RankProgram::slots of the slots with the lengths of the name,
  std::uint32_t room = 0;     //   and its number of slots
  const ir::Clock *clock = nullptr;           // its innermost clock, if stated and wanted by observers; the time is in
  std::uint32_t firstTime = 0, timeCount = 0; //   RankProgram::times
};

/// A visit at the head of a loop of the outermost schedule that states invariants, with all that these may mention.
struct RankHead {
  /// What rarely changes from one head to the next, and is shared by heads.
  struct Surroundings {
    std::vector<View> views; // they contain this rank only
    RankMap ranks;
  };
  const ir::ForStmt *loop = nullptr;
  std::int64_t head = 0; // see LoopVisit
  Frame numbers;
  std::shared_ptr<const Surroundings> around;
};

/// The slots of a slice: the target of an assignment or an operand of its value.
struct RankSlots {
  Storage *storage = nullptr;
  bool elastic = false;     // all slots of a name declared by a receive
  bool takesLength = false; // as in RankTransfer
  std::uint32_t firstRun = 0, runCount = 0;
};

struct RankAction {
  enum Kind { Step, Assign, Declare, Head } kind = Step;
  const ir::Stmt *stmt = nullptr;
  std::uint32_t first = 0, count = 0; // Step: in `transfers`; Assign: in `slots`, the target first; Declare: number of
                                      // slots; Head: the index in `heads`
  Storage *storage = nullptr;         // Declare
  bool hasClasses = false;            // Declare: the slots get the length classes in RankProgram::classes from
  std::uint32_t firstClass = 0;       //   `firstClass` on;
  bool hasModel = false;              // Declare: number and lengths are those of the slots `first`
};

struct RankProgram {
  std::vector<RankAction> actions;
  std::vector<RankTransfer> transfers;
  std::vector<RankSlots> slots;
  std::vector<SlotRun> runs;
  std::vector<std::uint32_t> classes;
  std::vector<std::int64_t> times;
  std::vector<RankHead> heads;
  bool leavesHeadsOut = false; // there are too many heads, and `heads` has some of them only
  /// The error in the action after the last one. It is thrown if the rank gets there.
  std::exception_ptr failure;

  llvm::ArrayRef<SlotRun> runsOf(const RankSlots &of) const { return {runs.data() + of.firstRun, of.runCount}; }
  /// The memory, in bytes, of those lists that grow with the number of steps.
  std::uint64_t bytes() const {
    return actions.size() * sizeof(RankAction) + transfers.size() * sizeof(RankTransfer) + slots.size() * sizeof(RankSlots) +
           runs.size() * sizeof(SlotRun) + classes.size() * sizeof(std::uint32_t);
  }
};

/// The runs of `slots`. If these are all slots of a name declared by a receive, they are put in `whole`, to which the result refers.
llvm::ArrayRef<SlotRun> runsOf(const RankProgram &program, const RankSlots &slots, std::uint32_t rank, SlotRun &whole);

/// Executes a declaration of a rank: empties its slots and sets their lengths.
void declare(Machine &machine, const RankProgram &program, std::uint32_t rank, const RankAction &action);

/// The shape of the name that a rank receives into.
MessageShape shapeOf(const RankProgram &program, const RankTransfer &transfer);

/// Unfolds the programs of all ranks. Storages belong to the machine; rows of local buffers get their shape when their declaration
/// is executed. `wantStated`: include heads of loops with invariants, and times of transfers. Throws Finding, EvaluationError.
std::vector<RankProgram> unfold(CaseRun &run, FinalState &state, bool wantStated = false);

} // namespace quadrille::compiler

#endif // QUADRILLE_INSTANTIATE_UNFOLD_H
