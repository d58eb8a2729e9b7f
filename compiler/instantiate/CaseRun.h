//===- CaseRun.h - One schedule at one p -----------------------------------------------------------------------------*- C++ -*-===//
//
// Executes a schedule on symbolic data. There are two engines with the same meaning:
//   - Lockstep: every step's sends meet receives of the same step, so the s-th step of all ranks is round s; evaluated
//     columnwise. Chosen if no step depends on the rank and no bare `send` or `recv` stands alone.
//   - Simulation: otherwise. Ranks run by themselves under synchronous sends; every transfer happens in the earliest
//     round in which both sides have reached it.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_INSTANTIATE_CASERUN_H
#define QUADRILLE_INSTANTIATE_CASERUN_H

#include "Round.h"

#include "evaluate/Evaluate.h"

#include <optional>

namespace quadrille::compiler {

/// What is left when all ranks are done.
struct FinalState {
  std::vector<Storage *> inputs, outputs; // of the collective, numbers left out
  std::uint32_t rounds = 0;
};

/// A step whose sends and receives do not meet within the same step of all ranks. Not an error yet: messages alone
/// synchronize, so the other side may come in another step; the simulation tells.
struct UnmatchedInLockstep : Finding {};

enum class Engine { Preferred, Simulation };

/// True if the schedule, or one it uses, cannot run in lockstep.
bool needsSimulation(const ir::Schedule &schedule);

/// A case on its way from its numbers to its final state. Whoever runs a case does it with one of these: packets, tables and frames
/// are worked out here, once however often it runs.
class CaseRun {
public:
  /// `limits` are looked at while it runs. Throws Finding, EvaluationError for packets and tables that cannot be.
  CaseRun(const ir::Schedule &schedule, const Case &instance, TreeCache &trees, const Limits &limits);
  CaseRun(const CaseRun &) = delete;
  CaseRun &operator=(const CaseRun &) = delete;

  struct Options {
    bool commutative = false;  // products do not keep the order of their factors
    bool wantBrackets = false;
    std::vector<Lengths> samples; // at which words are counted
    ValueDomain *values = nullptr; // to compare products with those of other runs; null: its own
  };
  /// Memory for a run, in place of that of the run before. Throws Finding, EvaluationError, std::length_error for products that
  /// cannot be told apart.
  Machine &prepare(Options options);
  /// Runs what has been prepared. Throws Finding for what is wrong with the schedule, EvaluationError for an expression without
  /// value, UnmatchedInLockstep if another try by simulation is worth it.
  const FinalState &run(RunObserver &observer, Engine engine = Engine::Preferred);

  /// Of what has been prepared.
  Machine &machine() { return *memory; }

  /// How many blocks the inputs of the collective have together: what a ValueDomain has to tell apart on a rank.
  std::uint64_t inputBlocks() const;

  const ir::Schedule &schedule;
  const Case instance;
  TreeCache &trees;
  const Limits &limits;
  const Granularity granularity;
  const LengthTables tables;
  const Frame clauses; // in which clauses are read, and what is said of parameters

private:
  std::optional<ValueDomain> ownValues;
  std::optional<Machine> memory;
  FinalState state;
};

// The engines, for CaseRun.
FinalState runInLockstep(CaseRun &run, RunObserver &observer);
FinalState simulate(CaseRun &run, RunObserver &observer);

/// Allocates the inputs and outputs of the collective. Views are in the order of Schedule::buffers.
FinalState allocateParameters(CaseRun &run, std::vector<struct View> &views);

} // namespace quadrille::compiler

#endif // QUADRILLE_INSTANTIATE_CASERUN_H
