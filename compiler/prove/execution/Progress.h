//===- Progress.h - How far an execution has come -------------------------------------------------------------*- C++ -*-===//
//
// An execution tries invariants, clocks and shorter formulas. If an attempt fails, it returns to its state before the attempt.
// All that an attempt may change is in Progress: a copy is made before the attempt and assigned back. Two things are not part of
// it. What holds only in a part of the schedule, such as the loops around a statement, is restored by the function that sets it.
// The values of names (SymbolicFrame) need no restoring, because statements set a name before others read it.
//
// Used only in prove/.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_PROVE_EXECUTION_PROGRESS_H
#define QUADRILLE_PROVE_EXECUTION_PROGRESS_H

#include "Groups.h"
#include "State.h"
#include "Trail.h"

#include "diagnostics/Diagnostics.h"
#include "ir/Lengths.h"
#include "prove/definitions/DefinedTerms.h"

#include "llvm/ADT/STLExtras.h"

#include <optional>

namespace quadrille::compiler::prove {

/// A loop whose head needs an invariant.
struct LoopHead {
  UsePath place;
  const ir::ForStmt *loop = nullptr;
  /// The symbols for the heads of the enclosing loops and of this one, outermost first, as Trace.h records them.
  std::vector<Term> heads;
  Term shown;                     // the head as a formula in the loop's variable, for explanations
  Products products = Products::Ordered;
  Term packets;                   // packets per block; null if no block is split
  std::vector<SymbolicBuffer *> written; // the storages that its body writes
  bool ofNeededSlots = false;     // invariants that say nothing of slots that nothing is made of that is sent or promised
  bool ofLiveSlots = false;       // invariants that say nothing of slots that are not read before they are written
  bool ofPlaces = false;          // products need no formula: only which slots hold contributions that are still read
  bool inPieces = false;          // none was found: search longer, with formulas for ranks of different kinds
};

/// The content of each written storage at the head, in the order of LoopHead::written.
using Invariant = std::vector<Content>;

/// The values of the names of a schedule that is being executed.
struct SymbolicFrame : Variables {
  SymbolicFrame(const ir::Schedule &schedule) : Variables{schedule, {}}, lengths(ir::lengthsOf(schedule)) {}
  UsePath place;
  ir::BlockLengths lengths;
  std::vector<SymbolicView> views;
  Term origin;                 // the rank that the schedule counts as 0, in the outermost numbering; null: 0
  std::vector<unsigned> tables; // per table of the schedule: its number among the outermost collective's
  bool blocksArePackets = false;
  std::vector<Content> inputsAtEntry; // of a used schedule: contents of its inputs' storages when it began
  // The clocks of the `use`s that lead here, over the variables for the two ranks of a message.
  std::vector<Term> times;
  Term timesExist;              // the condition under which these numbers have values
  const ir::Clock *clock = nullptr; // the innermost of these clocks
};

/// A transfer of the generic rank.
struct SymbolicTransfer {
  const ir::TransferStmt *stmt = nullptr;
  Term guard;
  Term peer; // a rank in the outermost numbering
  std::optional<Slots> slots;
  Term index;         // if it stands in a loop of its step: the variable for the iteration, of which all terms are formulas
  Term first, end;    //   which is one of first ..< end
  Term count;         // the number of iterations
  SymbolicFrame *frame = nullptr;
};

/// In loops whose products have no closed form: where the contributions to the slots of a storage are (Locations.cpp).
struct SymbolicLocation {
  std::string function; // the name of a function of contributor, block and packet: the rank that has it
  SymbolicBuffer *storage;
  Term block;           // the block whose contributions slot `block'` of rank `me` holds: the number of the slot, or counted from `me`
  Term slot;            // the slot of block `block'` on rank `me`
  Term rank;            // the variable that stands for that rank in `bound`
  Term bound;           // what is known about `rank`, a formula in its slot `block'`, `packet'` and the head
  Content content;      // the storage's content at the head of the loop
  Term first;           // the rank that has the contribution before the loop, as a formula in contributor, block and packet
  Term guard = {};      // the condition under which the loop is executed, the same for all ranks
  std::vector<std::vector<SymbolicTransfer>> sent = {}; // the sends of the loop's body, step by step
};

/// A round of the schedule, or an end of a loop around rounds, where rounds are counted one after the other (RoundsByTime.cpp).
struct TimedPart {
  enum Kind {
    Round,
    LoopBegins,
    LoopEnds,
    Groups, // the rounds of a schedule that groups of ranks use, as many in each group
    Other,  // rounds of which nothing is known
  } kind;
  std::vector<Term> facts;  // what holds here; LoopEnds: at the end of the body
  Term condition;           // the same for all ranks: where it does not hold, no rank sends, or the loop is not executed
  // Round:
  std::vector<SymbolicTransfer> sends = {}, receives = {};
  bool haveBlocks = false;  // no message is empty
  bool areOfOneBlock = true; // a message has different packets of one block, or the block
  Term blocks = {}, packets = {}; // of the longest message, in parts: its words are (blocks*n + packets*ceil(n/k)) / denominator
  std::int64_t denominator = 1;
  // Groups:
  Term member = {}, firstMember = {}; // whether a rank is in a group, and the first rank of that
  RoundsAlone alone = {};
  // LoopBegins:
  Term head = {}, entry = {}, atBody = {}, next = {}, after = {}; // values of the head: before the loop, in the body, after the body, after the loop
  Term scale = {};                  // the head, or 2**head where it may be an exponent
  bool ascends = true;              // the head grows from iteration to iteration
};

/// The clock of a transfer, for explanations.
struct ClockText {
  llvm::SMRange range; // of the transfer
  std::string text;    // in the syntax of the language
};

/// Pointers to the buffers that exist, in the order of their declarations. Views point to the same objects, so a copy saves the
/// value of each object, and assigning the copy back restores these values in place.
class SymbolicBuffers {
public:
  SymbolicBuffers() = default;
  SymbolicBuffers(const SymbolicBuffers &other) : list(other.list), values(other.values) {
    if (values.empty())
      for (const SymbolicBuffer *buffer : list)
        values.push_back(*buffer);
  }
  SymbolicBuffers &operator=(const SymbolicBuffers &before) {
    assert(before.values.size() == before.list.size());
    list = before.list;
    for (auto [buffer, value] : llvm::zip_equal(list, before.values))
      *buffer = value;
    return *this;
  }

