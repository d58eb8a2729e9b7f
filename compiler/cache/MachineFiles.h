//===- MachineFiles.h - Where the descriptions of machines are ---------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_CACHE_MACHINEFILES_H
#define QUADRILLE_CACHE_MACHINEFILES_H

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>
#include <string>

namespace quadrille::compiler {

/// Where `calibrate` writes if it is not told: one file for each backend and number of ranks, in a folder `machines` of the
/// cache folder. Empty if there is no such folder.
std::optional<std::string> machinePath(llvm::StringRef backend, std::int64_t ranks);

/// What `calibrate` wrote for a backend: for p ranks or, if there is none, for the nearest number of ranks (of two at the
/// same distance, the larger).
std::optional<std::string> nearestMachine(llvm::StringRef backend, std::int64_t p);

} // namespace quadrille::compiler

#endif // QUADRILLE_CACHE_MACHINEFILES_H
