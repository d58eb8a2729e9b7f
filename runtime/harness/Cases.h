//===- Cases.h - The cases of a run -----------------------------*- C++ -*-===//
//
// A file has one case per line, as words separated by blanks:
//   name of the collective; number of the case; its number among those of the
//   collective; n; type; operator; in place or not; seed; repetitions; time
//   limit; alpha and beta of the machine;
//   count of numbers, numbers;
//   count of tables, for each: count of entries, entries;
//   count of inputs, then of outputs, for each: blocks, the rank that has it
//   (-1: all), count of lengths (0: all blocks have n elements), lengths, rank by
//   rank;
//   the bytes of all inputs in hexadecimal digits, or `-` for random ones;
//   the MPI library's own collective to be timed beside, or `-`.
//
//===----------------------------------------------------------------------===//

#ifndef QUADRILLE_HARNESS_CASES_H
#define QUADRILLE_HARNESS_CASES_H

#include "quadrille/harness/data.h"
#include "quadrille/index.h"
#include "quadrille/machine.h"

#include <string>
#include <vector>

namespace quadrille {
namespace harness {

/// The blocks of an input or output.
struct Shape {
  Index blocks = 1;
  Index rank = none;
  std::vector<Index> lengths; ///< of block b of rank r at r*blocks + b; empty: n everywhere

  Index length(Index r, Index block, std::size_t n) const {
    return lengths.empty() ? static_cast<Index>(n) : lengths[static_cast<std::size_t>(r * blocks + block)];
  }
  /// The number of elements before a block of a rank.
  Index offset(Index r, Index block, std::size_t n) const;
  bool isAt(Index r) const { return rank == none || rank == r; }
};

struct Case {
  std::string collective;
  Index id = 0, order = 0;
  std::size_t n = 0;
  Element element = Element::Double;
  Combiner combiner = Combiner::Sum;
  bool inPlace = false;
  std::uint64_t seed = 0;
  unsigned repeat = 0;
  Index timeoutMs = 0;
  MachineTimes machine;
  std::vector<Index> numbers;
  std::vector<std::vector<std::size_t>> tables;
  std::vector<Shape> inputs, outputs;
  std::vector<unsigned char> given; ///< inputs of all ranks, see givenOffset; empty: random
  std::string library; ///< "MPI_Allreduce", which is timed beside; empty: none

  bool hasData() const { return !inputs.empty() || !outputs.empty(); }
};

/// False if the file cannot be read, or has another format.
bool readCases(const char *file, std::vector<Case> &cases);

} // namespace harness
} // namespace quadrille

#endif // QUADRILLE_HARNESS_CASES_H
