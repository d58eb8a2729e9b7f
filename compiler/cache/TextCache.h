//===- TextCache.h - Results that need not be found again --------------------------------------------------*- C++ -*-===//
//
// What is found out about a schedule depends on nothing but texts, options, and the program that looks. It is kept in a file
// named by a hash of all of these, so that an entry is never out of date: it is only not asked for any more. Entries that
// are not what was written are no entries, and where nothing can be written nothing is kept.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_CACHE_TEXTCACHE_H
#define QUADRILLE_CACHE_TEXTCACHE_H

#include "library/Library.h"

#include <mutex>

namespace quadrille::compiler {

class TextCache {
public:
  /// Kept in the folder `name` of the cache. `executable`: our own path. That there is no cache is reported, as a warning.
  TextCache(const Library &library, const Sources &sources, const std::string &executable, llvm::StringRef name,
            Diagnostics &diagnostics);

  /// What a result depends on.
  struct Entry {
    std::vector<unsigned> buffers; // the texts: of the schedule, of those it uses, and of what all schedules know
    std::string key;
  };
  /// `options`: those that the result depends on, as numbers; of a list its length, too.
  Entry entryOf(const ir::Schedule &schedule, llvm::ArrayRef<std::uint64_t> options) const;

  /// The text, if it is kept. May be called from several threads at once, as `keep` may.
  std::optional<std::string> find(const Entry &entry) const;
  void keep(const Entry &entry, llvm::StringRef text);

private:
  std::string fileOf(const Entry &entry) const;

  const Library &library;
  const Sources &sources;
  std::string folder;  // empty: nothing is kept
  std::string program; // which one it is
  std::once_flag pruned;
};

} // namespace quadrille::compiler

#endif // QUADRILLE_CACHE_TEXTCACHE_H
