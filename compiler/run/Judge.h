//===- Judge.h - Whether a case came out as it should -----------------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_RUN_JUDGE_H
#define QUADRILLE_RUN_JUDGE_H

#include "Cases.h"
#include "Expected.h"
#include "Outcome.h"
#include "Reference.h"

namespace quadrille::compiler::run {

/// Compares what ranks reported with what the collective promises and with the reference interpreter.
class Judge {
public:
  /// `dump` runs a case once more and leaves its results as files in the scratch folder; false if that failed.
  Judge(const RunRequest &request, std::function<bool(const Case &, const Scratch &)> dump) : request(request), dump(std::move(dump)) {}

  /// What is wrong with a case; empty: nothing.
  std::string wrongWith(const Case &c, const Outcome &outcome) const;
  /// What calls took: " min=1.234us median=...".
  std::string timing(const Case &c, const Outcome &outcome) const;
  /// What every rank ended with, from the files that it left, a line for each.
  void showResults(const Case &c, const Scratch &scratch, llvm::raw_ostream &out) const;

private:
  std::string compare(const Case &c, const Outcome &outcome, Expected &expected) const;
  std::string compareWithReference(const Case &c, const Outcome &outcome, const DataCase &reference) const;
  /// Whether all of a block has a value, whatever it is: none of it is empty in the end.
  static bool isDefined(const Case &c, const Outcome::Block &block, const DataCase &reference);
  /// Of several calls in flight, compares blocks that are promised, or defined.
  std::string compareCalls(const Case &c, const Outcome &outcome, Expected &expected, const DataCase *reference) const;
  /// What ranks say and hear.
  std::string compareTraces(const Case &c, const Outcome &outcome, const std::vector<harness::Trace> &wanted) const;
  std::string firstDifference(const Case &c, std::int64_t rank) const;
  std::string firstDifference(const Case &c, const Outcome::Block &block, const unsigned char *wanted, llvm::StringRef by) const;

  const RunRequest &request;
  std::function<bool(const Case &, const Scratch &)> dump;
};

} // namespace quadrille::compiler::run

#endif // QUADRILLE_RUN_JUDGE_H
