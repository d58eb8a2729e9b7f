//===- SingleCase.h - The one case that a command looks at ----------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_DRIVER_SINGLECASE_H
#define QUADRILLE_DRIVER_SINGLECASE_H

#include "Commands.h"

#include "check/Check.h"

namespace quadrille::compiler {

/// The single case that the options select; nothing after an error, which has been reported. Throws Finding.
std::optional<Case> singleCase(Session &session, const ir::Schedule &schedule, std::int64_t defaultRanks, TreeCache &trees);

/// The numbers of a case for the heading of a picture, which has room for the nodes of some ranks only. `nodes`: where the picture puts
/// ranks; null: it matters only to schedules that ask.
std::string headingOf(const ir::Schedule &schedule, const Case &instance, const Nodes &nodes = nullptr);

} // namespace quadrille::compiler

#endif // QUADRILLE_DRIVER_SINGLECASE_H
