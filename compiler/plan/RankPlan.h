//===- RankPlan.h - What one rank does in a call, as the runtime plans it --------------------------------------------*- C++ -*-===//
//
// The runtime records the operations of the emitted code, removes superfluous ones, and finds out which have to wait for which. A program
// made of the emitted code writes that plan to a file (runtime/harness/PlanFile.h). This stage reads the file and makes the plan readable:
// it drops dependences that follow from others, and computes the time at which each operation can begin.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_PLAN_RANKPLAN_H
#define QUADRILLE_PLAN_RANKPLAN_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace quadrille::compiler::plan {

/// Blocks of a buffer, by the schedule's names.
struct Operand {
  std::string text;         // "y[2]", "sum"
  std::uint64_t blocks = 0;
  std::uint64_t pieces = 0; // the number of runs of consecutive elements that they are in memory
};

struct RecordedOperation {
  /// The kinds of runtime/plan/Program.h. Operands of a message with data: the block that is sent or received into, then the block that
  /// the message is combined with. Operands of the others: the target, then what is read.
  enum class Kind { Send, Receive, ReceiveUpTo, ReceiveCombine, Copy, Combine };

  Kind kind = Kind::Copy;
  std::uint64_t line = 0;       // of the schedule; 0: not known
  std::uint64_t step = 0;       // the number of the rank's step, from 1; 0: it is no message
  std::int64_t partner = -1;
  std::uint64_t message = 0;    // its number among the messages to (from) this partner
  bool lockstep = false;        // it waits for all steps before its own
  bool incomingIsLeft = false;  // the message is the left operand of its combination
  std::vector<Operand> operands;

  bool isMessage() const { return step != 0; }
  bool isSend() const { return kind == Kind::Send; }
  /// "send y[2] to 3", "y[2] := x[2] <> message from 1"
  std::string text() const;
  /// The same without the partner: "y[2]", "y[2] := x[2] <> message"
  std::string data() const;
};

/// An operation that is carried out.
struct PlannedOperation : RecordedOperation {
  size_t recorded = 0;       // its number among those that were recorded
  std::vector<size_t> after; // the operations that it waits for, without those that these wait for; ascending
  size_t time = 0;           // the earliest possible: 1, or one more than the latest operation that it waits for
};

/// What becomes of an operation that was recorded.
enum class Fate {
  Kept,
  Narrowed,       // a copy: only the part that is needed is left
  Forwarded,      // a copy: its readers read its source instead
  WrittenThrough, // a copy: the operation that wrote its source writes its target instead
  Renamed,        // a copy: its source lies in its target from the beginning
  OnArrival       // a combination: the message is combined as it arrives
};

struct RankPlan {
  std::int64_t rank = 0;
  size_t window = 0;        // the number of operations, from the first one not done on, among which the runtime chooses the next one
  bool everyLength = false; // the plan is the same for every n
  std::vector<RecordedOperation> recorded;
  std::vector<Fate> fates;  // one for each recorded operation
  std::vector<PlannedOperation> operations;

  /// The number of operations in the longest chain in which each one waits for the one before.
  size_t longestChain() const;
  size_t removed() const { return recorded.size() - operations.size(); }
};

/// Reads a plan from the program's JSON; nothing if the text is no plan. Plans of more than `limits::planOperations` operations have no
/// dependences and times.
std::optional<RankPlan> readPlan(llvm::StringRef json);

/// Raises the times of receives, and of what waits for them, to be later than the sends of their messages, if the sender is one of these
/// ranks.
void waitForMessages(llvm::MutableArrayRef<RankPlan> plans);

} // namespace quadrille::compiler::plan

#endif // QUADRILLE_PLAN_RANKPLAN_H
