//===- Fullness.cpp - Which operands may be empty --------------------------------------------------------------------------===//

#include "Fullness.h"

#include "Queries.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Casting.h"

namespace quadrille::compiler::emit {

using namespace ir;

static bool sameWritten(const Fullness &a, const Fullness &b) {
  return a.written == b.written || (a.written && b.written && sameSlice(*a.written, *b.written));
}

bool Fullness::operator==(const Fullness &other) const {
  return kind == other.kind && sameWritten(*this, other) && hasOwnBlock == other.hasOwnBlock && hasOthersBlocks == other.hasOthersBlocks && (kind != Conditional || (test == other.test && sameExpr(condition, other.condition)));
}

namespace {

/// Whether the collective's promises say that output `index` is there on all ranks that have it. An unconditional fold has at
/// least one factor: sema refuses other collectives.
bool isPromised(const Collective &collective, size_t index) {
  const CollectiveParam &output = collective.outputs[index];
  return llvm::any_of(collective.promises, [&](const Promise &promise) {
    if (promise.isHeard || promise.output != index || promise.condition)
      return false;
    const bool ofAllRanks = promise.rankVariable || (output.presence && promise.rank && sameExpr(promise.rank, output.presence));
    return ofAllRanks && (promise.indexVariable || !output.isArray);
  });
}

bool isNone(const FlaggedParameters &parameters) {
  return llvm::none_of(parameters, [](bool is) { return is; });
}

/// The analysis of one schedule with one set of flagged parameters.
class ScheduleAnalysis {
public:
  ScheduleAnalysis(const Schedule &schedule, const FlaggedParameters &flagged, FullnessAnalysis &others)
      : schedule(schedule), flaggedParameters(flagged), others(others), state(schedule.buffers.size()) {}

  FullnessFacts run() {
    for (const auto &buffer : schedule.buffers)
      if (buffer->kind == BufferKind::Input)
        state[buffer->index] = buffer->presence ? Fullness{Fullness::Conditional, Fullness::IsRank, buffer->presence}
                                                : Fullness{Fullness::Full};
    for (size_t i = 0; i < flaggedParameters.size(); ++i)
      if (flaggedParameters[i]) {
        const Buffer *buffer = i < schedule.inputs.size() ? schedule.inputs[i] : schedule.outputs[i - schedule.inputs.size()];
        state[buffer->index] = Fullness{Fullness::Unknown};
        facts.flagged.insert(buffer);
        facts.byElement = true;
      }
    body(schedule.body);
    for (const Buffer *output : schedule.outputs)
      facts.outputsFull.push_back(state[output->index].kind == Fullness::Full);
    findFlagged();
    facts.byElement |= !facts.uses.empty() || mayBePartlyThere();
    return std::move(facts);
  }

private:
  using State = std::vector<Fullness>;

  static Fullness joined(const Fullness &a, const Fullness &b) {
    if (a == b)
      return a;
    Fullness result{Fullness::Unknown};
    auto has = [](const Fullness &f, bool part) { return f.kind == Fullness::Full || part; };
    result.hasOwnBlock = has(a, a.hasOwnBlock) && has(b, b.hasOwnBlock);
    result.hasOthersBlocks = has(a, a.hasOthersBlocks) && has(b, b.hasOthersBlocks);
    const Fullness &partly = a.kind == Fullness::Full ? b : a;
    if (sameWritten(a, b) || a.kind == Fullness::Full || b.kind == Fullness::Full)
      result.written = partly.written;
    return result;
  }
  static void join(State &into, const State &other) {
    for (size_t i = 0; i < into.size(); ++i)
      into[i] = joined(into[i], other[i]);
  }

  /// Drops conditions over variables that a body sets: after the body they mean nothing.
  void forget(const Body &stmts) {
    llvm::DenseSet<unsigned> defined;
    visitDefinitions(stmts, [&](unsigned variable) { defined.insert(variable); });
    forgetVariables(defined);
  }
  void forgetVariables(const llvm::DenseSet<unsigned> &defined) {
    auto mentionsDefined = [&](const auto &expr) {
      bool mentions = false;
      visitVariables(expr, [&](unsigned variable) { mentions |= defined.contains(variable); });
      return mentions;
    };
    for (Fullness &fullness : state) {
      if (fullness.kind == Fullness::Conditional && mentionsDefined(fullness.condition))
        fullness.kind = Fullness::Unknown;
      if (fullness.written && mentionsDefined(*fullness.written))
        fullness.written = nullptr;
    }
  }

