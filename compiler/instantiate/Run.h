//===- Run.h - One schedule at one p ---------------------------------------------------------------------------------*- C++ -*-===//
//
// Executes a schedule on symbolic data. There are two engines with the same meaning:
//   - Lockstep: every step's sends meet receives of the same step, so the s-th step of all ranks is round s; evaluated
//     columnwise. Chosen if no step depends on the rank and no bare `send` or `recv` stands alone.
//   - Simulation: otherwise. Ranks run by themselves under synchronous sends; every transfer happens in the earliest
//     round in which both sides have reached it.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_INSTANTIATE_RUN_H
#define QUADRILLE_INSTANTIATE_RUN_H

#include "Round.h"

#include "evaluate/Evaluate.h"

namespace quadrille {

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

/// Runs the schedule; `machine` and `observer` see it. Throws Finding for what is wrong with the schedule,
/// EvaluationError for an expression without value, UnmatchedInLockstep if another try by simulation is worth it.
FinalState execute(const ir::Schedule &schedule, const Case &instance, Machine &machine, RunObserver &observer,
                   TreeCache &trees, const Limits &limits, Engine engine);

// The engines, for `execute`.
FinalState runInLockstep(const ir::Schedule &schedule, const Case &instance, Machine &machine, RunObserver &observer,
                         TreeCache &trees, const Limits &limits);
FinalState simulate(const ir::Schedule &schedule, const Case &instance, Machine &machine, RunObserver &observer,
                    TreeCache &trees, const Limits &limits);

/// How many blocks the inputs of the collective have together: what a ValueDomain has to tell apart on a rank.
std::uint64_t inputBlocks(const ir::Schedule &schedule, const Case &instance, TreeCache &trees);

/// Allocates the inputs and outputs of the collective. Views are in the order of Schedule::buffers.
FinalState allocateParameters(const ir::Schedule &schedule, const Case &instance, Machine &machine, TreeCache &trees,
                              std::vector<struct View> &views);

} // namespace quadrille

#endif // QUADRILLE_INSTANTIATE_RUN_H
