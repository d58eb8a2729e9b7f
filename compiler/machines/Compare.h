//===- Compare.h - Which schedule of a collective is fastest where -------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_MACHINES_COMPARE_H
#define QUADRILLE_MACHINES_COMPARE_H

#include "BestK.h"

namespace quadrille::compiler {

/// A schedule that may be chosen.
struct Candidate {
  const ir::Schedule *schedule = nullptr;
  ScheduleCost cost;
  std::string k; // the parameter that is a number of packets; empty: none
};

/// Whether a candidate may run with p ranks.
using Admission = llvm::function_ref<bool(const Candidate &, std::int64_t p)>;

/// Where one schedule is fastest, at one p.
struct Stretch {
  std::int64_t from = 0, to = 0; // of n, inclusive
  size_t best = 0;               // which candidate
  std::optional<size_t> second;  // the next one, in the middle of the stretch (of the logarithm of n)
  std::int64_t middle = 0;       // where that is
  double seconds = 0, factor = 1; // of the best there; how much longer the second takes
  std::int64_t k = 0;            // of the best there; 0: it has none
};

struct Comparison {
  std::vector<std::int64_t> ps;
  std::vector<std::vector<Stretch>> stretches; // per p, by rising n; empty: no candidate runs with that p
};

/// A range of numbers as the ones to look at: those with three significant bits, powers of two plus and minus one, and the
/// ends. Numbers up to 9 are all among them.
std::vector<std::int64_t> sampled(std::int64_t from, std::int64_t to);

/// The fastest candidate at each p for each n between the ends; costs are compared at `ns`, and between two of these where
/// the fastest differs, the n is searched from which on the next one is, exactly if there is one such n.
Comparison compare(llvm::ArrayRef<Candidate> candidates, llvm::ArrayRef<std::int64_t> ps, llvm::ArrayRef<std::int64_t> ns,
                   const MachineParameters &machine, Admission admits);

} // namespace quadrille::compiler

#endif // QUADRILLE_MACHINES_COMPARE_H
