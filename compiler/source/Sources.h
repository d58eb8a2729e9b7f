//===- Sources.h - The texts of one compilation ----------------------------------------------------------*- C++ -*-===//
//
// All texts that a compilation reads, kept alive until its last diagnostic is printed. Places are llvm::SMLoc.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_SOURCE_SOURCES_H
#define QUADRILLE_SOURCE_SOURCES_H

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/ErrorOr.h"
#include "llvm/Support/SourceMgr.h"

#include <optional>
#include <string>
#include <vector>

namespace quadrille::compiler {

struct Place {
  std::string file;
  unsigned line = 0, column = 0; // from 1; 0: no place in a text
};

class Sources {
public:
  enum class Problem { None, Missing, IsDirectory, TooLarge, Binary, NotUtf8 };

  struct Loaded {
    Problem problem = Problem::None;
    std::string systemMessage; // why opening failed
    unsigned buffer = 0;       // valid if there is no problem
  };

  /// Reads a file, or standard input if `path` is "-".
  Loaded load(llvm::StringRef path);

  /// From now on `load` reads this text instead of the file, which need not exist: an editor has changed it without saving.
  void replace(llvm::StringRef path, std::string text);
  bool isReplaced(llvm::StringRef path) const;

  /// Adds a text as if it were the content of a file. `name`: for messages.
  Loaded loadText(std::string text, llvm::StringRef name);

  /// Adds a text that is not checked: it must be UTF-8 and at most `limits::sourceBytes` long. `name`: for messages.
  unsigned add(std::string text, llvm::StringRef name);

  /// The names of all files that were read, sorted; standard input is none.
  std::vector<std::string> files() const;

  llvm::StringRef text(unsigned buffer) const;
  llvm::StringRef name(unsigned buffer) const;
  Place place(llvm::SMLoc loc) const;
  unsigned line(llvm::SMLoc loc) const { return place(loc).line; }
  llvm::SourceMgr &manager() { return mgr; }
  const llvm::SourceMgr &manager() const { return mgr; }

private:
  llvm::SourceMgr mgr;
  std::vector<std::string> loaded;
  llvm::StringMap<std::string> replaced; // by the path without links
};

/// Reads a file, or standard input if `path` is "-": little more than `most` bytes, enough to see that it is too large even if it is endless.
llvm::ErrorOr<std::string> readBounded(llvm::StringRef path, std::size_t most);

/// The path without links and dots, from the root, as far as the file and its folder are there.
std::string realPath(llvm::StringRef path);

/// The path relative to the current folder if it lies below it: shorter in messages.
std::string pathFromHere(llvm::StringRef path);

} // namespace quadrille::compiler

#endif // QUADRILLE_SOURCE_SOURCES_H
