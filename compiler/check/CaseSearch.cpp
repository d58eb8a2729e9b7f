//===- CaseSearch.cpp - Cases beyond the small ones -------------------------------------------------------------------------===//

#include "CaseSearch.h"

#include "evaluate/Work.h"
#include "ir/Walk.h"
#include "limits/Limits.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cassert>
#include <map>
#include <set>

namespace quadrille::compiler {

namespace {

using Numbers = std::set<std::int64_t>;

/// Numbers at which the behaviour of a schedule may change.
struct Suggestions {
  Numbers ofText;    // constants of the text, their products, and the neighbours of these
  Numbers ofNature;  // at which algorithms change: powers, squares, primes, and neighbours

  Suggestions(const ir::Schedule &schedule, std::int64_t most, bool mayOverflow);
};

void addNear(Numbers &numbers, std::int64_t c, std::int64_t most) {
  for (std::int64_t near : {c - 1, c, c + 1, c + 2})
    if (1 <= near && near <= most)
      numbers.insert(near);
}

Suggestions::Suggestions(const ir::Schedule &schedule, std::int64_t most, bool mayOverflow) {
  Numbers constants;
  ir::forEachPart(schedule, [&](const ir::Expr &part) {
    if (part.op == ir::Op::Constant && part.type == ir::Type::Integer && part.value != ir::none && 1 < part.value && part.value <= most)
      constants.insert(part.value);
  });
  for (std::int64_t c : constants) {
    addNear(ofText, c, most);
    if (3 < c && c < 12) { // c may be a number of doubling rounds
      addNear(ofText, std::int64_t(1) << c, most);
    }
    for (std::int64_t d : constants)
      if (d <= c && c <= most / d)
        addNear(ofText, c * d, most);
  }
  if (mayOverflow)
    for (std::int64_t p : {64, 65})
      ofText.insert(p);
  for (std::int64_t base : {2, 3})
    for (std::int64_t power = base; power <= most; power *= base)
      for (std::int64_t near : {power - 1, power, power + 1})
        if (near >= 1 && near <= most)
          ofNature.insert(near);
  for (std::int64_t root = 2; root * root <= std::min<std::int64_t>(most, 1024); ++root)
    ofNature.insert(root * root);
  for (std::int64_t prime : {43, 47, 53, 61, 67, 97, 101, 127, 257, 509, 1021})
    if (prime <= most)
      ofNature.insert(prime);
}

class CaseSearch {
public:
  CaseSearch(const ir::Schedule &schedule, const CheckOptions &options, const SearchBudget &budget, bool mayOverflow)
      : schedule(schedule), options(options), budget(budget), suggestions(schedule, budget.ranks, mayOverflow),
        checkedUpTo(options.ps.empty() ? 0 : options.ps.back()) {}

  SearchResult run() {
    // Each part of the search has its share of the work, so that an expensive part leaves something for the others.
    const std::uint64_t tenth = budget.work / 10;
    denselyAbove(tenth);
    withOtherNumbers(2 * tenth);
    at(suggestions.ofText, 9 * tenth);
    at(suggestions.ofNature, budget.work);
    llvm::sort(result.ps);
    result.ps.erase(std::unique(result.ps.begin(), result.ps.end()), result.ps.end());
    return std::move(result);
  }

private:
  bool mayGoOn(std::uint64_t until) const { return !result.failure && work < until; }

  /// Whether there is enough work left for a case of p ranks. The estimate extrapolates the last two cases of different size, with
  /// this parameter if there are any: work grows with a power of p.
  bool fits(std::int64_t p, std::int64_t parameter, std::uint64_t until) const {
    if (!mayGoOn(until))
      return false;
    const auto known = taken.find(parameter);
    const History &history = known == taken.end() ? ofAll : known->second;
    const Taken &before = history.before, &last = history.last;
    if (!last.work)
      return true;
    unsigned power = 1;
    if (before.work && before.p < last.p)
      while (power < 4 && grown(before.work, before.p, last.p, power + 1) <= last.work)
        ++power;
    return grown(last.work, last.p, p, power) <= until - work;
  }

  /// The work for `p` ranks if `from` ranks take `work`, and work grows with this power of the number of ranks.
  static std::uint64_t grown(std::uint64_t work, std::int64_t from, std::int64_t p, unsigned power) {
    assert(from > 0 && p > 0 && "numbers of ranks");
    double result = static_cast<double>(work);
    for (unsigned i = 0; i < power; ++i)
      result = result * static_cast<double>(p) / static_cast<double>(from);
    return result < 1e18 ? static_cast<std::uint64_t>(result) : std::uint64_t(1) << 60;
  }

  void look(std::int64_t p, std::int64_t parameter, std::int64_t root) {
    Case instance{p, {}};
    for (unsigned i = 0; i < schedule.numberCount; ++i)
      instance.numbers.push_back(i < schedule.parameterCount ? parameter : root);
    std::vector<std::int64_t> key{p};
    llvm::append_range(key, instance.numbers);
    TreeCache trees;
    if (!tried.insert(key).second || !isAdmitted(schedule, instance, trees))
      return;
    const std::uint64_t workBefore = work;
    result.failure = failureOf(schedule, options, instance, budget, work);
    for (auto *history : {&ofAll, &taken[parameter]}) {
      if (p != history->last.p)
        history->before = history->last;
      history->last = {p, work - workBefore};
    }
    if (result.failure)
      return;
    ++result.cases;
    result.ps.push_back(p);
  }

