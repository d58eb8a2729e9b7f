//===- MachineDescription.h - The costs of startups, words and operator applications on a machine ---------*- C++ -*-===//
//
// alpha, beta and gamma of T = a*alpha + b*beta + c*gamma in seconds, and the file machine.json that stores them
// (docs/machines.md).
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_MACHINES_MACHINEDESCRIPTION_H
#define QUADRILLE_MACHINES_MACHINEDESCRIPTION_H

#include "LineFit.h"

#include "cost/Meter.h"

#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>
#include <vector>

namespace quadrille::compiler {

class Diagnostics;

/// Seconds per startup, per word (an element of a block), and per word combined. None is negative.
struct MachineParameters {
  double alpha = 0, beta = 0, gamma = 0;

  double seconds(const Cost &cost) const;
  /// "alpha = 2us, beta = 0.5ns, gamma = 0.2ns"
  std::string text() const;
};

/// Parameters for machines that have not been measured: those of a common network.
inline constexpr MachineParameters commonMachine{1e-6, 1e-9, 0};

/// One experiment: measured times of a message, or of a combination, for several sizes, and lines through them.
struct MachineFit {
  std::string pattern;             // message, exchange, shift, combine
  std::int64_t ranks = 2;          // number of ranks that take part
  LineFit line;
  std::vector<LineSegment> segments; // two if they fit much better than the line, else none
  std::vector<MeasuredPoint> points; // sorted by number of words
};

/// The content of machine.json. In a file written by hand, everything but the parameters may be missing.
struct MachineDescription {
  static constexpr std::int64_t version = 1;

  MachineParameters parameters;
  std::string backend;           // shm, mpi; empty: not known
  std::int64_t ranks = 0;        // number of active ranks during the measurement; 0: not known
  std::string element;           // the type of a word; empty: not known
  std::int64_t elementBytes = 8; // of a word
  std::vector<MachineFit> fits;

  /// The parameters for words of another size. beta and gamma are proportional to the size.
  MachineParameters forWordsOf(std::int64_t bytes) const;
};

/// The text of machine.json. Equal descriptions give equal texts.
std::string machineText(const MachineDescription &machine);

/// Reads machine.json; after an error, which is reported, returns nothing.
std::optional<MachineDescription> readMachine(llvm::StringRef file, Diagnostics &diagnostics);

/// A duration with at most four digits: "14.4us", "1.05s".
std::string durationText(double seconds);

/// A number in JSON: the shortest text that is read back as the same number, such as 1e-06.
std::string jsonNumber(double value);

/// Parses a duration such as "2us", "0.5ns", "1e3ms", "1s" to seconds; nothing if the text is no duration, or negative.
std::optional<double> parseDuration(llvm::StringRef text);

} // namespace quadrille::compiler

#endif // QUADRILLE_MACHINES_MACHINEDESCRIPTION_H
