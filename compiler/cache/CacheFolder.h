//===- CacheFolder.h - Where results are kept from one run to the next ---------------------------------------------*- C++ -*-===//
//
// What lies in the cache is executed and believed. So it is used only if nobody else can have put it there: the folder belongs to the
// user, nobody else has any right on it, and nobody else can replace one of the folders above it. All folders of the cache are
// made and opened here.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_CACHE_CACHEFOLDER_H
#define QUADRILLE_CACHE_CACHEFOLDER_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <chrono>
#include <cstdint>
#include <string>

namespace quadrille::compiler {

class Diagnostics;

/// A folder of the user's own, or why there is none.
struct CacheFolder {
  std::string path;    // absolute, without symbolic links; empty: there is none
  std::string problem; // then: why, as in "`/tmp/c` belongs to another user"

  explicit operator bool() const { return !path.empty(); }
  /// The path of the file or folder `name` in it.
  std::string inside(llvm::StringRef name) const;
};

/// $QUADRILLE_CACHE, $XDG_CACHE_HOME/quadrille or ~/.cache/quadrille, the first that is set. Makes the folder, with mode 0700, and
/// those above it, but never the home folder. Withdraws the rights of others to read what is there.
CacheFolder cacheFolder();

/// The same. The first time that there is none is reported as Q0714.
CacheFolder cacheFolder(Diagnostics &diagnostics);

/// Whether `folder` may be used as part of a cache; makes it, with mode 0700, if it does not exist.
CacheFolder ownFolder(llvm::StringRef folder);

/// The parts of the cache, each a folder in it.
struct CachePart {
  llvm::StringLiteral name;     // "proofs"
  llvm::StringLiteral contents; // "proofs, and what could not be proved"
};
llvm::ArrayRef<CachePart> cacheParts();

/// What a folder holds: files in it, however deep, and their sizes.
struct FolderSize {
  std::uint64_t files = 0, bytes = 0;
};
FolderSize sizeOfFolder(llvm::StringRef folder);

/// Deletes entries (files or folders) of a part of the cache: those that were not used for a month; of the others those that were
/// not used for the longest time, until the rest is within `mostBytes`; and what was begun more than an hour ago and not finished,
/// whose name starts with `unfinished`. Looks once a day.
void pruneEntries(llvm::StringRef folder, std::uint64_t mostBytes, llvm::StringRef unfinished);

} // namespace quadrille::compiler

#endif // QUADRILLE_CACHE_CACHEFOLDER_H
