//===- TermOf.h - An expression as a term --------------------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_TEST_DIFFERENTIAL_TERMOF_H
#define QUADRILLE_TEST_DIFFERENTIAL_TERMOF_H

#include "Expressions.h"

#include "prove/terms/Symbols.h"

namespace quadrille::compiler::differential {

/// An expression, translated to a term of the prover.
struct TermOf {
  explicit TermOf(const ir::Expr &expr);

  prove::TermPool pool;
  std::vector<prove::Term> variables; // in the order of the frame
  prove::Term term;                   // null: the prover cannot translate it
  std::vector<prove::Term> needs;     // conditions under which it has a value

  std::optional<std::int64_t> at(prove::Term a, const Sample &sample) const;
  std::optional<bool> hasValue(const Sample &sample) const;
};

} // namespace quadrille::compiler::differential

#endif // QUADRILLE_TEST_DIFFERENTIAL_TERMOF_H
