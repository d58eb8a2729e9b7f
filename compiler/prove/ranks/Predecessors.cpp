//===- Predecessors.cpp - What messages wait for ------------------------------------------------------------------------------===//

#include "Timetables.h"

#include "llvm/ADT/STLExtras.h"

#include <set>

namespace quadrille::compiler::prove {

namespace {

/// Calls visit(values) with each choice of one formula for each of `count` loops, until it returns false.
void forEachChoice(llvm::ArrayRef<Term> formulas, size_t count, std::vector<Term> &values,
                   llvm::function_ref<void(llvm::ArrayRef<Term>)> visit) {
  if (values.size() == count)
    return visit(values);
  for (Term formula : formulas) {
    values.push_back(formula);
    forEachChoice(formulas, count, values, visit);
    values.pop_back();
  }
}

/// Chooses among candidates, each of which covers some items, so that all items are covered: again and again the one that covers most
/// of what is left. Nothing if that does not end.
template <typename Candidate>
std::optional<std::vector<Candidate>> cover(std::vector<std::pair<Candidate, std::set<unsigned>>> candidates, std::set<unsigned> left) {
  std::vector<Candidate> chosen;
  while (!left.empty()) {
    size_t best = 0, most = 0;
    for (size_t i = 0; i < candidates.size(); ++i) {
      const size_t covered = static_cast<size_t>(llvm::count_if(candidates[i].second, [&](unsigned item) { return left.count(item); }));
      if (covered > most) {
        best = i;
        most = covered;
      }
    }
    if (!most)
      return std::nullopt;
    chosen.push_back(candidates[best].first);
    for (unsigned item : candidates[best].second)
      left.erase(item);
  }
  return chosen;
}

/// Whether formulas have these values at a message, in the symbols of its send.
bool have(RankOperations &program, const SmallMessage &at, llvm::ArrayRef<Term> formulas, llvm::ArrayRef<std::int64_t> values) {
  for (auto [formula, value] : llvm::zip_equal(formulas, values))
    if (program.valueAt(at, true, formula) != value)
      return false;
  return true;
}

} // namespace

std::optional<std::vector<Predecessor>> findPredecessors(RankOperations &program, unsigned send, llvm::ArrayRef<Term> times) {
  const RankOp &op = program.ops[send];
  const std::vector<Term> formulas = program.vocabulary(op);
  std::vector<std::optional<std::int64_t>> time;
  for (const SmallMessage &message : program.messages)
    time.push_back(program.valueAt(message, true, times[message.send]));
  // The messages of the step before that of a message, on one of its ranks.
  auto stepBefore = [&](const SmallMessage &message, unsigned number, std::int64_t rank) -> llvm::ArrayRef<unsigned> {
    const auto &steps = program.cases[message.smallCase].steps[static_cast<size_t>(rank)];
    for (size_t i = 1; i < steps.size(); ++i)
      if (llvm::is_contained(steps[i], number))
        return steps[i - 1];
    return {};
  };
  std::set<unsigned> waiting;
  struct Possible {
    unsigned message, before;
    bool isOfSender;
  };
  std::vector<Possible> possible;
  for (unsigned number = 0; number < program.messages.size(); ++number) {
    const SmallMessage &message = program.messages[number];
    if (message.send != send || !time[number] || *time[number] == 0)
      continue;
    waiting.insert(number);
    for (bool isOfSender : {true, false})
      for (unsigned before : stepBefore(message, number, isOfSender ? message.source : message.destination))
        if (time[before] && *time[before] == *time[number] - 1)
          possible.push_back({number, before, isOfSender});
  }
  // Of every kind of predecessor - whose it is, and by which op - all choices of iterations.
  std::vector<std::pair<Predecessor, std::set<unsigned>>> candidates;
  std::set<std::tuple<bool, unsigned, unsigned>> known;
  auto opOf = [&](const Possible &p) {
    const SmallMessage &before = program.messages[p.before], &message = program.messages[p.message];
    const std::int64_t rank = p.isOfSender ? message.source : message.destination;
    return before.source == rank ? before.send : before.recv;
  };
  auto valuesOf = [&](const Possible &p) -> const std::vector<std::int64_t> & {
    const SmallMessage &before = program.messages[p.before];
    return program.ops[opOf(p)].isSend() ? before.sendValues : before.recvValues;
  };
  for (const Possible &kind : possible) {
    const unsigned receive = kind.isOfSender ? 0 : program.messages[kind.message].recv, other = opOf(kind);
    if (!known.insert({kind.isOfSender, receive, other}).second)
      continue;
    Predecessor candidate;
    if (!kind.isOfSender)
      for (unsigned pair = 0; pair < program.partners[send].size(); ++pair)
        if (program.partners[send][pair].op == receive)
          candidate.pair = pair;
    candidate.message = {other, kind.isOfSender ? Term() : op.peer, {}};
    std::vector<Term> values;
    forEachChoice(formulas, program.ops[other].loops.size(), values, [&](llvm::ArrayRef<Term> choice) {
      std::set<unsigned> covered;
      for (const Possible &p : possible)
        if (p.isOfSender == kind.isOfSender && opOf(p) == other &&
            (p.isOfSender || program.messages[p.message].recv == receive) &&
            have(program, program.messages[p.message], choice, valuesOf(p)))
          covered.insert(p.message);
      if (covered.empty())
        return;
      candidate.message.values = choice.vec();
      candidates.push_back({candidate, std::move(covered)});
    });
  }
  return cover(std::move(candidates), std::move(waiting));
}

std::optional<std::vector<RankMessage>> findLast(RankOperations &program, TermPool &pool, llvm::ArrayRef<Term> times, Term rounds) {
  const Term p = pool.variable("p"), one = pool.integer(1);
  std::vector<Term> formulas{pool.integer(0), one, pool.subtract(p, one), pool.subtract(p, pool.integer(2))};
  for (Term number : program.numbers) {
    formulas.push_back(number);
    formulas.push_back(pool.subtract(number, one));
  }
  std::vector<std::pair<RankMessage, std::set<unsigned>>> candidates; // the cases in which it is a message of the last round
  std::set<unsigned> cases;
  for (unsigned number = 0; number < program.ops.size(); ++number) {
    const RankOp &op = program.ops[number];
    if (!op.isSend())
      continue;
    std::vector<const SmallMessage *> last;
    for (const SmallMessage &message : program.messages) {
      cases.insert(message.smallCase);
      const std::optional<std::int64_t> time = program.valueAt(message, true, times[message.send]);
      if (message.send == number && time && program.valueAt(message, true, pool.subtract(rounds, one)) == time)
        last.push_back(&message);
    }
    std::vector<Term> values;
    if (!last.empty())
      forEachChoice(formulas, op.loops.size() + 1, values, [&](llvm::ArrayRef<Term> choice) {
        const Term rank = op.origin ? pool.modulo(pool.add(choice[0], op.origin), p) : choice[0];
        std::set<unsigned> covered;
        for (const SmallMessage *message : last)
          if (program.valueAt(*message, true, rank) == message->source && have(program, *message, choice.drop_front(), message->sendValues))
            covered.insert(message->smallCase);
        if (!covered.empty())
          candidates.push_back({RankMessage{number, rank, choice.drop_front().vec()}, std::move(covered)});
      });
  }
  return cover(std::move(candidates), std::move(cases));
}

} // namespace quadrille::compiler::prove