  /// Records a write to `slice`. `written` says whether something is written. If nothing is, the slice keeps its old contents
  /// (`keepsOld`, a receive), or becomes empty.
  void write(const Slice &slice, Fullness written, bool keepsOld) {
    Fullness &at = state[slice.buffer->index];
    if (at.kind == Fullness::Full && (keepsOld || written.kind == Fullness::Full))
      return;
    if (isWhole(slice) && (!keepsOld || written.kind == Fullness::Full || at.kind == Fullness::Empty))
      at = written;
    else {
      // A write to a part leaves the other parts as they are. If the written value may be empty, the part may become empty.
      const bool adds = keepsOld || written.kind == Fullness::Full;
      Fullness result{Fullness::Unknown};
      result.hasOwnBlock = (adds && at.hasOwnBlock) || (written.kind == Fullness::Full && isBlock(slice, Schedule::variableMe));
      result.hasOthersBlocks = adds && at.hasOthersBlocks;
      result.written = written.kind == Fullness::Full ? &slice : adds ? at.written : nullptr;
      at = complete(result);
    }
  }

  static bool isBlock(const Slice &slice, unsigned variable) {
    return slice.blocks.kind == IndexKind::Point && slice.packets.kind == IndexKind::Whole &&
           slice.blocks.a->op == Op::Variable && slice.blocks.a->variable == variable;
  }

  static Fullness complete(Fullness fullness) {
    return fullness.hasOwnBlock && fullness.hasOthersBlocks ? Fullness{Fullness::Full} : fullness;
  }

  /// Updates the state at the beginning of a branch in which `condition` holds or does not hold.
  void assume(const Expr &condition, bool holds) {
    for (Fullness &fullness : state) {
      if (fullness.kind != Fullness::Conditional)
        continue;
      bool means = fullness.test == Fullness::Holds && sameExpr(fullness.condition, &condition);
      bool meansNot = false;
      if (fullness.test == Fullness::PeerExists && (condition.op == Op::NotEqual || condition.op == Op::Equal))
        for (unsigned i : {0u, 1u}) {
          const Expr &side = *condition.operands[i];
          if (side.op == Op::Constant && side.value == none && sameExpr(condition.operands[1 - i], fullness.condition))
            (condition.op == Op::NotEqual ? means : meansNot) = true;
        }
      if (fullness.test == Fullness::IsRank && (condition.op == Op::NotEqual || condition.op == Op::Equal) &&
          !schedule.origin)
        for (unsigned i : {0u, 1u}) {
          const Expr &side = *condition.operands[i];
          if (side.op == Op::Variable && side.variable == Schedule::variableMe &&
              sameExpr(condition.operands[1 - i], fullness.condition))
            (condition.op == Op::Equal ? means : meansNot) = true;
        }
      if (means || meansNot)
        fullness = Fullness{means == holds ? Fullness::Full : Fullness::Empty};
    }
  }

  void body(const Body &stmts) {
    for (const auto &stmt : stmts)
      visit(*stmt);
  }

  void visit(const Stmt &stmt) {
    switch (stmt.kind) {
    case StmtKind::Let:
      return;
    case StmtKind::Declare:
      state[llvm::cast<DeclareStmt>(stmt).buffer->index] = Fullness{Fullness::Empty};
      return;
    case StmtKind::Assign:
      return assign(llvm::cast<AssignStmt>(stmt));
    case StmtKind::Transfer:
      return transfer(llvm::cast<TransferStmt>(stmt));
    case StmtKind::Step: {
      const auto &step = llvm::cast<StepStmt>(stmt);
      // Message buffers are empty at the beginning of their step.
      visitStmts(step.body, [&](const Stmt &inner) {
        if (const auto *t = llvm::dyn_cast<TransferStmt>(&inner))
          if (!t->isSend && t->message && t->message->buffer->kind == BufferKind::Message)
            state[t->message->buffer->index] = Fullness{Fullness::Empty};
      });
      return body(step.body);
    }
    case StmtKind::If: {
      const auto &branch = llvm::cast<IfStmt>(stmt);
      State before = state;
      assume(*branch.condition, true);
      body(branch.yes);
      forget(branch.yes);
      State afterYes = std::exchange(state, std::move(before));
      assume(*branch.condition, false);
      body(branch.no);
      forget(branch.no);
      join(state, afterYes);
      return;
    }
    case StmtKind::For: {
      const auto &loop = llvm::cast<ForStmt>(stmt);
      State atHead = state;
      llvm::DenseSet<unsigned> own{loop.variable};
      if (loop.loop == LoopKind::Halvings || loop.loop == LoopKind::HalvingsReversed)
        own.insert(loop.second);
      // Repeat until nothing changes. Each iteration can only move buffers to Unknown, so there are few.
      for (bool changed = true; changed;) {
        state = atHead;
        body(loop.body);
        forget(loop.body);
        forgetVariables(own);
        State next = atHead;
        join(next, state);
        changed = next != atHead;
        atHead = std::move(next);
      }
      state = std::move(atHead);
      noteFilledArrays(loop);
      return;
    }
    case StmtKind::Use:
      return used(llvm::cast<UseStmt>(stmt));
    }
  }

