//===- RoundLengths.cpp - The search for how long the messages of each round are --------------------------------------------===//
//
// Small cases show in which round of a timetable each message is, and how long it is. Linear formulas in the round, p and the numbers
// of the schedule are tried; two of them if another one holds from some round on, as on a path that is walked up and then down.
//
//===----------------------------------------------------------------------------------------------------------------===//

#include "Timetables.h"

#include "limits/Limits.h"

#include "llvm/ADT/STLExtras.h"

#include <functional>
#include <map>

namespace quadrille::compiler::prove {

namespace {

/// A round of a small case: its number, the values of the other parts of a formula, and the length of its longest message.
struct Round {
  std::int64_t number = 0;
  std::vector<std::int64_t> values;
  std::int64_t length = 0;
};

class Search {
public:
  Search(TermPool &pool, std::vector<Term> parts) : pool(pool), parts(std::move(parts)), round(pool.variable("round")) {}

  std::optional<RoundLengths> find(llvm::ArrayRef<Round> rounds) {
    if (rounds.empty())
      return std::nullopt;
    if (Term all = fit(rounds, /*isPlace=*/false))
      return RoundLengths{round, all, all, pool.integer(0)};
    std::optional<RoundLengths> found;
    forEachForm(/*isPlace=*/true, [&](llvm::ArrayRef<std::int64_t> factors) {
      std::vector<Round> before, after;
      for (const Round &each : rounds)
        (each.number < valueOf(factors, each) ? before : after).push_back(each);
      if (before.empty() || after.empty())
        return false;
      const Term first = fit(before, false), second = first ? fit(after, false) : Term();
      if (second)
        found = RoundLengths{round, first, second, termOf(factors)};
      return found.has_value();
    });
    return found;
  }

private:
  static std::int64_t valueOf(llvm::ArrayRef<std::int64_t> factors, const Round &at) {
    std::int64_t value = factors[0] + factors[1] * at.number;
    for (size_t i = 0; i < at.values.size(); ++i)
      value += factors[i + 2] * at.values[i];
    return value;
  }

  Term termOf(llvm::ArrayRef<std::int64_t> factors) {
    Term result = pool.add(pool.integer(factors[0]), pool.scale(factors[1], round));
    for (size_t i = 0; i < parts.size(); ++i)
      result = pool.add(result, pool.scale(factors[i + 2], parts[i]));
    return result;
  }

  /// Calls `isDone` with the factors of 1, the round and the parts, simple ones first, until it returns true. `isPlace`: formulas that
  /// name a round, which do not contain the round itself.
  void forEachForm(bool isPlace, llvm::function_ref<bool(llvm::ArrayRef<std::int64_t>)> isDone) {
    static constexpr std::int64_t usual[] = {0, 1, -1, 2, -2};
    std::vector<std::int64_t> factors(parts.size() + 2);
    bool done = false;
    std::function<void(size_t)> choose = [&](size_t at) {
      if (at == 0) {
        for (std::int64_t constant : usual)
          if (factors[0] = constant; !done)
            done = isDone(factors);
        return;
      }
      for (std::int64_t factor : llvm::ArrayRef(usual).take_front(at == 1 && isPlace ? 1 : 5))
        if (factors[at] = factor; !done)
          choose(at - 1);
    };
    choose(parts.size() + 1);
  }

  Term fit(llvm::ArrayRef<Round> rounds, bool isPlace) {
    Term found;
    forEachForm(isPlace, [&](llvm::ArrayRef<std::int64_t> factors) {
      if (llvm::any_of(rounds, [&](const Round &each) { return valueOf(factors, each) != each.length; }))
        return false;
      found = termOf(factors);
      return true;
    });
    return found;
  }

  TermPool &pool;
  const std::vector<Term> parts;
  const Term round;
};

} // namespace

std::optional<RoundLengths> findRoundLengths(RankOperations &program, TermPool &pool, llvm::ArrayRef<Term> times,
                                             llvm::ArrayRef<Term> lengths) {
  std::vector<Term> parts{pool.variable("p")};
  for (Term number : program.numbers)
    if (parts.size() < limits::roundLengthParts)
      parts.push_back(number);
  std::map<std::pair<unsigned, std::int64_t>, Round> rounds;
  for (const SmallMessage &message : program.messages) {
    const auto time = program.valueAt(message, true, times[message.send]), length = program.valueAt(message, true, lengths[message.send]);
    if (!time || !length)
      return std::nullopt;
    Round &round = rounds[{message.smallCase, *time}];
    round.number = *time;
    round.length = std::max(round.length, *length);
    if (round.values.empty())
      for (Term part : parts)
        if (const auto value = program.valueAt(message, true, part))
          round.values.push_back(*value);
    if (round.values.size() != parts.size())
      return std::nullopt;
  }
  std::vector<Round> all;
  for (const auto &[at, round] : rounds)
    all.push_back(round);
  return Search(pool, std::move(parts)).find(all);
}

} // namespace quadrille::compiler::prove
