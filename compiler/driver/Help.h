//===- Help.h - What --help prints ----------------------------------------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_DRIVER_HELP_H
#define QUADRILLE_DRIVER_HELP_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"

#include <string>
#include <vector>

namespace quadrille::compiler {

/// What follows the options: " FILE...".
llvm::StringRef operandsOf(const llvm::cl::SubCommand &command);

/// The options of a command, of the category only, in the order in which they are shown.
std::vector<const llvm::cl::Option *> optionsOf(llvm::cl::SubCommand &command, const llvm::cl::OptionCategory &category);

/// "-p P", "--root=R"
std::string usageOf(const llvm::cl::Option &option);

/// Of the whole program: its commands.
void printHelp(llvm::ArrayRef<llvm::cl::SubCommand *> commands, llvm::raw_ostream &out);

/// Of one command: its options, of the category only.
void printHelp(llvm::cl::SubCommand &command, const llvm::cl::OptionCategory &category, llvm::raw_ostream &out);

} // namespace quadrille::compiler

#endif // QUADRILLE_DRIVER_HELP_H
