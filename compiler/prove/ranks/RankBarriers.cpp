//===- RankBarriers.cpp - Who has heard of whom, where ranks go through different steps --------------------------------------===//
//
// One rank, the hub, hears of all others before it tells all others. Two kinds of chains of messages show it.
//
//   up    Every other rank makes a send that is an "up" one. The partner of such a send is the hub, or it makes an up send itself, in a
//         step after that of the receive, and has a smaller measure. So by induction on the measure whoever receives an up message
//         from a rank is on a chain that leads from this rank to the hub.
//   down  Every other rank makes a receive that is a "down" one. The partner of such a receive is the hub, whose send comes in a step after
//         all receives of up messages, or it makes a down receive itself, in a step before that of the send, and has a smaller measure.
//
// So a chain leads from any rank up to the hub, and from there down to any rank; in each rank on its way it leaves by a later step than
// that by which it came. There are finitely many ranks, so that measures need no least value.
//
//===----------------------------------------------------------------------------------------------------------------===//

#include "RankExecution.h"

#include "limits/Limits.h"
#include "prove/definitions/SamplePoints.h"

#include "llvm/ADT/STLExtras.h"

namespace quadrille::compiler::prove {

/// The argument with one choice of hub, messages and measures; obligations are added to the execution.
class RankExecution::Hearing {
public:
  using Measure = std::function<Term(Term rank)>;
  /// A transfer of the generic rank, in one iteration of the loops around it, a formula in `me`.
  struct Event {
    unsigned op;
    std::vector<Term> values;
  };

  Hearing(RankExecution &execution, Term hub, llvm::SMRange range)
      : execution(execution), pool(execution.pool), program(execution.program), me(execution.names.me), hub(hub), range(range) {}

  /// Adds the obligations on chains that lead up to the hub.
  void requireUp(llvm::ArrayRef<Event> up, const Measure &measure) {
    const Term isOther = pool.notEqual(me, hub);
    add("the hub is a rank", pool.truth(true), pool.inRange(pool.integer(0), hub, execution.names.p));
    add("every other rank sends a message up", isOther, pool.disjunction(madeOf(up)));
    for (const Event &event : up)
      for (const RankPair &pair : program.partners[event.op]) {
        const Term peer = peerOf(event);
        llvm::SmallVector<Term, 4> goesOn;
        for (const Event &next : up)
          goesOn.push_back(pool.both(of(peer, made(next)), program.comesBefore(program.ops[pair.op], valuesOf(pair, event),
                                                                              program.ops[next.op], iterationOf(next, peer))));
        add("a message that goes up comes to the hub, or to a rank that sends one later", pool.both(isOther, arrives(event, pair)),
            pool.either(pool.equal(peer, hub), pool.both(pool.less(measure(peer), measure(me)), pool.disjunction(goesOn))));
      }
  }

  /// Adds the obligations on chains that lead down from the hub, after all up messages have come.
  void requireDown(llvm::ArrayRef<Event> up, llvm::ArrayRef<Event> down, const Measure &measure) {
    const Term isOther = pool.notEqual(me, hub), from = pool.variable("from'");
    add("every other rank receives a message from above", isOther, pool.disjunction(madeOf(down)));
    for (const Event &event : down)
      for (const RankPair &pair : program.partners[event.op]) {
        const Term peer = peerOf(event), arrived = pool.both(isOther, arrives(event, pair));
        const RankOp &send = program.ops[pair.op];
        llvm::SmallVector<Term, 4> cameFrom;
        for (const Event &before : down)
          cameFrom.push_back(pool.both(of(peer, made(before)), program.comesBefore(program.ops[before.op], iterationOf(before, peer), send,
                                                                                   valuesOf(pair, event))));
        add("a message from above is the hub's, or of a rank that has received one before", pool.both(arrived, pool.notEqual(peer, hub)),
            pool.both(pool.less(measure(peer), measure(me)), pool.disjunction(cameFrom)));
        for (const Event &last : up)
          for (const RankPair &end : program.partners[last.op]) {
            const Term comes = pool.conjunction({pool.inRange(pool.integer(0), from, execution.names.p), pool.notEqual(from, hub),
                                                 of(from, pool.both(arrives(last, end), pool.equal(peerOf(last), hub)))});
            std::vector<Term> values;
            for (Term value : valuesOf(end, last))
              values.push_back(of(from, value));
            add("the hub has heard of all before it tells anyone", pool.conjunction({arrived, pool.equal(peer, hub), comes}),
                program.comesBefore(program.ops[end.op], values, send, valuesOf(pair, event)));
          }
      }
  }

private:
  void add(const char *name, Term guard, Term goal) { execution.require(Claim::Result, name, range, guard, goal); }

