//===- Forest.h - Who hands on what to whom --------------------------------------------------------------------------*- C++ -*-===//
//
// In a reduction up a tree each rank hands on, to one other rank, the product of what it has got. What a message holds is then a set of
// ranks: those from which a chain of messages leads to its sender. For most trees this set has no formula, but it has laws.
//
// A forest is given by two formulas in the rank: whether it hands on, and to whom. A rank x is **below** r if the chain x, next(x),
// next(next(x)), ... comes to r; each rank of the chain but the last one hands on. The laws hold for all formulas for which
// `isWellFounded` is proved, whatever they have to do with the schedule.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_PROVE_RANKS_FOREST_H
#define QUADRILLE_PROVE_RANKS_FOREST_H

#include "prove/terms/Term.h"

#include <vector>

namespace quadrille::compiler::prove {

class Forest {
public:
  /// `handsOn`, `next`: formulas in `me`, of ranks in 0 ..< p.
  Forest(TermPool &pool, Term handsOn, Term next) : pool(&pool), handsOn(handsOn), next(next) {}

  /// Whether `rank` is below `top`, or is `top`. No number but those in 0 ..< p is below any.
  Term below(Term rank, Term top);
  /// Whether the term is what `below` makes a condition of: its operands are the rank and the top.
  static bool isBelow(Term call);
  /// The rank before `top` on the chain from `rank`, if that is below `top` and not `top` itself.
  Term before(Term top, Term rank);

  /// What has to be proved for a rank `me` in 0 ..< p that hands on: `next` is a rank, and `measure`, a formula in `me`, is smaller there. So no
  /// chain comes back to a rank where it has been.
  Term isWellFounded(Term measure);
  Term whereHandedOn() const { return handsOn; }
  /// From now on laws say that the measure gets smaller on the way. Call it when `isWellFounded(measure)` is proved.
  void setMeasure(Term proved) { measure = proved; }
  bool hasMeasure() const { return static_cast<bool>(measure); }

  /// Instances of the laws for the ranks of which the formulas say whether they are below others.
  std::vector<Term> laws(llvm::ArrayRef<Term> formulas);

private:
  Term at(Term formula, Term rank);
  Term last(Term rank); // the end of the chain from `rank`

  TermPool *pool;
  Term handsOn, next, measure;
};

} // namespace quadrille::compiler::prove

#endif // QUADRILLE_PROVE_RANKS_FOREST_H
