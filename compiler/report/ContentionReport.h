//===- ContentionReport.h - What links that messages share cost, as lines of text --------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_REPORT_CONTENTIONREPORT_H
#define QUADRILLE_REPORT_CONTENTIONREPORT_H

#include "machines/MachineDescription.h"
#include "topology/Contention.h"

#include "llvm/Support/raw_ostream.h"

namespace quadrille::compiler {

/// Prints what a case costs on a network, in seconds too if there is a machine. `synchronous`: its cost without contention;
/// `scale`: the factor from words of `contention` to elements.
void printContention(const topology::Topology &topology, const topology::Contention &contention, const Cost &synchronous,
                     std::int64_t scale, bool withGamma, const std::optional<MachineParameters> &machine, llvm::raw_ostream &out);

} // namespace quadrille::compiler

#endif // QUADRILLE_REPORT_CONTENTIONREPORT_H
