//===- PacketRule.h - Schedules whose number of packets can be chosen ------------------------------------*- C++ -*-===//
//
// If the only parameter k of a schedule is the number of packets of a block, and its rounds are a + c*k, then the time is
// (a + c*k) * (alpha + beta*ceil(n/k)). A call with k = 0 takes the k that minimizes it for the machine at hand.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_EMIT_PACKETRULE_H
#define QUADRILLE_EMIT_PACKETRULE_H

#include "diagnostics/Facts.h"
#include "ir/Schedule.h"

#include <optional>

namespace quadrille::compiler::emit {

struct PacketRule {
  static constexpr unsigned parameter = ir::Schedule::firstNumber;
  /// The number of rounds: linear in the parameter, a function of p and the schedule's other numbers, in the schedule's frame.
  const ir::Expr *rounds = nullptr;
};

/// The rule by which k is chosen; nothing if there is none, and `whyNot` says why. The number of rounds is the formula of the
/// `rounds` clause, exact or a bound, or else the first factor of a `cost` clause of the form above.
std::optional<PacketRule> packetRule(const ir::Schedule &schedule, std::optional<diag::NoPackets> &whyNot);

/// The value that a `let` at the top level of the schedule gives to a variable, or null.
const ir::Expr *letValue(const ir::Schedule &schedule, unsigned variable);

} // namespace quadrille::compiler::emit

#endif // QUADRILLE_EMIT_PACKETRULE_H
