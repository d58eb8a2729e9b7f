//===- Print.h - The IR as text -----------------------------------------------------*- C++ -*-===//
//
// Prints a schedule as a schedule file in which everything is explicit: parentheses, bounds of trees, splits at the declaration
// of a buffer. The text can be read again; it gives the same IR, which prints the same.
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
/// Prints a schedule, without the functions, trees, schedules and the collective that it mentions.
void print(const Schedule &schedule, llvm::raw_ostream &out);

/// The text of an expression over the frame of a schedule, in which everything is explicit.
std::string text(const Expr &expr, const Schedule &schedule);
/// The same for readers of a formula: with the parentheses that it needs.
std::string shortText(const Expr &expr, const Schedule &schedule);
/// What ranks know of a table of the schedule: `len[j] if me == root`.
std::string text(const Knowledge &known, const Schedule &schedule);

} // namespace quadrille::compiler::ir

#endif // QUADRILLE_IR_PRINT_H
