//===- Verify.h - Whether a description of a schedule is well formed -----------------------------------------*- C++ -*-===//
//
// What every stage takes for granted: operands and types of expressions, variables and buffers that exist where they are read,
// statements where they may stand, what a `use` passes. A violation is a mistake in the compiler, never in a schedule.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_IR_VERIFY_H
#define QUADRILLE_IR_VERIFY_H

#include "Schedule.h"

namespace quadrille::compiler::ir {

// The first violation in words for developers; empty if there is none.
std::string verify(const Function &function);
std::string verify(const Lemma &lemma);
std::string verify(const Tree &tree);
std::string verify(const Collective &collective);
/// Without what it mentions: the schedules that it uses have been verified by themselves.
std::string verify(const Schedule &schedule);

} // namespace quadrille::compiler::ir

#endif // QUADRILLE_IR_VERIFY_H
