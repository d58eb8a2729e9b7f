//===- Blame.cpp - Where and when a failure happened -----------------------------------------------------------------===//

#include "Blame.h"

#include "llvm/ADT/STLExtras.h"

namespace quadrille::compiler {

bool namesRound(const Diagnostic &diagnostic) {
  auto names = [](const diag::Facts &facts) {
    return llvm::any_of(facts.fields(), [](const diag::Field &field) {
      auto *perhaps = std::get_if<diag::MaybeRound>(&field.value);
      return std::holds_alternative<diag::Round>(field.value) || (perhaps && perhaps->value);
    });
  };
  return names(diagnostic.facts) || llvm::any_of(diagnostic.notes, [&](const Note &note) { return names(note.facts); });
}

namespace {

bool contains(const ir::Body &body, const char *place) {
  return !body.empty() && body.front()->range.Start.getPointer() <= place &&
         place < body.back()->range.End.getPointer();
}

/// Searches the body, and the schedules that it uses, for the statement at `place`. If it is found, appends the `use` statements
/// that lead to it, innermost first, and returns true.
bool findUses(const ir::Body &body, const char *place, std::vector<const ir::UseStmt *> &uses) {
  for (const auto &s : body) {
    if (auto *loop = llvm::dyn_cast<ir::ForStmt>(s.get())) {
      if (findUses(loop->body, place, uses))
        return true;
    } else if (auto *branch = llvm::dyn_cast<ir::IfStmt>(s.get())) {
      if (findUses(branch->yes, place, uses) || findUses(branch->no, place, uses))
        return true;
    } else if (auto *use = llvm::dyn_cast<ir::UseStmt>(s.get())) {
      if (contains(use->callee->body, place) || findUses(use->callee->body, place, uses)) {
        uses.push_back(use);
        return true;
      }
    }
  }
  return false;
}

} // namespace

void noteUses(const ir::Schedule &schedule, Diagnostic &diagnostic) {
  const char *place = diagnostic.range.Start.getPointer();
  const bool isOfBase = llvm::any_of(schedule.bases, [place](const ir::Base &base) {
    return base.range.Start.getPointer() <= place && place < base.range.End.getPointer();
  });
  std::vector<const ir::UseStmt *> uses;
  if (!place || (!isOfBase && (contains(schedule.body, place) || !findUses(schedule.body, place, uses))))
    return;
  for (const ir::UseStmt *use : uses)
    diagnostic.note(use->keyword, diag::WhileUsed{});
  if (schedule.isReversal())
    diagnostic.note(schedule.nameRange, diag::OfReversal{.reversal = schedule.path()});
  else if (!schedule.bases.empty())
    diagnostic.note(schedule.nameRange, diag::OfInstance{.instance = schedule.path()});
}

} // namespace quadrille::compiler
