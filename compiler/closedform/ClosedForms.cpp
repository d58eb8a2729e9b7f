//===- ClosedForms.cpp - The cost of a schedule as formulas in p, n, k ------------------------------------------------------===//

#include "ClosedForms.h"

#include "Fit.h"
#include "RefuteClauses.h"
#include "TermFormulas.h"

#include "check/Check.h"
#include "evaluate/EvaluationThread.h"
#include "prove/Prove.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"

#include <future>

namespace quadrille::compiler {

namespace {

using Function = FormulaFunction;

Formula apply(Function function, std::initializer_list<Formula> operands) { return Formula::apply(function, operands); }

/// The number of packets of a block, if all `split` statements give the same number or variable.
std::optional<Formula> packetsOf(const ir::Schedule &schedule) {
  std::optional<Formula> packets;
  for (const auto &buffer : schedule.buffers) {
    if (!buffer->parts)
      continue;
    if (buffer->parts->op != ir::Op::Variable ||
        buffer->parts->variable >= ir::Schedule::firstNumber + schedule.numberCount)
      return std::nullopt;
    const Formula parts = Formula::symbol(schedule.variables[buffer->parts->variable].name);
    if (packets && !(*packets == parts))
      return std::nullopt;
    packets = parts;
  }
  return packets;
}

/// Searches the formulas of one schedule.
class Search {
public:
  Search(const ir::Schedule &schedule, ClosedForms &forms, bool fromClauses)
      : schedule(schedule), forms(forms), facts(factsOf(schedule)), packets(packetsOf(schedule)) {
    if (schedule.cost && fromClauses)
      cost = clauseFormulas(*schedule.cost, schedule, PlainFunctions::Called);
    if (schedule.rounds && fromClauses)
      rounds = clauseFormulas(*schedule.rounds, schedule, PlainFunctions::Called);
  }

  void run(const prove::CostDerivation &derivation) {
    if (derivation.cost)
      takeDerived(*derivation.cost);
    else
      forms.whyNotDerived = derivation.why;
    CostReading &sync = forms.synchronous;
    findStartups(sync.alpha);
    findWords(sync.beta, [](const CostSample &s) { return s.synchronous.b; }, cost ? &cost->beta : nullptr,
              schedule.cost && schedule.cost->upperBound, sync.alpha);
    if (schedule.usesOperator)
      findWords(sync.gamma, [](const CostSample &s) { return s.synchronous.c; },
                cost && schedule.cost->mentionsGamma ? &cost->gamma : nullptr, schedule.cost && schedule.cost->upperBound,
                sync.alpha);
    else
      sync.gamma = CostFactor{0, Evidence::Proved, false};
    findAsynchronous();
    if (schedule.cost || schedule.rounds)
      forms.clause = derivation.cost && derivation.cost->clauseHolds ? Evidence::Proved : Evidence::Claimed;
  }

private:
  // ---- derived formulas

  void takeDerived(const prove::DerivedCost &derived) {
    std::optional<CostFactor> &alpha = forms.synchronous.alpha, &beta = forms.synchronous.beta;
    if (std::optional<DerivedFormulas> formulas = formulasOf(derived, schedule)) {
      alpha = {simplify(formulas->startups, facts), Evidence::Proved, !derived.startupsExact};
      beta = {simplify(formulas->words, facts), Evidence::Proved, !derived.wordsExact};
    }
    // If the clause is proved, its formula is used: the author chose its form.
    if (derived.clauseHolds && rounds && !schedule.rounds->upperBound)
      alpha = {simplify(rounds->rounds, facts), Evidence::Proved, false};
    if (derived.clauseHolds && cost && !schedule.cost->upperBound) {
      alpha = {simplify(cost->alpha, facts), Evidence::Proved, false};
      beta = {simplify(cost->beta, facts), Evidence::Proved, false};
    }
    if (alpha && !alpha->isBound && derived.asynchronousStartups)
      forms.asynchronous.alpha = alpha;
    if (beta && !beta->isBound && derived.asynchronousWords)
      forms.asynchronous.beta = beta;
    if (!alpha || !beta) {
      forms.whyNotDerived = prove::NotModelled{prove::Gap::DerivedWithoutFormula, schedule.nameRange};
    }
  }

  // ---- formulas that agree with small cases

  using Counted = llvm::function_ref<std::int64_t(const CostSample &)>;

