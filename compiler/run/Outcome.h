//===- Outcome.h - What ranks report about a case ----------------------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_RUN_OUTCOME_H
#define QUADRILLE_RUN_OUTCOME_H

#include "CallTrace.h"
#include "Launch.h"

#include "quadrille/harness/trace.h"

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace quadrille::compiler::run {

struct Outcome {
  struct Block {
    std::int64_t rank;
    unsigned output;
    std::int64_t index;
    std::uint64_t hash;
  };
  /// The error with which a rank's call ended.
  struct Error {
    std::int64_t rank;
    bool isEcho; // another rank had the error, and this one was told
    std::string text;
  };
  /// The recorded messages and combinations of a rank, as hashes; see quadrille/harness/trace.h.
  struct RankMessages {
    std::int64_t rank;
    std::uint64_t steps, hash, combined;
  };
  std::vector<Block> blocks;
  std::vector<RankMessages> traces;
  /// The recorded messages themselves, by rank and step; only if results were asked for as files.
  std::map<std::pair<std::int64_t, std::uint64_t>, std::vector<harness::Message>> messages;
  std::vector<std::pair<std::uint64_t, Block>> differences; // several calls in flight: a call, and a block in which it differs
  std::vector<Error> errors;
  std::vector<std::int64_t> doneBy;
  std::vector<std::int64_t> chosen;                        // the number of packets that each rank chose
  std::vector<std::pair<std::int64_t, std::int64_t>> stay; // per rank: the times of entering and leaving, in ns
  std::vector<std::vector<std::int64_t>> timesNs;          // per rank
  std::vector<std::vector<std::int64_t>> libraryNs;        // per rank, of the MPI library's own collective
  std::vector<std::vector<RankTrace>> traced;              // per rank, calls whose operations are timed
  std::vector<std::string> clocks;                         // per rank: the name of the clock that it has read
  std::vector<Block> otherwise;                            // blocks in which the MPI library has another result; without hashes
  std::string misbehaviour;                                // a report that a rank wrote where it must not

  /// Whether some rank has finished the case, or failed in it.
  bool wasReached() const { return !doneBy.empty() || !errors.empty(); }
  bool isDone(std::int64_t p) const { return static_cast<std::int64_t>(doneBy.size()) == p; }
};

/// Reads the reports of a launch with p ranks from the files of `scratch`: an outcome for each of `cases` cases. See
/// runtime/harness/Report.h.
std::vector<Outcome> readReports(std::int64_t p, size_t cases, const Scratch &scratch);

/// Whether any rank has written a report.
bool anyRankBegan(std::int64_t p, const Scratch &scratch);

/// The name of the file with the bytes of an output, which exists only if it was asked for.
std::string dumpFile(const Scratch &scratch, std::int64_t rank, std::int64_t caseId, unsigned output);

} // namespace quadrille::compiler::run

#endif // QUADRILLE_RUN_OUTCOME_H
