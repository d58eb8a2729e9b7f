//===- Library.h - Finding and loading schedules ------------------------------------------------------------------------*- C++ -*-===//
//
// The standard files (*.quad directly in the library's folder: collectives, trees) are known everywhere. Schedules are
// loaded when asked for: from files and folders named on the command line, and from <collective>/<algorithm>.quad of the
// library or beside the file that uses them.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_LIBRARY_LIBRARY_H
#define QUADRILLE_LIBRARY_LIBRARY_H

#include "diagnostics/Diagnostics.h"
#include "sema/Sema.h"
#include "source/Sources.h"

#include "llvm/ADT/StringSet.h"

namespace quadrille::compiler {

class Library {
public:
  Library(std::string root, Sources &sources, Diagnostics &diagnostics);

  /// Loads the standard files. False after an error.
  bool loadStandard();

  /// All schedules that an argument names: a file, a folder (all files in it), "-", or collective/algorithm.
  /// Errors are reported; schedules without error are returned all the same.
  std::vector<const ir::Schedule *> find(llvm::StringRef argument);

  /// All schedules of the library, sorted by path.
  std::vector<const ir::Schedule *> all();

  /// Says why a file could not be loaded, if it could not.
  void reportUnreadable(const Sources::Loaded &loaded, llvm::StringRef path);

  /// The texts that are known everywhere.
  const std::vector<unsigned> &standardTexts() const { return standardBuffers; }

  const ir::Program &program() const { return programIr; }
  const std::string &root() const { return rootFolder; }

private:
  struct LoadedFile {
    std::vector<const ir::Schedule *> schedules;
    FileScope scope;
    bool inProgress = true;
    bool failed = false;
  };

  LoadedFile &loadFile(const std::string &path);
  void analyzeBuffer(unsigned buffer, const std::string &name, LoadedFile &file);
  UsedSchedule resolve(const LoadedFile &from, const std::string &fromPath, llvm::StringRef collective,
                       llvm::StringRef algorithm);
  std::vector<const ir::Schedule *> findInFolder(llvm::StringRef folder);
  std::string suggestion(llvm::StringRef path) const;
  bool isStandardFile(const std::string &path) const;

  std::string rootFolder;
  Sources &sources;
  Diagnostics &diagnostics;
  ir::Program programIr;
  FileScope standard;
  std::vector<unsigned> standardBuffers;
  llvm::StringMap<std::unique_ptr<LoadedFile>> files; // by real path
};

} // namespace quadrille::compiler

#endif // QUADRILLE_LIBRARY_LIBRARY_H
