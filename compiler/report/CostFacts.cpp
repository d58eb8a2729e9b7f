//===- CostFacts.cpp - How good a cost is: lower bounds, and the best number of packets -------------------------------------===//

#include "CostFacts.h"

#include "cost/Optimality.h"
#include "limits/Limits.h"
#include "machines/BestK.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <array>
#include <cmath>
#include <map>

namespace quadrille::compiler {

std::optional<std::string> packetParameter(const ir::Schedule &schedule, const ScheduleCost &cost) {
  for (unsigned i = 0; i < schedule.parameterCount; ++i) {
    const std::string &name = schedule.variables[ir::Schedule::firstNumber + i].name;
    bool isThat = false;
    cost.formulas.beta.rewrite([&](FormulaFunction function, llvm::ArrayRef<Formula> x) -> std::optional<Formula> {
      isThat |= function == FormulaFunction::Ceiling && x[0] == Formula::symbol("n") / Formula::symbol(name);
      return std::nullopt;
    });
    if (isThat)
      return name;
  }
  return std::nullopt;
}

/// The formula for p > 1.
static Formula beyondOne(const Formula &f) {
  const Formula p = Formula::symbol("p");
  return f.rewrite([&](FormulaFunction function, llvm::ArrayRef<Formula> x) -> std::optional<Formula> {
    if (function == FormulaFunction::Equal && x[0] == p && x[1] == Formula(1))
      return Formula(0);
    if (function == FormulaFunction::Less && x[0] == Formula(1) && x[1] == p)
      return Formula(1);
    return std::nullopt;
  });
}

namespace {
/// A lower bound, and what is known of the schedule's distance from it in general.
struct KnownBound {
  LowerBound bound;
  std::string text, verdict; // "; optimal in rounds"
};

std::string decimal(const Rational &ratio) {
  if (ratio.isInteger())
    return ratio.text();
  const double value = static_cast<double>(ratio.num()) / static_cast<double>(ratio.den());
  // A ratio that is not 1 must not be rounded to 1.
  const double distance = std::abs(value - 1);
  return llvm::formatv(distance >= 0.005 ? "{0:f2}" : distance >= 0.00005 ? "{0:f4}" : "{0:f8}", value).str();
}

void label(llvm::raw_ostream &out, llvm::StringRef text) {
  out << "  " << text << std::string(text.size() < 14 ? 14 - text.size() : 1, ' ');
}
} // namespace

struct CostFacts::Known {
  Known(const ir::Schedule &schedule, const MachineParameters &machine)
      : schedule(schedule), machine(machine), cost(costFormulas(schedule)), functions(schedule), callees(functions.at(1, {}, 0)) {
    if (!cost)
      return;
    k = packetParameter(schedule, *cost).value_or("");
    if (k.empty())
      return;
    symbols = {"p", "n"};
    for (unsigned i = 0; i < schedule.numberCount; ++i)
      if (const std::string &name = schedule.variables[ir::Schedule::firstNumber + i].name; name != k)
        symbols.push_back(name);
    const std::optional<Formula> sum = unlessTooLarge([&] { return cost->formulas.total(); });
    if (!sum)
      return;
    const Formula &total = *sum;
    choice.emplace(total, k, symbols, machine, callees.get());
    if (std::optional<ScheduleCost> said = costFormulas(schedule, PlainFunctions::Called)) // in the author's words, if these have the form
      parts = unlessTooLarge([&] { return packetCost(said->formulas.total(), k); }).value_or(std::nullopt);
    if (!parts)
      parts = packetCost(total, k);
    if (!parts)
      return;
    std::string where;
    for (const PacketCost::Assumption &assumption : parts->assumptions)
      where += (where.empty() ? " for " : ", ") + assumption.text;
    if (std::optional<Formula> best = parts->bestK())
      bestText = best->text() + where;
    if (std::optional<Formula> least = parts->leastCost())
      leastText = least->text() + where;
  }

  /// The bound of rounds and the bound of words.
  using Bounds = std::pair<std::optional<KnownBound>, std::optional<KnownBound>>;
  const Bounds &boundsUnder(const ModelInForce &model) {
    auto [found, isNew] = bounds.try_emplace(model.text());
    if (isNew)
      found->second = unlessTooLarge([&] { return findBounds(model); }).value_or(Bounds());
    return found->second;
  }

