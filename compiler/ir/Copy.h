//===- Copy.h - Copies of statements -----------------------------------------------------------------------------------*- C++ -*-===//
//
// A copy shares what its original points to: expressions, buffers, clocks, used schedules.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_IR_COPY_H
#define QUADRILLE_IR_COPY_H

#include "Schedule.h"

namespace quadrille::compiler::ir {

std::unique_ptr<Stmt> copyOf(const Stmt &stmt);
Body copyOf(const Body &body);

} // namespace quadrille::compiler::ir

#endif // QUADRILLE_IR_COPY_H