  std::vector<FitSample> wanted(Counted counted, llvm::function_ref<bool(const CostSample &)> isWanted) const {
    std::vector<FitSample> result;
    for (const CostSample &sample : forms.samples.samples)
      if (isWanted(sample))
        result.push_back({sample.values.get(), Rational(counted(sample))});
    return result;
  }
  std::vector<FitSample> wanted(Counted counted) const {
    return wanted(counted, [](const CostSample &) { return true; });
  }
  /// One sample per case.
  std::vector<FitSample> cases(Counted counted) const {
    std::vector<FitSample> result;
    const Case *last = nullptr;
    for (const CostSample &sample : forms.samples.samples) {
      if (last && last->p == sample.instance.p && last->numbers == sample.instance.numbers)
        continue;
      last = &sample.instance;
      result.push_back({sample.values.get(), Rational(counted(sample))});
    }
    return result;
  }

  /// The usual terms of costs, in p and the numbers of the schedule.
  std::vector<Formula> usualTerms() const {
    const Formula p = Formula::symbol("p"), log = apply(Function::CeilLog2, {p});
    std::vector<Formula> ofRanks{1, p, log};
    if (!facts.pIsPow2) {
      ofRanks.push_back(apply(Function::Minimum, {p - 1, 2}));
      ofRanks.push_back(apply(Function::FloorLog2, {p}));
      ofRanks.push_back(apply(Function::Select, {apply(Function::IsPow2, {p}), 1, 0}));
      ofRanks.push_back(apply(Function::Select, {apply(Function::Equal, {p, 1}), 1, 0}));
    } else {
      ofRanks.push_back(log * log);
      ofRanks.push_back(p * log);
    }
    if (!facts.pIsEven && !facts.pIsPow2)
      ofRanks.push_back(apply(Function::Modulo, {p, 2}));
    if (std::optional<unsigned> root = schedule.rootVariable()) {
      const Formula r = Formula::symbol(schedule.variables[*root].name);
      ofRanks.push_back(apply(Function::Select, {apply(Function::Equal, {r, 0}), 1, 0}));
    }
    std::vector<Formula> terms = ofRanks;
    for (unsigned i = 0; i < schedule.parameterCount; ++i)
      for (const Formula &term : ofRanks)
        terms.push_back(term * Formula::symbol(schedule.variables[ir::Schedule::firstNumber + i].name));
    return terms;
  }

  /// A formula fitted to `samples`; if necessary with a different value for p = 1.
  std::optional<Formula> fitted(const std::vector<FitSample> &samples) const {
    const std::vector<Formula> terms = usualTerms();
    if (auto found = fit(terms, samples, limits::fittedTerms))
      return simplify(*found, facts);
    std::vector<FitSample> several;
    bool aloneIsNothing = true;
    for (const FitSample &sample : samples) {
      if (sample.values->symbol("p") == Rational(1))
        aloneIsNothing &= sample.wanted.isZero();
      else
        several.push_back(sample);
    }
    if (aloneIsNothing && several.size() < samples.size())
      if (auto found = fit(terms, several, limits::fittedTerms))
        return apply(Function::Select, {apply(Function::Equal, {Formula::symbol("p"), 1}), 0, simplify(*found, facts)});
    return std::nullopt;
  }

  void findStartups(std::optional<CostFactor> &alpha) {
    if (alpha && !alpha->isBound)
      return;
    auto startups = [](const CostSample &s) { return s.synchronous.a; };
    const std::vector<FitSample> samples = cases(startups);
    if (rounds && !schedule.rounds->upperBound && fits(rounds->rounds, samples)) {
      alpha = {simplify(rounds->rounds, facts), Evidence::Claimed, false};
      return;
    }
    if (cost && fits(cost->alpha, samples)) {
      // An upper bound that small cases reach is only Reached.
      alpha = {simplify(cost->alpha, facts), schedule.cost->upperBound ? Evidence::Reached : Evidence::Claimed, false};
      return;
    }
    if (auto found = fitted(samples)) {
      alpha = {*found, Evidence::Fitted, false};
      return;
    }
    if (alpha)
      return;
    if (rounds)
      alpha = {simplify(rounds->rounds, facts), Evidence::Claimed, true};
    else if (cost)
      alpha = {simplify(cost->alpha, facts), Evidence::Claimed, true};
  }