  Bounds findBounds(const ModelInForce &model) {
    Bounds result;
    const std::string &collective = schedule.collective->name;
    std::optional<LowerBound> rounds = sendsOnePacketARound() ? packetRoundsBound(collective, model, k) : std::nullopt;
    if (!rounds)
      rounds = roundsBound(collective, model);
    if (rounds)
      result.first = judged(*rounds, cost && !cost->isRoundsUpperBound ? std::optional(cost->formulas.rounds) : std::nullopt, "rounds");
    std::optional<LowerBound> words = wordsBound(collective, model);
    if (words && !(words->formula == Formula(0)))
      result.second = judged(*words, cost && !cost->isUpperBound ? std::optional(cost->formulas.beta) : std::nullopt, "words");
    return result;
  }

  /// Whether a round takes one packet, as far as the formulas tell. A schedule that sends several packets in a round, or packets of
  /// packets, may need fewer rounds than there are packets.
  bool sendsOnePacketARound() const {
    if (k.empty())
      return false;
    const Formula n = Formula::symbol("n"), packets = Formula::symbol(k), rounds = beyondOne(cost->formulas.rounds);
    return llvm::any_of(std::array{Formula::apply(FormulaFunction::Ceiling, {n / packets}), n / packets},
                        [&](const Formula &packet) { return isZero(beyondOne(cost->formulas.beta) - rounds * packet) == true; });
  }

  KnownBound judged(const LowerBound &bound, const std::optional<Formula> &formula, const std::string &what) {
    KnownBound result{bound, bound.formula.text(), ""};
    if (!formula)
      return result;
    switch (optimality(*formula, bound.formula, factsOf(schedule))) {
    case Optimality::Proved:
      result.verdict = "; optimal in " + what;
      break;
    case Optimality::ButForRounding:
      result.verdict = "; optimal in " + what + " but for rounding";
      break;
    case Optimality::No:
    case Optimality::Unknown:
      result.verdict = tried(*formula, bound.formula, what);
      break;
    }
    return result;
  }

  /// Algebra does not show that the formulas are equal: tries up to which p they are.
  std::string tried(const Formula &formula, const Formula &bound, const std::string &what) {
    bool isEqual = true, any = false;
    for (std::int64_t p = 1; p <= limits::ranksOfOptimality && isEqual; ++p)
      for (std::int64_t parameter : {1, 2, 5})
        for (std::int64_t root : {std::int64_t(0), p / 2, p - 1}) {
          Case other{p, std::vector<std::int64_t>(schedule.numberCount, root)};
          std::fill_n(other.numbers.begin(), schedule.parameterCount, parameter);
          if (!isEqual || !isAdmitted(schedule, other, trees))
            continue;
          any = true;
          for (const Lengths &lengths : sampleLengths(other)) {
            std::unique_ptr<FormulaValues> at = functions.at(p, other.numbers, lengths);
            std::optional<Rational> x = evaluate(formula, *at), y = evaluate(bound, *at);
            isEqual &= x && y && *x == *y;
          }
        }
    if (isEqual && any)
      return "; optimal in " + what + " for p in 1.." + std::to_string(limits::ranksOfOptimality.value()) + " and some n, by trying";
    const std::optional<Formula> ratio = unlessTooLarge([&] { return simplify(beyondOne(formula) / beyondOne(bound), factsOf(schedule)); });
    return ratio && ratio->text().size() <= limits::ratioText ? "; ratio " + ratio->text() : "";
  }

  std::vector<Lengths> sampleLengths(const Case &instance) {
    std::vector<Lengths> result;
    LengthTables tables = lengthTables(schedule, instance);
    for (std::int64_t n : {5, 1000})
      for (LengthPattern pattern : {LengthPattern::Even, LengthPattern::Uneven, LengthPattern::Single}) {
        result.push_back(tables ? fill(tables, n, pattern) : Lengths(n));
        if (!tables)
          break;
      }
    return result;
  }

