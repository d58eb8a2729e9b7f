//===- MachineDescription.h - What a startup, a word and an application take on a machine -------------------------------*- C++ -*-===//
//
// The numbers that turn T = a*alpha + b*beta + c*gamma into seconds, and the file that keeps them, machine.json: see
// docs/machines.md.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_MACHINES_MACHINEDESCRIPTION_H
#define QUADRILLE_MACHINES_MACHINEDESCRIPTION_H

#include "algebra/LineFit.h"
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

/// One experiment: how long a message, or a combination, of so many words takes.
struct MachineFit {
  std::string pattern;             // message, exchange, shift, combine
  std::int64_t ranks = 2;          // that take part
  LineFit line;
  std::vector<LineSegment> segments; // two if they fit much better than the line, else none
  std::vector<MeasuredPoint> points; // the number of words grows
};

/// What machine.json holds. All but the parameters may be missing in a file that somebody wrote by hand.
struct MachineDescription {
  static constexpr std::int64_t version = 1;

  MachineParameters parameters;
  std::string backend;           // shm, mpi; empty: not known
  std::int64_t ranks = 0;        // that were active when it was measured; 0: not known
  std::string element;           // the type of a word; empty: not known
  std::int64_t elementBytes = 8; // of a word
  std::vector<MachineFit> fits;

  /// The parameters for words of another size: a word costs in proportion to its bytes.
  MachineParameters forWordsOf(std::int64_t bytes) const;
};

/// The text of machine.json: the same for the same description.
std::string machineText(const MachineDescription &machine);

/// Reads machine.json; nothing after an error, which has been reported.
std::optional<MachineDescription> readMachine(llvm::StringRef file, Diagnostics &diagnostics);

/// "14.4us", "1.05s": four digits.
std::string durationText(double seconds);

/// A number as JSON has it: the shortest that is read as the same again, as in 1e-06.
std::string jsonNumber(double value);

/// "2us", "0.5ns", "1e3ms", "1s": seconds; nothing if it is no duration, or negative.
std::optional<double> parseDuration(llvm::StringRef text);

} // namespace quadrille::compiler

#endif // QUADRILLE_MACHINES_MACHINEDESCRIPTION_H
