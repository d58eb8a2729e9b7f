//===- CommandLine.h - Finding the command, and mistakes in the words of the command line -------------------*- C++ -*-===//

#ifndef QUADRILLE_DRIVER_COMMANDLINE_H
#define QUADRILLE_DRIVER_COMMANDLINE_H

#include "llvm/Support/CommandLine.h"

namespace quadrille::compiler {

/// Prints a message about the command line, and how to get help, on standard error.
void complain(const llvm::Twine &message, llvm::StringRef command = "");

/// Reads the command line into the options and returns the command. If it names none, as in `quadrille FILE`, the command is the first of
/// `commands`, or `config` if there are options of `config`. Returns null after --help or --version, or after a mistake, which has been
/// reported. Always sets the exit status.
llvm::cl::SubCommand *readCommandLine(int argc, char **argv, llvm::ArrayRef<llvm::cl::SubCommand *> commands,
                                      llvm::cl::OptionCategory &category, int &exitStatus);

} // namespace quadrille::compiler

#endif // QUADRILLE_DRIVER_COMMANDLINE_H
