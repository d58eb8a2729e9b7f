//===- TextCache.h - Results as texts, kept in the cache ---------------------------------------------------*- C++ -*-===//
//
// A result about a schedule depends only on texts, options, and the program. It is kept in a file named by a hash of all of these, so
// an entry is never out of date: after a change, another file is asked for. Damaged entries count as absent, and if a file cannot be
// written, nothing is kept.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_CACHE_TEXTCACHE_H
#define QUADRILLE_CACHE_TEXTCACHE_H

#include "library/Library.h"

#include <mutex>

namespace quadrille::compiler {

class TextCache {
public:
  /// Entries are in the folder `name` of the cache. `executable`: the path of this program. Reports a warning if there is no cache.
  TextCache(const Library &library, const Sources &sources, const std::string &executable, llvm::StringRef name,
            Diagnostics &diagnostics);

  /// What a result depends on.
  struct Entry {
    std::vector<unsigned> buffers; // the texts: of the schedule, of those it uses, of what these import, and the standard files
    std::string key;
  };
  /// `options`: those that the result depends on, as numbers; lists with their length.
  Entry entryOf(const ir::Schedule &schedule, llvm::ArrayRef<std::uint64_t> options) const;

  /// The text, if it is kept. May be called from several threads at once, as `keep` may.
  std::optional<std::string> find(const Entry &entry) const;
  void keep(const Entry &entry, llvm::StringRef text);

private:
  std::string fileOf(const Entry &entry) const;

  const Library &library;
  const Sources &sources;
  std::string folder;  // empty: nothing is kept
  std::string program; // identifies this version of the program
  std::once_flag pruned;
};

} // namespace quadrille::compiler

#endif // QUADRILLE_CACHE_TEXTCACHE_H
