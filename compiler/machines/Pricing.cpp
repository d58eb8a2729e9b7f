//===- Pricing.cpp - The time of one schedule by its formula -----------------------------------------------------------===//

#include "Pricing.h"

#include <cmath>

namespace quadrille::compiler {

Pricing::Pricing(const Candidate &candidate, const MachineParameters &machine)
    : machine(machine), values(ScheduleFunctions(*candidate.schedule).at(1, {}, 0)) {
  std::vector<std::string> symbols = {"p", "n", "root"};
  const Formula total = candidate.cost.formulas.total();
  if (!candidate.k.empty())
    packets.emplace(total, candidate.k, symbols, machine, values.get());
  for (const char *unit : {"alpha", "beta", "gamma"})
    symbols.push_back(unit);
  plain.emplace(total, symbols, values.get());
  if (candidate.schedule->parameterCount == 1) {
    symbols.push_back(candidate.schedule->variables[ir::Schedule::firstNumber].name);
    withParameter.emplace(total, symbols, values.get());
  }
}

BestK Pricing::at(std::int64_t p, std::int64_t n, unsigned effort) const {
  const double given[] = {static_cast<double>(p), static_cast<double>(n), 0};
  if (packets)
    return packets->at(given, effort).value_or(BestK{1, std::nan(""), false});
  return {0, (*plain)({given[0], given[1], 0, machine.alpha, machine.beta, machine.gamma}), true};
}

BestK Pricing::atParameter(std::int64_t p, std::int64_t n, std::int64_t k) const {
  if (!withParameter)
    return at(p, n);
  return {k, (*withParameter)({static_cast<double>(p), static_cast<double>(n), 0, machine.alpha, machine.beta, machine.gamma, static_cast<double>(k)}), true};
}

} // namespace quadrille::compiler
