//===- Given.h - What the command line gives, as others want it ---------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_DRIVER_GIVEN_H
#define QUADRILLE_DRIVER_GIVEN_H

#include "Commands.h"

#include "cache/Proofs.h"
#include "check/Check.h"
#include "machines/MachineDescription.h"

namespace quadrille::compiler {

/// The options of a check, from the command line.
CheckOptions checkOptions(const Options &options);

/// Of every case with up to 17 ranks, within the limits of the command line.
CheckOptions defaultCheckOptions(const Options &options);

/// Whether the command line asks for these cases.
bool hasDefaultCases(const Options &options);

/// Of the claims of a schedule, small cases with the default numbers of ranks: what has to do with one command only does not belong
/// to it.
prove::ProofOptions defaultProofOptions(const Options &options);

/// Warns of options about numbers or lengths that none of the schedules has.
void warnOfUnreadOptions(llvm::ArrayRef<const ir::Schedule *> schedules, Session &session);

/// The values of --machine, or without it those of a common network, and of --alpha, --beta and --gamma in their place;
/// nothing if none is given, or after an error, which has been reported.
std::optional<MachineParameters> givenParameters(Session &session);

/// Proofs as the command line wants them: remembered or not.
Proofs givenProofs(const Session &session);

/// Hands over the verdicts in the order of the schedules, and says on a terminal how far it is. Ends early if `use` returns false.
void proveAll(const Session &session, llvm::ArrayRef<const ir::Schedule *> schedules, const prove::ProofOptions &options,
              llvm::function_ref<bool(prove::ProofVerdict &)> use);

} // namespace quadrille::compiler

#endif // QUADRILLE_DRIVER_GIVEN_H
