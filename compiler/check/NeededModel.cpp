//===- NeededModel.cpp - The port model that a schedule needs -----------------------------------------------------------===//

#include "NeededModel.h"

namespace quadrille::compiler {

std::optional<ModelInForce> neededModel(const ir::Schedule &schedule) {
  ModelInForce result;
  bool any = false;
  for (std::int64_t p = 3; p <= 8; ++p) {
    TreeCache trees;
    Case instance{p, std::vector<std::int64_t>(schedule.numberCount, 0)};
    std::fill_n(instance.numbers.begin(), schedule.parameterCount, 3);
    try {
      if (!admits(schedule, instance, trees))
        continue;
      if (std::optional<ModelInForce> declared = declaredModel(schedule, instance, trees))
        return declared;
      ModelInForce found = checkCase(schedule, instance, {}, schedule.requiresCommutative, trees).strictest;
      if (!any || found.contains(result))
        result = found;
      any = true;
    } catch (const Finding &) {
      return std::nullopt;
    } catch (const EvaluationError &) {
      return std::nullopt;
    }
  }
  return any ? std::optional(result) : std::nullopt;
}

} // namespace quadrille::compiler
