//===- Measurements.h - Times that were measured, read again --------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_REPORT_MEASUREMENTS_H
#define QUADRILLE_REPORT_MEASUREMENTS_H

#include "diagnostics/Facts.h"
#include "run/CallTrace.h"

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace quadrille::compiler {

/// A case of `run --format=json`.
struct MeasuredCase {
  std::string schedule;
  std::int64_t p = 0, n = 0, k = 0; // k: the parameter of the schedule; 0: it has none
  std::int64_t root = 0;
  std::string text;                    // "p = 4, n = 1000, shm"
  double seconds = 0;                  // the median of --repeat
  std::optional<run::CallTrace> trace; // of --trace-times
};

enum class Measured { Seconds, Trace };

/// Reads what RunData has written: the cases of which `what` was measured. Nothing after a mistake, which `wrong` tells.
std::optional<std::vector<MeasuredCase>> readMeasurements(llvm::StringRef text, Measured what, std::optional<diag::NoResults> &wrong);

} // namespace quadrille::compiler

#endif // QUADRILLE_REPORT_MEASUREMENTS_H