  /// The cases with these parameters and roots, or with those that the options name.
  void lookAt(std::int64_t p, Numbers parameters, Numbers roots, std::uint64_t until) {
    if (schedule.parameterCount == 0)
      parameters = {1}; // for nothing
    else if (!options.parameters.empty())
      parameters = {options.parameters.begin(), options.parameters.end()};
    if (!schedule.rootVariable())
      roots = {0};
    else if (options.root)
      roots = {*options.root};
    for (std::int64_t root : roots)
      for (std::int64_t parameter : parameters)
        if (parameter >= 1 && 0 <= root && root < p && fits(p, parameter, until))
          look(p, parameter, root);
  }

  /// A few parameters, and the first and the last root.
  void lookAround(std::int64_t p, std::uint64_t until) { lookAt(p, {1, 3}, {0, p - 1}, until); }

  void denselyAbove(std::uint64_t until) {
    for (std::int64_t p = checkedUpTo + 1; p <= std::min(limits::refutedRanksTried.value(), budget.ranks) && mayGoOn(until); ++p)
      lookAround(p, until);
  }

  void at(const Numbers &ps, std::uint64_t until) {
    for (std::int64_t p : ps)
      if (p > checkedUpTo && mayGoOn(until))
        lookAround(p, until);
  }

  /// Other parameters and roots, on few ranks and on some more.
  void withOtherNumbers(std::uint64_t until) {
    if (schedule.numberCount == 0)
      return;
    for (std::int64_t p : {2, 3, 5, 8, 9, 13, 16, 20, 33}) {
      Numbers parameters{1, p - 1, p, p + 1, 2 * p, 2 * p + 1, 100}, roots{0, p / 2, p - 1};
      for (std::int64_t c : suggestions.ofText) {
        if (c <= std::max(limits::refutedParameters.value(), 4 * p))
          parameters.insert(c);
        roots.insert(c);
      }
      lookAt(p, std::move(parameters), std::move(roots), until);
    }
  }

  const ir::Schedule &schedule;
  const CheckOptions &options;
  const SearchBudget &budget;
  const Suggestions suggestions;
  const std::int64_t checkedUpTo;
  std::set<std::vector<std::int64_t>> tried;
  struct Taken {
    std::int64_t p = 1;
    std::uint64_t work = 0;
  };
  struct History {
    Taken before, last; // two cases of different p
  };
  std::uint64_t work = 0;
  History ofAll;
  std::map<std::int64_t, History> taken; // by the parameter
  SearchResult result;
};

} // namespace

std::optional<Verdict> failureOf(const ir::Schedule &schedule, const CheckOptions &options, const Case &instance,
                                 const SearchBudget &budget, std::uint64_t &work) {
  CheckOptions check = options;
  check.goesOn = nullptr;
  check.ps = {instance.p};
  check.parameters.assign(instance.numbers.begin(), instance.numbers.begin() + schedule.parameterCount);
  llvm::sort(check.parameters);
  check.parameters.erase(std::unique(check.parameters.begin(), check.parameters.end()), check.parameters.end());
  if (schedule.rootVariable())
    check.root = instance.numbers.back();
  check.wantBrackets = false;
  check.lemmas = nullptr;
  const std::uint64_t begun = Work::done();
  check.limits.maxWork = begun + budget.workOfCase;
  Work::count(Work::ofRank * static_cast<std::uint64_t>(instance.p));
  Verdict verdict = checkSchedule(schedule, check);
  work += Work::done() - begun;
  if (!verdict.failure)
    return std::nullopt;
  // Exceeding a limit, also those of recursion and of calls, is no failure of the schedule.
  const diag::Id id = verdict.failure->id();
  if (verdict.reachedLimit() || id == diag::Id::RecursionTooDeep || id == diag::Id::TooManyCalls) {
    work += budget.workOfCase / 4;
    return std::nullopt;
  }
  // Guessing leaves smaller cases out.
  for (Note &note : verdict.failure->notes)
    if (auto *smallest = note.facts.as<diag::SmallestCase>())
      note.facts = diag::SmallestCaseFound{.instance = smallest->instance};
  return verdict;
}

SearchResult searchCases(const ir::Schedule &schedule, const CheckOptions &options, const SearchBudget &budget, bool mayOverflow) {
  return CaseSearch(schedule, options, budget, mayOverflow).run();
}

CheckOptions admittedOptions(const ir::Schedule &schedule, CheckOptions options) {
  if (!options.psAreUsual)
    return options;
  auto isAdmittedAt = [&](std::int64_t p, const CheckOptions &with) {
    TreeCache trees;
    bool allRoots = true;
    return llvm::any_of(casesAt(schedule, p, with, allRoots), [&](const Case &instance) { return isAdmitted(schedule, instance, trees); });
  };
  if (llvm::any_of(options.ps, [&](std::int64_t p) { return isAdmittedAt(p, options); }))
    return options;
  const Suggestions suggestions(schedule, limits::refutedRanks, /*mayOverflow=*/false);
  Numbers ps(options.ps.begin(), options.ps.end());
  ps.insert(suggestions.ofText.begin(), suggestions.ofText.end());
  ps.insert(suggestions.ofNature.begin(), suggestions.ofNature.end());
  // Try the parameters of the options first, then those that the text suggests.
  for (bool withText : {false, true}) {
    CheckOptions other = options;
    if (withText)
      other.parameters.assign(suggestions.ofText.begin(), suggestions.ofText.end());
    other.ps.clear();
    for (std::int64_t p : ps)
      if (other.ps.size() < limits::admittedRanks && isAdmittedAt(p, other))
        other.ps.push_back(p);
    if (!other.ps.empty())
      return other;
    if (schedule.parameterCount == 0 || !options.parameters.empty())
      break;
  }
  return options;
}

} // namespace quadrille::compiler
