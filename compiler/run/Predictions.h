//===- Predictions.h - The times of runs, predicted by a machine -------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_RUN_PREDICTIONS_H
#define QUADRILLE_RUN_PREDICTIONS_H

#include "Cases.h"

#include "check/Check.h"
#include "machines/MachineDescription.h"

#include <map>
#include <set>

namespace quadrille::compiler::run {

/// Predicts the times of cases by a machine: a given one or, for each number of ranks, the nearest one that `calibrate` has measured.
class Predictions {
public:
  /// `check`: the limits and numbers of checks, from which costs come. `file`: describes the machine; empty: the nearest ones are taken.
  Predictions(const RunRequest &request, std::set<std::int64_t> ps, CheckOptions check, std::string file, Diagnostics &diagnostics);

  /// Finds and reads the machines; false after an error, which has been reported.
  bool find();
  /// Whether there is a machine for p ranks.
  bool knows(std::int64_t p) const { return ofRanks.count(p) > 0; }
  /// Sets the machine for all numbers of ranks for which none was found.
  void otherwise(const MachineDescription &machine);

  void announce(llvm::raw_ostream &out) const;

  MachineTimes machine(std::int64_t p) const;

  /// What a call costs, in words of its elements' size. Nothing if there is no machine or no cost.
  std::optional<Cost> cost(const CallCase &c);
  /// The machine's parameters for p ranks and words of so many bytes; there must be a machine.
  MachineParameters parameters(std::int64_t p, std::int64_t bytes) const;

  /// The predicted seconds of a call, by the asynchronous cost, since ranks do not wait for rounds to end. Nothing if there is no machine
  /// or no cost.
  std::optional<double> seconds(const CallCase &c);

private:
  /// What it costs before a call that ranks tell each other lengths.
  std::optional<Cost> costOfTelling(const CallCase &c);

  const RunRequest &request;
  std::set<std::int64_t> ps;
  CheckOptions check;
  const std::string given; // the file of --machine, or empty
  Diagnostics &diagnostics;
  std::map<std::string, std::optional<MachineDescription>> files;
  std::map<std::int64_t, const MachineDescription *> ofRanks;
  std::map<std::tuple<const ir::Schedule *, std::int64_t, std::vector<std::int64_t>>, std::optional<MeasuredCost>> costs;
  std::map<std::tuple<const ir::Schedule *, std::int64_t, std::vector<std::int64_t>>, std::optional<Cost>> tellingCosts;
};

} // namespace quadrille::compiler::run

#endif // QUADRILLE_RUN_PREDICTIONS_H