  /// Records what is known about the parameters of a used schedule, and updates the state by what it writes.
  void used(const UseStmt &use) {
    const Schedule &callee = *use.callee;
    UseFacts &known = uses[&use];
    known.unusual.assign(use.inputs.size() + use.outputs.size(), false);
    bool allThere = true;
    for (size_t i = 0; i < use.inputs.size(); ++i)
      // An input with a presence is read on one rank only; the others may pass anything.
      if (!callee.inputs[i]->presence && fullnessOf(use.inputs[i]).kind != Fullness::Full) {
        known.unusual[i] = true;
        allThere = false;
      }
    for (size_t i = 0; i < use.outputs.size(); ++i)
      known.unusual[use.inputs.size() + i] = fullnessOf(use.outputs[i]).kind != Fullness::Empty;
    const FullnessFacts &inside = others.of(callee, known.unusual);
    known.certain.clear();
    for (size_t i = 0; i < use.outputs.size(); ++i)
      known.certain.push_back(inside.outputsFull[i] || (allThere && isPromised(*callee.collective, i)));
    for (size_t i = 0; i < use.outputs.size(); ++i) {
      const bool isFull = known.certain[i] && !callee.outputs[i]->presence;
      write(use.outputs[i], Fullness{isFull ? Fullness::Full : Fullness::Unknown}, false);
    }
  }

  /// Whether a used schedule needs other code than usual because of these parameters, which are inputs that may be empty, and
  /// outputs that may not.
  bool matters(const Schedule &callee, const FlaggedParameters &parameters) {
    if (isNone(parameters))
      return false;
    const FullnessFacts &usual = others.of(callee), &here = others.of(callee, parameters);
    bool differs = false;
    visitStmts(callee.body, [&](const Stmt &stmt) {
      if (const auto *use = llvm::dyn_cast<UseStmt>(&stmt))
        differs |= usual.uses.lookup(use) != here.uses.lookup(use);
    });
    visitOperands(callee.body, [&](const AssignStmt &assign, const DataExpr &operand) {
      const Fullness before = usual.of(&operand);
      // An unconditional copy matters only if its target has a flag.
      const bool shows = assign.value->isCombine || usual.flagged.contains(assign.target.buffer) || before.kind != Fullness::Full;
      differs |= shows && !(before == here.of(&operand));
    });
    return differs;
  }

  Fullness fullnessOf(const Slice &slice) const {
    const Fullness &whole = state[slice.buffer->index];
    const bool isThere = (whole.hasOwnBlock && isBlock(slice, Schedule::variableMe)) || (whole.written && sameSlice(*whole.written, slice));
    return whole.kind == Fullness::Unknown && isThere ? Fullness{Fullness::Full} : whole;
  }

  /// After `for j in 0 ..< count { y[j] := ... }` all blocks of y are there; after `for j in others`, all but block `me`.
  void noteFilledArrays(const ForStmt &loop) {
    const bool isAscending = loop.loop == LoopKind::Ascending && !loop.factor && loop.lo->op == Op::Constant && loop.lo->value == 0;
    if (!isAscending && loop.loop != LoopKind::Others)
      return;
    for (const auto &stmt : loop.body) {
      bool writes = false;
      if (const auto *assign = llvm::dyn_cast<AssignStmt>(stmt.get()))
        writes = !assign->value->isCombine && facts.of(assign->value).kind == Fullness::Full;
      else if (const auto *receive = llvm::dyn_cast<TransferStmt>(stmt.get()))
        writes = !receive->isSend && !receive->peer->mayBeNone;
      if (!writes)
        continue;
      visitSlices(*stmt, [&](const Slice &slice, bool isWrite) {
        const Expr *count = slice.buffer->count;
        if (!isWrite || !isBlock(slice, loop.variable) || !count)
          return;
        Fullness &at = state[slice.buffer->index];
        if (isAscending && sameExpr(count, loop.hi))
          at = Fullness{Fullness::Full};
        // An array of p blocks has one block per rank.
        if (!isAscending && count->op == Op::Variable && count->variable == Schedule::variableP && at.kind == Fullness::Unknown) {
          at.hasOthersBlocks = true;
          at = complete(at);
        }
      });
    }
  }

