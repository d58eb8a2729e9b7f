//===- Help.h - What --help prints ----------------------------------------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_DRIVER_HELP_H
#define QUADRILLE_DRIVER_HELP_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"

#include <string>
#include <vector>

namespace quadrille::compiler {

/// The operands that follow the options in the usage of a command: " FILE...".
llvm::StringRef operandsOf(const llvm::cl::SubCommand &command);

/// The options of a command that belong to `category`, in the order in which they are shown.
std::vector<const llvm::cl::Option *> optionsOf(llvm::cl::SubCommand &command, const llvm::cl::OptionCategory &category);

/// The spelling of an option with its value: "-p P", "--root=R".
std::string usageOf(const llvm::cl::Option &option);

/// Prints the help of the whole program: its commands.
void printHelp(llvm::ArrayRef<llvm::cl::SubCommand *> commands, llvm::raw_ostream &out);

/// Prints the help of one command: its options that belong to `category`.
void printHelp(llvm::cl::SubCommand &command, const llvm::cl::OptionCategory &category, llvm::raw_ostream &out);

} // namespace quadrille::compiler

#endif // QUADRILLE_DRIVER_HELP_H
