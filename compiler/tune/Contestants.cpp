//===- Contestants.cpp - The schedules that a table may choose -------------------------------------------------------===//

#include "Contestants.h"

#include "check/NeededModel.h"
#include "emit/LibraryUnits.h"
#include "emit/PacketRule.h"
#include "ir/Walk.h"

#include "llvm/ADT/STLExtras.h"

namespace quadrille::compiler::tune {

/// The values that are tried for parameters: radices, sizes of groups, dimensions; and numbers of packets, beside the one that the call would choose,
/// which does not know that very short messages are cheaper.
static constexpr std::int64_t triedParameters[] = {2, 3, 4};

/// The number of places in the text, and in those of used schedules, where ranks copy or combine what they have. Costs do not count these.
static size_t localOperations(const ir::Schedule &schedule) {
  size_t count = 0;
  ir::anyStatement(schedule.body, [&](const ir::Stmt &stmt) {
    if (const auto *use = llvm::dyn_cast<ir::UseStmt>(&stmt))
      count += localOperations(*use->callee);
    count += llvm::isa<ir::AssignStmt>(stmt);
    return false;
  });
  return count;
}

std::string Contestant::parameterText() const {
  if (!parameter)
    return "";
  return schedule->variables[ir::Schedule::firstNumber].name + "=" + (*parameter == 0 ? "auto" : std::to_string(*parameter));
}

bool Contestant::admits(std::int64_t p) const {
  Case instance{p, std::vector<std::int64_t>(schedule->numberCount, 0)};
  std::fill_n(instance.numbers.begin(), schedule->parameterCount, std::max<std::int64_t>(1, parameter.value_or(1)));
  TreeCache trees;
  return isAdmitted(*schedule, instance, trees);
}

static CheckOptions withSmallCases(CheckOptions check) {
  check.ps = {2, 3, 4, 5, 8};
  return check;
}

Contestants::Contestants(std::vector<const ir::Schedule *> schedules, CheckOptions check)
    : schedules(std::move(schedules)), check(withSmallCases(std::move(check))) {}

/// Whether all ranks use the same bracketing and so get the same bits. Programs need this, since their ranks branch on results.
bool Contestants::givesSameBits(const ir::Schedule &schedule) const {
  if (!schedule.usesOperator)
    return true;
  const Verdict verdict = checkSchedule(schedule, check);
  return !verdict.failure && verdict.sameBracketing;
}

std::vector<Contestant> Contestants::of(const std::string &collective) const {
  std::vector<Contestant> result;
  for (const ir::Schedule *schedule : schedules) {
    if (schedule->collective->name != collective || schedule->parameterCount > 1 || !givesSameBits(*schedule))
      continue;
    if (schedule->parameterCount == 0) {
      result.push_back({schedule, std::nullopt});
      continue;
    }
    std::optional<diag::NoPackets> whyNot;
    if (emit::takesLength(*schedule) && emit::packetRule(*schedule, whyNot))
      result.push_back({schedule, 0});
    for (std::int64_t value : triedParameters)
      result.push_back({schedule, value});
  }
  llvm::stable_sort(result, [](const Contestant &a, const Contestant &b) { return localOperations(*a.schedule) < localOperations(*b.schedule); });
  return result;
}

bool Contestants::needsPorts(const ir::Schedule &schedule) {
  auto [entry, isNew] = ports.try_emplace(&schedule, false);
  if (isNew) {
    const std::optional<ModelInForce> needed = neededModel(schedule);
    entry->second = !needed || !ModelInForce{ir::PortModel::FullDuplex}.contains(*needed);
  }
  return entry->second;
}

} // namespace quadrille::compiler::tune
