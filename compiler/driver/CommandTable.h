//===- CommandTable.h - The commands and options, for what describes them ---------------------------------*- C++ -*-===//

#ifndef QUADRILLE_DRIVER_COMMANDTABLE_H
#define QUADRILLE_DRIVER_COMMANDTABLE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/CommandLine.h"

namespace quadrille::compiler {

llvm::ArrayRef<llvm::cl::SubCommand *> allCommands();

/// Options of this category are ours; others belong to LLVM's library.
const llvm::cl::OptionCategory &shownOptions();

} // namespace quadrille::compiler

#endif // QUADRILLE_DRIVER_COMMANDTABLE_H
