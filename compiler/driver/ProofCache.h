//===- ProofCache.h - Proofs that need not be done again ---------------------------------------------------------------*- C++ -*-===//
//
// A proof depends on nothing but texts, options, and the program that proves. Its verdict is kept in a file named by a
// hash of all of these, so that an entry is never out of date: it is only not asked for any more. Entries that are not
// what was written are no entries, and where nothing can be written nothing is kept.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_DRIVER_PROOFCACHE_H
#define QUADRILLE_DRIVER_PROOFCACHE_H

#include "Library.h"

#include "prove/Prove.h"

#include <mutex>

namespace quadrille {

class ProofCache {
public:
  /// `executable`: our own path.
  ProofCache(const Library &library, const Sources &sources, const std::string &executable);

  /// The verdict on this schedule, as far as it is kept: of the small cases, for which p there are any. May be called
  /// from several threads at once, as `keep` may.
  std::optional<prove::ProofVerdict> find(const ir::Schedule &schedule, const prove::ProofOptions &options) const;

  /// Keeps a verdict, if another run would come to the same: counterexamples are sought anew.
  void keep(const prove::ProofVerdict &verdict, const prove::ProofOptions &options);

private:
  /// What a proof depends on.
  struct Entry {
    std::vector<unsigned> buffers; // the texts, in which places are counted
    std::string key;
  };
  Entry entryOf(const ir::Schedule &schedule, const prove::ProofOptions &options) const;
  std::string fileOf(const Entry &entry) const;

  const Library &library;
  const Sources &sources;
  std::string folder;  // empty: nothing is kept
  std::string program; // which one it is
  std::once_flag pruned;
};

} // namespace quadrille

#endif // QUADRILLE_DRIVER_PROOFCACHE_H
