//===- Installation.h - What was installed with the executable -------------------------------------------------------*- C++ -*-===//
//
// Everything is found from the place of the executable, so an installation may be moved. A build folder has the same layout, and
// no path of it is compiled in.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_RUN_INSTALLATION_H
#define QUADRILLE_RUN_INSTALLATION_H

#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace quadrille::compiler::run {

/// `what` ("schedules", "docs/diagnostics") of the installation that the executable belongs to, without symbolic links if it exists.
std::string dataFolder(llvm::StringRef executable, llvm::StringRef what);

/// Where the runtime's headers and libraries may be.
struct RuntimeFolders {
  std::string include, library;
};

/// Those of the installation, the most likely first.
std::vector<RuntimeFolders> runtimeFolders(llvm::StringRef executable);

} // namespace quadrille::compiler::run

#endif // QUADRILLE_RUN_INSTALLATION_H
