//===- Check.cpp - All checks of a schedule, for p in a range --------------------------------------------------------------------------===//

#include "Check.h"

#include "Blame.h"
#include "ClockCheck.h"
#include "HeardTracker.h"
#include "InvariantCheck.h"
#include "LastReceipts.h"
#include "LemmaTrials.h"
#include "RedundancyCheck.h"

#include "instantiate/ObserverList.h"
#include "evaluate/Work.h"
#include "limits/Limits.h"

#include "llvm/ADT/Sequence.h"

#include <algorithm>
#include <set>
#include <stdexcept>

namespace quadrille::compiler {

namespace {


/// The observers of a run. Counts transfers and completed rounds.
class Observers : public ObserverList {
public:
  std::uint64_t transfers = 0;
  std::uint32_t rounds = 0;

  void onRound(const Round &round, const Machine &machine) override {
    transfers += round.transferCount;
    Work::count(Work::ofTransfer * round.transferCount);
    ObserverList::onRound(round, machine);
    rounds = round.number + 1; // all observers have seen it
  }
};

Diagnostic toDiagnostic(const EvaluationError &error) {
  Diagnostic diagnostic(error.range, error.facts);
  if (error.rank >= 0)
    diagnostic.note({}, diag::ForRank{.rank = error.rank});
  return diagnostic;
}

/// Adds a note that the failure happened in round `round`, unless the diagnostic names a round already or is about a limit.
void nameRound(Diagnostic &diagnostic, std::uint32_t round) {
  bool aboutLimits = isLimit(diagnostic.id());
  if (!aboutLimits && !namesRound(diagnostic))
    diagnostic.note({}, diag::InRound{.round = round});
}

/// The rank that ends with a wrong result, if that is what a finding is about.
std::optional<std::uint32_t> rankOfResult(const diag::Facts &facts) {
  auto rank = [](const auto &found) { return std::optional(static_cast<std::uint32_t>(found->rank.value)); };
  if (auto *wrong = facts.as<diag::WrongResult>())
    return rank(wrong);
  if (auto *empty = facts.as<diag::EmptyResult>())
    return rank(empty);
  if (auto *broken = facts.as<diag::OrderBroken>())
    return rank(broken);
  if (auto *unheard = facts.as<diag::NotHeard>())
    return rank(unheard);
  return std::nullopt;
}

} // namespace

static std::optional<ModelInForce> declaredModel(const ir::Schedule &schedule, const Frame &clauses) {
  if (!schedule.model)
    return std::nullopt;
  ModelInForce model;
  model.model = schedule.model->model;
  if (schedule.model->ports)
    model.ports = evaluate(*schedule.model->ports, clauses);
  return model;
}

std::optional<ModelInForce> declaredModel(const ir::Schedule &schedule, const Case &instance, TreeCache &trees) {
  return declaredModel(schedule, caseFrame(schedule, instance, trees));
}

diag::Values valuesOf(const ir::Schedule &schedule, const Case &instance) {
  const Nodes nodes = nodesOf(schedule, instance);
  std::vector<std::pair<std::string, std::int64_t>> values{{"p", instance.p}};
  for (size_t i = 0; i < instance.numbers.size(); ++i)
    values.emplace_back(schedule.variables[ir::Schedule::firstNumber + i].name, instance.numbers[i]);
  return {std::move(values), nodes ? nodes->nodeOf : std::vector<std::int64_t>()};
}

const diag::Values *smallestCase(const Diagnostic &diagnostic) {
  for (const Note &note : diagnostic.notes) {
    if (auto *smallest = note.facts.as<diag::SmallestCase>())
      return &smallest->instance;
    if (auto *found = note.facts.as<diag::SmallestCaseFound>())
      return &found->instance;
  }
  return nullptr;
}

std::string caseText(const ir::Schedule &schedule, const Case &instance) { return diag::text(valuesOf(schedule, instance)); }

bool admits(const ir::Schedule &schedule, const Case &instance, TreeCache &trees) {
  const Frame frame = caseFrame(schedule, instance, trees);
  try {
    return llvm::all_of(schedule.requirements,
                        [&](const ir::Requirement &r) { return evaluate(*r.condition, frame) != 0; });
  } catch (const EvaluationError &error) {
    throw Finding{toDiagnostic(error)};
  }
}

bool isAdmitted(const ir::Schedule &schedule, const Case &instance, TreeCache &trees) {
  try {
    return admits(schedule, instance, trees);
  } catch (const Finding &) {
    return false;
  }
}

namespace {
/// Which checks a run makes.
enum class Aim {
  Everything,
  Stated, // only those of invariants and clocks, which lockstep does not see for single ranks
};
} // namespace

/// The measured cost, with which clauses are compared. In `result` only the first `wanted` lengths are kept, which were asked for.
static KnownCost knownCost(CaseResult &result, const CheckOptions &options, const ClauseLengths &ofClauses, size_t wanted) {
  KnownCost known;
  known.rounds = result.rounds;
  known.lines = ofClauses.lines(result.cost);
  result.cost.keep(wanted);
  std::vector<Lengths> lengths = result.cost.samples;
  if (result.cost.perBlock)
    lengths.assign(options.lengths.begin(), options.lengths.end());
  for (size_t s = 0; s < lengths.size(); ++s)
    known.samples.push_back({lengths[s], result.cost.at(result.cost.synchronous, s, lengths[s].n)});
  known.given = options.lengths.size();
  return known;
}

/// `turns`: the cost is measured at this many lengths per packet of a block, to be compared with the clauses.
static CaseResult checkCaseWith(Engine engine, Aim aim, CaseRun &run, const CheckOptions &options, bool commutative, RunObserver *extra,
                                unsigned turns = 2) {
  const ir::Schedule &schedule = run.schedule;
  const Case &instance = run.instance;
  try {
    CaseResult result;
    const std::int64_t unit = run.granularity.unit();
    const LengthTables &tables = run.tables;
    std::vector<Lengths> samples = options.lengths.empty() ? sampleLengths(unit, tables) : std::vector<Lengths>();
    for (std::int64_t n : options.lengths)
      samples.push_back(lengthsFor(tables, n, options.tables));
    const size_t wanted = samples.size();
    const ClauseLengths ofClauses(run, turns, samples);
    const bool brackets = options.wantBrackets && schedule.usesOperator && instance.p <= limits::ranksOfBrackets;
    Machine &machine = run.prepare({.commutative = commutative, .wantBrackets = brackets, .samples = std::move(samples)});
    std::optional<ModelInForce> declared = options.model ? options.model : declaredModel(schedule, run.clauses);
    PortModelCheck ports(machine.ranks, declared, options.model || !schedule.model ? llvm::SMRange() : schedule.model->range);
    Meter meter(machine);
    std::optional<LengthFormMeter> forms;
    Observers observers;
    // First in the list: it also sees the round in which a check fails.
    if (extra)
      observers.list.push_back(extra);
    if (aim == Aim::Everything)
      observers.list.push_back(&ports);
    if (aim == Aim::Everything && options.wantCosts)
      observers.list.push_back(&meter);
    if (aim == Aim::Everything && options.wantCosts && tables && unit == 1 && (schedule.cost || schedule.rounds))
      observers.list.push_back(&forms.emplace());
    auto heard = llvm::find_if(schedule.collective->promises, [](const ir::Promise &p) { return p.isHeard; });
    std::optional<HeardTracker> tracker;
    if (heard != schedule.collective->promises.end()) {
      tracker.emplace(machine.ranks, options.limits);
      observers.list.push_back(&*tracker);
    }
    std::optional<InvariantCheck> invariants;
    if (options.wantStated && InvariantCheck::concerns(schedule)) {
      invariants.emplace(schedule, tracker ? &*tracker : nullptr);
      observers.list.push_back(&*invariants);
    }
    std::optional<ClockCheck> clocks;
    if (options.wantStated && !schedule.clocks.empty()) {
      clocks.emplace(machine.ranks);
      observers.list.push_back(&*clocks);
    }
    RedundancyCheck redundancy;
    if (aim == Aim::Everything && instance.p <= limits::ranksOfRedundancy)
      machine.usage = &redundancy;
    OrderBreak order;
    order.rounds = &observers.rounds;
    if (instance.p <= limits::ranksOfOrder && schedule.usesOperator)
      machine.orderBreak = &order;
    FinalState state;
    try {
      state = run.run(observers, engine);
    } catch (Finding &finding) {
      nameRound(finding.diagnostic, observers.rounds);
      throw;
    } catch (const EvaluationError &error) {
      Diagnostic diagnostic = toDiagnostic(error);
      nameRound(diagnostic, observers.rounds);
      throw Finding{std::move(diagnostic)};
    }
    if (invariants)
      result.warnings = invariants->warnings(valuesOf(schedule, instance));
    if (aim == Aim::Stated)
      return result;
    result.unit = unit;
    result.rounds = state.rounds;
    result.transfers = observers.transfers;
    result.strictest = ports.strictest();
    result.result = checkResult(schedule, instance, machine, state, run.trees);
    if (tracker)
      tracker->check(*heard);
    if (!options.wantCosts) {
      if (machine.usage)
        llvm::append_range(result.warnings, redundancy.warnings(state, valuesOf(schedule, instance)));
      return result;
    }
    result.cost = meter.result(machine);
    KnownCost known = knownCost(result, options, ofClauses, wanted);
    known.tables = tables;
    known.forms = forms ? &*forms : nullptr;
    if (machine.usage)
      llvm::append_range(result.warnings, redundancy.warnings(state, valuesOf(schedule, instance)));
    result.clauses = checkCostClaims(run, known);
    // Few cases need more lengths, so more are measured only on demand.
    if (result.clauses.isUnmeasured && ofClauses.hasMore())
      result.clauses = checkCaseWith(engine, aim, run, options, commutative, nullptr, 2 * turns).clauses;
    return result;
  } catch (const EvaluationError &error) {
    throw Finding{toDiagnostic(error)};
  }
}

static CaseResult checkCase(CaseRun &run, const CheckOptions &options, bool commutative, RunObserver *extra) {
  const ir::Schedule &schedule = run.schedule;
  try {
    CaseResult result = checkCaseWith(Engine::Preferred, Aim::Everything, run, options, commutative, extra);
    if (options.wantStated && !needsSimulation(schedule) && (!schedule.clocks.empty() || InvariantCheck::needsRanks(schedule)))
      llvm::append_range(result.warnings,
                         checkCaseWith(Engine::Simulation, Aim::Stated, run, options, commutative, nullptr).warnings);
    return result;
  } catch (const UnmatchedInLockstep &unmatched) {
    if (extra)
      extra->onRestart();
    try {
      return checkCaseWith(Engine::Simulation, Aim::Everything, run, options, commutative, extra);
    } catch (const Finding &finding) {
      // Report the unmatched transfer, not the deadlock that follows from it.
      diag::Id id = finding.diagnostic.id();
      bool follows = id == diag::Id::NeverAnswered || id == diag::Id::Deadlock;
      if (!follows)
        throw;
    }
    throw Finding{unmatched.diagnostic};
  }
}

CaseResult checkCase(const ir::Schedule &schedule, const Case &instance, const CheckOptions &options, bool commutative,
                     TreeCache &trees, RunObserver *extra) {
  // Every rank has at least one slot of memory.
  if (static_cast<std::uint64_t>(instance.p) * 24 > options.limits.memoryBytes)
    throw tooMuchMemory(static_cast<std::uint64_t>(instance.p), static_cast<std::uint64_t>(instance.p) * 24, options.limits);
  try {
    CaseRun run(schedule, instance, trees, options.limits);
    return checkCase(run, options, commutative, extra);
  } catch (const EvaluationError &error) {
    throw Finding{toDiagnostic(error)};
  } catch (const std::length_error &) {
    throw Finding{Diagnostic({}, diag::TooMuchMemory{.p = instance.p, .megabytes = std::nullopt, .refused = false,
                                                     .limit = limits::caseMemory.at(options.limits.memoryBytes >> 20)})};
  } catch (const std::bad_alloc &) {
    throw Finding{Diagnostic({}, diag::TooMuchMemory{.p = instance.p, .megabytes = std::nullopt, .refused = true,
                                                     .limit = limits::caseMemory.at(options.limits.memoryBytes >> 20)})};
  }
}

std::vector<Case> allCases(const ir::Schedule &schedule, std::int64_t p, llvm::ArrayRef<std::int64_t> parameters,
                           llvm::ArrayRef<std::int64_t> roots) {
  std::vector<Case> cases = {Case{p, {}}};
  for (unsigned i = 0; i < schedule.numberCount; ++i) {
    std::vector<Case> more;
    for (const Case &c : cases)
      for (std::int64_t value : i < schedule.parameterCount ? parameters : roots) {
        more.push_back(c);
        more.back().numbers.push_back(value);
      }
    cases = std::move(more);
  }
  return cases;
}

bool isRequired(const ir::Schedule &schedule, unsigned number) {
  return llvm::any_of(schedule.requirements, [&](const ir::Requirement &r) {
    return ir::mentions(*r.condition, ir::Schedule::firstNumber + number);
  });
}

std::int64_t largestSought(const ir::Schedule &schedule) {
  std::int64_t side = 1;
  const auto fits = [&](std::int64_t more) {
    std::int64_t all = 1;
    for (unsigned i = 0; i < schedule.numberCount; ++i)
      all = all > limits::numbersSought / more ? limits::numbersSought + 1 : all * more;
    return all <= limits::numbersSought;
  };
  while (side < limits::numbersSought && fits(side + 1))
    ++side;
  return side;
}

/// The first cases at p that the schedule admits, where it admits none of the usual ones, with parameters 1, 2, ... and any numbers of
/// the collective unless the user has chosen them.
static std::vector<Case> admittedCasesAt(const ir::Schedule &schedule, std::int64_t p, const CheckOptions &options, TreeCache &trees) {
  const std::int64_t side = std::min(p, largestSought(schedule));
  std::vector<std::int64_t> parameters = options.parameters, roots;
  for (std::int64_t value = 1; options.parameters.empty() && value <= side; ++value)
    parameters.push_back(value);
  if (options.root)
    roots = {*options.root};
  for (std::int64_t value = 0; !options.root && value < side; ++value)
    roots.push_back(value);
  std::vector<Case> result;
  for (Case &instance : allCases(schedule, p, parameters, roots))
    if (result.size() < limits::admittedCases && isAdmitted(schedule, instance, trees))
      result.push_back(std::move(instance));
  return result;
}

std::vector<Case> casesAt(const ir::Schedule &schedule, std::int64_t p, const CheckOptions &options, bool &allRoots) {
  std::vector<std::int64_t> parameters = options.parameters;
  if (parameters.empty()) {
    parameters = {1, 2, 3, 4, 5, 8};
    if (p > 256)
      parameters = {1, 3};
  }
  std::vector<std::int64_t> roots;
  if (options.root) {
    if (*options.root < p)
      roots = {*options.root};
  } else if (p <= limits::ranksOfAllRoots) {
    for (std::int64_t r = 0; r < p; ++r)
      roots.push_back(r);
  } else {
    std::set<std::int64_t> some = {0, 1, p / 2, p - 1};
    roots.assign(some.begin(), some.end());
    if (schedule.rootVariable())
      allRoots = false;
  }
  std::vector<Case> cases = allCases(schedule, p, parameters, roots);
  TreeCache trees;
  const bool mayHelp = llvm::any_of(llvm::seq(0u, schedule.numberCount), [&](unsigned number) { return isRequired(schedule, number); });
  if (mayHelp && !schedule.usesNodes && (!options.root || *options.root < p) &&
      llvm::none_of(cases, [&](const Case &instance) { return isAdmitted(schedule, instance, trees); }))
    if (std::vector<Case> sought = admittedCasesAt(schedule, p, options, trees); !sought.empty())
      return sought;
  if (!schedule.usesNodes || p < 1)
    return cases;
  std::vector<Nodes> maps;
  bool areAll = true;
  if (!options.nodes.isGiven())
    maps = mapsToTry(p, areAll);
  else if (Nodes only = options.nodes.at(p))
    maps = {std::move(only)};
  std::vector<Case> placed;
  for (const Nodes &map : maps)
    for (const Case &instance : cases)
      placed.push_back({instance.p, instance.numbers, map});
  return placed;
}

bool triesSomeMaps(const ir::Schedule &schedule, const CheckOptions &options, llvm::ArrayRef<std::int64_t> ps) {
  return schedule.usesNodes &&
         (options.nodes.isGiven() || llvm::any_of(ps, [](std::int64_t p) { return p > limits::ranksOfAllMaps; }));
}

/// Runs a case with a wrong result again and adds a note: when `rank` last received a message.
static void noteLastReceipt(const ir::Schedule &schedule, const Case &instance, const CheckOptions &options, TreeCache &trees,
                            std::uint32_t rank, Diagnostic &diagnostic) {
  LastReceipts receipts(static_cast<std::uint32_t>(instance.p));
  try {
    checkCase(schedule, instance, options, false, trees, &receipts);
  } catch (const Finding &) {
  }
  receipts.describe(rank, diagnostic);
}

/// Checks the schedules by which ranks tell each other lengths. Throws Finding.
static void checkTellings(const ir::Schedule &schedule, const CheckOptions &options, llvm::ArrayRef<std::int64_t> ps) {
  for (const ir::Knowledge &known : schedule.knowledge) {
    if (!known.toldBy)
      continue;
    CheckOptions own;
    own.ps = ps.vec();
    own.root = options.root;
    own.limits = options.limits;
    own.wantBrackets = false;
    if (std::optional<Diagnostic> failure = checkSchedule(*known.toldBy, own).failure)
      throw Finding{std::move(failure->note(known.range, diag::WhileTelling{}))};
  }
}

Verdict checkSchedule(const ir::Schedule &schedule, const CheckOptions &options) {
  Verdict verdict;
  verdict.schedule = &schedule;
  if (schedule.rootVariable())
    verdict.root = options.root;
  if (schedule.parameterCount > 0)
    verdict.parameters = options.parameters;
  bool commutativeSeen = false;
  Case current;
  TreeCache trees;
  std::set<unsigned> warned;
  try {
    for (std::int64_t p : options.ps) {
      if (options.goesOn && !options.goesOn(p)) {
        verdict.endedBefore = p;
        break;
      }
      bool any = false;
      std::map<std::vector<std::int64_t>, std::vector<std::uint64_t>> bracketsByParameters;
      trees = TreeCache();
      for (const Case &instance : casesAt(schedule, p, options, verdict.allRoots)) {
        current = instance;
        if (!admits(schedule, instance, trees))
          continue;
        any = true;
        // Small cases keep the order of factors, to see whether the schedule really needs a commutative operator.
        bool commutative = schedule.requiresCommutative && (commutativeSeen || p > 16);
        CaseResult result = checkCase(schedule, instance, options, commutative, trees);
        ++verdict.cases;
        verdict.transfers += result.transfers;
        verdict.clauses.join(result.clauses);
        for (Diagnostic &warning : result.warnings)
          if (warned.insert(static_cast<unsigned>(warning.id())).second)
            verdict.warnings.push_back(std::move(warning));
        commutativeSeen |= result.result.orderBroken;
        if (!verdict.strictest.contains(result.strictest))
          verdict.strictest = result.strictest;
        if (result.result.bracketing && verdict.sameBracketing) {
          verdict.sameBracketing = false;
          const BracketingWitness &witness = *result.result.bracketing;
          Diagnostic warning(schedule.nameRange,
                             diag::BracketingDiffers{.first = witness.first, .second = witness.second, .slot = witness.slot});
          warning.note({}, diag::SmallestCase{.instance = valuesOf(schedule, instance)});
          verdict.warnings.push_back(std::move(warning));
        }
        if (!result.result.brackets.empty() && schedule.rootVariable()) {
          std::vector<std::int64_t> key(instance.numbers.begin(), instance.numbers.begin() + schedule.parameterCount);
          auto [entry, isNew] = bracketsByParameters.try_emplace(key, result.result.brackets);
          if (!isNew && entry->second != result.result.brackets)
            verdict.bracketingDependsOnRoot = true;
        }
        verdict.bracketsKnown |= !result.result.brackets.empty();
      }
      if (any)
        verdict.checkedPs.push_back(p);
    }
    if (options.lemmas)
      options.lemmas->check(schedule);
    checkTellings(schedule, options, verdict.checkedPs);
    verdict.ok = true;
  } catch (Finding &finding) {
    if (!finding.diagnostic.range.isValid())
      finding.diagnostic.range = schedule.nameRange;
    if (auto rank = rankOfResult(finding.diagnostic.facts); rank && !namesRound(finding.diagnostic))
      noteLastReceipt(schedule, current, options, trees, *rank, finding.diagnostic);
    noteUses(schedule, finding.diagnostic);
    if (finding.diagnostic.id() != diag::Id::LemmaWrong) // a lemma belongs to no case
      finding.diagnostic.note({}, diag::SmallestCase{.instance = valuesOf(schedule, current)});
    verdict.failure = std::move(finding.diagnostic);
  }
  verdict.mapsGiven = options.nodes.isGiven();
  verdict.allMaps = !triesSomeMaps(schedule, options, verdict.checkedPs);
  verdict.needsCommutative = commutativeSeen;
  if (verdict.ok && schedule.requiresCommutative && !commutativeSeen && !verdict.checkedPs.empty() &&
      verdict.checkedPs.back() >= 5 && verdict.checkedPs.front() <= 16)
    verdict.warnings.push_back(Diagnostic(schedule.commutativeRange, diag::CommutativeUnneeded{})
                                   .mend(deletion("take `requires commutative` out", schedule.commutativeRange)));
  return verdict;
}

} // namespace quadrille::compiler
