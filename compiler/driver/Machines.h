//===- Machines.h - Where the descriptions of machines are ---------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_DRIVER_MACHINES_H
#define QUADRILLE_DRIVER_MACHINES_H

#include "Commands.h"

#include "machines/MachineDescription.h"

namespace quadrille::compiler {

/// Where `calibrate` writes if it is not told: one file for each backend and number of ranks, in a folder `machines` of the
/// cache folder. Empty if there is no such folder.
std::optional<std::string> machinePath(llvm::StringRef backend, std::int64_t ranks);

/// What `calibrate` wrote for a backend: for p ranks or, if there is none, for the nearest number of ranks (of two at the
/// same distance, the larger).
std::optional<std::string> nearestMachine(llvm::StringRef backend, std::int64_t p);

/// What startups and elements take where nobody has measured it: a common network.
inline constexpr MachineParameters commonMachine{1e-6, 1e-9, 0};

/// The values of --machine, or without it those of a common network, and of --alpha, --beta and --gamma in their place;
/// nothing if none is given, or after an error, which has been reported.
std::optional<MachineParameters> givenParameters(Session &session);

} // namespace quadrille::compiler

#endif // QUADRILLE_DRIVER_MACHINES_H
