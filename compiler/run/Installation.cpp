//===- Installation.cpp - What was installed with the executable ------------------------------------------------------------===//

#include "Installation.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

// Paths from the folder of the executable. The build defines them; these are the usual ones, which also hold in a build folder.
#ifndef QUADRILLE_DATA_FROM_BIN
#define QUADRILLE_DATA_FROM_BIN "../share/quadrille"
#endif
#ifndef QUADRILLE_INCLUDE_FROM_BIN
#define QUADRILLE_INCLUDE_FROM_BIN "../include"
#endif
#ifndef QUADRILLE_LIBRARY_FROM_BIN
#define QUADRILLE_LIBRARY_FROM_BIN "../lib"
#endif

namespace quadrille::compiler::run {

namespace path = llvm::sys::path;

/// The folder with the path `relative` from the folder of the executable.
static std::string fromExecutable(llvm::StringRef executable, llvm::StringRef relative, llvm::StringRef below = "") {
  llvm::SmallString<256> result(path::parent_path(executable));
  path::append(result, relative);
  if (!below.empty())
    path::append(result, below);
  path::remove_dots(result, /*remove_dot_dot=*/true);
  return std::string(result);
}

std::string dataFolder(llvm::StringRef executable, llvm::StringRef what) {
  for (llvm::StringRef data : {QUADRILLE_DATA_FROM_BIN, "../share/quadrille"}) {
    llvm::SmallString<256> real;
    if (!llvm::sys::fs::real_path(fromExecutable(executable, data, what), real))
      return std::string(real);
  }
  return fromExecutable(executable, QUADRILLE_DATA_FROM_BIN, what);
}

std::vector<RuntimeFolders> runtimeFolders(llvm::StringRef executable) {
  std::vector<RuntimeFolders> result;
  for (auto [include, library] : {std::pair(QUADRILLE_INCLUDE_FROM_BIN, QUADRILLE_LIBRARY_FROM_BIN), std::pair("../include", "../lib"),
                                  std::pair("../include", "../lib64")}) {
    RuntimeFolders folders{fromExecutable(executable, include), fromExecutable(executable, library)};
    const bool isKnown = !result.empty() && result.front().include == folders.include && result.front().library == folders.library;
    if (!isKnown)
      result.push_back(std::move(folders));
  }
  return result;
}

} // namespace quadrille::compiler::run
