//===- NeededModel.h - The port model that a schedule needs -------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_CHECK_NEEDEDMODEL_H
#define QUADRILLE_CHECK_NEEDEDMODEL_H

#include "Check.h"

#include <optional>

namespace quadrille::compiler {

/// The port model that the schedule declares, or else the weakest one that its small cases need; nothing if there is no such case.
std::optional<ModelInForce> neededModel(const ir::Schedule &schedule);

} // namespace quadrille::compiler

#endif // QUADRILLE_CHECK_NEEDEDMODEL_H
