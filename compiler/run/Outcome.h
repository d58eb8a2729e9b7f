//===- Outcome.h - What ranks report about a case ----------------------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_RUN_OUTCOME_H
#define QUADRILLE_RUN_OUTCOME_H

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
  /// How a call ended, if badly.
  struct Error {
    std::int64_t rank;
    bool isEcho; // of what another rank met
    std::string text;
  };
  /// What a rank says and hears, see quadrille/harness/trace.h.
  struct RankTrace {
    std::int64_t rank;
    std::uint64_t steps, hash, combined;
  };
  std::vector<Block> blocks;
  std::vector<RankTrace> traces;
  /// The same message by message, by rank and step, if results were asked for as files.
  std::map<std::pair<std::int64_t, std::uint64_t>, std::vector<harness::Message>> messages;
  std::vector<std::pair<std::uint64_t, Block>> differences; // call, of several in flight, and block of its result; without a hash
  std::vector<Error> errors;
  std::vector<std::int64_t> doneBy;
  std::vector<std::int64_t> chosen;                        // number of packets, by each rank that chose
  std::vector<std::pair<std::int64_t, std::int64_t>> stay; // entered, left
  std::vector<std::vector<std::int64_t>> timesNs;          // per rank
  std::string misbehaviour;                                // wrote where it must not

  /// Some rank has come to an end of it.
  bool wasReached() const { return !doneBy.empty() || !errors.empty(); }
  bool isDone(std::int64_t p) const { return static_cast<std::int64_t>(doneBy.size()) == p; }
};

/// What a launch with p ranks left in files of `scratch`, about as many cases; see runtime/harness/Report.h.
std::vector<Outcome> readReports(std::int64_t p, size_t cases, const Scratch &scratch);

/// Whether any rank came so far as to have something to report.
bool anyRankBegan(std::int64_t p, const Scratch &scratch);

/// The file with the bytes of an output, if it was asked for.
std::string dumpFile(const Scratch &scratch, std::int64_t rank, std::int64_t caseId, unsigned output);

} // namespace quadrille::compiler::run

#endif // QUADRILLE_RUN_OUTCOME_H
