//===- Library.h - Finding and loading schedules ------------------------------------------------------------------------*- C++ -*-===//
//
// The standard files (collectives.quad and trees.quad in the library's folder) are visible in all files. Others are loaded on demand:
// from files and folders named on the command line, for an `import`, and for a `use`.
//
// `import a` and `import a/b` mean the file a.quad or a/b.quad in the first of these folders that has it. `use a/b` means a schedule b of the using file or, in each of these folders: of the file a/b.quad, or of a.quad. The
// folders are that of the using file, the one above it, those of -I in their order, those of $QUADRILLE_PATH, and the library. The folder
// of the using file is that of its real path, so it does not matter how the command line names the file.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_LIBRARY_LIBRARY_H
#define QUADRILLE_LIBRARY_LIBRARY_H

#include "diagnostics/Diagnostics.h"
#include "sema/Sema.h"
#include "source/Sources.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringSet.h"

#include <system_error>

namespace quadrille::compiler {

/// Paths of the *.quad files of a folder, sorted; those of folders below it, too, if `recursive`, each folder once whatever links lead to it.
/// `unreadable` is told of each folder that cannot be read, the others are read nevertheless.
std::vector<std::string> quadFiles(llvm::StringRef folder, bool recursive,
                                   llvm::function_ref<void(llvm::StringRef folder, std::error_code why)> unreadable = {});

class Library {
public:
  /// `searched`: folders in which used schedules are looked for before the library.
  Library(std::string root, std::vector<std::string> searched, Sources &sources, Diagnostics &diagnostics);

  /// Loads the standard files. Returns false after an error, which is reported.
  bool loadStandard();

  /// All schedules that a command-line argument names: a file, a folder (all files in it), "-" (standard input), FILE:SCHEDULE for one
  /// schedule of a file, or collective/algorithm. Reports errors, and returns the schedules without errors.
  std::vector<const ir::Schedule *> find(llvm::StringRef argument);

  /// All schedules of the library, sorted by path.
  std::vector<const ir::Schedule *> all();

  /// The name collective/algorithm of each file of the library, sorted. Reads no file.
  std::vector<std::string> names() const;

  /// The names of those that leave no tree open and so can be checked. Reads all files.
  std::vector<std::string> namesToCheck();

  /// The path, from the current folder, of the file that an import in the file `from` names, which is never `from` itself; nothing if there is
  /// none.
  std::optional<std::string> fileOfImport(const std::string &from, llvm::StringRef import) const;

  /// What `import`, or `import FOLDER/`, can be followed by in the file `from`: names of files. Reads no file.
  std::vector<std::string> filesToImport(const std::string &from, llvm::StringRef below = "") const;

  /// The files that a text imports, as it names them.
  std::vector<std::string> importsOf(unsigned buffer) const;

  /// What was found in a file.
  struct FileKnown {
    const ast::File *text = nullptr; // null after a syntax error; for a standard file the text of all standard files
    llvm::ArrayRef<const ir::Schedule *> schedules; // without those that have errors or leave a tree open
    const FileScope *scope = nullptr;
  };
  /// Reads and analyzes a file and reports its errors, unless that has been done before.
  FileKnown read(llvm::StringRef file);

  /// From now on `mentions` records what names stand for in every file that is read.
  void recordMentions(Mentions &mentions) { standard.scope.mentions = &mentions; }

  /// The texts with declarations that a file sees: those of the standard files and, after them, of what it imports, however deep.
  std::vector<unsigned> textsSeenFrom(unsigned buffer) const;

  const ir::Program &program() const { return programIr; }
  const std::string &root() const { return rootFolder; }

private:
  struct LoadedFile {
    std::optional<ast::File> text; // the scope refers to it
    std::vector<const ir::Schedule *> schedules;
    FileScope scope;
    unsigned buffer = 0; // valid if the file could be read
    std::vector<const LoadedFile *> imports;
    bool inProgress = true;
    bool failed = false;
  };

  LoadedFile &loadFile(const std::string &path);
  void analyzeBuffer(unsigned buffer, const std::string &name, LoadedFile &file);
  /// Loads what a file imports into its scope. Returns false after an error, which is reported.
  bool import(LoadedFile &file, const std::string &name);
  /// What a file can import for a function, tree or collective; empty if nothing declares it.
  std::string fileToImport(const std::string &from, llvm::StringRef declared) const;
  UsedSchedule resolve(const LoadedFile &from, const std::string &fromPath, llvm::StringRef collective,
                       llvm::StringRef algorithm);
  std::vector<const ir::Schedule *> findInFolder(llvm::StringRef folder);
  std::vector<const ir::Schedule *> findInFile(llvm::StringRef file, llvm::StringRef schedule);
  std::vector<std::string> foldersFor(llvm::StringRef file) const;
  std::string suggestion(llvm::StringRef path) const;
  /// Warns of schedules of a file that leave a tree open and have no instance, or, if the file has no others, reports an error.
  void reportOpen(const LoadedFile &file, bool isAlone);
  bool isStandardFile(const std::string &path) const;

  std::string rootFolder;
  std::vector<std::string> searched;
  Sources &sources;
  Diagnostics &diagnostics;
  ir::Program programIr;
  LoadedFile standard; // all standard files together, since they may refer to each other; without `buffer`
  std::vector<unsigned> standardBuffers;
  llvm::StringMap<std::unique_ptr<LoadedFile>> files; // by real path
};

} // namespace quadrille::compiler

#endif // QUADRILLE_LIBRARY_LIBRARY_H
