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

bool contains(llvm::SMRange range, const char *place) {
  return range.Start.getPointer() <= place && place < range.End.getPointer();
}

/// Whether `place` is in the text of the body. Statements of a reversal are in another order than their text.
bool isInBody(const ir::Schedule &schedule, const char *place) {
  auto begin = [](const auto &stmt) { return stmt->range.Start.getPointer(); };
  auto end = [](const auto &stmt) { return stmt->range.End.getPointer(); };
  return llvm::any_of(schedule.body, [&](const auto &stmt) { return begin(stmt) <= place; }) &&
         llvm::any_of(schedule.body, [&](const auto &stmt) { return place < end(stmt); });
}

bool isOfBase(const ir::Schedule &schedule, const char *place) {
  return llvm::any_of(schedule.bases, [place](const ir::Base &base) { return contains(base.range, place); });
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
      if (isInBody(*use->callee, place) || isOfBase(*use->callee, place) || findUses(use->callee->body, place, uses)) {
        uses.push_back(use);
        return true;
      }
    }
  }
  return false;
}

/// Adds a note that the blamed text belongs to another schedule, of which this one is an instance or the reversal.
void noteBase(const ir::Schedule &schedule, Diagnostic &diagnostic) {
  if (schedule.isReversal())
    diagnostic.note(schedule.nameRange, diag::OfReversal{.reversal = schedule.path()});
  else if (!schedule.isOfPlain() && !schedule.bases.empty())
    diagnostic.note(schedule.nameRange, diag::OfInstance{.instance = schedule.path()});
  if (schedule.isOfPlain())
    diagnostic.note(schedule.nameRange, diag::OfPlain{.instance = schedule.path()});
}

} // namespace

void noteUses(const ir::Schedule &schedule, Diagnostic &diagnostic) {
  const char *place = diagnostic.range.Start.getPointer();
  std::vector<const ir::UseStmt *> uses;
  if (!place || (!isOfBase(schedule, place) && (isInBody(schedule, place) || !findUses(schedule.body, place, uses))))
    return;
  for (const ir::UseStmt *use : uses) {
    noteBase(*use->callee, diagnostic);
    diagnostic.note(use->keyword, diag::WhileUsed{});
  }
  noteBase(schedule, diagnostic);
}

} // namespace quadrille::compiler
