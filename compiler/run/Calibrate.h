//===- Calibrate.h - Measuring alpha, beta and gamma -----------------------------------------------------------------*- C++ -*-===//
//
// Runs a program that sends messages by the runtime's own steps (runtime/harness/Calibrate.h), and fits lines to the times it
// measured. docs/machines.md describes the use.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_RUN_CALIBRATE_H
#define QUADRILLE_RUN_CALIBRATE_H

#include "Launch.h"

#include "machines/MachineDescription.h"

namespace quadrille::compiler::run {

struct CalibrationRequest {
  emit::Backend backend = emit::Backend::Shm;
  std::int64_t p = 2;              // the number of ranks, at least two
  std::string element = "double";  // a numeric element type of the runtime
  std::string executable;          // Quadrille's own path: the runtime may be installed beside it
  std::string launcher;               // the command that starts MPI programs; empty: the usual one
};

/// Measures for ten to twenty seconds; nothing after an error, which has been reported. alpha and beta describe a step in which
/// all p ranks send and receive, gamma describes all p ranks combining at once.
std::optional<MachineDescription> calibrate(const CalibrationRequest &request, Diagnostics &diagnostics);

} // namespace quadrille::compiler::run

#endif // QUADRILLE_RUN_CALIBRATE_H
