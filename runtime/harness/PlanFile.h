//===- PlanFile.h - Plans, for the compiler to explain ----------*- C++ -*-===//

#ifndef QUADRILLE_HARNESS_PLANFILE_H
#define QUADRILLE_HARNESS_PLANFILE_H

#include "Validate.h"

#include <string>

namespace quadrille {
namespace harness {

/// Records the plan of a rank and writes it to PREFIXr.plan, in JSON:
///   {"rank": 1, "window": 64, "everyLength": true,
///    "recorded": [OPERATION...],    the operations of the emitted code
///    "fates": [WORD...],            what planning did with each of these
///    "operations": [OPERATION...]}  the operations that are carried out
/// An OPERATION has "kind", "operands" as {"text", "blocks", "pieces"}, and, if they apply, "line", "step", "partner", "message",
/// "lockstep" and "side". In "operations" it also has "recorded", the number of the recorded operation, "after", the numbers of
/// operations that it waits for, and "follows": it waits for all operations before this number. Numbers begin with 0.
/// `receivesFirst`: receives that combine first receive into memory, and then combine. Returns the status of the call. Writes no
/// file if that is an error.
Status writePlan(const Case &c, Index rank, const RecordCall &record, bool receivesFirst, const std::string &prefix);

} // namespace harness
} // namespace quadrille

#endif // QUADRILLE_HARNESS_PLANFILE_H
