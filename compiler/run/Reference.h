//===- Reference.h - Cases of a run on the reference interpreter -----------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_RUN_REFERENCE_H
#define QUADRILLE_RUN_REFERENCE_H

#include "Cases.h"

#include "instantiate/Interpret.h"

#include "quadrille/harness/trace.h"

namespace quadrille::compiler::run {

/// Runs a case on the reference interpreter: returns its outputs, and which bytes of them have a value. Other bytes are
/// unspecified: an empty block holds what was there before. Throws Finding and EvaluationError as `interpret` does. `traces`: one
/// per rank, to be filled; null: not wanted.
DataCase interpreted(const CallCase &c, std::uint64_t seed, const Limits &limits,
                     std::vector<harness::Trace> *traces = nullptr);

} // namespace quadrille::compiler::run

#endif // QUADRILLE_RUN_REFERENCE_H
