//===- Alignment.h - The same schedule, with all ranks in the same steps ------------------------------------------------*- C++ -*-===//
//
// MPI programs say `if folded { send ...; recv ... } else { recv ...; for ... { ... }; send ... }`: ranks go through different steps, and yet they could be
// in step. Alignment makes the program in which they are: every step, and every loop around steps, is one of all ranks, and what only some of them do stands
// under a condition within. Of two statements `if` side by side, steps of one may be joined with those of the other. Each rank goes through the same
// transfers and assignments as before, in the same order; steps in which it does nothing are between them. So a claim about what ranks send, receive and hold
// is true of the one program if it is of the other, and so is one about rounds by time (docs/proofs.md).
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_PROVE_ALIGNMENT_H
#define QUADRILLE_PROVE_ALIGNMENT_H

#include "ir/Schedule.h"

#include <deque>

namespace quadrille::compiler::prove {

/// Owns what the aligned schedule has beside the original, which must live as long.
struct AlignedSchedule {
  ir::Schedule schedule;
  std::deque<ir::Expr> expressions;
};

/// Null if the schedule needs no alignment, or none is found: sends meet receives in the same steps in small cases.
std::shared_ptr<const AlignedSchedule> align(const ir::Schedule &schedule);

} // namespace quadrille::compiler::prove

#endif // QUADRILLE_PROVE_ALIGNMENT_H
