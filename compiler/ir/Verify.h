//===- Verify.h - Is the IR well formed? -----------------------------------------*- C++ -*-===//
//
// Verifies what every stage relies on: operands and types of expressions, variables and buffers that exist where they are read,
// places of statements, arguments of `use`. A violation is a bug in the compiler, never an error in a schedule.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_IR_VERIFY_H
#define QUADRILLE_IR_VERIFY_H

#include "Schedule.h"

namespace quadrille::compiler::ir {

// These return the first violation, in words for developers; empty if there is none.
std::string verify(const Function &function);
std::string verify(const Lemma &lemma);
std::string verify(const Tree &tree);
std::string verify(const Collective &collective);
/// Does not enter the schedules that it uses, which have been verified by themselves, nor a schedule with parameters that are trees: only
/// its instances are executed, and they are verified.
std::string verify(const Schedule &schedule);

} // namespace quadrille::compiler::ir

#endif // QUADRILLE_IR_VERIFY_H
