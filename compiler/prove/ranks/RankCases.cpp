//===- RankCases.cpp - What ranks do in small cases, message by message ---------------------------------------------===//

#include "RankOperations.h"

#include "arithmetic/Integers.h"
#include "check/Check.h"
#include "limits/Limits.h"
#include "prove/guess/Trace.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

namespace quadrille::compiler::prove {

/// One side of a message: an op of a rank in one iteration.
struct RankOperations::Side {
  unsigned op;
  std::vector<std::int64_t> values;
  std::vector<std::int64_t> time; // places and iterations, outermost first: orders the sides of a rank
  std::int64_t peer = 0;
  std::optional<unsigned> message = std::nullopt;
};

/// Evaluates the ops of one rank after another in a small case.
class RankOperations::CaseWalk {
public:
  CaseWalk(RankOperations &program, const Case &instance, std::int64_t map) : program(program) {
    values[program.pool.variable("p")] = instance.p;
    values[program.pool.variable("map'")] = map;
    for (size_t i = 0; i < program.numbers.size(); ++i)
      values[program.numbers[i]] = instance.numbers[i];
  }

  std::int64_t origin() {
    if (!program.originTerm)
      return 0;
    if (auto origin = evaluate(program.originTerm))
      return *origin;
    throw NotModelled{Gap::UnknownOrigin, program.schedule.nameRange};
  }

  /// The sends and receives of a rank, in the order of its program.
  std::vector<Side> sidesOf(std::int64_t rank) {
    values[program.pool.variable("me")] = rank;
    std::vector<Side> sides;
    for (unsigned number = 0; number < program.ops.size(); ++number) {
      Side side{number, {}, {}};
      iterate(program.ops[number], 0, side, sides);
      for (const RankLoop &loop : program.ops[number].loops)
        values.erase(loop.variable);
    }
    llvm::stable_sort(sides, [](const Side &a, const Side &b) { return a.time < b.time; });
    return sides;
  }

private:
  std::optional<std::int64_t> evaluate(Term term) {
    auto valueOf = [&](Term variable) -> std::optional<std::int64_t> {
      auto found = values.find(variable);
      return found == values.end() ? std::nullopt : std::optional(found->second);
    };
    return program.defined.evaluate(term, valueOf, program.cache);
  }

  /// Goes through all iterations of the op's loops from number `depth` on; `side` holds the iteration of the loops around them.
  void iterate(const RankOp &op, size_t depth, Side &side, std::vector<Side> &sides) {
    if (depth == op.loops.size()) {
      if (evaluate(op.guard) != 1)
        return;
      if (auto peer = evaluate(op.peer)) {
        Side &whole = sides.emplace_back(side);
        whole.time.push_back(op.place);
        whole.peer = *peer;
      }
      return;
    }
    const RankLoop &loop = op.loops[depth];
    auto lo = evaluate(loop.lo), hi = evaluate(loop.hi);
    if (!lo || !hi || *hi - *lo > limits::messageLoop)
      return;
    for (std::int64_t value = *lo; value < *hi; ++value) {
      values[loop.variable] = value;
      if (evaluate(loop.condition) != 1)
        continue;
      side.values.push_back(value);
      side.time.push_back(loop.place);
      side.time.push_back(loop.descending ? -value : value);
      iterate(op, depth + 1, side, sides);
      side.values.pop_back();
      side.time.resize(side.time.size() - 2);
    }
  }

