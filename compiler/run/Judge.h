//===- Judge.h - Whether a case came out as it should -----------------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_RUN_JUDGE_H
#define QUADRILLE_RUN_JUDGE_H

#include "Cases.h"
#include "Expected.h"
#include "Outcome.h"
#include "Reference.h"

namespace quadrille::compiler::run {

/// Compares the reports of ranks with the promises of the collective and with the reference interpreter.
class Judge {
public:
  /// `dump` runs a case again and leaves its results as files in the scratch folder; false if that failed.
  Judge(const RunRequest &request, std::function<bool(const CallCase &, const Scratch &)> dump) : request(request), dump(std::move(dump)) {}

  /// A text that says what is wrong with a case; empty if nothing is.
  std::string wrongWith(const CallCase &c, const Outcome &outcome) const;
  Timing timing(const CallCase &c, const Outcome &outcome) const;
  /// The outputs of every rank that has any, a line for each, from the files that the run left.
  std::vector<std::string> shownResults(const CallCase &c, const Scratch &scratch) const;

private:
  std::string compare(const CallCase &c, const Outcome &outcome, Expected &expected) const;
  std::string compareWithLibrary(const CallCase &c, const Outcome &outcome) const;
  std::string compareWithReference(const CallCase &c, const Outcome &outcome, const DataCase &reference) const;
  /// Whether all elements of a block have values according to the reference interpreter, so no part of it is empty.
  static bool isDefined(const CallCase &c, const Outcome::Block &block, const DataCase &reference);
  /// With several calls in flight: reports a block that differs from that of the blocking form, though it is promised or defined.
  std::string compareCalls(const CallCase &c, const Outcome &outcome, Expected &expected, const DataCase *reference) const;
  /// Compares the messages and combinations that ranks recorded with those of the reference interpreter.
  std::string compareTraces(const CallCase &c, const Outcome &outcome, const std::vector<harness::Trace> &wanted) const;
  std::string firstDifference(const CallCase &c, std::int64_t rank) const;
  std::string firstDifference(const CallCase &c, const Outcome::Block &block, const unsigned char *wanted, llvm::StringRef by) const;

  const RunRequest &request;
  std::function<bool(const CallCase &, const Scratch &)> dump;
};

} // namespace quadrille::compiler::run

#endif // QUADRILLE_RUN_JUDGE_H
