//===- Proofs.h - Proving what the command line names --------------------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_DRIVER_PROOFS_H
#define QUADRILLE_DRIVER_PROOFS_H

#include "Commands.h"

#include "cache/ProofCache.h"
#include "prove/Prove.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace quadrille::compiler {

/// Proves schedules, or remembers that they were proved.
class Proofs {
public:
  explicit Proofs(const Session &session);

  /// Of the claims of a schedule, small cases with the default numbers of ranks: what has to do with one command only
  /// does not belong to it.
  prove::ProofOptions defaults() const;

  /// Says on a terminal what it is doing.
  prove::ProofVerdict prove(const ir::Schedule &schedule, const prove::ProofOptions &options);

  /// Hands over the verdicts in the order of the schedules, while others are being proved: as many at a time as
  /// cores may be used, or as the command line says. Says on a terminal how far it is. Ends early if `use` returns false.
  void prove(llvm::ArrayRef<const ir::Schedule *> schedules, const prove::ProofOptions &options,
             llvm::function_ref<bool(prove::ProofVerdict &)> use);

private:
  prove::ProofVerdict proveQuietly(const ir::Schedule &schedule, const prove::ProofOptions &options);

  const Session &session;
  std::optional<ProofCache> cache;
  std::size_t workers = 1;
};

/// "proved for all p", "proved for all p, but cost"; empty if no claim was.
std::string proofText(const prove::ProofVerdict &verdict);

/// The names of the claims that were not proved: "cost", "result, operand order".
std::string openClaims(const prove::ProofVerdict &verdict);

/// Why not all claims were: the first reason and its place. Empty if they were.
std::string whyNotProved(const prove::ProofVerdict &verdict, const Sources &sources);

/// "file.quad:12:3"; empty if there is no place.
std::string placeText(const Sources &sources, llvm::SMRange range);

} // namespace quadrille::compiler

#endif // QUADRILLE_DRIVER_PROOFS_H
