//===- CaseRun.h - A run of a schedule in one case --------------------------------------------------------*- C++ -*-===//
//
// Executes a schedule on symbolic data. There are two engines with the same meaning:
//   - Lockstep: the s-th step of all ranks is round s; sends meet receives of the same step. Expressions are evaluated for many
//     ranks at once. Chosen if no step depends on the rank and there is no single bare `send` or `recv`.
//   - Simulation: otherwise. Each rank runs by itself, with synchronous sends; a transfer happens in the earliest round in which
//     both sides have reached it.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_INSTANTIATE_CASERUN_H
#define QUADRILLE_INSTANTIATE_CASERUN_H

#include "Round.h"

#include "evaluate/Evaluate.h"

#include <cassert>
#include <optional>

namespace quadrille::compiler {

/// The memory of the collective's data when all ranks are done. The machine owns the storages.
struct FinalState {
  std::vector<Storage *> inputs, outputs; // in the order of the collective, without its numbers and tables
  std::uint32_t rounds = 0;
};

/// Thrown in lockstep if a send or receive has no partner within the same step. This is no error if the other side comes in another
/// step: the simulation decides.
struct UnmatchedInLockstep : Finding {};

enum class Engine { Preferred, Simulation };

/// True if the schedule, or one it uses, cannot run in lockstep.
bool needsSimulation(const ir::Schedule &schedule);

/// All that is needed to run one case: packets, tables, frames and memory. It is set up once, and the case may be run several
/// times.
class CaseRun {
public:
  /// `limits` must live as long as this object. Throws Finding, EvaluationError if packets or tables are not well defined.
  CaseRun(const ir::Schedule &schedule, const Case &instance, TreeCache &trees, const Limits &limits);
  CaseRun(const CaseRun &) = delete;
  CaseRun &operator=(const CaseRun &) = delete;

  struct Options {
    bool commutative = false;  // do not keep the order of factors in products
    bool wantBrackets = false;
    std::vector<Lengths> samples; // lengths for which words are counted
    ValueDomain *values = nullptr; // shared with other runs, to compare products; null: own
  };
  /// Allocates the memory for a run and frees that of the previous one. Throws Finding, EvaluationError, and std::length_error if
  /// there are too many input blocks (see ValueDomain).
  Machine &prepare(Options options);
  /// Runs the case, after `prepare`. Throws Finding for an error in the schedule, EvaluationError for an expression without value,
  /// UnmatchedInLockstep if the simulation should be tried.
  const FinalState &run(RunObserver &observer, Engine engine = Engine::Preferred);

  /// The memory, after `prepare`.
  Machine &machine() {
    assert(memory && "`prepare` comes first");
    return *memory;
  }

  /// The total number of blocks of the collective's inputs on a rank, as a ValueDomain needs it.
  std::uint64_t inputBlocks() const;

  const ir::Schedule &schedule;
  const Case instance;
  TreeCache &trees;
  const Limits &limits;
  const Granularity granularity;
  const LengthTables tables;
  const Frame clauses; // the frame in which clauses and declarations of parameters are evaluated

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
