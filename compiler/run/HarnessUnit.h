//===- HarnessUnit.h - Emitted code as a part of a program that runs it -----------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_RUN_HARNESSUNIT_H
#define QUADRILLE_RUN_HARNESSUNIT_H

#include "Build.h"

#include "emit/Emit.h"

#include <set>

namespace quadrille::compiler::run {

/// A unit with what is emitted for a schedule, and around it what makes it known to the harness (quadrille/harness.h) under the
/// name `name`, which is none of `taken` and becomes one.
struct HarnessUnit {
  std::string name;
  Unit unit;
};
HarnessUnit harnessUnit(const ir::Schedule &schedule, const ir::Program &program, const Sources &sources, emit::Backend backend,
                        std::set<std::string> &taken);

/// The headers that every such unit includes.
std::vector<std::string> harnessHeaders(emit::Backend backend);

} // namespace quadrille::compiler::run

#endif // QUADRILLE_RUN_HARNESSUNIT_H