  void transfer(const TransferStmt &transfer) {
    if (transfer.isSend || !transfer.message)
      return;
    Fullness written{Fullness::Full};
    if (transfer.peer->mayBeNone)
      written = Fullness{Fullness::Conditional, Fullness::PeerExists, transfer.peer};
    write(*transfer.message, written, true);
  }

  void assign(const AssignStmt &assign) {
    llvm::SmallVector<const DataExpr *, 4> operands;
    operandsOf(*assign.value, operands);
    Fullness result{Fullness::Empty};
    for (const DataExpr *operand : operands) {
      Fullness now = state[operand->slice.buffer->index];
      facts.operands[operand] = now;
      if (now.kind == Fullness::Full || result.kind == Fullness::Full)
        result = Fullness{Fullness::Full};
      else if (result.kind == Fullness::Empty)
        result = now;
      else if (now.kind != Fullness::Empty && !(now == result))
        result = Fullness{Fullness::Unknown};
    }
    write(assign.target, result, false);
  }

  /// Operands of kind Unknown need a flag if they are combined, or copied to a flagged buffer.
  void findFlagged() {
    auto needsFlag = [&](const DataExpr *operand) { return facts.of(operand).kind == Fullness::Unknown; };
    for (bool changed = true; changed;) {
      changed = false;
      visitStmts(schedule.body, [&](const Stmt &stmt) {
        if (const auto *use = llvm::dyn_cast<UseStmt>(&stmt)) {
          changed |= passFlags(*use);
          return;
        }
        const auto *assign = llvm::dyn_cast<AssignStmt>(&stmt);
        // A copy of something empty is empty, which matters only if the target has a flag.
        if (!assign || (!assign->value->isCombine && !facts.flagged.contains(assign->target.buffer)))
          return;
        llvm::SmallVector<const DataExpr *, 4> operands;
        operandsOf(*assign->value, operands);
        for (const DataExpr *operand : operands)
          if (needsFlag(operand) && facts.flagged.insert(operand->slice.buffer).second)
            changed = true;
      });
    }
  }

  /// Whether an operand of several blocks (or packets) may be there in part, so that flags do not suffice.
  bool mayBePartlyThere() {
    bool result = false;
    for (const Buffer *buffer : facts.flagged)
      result |= buffer->isArray && buffer->parts;
    visitOperands(schedule.body, [&](const AssignStmt &, const DataExpr &operand) {
      const Buffer &buffer = *operand.slice.buffer;
      const Index &index = buffer.isArray ? operand.slice.blocks : operand.slice.packets;
      result |= facts.flagged.contains(&buffer) && facts.of(&operand).kind == Fullness::Unknown && (buffer.isArray || buffer.parts) &&
                index.kind != IndexKind::Point;
    });
    return result;
  }

  /// Decides for which parameters of a used schedule flags are passed; true if the decision has changed.
  bool passFlags(const UseStmt &use) {
    const UseFacts &known = uses.find(&use)->second;
    FlaggedParameters parameters = known.unusual;
    bool isAsked = false;
    for (size_t i = 0; i < use.outputs.size(); ++i)
      if (!known.certain[i] && facts.flagged.contains(use.outputs[i].buffer))
        isAsked = parameters[use.inputs.size() + i] = true;
    if (!isAsked && !matters(*use.callee, parameters))
      return false;
    FlaggedParameters &passed = facts.uses[&use];
    if (passed == parameters)
      return false;
    passed = parameters;
    for (size_t i = 0; i < parameters.size(); ++i)
      if (parameters[i])
        facts.flagged.insert((i < use.inputs.size() ? use.inputs[i] : use.outputs[i - use.inputs.size()]).buffer);
    return true;
  }

  /// What is known about the parameters of a used schedule.
  struct UseFacts {
    FlaggedParameters unusual; // inputs that may be empty, outputs that may not, when it begins
    std::vector<bool> certain; // outputs that are there when it ends, on the ranks that have them
  };

  const Schedule &schedule;
  const FlaggedParameters &flaggedParameters;
  FullnessAnalysis &others;
  State state;
  llvm::DenseMap<const UseStmt *, UseFacts> uses;
  FullnessFacts facts;
};

} // namespace

const FullnessFacts &FullnessAnalysis::of(const Schedule &schedule, FlaggedParameters flagged) {
  if (isNone(flagged))
    flagged.clear();
  const std::pair key(&schedule, std::move(flagged));
  auto found = known.find(key);
  if (found == known.end())
    found = known.emplace(key, std::make_unique<FullnessFacts>(ScheduleAnalysis(schedule, key.second, *this).run())).first;
  return *found->second;
}

} // namespace quadrille::compiler::emit
