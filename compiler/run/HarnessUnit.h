//===- HarnessUnit.h - Emitted code as a part of a program that runs it -----------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_RUN_HARNESSUNIT_H
#define QUADRILLE_RUN_HARNESSUNIT_H

#include "Build.h"

#include "emit/Emit.h"

#include <set>

namespace quadrille::compiler::run {

/// A unit with the emitted code of a schedule, and with adapters that register it with the harness (quadrille/harness.h) as
/// `name`, a name that is not in `taken`. harnessUnit adds it to `taken`.
struct HarnessUnit {
  std::string name;
  Unit unit;
};
HarnessUnit harnessUnit(const ir::Schedule &schedule, const ir::Program &program, const Sources &sources, emit::Backend backend,
                        std::set<std::string> &taken);

/// The headers that every harness unit includes.
std::vector<std::string> harnessHeaders(emit::Backend backend);

} // namespace quadrille::compiler::run

#endif // QUADRILLE_RUN_HARNESSUNIT_H
