//===- CacheFolder.h - Where results are kept from one run to the next ---------------------------------------------*- C++ -*-===//
//
// Files of the cache are executed and believed. So a cache is used only if no other user can have written to it: the folder belongs to
// the user, others have no rights on it, and others cannot replace a folder above it. All folders of the cache are made and opened here.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_CACHE_CACHEFOLDER_H
#define QUADRILLE_CACHE_CACHEFOLDER_H

#include "diagnostics/Facts.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <system_error>

namespace quadrille::compiler {

class Diagnostics;

/// A folder that only the user can write to, or the reason why there is none.
struct CacheFolder {
  std::string path;                      // absolute, without symbolic links; empty: there is none
  std::optional<diag::NoFolder> problem; // if there is none, the reason

  explicit operator bool() const { return !path.empty(); }
  /// The path of the file or folder `name` in it.
  std::string inside(llvm::StringRef name) const;
};

/// The cache: the first of $QUADRILLE_CACHE, $XDG_CACHE_HOME/quadrille and ~/.cache/quadrille that is set. Makes the folder, with mode
/// 0700, and those above it, but never the home folder. Withdraws the rights of others to read the folder.
CacheFolder cacheFolder();

/// The same; if there is none, reports Q0714 the first time.
CacheFolder cacheFolder(Diagnostics &diagnostics);

/// Whether `folder` may be used as part of a cache; makes it, with mode 0700, if it does not exist.
CacheFolder ownFolder(llvm::StringRef folder);

/// The parts of the cache, each a folder in it.
struct CachePart {
  llvm::StringLiteral name;     // "proofs"
  llvm::StringLiteral contents; // "proofs, and what could not be proved"
};
llvm::ArrayRef<CachePart> cacheParts();

/// The number of files that the compiler keeps in a part of the cache, in folders too, and the sum of their sizes.
struct PartSize {
  std::uint64_t files = 0, bytes = 0;
};
PartSize sizeOfPart(llvm::StringRef folder);

/// Deletes all that the compiler keeps in a part of the cache, and the folder if nothing else is in it. Returns the first failure.
std::error_code clearPart(llvm::StringRef folder);

/// How names of entries begin, by which they are told from other files: kept texts, and what is being written or compiled.
inline constexpr llvm::StringLiteral keptText = "entry-", beingWritten = "writing-", beingCompiled = "building-";

/// Deletes entries (files or folders) of a part of the cache: those not used for a month; then the least recently used ones, until the rest
/// has at most `mostBytes`; and what was begun more than an hour ago and is not finished. Does so once a day.
void pruneEntries(llvm::StringRef folder, std::uint64_t mostBytes);

} // namespace quadrille::compiler

#endif // QUADRILLE_CACHE_CACHEFOLDER_H
