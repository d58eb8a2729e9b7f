//===- Calibrate.h - Measuring alpha, beta and gamma -----------------------------------------------------------------*- C++ -*-===//
//
// A program that sends messages by the runtime's own steps (runtime/harness/Calibrate.h) is run; lines are fitted to what it
// measured. docs/machines.md says what for.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_RUN_CALIBRATE_H
#define QUADRILLE_RUN_CALIBRATE_H

#include "Launch.h"

#include "machines/MachineDescription.h"

namespace quadrille::compiler::run {

struct CalibrationRequest {
  emit::Backend backend = emit::Backend::Shm;
  std::int64_t p = 2;              // ranks, at least two
  std::string element = "double";  // a number that the runtime knows
  std::string executable;          // Quadrille's own path, beside which the runtime may be installed
};

/// Measures, for ten to twenty seconds; nothing after an error, which has been reported. alpha and beta are those of
/// a step in which all p ranks send and receive, gamma is that of all p ranks combining at once.
std::optional<MachineDescription> calibrate(const CalibrationRequest &request, Diagnostics &diagnostics);

} // namespace quadrille::compiler::run

#endif // QUADRILLE_RUN_CALIBRATE_H
