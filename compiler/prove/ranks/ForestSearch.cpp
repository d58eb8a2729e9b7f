//===- ForestSearch.cpp - The forest in which ranks hand on what they have got ----------------------------------------------===//

#include "ForestSearch.h"

#include "limits/Limits.h"
#include "prove/definitions/FormulaFit.h"

namespace quadrille::compiler::prove {

namespace {

class ForestSearch {
public:
  ForestSearch(RankOperations &program, const ir::Schedule &schedule, TermPool &pool, DefinedTerms &defined, llvm::ArrayRef<std::vector<MessageSlot>> rows)
      : program(program), schedule(schedule), pool(pool), defined(defined), rows(rows) {}

  std::optional<ForestGuess> run() {
    if (llvm::any_of(rows, [](const std::vector<MessageSlot> &ofOp) { return llvm::any_of(ofOp, [](const MessageSlot &row) { return !row.held.known; }); }))
      return std::nullopt;
    llvm::SmallVector<unsigned, 4> upwards;
    for (unsigned op = 0; op < program.ops.size(); ++op)
      if (handsOn(program.ops[op], rows[op]))
        upwards.push_back(op);
    if (upwards.empty() || !areBelow(upwards))
      return std::nullopt;
    Term sends = pool.truth(false), next = pool.integer(-1);
    for (unsigned op : llvm::reverse(upwards)) {
      const RankOp &send = program.ops[op];
      for (Term variable : variablesOf({send.guard, send.peer})) // of a loop: the rank would hand on more than once
        if (llvm::any_of(send.loops, [&](const RankLoop &loop) { return loop.variable == variable; }))
          return std::nullopt;
      sends = pool.either(send.guard, sends);
      next = next == pool.integer(-1) ? send.peer : pool.select(send.guard, send.peer, next);
    }
    return ForestGuess{Forest(pool, sends, next), measuresOf(upwards)};
  }

private:
  /// Whether each of these messages holds what the ranks have whose messages lead to its sender, by way of these messages.
  bool areBelow(llvm::ArrayRef<unsigned> upwards) const {
    std::vector<std::map<std::int64_t, std::int64_t>> next(program.cases.size());
    for (const SmallMessage &message : program.messages)
      if (llvm::is_contained(upwards, message.send)) {
        const auto [to, isNew] = next[message.smallCase].try_emplace(message.source, message.destination);
        if (to->second != message.destination)
          return false;
      }
    for (unsigned op : upwards)
      for (const MessageSlot &row : rows[op]) {
        const std::int64_t ranks = program.cases[row.message->smallCase].instance.p;
        const std::map<std::int64_t, std::int64_t> &chain = next[row.message->smallCase];
        const auto leadsToSender = [&](std::int64_t rank) {
          for (std::int64_t steps = 0; steps <= ranks; ++steps) {
            if (rank == row.message->source)
              return true;
            const auto to = chain.find(rank);
            if (to == chain.end())
              return false;
            rank = to->second;
          }
          return false;
        };
        for (std::int64_t rank = 0; rank < ranks; ++rank)
          if (row.held.ranks[static_cast<size_t>(nameOf(*row.message, rank))] != leadsToSender(rank))
            return false;
      }
    return true;
  }

  /// By which number contents name a rank.
  std::int64_t nameOf(const SmallMessage &message, std::int64_t rank) const {
    return schedule.usesOperator ? program.machineRank(message, rank) : rank;
  }

  /// Formulas in the rank that get smaller from each sender to its receiver, in small cases.
  std::vector<Term> measuresOf(llvm::ArrayRef<unsigned> upwards) {
    const Term me = pool.variable("me");
    std::vector<Term> tried;
    const auto add = [&](Term term) {
      for (Term either : {term, pool.scale(-1, term)})
        if (!llvm::is_contained(tried, either))
          tried.push_back(either);
    };
    add(me);
    for (Term from : program.countedFrom())
      add(pool.modulo(pool.subtract(me, from), pool.variable("p")));
    for (const DefinedTerms::Measure &depth : defined.measures())
      if (!depth.isRank)
        add(depth.of(me));
    std::vector<Term> text;
    for (unsigned op : upwards)
      text.insert(text.end(), {program.ops[op].guard, program.ops[op].peer});
    const std::vector<Term> parts = partsOf(text);
    const auto isOfRank = [&](Term part) { return llvm::is_contained(variablesOf({part}), me); };
    for (Term part : parts)
      if (isOfRank(part))
        add(part);
    for (Term part : parts) // how far it is to a number that is the same on all ranks
      for (Term goal : parts)
        if (isOfRank(part) && !isOfRank(goal))
          add(pool.maximum(pool.subtract(part, goal), pool.subtract(goal, part)));
    std::vector<Term> result;
    for (Term measure : tried) {
      const auto falls = [&](const MessageSlot &row) {
        TermPool::Substitution by;
        by[me.get()] = program.ops[row.message->send].peer;
        return program.valueAt(*row.message, true, pool.subtract(measure, pool.substitute(measure, by)), row.label).value_or(0) > 0;
      };
      if (result.size() < limits::forestMeasures && llvm::all_of(upwards, [&](unsigned op) { return llvm::all_of(rows[op], falls); }))
        result.push_back(measure);
    }
    return result;
  }

  RankOperations &program;
  const ir::Schedule &schedule;
  TermPool &pool;
  DefinedTerms &defined;
  const llvm::ArrayRef<std::vector<MessageSlot>> rows; // per op
};

} // namespace

bool handsOn(const RankOp &op, llvm::ArrayRef<MessageSlot> contents) {
  return op.isSend() && op.stmt->message && !contents.empty() && !llvm::all_of(contents, [](const MessageSlot &slot) { return slot.held.isOfAll(); });
}

std::optional<ForestGuess> findForest(RankOperations &program, const ir::Schedule &schedule, TermPool &pool, DefinedTerms &defined,
                                      llvm::ArrayRef<std::vector<MessageSlot>> rows) {
  return ForestSearch(program, schedule, pool, defined, rows).run();
}

} // namespace quadrille::compiler::prove
