//===- RecordPlans.h - The plans of ranks, from the emitted code ----------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_RUN_RECORDPLANS_H
#define QUADRILLE_RUN_RECORDPLANS_H

#include "RunSchedules.h"

#include "plan/RankPlan.h"

namespace quadrille::compiler::run {

/// Compiles what is emitted for a schedule, unless it is in the cache, and lets it record what ranks do in the one case that `request` has
/// for p; nothing is run. `request.backend` says for whom; `request.progress` is told what is being done. Nothing after an error, which
/// has been reported.
std::optional<std::vector<plan::RankPlan>> recordPlans(const ir::Schedule &schedule, std::int64_t p, llvm::ArrayRef<std::int64_t> ranks,
                                                       const RunRequest &request, const Sources &sources, Diagnostics &diagnostics);

} // namespace quadrille::compiler::run

#endif // QUADRILLE_RUN_RECORDPLANS_H
