//===- Cases.h - The cases of a run -----------------------------*- C++ -*-===//
//
// A file has one case per line, in words: the name of the collective, the
// case's number, its number among those of its collective, n, type, operator, whether in place, seed, repetitions, time
// limit, alpha and beta of the machine, how many numbers and these, how many
// tables and for each how many entries and these, and for inputs and then
// outputs how many, and for each the blocks, the rank that has it (-1: all),
// and how many lengths (0: all blocks have n elements) and these, rank by
// rank; then the bytes of all inputs in hexadecimal digits, or `-` for random
// ones.
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

/// Blocks that one rank, or all, put in or get.
struct Shape {
  Index blocks = 1;
  Index rank = none;
  std::vector<Index> lengths; ///< of block b of rank r at r*blocks + b; empty: n everywhere

  Index length(Index r, Index block, std::size_t n) const {
    return lengths.empty() ? static_cast<Index>(n) : lengths[static_cast<std::size_t>(r * blocks + block)];
  }
  /// Elements of a rank before a block.
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
  std::vector<unsigned char> given; ///< elements of all ranks, see givenOffset; empty: random ones

  bool hasData() const { return !inputs.empty() || !outputs.empty(); }
};

/// False if the file cannot be read, or is none of cases.
bool readCases(const char *file, std::vector<Case> &cases);

} // namespace harness
} // namespace quadrille

#endif // QUADRILLE_HARNESS_CASES_H
