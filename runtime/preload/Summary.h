//===- Summary.h - What the library's calls took ----------------*- C++ -*-===//
//
// Rank 0 of MPI_COMM_WORLD adds up its own calls, by function, number of ranks, bytes
// and schedule, and prints a table when MPI ends.
//
//===----------------------------------------------------------------------===//

#ifndef QUADRILLE_RUNTIME_PRELOAD_SUMMARY_H
#define QUADRILLE_RUNTIME_PRELOAD_SUMMARY_H

#include "Functions.h"
#include "Wishes.h"

#include <cstdint>

namespace quadrille {

struct CandidateFacts;

namespace preload {

class Summary {
public:
  /// Begins to add up calls. `insight`: `None` on ranks that print nothing, which add up nothing.
  static void begin(Insight insight);
  static bool isOn();
  /// Adds a call. `schedule`: null if it was the MPI library's.
  static void add(Function function, int p, std::uint64_t bytes, const CandidateFacts *schedule, double seconds);
  static void show();
};

} // namespace preload
} // namespace quadrille

#endif // QUADRILLE_RUNTIME_PRELOAD_SUMMARY_H
