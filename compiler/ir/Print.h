//===- Print.h - The description of a schedule as text -----------------------------------------------------*- C++ -*-===//
//
// A schedule is printed as a schedule file in which everything is written out: parentheses, bounds of trees, splits where a
// buffer is declared. Read again, it is the same description, and prints the same.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_IR_PRINT_H
#define QUADRILLE_IR_PRINT_H

#include "Schedule.h"

#include "llvm/Support/raw_ostream.h"

namespace quadrille::compiler::ir {

void print(const Function &function, llvm::raw_ostream &out);
void print(const Lemma &lemma, llvm::raw_ostream &out);
void print(const Tree &tree, llvm::raw_ostream &out);
void print(const Collective &collective, llvm::raw_ostream &out);
/// Without the functions, trees, schedules and the collective that it mentions.
void print(const Schedule &schedule, llvm::raw_ostream &out);

} // namespace quadrille::compiler::ir

#endif // QUADRILLE_IR_PRINT_H
