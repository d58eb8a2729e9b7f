//===- LibraryUnits.h - The sources of a library that chooses among schedules --------------------------------------*- C++ -*-===//
//
// A library consists of the emitted code of each schedule, with a function that tells which calls it admits (EmitOptions::asCandidate);
// a unit for each collective, which includes the code of its schedules and lists them, since compiling the headers once saves most of
// the time; and a unit that lists the lists. The lists have the form of runtime/include/quadrille/candidates.h.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_EMIT_LIBRARYUNITS_H
#define QUADRILLE_EMIT_LIBRARYUNITS_H

#include "Emit.h"

namespace quadrille::compiler::emit {

/// A schedule that a library may choose, and what the checks have found about it.
struct LibraryCandidate {
  const ir::Schedule *schedule = nullptr;
  std::vector<std::string> claims; // as in EmitOptions
  bool sameBits = false;           // the same bracketing on all ranks
  std::string checkedFor;          // the p for which `sameBits` was checked, "1..17"
};

/// The collectives that libraries have functions for, in the order of docs/collectives.md.
llvm::ArrayRef<llvm::StringRef> libraryCollectives();

struct LibraryFile {
  std::string name, text;
};

/// The files of a library: `COLLECTIVE.cpp` and `candidates.cpp`, which are compiled and listed in `units.txt`, and what they include. No two
/// candidates have the same path.
std::vector<LibraryFile> libraryFiles(llvm::ArrayRef<LibraryCandidate> candidates, const ir::Program &program, const Sources &sources,
                                      Backend backend);

/// The CMakeLists.txt beside the folders with the files for each backend.
std::string libraryProject();

} // namespace quadrille::compiler::emit

#endif // QUADRILLE_EMIT_LIBRARYUNITS_H
