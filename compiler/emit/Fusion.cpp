//===- Fusion.cpp - Receives that combine on arrival -----------------------------------------------------------------------===//

#include "Fusion.h"

#include "Queries.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Casting.h"

namespace quadrille::compiler::emit {

using namespace ir;

namespace {

/// A transfer, let or assignment of a step, with the branches and loops around it.
struct Placed {
  const Stmt *stmt;
  llvm::SmallVector<const void *, 2> path; // the bodies around it inside the step
  bool inLoop;
};

void place(const Body &body, llvm::SmallVector<const void *, 2> path, bool inLoop, std::vector<Placed> &out) {
  for (const auto &stmt : body) {
    auto inside = [&](const Body &inner, bool loop) {
      llvm::SmallVector<const void *, 2> deeper = path;
      deeper.push_back(&inner);
      place(inner, deeper, loop, out);
    };
    if (const auto *branch = llvm::dyn_cast<IfStmt>(stmt.get())) {
      inside(branch->yes, inLoop);
      inside(branch->no, inLoop);
    } else if (const auto *loop = llvm::dyn_cast<ForStmt>(stmt.get())) {
      inside(loop->body, true);
    } else {
      out.push_back({stmt.get(), path, inLoop});
    }
  }
}

class Finder {
public:
  Finder(const Schedule &schedule, const FullnessFacts &fullness) : fullness(fullness) {
    visitStmts(schedule.body, [&](const Stmt &stmt) {
      visitSlices(stmt, [&](const Slice &slice, bool) { ++occurrences[slice.buffer]; });
    });
  }

  llvm::DenseMap<const TransferStmt *, FusedReceive> run(const Schedule &schedule) {
    visitStmts(schedule.body, [&](const Stmt &stmt) {
      if (const auto *step = llvm::dyn_cast<StepStmt>(&stmt))
        visit(*step);
    });
    return std::move(found);
  }

private:
  void visit(const StepStmt &step) {
    std::vector<Placed> placed;
    place(step.body, {}, false, placed);
    for (const Placed &receive : placed)
      for (const Placed &assign : placed)
        if (std::optional<FusedReceive> fused = fuse(receive, assign, placed))
          found[llvm::cast<TransferStmt>(receive.stmt)] = *fused;
  }

  std::optional<FusedReceive> fuse(const Placed &receive, const Placed &assign, const std::vector<Placed> &placed) {
    const auto *transfer = llvm::dyn_cast<TransferStmt>(receive.stmt);
    const auto *combine = llvm::dyn_cast<AssignStmt>(assign.stmt);
    if (!transfer || transfer->isSend || !transfer->message || !combine || !combine->value->isCombine)
      return std::nullopt;
    const Buffer *t = transfer->message->buffer;
    if (t->kind != BufferKind::Message || occurrences.lookup(t) != 2 || receive.inLoop || assign.inLoop ||
        receive.path != assign.path)
      return std::nullopt;
    const DataExpr *left = combine->value->left, *right = combine->value->right;
    if (left->isCombine || right->isCombine)
      return std::nullopt;
    bool incomingIsLeft = left->slice.buffer == t;
    const DataExpr *kept = incomingIsLeft ? right : left;
    if ((incomingIsLeft ? left : right)->slice.buffer != t || kept->slice.buffer == t ||
        !sameSlice(kept->slice, combine->target) || fullness.of(kept).kind != Fullness::Full)
      return std::nullopt;
    if (!isUndisturbed(*transfer, *combine, placed))
      return std::nullopt;
    return FusedReceive{combine, incomingIsLeft};
  }

  /// Whether combining on arrival instead of after the step changes nothing for the rest of the step.
  bool isUndisturbed(const TransferStmt &receive, const AssignStmt &assign, const std::vector<Placed> &placed) {
    bool before = true; // `other` precedes `assign` in the text
    bool afterReceive = false;
    for (const Placed &other : placed) {
      if (other.stmt == &receive) {
        afterReceive = true;
        continue;
      }
      if (other.stmt == &assign) {
        before = false;
        continue;
      }
      if (const auto *let = llvm::dyn_cast<LetStmt>(other.stmt)) {
        bool reads = false;
        visitVariables(assign.target, [&](unsigned variable) { reads |= variable == let->variable; });
        if (reads && afterReceive)
          return false;
        continue;
      }
      bool isAssignment = llvm::isa<AssignStmt>(other.stmt);
      if (isAssignment && !before)
        continue;
      bool clashes = false;
      visitSlices(*other.stmt, [&](const Slice &slice, bool) { clashes |= !disjoint(slice, assign.target); });
      // A receive that has been fused writes the target of its assignment.
      if (const auto *transfer = llvm::dyn_cast<TransferStmt>(other.stmt))
        if (auto fused = found.find(transfer); fused != found.end())
          clashes |= !disjoint(fused->second.assign->target, assign.target);
      if (clashes)
        return false;
    }
    return true;
  }

  const FullnessFacts &fullness;
  llvm::DenseMap<const Buffer *, unsigned> occurrences;
  llvm::DenseMap<const TransferStmt *, FusedReceive> found;
};

} // namespace

llvm::DenseMap<const TransferStmt *, FusedReceive> findFusedReceives(const Schedule &schedule,
                                                                     const FullnessFacts &fullness) {
  return Finder(schedule, fullness).run(schedule);
}

} // namespace quadrille::compiler::emit
