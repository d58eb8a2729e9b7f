//===- DelayReport.h - What late ranks do to others, as a table ----------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_REPORT_DELAYREPORT_H
#define QUADRILLE_REPORT_DELAYREPORT_H

#include "machines/Delays.h"

#include "llvm/Support/raw_ostream.h"

namespace quadrille::compiler {

/// Throws Finding if a rank that is to be late is not below p.
void checkLateRanks(const Delays &delays, std::int64_t p);

/// Prints when each rank is done, without and with the delays. `hasNetwork`: costs on a network are printed as well, so this says that the
/// times do not count contention.
void printDelays(const MachineParameters &machine, const Delays &delays, const std::vector<Completion> &completions,
                 bool hasNetwork, llvm::raw_ostream &out);

} // namespace quadrille::compiler

#endif // QUADRILLE_REPORT_DELAYREPORT_H