  RankOperations &program;
  llvm::DenseMap<Term, std::int64_t> values;
};

/// Makes messages: the n-th send from one rank to another meets the n-th receive.
void RankOperations::pairUp(std::vector<std::vector<Side>> &sides) {
  std::map<std::pair<std::int64_t, std::int64_t>, std::vector<Side *>> sent, received; // by source and destination
  for (size_t i = 0; i < sides.size(); ++i) {
    const auto rank = static_cast<std::int64_t>(i);
    for (Side &side : sides[i])
      if (ops[side.op].isSend())
        sent[{rank, side.peer}].push_back(&side);
      else
        received[{side.peer, rank}].push_back(&side);
  }
  for (auto &[channel, sends] : sent)
    for (auto [send, recv] : llvm::zip(sends, received[channel])) {
      send->message = recv->message = static_cast<unsigned>(messages.size());
      messages.push_back({static_cast<unsigned>(cases.size()), send->op, recv->op, channel.first, channel.second, send->values,
                          recv->values});
    }
}

/// The cases to run, small enough to record every message.
static std::vector<Case> casesOf(const ir::Schedule &schedule) {
  std::vector<Case> instances = traceCases(schedule);
  llvm::erase_if(instances, [](const Case &c) { return c.p > limits::messageRanks; });
  while (instances.size() > limits::messageCases) { // drop every other one of the larger cases
    size_t count = 0;
    llvm::erase_if(instances, [&](const Case &c) { return c.p > 3 && count++ % 2; });
    if (count <= 1)
      break;
  }
  return instances;
}

void RankOperations::runSmallCases() {
  std::vector<Case> instances = casesOf(schedule);
  if (schedule.usesNodes)
    llvm::erase_if(instances, [](const Case &instance) { return instance.p > limits::messageRanksOnNodes; });
  runCases(instances, limits::messageMaps);
}

// Trees of so many ranks are so deep that formulas with half of a depth do not fit by chance.
void RankOperations::runLargerCases() {
  std::vector<Case> larger;
  for (std::int64_t p : {6, 7, 8, 9, 10, 11, 13, 16, 31})
    for (std::int64_t parameter : {1, 3}) {
      if (parameter > 1 && schedule.parameterCount == 0)
        continue;
      for (std::int64_t root = 0; root < p; ++root) {
        // Of few ranks each may be the root: what is on one side of it may be small in many ways.
        if (root > 0 && (!schedule.rootVariable() || (p > 13 && root != p / 2 && root != p - 1)))
          continue;
        Case instance{p, {}};
        for (unsigned i = 0; i < schedule.numberCount; ++i)
          instance.numbers.push_back(i < schedule.parameterCount ? parameter : root);
        if (isAdmitted(schedule, instance, cache))
          larger.push_back(std::move(instance));
      }
    }
  runCases(larger, 1);
}

/// The cases with maps to nodes, at most so many for each, and the numbers of the maps.
std::vector<std::pair<Case, std::int64_t>> RankOperations::onNodes(llvm::ArrayRef<Case> instances, std::size_t most) {
  std::vector<std::pair<Case, std::int64_t>> result;
  for (const Case &instance : instances) {
    bool areAll = true;
    const std::vector<Nodes> maps = schedule.usesNodes ? mapsToTry(instance.p, areAll) : std::vector<Nodes>{nullptr};
    const std::size_t step = (maps.size() + most - 1) / most; // those between are like their neighbours
    for (std::size_t map = 0; map < maps.size(); map += step) {
      result.push_back({instance, static_cast<std::int64_t>(map)});
      result.back().first.nodes = maps[map];
      if (schedule.usesNodes && !isAdmitted(schedule, result.back().first, cache))
        result.pop_back();
    }
  }
  return result;
}

void RankOperations::runCases(llvm::ArrayRef<Case> instances, std::size_t mapsOfCase) {
  for (const auto &[instance, map] : onNodes(instances, mapsOfCase)) {
    CaseWalk walk(*this, instance, map);
    SmallCase small{instance, map, walk.origin(), {}};
    std::vector<std::vector<Side>> sides;
    for (std::int64_t rank = 0; rank < instance.p; ++rank)
      sides.push_back(walk.sidesOf(rank));
    pairUp(sides);
    for (const std::vector<Side> &ofRank : sides) {
      auto &steps = small.steps.emplace_back();
      const Side *last = nullptr;
      for (const Side &side : ofRank) {
        if (!side.message)
          continue;
        if (!last || last->time != side.time)
          steps.emplace_back();
        steps.back().push_back(*side.message);
        last = &side;
      }
    }
    cases.push_back(std::move(small));
  }
}

std::int64_t RankOperations::machineRank(const SmallMessage &message, std::int64_t rank) const {
  const SmallCase &small = cases[message.smallCase];
  return arithmetic::floorMod(rank + small.origin, small.instance.p);
}

std::optional<std::int64_t> RankOperations::valueAt(const SmallMessage &message, bool ofSend, Term term,
                                                    std::pair<Term, std::int64_t> label) {
  const RankOp &op = ops[ofSend ? message.send : message.recv];
  const std::vector<std::int64_t> &values = ofSend ? message.sendValues : message.recvValues;
  const Case &instance = cases[message.smallCase].instance;
  auto valueOf = [&](Term variable) -> std::optional<std::int64_t> {
    if (variable == pool.variable("p"))
      return instance.p;
    if (variable == pool.variable("map'"))
      return cases[message.smallCase].map;
    if (variable == pool.variable("me"))
      return ofSend ? message.source : message.destination;
    for (size_t i = 0; i < numbers.size(); ++i)
      if (variable == numbers[i])
        return instance.numbers[i];
    for (size_t i = 0; i < op.loops.size(); ++i)
      if (variable == op.loops[i].variable)
        return values[i];
    for (const Largest &largest : maxima)
      if (variable == largest.most || variable == largest.where)
        return this->valueOf(largest, variable == largest.where, message);
    return label.first && variable == label.first ? std::optional(label.second) : std::nullopt;
  };
  return defined.evaluate(term, valueOf, cache);
}

/// The maximum in the small case of a message, or (`where`) the first index at which it is reached. Nothing if it has no value, or if there
/// are many.
std::optional<std::int64_t> RankOperations::valueOf(const Largest &largest, bool where, const SmallMessage &message) {
  const auto [known, isNew] = largestIn.try_emplace({message.smallCase, (where ? largest.where : largest.most)->name});
  if (!isNew)
    return known->second;
  constexpr std::int64_t many = 1000;
  const Case &instance = cases[message.smallCase].instance;
  std::int64_t index = 0;
  const auto valueOfVariable = [&](Term variable) -> std::optional<std::int64_t> {
    if (variable == pool.variable("p"))
      return instance.p;
    if (variable == pool.variable("map'"))
      return cases[message.smallCase].map;
    for (auto [number, value] : llvm::zip(numbers, instance.numbers))
      if (variable == number)
        return value;
    return variable == largest.index ? std::optional(index) : std::nullopt;
  };
  const std::optional<std::int64_t> count = defined.evaluate(largest.count, valueOfVariable, cache);
  std::optional<std::pair<std::int64_t, std::int64_t>> most; // and where
  for (; count && *count <= many && index < *count; ++index) {
    const std::optional<std::int64_t> value = defined.evaluate(largest.each, valueOfVariable, cache);
    if (!value)
      return std::nullopt;
    if (!most || *value > most->first)
      most = {*value, index};
  }
  if (most)
    known->second = where ? most->second : most->first;
  return known->second;
}

} // namespace quadrille::compiler::prove
