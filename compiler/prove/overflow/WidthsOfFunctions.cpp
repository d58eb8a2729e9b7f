//===- WidthsOfFunctions.cpp - How large numbers of functions and trees become -----------------------------------------------===//
//
// A function that calls itself is followed from call to call. What it is called with: the arguments of its calls are joined to
// those of the first one until nothing is added; what goes on growing is soon taken to be as large as some power of two, and as the
// next one if that does not do. What it yields: its value without any call, and then with what its calls yield, likewise. Where
// every call adds to that of the next one, as many calls as can be in a row add as many times as much.
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

/// Bounds that what grows is tried with: those of the numbers that it is compared with, and powers of two.
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

  /// The interval, and where it is not within `old` larger.
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

/// What an expression yields: something in `from`, or what it is made of and something in `by`.
struct Widths::Growth {
  Interval from, by;

  /// What comes of `first` by as many steps.
  Interval after(Interval first, Extended steps) const {
    const Interval start = join(first, from);
    return start.isNothing() || by.isNothing() ? start : intervals::add(start, intervals::product(by, {0, steps}));
  }
};

static Widths::Growth joinGrowth(Widths::Growth a, Widths::Growth b) { return {join(a.from, b.from), join(a.by, b.by)}; }

/// A function that calls itself, by others too, from some call on.
struct Widths::Recursion {
  const ir::Function &function;
  Frame arguments;                  // of that call
  std::vector<FunctionFacts> facts; // that hold of that call, and so of all that follow
  bool grows = false;               // what it yields depends on how many calls can be in a row
  // Of its body as it is followed now:
  Interval itself = {};                          // what its calls yield
  bool isCalled = false;                         // whether it is called
  Frame called = {};                             //   and with what
  std::vector<std::optional<Growth>> steps = {}; // of each argument from call to call, if that is known

  /// What is known of the value.
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

  /// How many calls can be in a row after the first one.
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

/// What holds wherever one of the facts is about the arguments.
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

/// Narrows arguments to those that a fact is about; false if there are none.
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
  if (lowestCalled == open.size()) // else it depends on who calls
    results[key] = result;
  return result;
}

/// What a function that is being followed yields when it is called again, and with what.
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

/// How an argument of a call is made of the argument of the same number, if it is in the body of the function itself.
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

/// From call to call until no further one is made, and then back; nothing if they do not come to an end soon.
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

/// All calls at once.
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

/// Arguments to which every call adds something become as much by as many calls as can be in a row, and no more. Whether that is
/// more than was known of `all`.
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

/// What the function yields if each call adds to what the next one yields, for as many as can be in a row.
std::optional<Interval> Widths::growOver(Recursion &recursion, const Frame &all) {
  const std::optional<Extended> depth = recursion.depth();
  recursion.itself = anything;
  const std::optional<Growth> growth = depth ? growthOf(*recursion.function.body, recursion, all, {}) : std::nullopt;
  return growth ? std::optional(growth->after(nothing, *depth)) : std::nullopt;
}

/// `given`: the arguments of a function that the body calls, for those that are made of calls.
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
          inner[i].reset(); // as the interval says
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
    case Op::Maximum: // one of them
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
  // Whatever its calls yield.
  const Interval whole = of(expr, frame);
  return whole.fits() || whole.isNothing() ? std::optional(Growth{whole, nothing}) : std::nullopt;
}

// ---- trees -------------------------------------------------------------------------------------------------------------------

/// A tree whose rules are being followed, which build its parts, and what they are built with.
struct Widths::TreeRule {
  const ir::Tree &tree;
  const Interval ranks; // of the whole, and so of its parts
  Frame called = {};
  bool isCalled = false;
};

/// A tree is known by the range of its ranks.
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
      inner[0] = argument.hi >= 0 ? Interval{0, argument.hi} : count; // of ranks there may be any number
  }
  const Interval ranks = !openTrees.empty() ? openTrees.back()->ranks : tree.byRelatives ? inner[0] : join(inner[0], inner[1]);
  for (unsigned i = 0; i < tree.firstParameter(); ++i) // no part is beyond the whole
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
    for (const ir::Expr *part : {tree.left, tree.right, tree.root, tree.parent}) // what grows is told where it does
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
