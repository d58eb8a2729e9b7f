//===- CostFacts.cpp - What a cost is worth: bounds, and the best number of packets -----------------------------------------===//

#include "CostFacts.h"

#include "cost/BestK.h"
#include "cost/Optimality.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

namespace quadrille {

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

/// What a formula is for several ranks.
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
class FactsPrinter {
public:
  FactsPrinter(const ir::Schedule &schedule, const Case &instance, std::int64_t n, const CaseResult &result, const Cost &measured,
               const MachineParameters &machine, TreeCache &trees, llvm::raw_ostream &out)
      : schedule(schedule), instance(instance), n(n), result(result), measured(measured), machine(machine), out(out),
        cost(costFormulas(schedule)), values(ScheduleFunctions(schedule).at(instance.p, instance.numbers, n)) {
    model = declaredModel(schedule, instance, trees).value_or(result.strictest);
    if (cost)
      k = packetParameter(schedule, *cost).value_or("");
  }

  void print() {
    std::optional<LowerBound> rounds =
        k.empty() ? std::nullopt : packetRoundsBound(schedule.collective->name, model, k);
    if (!rounds)
      rounds = roundsBound(schedule.collective->name, model);
    if (rounds)
      bound("rounds bound", *rounds, Rational(static_cast<std::int64_t>(result.rounds)),
            cost && !cost->isRoundsUpperBound ? std::optional(cost->formulas.rounds) : std::nullopt, "rounds");
    if (std::optional<LowerBound> words = wordsBound(schedule.collective->name, model); words && !(words->formula == Formula(0)))
      bound("words bound", *words, Rational(measured.b),
            cost && !cost->isUpperBound ? std::optional(cost->formulas.beta) : std::nullopt, "words");
    if (!k.empty())
      packets();
  }

private:
  void line(llvm::StringRef label) { out << "  " << label << std::string(label.size() < 14 ? 14 - label.size() : 1, ' '); }

  void bound(llvm::StringRef label, const LowerBound &bound, const Rational &found, const std::optional<Formula> &formula,
             llvm::StringRef what) {
    line(label);
    out << bound.formula.text();
    std::optional<Rational> value = evaluate(bound.formula, *values);
    if (value && !bound.formula.number())
      out << " = " << value->text();
    out << " (" << bound.source << ')';
    if (value && !value->isZero()) {
      Rational ratio = found / *value;
      if (ratio == Rational(1))
        out << "; met here";
      else if (ratio.valid())
        out << "; " << decimal(ratio) << " times that here";
    }
    const FormulaFacts facts = factsOf(schedule);
    if (formula) {
      switch (optimality(*formula, bound.formula, facts)) {
      case Optimality::Proved:
        out << "; optimal in " << what;
        break;
      case Optimality::ButForRounding:
        out << "; optimal in " << what << " but for rounding";
        break;
      case Optimality::No:
      case Optimality::Unknown:
        others(*formula, bound.formula, what);
        break;
      }
    }
    out << '\n';
  }

  /// Not equal by the rules of algebra: up to where it is, by trying.
  void others(const Formula &formula, const Formula &bound, llvm::StringRef what) {
    constexpr std::int64_t most = 64;
    constexpr size_t maxRatio = 100; // characters; longer ones tell nobody anything
    bool isEqual = true, any = false;
    const ScheduleFunctions functions(schedule);
    TreeCache trees;
    for (std::int64_t p = 1; p <= most && isEqual; ++p) {
      Case other{p, std::vector<std::int64_t>(schedule.numberCount, 0)};
      try {
        if (!admits(schedule, other, trees))
          continue;
      } catch (const Finding &) {
        continue;
      }
      for (std::int64_t parameter : {1, 2, 5}) {
        std::fill_n(other.numbers.begin(), schedule.parameterCount, parameter);
        for (std::int64_t root : {std::int64_t(0), p / 2, p - 1}) {
          std::fill(other.numbers.begin() + schedule.parameterCount, other.numbers.end(), root);
          for (std::int64_t length : {1, 5, 64, 1000}) {
            if (!isEqual)
              break;
            std::unique_ptr<FormulaValues> at = functions.at(p, other.numbers, length);
            std::optional<Rational> x = evaluate(formula, *at), y = evaluate(bound, *at);
            isEqual = x && y && *x == *y;
          }
        }
      }
      any = true;
    }
    if (isEqual && any)
      out << "; optimal in " << what << " for p in 1.." << most << " and some n, by trying";
    else if (std::string text = simplify(beyondOne(formula) / beyondOne(bound), factsOf(schedule)).text(); text.size() <= maxRatio)
      out << "; ratio " << text;
  }

  static std::string decimal(const Rational &ratio) {
    if (ratio.isInteger())
      return ratio.text();
    return llvm::formatv("{0:f2}", static_cast<double>(ratio.num()) / static_cast<double>(ratio.den())).str();
  }

  void packets() {
    const Formula total = cost->formulas.total();
    std::optional<PacketCost> parts; // in the author's words, if they will do
    if (std::optional<ScheduleCost> said = costFormulas(schedule, PlainFunctions::Called))
      parts = packetCost(said->formulas.total(), k);
    if (!parts)
      parts = packetCost(total, k);
    line("best " + k);
    std::optional<Formula> best = parts ? parts->bestK() : std::nullopt, least = parts ? parts->leastCost() : std::nullopt;
    std::vector<std::string> symbols = {"p", "n"};
    std::vector<double> given = {static_cast<double>(instance.p), static_cast<double>(n)};
    for (size_t i = 0; i < instance.numbers.size(); ++i)
      if (const std::string &name = schedule.variables[ir::Schedule::firstNumber + i].name; name != k) {
        symbols.push_back(name);
        given.push_back(static_cast<double>(instance.numbers[i]));
      }
    std::optional<BestK> choice = PacketChoice(total, k, symbols, machine, values.get()).at(given);
    if (best) {
      out << best->text();
      if (!parts->assumptions.empty())
        out << " for " << llvm::join(parts->assumptions, ", ");
    } else {
      out << "no formula";
    }
    if (choice) {
      out << "; here " << k << " = " << choice->k << ", T " << (cost->isUpperBound ? "<= " : "= ") << durationText(choice->seconds);
      if (!choice->isExact)
        out << " (the best of those tried)";
    }
    out << '\n';
    if (least) {
      line("T at best " + k);
      out << (cost->isUpperBound ? "<= " : "") << least->text() << '\n';
    }
  }

  const ir::Schedule &schedule;
  const Case &instance;
  const std::int64_t n;
  const CaseResult &result;
  const Cost measured;
  const MachineParameters machine;
  llvm::raw_ostream &out;
  std::optional<ScheduleCost> cost;
  std::unique_ptr<FormulaValues> values;
  ModelInForce model;
  std::string k; // empty: no packets
};
} // namespace

void printCostFacts(const ir::Schedule &schedule, const Case &instance, std::int64_t n, const CaseResult &result,
                    const Cost &measured, const MachineParameters &machine, TreeCache &trees, llvm::raw_ostream &out) {
  FactsPrinter(schedule, instance, n, result, measured, machine, trees, out).print();
}

} // namespace quadrille
