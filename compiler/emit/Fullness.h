//===- Fullness.h - Which operands may be empty ---------------------------------------------------------------------*- C++ -*-===//
//
// `empty <> a` is a, so emitted code must know which operands have been written ("are there"). A forward analysis over the
// schedule finds for every operand whether it is always there, never, or under a known condition. If none of these is shown,
// emitted code keeps a flag for the buffer.
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
  enum Test { PeerExists, IsRank, Holds } test = Holds; // Conditional: there if `condition` != none, == rank, or is true
  const ir::Expr *condition = nullptr;
  bool hasOwnBlock = false, hasOthersBlocks = false; // Unknown, array: block `me` is there; all other blocks are
  const ir::Slice *written = nullptr; // Unknown: the part that was written last and is there; or null

  bool operator==(const Fullness &other) const;
};

/// Per parameter of a schedule, inputs before outputs: whether the schedule that uses it passes flags, which say what is there
/// when it begins, and reads from them what is there when it ends. Without flags, inputs are there and outputs are empty when it
/// begins. An empty vector: no parameter has flags.
using FlaggedParameters = std::vector<bool>;

struct FullnessFacts {
  /// What is known about each operand of an assignment when it is read.
  llvm::DenseMap<const ir::DataExpr *, Fullness> operands;
  /// Buffers that need flags: one flag, or one for each block of an array or for each packet of a split block.
  llvm::DenseSet<const ir::Buffer *> flagged;
  /// Flags do not suffice: a slice that is moved as a whole may be there in part, or this schedule has flagged parameters.
  /// Emitted code then keeps for every element whether it is there (quadrille::Presence).
  bool byElement = false;
  /// The flagged parameters of used schedules.
  llvm::DenseMap<const ir::UseStmt *, FlaggedParameters> uses;
  /// For each output, whether it is there on all ranks when the schedule ends.
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

/// The facts about schedules, computed once for each schedule and set of flagged parameters.
class FullnessAnalysis {
public:
  /// The reference is valid as long as this object.
  const FullnessFacts &of(const ir::Schedule &schedule, FlaggedParameters flagged = {});

private:
  std::map<std::pair<const ir::Schedule *, FlaggedParameters>, std::unique_ptr<FullnessFacts>> known; // for lookups only
};

} // namespace quadrille::compiler::emit

#endif // QUADRILLE_EMIT_FULLNESS_H
