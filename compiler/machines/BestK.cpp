//===- BestK.cpp - The best number of packets ------------------------------------------------------------------===//

#include "BestK.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cmath>

namespace quadrille::compiler {

using F = FormulaFunction;

/// The text of the negated condition. p is at least 1.
static std::string opposite(const Formula &condition) {
  if (condition == Formula::apply(F::Equal, {Formula::symbol("p"), Formula(1)}))
    return "p > 1";
  Formula negated = Formula::apply(F::Not, {condition});
  condition.rewrite([&](F function, llvm::ArrayRef<Formula> x) -> std::optional<Formula> {
    if ((function == F::Less || function == F::LessEqual) && Formula::apply(function, x) == condition)
      negated = Formula::apply(function == F::Less ? F::LessEqual : F::Less, {x[1], x[0]});
    return std::nullopt;
  });
  return negated.text();
}

static std::optional<PacketCost> partsOf(const Formula &total, llvm::StringRef k) {
  PacketCost result;
  auto take = [&](const Formula &condition, bool holds) {
    const std::string text = holds ? condition.text() : opposite(condition);
    if (llvm::none_of(result.assumptions, [&](const PacketCost::Assumption &known) { return known.text == text; }))
      result.assumptions.push_back({condition, holds, text});
  };
  Formula smooth = total.rewrite([&](F function, llvm::ArrayRef<Formula> x) -> std::optional<Formula> {
    if (function == F::Ceiling && x[0].mentions(k))
      return x[0];
    // Take the branch that depends on k. The other one is an exception for a few ranks.
    if (function == F::Select && !x[0].mentions(k) && (x[1].mentions(k) || x[2].mentions(k))) {
      bool isOther = x[2].mentions(k);
      take(x[0], !isOther);
      return x[isOther ? 2 : 1];
    }
    return std::nullopt;
  });
  Formula symbol = Formula::symbol(k), polynomial = smooth * symbol;
  std::optional<Formula> parts[3];
  for (unsigned degree = 0; degree < 3; ++degree)
    if (parts[degree] = polynomial.coefficient(k, degree); !parts[degree])
      return std::nullopt;
  if (!(polynomial - *parts[0] - *parts[1] * symbol - *parts[2] * symbol * symbol == Formula(0)))
    return std::nullopt;
  result.perLength = *parts[0];
  result.fixed = *parts[1];
  result.perPacket = *parts[2];
  return result;
}

std::optional<PacketCost> packetCost(const Formula &total, llvm::StringRef k) {
  return unlessTooLarge([&] { return partsOf(total, k); }).value_or(std::nullopt);
}

std::optional<Formula> PacketCost::bestK() const {
  if (perPacket == Formula(0) || perLength == Formula(0))
    return std::nullopt;
  return unlessTooLarge([&] { return Formula::apply(F::SquareRoot, {perLength / perPacket}); });
}

std::optional<Formula> PacketCost::leastCost() const {
  if (!bestK())
    return std::nullopt;
  return unlessTooLarge([&] { return fixed + Formula(2) * Formula::apply(F::SquareRoot, {perLength * perPacket}); });
}

std::string PacketCost::whyNotAt(const FormulaValues &values, const MachineParameters &machine) const {
  for (const Assumption &assumption : assumptions)
    if (std::optional<Rational> truth = evaluate(assumption.condition, values); !truth || truth->isZero() == assumption.holds)
      return "`" + assumption.text + "` does not hold";
  const std::vector<std::string> units{"alpha", "beta", "gamma"};
  const double given[] = {machine.alpha, machine.beta, machine.gamma};
  // Substitute all symbols but the machine parameters.
  auto at = [&](const Formula &f) {
    std::vector<std::pair<std::string, Formula>> by;
    for (const std::string &symbol : f.symbols())
      if (std::optional<Rational> value = llvm::is_contained(units, symbol) ? std::nullopt : values.symbol(symbol); value && value->valid())
        by.push_back({symbol, Formula(*value)});
    return CompiledFormula(f.substitute(by), units, &values)(given);
  };
  const double best = at(perLength) / at(perPacket);
  const double most = static_cast<double>(std::max<std::int64_t>(1, values.symbol("n").value_or(Rational(1)).num()));
  return best >= 1 && std::sqrt(best) <= most ? "" : "the number of packets is none of 1..n"; // NaN fails the comparison, too
}

// ---- at numbers ----------------------------------------------------------------------------------------------------------

static std::vector<std::string> withUnits(llvm::ArrayRef<std::string> symbols, llvm::StringRef k) {
  std::vector<std::string> result(symbols.begin(), symbols.end());
  for (llvm::StringRef name : {llvm::StringRef("alpha"), llvm::StringRef("beta"), llvm::StringRef("gamma"), k})
    result.push_back(name.str());
  return result;
}

PacketChoice::PacketChoice(const Formula &total, llvm::StringRef k, llvm::ArrayRef<std::string> symbols,
                           const MachineParameters &machine, const FormulaValues *values)
    : machine(machine), exact(total, withUnits(symbols, k), values) {
  if (std::optional<PacketCost> parts = packetCost(total, k)) {
    perPacket.emplace(parts->perPacket, withUnits(symbols, k), values);
    perLength.emplace(parts->perLength, withUnits(symbols, k), values);
    fixed.emplace(parts->fixed, withUnits(symbols, k), values);
  }
}

std::optional<BestK> PacketChoice::at(llvm::ArrayRef<double> given, unsigned effort) const {
  llvm::SmallVector<double, 12> values(given);
  values.append({machine.alpha, machine.beta, machine.gamma, 1});
  const double most = std::max(1.0, std::min(given[1], 9e15));
  BestK best;
  bool any = false;
  unsigned tried = 0;
  auto attempt = [&](double k) {
    k = std::clamp(std::floor(k), 1.0, most);
    values.back() = k;
    double seconds = exact(values);
    ++tried;
    if (std::isnan(seconds))
      return;
    auto whole = static_cast<std::int64_t>(k);
    // Among equal costs, take the smallest k.
    if (!any || seconds < best.seconds || (seconds == best.seconds && whole < best.k)) {
      best.k = whole;
      best.seconds = seconds;
    }
    any = true;
  };
  auto all = [&](double from, double to) {
    for (double k = from; k <= to; ++k)
      attempt(k);
  };
  double a = perPacket ? (*perPacket)(values) : std::nan(""), b = perPacket ? (*perLength)(values) : std::nan("");
  double c = perPacket ? (*fixed)(values) : std::nan("");
  if (std::isnan(a) || std::isnan(b) || std::isnan(c) || a <= 0) {
    // T has another form: try all k, or a grid and the neighbourhood of its best point.
    if (most <= effort) {
      all(1, most);
      best.isExact = true;
    } else {
      for (double k = 1; k < most; k *= 1.25)
        attempt(k);
      attempt(most);
      double centre = static_cast<double>(best.k), reach = std::max(1.0, effort / 4.0);
      all(std::max(1.0, centre - reach), std::min(most, centre + reach));
    }
    return any ? std::optional(best) : std::nullopt;
  }
  double centre = std::clamp(b > 0 ? std::sqrt(b / a) : 1.0, 1.0, most);
  attempt(centre);
  attempt(centre + 1);
  // For packets of m elements, ceil(n/m) is the smallest k: more packets cost startups without being shorter.
  double length = std::ceil(given[1] / std::max(1.0, centre));
  for (double m : {length - 1, length, length + 1})
    if (m >= 1)
      attempt(std::ceil(given[1] / m));
  if (!any)
    return std::nullopt;
  if (effort <= tried)
    return best;
  // T without roundings is a lower bound. So better k can only be where that bound is below the best T found.
  double slack = best.seconds * (1 + 1e-12) - c, root = slack * slack - 4 * a * b;
  double low = 1, high = most;
  if (root >= 0) {
    low = std::clamp(std::floor((slack - std::sqrt(root)) / (2 * a)), 1.0, most);
    high = std::clamp(std::ceil((slack + std::sqrt(root)) / (2 * a)), 1.0, most);
  }
  double shortest = std::max(1.0, std::ceil(given[1] / high)), longest = std::max(1.0, std::ceil(given[1] / low));
  if (high - low <= effort) {
    all(low, high);
    best.isExact = true;
  } else if (longest - shortest <= effort) {
    for (double m = shortest; m <= longest; ++m)
      attempt(std::ceil(given[1] / m));
    attempt(low);
    best.isExact = true;
  } else {
    all(std::max(low, centre - effort / 4.0), std::min(high, centre + effort / 4.0));
    for (double m = std::max(shortest, length - effort / 4.0); m <= std::min(longest, length + effort / 4.0); ++m)
      attempt(std::ceil(given[1] / m));
  }
  return best;
}

} // namespace quadrille::compiler
