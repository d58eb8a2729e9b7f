//===- PlanFile.h - Plans, for the compiler to explain ----------*- C++ -*-===//

#ifndef QUADRILLE_HARNESS_PLANFILE_H
#define QUADRILLE_HARNESS_PLANFILE_H

#include "Validate.h"

#include <string>

namespace quadrille {
namespace harness {

/// Records the plan of a rank and writes it to PREFIXr.plan, in JSON:
///   {"rank": 1, "window": 64, "everyLength": true,
///    "recorded": [OPERATION...],    as the emitted code says it
///    "fates": [WORD...],            what becomes of each of these
///    "operations": [OPERATION...]}  as they are carried out
/// An OPERATION has its "kind", its "operands" as {"text", "blocks", "pieces"}, and, as far as it has them, "line", "step", "partner",
/// "message", "lockstep" and "side"; among the "operations" also "recorded", the number of what was recorded, "after", the numbers of operations that
/// it waits for, and "follows": it waits for all before this number. Numbers begin with 0.
/// `receivesFirst`: it is the plan of who receives first, and then combines. The status of the call; if it is bad there is no file.
Status writePlan(const Case &c, Index rank, const RecordCall &record, bool receivesFirst, const std::string &prefix);

} // namespace harness
} // namespace quadrille

#endif // QUADRILLE_HARNESS_PLANFILE_H
