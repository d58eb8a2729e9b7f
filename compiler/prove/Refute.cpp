//===- Refute.cpp - Counterexamples at large p ----------------------------------------------------------------------------===//

#include "Refute.h"

#include "check/CaseSearch.h"
#include "check/LemmaTrials.h"
#include "limits/Limits.h"
#include "prove/definitions/DefinedTerms.h"

#include "llvm/ADT/STLExtras.h"

#include <set>

namespace quadrille::compiler::prove {

namespace {

/// Upper bounds on p, tried in this order: small counterexamples are easier to understand.
constexpr std::int64_t ladder[] = {20, 40, 140, 600, 2200, limits::refutedRanks.value()};

std::int64_t valueIn(const Model &model, llvm::StringRef name, std::int64_t otherwise) {
  for (const auto &[variable, value] : model.values)
    if (variable->name == name)
      return value;
  return otherwise;
}

SearchBudget budget() { return {limits::searchedWork, limits::refutedWork, limits::refutedRanks}; }

class Search {
public:
  Search(const ir::Schedule &schedule, TermPool &pool, Solver &solver, const ProofOptions &options)
      : schedule(schedule), pool(pool), solver(solver), options(options), begun(solver.resourcesUsed()) {}

  std::optional<Verdict> fromModels(llvm::ArrayRef<Obligation> open);
  std::optional<Verdict> wrongLemma(const Obligation &obligation);

private:
  /// A case that the checks refuse, and their verdict.
  struct Failure {
    Case where;
    Verdict verdict;
  };
  using Bounds = llvm::SmallVector<std::pair<Term, std::int64_t>, 3>;

  /// What the search for a counterexample within bounds led to.
  struct Sought {
    std::optional<Failure> failure;
    bool ranOut = false; // of steps, so that nothing is known
  };

  std::optional<Failure> replay(Case instance);
  Sought below(const Obligation &obligation, const Bounds &bounds);
  std::optional<Failure> from(const Obligation &obligation);
  Failure smallest(const Obligation &obligation, Failure found);
  bool mayGoOn() const {
    return tried.size() < limits::refutedCases && work < limits::refutedWork && solver.resourcesUsed() - begun < limits::refuteSteps;
  }
  Term number(unsigned i) { return pool.variable(schedule.variables[ir::Schedule::firstNumber + i].name); }

