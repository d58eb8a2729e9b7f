//===- ExportCommand.h - A selection table for other libraries -----------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_DRIVER_EXPORTCOMMAND_H
#define QUADRILLE_DRIVER_EXPORTCOMMAND_H

#include "Commands.h"

namespace quadrille::compiler {

/// tune --export: writes a table as a file of rules that another library reads.
int exportCommand(Session &session);

} // namespace quadrille::compiler

#endif // QUADRILLE_DRIVER_EXPORTCOMMAND_H
