//===- TreeTerms.cpp - Trees as functions of ranks -----------------------------------------------------------------------===//

#include "DefinedTerms.h"

#include "arithmetic/Integers.h"

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
    if (call->name == trailingZerosName)
      return arguments[0] == 0 ? noValue : __builtin_ctzll(static_cast<unsigned long long>(arguments[0]));
    if (call->name == squareRootName)
      return arguments[0] < 0 ? noValue : arithmetic::floorSqrt(arguments[0]);
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
