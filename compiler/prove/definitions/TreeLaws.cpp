//===- TreeLaws.cpp - What holds of every tree, and what has to be shown of one for it ---------------------------------------===//

#include "DefinedTerms.h"

#include "llvm/ADT/STLExtras.h"

namespace quadrille::compiler::prove {

// ---- the laws of trees -----------------------------------------------------------------------------------------------------

void DefinedTerms::treeLemmas(const Tree &tree, Term rank, std::vector<Term> &result) {
  const Term one = pool.integer(1), root = tree.root.term;
  const Term inside = pool.inRange(tree.lo, rank, tree.hi);
  auto field = [&](Field which, Term of) { return apply(tree, which, of); };
  auto add = [&](std::initializer_list<Term> conditions, std::initializer_list<Term> conclusions) {
    result.push_back(pool.implies(pool.conjunction(conditions), pool.conjunction(conclusions)));
  };
  const Term lo = field(Lo, rank), hi = field(Hi, rank), depth = field(Depth, rank);
  const Term next = pool.add(rank, one), deeper = pool.add(depth, one), isRoot = pool.equal(rank, root);
  add({inside}, {pool.lessEqual(tree.lo, lo), pool.lessEqual(lo, rank), pool.less(rank, hi), pool.lessEqual(hi, tree.hi),
                 pool.lessEqual(pool.integer(0), depth)});
  // A node is the root if and only if its range is the whole one, and if and only if its depth is 0.
  add({inside}, {pool.equal(isRoot, pool.both(pool.equal(lo, tree.lo), pool.equal(hi, tree.hi))),
                 pool.equal(isRoot, pool.equal(depth, pool.integer(0)))});
  const Term left = field(Left, rank), right = field(Right, rank), parent = field(Parent, rank);
  add({inside, pool.less(lo, rank)},
      {pool.lessEqual(lo, left), pool.less(left, rank), pool.equal(field(Lo, left), lo), pool.equal(field(Hi, left), rank),
       pool.equal(field(Parent, left), rank), pool.equal(field(Depth, left), deeper), pool.notEqual(left, root)});
  add({inside, pool.less(next, hi)},
      {pool.less(rank, right), pool.less(right, hi), pool.equal(field(Lo, right), next), pool.equal(field(Hi, right), hi),
       pool.equal(field(Parent, right), rank), pool.equal(field(Depth, right), deeper), pool.notEqual(right, root)});
  add({inside, pool.negate(isRoot)},
      {pool.inRange(tree.lo, parent, tree.hi), pool.lessEqual(field(Lo, parent), lo), pool.lessEqual(hi, field(Hi, parent)),
       pool.equal(pool.add(field(Depth, parent), one), depth),
       pool.either(pool.conjunction({pool.less(rank, parent), pool.equal(field(Left, parent), rank),
                                     pool.equal(lo, field(Lo, parent)), pool.equal(hi, parent)}),
                   pool.conjunction({pool.less(parent, rank), pool.equal(field(Right, parent), rank),
                                     pool.equal(hi, field(Hi, parent)), pool.equal(lo, pool.add(parent, one))}))});
}

void DefinedTerms::wayLemmas(const Tree &tree, Term rank, Way way, std::vector<Term> &result) {
  const Term one = pool.integer(1), zero = pool.integer(0), inside = pool.inRange(tree.lo, rank, tree.hi);
  const Field field = way == Way::Turns ? Turns : Waits;
  const Term count = apply(tree, field, rank), parent = apply(tree, Parent, rank);
  Term counts = pool.less(parent, rank);
  if (way == Way::Waits)
    counts = pool.both(counts, pool.less(apply(tree, Lo, parent), parent));
  result.push_back(pool.implies(inside, pool.both(pool.lessEqual(zero, count), pool.lessEqual(count, apply(tree, Depth, rank)))));
  result.push_back(pool.implies(pool.both(inside, pool.notEqual(rank, tree.root.term)),
                                pool.equal(count, pool.add(apply(tree, field, parent), pool.select(counts, one, zero)))));
}

std::vector<Term> DefinedTerms::lemmas(llvm::ArrayRef<Term> formulas, const Induction *induction, unsigned unfoldings) {
  std::vector<Term> result;
  llvm::SmallSetVector<std::pair<Tree *, Term>, 16> nodes, deep; // deep: their depths occur
  llvm::SmallSetVector<Tree *, 2> measured, turned, waited; // their heights occur, the turns of their nodes, the waits
  llvm::SetVector<Term> calls;
  forEachNode(formulas, [&](Term a) {
    if (a->kind != TermKind::Apply)
      return;
    const auto field = fields.find(a->name);
    if (field == fields.end())
      calls.insert(a);
    else if (field->second.second == Height)
      measured.insert(field->second.first);
    else
      nodes.insert({field->second.first, a->operands[0]});
    if (field != fields.end() && field->second.second == Turns)
      turned.insert(field->second.first);
    if (field != fields.end() && field->second.second == Waits)
      waited.insert(field->second.first);
    if (field != fields.end() && field->second.second == Depth)
      deep.insert({field->second.first, a->operands[0]});
  });
  for (auto [tree, rank] : usesPotentials ? deep.getArrayRef() : llvm::ArrayRef<std::pair<Tree *, Term>>())
    potentialLemmas(*tree, rank, waited.contains(tree), result);
  // Add one level: parent and children of the ranks that occur in the formulas.
  const size_t given = nodes.size();
  for (size_t i = 0; i < given; ++i) {
    auto [tree, rank] = nodes[i];
    for (Field side : {Parent, Left, Right})
      nodes.insert({tree, apply(*tree, side, rank)});
  }
  llvm::SmallSetVector<Tree *, 2> used;
  for (auto [tree, rank] : nodes) {
    treeLemmas(*tree, rank, result);
    used.insert(tree);
    if (!tree->potentials.empty())
      splitLemma(*tree, rank, result);
    if (turned.contains(tree))
      wayLemmas(*tree, rank, Way::Turns, result);
    if (waited.contains(tree))
      wayLemmas(*tree, rank, Way::Waits, result);
    if (measured.contains(tree)) // no node is deeper
      result.push_back(pool.implies(pool.inRange(tree->lo, rank, tree->hi),
                                    pool.lessEqual(apply(*tree, Depth, rank), apply(*tree, Height, pool.integer(0)))));
  }
  for (Tree *tree : measured) {
    const Term zero = pool.integer(0), one = pool.integer(1), height = apply(*tree, Height, zero);
    result.push_back(pool.lessEqual(zero, height));
    result.push_back(pool.implies(pool.less(pool.add(tree->lo, one), tree->hi), pool.lessEqual(one, height)));
  }
  for (Tree *tree : used)
    result.push_back(pool.implies(pool.less(tree->lo, tree->hi), pool.inRange(tree->lo, tree->root.term, tree->hi)));
  auto collect = [&](llvm::ArrayRef<Term> terms) {
    forEachNode(terms, [&](Term a) {
      if (a->kind == TermKind::Apply && !fields.contains(a->name))
        calls.insert(a);
    });
  };
  collect(result);
  functionLemmas(calls, induction, unfoldings, result);
  if (compared.first && !induction)
    growthLemmas(calls, result);
  collect(result);
  if (!induction)
    digitLemmas(calls, result);
  std::vector<Term> more(formulas.begin(), formulas.end());
  more.insert(more.end(), result.begin(), result.end());
  zerosLemmas(calls.getArrayRef(), more, result);
  rootLemmas(calls.getArrayRef(), more, result);
  nodeLemmas(more, result);
  return result;
}

// ---- the obligations on which the laws rest ----------------------------------------------------------------------------------

/// States that a tree has its root in its range.
void DefinedTerms::splitObligations(const Tree &tree, std::vector<Obligation> &result) {
  result.push_back({Claim::Defined, "the root of `" + tree.definition->name + "` is in its range", tree.range,
                    {pool.less(tree.lo, tree.hi)}, pool.inRange(tree.lo, tree.root.term, tree.hi)});
}

/// States for all ranges: if the root of a tree is in its range, those of its parts are in theirs, and left, root and right make
/// up the range.
void DefinedTerms::definitionObligations(const ir::Tree &tree, std::vector<Obligation> &result) {
  const Term one = pool.integer(1);
  std::vector<Value> values(tree.variables.size());
  for (size_t i = 0; i < values.size(); ++i)
    values[i] = {pool.variable(tree.variables[i].name + "'" + tree.name), {}, {}};
  values[0] = {pool.variable("lo'"), {}, {}};
  values[1] = {pool.variable("hi'"), {}, {}};
  const Term lo = values[0].term, hi = values[1].term;
  numbers.needs.clear();
  Value root = numbers.value(*tree.root, values);
  if (root.exists)
    throw NotModelled{Gap::TreeOfNoRoot, tree.range};
  const std::vector<Term> sound{pool.less(lo, hi), pool.inRange(lo, root.term, hi)};
  auto add = [&](std::string name, llvm::SMRange range, Term condition, Term goal) {
    result.push_back({Claim::Defined, std::move(name), range, sound, goal});
    if (condition)
      result.back().hypotheses.push_back(condition);
  };
  auto addPart = [&](const ir::Expr &part, Term from, Term to) {
    if (part.op != ir::Op::BuildTree)
      throw NotModelled{Gap::PartOfTree, part.range};
    std::vector<Term> arguments;
    for (const ir::Expr *argument : part.operands)
      arguments.push_back(numbers.term(*argument, values));
    add("the parts of `" + tree.name + "` make up its range", part.range, {},
        pool.either(pool.both(pool.equal(arguments[0], from), pool.equal(arguments[1], to)),
                    pool.both(pool.lessEqual(to, from), pool.lessEqual(arguments[1], arguments[0]))));
    std::vector<Value> inner = frameOf(*part.tree, arguments, part.range);
    Value below = numbers.value(*part.tree->root, inner);
    if (below.exists)
      throw NotModelled{Gap::TreeOfNoRoot, part.range};
    add("the root of `" + part.tree->name + "` is in its range", part.range, pool.less(arguments[0], arguments[1]),
        pool.inRange(arguments[0], below.term, arguments[1]));
  };
  addPart(*tree.left, lo, root.term);
  addPart(*tree.right, pool.add(root.term, one), hi);
  for (const Numbers::Need &need : numbers.needs)
    add(need.what, need.range, {}, need.condition);
}

void DefinedTerms::relativesObligations(const Tree &tree, llvm::ArrayRef<Term> facts, std::vector<Obligation> &result) {
  const ir::Tree &definition = *tree.definition;
  const Term zero = pool.integer(0), p = pool.variable("p"), node = pool.variable("node'");
  const Term always = pool.truth(true);
  auto exists = [&](const Value &value) { return value.exists ? value.exists : always; };
  auto isRank = [&](Term rank) { return pool.inRange(zero, rank, p); };
  auto isRoot = [&](Term rank) { return pool.both(exists(tree.root), pool.equal(rank, tree.root.term)); };
  auto is = [&](const Value &value, Term rank) { return pool.both(exists(value), pool.equal(value.term, rank)); };
  auto add = [&](const char *name, llvm::SMRange range, Term condition, Term goal) {
    Obligation obligation{Claim::Defined, "`" + definition.name + "`: " + name, range, facts.vec(), goal};
    obligation.hypotheses.push_back(isRank(node));
    obligation.hypotheses.push_back(condition);
    result.push_back(std::move(obligation));
  };
  numbers.needs.clear();
  const Value left = relative(tree, *definition.left, node), right = relative(tree, *definition.right, node);
  Value parent = relative(tree, *definition.parent, node);
  for (const Numbers::Need &need : numbers.needs)
    add(need.what.c_str(), need.range, always, need.condition);
  const Term hasParent = pool.both(exists(parent), pool.negate(isRoot(node)));
  add("the root is a rank", definition.root->range, exists(tree.root), isRank(tree.root.term));
  for (const auto &[child, expr] : {std::pair(left, definition.left), std::pair(right, definition.right)}) {
    add("a child is a rank and not the root", expr->range, exists(child),
        pool.both(isRank(child.term), pool.negate(isRoot(child.term))));
    add("the parent of a child is its parent", expr->range, exists(child),
        is(relative(tree, *definition.parent, child.term), node));
  }
  add("the children differ", definition.right->range, pool.both(exists(left), exists(right)),
      pool.notEqual(left.term, right.term));
  add("a node is a child of its parent", definition.parent->range, hasParent,
      pool.both(isRank(parent.term), pool.either(is(relative(tree, *definition.left, parent.term), node),
                                                 is(relative(tree, *definition.right, parent.term), node))));
  add("only nodes have children", definition.left->range, pool.negate(pool.either(hasParent, isRoot(node))),
      pool.negate(pool.either(exists(left), exists(right))));
  // The way from parent to parent ends, at the root, because the ranks decrease, or increase.
  add("parents lead to the root", definition.parent->range, hasParent, pool.less(parent.term, node));
  if (!isProved(result.back())) {
    Obligation falling = result.back();
    result.back().goal = pool.less(node, parent.term);
    if (!isProved(result.back()))
      result.back() = falling;
  }
}

std::vector<Obligation> DefinedTerms::obligations(llvm::ArrayRef<Term> facts) {
  std::vector<Obligation> result = obligationsOfTrees(facts);
  llvm::append_range(result, laterObligations());
  for (const auto &law : laws)
    result.insert(result.end(), law->shown.begin(), law->shown.end());
  return result;
}

std::vector<Obligation> DefinedTerms::obligationsOfTrees(llvm::ArrayRef<Term> facts) {
  std::vector<Obligation> result;
  llvm::SmallSetVector<const ir::Tree *, 4> definitions;
  for (size_t i = 0; i < trees.size(); ++i) { // definitions may add trees
    const Tree &tree = *trees[i];
    for (const Numbers::Need &need : tree.needs)
      result.push_back({Claim::Defined, need.what, need.range, facts.vec(), need.condition});
    if (tree.definition->byRelatives) {
      relativesObligations(tree, facts, result);
      continue;
    }
    splitObligations(tree, result);
    result.back().hypotheses.insert(result.back().hypotheses.end(), facts.begin(), facts.end());
    definitions.insert(tree.definition);
  }
  for (size_t i = 0; i < definitions.size(); ++i) {
    definitionObligations(*definitions[i], result);
    for (const ir::Expr *part : {definitions[i]->left, definitions[i]->right})
      definitions.insert(part->tree);
  }
  // The obligations may contain calls of functions, whose bounds are shown elsewhere: add what is known about them.
  for (Obligation &obligation : result) {
    std::vector<Term> formulas = obligation.hypotheses;
    formulas.push_back(obligation.goal);
    for (Term lemma : lemmas(formulas))
      obligation.hypotheses.push_back(lemma);
  }
  return result;
}

} // namespace quadrille::compiler::prove
