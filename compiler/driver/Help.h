//===- Help.h - What --help prints ----------------------------------------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_DRIVER_HELP_H
#define QUADRILLE_DRIVER_HELP_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"

namespace quadrille::compiler {

/// Prints the help of the whole program: its commands.
void printHelp(llvm::ArrayRef<llvm::cl::SubCommand *> commands, llvm::raw_ostream &out);

/// Prints the help of one command: its options that belong to `category`.
void printHelp(llvm::cl::SubCommand &command, const llvm::cl::OptionCategory &category, llvm::raw_ostream &out);

} // namespace quadrille::compiler

#endif // QUADRILLE_DRIVER_HELP_H
