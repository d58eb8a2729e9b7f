//===- ProofCache.h - Proofs that need not be done again ---------------------------------------------------------------*- C++ -*-===//
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
  /// `executable`: our own path.
  ProofCache(const Library &library, const Sources &sources, const std::string &executable, Diagnostics &diagnostics)
      : sources(sources), texts(library, sources, executable, "proofs", diagnostics) {}

  /// The verdict on this schedule, as far as it is kept: of the small cases, for which p there are any. May be called
  /// from several threads at once, as `keep` may.
  std::optional<prove::ProofVerdict> find(const ir::Schedule &schedule, const prove::ProofOptions &options) const;

  /// Keeps a verdict, if another run would come to the same: counterexamples are sought anew.
  void keep(const prove::ProofVerdict &verdict, const prove::ProofOptions &options);

private:
  const Sources &sources;
  TextCache texts;
};

} // namespace quadrille::compiler

#endif // QUADRILLE_CACHE_PROOFCACHE_H
