//===- LibrarySchedules.h - Schedules of the library, for tests ----------------------------------------------------------===//

#ifndef QUADRILLE_TEST_LIBRARYSCHEDULES_H
#define QUADRILLE_TEST_LIBRARYSCHEDULES_H

#include "library/Library.h"

#include <gtest/gtest.h>

/// The file of a schedule that collects blocks by statements of its own; those of the library are reversals.
#define QUADRILLE_COLLECTING(name) QUADRILLE_LIBRARY_FOLDER "/../test/Inputs/collecting/" name ".quad"

namespace quadrille::compiler::test {

/// The schedule that `name` means on the command line: of the library, or the only one of a file. Valid until the program ends.
inline const ir::Schedule &librarySchedule(llvm::StringRef name) {
  static Sources sources;
  static Diagnostics diagnostics(sources, llvm::errs(), DiagnosticsFormat::Text, /*colour=*/false);
  static Library library(QUADRILLE_LIBRARY_FOLDER, {}, sources, diagnostics);
  static const bool loaded = library.loadStandard();
  EXPECT_TRUE(loaded);
  std::vector<const ir::Schedule *> found = library.find(name);
  if (found.size() != 1)
    throw std::runtime_error("no such schedule: " + name.str());
  return *found[0];
}

} // namespace quadrille::compiler::test

#endif // QUADRILLE_TEST_LIBRARYSCHEDULES_H
