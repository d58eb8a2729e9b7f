//===- ProofCache.h - Proofs, kept in the cache ------------------------------------------------------------------------*- C++ -*-===//
//
// Verdicts as texts of a TextCache.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_CACHE_PROOFCACHE_H
#define QUADRILLE_CACHE_PROOFCACHE_H

#include "TextCache.h"

#include "prove/Prove.h"

namespace quadrille::compiler {

class ProofCache {
public:
  /// `executable`: the path of this program.
  ProofCache(const Library &library, const Sources &sources, const std::string &executable, Diagnostics &diagnostics)
      : sources(sources), texts(library, sources, executable, "proofs", diagnostics) {}

  /// The kept verdict on this schedule; nothing if there is none. Of the verdict on small cases only the checked p are kept. May be called
  /// from several threads at once, as `keep` may.
  std::optional<prove::ProofVerdict> find(const ir::Schedule &schedule, const prove::ProofOptions &options) const;

  /// Keeps a verdict if another run would give the same. Verdicts with counterexamples are not kept.
  void keep(const prove::ProofVerdict &verdict, const prove::ProofOptions &options);

private:
  const Sources &sources;
  TextCache texts;
};

} // namespace quadrille::compiler

#endif // QUADRILLE_CACHE_PROOFCACHE_H