  /// A formula about the generic rank, said of another one.
  Term of(Term rank, Term formula) const {
    TermPool::Substitution by;
    by[me.get()] = rank;
    return pool.substitute(formula, by);
  }
  Term at(const Event &event, Term formula) const { return program.at(program.ops[event.op], formula, me, event.values); }
  Term peerOf(const Event &event) const { return at(event, program.ops[event.op].peer); }
  Term made(const Event &event) const {
    const RankOp &op = program.ops[event.op];
    return at(event, pool.both(program.isReached(op), op.guard));
  }
  std::vector<Term> madeOf(llvm::ArrayRef<Event> events) const {
    std::vector<Term> result;
    for (const Event &event : events)
      result.push_back(made(event));
    return result;
  }
  /// The condition that the event takes place and that its other side is `pair`, at the same time.
  Term arrives(const Event &event, const RankPair &pair) const {
    return pool.both(made(event), at(event, execution.meetsInTime(event.op, pair, execution.clocks)));
  }
  std::vector<Term> valuesOf(const RankPair &pair, const Event &event) const {
    std::vector<Term> result;
    for (Term value : pair.values)
      result.push_back(at(event, value));
    return result;
  }
  std::vector<Term> iterationOf(const Event &event, Term rank) const {
    std::vector<Term> result;
    for (Term value : event.values)
      result.push_back(of(rank, value));
    return result;
  }

  RankExecution &execution;
  TermPool &pool;
  RankOperations &program;
  const Term me, hub;
  const llvm::SMRange range;
};

void RankExecution::requireHeard(llvm::SMRange range) {
  using Event = Hearing::Event;
  const Term zero = pool.integer(0), one = pool.integer(1);
  // The iteration of an op in a single loop by the binary digits of the rank, as a binomial tree has it, if small cases agree.
  auto byDigits = [&](unsigned number) -> Term {
    const RankOp &op = program.ops[number];
    if (op.loops.size() != 1)
      return {};
    for (Term digit : {defined.trailingZeros(names.me), pool.floorLog2(names.me)})
      if (llvm::all_of(program.messages, [&](const SmallMessage &message) {
            const bool isSend = message.send == number;
            return (!isSend && message.recv != number) ||
                   program.valueAt(message, isSend, digit) == (isSend ? message.sendValues : message.recvValues)[0];
          }))
        return digit;
    return {};
  };
  // Sets of one or two events of sends, or of receives: in the first or in the last iteration of the loops around them, or in that which
  // digits of the rank tell.
  auto eventsOf = [&](bool ofSends) {
    std::vector<Event> events;
    for (unsigned number = 0; number < program.ops.size(); ++number) {
      const RankOp &op = program.ops[number];
      if (op.isSend() != ofSends)
        continue;
      Event first{number, {}}, last{number, {}};
      for (const RankLoop &loop : op.loops) {
        first.values.push_back(loop.lo);
        last.values.push_back(pool.subtract(loop.hi, one));
      }
      events.push_back(first);
      if (!op.loops.empty())
        events.push_back(last);
      if (Term digit = byDigits(number))
        events.push_back({number, {digit}});
    }
    std::vector<std::vector<Event>> sets;
    for (const Event &event : events)
      sets.push_back({event});
    for (size_t i = 0; i < events.size(); ++i)
      for (size_t j = i + 1; j < events.size(); ++j)
        sets.push_back({events[i], events[j]});
    return sets;
  };
  std::vector<Hearing::Measure> measures{[&](Term rank) { return rank; }, [&](Term rank) { return pool.scale(-1, rank); }};
  for (const DefinedTerms::Measure &measure : defined.measures())
    if (!measure.isRank)
      measures.push_back(measure.of);
  unsigned tried = 0;
  // Keeps the obligations that `state` adds if all of them are proved. Sample points refute most of the wrong ones.
  auto holds = [&](llvm::function_ref<void()> state) {
    const Progress before = progress();
    state();
    bool all = ++tried <= limits::clocks * limits::clocks;
    for (const Obligation &obligation : found.since(before.found.size()))
      all = all && !SamplePoints(defined, pool, obligation.hypotheses, limits::pairingSamples).refute(obligation.goal);
    for (const Obligation &obligation : found.since(before.found.size()))
      all = all && oracle.isProved(obligation);
    if (!all)
      takeBack(before);
    return all;
  };
  const std::vector<std::vector<Event>> sends = eventsOf(true), receives = eventsOf(false);
  for (Term hub : {zero, pool.subtract(names.p, one)}) {
    Hearing hearing(*this, hub, range);
    for (const std::vector<Event> &up : sends)
      for (const Hearing::Measure &measureUp : measures) {
        const Progress before = progress();
        if (!holds([&] { hearing.requireUp(up, measureUp); }))
          continue;
        for (const std::vector<Event> &down : receives)
          for (const Hearing::Measure &measureDown : measures)
            if (holds([&] { hearing.requireDown(up, down, measureDown); }))
              return;
        takeBack(before);
      }
  }
  throw NotModelled{Gap::HeardByRank, schedule.nameRange};
}

} // namespace quadrille::compiler::prove