  /// The words of a pipeline. With q packets it has steps(q) messages of one packet on the critical path. The first n mod q packets
  /// have one element more, which costs as much as a pipeline of n mod q packets of one element:
  ///   steps(q) * (n div q) + steps(n mod q).
  std::optional<Formula> pipelined(const Formula &steps) const {
    if (!packets || !packets->symbols().size() || !steps.mentions(packets->text()))
      return std::nullopt;
    const Formula n = Formula::symbol("n"), rest = apply(Function::Modulo, {n, *packets});
    const Formula ofRest = steps.substitute({{packets->text(), rest}});
    return steps * apply(Function::Divide, {n, *packets}) +
           apply(Function::Select, {apply(Function::Equal, {rest, 0}), 0, ofRest});
  }

  void findWords(std::optional<CostFactor> &words, Counted counted, const Formula *claimed, bool claimIsBound,
                 const std::optional<CostFactor> &startups) {
    if (words && !words->isBound)
      return;
    const std::vector<FitSample> samples = wanted(counted);
    auto accept = [&](const std::optional<Formula> &formula, Evidence evidence) {
      if (!formula || !fits(*formula, samples))
        return false;
      words = {*formula, evidence, false};
      return true;
    };
    if (claimed && accept(simplify(*claimed, facts), claimIsBound ? Evidence::Reached : Evidence::Claimed))
      return;
    const Formula n = Formula::symbol("n");
    const Formula blocks = packets ? apply(Function::Ceiling, {n / *packets}) : n;
    // Try: all messages have the length of a block, or all of a packet.
    if (schedule.tables.empty()) {
      std::vector<Formula> perBlock;
      if (startups && !startups->isBound)
        perBlock.push_back(startups->formula);
      // If k divides n, words per packet length are a function of p and the numbers only.
      std::vector<FitSample> even;
      const Case *last = nullptr;
      for (const CostSample &sample : forms.samples.samples) {
        if (sample.lengths.n % sample.unit != 0 || (last && last->p == sample.instance.p && last->numbers == sample.instance.numbers))
          continue;
        last = &sample.instance;
        even.push_back({sample.values.get(), Rational(counted(sample)) / Rational(sample.lengths.n / (packets ? sample.unit : 1))});
      }
      auto acceptSteps = [&](const Formula &steps) {
        if (accept(steps * blocks, Evidence::Fitted))
          return true;
        if (!accept(pipelined(steps), Evidence::Fitted))
          return false;
        words->steps = steps;
        return true;
      };
      if (llvm::any_of(perBlock, acceptSteps))
        return;
      if (std::optional<Formula> steps = fitted(even); steps && acceptSteps(*steps))
        return;
    }
    if (!words && claimed && claimIsBound)
      words = {simplify(*claimed, facts), Evidence::Claimed, true};
  }

  void findAsynchronous() {
    const CostReading &sync = forms.synchronous;
    CostReading &async = forms.asynchronous;
    auto startups = [](const CostSample &s) { return s.asynchronous.a; };
    auto words = [](const CostSample &s) { return s.asynchronous.b; };
    auto work = [](const CostSample &s) { return s.asynchronous.c; };
    auto take = [&](std::optional<CostFactor> &to, const std::optional<CostFactor> &from, Counted counted) {
      if (!to && from && !from->isBound && fits(from->formula, wanted(counted)))
        to = {from->formula, Evidence::Fitted, false, from->steps};
    };
    take(async.alpha, sync.alpha, startups);
    // If no formula for the rounds was found, one for the longest path is unlikely.
    if (!async.alpha && sync.alpha && !sync.alpha->isBound)
      if (auto found = fitted(cases(startups)))
        async.alpha = {*found, Evidence::Fitted, false};
    if (!schedule.usesOperator)
      async.gamma = CostFactor{0, Evidence::Proved, false};
    // With tables of lengths, the longest messages of all rounds are rarely on one path, but may be in small cases. So the
    // samples would mislead.
    if (schedule.tables.empty()) {
      take(async.beta, sync.beta, words);
      findWords(async.beta, words, nullptr, false, async.alpha);
      if (!async.gamma) {
        take(async.gamma, sync.gamma, work);
        findWords(async.gamma, work, nullptr, false, async.alpha);
      }
    }
    // The synchronous cost is an upper bound: a path contains at most one message and the work of one rank per round.
    for (auto [to, from] : {std::pair(&async.alpha, &sync.alpha), {&async.beta, &sync.beta}, {&async.gamma, &sync.gamma}})
      if (!*to && *from)
        *to = CostFactor{(*from)->formula, (*from)->evidence, /*isBound=*/true, (*from)->steps};
  }

