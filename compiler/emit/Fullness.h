//===- Fullness.h - Which operands may be empty ---------------------------------------------------------------------*- C++ -*-===//
//
// `empty <> a` is a. A forward analysis over the schedule finds for every operand whether it is always written, never,
// or under a condition that can be named; where nothing can be said, emitted code keeps a flag for the buffer.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_EMIT_FULLNESS_H
#define QUADRILLE_EMIT_FULLNESS_H

#include "ir/Schedule.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

#include <map>
#include <memory>
#include <vector>

namespace quadrille::compiler::emit {

struct Fullness {
  enum Kind { Empty, Full, Conditional, Unknown } kind = Empty;
  enum Test { PeerExists, IsRank, Holds } test = Holds; // Conditional: `condition` != none, == rank, or is true
  const ir::Expr *condition = nullptr;
  bool hasOwnBlock = false, hasOthersBlocks = false; // Unknown: of an array, block me; all but block me
  const ir::Slice *written = nullptr; // Unknown: a part that is there, the last one to be written; or null

  bool operator==(const Fullness &other) const;
};

/// The parameters of a schedule, inputs before outputs, of which only its user knows what is there when it begins, and wants to
/// know what is there when it ends. Of the others inputs are there, outputs are empty when it begins. No elements: none.
using FlaggedParameters = std::vector<bool>;

struct FullnessFacts {
  /// What is known about each operand of an assignment when it is read.
  llvm::DenseMap<const ir::DataExpr *, Fullness> operands;
  /// Buffers that need a flag: one, or one for each block of an array and for each packet of a block that is split.
  llvm::DenseSet<const ir::Buffer *> flagged;
  /// Flags will not do: parts may be there of what the schedule moves as one, or a used schedule has to know. What is there is
  /// then kept for every element (quadrille::Presence).
  bool byElement = false;
  /// The parameters of used schedules that are told what is there, and tell.
  llvm::DenseMap<const ir::UseStmt *, FlaggedParameters> uses;
  /// For each output, whether it is there in the end on all ranks.
  std::vector<bool> outputsFull;

  Fullness of(const ir::DataExpr *operand) const {
    auto found = operands.find(operand);
    return found == operands.end() ? Fullness{Fullness::Full} : found->second;
  }
  bool isFlagged(const ir::UseStmt &use, size_t parameter) const {
    auto found = uses.find(&use);
    return found != uses.end() && parameter < found->second.size() && found->second[parameter];
  }
};

/// The facts about schedules, each found once for each way in which it is used.
class FullnessAnalysis {
public:
  /// The reference holds as long as this object.
  const FullnessFacts &of(const ir::Schedule &schedule, FlaggedParameters flagged = {});

private:
  std::map<std::pair<const ir::Schedule *, FlaggedParameters>, std::unique_ptr<FullnessFacts>> known; // looked up, never walked
};

} // namespace quadrille::compiler::emit

#endif // QUADRILLE_EMIT_FULLNESS_H
