//===- RecordPlans.h - The plans of ranks, from the emitted code ----------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_RUN_RECORDPLANS_H
#define QUADRILLE_RUN_RECORDPLANS_H

#include "RunSchedules.h"

#include "plan/RankPlan.h"

namespace quadrille::compiler::run {

/// Compiles the emitted code of a schedule, unless it is in the cache, and lets it record the plans of `ranks` in the single case
/// that `request` has for p; no plan is carried out. `request.backend` is the backend whose plans are recorded. Nothing after an
/// error, which has been reported.
std::optional<std::vector<plan::RankPlan>> recordPlans(const ir::Schedule &schedule, std::int64_t p, llvm::ArrayRef<std::int64_t> ranks,
                                                       const RunRequest &request, const Sources &sources, Diagnostics &diagnostics);

} // namespace quadrille::compiler::run

#endif // QUADRILLE_RUN_RECORDPLANS_H