  void add(SymbolicBuffer &buffer) { list.push_back(&buffer); }
  std::size_t size() const { return list.size(); }
  /// Removes the buffers from number `first` on.
  void forget(std::size_t first) {
    assert(first <= list.size());
    list.resize(first);
  }
  auto begin() const { return list.begin(); }
  auto end() const { return list.end(); }
  std::vector<Content> contents() const {
    std::vector<Content> result;
    for (const SymbolicBuffer *buffer : list)
      result.push_back(buffer->content);
    return result;
  }

private:
  std::vector<SymbolicBuffer *> list;
  std::vector<SymbolicBuffer> values; // the saved values; of copies only
};

/// The part of an execution's state that can be taken back.
struct Progress {
  SymbolicBuffers buffers;
  Trail<Term> facts;                         // what holds at this point of the schedule
  Trail<SymbolicLocation> locations;         // what is known about locations at this point
  Trail<Obligation> found;
  Trail<std::pair<LoopHead, Invariant>> used;
  SymbolicCost cost = {};
  Work work = {};
  Trail<TimedPart> timed;                    // the rounds so far, if the cost is that by time
  std::vector<Term> chainRanks = {};         // on which chains may begin and end: formulas of p and the schedule's numbers
  TermPool::Substitution last;               // the last values of loop variables
  Term packets;                              // packets per block of the collective; null until a block is split
  Trail<Term> packetsOfGroups;               // those of schedules that were used in groups, over p and the schedule's numbers
  bool packetsFixed = false;                 // obligations already assume the present number of packets
  unsigned places = 0;                       // RankExecution: the number of steps and loops met so far
  std::optional<NotModelled> costUnknown, roundsUnknown, missing, unused, unread, unreadTimes;
  Trail<ClockText> clocksShown;
  Trail<Diagnostic> doubtful;
};

} // namespace quadrille::compiler::prove

#endif // QUADRILLE_PROVE_EXECUTION_PROGRESS_H
