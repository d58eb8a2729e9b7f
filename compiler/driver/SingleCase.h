//===- SingleCase.h - The one case that a command looks at ----------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_DRIVER_SINGLECASE_H
#define QUADRILLE_DRIVER_SINGLECASE_H

#include "Commands.h"

#include "check/Check.h"

namespace quadrille::compiler {

/// The single case that the options select; nothing after an error, which has been reported. Throws Finding.
std::optional<Case> singleCase(Session &session, const ir::Schedule &schedule, std::int64_t defaultRanks, TreeCache &trees);

} // namespace quadrille::compiler

#endif // QUADRILLE_DRIVER_SINGLECASE_H
