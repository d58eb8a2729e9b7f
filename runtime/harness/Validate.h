//===- Validate.h - What emitted code would do, on all ranks ----*- C++ -*-===//
//
// One thread records what every rank of a call does, and replays it: as it was
// recorded, and as the engine may carry it out. The reports are those of a run,
// and besides tell all messages; so the compiler can compare both with the
// reference interpreter, for as many ranks as memory holds.
//
//===----------------------------------------------------------------------===//

#ifndef QUADRILLE_HARNESS_VALIDATE_H
#define QUADRILLE_HARNESS_VALIDATE_H

#include "Data.h"
#include "Report.h"

#include "../plan/PlanObserver.h"

#include <functional>
#include <vector>

namespace quadrille {
namespace harness {

/// Makes the call of one rank, which `observer` sees.
using RecordCall = std::function<Status(Index rank, const Data &data, quadrille::detail::PlanObserver &observer)>;

/// `reports`: one per rank. `dump`: as for a run.
void validate(const Case &c, const RecordCall &record, std::vector<Report> &reports, bool dump);

} // namespace harness
} // namespace quadrille

#endif // QUADRILLE_HARNESS_VALIDATE_H