  const ir::Schedule &schedule;
  ClosedForms &forms;
  const FormulaFacts facts;
  const std::optional<Formula> packets;
  std::optional<CostFormulas> cost, rounds; // the formulas of the clauses
};

} // namespace

CostEvidence costEvidence(const ir::Schedule &schedule, const ClosedFormOptions &options) {
  assert(!schedule.usesNodes && "each map to nodes has costs of its own");
  CostEvidence evidence;
  // The proof and the small cases run in parallel. Both only read the schedule.
  std::packaged_task<prove::CostDerivation()> derive([&] { return prove::deriveCost(schedule, options.shared); });
  std::future<prove::CostDerivation> derived = derive.get_future();
  {
    EvaluationThread worker([&] { derive(); });
    evidence.samples = sampleCosts(schedule, options.limits, options.transfers);
    if (worker.failure()) // then one after the other
      derive();
  }
  try {
    evidence.derivation = derived.get();
  } catch (const FormulaTooLarge &tooLarge) {
    evidence.derivation.why = prove::NotModelled{prove::Gap::ManyTerms, schedule.nameRange, tooLarge.limit};
  }
  return evidence;
}

ClosedForms closedForms(const ir::Schedule &schedule, const CostEvidence &evidence, const ClosedFormOptions &options) {
  ClosedForms forms;
  forms.samples = evidence.samples;
  forms.outOfMemory = evidence.derivation.outOfMemory;
  try {
    Search search(schedule, forms, options.fromClauses);
    search.run(evidence.derivation);
    if (options.fromClauses)
      refuteClauses(schedule, forms, options.limits);
  } catch (const FormulaTooLarge &tooLarge) {
    forms.whyNotDerived = prove::NotModelled{prove::Gap::ManyTerms, schedule.nameRange, tooLarge.limit};
  }
  return forms;
}

ClosedForms closedForms(const ir::Schedule &schedule, const ClosedFormOptions &options) {
  if (!schedule.usesNodes)
    return closedForms(schedule, costEvidence(schedule, options), options);
  ClosedForms forms;
  forms.whyNotDerived = prove::NotModelled{prove::Gap::NodesAreData, schedule.nameRange};
  return forms;
}

std::optional<ScheduleCost> scheduleCost(const ir::Schedule &schedule, bool wantGamma, const ClosedFormOptions &options) {
  if (schedule.usesNodes)
    return std::nullopt; // each map has a cost of its own
  std::optional<ScheduleCost> cost = costFormulas(schedule);
  // A proved formula is preferred to a clause that is not proved.
  if (cost) {
    const prove::CostDerivation derivation = prove::deriveCost(schedule, options.shared);
    const bool isExact = derivation.cost && derivation.cost->startupsExact && derivation.cost->wordsExact;
    if (isExact && (cost->isUpperBound || !derivation.cost->clauseHolds))
      if (std::optional<DerivedFormulas> derived = formulasOf(*derivation.cost, schedule)) {
        const FormulaFacts facts = factsOf(schedule);
        auto simpler = [&](const Formula &formula) { return unlessTooLarge([&] { return simplify(formula, facts); }).value_or(formula); };
        cost->formulas.rounds = cost->formulas.alpha = simpler(derived->startups);
        cost->formulas.beta = simpler(derived->words);
        cost->isUpperBound = cost->isRoundsUpperBound = false;
      }
  }
  if (cost && (cost->hasGamma || !schedule.usesOperator || !wantGamma))
    return cost;
  const CostReading found = closedForms(schedule, options).synchronous;
  if (!cost) {
    if (!found.alpha || !found.beta)
      return std::nullopt;
    cost.emplace();
    cost->formulas = {found.alpha->formula, found.alpha->formula, found.beta->formula, 0};
    cost->isUpperBound = found.alpha->isBound || found.beta->isBound;
    cost->isRoundsUpperBound = found.alpha->isBound;
  }
  if (found.gamma) {
    cost->formulas.gamma = found.gamma->formula;
    cost->isUpperBound |= found.gamma->isBound;
    cost->hasGamma = true;
  }
  return cost;
}

} // namespace quadrille::compiler
