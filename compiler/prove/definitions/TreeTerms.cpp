//===- TreeTerms.cpp - Trees as functions of ranks -----------------------------------------------------------------------===//

#include "DefinedTerms.h"

#include "llvm/ADT/STLExtras.h"

namespace quadrille::compiler::prove {

DefinedTerms::DefinedTerms(const ir::Schedule &schedule, TermPool &pool, IsProved isProved, RanOut ranOut)
    : pool(pool), isProved(std::move(isProved)), ranOut(std::move(ranOut)), numbers(pool, this), constants{pool.variable("p")} {
  for (unsigned i = 0; i < schedule.numberCount; ++i)
    constants.push_back(pool.variable(schedule.variables[ir::Schedule::firstNumber + i].name));
}

// ---- trees and their fields ----------------------------------------------------------------------------------------------

/// By Field. Terms name a field by the tree and one of these.
static constexpr const char *fieldNames[] = {".lo", ".hi", ".parent", ".left", ".right", ".depth", ".turns", ".waits", ".height"};

/// The values of a definition's variables. If the tree is given by relatives, the first variable is the node, which has no value
/// yet.
std::vector<Value> DefinedTerms::frameOf(const ir::Tree &tree, llvm::ArrayRef<Term> arguments, llvm::SMRange range) {
  std::vector<Value> values(tree.variables.size());
  const unsigned first = tree.firstParameter();
  if (!tree.byRelatives) {
    values[0] = {arguments[0], {}, {}};
    values[1] = {arguments[1], {}, {}};
  }
  for (unsigned i = 0; i < tree.presets.size(); ++i) {
    Value &value = values[first + i];
    if (first + i < arguments.size()) {
      value = {arguments[first + i], {}, {}};
    } else if (tree.presets[i]) {
      value = numbers.value(*tree.presets[i], values);
      if (value.exists)
        throw NotModelled{Gap::TreeOfNone, range};
    } else { // the preset of a splitting tree: the middle of the range
      Term last = pool.subtract(pool.subtract(arguments[1], arguments[0]), pool.integer(1));
      value = {pool.add(arguments[0], pool.quotient(last, pool.integer(2))), {}, {}};
    }
  }
  return values;
}

Value DefinedTerms::tree(const ir::Expr &expr, llvm::ArrayRef<Value> arguments) {
  const ir::Tree &definition = *expr.tree;
  std::vector<Term> terms;
  for (const Value &argument : arguments) {
    if (argument.exists || !argument.term)
      throw NotModelled{Gap::TreeOfNone, expr.range};
    terms.push_back(argument.term);
  }
  // The functions of a tree must be the same for all ranks and iterations.
  for (Term variable : variablesOf(terms))
    if (!llvm::is_contained(constants, variable))
      throw NotModelled{Gap::TreeThatDiffers, expr.range};
  for (size_t i = 0; i < trees.size(); ++i)
    if (trees[i]->definition == &definition && trees[i]->arguments == terms)
      return {pool.integer(static_cast<std::int64_t>(i)), {}, {}};
  if (definition.byRelatives && terms[0] != pool.variable("p"))
    throw NotModelled{Gap::TreeOfUnknownSize, expr.range};
  auto tree = std::make_unique<Tree>();
  tree->definition = &definition;
  tree->arguments = terms;
  tree->range = expr.range;
  if (!definition.byRelatives) {
    tree->lo = terms[0];
    tree->hi = terms[1];
  }
  {
    const Numbers::Apart apart(numbers);
    tree->values = frameOf(definition, terms, expr.range);
    tree->needs = std::exchange(numbers.needs, {});
    tree->root = numbers.value(*definition.root, tree->values);
    for (Numbers::Need &need : numbers.needs) {
      if (tree->lo)
        need.condition = pool.implies(pool.less(tree->lo, tree->hi), need.condition);
      tree->needs.push_back(std::move(need));
    }
  }
  tree->name = definition.name + "'" + std::to_string(trees.size());
  for (unsigned i = 0; i < fieldCount; ++i)
    fields[tree->name + fieldNames[i]] = {tree.get(), static_cast<Field>(i)};
  trees.push_back(std::move(tree));
  return {pool.integer(static_cast<std::int64_t>(trees.size() - 1)), {}, {}};
}

Term DefinedTerms::apply(const Tree &tree, Field field, Term rank) {
  return pool.apply(tree.name + fieldNames[field], {rank});
}

Value DefinedTerms::relative(const Tree &tree, const ir::Expr &expr, Term rank) {
  std::vector<Value> values = tree.values;
  values[0] = {rank, {}, {}};
  return numbers.value(expr, values);
}

/// The condition under which a rank is a node of a tree that splits ranges.
Term DefinedTerms::isInside(const Tree &tree, Term rank) {
  // `me` is a rank, so the condition is always true over all ranks.
  if (TermPool::asInteger(tree.lo) == 0 && tree.hi == pool.variable("p") && rank == pool.variable("me"))
    return pool.truth(true);
  return pool.inRange(tree.lo, rank, tree.hi);
}

Value DefinedTerms::field(const ir::Expr &expr, Term handle, Term rank) {
  using ir::TreeFieldKind;
  auto number = TermPool::asInteger(handle);
  if (!number)
    throw NotModelled{Gap::OneOfSeveralTrees, expr.range};
  const Tree &tree = *trees[static_cast<size_t>(*number)];
  auto limited = [&](Value value, Term condition) {
    value.exists = value.exists ? pool.both(value.exists, condition) : condition;
    if (pool.isTrue(value.exists))
      value.exists = {};
    return value;
  };
  if (tree.definition->byRelatives) {
    Term isRoot = pool.equal(rank ? rank : tree.root.term, tree.root.term);
    if (tree.root.exists)
      isRoot = pool.both(tree.root.exists, isRoot);
    switch (expr.field) {
    case TreeFieldKind::Root:
      return tree.root;
    case TreeFieldKind::Parent:
      return limited(relative(tree, *tree.definition->parent, rank), pool.negate(isRoot));
    case TreeFieldKind::Left:
      return relative(tree, *tree.definition->left, rank);
    case TreeFieldKind::Right:
      return relative(tree, *tree.definition->right, rank);
    default:
      throw NotModelled{Gap::FieldByRelatives, expr.range};
    }
  }
  const Term zero = pool.integer(0), one = pool.integer(1);
  if (expr.field == TreeFieldKind::Root)
    return limited(tree.root, pool.less(tree.lo, tree.hi));
  if (expr.field == TreeFieldKind::Height)
    return {apply(tree, Height, zero), {}, {}};
  const Term inside = isInside(tree, rank), lo = apply(tree, Lo, rank), hi = apply(tree, Hi, rank);
  switch (expr.field) {
  case TreeFieldKind::Parent:
    return limited({apply(tree, Parent, rank), {}, {}}, pool.both(inside, pool.notEqual(rank, tree.root.term)));
  case TreeFieldKind::Left:
    return limited({apply(tree, Left, rank), {}, {}}, pool.both(inside, pool.less(lo, rank)));
  case TreeFieldKind::Right:
    return limited({apply(tree, Right, rank), {}, {}}, pool.both(inside, pool.less(pool.add(rank, one), hi)));
  case TreeFieldKind::Depth:
    return {pool.select(inside, apply(tree, Depth, rank), zero), {}, {}};
  case TreeFieldKind::Size:
    return {pool.select(inside, pool.subtract(hi, lo), zero), {}, {}};
  case TreeFieldKind::Lo:
    return {pool.select(inside, lo, rank), {}, {}};
  default:
    return {pool.select(inside, hi, rank), {}, {}};
  }
}

std::vector<DefinedTerms::Measure> DefinedTerms::measures() {
  std::vector<Measure> result;
  for (const auto &tree : trees)
    if (!tree->definition->byRelatives)
      for (Field field : {Depth, Lo, Hi})
        result.push_back({tree->name, [this, tree = tree.get(), field](Term rank) { return apply(*tree, field, rank); },
                          field != Depth});
  return result;
}

std::vector<DefinedTerms::Measure> DefinedTerms::onTheWay(Way way) {
  std::vector<Measure> result;
  for (const auto &tree : trees)
    if (!tree->definition->byRelatives)
      result.push_back({tree->name, [this, tree = tree.get(), way](Term rank) { return apply(*tree, way == Way::Turns ? Turns : Waits, rank); }});
  return result;
}

std::vector<Term> DefinedTerms::places(Term rank) {
  std::vector<Term> result;
  for (const auto &tree : trees) {
    if (tree->definition->byRelatives)
      continue;
    const Term one = pool.integer(1), root = tree->root.term, parent = apply(*tree, Parent, rank), next = pool.add(rank, one);
    const Term lo = apply(*tree, Lo, rank), hi = apply(*tree, Hi, rank), depth = apply(*tree, Depth, rank);
    const Term hasParent = pool.notEqual(rank, root);
    for (Term condition : {pool.less(rank, root), pool.equal(rank, root), pool.equal(depth, one), pool.less(lo, rank), pool.less(next, hi),
                           pool.equal(hi, tree->hi), pool.equal(hi, root), pool.equal(lo, tree->lo), pool.equal(lo, pool.add(root, one)),
                           pool.both(hasParent, pool.less(rank, parent)), pool.both(hasParent, pool.less(apply(*tree, Lo, parent), parent))})
      result.push_back(condition);
  }
  return result;
}

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
  collect(result);
  std::vector<Term> more(formulas.begin(), formulas.end());
  more.insert(more.end(), result.begin(), result.end());
  zerosLemmas(calls.getArrayRef(), more, result);
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

// ---- as text -------------------------------------------------------------------------------------------------------------------

std::string DefinedTerms::text(Term term, llvm::ArrayRef<std::pair<Term, std::string>> treeNames) {
  auto treeText = [&](const Tree &tree) {
    for (const auto &[number, name] : treeNames)
      if (auto index = TermPool::asInteger(number); index && trees[static_cast<size_t>(*index)].get() == &tree)
        return name;
    std::string result = tree.definition->name + "(";
    const unsigned bounds = tree.definition->byRelatives ? 0 : 2;
    if (bounds)
      result += text(tree.arguments[0], treeNames) + " ..< " + text(tree.arguments[1], treeNames);
    for (size_t i = bounds; i < tree.arguments.size(); ++i)
      result += (i ? ", " : "") + text(tree.arguments[i], treeNames);
    return result + ")";
  };
  // Fields of trees are replaced by variables whose names are the text.
  return prove::text(pool.rebuild(term, [&](Term a) -> Term {
    if (a->kind == TermKind::Variable) // without the number that distinguishes it from others of this name
      return pool.variable(llvm::StringRef(a->name).split('!').first.str());
    if (a->kind != TermKind::Apply)
      return {};
    auto field = fields.find(a->name);
    if (field == fields.end())
      return {};
    if (field->second.second == Height)
      return pool.variable("height(" + treeText(*field->second.first) + ")");
    const llvm::StringRef fieldName = llvm::StringRef(a->name).rsplit('.').second;
    const Term rank = a->operands[0];
    std::string of = text(rank, treeNames);
    if (rank->kind != TermKind::Variable && !TermPool::asInteger(rank))
      of = "(" + of + ")";
    return pool.variable(treeText(*field->second.first) + "." + fieldName.str() + "@" + of);
  }));
}

// ---- at one p ------------------------------------------------------------------------------------------------------------------

std::optional<std::int64_t> DefinedTerms::evaluate(Term term,
                                                   llvm::function_ref<std::optional<std::int64_t>(Term)> valueOf,
                                                   TreeCache &cache) {
  if (!withoutFunctions.lookup(term))
    withoutFunctions[term] = pool.rebuild(term, [&](Term a) -> Term {
      if (a->kind != TermKind::Apply)
        return {};
      Term variable = variableFor.lookup(a);
      if (!variable) {
        variable = pool.fresh("function'");
        variableFor[a] = variable;
        functionOf[variable] = a;
      }
      return variable;
    });
  const Term plain = withoutFunctions.lookup(term);
  bool failed = false;
  auto value = [&](Term variable) -> std::int64_t {
    auto function = functionOf.find(variable);
    if (function == functionOf.end()) {
      auto known = valueOf(variable);
      failed |= !known;
      return known.value_or(0);
    }
    const Term call = function->second;
    std::vector<std::int64_t> arguments;
    for (Term operand : call->operands) {
      auto argument = evaluate(operand, valueOf, cache);
      if (!argument) {
        failed = true;
        return noValue;
      }
      arguments.push_back(*argument);
    }
    if (const std::optional<ir::Op> op = nodeOperation(call)) {
      const std::optional<std::int64_t> known = valueOfNodes(*op, arguments, valueOf(pool.variable("p")), valueOf(pool.variable("map'")));
      failed |= !known;
      return known.value_or(noValue);
    }
    if (call->name == "trailing_zeros")
      return arguments[0] == 0 ? noValue : __builtin_ctzll(static_cast<unsigned long long>(arguments[0]));
    if (auto field = fields.find(call->name); field != fields.end()) {
      const Tree &tree = *field->second.first;
      std::vector<std::int64_t> of;
      for (Term argument : tree.arguments) {
        auto known = evaluate(argument, valueOf, cache);
        failed |= !known;
        of.push_back(known.value_or(0));
      }
      if (failed)
        return noValue;
      using Kind = ir::TreeFieldKind;
      static constexpr Kind kinds[fieldCount] = {Kind::Lo, Kind::Hi, Kind::Parent, Kind::Left, Kind::Right, Kind::Depth,
                                                   Kind::Depth, Kind::Depth, Kind::Height};
      const TreeInstance &instance = cache[cache.get(*tree.definition, of, tree.range)];
      if (field->second.second == Turns || field->second.second == Waits) {
        std::int64_t count = 0;
        for (std::int64_t node = arguments[0], parent; instance.contains(node); node = parent) {
          parent = instance.field(Kind::Parent, node);
          count += parent != ir::none && parent < node && (field->second.second == Turns || instance.field(Kind::Left, parent) != ir::none);
        }
        return count;
      }
      std::int64_t result = instance.field(kinds[field->second.second], arguments[0]);
      return result == ir::none ? noValue : result;
    }
    auto known = recursive.find(call->name);
    if (known == recursive.end()) { // a sum, a maximum or a location: its value may be any function of its arguments
      if (undefinedYields && *undefinedYields < arguments.size())
        return arguments[*undefinedYields];
      std::uint64_t mixed = 0;
      for (std::int64_t argument : arguments)
        mixed = 31 * mixed + static_cast<std::uint64_t>(argument);
      return static_cast<std::int64_t>(mixed % 16);
    }
    const ir::Function &definition = *known->second->function;
    Frame frame;
    frame.trees = &cache;
    frame.values = arguments;
    frame.values.resize(definition.variables.size());
    try {
      return compiler::evaluate(*definition.body, frame);
    } catch (const EvaluationError &) {
      return noValue;
    }
  };
  std::optional<std::int64_t> result = prove::evaluate(plain, value);
  return failed ? std::nullopt : result;
}

} // namespace quadrille::compiler::prove
