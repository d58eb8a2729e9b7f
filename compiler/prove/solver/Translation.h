//===- Translation.h - Terms to Z3 ---------------------------------------------------------------------------------*- C++ -*-===//
//
// Over the integers, nonlinear operations are uninterpreted functions, described by lemmas. Over bit-vectors they have their
// exact meaning as long as nothing overflows.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_PROVE_SOLVER_TRANSLATION_H
#define QUADRILLE_PROVE_SOLVER_TRANSLATION_H

#include "prove/terms/Term.h"

#include "llvm/ADT/DenseMap.h"

#include <z3++.h>

#include <cassert>
#include <vector>

namespace quadrille::compiler::prove {

/// What both translations share: each term is translated once, and choices, comparisons with 0 and connectives in the same way.
class Translation {
public:
  virtual ~Translation() = default;

  z3::expr operator()(Term root);

protected:
  explicit Translation(z3::context &context) : context(context) {}

  /// The translation of an operand, which has been translated before.
  z3::expr of(Term a) {
    assert(known.contains(a) && "operands are translated first");
    return translations[known.lookup(a)];
  }
  /// Translates a term of any other kind: an integer that is no Select, a Bit or an IsPower2. Its operands have been translated.
  virtual z3::expr arithmetic(Term a) = 0;

  z3::context &context;

private:
  z3::expr translate(Term a);

  llvm::DenseMap<Term, unsigned> known;
  std::vector<z3::expr> translations;
};

class IntegerTranslation : public Translation {
public:
  explicit IntegerTranslation(z3::context &context);

private:
  z3::expr arithmetic(Term a) override;
  z3::expr isOdd(Term a);
  z3::expr findOdd(Term a);

  std::vector<z3::func_decl> declarations;
  llvm::DenseMap<Term, unsigned> knownOdd;
  std::vector<z3::expr> odd;
};

/// Exact as long as nothing overflows. A model is a candidate only: the caller evaluates the formulas on it.
class BitVectorTranslation : public Translation {
public:
  struct TooNarrow {};

  BitVectorTranslation(z3::context &context, unsigned bits) : Translation(context), side(context), bits(bits) {}

  /// Throws TooNarrow if the value does not fit.
  z3::expr number(std::int64_t value);

  z3::expr_vector side; // side conditions: ranges of variables and powers, no overflow of products

private:
  z3::expr arithmetic(Term a) override;
  z3::expr powerOf(z3::expr exponent);

  unsigned bits;
};

} // namespace quadrille::compiler::prove

#endif // QUADRILLE_PROVE_SOLVER_TRANSLATION_H