  const ir::Schedule &schedule;
  TermPool &pool;
  Solver &solver;
  const ProofOptions &options;
  const std::uint64_t begun;
  std::uint64_t work = 0; // of the cases of models
  std::set<std::vector<std::int64_t>> tried;
};

/// Runs the checks on one case; nothing if they find no failure.
std::optional<Search::Failure> Search::replay(Case instance) {
  std::optional<Verdict> verdict = failureOf(schedule, options.check, instance, budget(), work);
  if (!verdict)
    return std::nullopt;
  return Failure{std::move(instance), std::move(*verdict)};
}

/// Asks the solver for a counterexample of the obligation within the bounds, and runs the checks on its case.
Search::Sought Search::below(const Obligation &obligation, const Bounds &bounds) {
  Bounds all = bounds;
  for (unsigned i = 0; i < schedule.parameterCount; ++i)
    all.push_back({number(i), limits::refutedParameters});
  SolverResult outcome = solver.refute({obligation.name, obligation.hypotheses, obligation.goal}, limits::refuteBits, all,
                                  smaller(options.effort.other, limits::refuteQuestion));
  if (outcome.answer != Answer::Refuted)
    return {std::nullopt, outcome.answer == Answer::Unknown && !outcome.searched};
  Case instance{valueIn(outcome.model, "p", 1), {}};
  std::vector<std::int64_t> key{instance.p};
  for (unsigned i = 0; i < schedule.numberCount; ++i) {
    instance.numbers.push_back(valueIn(outcome.model, number(i)->name, i < schedule.parameterCount ? 1 : 0));
    key.push_back(instance.numbers.back());
  }
  if (instance.p < 1 || instance.p > limits::refutedRanks || !mayGoOn() || !tried.insert(key).second)
    return {};
  return {replay(std::move(instance))};
}

/// Asks for counterexamples with more and more ranks. That there is none of a few ranks may be hard to see, and one of many easy: where
/// the solver runs out of steps, it is asked for one of many ranks at once, so that something is left for other obligations.
std::optional<Search::Failure> Search::from(const Obligation &obligation) {
  const Term p = pool.variable("p");
  const llvm::ArrayRef<std::int64_t> bounds = ladder;
  constexpr std::size_t ofMany = 2; // bounds at the end of the ladder
  for (std::size_t i = 0; i < bounds.size() && mayGoOn(); ++i) {
    Sought sought = below(obligation, {{p, bounds[i]}});
    if (sought.failure)
      return std::move(sought.failure);
    if (sought.ranOut)
      i = std::max(i, bounds.size() - ofMany - 1);
  }
  return std::nullopt;
}

/// Shrinks a failure: the smallest p at which the obligation leads to one, then the smallest numbers, within the limits.
Search::Failure Search::smallest(const Obligation &obligation, Failure found) {
  const Term p = pool.variable("p");
  auto shrink = [&](std::function<std::int64_t &(Failure &)> size, std::function<Bounds(std::int64_t)> bounds,
                    std::int64_t least) {
    std::int64_t low = least;
    while (low < size(found) && mayGoOn()) {
      std::int64_t middle = low + (size(found) - 1 - low) / 2;
      std::optional<Failure> smaller = below(obligation, bounds(middle)).failure;
      if (smaller && size(*smaller) < size(found))
        found = std::move(*smaller);
      else
        low = middle + 1;
    }
  };
  shrink([](Failure &f) -> std::int64_t & { return f.where.p; },
         [&](std::int64_t bound) { return Bounds{{p, bound}}; }, 1);
  for (unsigned i = 0; i < schedule.numberCount; ++i)
    shrink([i](Failure &f) -> std::int64_t & { return f.where.numbers[i]; },
           [&](std::int64_t bound) { return Bounds{{p, found.where.p}, {number(i), bound}}; },
           i < schedule.parameterCount ? 1 : 0);
  return found;
}

/// A failure that names arguments for which the lemma of the obligation is wrong; nothing if none were found.
std::optional<Verdict> Search::wrongLemma(const Obligation &obligation) {
  const ir::Lemma &lemma = *obligation.lemma;
  std::vector<Term> arguments;
  for (unsigned i = 0; i < lemma.argumentCount; ++i)
    arguments.push_back(DefinedTerms::argumentName(pool, lemma, i));
  for (std::int64_t bound : ladder) {
    if (!mayGoOn())
      return std::nullopt;
    // The solver's model has unbounded integers and other functions than the lemma's, so `isWrongFor` evaluates the lemma.
    Question question{obligation.name, obligation.hypotheses, obligation.goal};
    for (Term argument : arguments)
      question.hypotheses.push_back(pool.inRange(pool.integer(-bound), argument, pool.integer(bound + 1)));
    const Effort effort{smaller(options.effort.first, limits::refuteQuestion), smaller(options.effort.other, limits::refuteQuestion)};
    const SolverResult outcome = solver.prove(question, effort);
    std::vector<std::int64_t> values;
    for (Term argument : arguments)
      values.push_back(valueIn(outcome.model, argument->name, 0));
    if (outcome.answer == Answer::Proved || !isWrongFor(lemma, values))
      continue;
    Verdict verdict;
    verdict.schedule = &schedule;
    verdict.failure = lemmaWrong(lemma, values);
    return verdict;
  }
  return std::nullopt;
}

std::optional<Verdict> Search::fromModels(llvm::ArrayRef<Obligation> open) {
  // Obligations of other claims are surer hints than those of invariants, so they come first.
  std::vector<const Obligation *> order;
  for (const Obligation &obligation : open)
    if (!obligation.lemma) // a lemma is not about a case
      order.push_back(&obligation);
  llvm::stable_sort(order, [](const Obligation *a, const Obligation *b) {
    auto rank = [](const Obligation *o) { return o->claim == Claim::Invariant ? 1 : 0; };
    return rank(a) < rank(b);
  });
  for (const Obligation *obligation : order)
    if (std::optional<Failure> found = from(*obligation))
      return smallest(*obligation, std::move(*found)).verdict;
  return std::nullopt;
}

} // namespace

/// Whether nothing but the clauses can be wrong.
static bool isAboutClauses(llvm::ArrayRef<ClaimVerdict> claims) {
  return llvm::all_of(claims, [](const ClaimVerdict &claim) {
    return claim.isProved() || claim.claim == Claim::Cost || claim.claim == Claim::Rounds;
  });
}

std::optional<Verdict> refute(const ir::Schedule &schedule, llvm::ArrayRef<ClaimVerdict> claims, llvm::ArrayRef<Obligation> open,
                              bool mayOverflow, TermPool &pool, Solver &solver, const ProofOptions &options) {
  Search search(schedule, pool, solver, options);
  std::optional<Verdict> verdict = search.fromModels(open);
  SearchBudget ofCases = budget();
  if (isAboutClauses(claims)) // a clause is about the whole run, and few clauses are wrong in large cases only
    ofCases.work /= 4;
  if (!verdict)
    verdict = searchCases(schedule, options.check, ofCases, mayOverflow).failure;
  for (const Obligation &obligation : open)
    if (!verdict && obligation.lemma)
      verdict = search.wrongLemma(obligation);
  return verdict;
}

std::optional<Verdict> refuteByCases(const ir::Schedule &schedule, const ProofOptions &options) {
  return searchCases(schedule, options.check, budget(), /*mayOverflow=*/false).failure;
}

} // namespace quadrille::compiler::prove
