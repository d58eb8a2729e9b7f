//===- WidthsOfFunctions.cpp - How large numbers of functions and trees become -----------------------------------------------===//
//
// A recursive function is followed from call to call. The intervals of the arguments of all calls are joined until nothing is added;
// an interval that keeps growing is widened to a power of two, then to the next one (widening). The interval of the value is found in
// the same way: first without recursive calls, then with the values of these calls. If every call adds an amount to an argument or to
// the value, the amount times the depth of recursion is added at once.
//
//===----------------------------------------------------------------------------------------------------------------===//

#include "WidthsWalk.h"

#include "arithmetic/IntervalMeaning.h"
#include "limits/Limits.h"
#include "prove/terms/Symbols.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/SaveAndRestore.h"

namespace quadrille::compiler::prove::widths {

// ---- intervals that grow ---------------------------------------------------------------------------------------------------

static bool containsAll(const Frame &a, const Frame &b) {
  return llvm::all_of(llvm::zip(a, b), [](auto pair) { return std::get<0>(pair).contains(std::get<1>(pair)); });
}

static Frame joinAll(Frame a, const Frame &b) {
  for (size_t i = 0; i < a.size(); ++i)
    a[i] = join(a[i], b[i]);
  return a;
}

/// Candidates for the ends of intervals that are widened: the ends of the arguments, and powers of two.
class Bounds {
public:
  explicit Bounds(const Frame &frame) {
    for (Interval interval : frame)
      for (Extended end : {interval.lo, interval.hi})
        numbers.insert(numbers.end(), {end - 1, end, end + 1});
    for (int exponent : {31, 32, 33, 34, 36, 40, 48, 56, 62}) {
      const Extended power = power2(Extended(exponent));
      numbers.insert(numbers.end(), {-power, power - 1, power});
    }
    numbers.insert(numbers.end(), {anything.lo, 0, anything.hi});
    llvm::sort(numbers);
  }

  /// The join of both intervals; an end that lies outside `old` is moved outward to the next candidate.
  Interval widen(Interval old, Interval now) const {
    const Interval both = join(old, now);
    if (old.isNothing())
      return both;
    return {both.lo < old.lo ? *std::prev(std::upper_bound(numbers.begin(), numbers.end(), both.lo)) : old.lo,
            both.hi > old.hi ? *std::lower_bound(numbers.begin(), numbers.end(), both.hi) : old.hi};
  }

  Frame widen(const Frame &old, const Frame &now) const {
    Frame result;
    for (auto [a, b] : llvm::zip(old, now))
      result.push_back(widen(a, b));
    return result;
  }

private:
  std::vector<Extended> numbers;
};

// ---- functions -------------------------------------------------------------------------------------------------------------

/// The value of an expression: a number in `from`, or the value it is derived from plus a number in `by`.
struct Widths::Growth {
  Interval from, by;

  /// The values that at most `steps` steps can make of `first`.
  Interval after(Interval first, Extended steps) const {
    const Interval start = join(first, from);
    return start.isNothing() || by.isNothing() ? start : intervals::add(start, intervals::product(by, {0, steps}));
  }
};

static Widths::Growth joinGrowth(Widths::Growth a, Widths::Growth b) { return {join(a.from, b.from), join(a.by, b.by)}; }

/// A recursive function that is being followed, from its first call on.
struct Widths::Recursion {
  const ir::Function &function;
  Frame arguments;                  // of the first call
  std::vector<FunctionFacts> facts; // that apply to the first call, and so to all later ones
  bool grows = false;               // the value depends on the depth of recursion
  // For the current pass over its body:
  Interval itself = {};                          // the value of recursive calls
  bool isCalled = false;                         // whether a recursive call was met
  Frame called = {};                             //   and the join of their arguments
  std::vector<std::optional<Growth>> steps = {}; // how each argument changes from call to call, if known

  /// The bounds of the value for given arguments, by the facts.
  Interval boundFor(const Frame &given) const {
    Interval result = anything;
    for (const FunctionFacts &fact : facts) {
      if (fact.atLeast)
        result.lo = std::max<Extended>(result.lo, *fact.atLeast);
      for (unsigned argument : fact.atMost)
        result.hi = std::min(result.hi, given[argument].hi);
      for (unsigned argument : fact.atMostOrOne)
        result.hi = std::min(result.hi, std::max<Extended>(1, given[argument].hi));
    }
    return result;
  }

