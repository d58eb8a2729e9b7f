//===- LibraryUnits.h - The sources of a library that chooses among schedules --------------------------------------*- C++ -*-===//
//
// For each schedule the emitted code, with a function that tells which calls it admits (EmitOptions::asCandidate); for each
// collective a unit that includes them all and lists them, since compiling headers once is most of what there is to save; and a
// unit that lists the lists. runtime/include/quadrille/candidates.h says what is listed.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_EMIT_LIBRARYUNITS_H
#define QUADRILLE_EMIT_LIBRARYUNITS_H

#include "Emit.h"

namespace quadrille::compiler::emit {

/// A schedule that a library may choose, and what the checks have found of it.
struct LibraryCandidate {
  const ir::Schedule *schedule = nullptr;
  std::vector<std::string> claims; // as in EmitOptions
  bool sameBits = false;           // the same bracketing on all ranks
  std::string checkedFor;          // the p for which that was seen, "1..17"
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
