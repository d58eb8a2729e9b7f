//===- Pricing.h - The time of one schedule by its formula -------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_MACHINES_PRICING_H
#define QUADRILLE_MACHINES_PRICING_H

#include "Compare.h"

namespace quadrille::compiler {

/// T of a candidate, at its best number of packets or a given one. Compiled for many calls.
class Pricing {
public:
  Pricing(const Candidate &candidate, const MachineParameters &machine);

  /// `effort`: see PacketChoice::at. The default, for comparisons, gives a T at most a few thousandths above the best one. NaN: T has no
  /// value.
  BestK at(std::int64_t p, std::int64_t n, unsigned effort = 8) const;
  /// T for a given value k of the schedule's parameter, which need not be a number of packets.
  BestK atParameter(std::int64_t p, std::int64_t n, std::int64_t k) const;

private:
  MachineParameters machine;
  std::unique_ptr<FormulaValues> values;
  std::optional<PacketChoice> packets;
  std::optional<CompiledFormula> plain, withParameter;
};

} // namespace quadrille::compiler

#endif // QUADRILLE_MACHINES_PRICING_H
