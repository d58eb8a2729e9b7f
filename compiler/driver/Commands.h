//===- Commands.h - The subcommands ---------------------------------------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_DRIVER_COMMANDS_H
#define QUADRILLE_DRIVER_COMMANDS_H

#include "Options.h"

#include "library/Library.h"

namespace quadrille::compiler {

/// The data that every command works with.
struct Session {
  const Options &options;
  Sources &sources;
  Diagnostics &diagnostics;
  Library &library;
};

// Each function returns the exit status: 0, or 1 if the input is wrong.
int checkCommand(Session &session);
int proveCommand(Session &session);
int costCommand(Session &session);
int compareCommand(Session &session); // cost --compare
int emitCommand(Session &session);
int runCommand(Session &session);
int drawCommand(Session &session);
int plotCommand(Session &session);
int listCommand(Session &session);
int colourCommand(Session &session);
int calibrateCommand(Session &session);
int tuneCommand(Session &session);
/// Needs no library of schedules. Exit status 2 if a name is no part of the cache.
int cacheCommand(const Options &options);
/// Reads no library of schedules, since it may have to format that one.
int fmtCommand(const Options &options, Sources &sources, Diagnostics &diagnostics);
int newCommand(Session &session);
/// `library`: the folder of the library of schedules.
int lspCommand(const Options &options, const std::string &library);
// These read no library.
int testCommand(const Options &options, Diagnostics &diagnostics);
int configCommand(const Options &options, Diagnostics &diagnostics);
int completionCommand(const Options &options, Library &library);
int manCommand();
/// Needs no library of schedules. `documentation`: the folder with the pages of diagnostics.
int explainCommand(const Options &options, const std::string &documentation);

} // namespace quadrille::compiler

#endif // QUADRILLE_DRIVER_COMMANDS_H