  /// The largest depth of recursion after the first call, if known.
  std::optional<Extended> depth() const {
    std::optional<Extended> result;
    for (const FunctionFacts &fact : facts)
      if (const auto &measure = fact.measure) {
        const Extended first = arguments[measure->argument].hi - (measure->minus ? arguments[*measure->minus].lo : 0);
        result = std::min(result.value_or(Extended::infinity()), std::max<Extended>(0, first + 1) + 1);
      }
    return result;
  }
};

/// What holds if the arguments satisfy the condition of at least one of the facts.
static FunctionFacts commonOf(llvm::ArrayRef<FunctionFacts> facts) {
  FunctionFacts result = facts.front();
  auto smaller = [](std::optional<std::int64_t> a, std::optional<std::int64_t> b) {
    return a && b ? std::optional(std::min(*a, *b)) : std::nullopt;
  };
  for (const FunctionFacts &other : facts.drop_front()) {
    for (size_t i = 0; i < result.least.size(); ++i)
      result.least[i] = smaller(result.least[i], other.least[i]);
    result.atLeast = smaller(result.atLeast, other.atLeast);
    auto isAbove = [&](unsigned argument) { return !llvm::is_contained(other.atMost, argument); };
    auto isAboveAndOne = [&](unsigned argument) { return isAbove(argument) && !llvm::is_contained(other.atMostOrOne, argument); };
    llvm::append_range(result.atMostOrOne, result.atMost);
    llvm::erase_if(result.atMost, isAbove);
    llvm::erase_if(result.atMostOrOne, isAboveAndOne);
    if (result.measure != other.measure)
      result.measure.reset();
  }
  return result;
}

/// Narrows the intervals of arguments to those that satisfy the condition of a fact; false if none is left.
static bool keepTo(const FunctionFacts &fact, Frame &arguments) {
  for (size_t i = 0; i < fact.least.size(); ++i)
    if (fact.least[i])
      arguments[i].lo = std::max<Extended>(arguments[i].lo, *fact.least[i]);
  return llvm::none_of(arguments, [](Interval argument) { return argument.isNothing(); });
}

bool Widths::callsItself(const ir::Function &function) {
  auto [known, isNew] = recursive.try_emplace(&function, false);
  if (isNew)
    known->second = isRecursive(function);
  return known->second;
}

Interval Widths::call(const ir::Expr &expr, const Frame &frame) {
  const ir::Function &function = *expr.function;
  Frame arguments(function.variables.size());
  for (size_t i = 0; i < expr.operands.size(); ++i) {
    arguments[i] = of(*expr.operands[i], frame);
    if (arguments[i].isNothing())
      return nothing;
  }
  const bool isOpen = llvm::any_of(open, [&](const Recursion *recursion) { return &recursion->function == &function; });
  if (isOpen)
    return callAgain(expr, frame, std::move(arguments));
  const auto key = std::tuple(isQuiet, isProved, &function, arguments);
  if (auto known = results.find(key); known != results.end())
    return known->second;
  const size_t before = std::exchange(lowestCalled, open.size());
  auto leave = llvm::make_scope_exit([&] { lowestCalled = std::min(before, lowestCalled); });
  const llvm::SaveAndRestore<const ir::Function *> inside(current.function, &function);
  const Interval result = callsItself(function) ? followRecursion(function, arguments) : of(*function.body, arguments);
  if (lowestCalled == open.size()) // else the result depends on the functions around this call
    results[key] = result;
  return result;
}

/// Records a recursive call of a function that is being followed, and returns the interval of its value.
Interval Widths::callAgain(const ir::Expr &expr, const Frame &frame, Frame arguments) {
  const ir::Function &function = *expr.function;
  const auto place = llvm::find_if(open, [&](const Recursion *recursion) { return &recursion->function == &function; });
  Recursion &recursion = **place;
  lowestCalled = std::min(lowestCalled, static_cast<size_t>(place - open.begin()));
  for (const FunctionFacts &fact : recursion.facts)
    if (!keepTo(fact, arguments))
      return nothing;
  recursion.called = recursion.isCalled ? joinAll(std::move(recursion.called), arguments) : arguments;
  for (unsigned i = 0; i < expr.operands.size(); ++i) {
    std::optional<Growth> &step = recursion.steps[i];
    const std::optional<Growth> own = step ? stepOf(*expr.operands[i], i, recursion, frame) : std::nullopt;
    step = own ? std::optional(joinGrowth(*step, *own)) : std::nullopt;
  }
  recursion.isCalled = true;
  return meet(recursion.itself, recursion.boundFor(arguments));
}

/// How an argument of a recursive call derives from the argument of the same number; nothing if unknown, or if the call is not
/// directly in the function's body.
std::optional<Widths::Growth> Widths::stepOf(const ir::Expr &argument, unsigned number, const Recursion &recursion,
                                             const Frame &frame) {
  const bool hasCalls = ir::anyPart(argument, [&](const ir::Expr &part) {
    return part.op == ir::Op::Call && part.function == &recursion.function;
  });
  if (current.function != &recursion.function || hasCalls)
    return std::nullopt;
  std::vector<std::optional<Growth>> given(number + 1);
  given[number] = Growth{nothing, no};
  const llvm::SaveAndRestore quiet(isQuiet, true);
  return growthOf(argument, recursion, frame, given);
}

Interval Widths::followRecursion(const ir::Function &function, const Frame &arguments) {
  Recursion recursion{function, arguments, {}};
  const llvm::ArrayRef<FunctionFacts> facts = factsOf(function);
  for (const FunctionFacts &fact : facts) {
    bool applies = true;
    for (size_t i = 0; i < fact.least.size(); ++i)
      applies &= !fact.least[i] || arguments[i].lo >= *fact.least[i];
    if (applies)
      recursion.facts.push_back(fact);
  }
  if (recursion.facts.empty() && !facts.empty() && isProved) {
    recursion.facts.push_back(commonOf(facts));
    if (!keepTo(recursion.facts.front(), recursion.arguments))
      return nothing;
  }
  open.push_back(&recursion);
  auto close = llvm::make_scope_exit([&] { open.pop_back(); });
  std::optional<Interval> result;
  std::optional<Found> tooLarge;
  try {
    result = followAll(recursion);
  } catch (const Found &found) {
    if (!byLevels)
      throw;
    tooLarge = found;
  }
  if (byLevels && (tooLarge || recursion.grows || !result->fits()))
    if (const std::optional<Interval> closer = followLevels(recursion))
      result = closer;
  if (!result)
    throw *tooLarge;
  return meet(*result, recursion.boundFor(recursion.arguments));
}

Interval Widths::bodyOf(Recursion &recursion, const Frame &arguments, Interval itself) {
  recursion.itself = itself;
  recursion.isCalled = false;
  recursion.steps.assign(recursion.function.argumentCount, Growth{nothing, nothing});
  const llvm::SaveAndRestore<const ir::Function *> inside(current.function, &recursion.function);
  return of(*recursion.function.body, arguments);
}

/// Follows the recursion level by level until no further call is made, and then computes values backwards; nothing if there are
/// too many levels.
std::optional<Interval> Widths::followLevels(Recursion &recursion) {
  std::vector<Frame> levels{recursion.arguments};
  {
    const llvm::SaveAndRestore quiet(isQuiet, true);
    for (;;) {
      bodyOf(recursion, levels.back(), anything);
      if (!recursion.isCalled)
        break;
      if (levels.size() == limits::widthLevels || levels.back() == recursion.called)
        return std::nullopt;
      levels.push_back(recursion.called);
    }
  }
  Interval itself = nothing;
  for (const Frame &level : llvm::reverse(levels))
    itself = bodyOf(recursion, level, itself);
  return itself;
}

/// Follows all recursive calls at once, with joined arguments.
Interval Widths::followAll(Recursion &recursion) {
  const Bounds bounds(recursion.arguments);
  Frame all = recursion.arguments;
  Interval itself = nothing;
  {
    const llvm::SaveAndRestore quiet(isQuiet, true);
    for (unsigned round = 0;; ++round) {
      bodyOf(recursion, all, anything);
      if (!recursion.isCalled)
        break;
      const bool isMore = round >= limits::widthRounds && addSteps(recursion, all);
      if (!isMore && containsAll(all, recursion.called))
        break;
      all = round < limits::widthRounds ? joinAll(all, recursion.called) : bounds.widen(all, recursion.called);
    }
    for (unsigned round = 0;; ++round) {
      const Interval next = meet(bodyOf(recursion, all, itself), recursion.boundFor(all));
      if (itself.contains(next))
        break;
      if (round == limits::widthRounds)
        if (const std::optional<Interval> grown = growOver(recursion, all)) {
          recursion.grows = true;
          itself = meet(*grown, recursion.boundFor(all));
          break;
        }
      itself = round < limits::widthRounds ? join(itself, next) : bounds.widen(itself, next);
    }
  }
  bodyOf(recursion, all, itself);
  const llvm::SaveAndRestore quiet(isQuiet, true);
  return bodyOf(recursion, recursion.arguments, itself);
}

/// For arguments that change by a step in every call, joins to `all` what the steps amount to over the depth of recursion.
/// Returns whether `all` has grown.
bool Widths::addSteps(Recursion &recursion, Frame &all) {
  const std::optional<Extended> depth = recursion.depth();
  bool isMore = false;
  for (size_t i = 0; i < recursion.steps.size() && depth; ++i)
    if (const std::optional<Growth> &step = recursion.steps[i]; step && !step->by.isNothing() && step->by != no) {
      const Interval most = recursion.called[i] = step->after(recursion.arguments[i], *depth);
      isMore |= !all[i].contains(most);
      all[i] = join(all[i], most);
    }
  return isMore;
}

/// The interval of the value if each call adds an amount to the value of the next one, over the depth of recursion; nothing if
/// unknown.
std::optional<Interval> Widths::growOver(Recursion &recursion, const Frame &all) {
  const std::optional<Extended> depth = recursion.depth();
  recursion.itself = anything;
  const std::optional<Growth> growth = depth ? growthOf(*recursion.function.body, recursion, all, {}) : std::nullopt;
  return growth ? std::optional(growth->after(nothing, *depth)) : std::nullopt;
}

/// How an expression in the body derives from the values of recursive calls. `given`: the growth of variables, in the body of
/// another function that is called; nothing for variables that their interval describes.
std::optional<Widths::Growth> Widths::growthOf(const ir::Expr &expr, const Recursion &recursion, const Frame &frame,
                                               const std::vector<std::optional<Growth>> &given) {
  using ir::Op;
  auto isGiven = [&](const ir::Expr &part) {
    return part.op == Op::Variable && part.variable < given.size() && given[part.variable];
  };
  auto operand = [&](unsigned i) { return growthOf(*expr.operands[i], recursion, frame, given); };
  if (isGiven(expr))
    return given[expr.variable];
  if (expr.op == Op::Call && expr.function == &recursion.function)
    return Growth{nothing, no};
  const bool hasCalls = ir::anyPart(expr, [&](const ir::Expr &part) {
    return isGiven(part) || (part.op == Op::Call && part.function == &recursion.function);
  });
  if (hasCalls)
    switch (expr.op) {
    case Op::Call: {
      const ir::Function &function = *expr.function;
      Frame arguments(function.variables.size());
      std::vector<std::optional<Growth>> inner(function.variables.size());
      bool isKnown = !callsItself(function);
      for (unsigned i = 0; i < expr.operands.size() && isKnown; ++i) {
        arguments[i] = of(*expr.operands[i], frame);
        inner[i] = operand(i);
        isKnown = inner[i].has_value();
        if (isKnown && inner[i]->by.isNothing())
          inner[i].reset(); // its interval in `arguments` suffices
      }
      if (isKnown)
        return growthOf(*function.body, recursion, arguments, inner);
      break;
    }
    case Op::Add:
    case Op::Subtract: {
      const std::optional<Growth> a = operand(0), b = operand(1);
      const bool isAdd = expr.op == Op::Add;
      if (!a || !b || !(b->by.isNothing() || (isAdd && a->by.isNothing())))
        break;
      const Growth &grows = b->by.isNothing() ? *a : *b;
      Interval other = b->by.isNothing() ? b->from : a->from;
      if (other.isNothing())
        return Growth{nothing, nothing};
      if (!isAdd)
        other = intervals::negate(other);
      auto plus = [&](Interval x) { return x.isNothing() ? x : intervals::add(x, other); };
      return Growth{plus(grows.from), plus(grows.by)};
    }
    case Op::Minimum:
    case Op::Maximum: // the value is one of the operands
      if (const std::optional<Growth> a = operand(0), b = operand(1); a && b)
        return joinGrowth(*a, *b);
      break;
    case Op::Select: {
      Growth result{nothing, nothing};
      for (bool holds : {true, false})
        if (const std::optional<Frame> there = where(*expr.operands[0], holds, frame)) {
          const std::optional<Growth> part = growthOf(*expr.operands[holds ? 1 : 2], recursion, *there, given);
          if (!part)
            return std::nullopt;
          result = joinGrowth(result, *part);
        }
      return result;
    }
    default:
      break;
    }
  // The interval for all values that its calls may have.
  const Interval whole = of(expr, frame);
  return whole.fits() || whole.isNothing() ? std::optional(Growth{whole, nothing}) : std::nullopt;
}

// ---- trees -------------------------------------------------------------------------------------------------------------------

/// A tree definition that is being followed, and the join of the arguments with which its rules build parts of the same kind.
struct Widths::TreeRule {
  const ir::Tree &tree;
  const Interval ranks; // of the whole tree, which contain those of its parts
  Frame called = {};
  bool isCalled = false;
};

/// Follows the definition of a tree. The value of a tree is the interval of its ranks.
Interval Widths::tree(const ir::Expr &expr, const Frame &frame) {
  const ir::Tree &tree = *expr.tree;
  Frame inner(tree.variables.size());
  for (size_t i = 0; i < expr.operands.size(); ++i) {
    const Interval argument = of(*expr.operands[i], frame);
    if (argument.isNothing())
      return nothing;
    if (i >= tree.firstParameter() || !tree.byRelatives)
      inner[i] = argument;
    else
      inner[0] = argument.hi >= 0 ? Interval{0, argument.hi} : count; // the node; the argument is the number of ranks
  }
  const Interval ranks = !openTrees.empty() ? openTrees.back()->ranks : tree.byRelatives ? inner[0] : join(inner[0], inner[1]);
  for (unsigned i = 0; i < tree.firstParameter(); ++i) // parts are inside the whole
    inner[i] = ranks;
  for (size_t i = 0; i < tree.presets.size(); ++i)
    if (const size_t variable = tree.firstParameter() + i; variable >= expr.operands.size())
      inner[variable] = tree.presets[i] ? of(*tree.presets[i], inner) : ranks;
  const auto rule = llvm::find_if(openTrees, [&](const TreeRule *open) { return &open->tree == &tree; });
  if (rule != openTrees.end()) {
    (*rule)->called = (*rule)->isCalled ? joinAll(std::move((*rule)->called), inner) : inner;
    (*rule)->isCalled = true;
  } else if (!openTrees.empty() || seenTrees.insert({isQuiet, isProved, &tree, inner}).second) {
    followTree(tree, ranks, std::move(inner));
  }
  return ranks;
}

void Widths::followTree(const ir::Tree &tree, Interval ranks, Frame frame) {
  TreeRule rule{tree, ranks};
  openTrees.push_back(&rule);
  auto close = llvm::make_scope_exit([&] { openTrees.pop_back(); });
  auto visitRules = [&] {
    rule.isCalled = false;
    for (const ir::Expr *part : {tree.left, tree.right, tree.root, tree.parent}) // first the rules that build parts
      visit(part, frame);
  };
  const Bounds bounds(frame);
  {
    const llvm::SaveAndRestore quiet(isQuiet, true);
    for (unsigned round = 0;; ++round) {
      visitRules();
      if (!rule.isCalled || containsAll(frame, rule.called))
        break;
      frame = round < limits::widthRounds ? joinAll(frame, rule.called) : bounds.widen(frame, rule.called);
    }
  }
  visitRules();
}

} // namespace quadrille::compiler::prove::widths
