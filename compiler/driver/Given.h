//===- Given.h - The command line as options of checks, proofs and machines ---------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_DRIVER_GIVEN_H
#define QUADRILLE_DRIVER_GIVEN_H

#include "Commands.h"

#include "cache/Proofs.h"
#include "check/Check.h"
#include "machines/MachineDescription.h"

namespace quadrille::compiler {

/// The options of checks as the command line gives them.
CheckOptions checkOptions(const Options &options);

/// The options of checks for all cases with the default numbers of ranks (up to 17), within the limits of the command line.
CheckOptions defaultCheckOptions(const Options &options);

/// Whether the command line asks for these default cases.
bool hasDefaultCases(const Options &options);

/// The options of proofs for `check` and `list`. Such proofs check the default cases first, whichever cases the command line names.
prove::ProofOptions defaultProofOptions(const Options &options);

/// Warns about options for numbers, roots or lengths if none of the schedules has any.
void warnOfUnreadOptions(llvm::ArrayRef<const ir::Schedule *> schedules, Session &session);

/// The parameters of --machine or, without it, of a common network; --alpha, --beta and --gamma override them. Nothing if no such
/// option is given, or after an error, which has been reported.
std::optional<MachineParameters> givenParameters(Session &session);

/// Proofs with the cache and the number of jobs that the command line asks for.
Proofs givenProofs(const Session &session);

/// Proves schedules and calls `use` with their verdicts in the order of the schedules; shows the progress. Ends early if `use`
/// returns false.
void proveAll(const Session &session, llvm::ArrayRef<const ir::Schedule *> schedules, const prove::ProofOptions &options,
              llvm::function_ref<bool(prove::ProofVerdict &)> use);

} // namespace quadrille::compiler

#endif // QUADRILLE_DRIVER_GIVEN_H
