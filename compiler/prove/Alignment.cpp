//===- Alignment.cpp - The same schedule, with all ranks in the same steps ---------------------------------------------------===//

#include "Alignment.h"

#include "check/CostClaims.h"
#include "instantiate/CaseRun.h"
#include "ir/Copy.h"
#include "ir/Walk.h"
#include "limits/Limits.h"
#include "prove/guess/Trace.h"

#include "llvm/ADT/STLExtras.h"

namespace quadrille::compiler::prove {

using namespace ir;

namespace {

/// Thrown where ranks cannot be brought in step.
struct NotAligned {};

/// Whether a statement is a step, or contains one.
bool hasSteps(const Stmt &stmt) {
  if (auto *branch = llvm::dyn_cast<IfStmt>(&stmt))
    return branch->containsStep;
  if (auto *loop = llvm::dyn_cast<ForStmt>(&stmt))
    return loop->containsStep;
  return stmt.kind == StmtKind::Step || stmt.kind == StmtKind::Use;
}

bool hasTransfer(const Body &body, bool ofSends) {
  return anyStatement(body, [&](const Stmt &stmt) {
    auto *transfer = llvm::dyn_cast<TransferStmt>(&stmt);
    return transfer && transfer->isSend == ofSends;
  });
}

/// What stands on one side of a condition on the rank. Names that differ between ranks are set anew wherever they may be used.
struct Side {
  const IfStmt &branch;
  bool isYes;
  std::vector<const LetStmt *> lets;

  /// `if condition { lets; body }`, or the same in the other branch.
  std::unique_ptr<IfStmt> guarded(Body body) const {
    auto result = std::make_unique<IfStmt>(static_cast<const IfHead &>(branch));
    result->containsStep = false;
    addTo(*result, std::move(body));
    return result;
  }
  void addTo(IfStmt &to, Body body) const {
    Body &side = isYes ? to.yes : to.no;
    for (const LetStmt *let : lets)
      side.push_back(copyOf(*let));
    llvm::move(body, std::back_inserter(side));
  }
};

class Aligner {
public:
  /// `joinsPairs`: of two statements `if` side by side, steps of one may be joined with those of the other.
  Aligner(AlignedSchedule &result, bool joinsPairs) : result(result), joinsPairs(joinsPairs) {}

  Body aligned(const Body &body) {
    Body list;
    for (size_t i = 0; i < body.size(); ++i) {
      const Stmt *stmt = body[i].get();
      if (auto *branch = branchOfRanks(*stmt)) {
        isChanged = true;
        // `if a { A } if b { B }` is `if a { A; if b { B } } else { if b { B } }`: nothing that A does changes b.
        size_t next = i + 1;
        while (next < body.size() && llvm::isa<LetStmt>(*body[next]))
          ++next;
        const bool isPair = joinsPairs && next < body.size() && branchOfRanks(*body[next]);
        Body ofYes = copyOf(branch->yes), ofNo = copyOf(branch->no);
        if (isPair) {
          for (size_t let = i + 1; let < next; ++let)
            list.push_back(copyOf(*body[let]));
          ofYes.push_back(copyOf(*body[next]));
          ofNo.push_back(copyOf(*body[next]));
          i = next;
        }
        Side yes{*branch, true, {}}, no{*branch, false, {}};
        merge(keep(aligned(keep(std::move(ofYes)))), yes, keep(aligned(keep(std::move(ofNo)))), no, list);
        continue;
      }
      if (auto *branch = llvm::dyn_cast<IfStmt>(stmt); branch && branch->containsStep) {
        auto copy = std::make_unique<IfStmt>(static_cast<const IfHead &>(*branch));
        copy->yes = aligned(branch->yes);
        copy->no = aligned(branch->no);
        list.push_back(std::move(copy));
      } else if (auto *loop = llvm::dyn_cast<ForStmt>(stmt); loop && loop->containsStep) {
        if (differsBetweenRanks(*loop))
          throw NotAligned();
        auto copy = std::make_unique<ForStmt>(static_cast<const ForHead &>(*loop));
        copy->body = aligned(loop->body);
        list.push_back(std::move(copy));
      } else if (auto *use = llvm::dyn_cast<UseStmt>(stmt); use && (use->member || needsSimulation(*use->callee))) {
        throw NotAligned();
      } else {
        list.push_back(copyOf(*stmt));
      }
    }
    return list;
  }

  bool isChanged = false;

private:
  /// The statement, if it is an `if` around steps with a condition on the rank; else null.
  static const IfStmt *branchOfRanks(const Stmt &stmt) {
    auto *branch = llvm::dyn_cast<IfStmt>(&stmt);
    return branch && branch->containsStep && branch->condition->dependsOnRank ? branch : nullptr;
  }

  /// Keeps statements of which copies are made.
  const Body &keep(Body body) { return kept.emplace_back(std::move(body)); }

  /// Puts a statement under the condition of a side, steps outermost; a name becomes one of the side.
  void put(const Stmt &stmt, Side &side, Body &to) {
    if (auto *let = llvm::dyn_cast<LetStmt>(&stmt)) {
      if (let->value->dependsOnRank)
        side.lets.push_back(let);
      else // it may be used in the bounds of loops
        to.push_back(copyOf(*let));
      return;
    }
    const auto putAll = [&](const Body &body) {
      Side inner = side;
      Body list;
      for (const auto &part : body)
        put(*part, inner, list);
      return list;
    };
    if (auto *step = llvm::dyn_cast<StepStmt>(&stmt)) {
      auto copy = std::make_unique<StepStmt>(static_cast<const StepHead &>(*step));
      copy->bare = false;
      copy->body.push_back(side.guarded(copyOf(step->body)));
      to.push_back(std::move(copy));
    } else if (auto *loop = llvm::dyn_cast<ForStmt>(&stmt); loop && loop->containsStep) {
      if (!loop->invariants.empty()) // they speak of the ranks of one side only
        throw NotAligned();
      auto copy = std::make_unique<ForStmt>(static_cast<const ForHead &>(*loop));
      copy->body = putAll(loop->body);
      to.push_back(std::move(copy));
    } else if (auto *branch = llvm::dyn_cast<IfStmt>(&stmt); branch && branch->containsStep) {
      auto copy = std::make_unique<IfStmt>(static_cast<const IfHead &>(*branch));
      copy->yes = putAll(branch->yes);
      copy->no = putAll(branch->no);
      to.push_back(std::move(copy));
    } else if (stmt.kind == StmtKind::Use) {
      throw NotAligned();
    } else {
      Body body;
      body.push_back(copyOf(stmt));
      to.push_back(side.guarded(std::move(body)));
    }
  }

