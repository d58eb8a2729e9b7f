//===- ChainLinks.cpp - What messages wait for, and what waits for them -----------------------------------------------------------===//
//
// The searches are greedy. They take an item, a message or a small case, that is not explained yet. The formulas that are right for it
// are candidates, of which they choose the one that explains most of the items that are left.
//
//===----------------------------------------------------------------------------------------------------------------===//

#include "Timetables.h"

#include "limits/Limits.h"

#include "llvm/ADT/STLExtras.h"

#include <functional>
#include <set>

namespace quadrille::compiler::prove {

namespace {

/// The ways to choose one formula for each of `values`, such that the formulas have these values at a message, in the symbols of its
/// send. Few more than `limits::predecessors` are returned.
std::vector<std::vector<Term>> choicesFor(RankOperations &program, const SmallMessage &at, llvm::ArrayRef<Term> formulas,
                                          llvm::ArrayRef<std::int64_t> values) {
  std::vector<std::vector<Term>> choices{{}};
  for (std::int64_t value : values) {
    std::vector<std::vector<Term>> longer;
    for (Term formula : formulas)
      if (program.valueAt(at, true, formula) == value)
        for (const std::vector<Term> &choice : choices) {
          longer.push_back(choice);
          longer.back().push_back(formula);
          if (longer.size() >= limits::predecessors.value())
            break;
        }
    choices = std::move(longer);
  }
  return choices;
}

bool have(RankOperations &program, const SmallMessage &at, llvm::ArrayRef<Term> formulas, llvm::ArrayRef<std::int64_t> values) {
  for (auto [formula, value] : llvm::zip_equal(formulas, values))
    if (program.valueAt(at, true, formula) != value)
      return false;
  return true;
}

/// Chooses candidates that together explain all items of `left`: `candidatesFor` returns those for an item, `covered` all items that a
/// candidate explains. Nothing if an item has no candidate that explains it.
template <typename Candidate>
std::optional<std::vector<Candidate>> explainAll(std::set<unsigned> left,
                                                 llvm::function_ref<std::vector<Candidate>(unsigned item)> candidatesFor,
                                                 llvm::function_ref<std::set<unsigned>(const Candidate &)> covered) {
  std::vector<Candidate> chosen;
  while (!left.empty()) {
    std::optional<Candidate> best;
    std::set<unsigned> most;
    for (Candidate &candidate : candidatesFor(*left.begin())) {
      std::set<unsigned> explained;
      for (unsigned item : covered(candidate))
        if (left.count(item))
          explained.insert(item);
      if (explained.size() > most.size()) {
        best = std::move(candidate);
        most = std::move(explained);
      }
    }
    if (!best)
      return std::nullopt;
    chosen.push_back(std::move(*best));
    for (unsigned item : most)
      left.erase(item);
  }
  return chosen;
}

} // namespace

std::optional<std::vector<ChainLink>> findLinks(RankOperations &program, TermPool &pool, unsigned send, llvm::ArrayRef<Term> times,
                                                llvm::ArrayRef<Term> critical, Term end, Direction direction) {
  const std::vector<RankPair> &partners = program.partners[send];
  std::vector<Term> formulas = program.vocabulary(program.ops[send]);
  const auto addBeside = [&](Term number) {
    for (std::int64_t offset : {0, 1, -1, 2, -2})
      if (const Term value = pool.add(number, pool.integer(offset)); !llvm::is_contained(formulas, value))
        formulas.push_back(value);
  };
  for (const RankPair &pair : partners) // the iterations before that in which it is received, and after it
    llvm::for_each(pair.values, addBeside);
  llvm::for_each(program.numbers, addBeside);
  std::vector<std::optional<std::int64_t>> time;
  for (const SmallMessage &message : program.messages) {
    const bool isCritical = program.valueAt(message, true, critical[message.send]).value_or(0);
    time.push_back(isCritical ? program.valueAt(message, true, times[message.send]) : std::nullopt);
  }
  // What a message of `send` may wait for: one that is a round earlier, in the step before on the sender or the receiver. Or what may wait for
  // it: a round later, in the step after.
  const bool isBack = direction == Direction::Back;
  struct Possible {
    unsigned message;
    std::optional<unsigned> pair; // as in ChainLink
    unsigned op;                  // of the other message: what the rank does in it, in the iteration `values`
    llvm::ArrayRef<std::int64_t> values;
  };
  std::vector<Possible> possible;
  std::set<unsigned> waiting;
  for (unsigned number = 0; number < program.messages.size(); ++number) {
    const SmallMessage &message = program.messages[number];
    if (message.send != send || !time[number] || program.valueAt(message, true, end) == time[number])
      continue;
    waiting.insert(number);
    for (bool ofSender : {true, false}) {
      const std::int64_t rank = ofSender ? message.source : message.destination;
      const auto &steps = program.cases[message.smallCase].steps[static_cast<size_t>(rank)];
      const auto here = llvm::find_if(steps, [&](const std::vector<unsigned> &step) { return llvm::is_contained(step, number); });
      if (here == steps.end() || here == (isBack ? steps.begin() : std::prev(steps.end())))
        continue;
      std::optional<unsigned> pair;
      if (!ofSender)
        pair = static_cast<unsigned>(llvm::find_if(partners, [&](const RankPair &p) { return p.op == message.recv; }) - partners.begin());
      for (unsigned beside : isBack ? *std::prev(here) : *std::next(here)) {
        const SmallMessage &other = program.messages[beside];
        const bool sent = other.source == rank;
        if (time[beside] && *time[beside] == *time[number] + (isBack ? -1 : 1))
          possible.push_back({number, pair, sent ? other.send : other.recv, sent ? other.sendValues : other.recvValues});
      }
    }
  }
  auto candidatesFor = [&](unsigned number) {
    std::vector<ChainLink> candidates;
    for (const Possible &p : possible)
      if (p.message == number)
        for (std::vector<Term> &values : choicesFor(program, program.messages[number], formulas, p.values))
          candidates.push_back({p.pair, {p.op, {}, std::move(values)}});
    return candidates;
  };
  auto covered = [&](const ChainLink &candidate) {
    std::set<unsigned> explained;
    for (const Possible &p : possible)
      if (p.pair == candidate.pair && p.op == candidate.message.op &&
          have(program, program.messages[p.message], candidate.message.values, p.values))
        explained.insert(p.message);
    return explained;
  };
  return explainAll<ChainLink>(std::move(waiting), candidatesFor, covered);
}

/// As `findEnds`, with these formulas for ranks, and for iterations.
static std::optional<std::vector<RankMessage>> findEndsBy(llvm::ArrayRef<Term> ranks, llvm::ArrayRef<Term> values, RankOperations &program, TermPool &pool,
                                                          llvm::ArrayRef<Term> times, llvm::ArrayRef<Term> critical, Term end) {
  const Term p = pool.variable("p");
  // What a rank counts as its own number, and back.
  auto rankOf = [&](const RankOp &op, Term own) { return op.origin ? pool.modulo(pool.add(own, op.origin), p) : own; };
  std::vector<const SmallMessage *> last; // all messages at the end
  std::set<unsigned> cases;
  for (const SmallMessage &message : program.messages) {
    cases.insert(message.smallCase);
    const std::optional<std::int64_t> time = program.valueAt(message, true, times[message.send]);
    const bool isCritical = program.valueAt(message, true, critical[message.send]).value_or(0);
    if (isCritical && time && program.valueAt(message, true, end) == time)
      last.push_back(&message);
  }
  // The rank at which a sum such as p + me is that of the end; null if the time of the op is no such sum.
  auto rankOfEnd = [&](unsigned op) {
    for (const Monomial &part : TermPool::monomialsOf(times[op]))
      if (part.atom == pool.variable("me") && std::abs(part.coefficient) == 1) {
        const Term rest = pool.subtract(times[op], pool.scale(part.coefficient, part.atom));
        return pool.scale(part.coefficient, pool.subtract(end, rest));
      }
    return Term();
  };
  // Whether the rank takes part in a message by this op.
  auto isAt = [&](const SmallMessage &message, unsigned op, Term rank) {
    return (message.send == op && program.valueAt(message, true, rank) == message.source) ||
           (message.recv == op && program.valueAt(message, false, rank) == message.destination);
  };
  auto candidatesFor = [&](unsigned number) {
    std::vector<RankMessage> candidates;
    for (const SmallMessage *message : last) {
      if (message->smallCase != number)
        continue;
      // The simplest formula of either rank comes first.
      for (size_t which = 0; which <= ranks.size(); ++which)
        for (bool ofSend : {true, false}) {
          const unsigned number = ofSend ? message->send : message->recv;
          const RankOp &op = program.ops[number];
          const Term own = which < ranks.size() ? ranks[which] : rankOfEnd(number);
          if (!own)
            continue;
          if (const Term rank = rankOf(op, own); isAt(*message, number, rank))
            for (std::vector<Term> &choice : choicesFor(program, *message, values, ofSend ? message->sendValues : message->recvValues))
              candidates.push_back({number, rank, std::move(choice)});
        }
    }
    return candidates;
  };
  auto covered = [&](const RankMessage &candidate) {
    std::set<unsigned> explained;
    for (const SmallMessage *message : last)
      if (isAt(*message, candidate.op, candidate.rank) &&
          have(program, *message, candidate.values, program.ops[candidate.op].isSend() ? message->sendValues : message->recvValues))
        explained.insert(message->smallCase);
    return explained;
  };
  return explainAll<RankMessage>(std::move(cases), candidatesFor, covered);
}

std::optional<std::vector<RankMessage>> findEnds(RankOperations &program, TermPool &pool, llvm::ArrayRef<Term> times,
                                                 llvm::ArrayRef<Term> critical, Term end) {
  const Term p = pool.variable("p"), zero = pool.integer(0), one = pool.integer(1), two = pool.integer(2);
  // Ranks at an end, and beside a number: of those in between less is known.
  std::vector<Term> ranks{zero, pool.subtract(p, one)}, values{zero, one, pool.subtract(p, one), pool.subtract(p, two)};
  for (const Largest &largest : program.maxima)
    ranks.push_back(largest.where);
  for (Term number : program.numbers) {
    for (Term offset : {zero, one})
      ranks.push_back(pool.subtract(number, offset));
    for (Term offset : {zero, one, two})
      values.push_back(pool.subtract(number, offset));
  }
  for (const Monomial &part : TermPool::monomialsOf(end)) // what the number of rounds is made of
    for (Term offset : {zero, one, two})
      if (const Term value = pool.subtract(part.atom, offset); !llvm::is_contained(values, value))
        values.push_back(value);
  if (auto found = findEndsBy(ranks, values, program, pool, times, critical, end))
    return found;
  return findEndsBy(values, values, program, pool, times, critical, end);
}

} // namespace quadrille::compiler::prove
