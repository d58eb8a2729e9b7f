//===- CommandTable.h - The commands and options, for help, completion and the manual page ----------------*- C++ -*-===//

#ifndef QUADRILLE_DRIVER_COMMANDTABLE_H
#define QUADRILLE_DRIVER_COMMANDTABLE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/CommandLine.h"

namespace quadrille::compiler {

llvm::ArrayRef<llvm::cl::SubCommand *> allCommands();

/// The category of Quadrille's own options. Others are added by LLVM's library, and are not shown.
const llvm::cl::OptionCategory &shownOptions();

} // namespace quadrille::compiler

#endif // QUADRILLE_DRIVER_COMMANDTABLE_H
