//===- Expected.h - The results that a collective promises, computed sequentially -----------------------------------*- C++ -*-===//

#ifndef QUADRILLE_RUN_EXPECTED_H
#define QUADRILLE_RUN_EXPECTED_H

#include "Cases.h"

#include "evaluate/Evaluate.h"
#include "ir/Schedule.h"

#include <map>
#include <optional>
#include <vector>

namespace quadrille::compiler::run {

using Bytes = std::vector<unsigned char>;

/// The promised results of one case, computed from the `ensures` clauses only.
class Expected {
public:
  /// `numbers`: those of the collective. `instance` must outlive this object.
  Expected(const ir::Collective &collective, const CallCase &instance, std::vector<std::int64_t> numbers,
           std::uint64_t seed);

  /// The bytes of a block of an output; null if nothing is promised. The pointer is valid until the next call. Throws
  /// EvaluationError.
  const Bytes *block(unsigned output, std::int64_t rank, std::int64_t index);
  /// The hash of these bytes; nothing if nothing is promised.
  std::optional<std::uint64_t> hash(unsigned output, std::int64_t rank, std::int64_t index);

private:
  struct Source { // x@rank[index]
    unsigned input;
    std::int64_t rank, index;
    bool operator<(const Source &other) const {
      return std::tie(input, rank, index) < std::tie(other.input, other.rank, other.index);
    }
    bool operator==(const Source &other) const {
      return std::tie(input, rank, index) == std::tie(other.input, other.rank, other.index);
    }
  };

  std::optional<std::vector<Source>> sources(unsigned output, std::int64_t rank, std::int64_t index);
  Bytes combine(const std::vector<Source> &sources);

  const ir::Collective &collective;
  const CallCase &instance;
  std::vector<std::int64_t> numbers;
  std::uint64_t seed;
  std::vector<unsigned> dataInputs; // for each input of the collective, its number among those that are data
  TreeCache trees;
  std::uint64_t steps = 0; // steps used for products so far, bounded by a limit
  // Caches: many ranks have the same result, and a prefix sum extends the one of the rank before.
  std::vector<Source> lastSources;
  Bytes last;
  std::map<std::vector<Source>, std::uint64_t> hashes;
};

} // namespace quadrille::compiler::run

#endif // QUADRILLE_RUN_EXPECTED_H
