//===- Validate.h - Records and replays emitted code -----------*- C++ -*-===//
//
// One thread records the plans of all ranks of a call, and replays them: in the
// recorded order, and in orders that the engine may choose. The reports are those
// of a run, with all messages. The compiler compares them with the reference
// interpreter, for as many ranks as memory allows.
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

/// Makes the call of one rank. `observer` gets its plan.
using RecordCall = std::function<Status(Index rank, const Data &data, quadrille::detail::PlanObserver &observer)>;

/// Validates a case. `reports`: one per rank. `dump`: write results and messages to files.
void validate(const Case &c, const RecordCall &record, std::vector<Report> &reports, bool dump);

} // namespace harness
} // namespace quadrille

#endif // QUADRILLE_HARNESS_VALIDATE_H