  const ir::Schedule &schedule;
  const MachineParameters machine;
  std::optional<ScheduleCost> cost;
  ScheduleFunctions functions;
  std::unique_ptr<FormulaValues> callees; // asked by `choice`
  std::string k;                          // empty: no packets
  std::vector<std::string> symbols;       // of `choice`
  std::optional<PacketChoice> choice;
  std::optional<PacketCost> parts;      // of `choice`
  std::string bestText, leastText;      // empty: no formula
  std::map<std::string, Bounds> bounds; // by model
  TreeCache trees;
};

CostFacts::CostFacts(const ir::Schedule &schedule, const MachineParameters &machine)
    : known(std::make_unique<Known>(schedule, machine)) {}
CostFacts::~CostFacts() = default;

std::optional<Rational> BoundFact::ratio() const {
  if (!value || value->isZero())
    return std::nullopt;
  const Rational result = Rational(found) / *value;
  return result.valid() ? std::optional(result) : std::nullopt;
}

CaseFacts CostFacts::at(const Case &instance, const Lengths &lengths, std::uint32_t foundRounds, const ModelInForce &strictest,
                        const Cost &measured, TreeCache &trees) {
  std::unique_ptr<FormulaValues> values = known->functions.at(instance.p, instance.numbers, lengths);
  auto &[rounds, words] = known->boundsUnder(declaredModel(known->schedule, instance, trees).value_or(strictest));
  auto fact = [&](const std::optional<KnownBound> &bound, std::int64_t found) -> std::optional<BoundFact> {
    if (!bound)
      return std::nullopt;
    return BoundFact{bound->text, bound->bound.source, bound->bound.formula.number().has_value(),
                     evaluate(bound->bound.formula, *values), found, bound->verdict};
  };
  CaseFacts facts{fact(rounds, foundRounds), fact(words, measured.b), std::nullopt};
  if (!known->choice)
    return facts;
  PacketFact &packets = facts.packets.emplace();
  packets.k = known->k;
  packets.formula = known->bestText;
  packets.isUpperBound = known->cost->isUpperBound;
  packets.lacksApplications = known->machine.gamma > 0 && known->schedule.usesOperator && !known->cost->hasGamma;
  std::vector<double> given;
  for (const std::string &symbol : known->symbols)
    given.push_back(static_cast<double>(values->symbol(symbol).value_or(Rational(0)).num()));
  packets.choice = known->choice->at(given);
  if (packets.choice) {
    Case best = instance;
    for (unsigned i = 0; i < known->schedule.parameterCount; ++i)
      if (known->schedule.variables[ir::Schedule::firstNumber + i].name == known->k)
        best.numbers[i] = packets.choice->k;
    packets.isAdmitted = isAdmitted(known->schedule, best, known->trees);
  }
  packets.least = known->leastText;
  if (!packets.least.empty())
    packets.whyNotHere = known->parts->whyNotAt(*values, known->machine);
  return facts;
}

static void printBound(llvm::StringRef name, const BoundFact &fact, llvm::raw_ostream &out) {
  label(out, name);
  out << fact.formula;
  if (fact.value && !fact.isNumber)
    out << " = " << fact.value->text();
  out << " (" << fact.source << ')';
  if (std::optional<Rational> ratio = fact.ratio()) {
    if (*ratio == Rational(1))
      out << "; met here";
    else
      out << "; " << decimal(*ratio) << " times that here";
  }
  out << fact.verdict << '\n';
}

void printFacts(const CaseFacts &facts, llvm::raw_ostream &out) {
  if (facts.rounds)
    printBound("rounds bound", *facts.rounds, out);
  if (facts.words)
    printBound("words bound", *facts.words, out);
  if (!facts.packets)
    return;
  const PacketFact &packets = *facts.packets;
  label(out, "best " + packets.k);
  out << (packets.formula.empty() ? "known by trying only" : packets.formula);
  if (packets.choice) {
    out << "; here " << packets.k << " = " << packets.choice->k << (packets.isAdmitted ? "" : ", which it does not admit") << ", T ";
    if (packets.lacksApplications)
      out << "without operator applications ";
    out << (packets.isUpperBound ? "<= " : "= ") << durationText(packets.choice->seconds);
    if (!packets.choice->isExact)
      out << " (the best of those tried, within " << LimitInForce(limits::packetCounts).text() << ")";
  }
  out << '\n';
  if (!packets.least.empty()) {
    label(out, "T at best " + packets.k);
    out << "about " << packets.least << (packets.whyNotHere.empty() ? "" : "; not here, where " + packets.whyNotHere) << '\n';
  }
}

} // namespace quadrille::compiler
