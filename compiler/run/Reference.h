//===- Reference.h - Cases of a run on the reference interpreter -----------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_RUN_REFERENCE_H
#define QUADRILLE_RUN_REFERENCE_H

#include "Cases.h"

#include "instantiate/Interpret.h"

#include "quadrille/harness/trace.h"

namespace quadrille::compiler::run {

/// What the reference interpreter makes of a case: its outputs, and which bytes of them have a value. Of the rest nothing is said: an
/// empty block holds whatever was there before. Throws Finding and EvaluationError as `interpret` does. `traces`: one per
/// rank; null: nobody wants them.
DataCase interpreted(const Case &c, std::uint64_t seed, const Limits &limits,
                     std::vector<harness::Trace> *traces = nullptr);

} // namespace quadrille::compiler::run

#endif // QUADRILLE_RUN_REFERENCE_H
