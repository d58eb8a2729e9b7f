//===- Measurements.h - Times that were measured, read again --------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_REPORT_MEASUREMENTS_H
#define QUADRILLE_REPORT_MEASUREMENTS_H

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace quadrille::compiler {

/// A case of `run --repeat --format=json`.
struct MeasuredCase {
  std::string schedule;
  std::int64_t p = 0, n = 0, k = 0; // k: the parameter of the schedule; 0: it has none
  double seconds = 0;               // the median
};

/// Reads what RunData has written. Nothing after a mistake: `wrong` says which.
std::optional<std::vector<MeasuredCase>> readMeasurements(llvm::StringRef text, std::string &wrong);

} // namespace quadrille::compiler

#endif // QUADRILLE_REPORT_MEASUREMENTS_H
