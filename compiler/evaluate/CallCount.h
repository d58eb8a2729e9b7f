//===- CallCount.h - How many calls of functions were evaluated ---------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_EVALUATE_CALLCOUNT_H
#define QUADRILLE_EVALUATE_CALLCOUNT_H

#include <cstdint>

namespace quadrille::compiler {

/// The calls of functions of schedules that this thread has evaluated since it began, also those whose result was remembered: a
/// measure of work that is the same on every machine.
std::uint64_t callsEvaluated();

} // namespace quadrille::compiler

#endif // QUADRILLE_EVALUATE_CALLCOUNT_H
