//===- Machine.h - What a startup, a word and an application take on a machine -------------------------------*- C++ -*-===//

#ifndef QUADRILLE_COST_MACHINE_H
#define QUADRILLE_COST_MACHINE_H

#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>

namespace quadrille {

/// Seconds per startup, per word (an element of a block), and per word combined. None is negative.
struct MachineParameters {
  double alpha = 0, beta = 0, gamma = 0;

  /// "alpha = 2us, beta = 0.5ns, gamma = 0.2ns"
  std::string text() const;
};

/// "14.4us", "1.05s": four digits.
std::string durationText(double seconds);

/// "2us", "0.5ns", "1e3ms", "1s": seconds; nothing if it is no duration, or negative.
std::optional<double> parseDuration(llvm::StringRef text);

} // namespace quadrille

#endif // QUADRILLE_COST_MACHINE_H
