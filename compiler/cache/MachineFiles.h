//===- MachineFiles.h - Where the descriptions of machines are ---------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_CACHE_MACHINEFILES_H
#define QUADRILLE_CACHE_MACHINEFILES_H

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>
#include <string>

namespace quadrille::compiler {

/// The file to which `calibrate` writes by default: one for each backend and number of ranks, in the folder `machines` of the cache.
/// Nothing if there is no cache.
std::optional<std::string> machinePath(llvm::StringRef backend, std::int64_t ranks);

/// The file that `calibrate` wrote for a backend and p ranks or, if there is none, for the nearest number of ranks (of two at the same
/// distance, the larger). Nothing if there is no file.
std::optional<std::string> nearestMachine(llvm::StringRef backend, std::int64_t p);

} // namespace quadrille::compiler

#endif // QUADRILLE_CACHE_MACHINEFILES_H
