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

/// The folder `what` ("schedules", "docs/diagnostics") of the installation to which the executable belongs. If it exists, the path has no
/// symbolic links.
std::string dataFolder(llvm::StringRef executable, llvm::StringRef what);

/// Folders in which the runtime's headers and libraries may be.
struct RuntimeFolders {
  std::string include, library;
};

/// The candidates that belong to the installation, the most likely first.
std::vector<RuntimeFolders> runtimeFolders(llvm::StringRef executable);

} // namespace quadrille::compiler::run

#endif // QUADRILLE_RUN_INSTALLATION_H
