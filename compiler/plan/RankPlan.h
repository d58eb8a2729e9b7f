//===- RankPlan.h - What one rank does in a call, as the runtime plans it --------------------------------------------*- C++ -*-===//
//
// The runtime records what the emitted code says, leaves out what is superfluous, and finds out which operations have to wait for which.
// A program that is made of the emitted code writes that down (runtime/harness/PlanFile.h); here it is read, and brought into a form
// for people: without dependences that follow from others, and with the time at which each operation can begin.
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
  std::uint64_t pieces = 0; // consecutive elements that they are in memory
};

struct RecordedOperation {
  /// Operands, as in runtime/plan/Program.h: of a message what is sent or where it goes, if it has data, and then what it is combined with;
  /// else the target and what is read.
  enum class Kind { Send, Receive, ReceiveUpTo, ReceiveCombine, Copy, Combine };

  Kind kind = Kind::Copy;
  std::uint64_t line = 0;       // of the schedule; 0: not known
  std::uint64_t step = 0;       // of the rank's steps; 0: it is no message
  std::int64_t partner = -1;
  std::uint64_t message = 0;       // its number among those to, or from, the partner
  bool lockstep = false;        // it waits for all steps before its own
  bool incomingIsLeft = false;  // of what is combined with an operand
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
  std::vector<size_t> after; // what it waits for and nothing else of it does, ascending
  size_t time = 0;           // the earliest: 1, or one more than what it waits for has
};

/// What becomes of an operation that was recorded.
enum class Fate {
  Kept,
  Narrowed,       // of a copy, the part that somebody needs is left
  Forwarded,      // a copy: its readers read what it copied
  WrittenThrough, // a copy: whoever wrote its source writes its target
  Renamed,        // a copy: its source is its target all the time
  OnArrival       // a combination: the message is combined as it arrives
};

struct RankPlan {
  std::int64_t rank = 0;
  size_t window = 0;        // operations that are looked at from the first one on that is not done
  bool everyLength = false; // it is the same for every n
  std::vector<RecordedOperation> recorded;
  std::vector<Fate> fates;  // of these
  std::vector<PlannedOperation> operations;

  /// Operations that wait for each other, one for the other, as many as there can be.
  size_t longestChain() const;
  size_t removed() const { return recorded.size() - operations.size(); }
};

/// Reads what the program wrote; nothing if it is not that. A plan of more than `limits::planOperations` comes without dependences and times.
std::optional<RankPlan> readPlan(llvm::StringRef json);

/// Puts off operations until the messages that they receive have been sent, as far as it is one of these ranks that sends them.
void waitForMessages(llvm::MutableArrayRef<RankPlan> plans);

} // namespace quadrille::compiler::plan

#endif // QUADRILLE_PLAN_RANKPLAN_H
