//===- Translation.h - Terms to Z3 ---------------------------------------------------------------------------------*- C++ -*-===//
//
// Over the integers operations that are not linear are functions of which only lemmas tell something. Over bit-vectors
// they are what they are, as long as nothing overflows.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_PROVE_SOLVER_TRANSLATION_H
#define QUADRILLE_PROVE_SOLVER_TRANSLATION_H

#include "prove/terms/Term.h"

#include "llvm/ADT/DenseMap.h"

#include <z3++.h>

#include <vector>

namespace quadrille::compiler::prove {

/// What both kinds of numbers have in common: every term is translated once, choices and truth values are the same.
class Translation {
public:
  virtual ~Translation() = default;

  z3::expr operator()(Term root);

protected:
  explicit Translation(z3::context &context) : context(context) {}

  /// Of what a term is made of, which has been translated before.
  z3::expr of(Term a) { return translations[known.lookup(a)]; }
  /// A term that is neither a choice nor made of truth values.
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

/// Exact as long as nothing overflows; whoever finds a model has to evaluate the formulas on it.
class BitVectorTranslation : public Translation {
public:
  struct TooNarrow {};

  BitVectorTranslation(z3::context &context, unsigned bits) : Translation(context), side(context), bits(bits) {}

  /// Throws TooNarrow.
  z3::expr number(std::int64_t value);

  z3::expr_vector side; // ranges of variables and powers, and that products do not overflow

private:
  z3::expr arithmetic(Term a) override;
  z3::expr powerOf(z3::expr exponent);

  unsigned bits;
};

} // namespace quadrille::compiler::prove

#endif // QUADRILLE_PROVE_SOLVER_TRANSLATION_H
