//===- Compare.h - The fastest schedule of a collective for each p and n -------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_MACHINES_COMPARE_H
#define QUADRILLE_MACHINES_COMPARE_H

#include "BestK.h"

namespace quadrille::compiler {

/// A schedule to compare.
struct Candidate {
  const ir::Schedule *schedule = nullptr;
  ScheduleCost cost;
  std::string k; // its parameter that is the number of packets; empty: it has none
};

/// Whether a candidate may run with p ranks.
using Admission = llvm::function_ref<bool(const Candidate &, std::int64_t p)>;

/// A range of n in which one schedule is fastest, at one p.
struct Stretch {
  std::int64_t from = 0, to = 0; // of n, inclusive
  size_t best = 0;               // index of the candidate
  std::optional<size_t> second;  // the second fastest at `middle`
  std::int64_t middle = 0;       // the n in the middle of the range, on a logarithmic scale
  double seconds = 0, factor = 1; // at `middle`: time of the best, and time of the second divided by it
  std::int64_t k = 0;            // at `middle`: number of packets of the best; 0: it has none
};

struct Comparison {
  std::vector<std::int64_t> ps;
  std::vector<std::vector<Stretch>> stretches; // per p, by increasing n; empty if no candidate admits that p
};

/// Sample numbers of a range: those with three significant bits, powers of two plus and minus one, and both ends. All numbers
/// up to 9 are included.
std::vector<std::int64_t> sampled(std::int64_t from, std::int64_t to);

/// Finds the fastest candidate at each p for all n in the range of `ns`. Costs are compared at `ns`. Between two of these with
/// different fastest candidates, a binary search finds the n where the fastest changes; it is exact if there is one change.
Comparison compare(llvm::ArrayRef<Candidate> candidates, llvm::ArrayRef<std::int64_t> ps, llvm::ArrayRef<std::int64_t> ns,
                   const MachineParameters &machine, Admission admits);

} // namespace quadrille::compiler

#endif // QUADRILLE_MACHINES_COMPARE_H
