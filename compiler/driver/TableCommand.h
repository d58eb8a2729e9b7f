//===- TableCommand.h - What a selection table says ----------------------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_DRIVER_TABLECOMMAND_H
#define QUADRILLE_DRIVER_TABLECOMMAND_H

#include "Commands.h"

namespace quadrille::compiler {

/// tune --show and --plot: prints or draws which schedule a table chooses where.
int tableCommand(Session &session);

} // namespace quadrille::compiler

#endif // QUADRILLE_DRIVER_TABLECOMMAND_H
