//===- CommandLine.h - Which command, and what is wrong with its words --------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_DRIVER_COMMANDLINE_H
#define QUADRILLE_DRIVER_COMMANDLINE_H

#include "llvm/Support/CommandLine.h"

namespace quadrille::compiler {

/// Says what is wrong, and how to get help.
void complain(const llvm::Twine &message, llvm::StringRef command = "");

/// Gives the options of the command their values. The command is the first of `commands` where none is named, as in
/// `quadrille FILE`, or `config` where its options are given. On a mistake, which is reported, or after --help and --version, returns null; always sets the exit status.
llvm::cl::SubCommand *readCommandLine(int argc, char **argv, llvm::ArrayRef<llvm::cl::SubCommand *> commands,
                                      llvm::cl::OptionCategory &category, int &exitStatus);

} // namespace quadrille::compiler

#endif // QUADRILLE_DRIVER_COMMANDLINE_H