  /// Whether two steps, one of each side, may be one: there may be messages between them. Or two loops, which have the same iterations.
  static bool mayMeet(const Stmt &a, const Stmt &b) {
    if (auto *left = llvm::dyn_cast<StepStmt>(&a))
      if (auto *right = llvm::dyn_cast<StepStmt>(&b))
        return (hasTransfer(left->body, true) && hasTransfer(right->body, false)) || (hasTransfer(left->body, false) && hasTransfer(right->body, true));
    auto *left = llvm::dyn_cast<ForStmt>(&a), *right = llvm::dyn_cast<ForStmt>(&b);
    const auto areSame = [](const Expr *x, const Expr *y) { return x == y || (x && y && isSame(*x, *y)); };
    return left && right && left->containsStep && right->containsStep && left->loop == right->loop && left->invariants.empty() && right->invariants.empty() &&
           (left->loop == LoopKind::Ascending || left->loop == LoopKind::Descending || left->loop == LoopKind::Times || left->loop == LoopKind::Half) &&
           areSame(left->lo, right->lo) && areSame(left->hi, right->hi) && areSame(left->factor, right->factor);
  }

  /// The statements of both sides, in the order of each. Each step of one side is joined with the next one of the other with which it may have
  /// messages.
  void merge(const Body &yes, Side &ofYes, const Body &no, Side &ofNo, Body &to) {
    size_t next = 0;
    for (const auto &stmt : yes) {
      size_t partner = next;
      while (partner < no.size() && !(hasSteps(*stmt) && mayMeet(*stmt, *no[partner])))
        ++partner;
      if (partner == no.size()) {
        put(*stmt, ofYes, to);
        continue;
      }
      for (; next < partner; ++next)
        put(*no[next], ofNo, to);
      to.push_back(joined(*stmt, ofYes, *no[next++], ofNo));
      for (; next < no.size() && !hasSteps(*no[next]); ++next) // what came is used before another message may take its name
        put(*no[next], ofNo, to);
    }
    for (; next < no.size(); ++next)
      put(*no[next], ofNo, to);
  }

  std::unique_ptr<Stmt> joined(const Stmt &a, const Side &ofA, const Stmt &b, const Side &ofB) {
    if (auto *step = llvm::dyn_cast<StepStmt>(&a)) {
      const auto &other = llvm::cast<StepStmt>(b);
      auto copy = std::make_unique<StepStmt>(static_cast<const StepHead &>(*step));
      copy->bare = false;
      copy->lockstep |= other.lockstep;
      copy->messages.insert(copy->messages.end(), other.messages.begin(), other.messages.end());
      auto both = ofA.guarded(copyOf(step->body));
      ofB.addTo(*both, copyOf(other.body));
      copy->body.push_back(std::move(both));
      return copy;
    }
    const auto &loop = llvm::cast<ForStmt>(a), &other = llvm::cast<ForStmt>(b);
    auto copy = std::make_unique<ForStmt>(static_cast<const ForHead &>(loop));
    Expr &variable = result.expressions.emplace_back();
    variable.op = Op::Variable;
    variable.variable = loop.variable;
    variable.range = loop.keyword;
    auto same = std::make_unique<LetStmt>();
    same->range = same->keyword = loop.keyword;
    same->variable = other.variable;
    same->value = &variable;
    copy->body.push_back(std::move(same));
    Side left = ofA, right = ofB;
    merge(loop.body, left, other.body, right, copy->body);
    return copy;
  }

  AlignedSchedule &result;
  const bool joinsPairs;
  std::deque<Body> kept;
};

/// Whether all sends meet receives in the same steps in small cases.
bool isInStep(const Schedule &schedule) {
  const Limits limits;
  unsigned cases = 0;
  for (const Case &instance : traceCases(schedule)) {
    if (cases++ == limits::alignedCases)
      break;
    TreeCache trees;
    CaseRun run(schedule, instance, trees, limits);
    RunObserver nobody;
    try {
      run.prepare({.samples = sampleLengths(run.granularity.unit(), run.tables)});
      run.run(nobody);
    } catch (const Finding &) {
      return false;
    } catch (const EvaluationError &) {
      return false;
    }
  }
  return cases > 0;
}

} // namespace

std::shared_ptr<const AlignedSchedule> align(const Schedule &schedule) {
  if (!needsSimulation(schedule))
    return nullptr;
  for (const bool joinsPairs : {false, true}) {
    auto result = std::make_shared<AlignedSchedule>();
    static_cast<ScheduleHead &>(result->schedule) = schedule;
    try {
      Aligner aligner(*result, joinsPairs);
      result->schedule.body = aligner.aligned(schedule.body);
      if (aligner.isChanged && !needsSimulation(result->schedule) && isInStep(result->schedule))
        return result;
    } catch (const NotAligned &) {
    }
  }
  return nullptr;
}

} // namespace quadrille::compiler::prove
