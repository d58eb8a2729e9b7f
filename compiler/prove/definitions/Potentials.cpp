//===- Potentials.cpp - How far the nodes of a tree are from its root, by the sizes of subtrees ----------------------------===//
//
// Let a tree split a range at a root of its own, and below it every range in one way, so that a node of a range lo ..< hi is a function
// of lo and hi. The way to a node is its depth, perhaps with the waits on the way. Let f be a function of sizes such that for every
// range of one rank or more, f(size) >= 0 and
//
//   what the step to a child adds to the way + f(size of the child's range) <= f(size).
//
// Then way + f(size) never grows from a node to its children, by induction from the children of the root down. So no node of a part of
// the tree is farther away than the root of this part, plus f of the part's size. If, moreover, the steps to all right children are equations,
// then this is exact for the nodes at the right end of a part: their parents are at this end, too. So it is for left children.
//
// Where f comes from is a guess: a function that a clause calls.
//
//===----------------------------------------------------------------------------------------------------------------===//

#include "DefinedTerms.h"

#include "llvm/ADT/STLExtras.h"

namespace quadrille::compiler::prove {

/// The definition of all parts of a tree below its root, if there is one only, and its parameters have their defaults; else null.
const ir::Tree *DefinedTerms::partsOf(const ir::Tree &tree) {
  if (tree.byRelatives)
    return nullptr;
  const ir::Tree *const part = tree.left->tree;
  const auto isSuchPart = [&](const ir::Expr *expr) { return expr->op == ir::Op::BuildTree && expr->tree == part && expr->operands.size() == 2; };
  for (const ir::Tree *of : {&tree, part})
    if (!of || of->byRelatives || !isSuchPart(of->left) || !isSuchPart(of->right))
      return nullptr;
  return part;
}

/// The value of a function of one argument. Throws NotModelled.
Term DefinedTerms::valueOf(const ir::Function &function, Term argument) {
  ir::Expr variable, call;
  variable.op = ir::Op::Variable;
  call.op = ir::Op::Call;
  call.function = &function;
  call.operands.push_back(&variable);
  variable.range = call.range = function.range;
  // `needs` may be dropped: terms are total, and if an expression has no value, nothing is known about its term.
  const Numbers::Apart apart(numbers);
  return numbers.term(call, {Value{argument, {}, {}}});
}

/// The root of a range in which a definition with its defaults has it. Throws NotModelled.
Term DefinedTerms::rootOf(const ir::Tree &part, Term lo, Term hi) {
  const Numbers::Apart apart(numbers); // see `valueOf`
  return numbers.value(*part.root, frameOf(part, {lo, hi}, part.range)).term;
}

/// The bound of the ways to nodes by a function of sizes; nothing if it is not shown.
std::optional<DefinedTerms::Potential> DefinedTerms::potential(const Tree &tree, const ir::Function &function, bool addsWaits) {
  const ir::Tree *part = partsOf(*tree.definition);
  if (!part)
    return std::nullopt;
  const Term zero = pool.integer(0), one = pool.integer(1), size = pool.variable("size'");
  Potential result;
  result.function = &function;
  result.addsWaits = addsWaits;
  const auto tryToShow = [&](Term condition, Term goal) {
    Obligation obligation{Claim::Defined, "the way to nodes of `" + tree.definition->name + "` is bounded by `" + function.name + "`", tree.range,
                          {condition}, goal};
    obligation.isOfDefinitions = true;
    for (Term lemma : lemmas({condition, goal}))
      obligation.hypotheses.push_back(lemma);
    forEachNode({goal}, [&](Term call) { // what a function is made of that calls itself
      if (const Term lemma = equation(call))
        obligation.hypotheses.push_back(lemma);
    });
    if (!isProved(obligation))
      return false;
    result.shown.push_back(std::move(obligation));
    return true;
  };
  // Ranges that are halved have sizes of two kinds.
  const auto isShown = [&](Term condition, Term goal) {
    const auto isShownFor = [&](std::int64_t odd) {
      TermPool::Substitution by;
      by[size.get()] = pool.add(pool.scale(2, pool.variable("half'")), pool.integer(odd));
      return tryToShow(pool.substitute(condition, by), pool.substitute(goal, by));
    };
    return tryToShow(condition, goal) || (isShownFor(0) && isShownFor(1));
  };
  // Ranges of one size are split alike.
  const Term lo = pool.variable("lo'"), isSome = pool.lessEqual(one, size);
  const Term ofLeft = rootOf(*part, zero, size), ofRight = pool.subtract(size, pool.add(ofLeft, one));
  if (!isShown(isSome, pool.equal(rootOf(*part, lo, pool.add(lo, size)), pool.add(lo, ofLeft))))
    return std::nullopt;
  const Term hasLeft = pool.less(zero, ofLeft), hasRight = pool.less(zero, ofRight);
  const Term toRight = pool.add(one, addsWaits ? pool.select(hasLeft, one, zero) : zero);
  const Term whole = valueOf(function, size);
  const Term left = pool.add(one, valueOf(function, ofLeft)), right = pool.add(toRight, valueOf(function, ofRight));
  if (!isShown(isSome, pool.lessEqual(zero, whole)))
    return std::nullopt;
  result.isTightOnLeft = isShown(pool.both(isSome, hasLeft), pool.equal(left, whole));
  if (!result.isTightOnLeft && !isShown(pool.both(isSome, hasLeft), pool.lessEqual(left, whole)))
    return std::nullopt;
  result.isTightOnRight = isShown(pool.both(isSome, hasRight), pool.equal(right, whole));
  if (!result.isTightOnRight && !isShown(pool.both(isSome, hasRight), pool.lessEqual(right, whole)))
    return std::nullopt;
  return result;
}

void DefinedTerms::boundNodes(const ir::Expr &formula) {
  llvm::SmallSetVector<const ir::Function *, 8> called;
  const auto collect = [&](const ir::Expr &expr) {
    ir::anyPart(expr, [&](const ir::Expr &of) {
      if (of.op == ir::Op::Call)
        called.insert(of.function);
      return false;
    });
  };
  collect(formula);
  for (size_t i = 0; i < called.size(); ++i)
    collect(*called[i]->body);
  for (size_t i = 0; i < trees.size(); ++i) // functions may add trees
    for (const ir::Function *function : called)
      for (bool addsWaits : {true, false}) {
        if (function->argumentCount != 1 || function->type != ir::Type::Integer)
          continue;
        const bool isKnown = llvm::any_of(trees[i]->potentials, [&](const Potential &known) { return known.function == function && known.addsWaits == addsWaits; });
        if (isKnown)
          continue;
        try {
          if (auto found = potential(*trees[i], *function, addsWaits)) {
            trees[i]->potentials.push_back(std::move(*found));
            trees[i]->arePotentialsReturned = false;
          }
        } catch (const NotModelled &) { // the function has no term
        } catch (const TermOverflow &) {
        }
      }
}

bool DefinedTerms::knowsBoundsOfNodes() const {
  return llvm::any_of(trees, [](const auto &tree) { return !tree->potentials.empty(); });
}

/// That a node is where its range is split, and that its range is on one side of the root.
void DefinedTerms::splitLemma(const Tree &tree, Term rank, std::vector<Term> &result) {
  const Term root = tree.root.term, lo = apply(tree, Lo, rank), hi = apply(tree, Hi, rank);
  const Term isInside = pool.both(pool.inRange(tree.lo, rank, tree.hi), pool.notEqual(rank, root));
  if (const ir::Tree *part = partsOf(*tree.definition))
    result.push_back(pool.implies(isInside, pool.both(pool.equal(rank, rootOf(*part, lo, hi)),
                                                      pool.select(pool.less(rank, root), pool.lessEqual(hi, root), pool.less(root, lo)))));
}

/// What a potential says of the nodes of a tree: the way to a node plus the bound of the ways from there on.
Term DefinedTerms::farthestBelow(const Tree &tree, const Potential &potential, Term rank) {
  Term way = apply(tree, Depth, rank);
  if (potential.addsWaits)
    way = pool.add(way, apply(tree, Waits, rank));
  return pool.add(way, valueOf(*potential.function, pool.subtract(apply(tree, Hi, rank), apply(tree, Lo, rank))));
}

std::vector<Term> DefinedTerms::farthestBelow(Term rank) {
  std::vector<Term> result;
  for (const auto &tree : trees)
    for (const Potential &potential : tree->potentials)
      if (potential.isTightOnLeft || potential.isTightOnRight)
        result.push_back(farthestBelow(*tree, potential, rank));
  return result;
}

/// What the potentials with or without waits tell of a node. A node of the left part of the tree is before the root, one of the right part after it.
void DefinedTerms::potentialLemmas(const Tree &tree, Term rank, bool addsWaits, std::vector<Term> &result) {
  const Term one = pool.integer(1), zero = pool.integer(0), root = tree.root.term, next = pool.add(root, one);
  const Term isInside = pool.both(pool.inRange(tree.lo, rank, tree.hi), pool.notEqual(rank, root));
  const Term lo = apply(tree, Lo, rank), hi = apply(tree, Hi, rank), parent = apply(tree, Parent, rank);
  for (const Potential &potential : tree.potentials) {
    if (potential.addsWaits != addsWaits)
      continue;
    const Term wait = addsWaits ? pool.select(pool.less(tree.lo, root), one, zero) : zero;
    const Term total = farthestBelow(tree, potential, rank), ofParent = farthestBelow(tree, potential, parent);
    const Term ofLeft = pool.add(one, valueOf(*potential.function, pool.subtract(root, tree.lo)));
    const Term ofRight = pool.add(pool.add(one, wait), valueOf(*potential.function, pool.subtract(tree.hi, next)));
    result.push_back(pool.implies(isInside, pool.lessEqual(zero, valueOf(*potential.function, pool.subtract(hi, lo)))));
    // The tree itself may be split as its parts are.
    const Term isSplitAlike = pool.both(isInside, pool.equal(root, rootOf(*partsOf(*tree.definition), tree.lo, tree.hi)));
    result.push_back(pool.implies(isSplitAlike, pool.lessEqual(total, valueOf(*potential.function, pool.subtract(tree.hi, tree.lo)))));
    const Term isDeep = pool.both(isInside, pool.notEqual(parent, root));
    result.push_back(pool.implies(isDeep, pool.lessEqual(total, ofParent)));
    for (const auto &[isTight, isThere] : {std::pair(potential.isTightOnLeft, pool.less(rank, parent)), {potential.isTightOnRight, pool.less(parent, rank)}})
      if (isTight)
        result.push_back(pool.implies(pool.both(isDeep, isThere), pool.equal(total, ofParent)));
    for (const auto &[isIn, most, first, last] : {std::tuple(pool.less(rank, root), ofLeft, tree.lo, root), std::tuple(pool.less(root, rank), ofRight, next, tree.hi)}) {
      const Term isThere = pool.both(isInside, isIn);
      result.push_back(pool.implies(isThere, pool.lessEqual(total, most)));
      if (potential.isTightOnLeft)
        result.push_back(pool.implies(pool.both(isThere, pool.equal(lo, first)), pool.equal(total, most)));
      if (potential.isTightOnRight)
        result.push_back(pool.implies(pool.both(isThere, pool.equal(hi, last)), pool.equal(total, most)));
    }
  }
}

} // namespace quadrille::compiler::prove
