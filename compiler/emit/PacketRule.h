//===- PacketRule.h - Schedules whose number of packets can be chosen ------------------------------------*- C++ -*-===//
//
// Where the only parameter k of a schedule says into how many packets a block is split, and its rounds are a + c*k, the
// time (a + c*k) * (alpha + beta*ceil(n/k)) tells the best k for a machine: what a call with k = 0 does.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_EMIT_PACKETRULE_H
#define QUADRILLE_EMIT_PACKETRULE_H

#include "ir/Schedule.h"

#include <optional>
#include <string>

namespace quadrille::compiler::emit {

struct PacketRule {
  static constexpr unsigned parameter = ir::Schedule::firstNumber;
  /// Linear in the parameter, and otherwise a function of p and the root, over the frame of the schedule with its lets.
  const ir::Expr *rounds = nullptr;
};

/// How k is to be chosen; nothing, and why, if there is no such choice. The number of rounds is that of the `rounds`
/// clause, be it exact or a bound, or else the first factor of a `cost` clause of that form.
std::optional<PacketRule> packetRule(const ir::Schedule &schedule, std::string &whyNot);

/// The lets at the top level of a schedule: what each variable is set to, or null.
const ir::Expr *letValue(const ir::Schedule &schedule, unsigned variable);

} // namespace quadrille::compiler::emit

#endif // QUADRILLE_EMIT_PACKETRULE_H
