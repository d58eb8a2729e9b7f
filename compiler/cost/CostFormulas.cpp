//===- CostFormulas.cpp - Cost clauses as formulas ----------------------------------------------------------------===//

#include "CostFormulas.h"
#include "FormulaMeaning.h"

#include "evaluate/Evaluate.h"
#include "limits/Limits.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"

#include <mutex>
#include <set>

namespace quadrille::compiler {

using ir::Op;
using F = FormulaFunction;

Formula CostFormulas::total() const {
  return alpha * Formula::symbol("alpha") + beta * Formula::symbol("beta") + gamma * Formula::symbol("gamma");
}

namespace {
/// The functions and tree fields that formulas call, by their names in formulas.
struct Callees {
  llvm::StringMap<const ir::Function *> functions;
  llvm::StringMap<std::pair<const ir::Tree *, ir::TreeFieldKind>> fields; // the arguments of the call are those of the tree
};

/// Thrown for an expression that has no formula.
struct NoFormula {};

/// constant + a*alpha + b*beta + c*gamma
struct Linear {
  Formula constant, a, b, c;

  bool isNumber() const { return a == Formula(0) && b == Formula(0) && c == Formula(0); }
  template <typename Operation> static Linear each(const Linear &x, const Linear &y, Operation operation) {
    return {operation(x.constant, y.constant), operation(x.a, y.a), operation(x.b, y.b), operation(x.c, y.c)};
  }
};

class ClauseReader {
public:
  ClauseReader(const ir::Schedule &schedule, PlainFunctions plain, Callees *callees)
      : schedule(schedule), plain(plain), callees(callees) {
    variables.resize(schedule.variables.size());
    for (unsigned i = 0; i < ir::Schedule::firstNumber + schedule.numberCount; ++i)
      if (i != ir::Schedule::variableMe)
        variables[i] = Formula::symbol(schedule.variables[i].name);
  }

  Linear read(const ir::Expr &expr) {
    if (++operations > limits::clauseFormula)
      throw NoFormula();
    auto operand = [&](unsigned i) { return read(*expr.operands[i]); };
    switch (expr.op) {
    case Op::Alpha:
      return {0, 1, 0, 0};
    case Op::Beta:
      return {0, 0, 1, 0};
    case Op::Gamma:
      return {0, 0, 0, 1};
    case Op::Add:
      return Linear::each(operand(0), operand(1), [](auto &x, auto &y) { return x + y; });
    case Op::Subtract:
      return Linear::each(operand(0), operand(1), [](auto &x, auto &y) { return x - y; });
    case Op::Negate:
      return Linear::each({}, operand(0), [](auto &x, auto &y) { return x - y; });
    case Op::Multiply: {
      Linear x = operand(0), y = operand(1);
      if (!x.isNumber())
        std::swap(x, y);
      if (!x.isNumber())
        throw NoFormula();
      return Linear::each(y, y, [&](auto &of, auto &) { return x.constant * of; });
    }
    case Op::Ratio: {
      Linear x = operand(0);
      Formula by = number(*expr.operands[1]);
      return Linear::each(x, x, [&](auto &of, auto &) { return of / by; });
    }
    case Op::Select: {
      Formula condition = number(*expr.operands[0]);
      return Linear::each(operand(1), operand(2),
                          [&](auto &yes, auto &no) { return Formula::apply(F::Select, {condition, yes, no}); });
    }
    case Op::SumOver: {
      // A sum of costs: alpha, beta and gamma parts run over the same range.
      return over(expr, [&](const ir::Expr &each) { return read(each); });
    }
    case Op::Variable:
      if (const ir::Expr *value = letValue(expr))
        return read(*value);
      break;
    default:
      break;
    }
    return {integer(expr), 0, 0, 0};
  }

  Formula number(const ir::Expr &expr) {
    Linear x = read(expr);
    if (!x.isNumber())
      throw NoFormula();
    return x.constant;
  }

private:

  template <typename Read> Linear over(const ir::Expr &expr, Read readEach) {
    Formula lo = number(*expr.operands[0]), hi = number(*expr.operands[1]);
    // Rename the variable, since the author's name may be that of another symbol.
    const std::string name = "%" + std::to_string(expr.variable);
    std::optional<Formula> outer = std::exchange(variables[expr.variable], Formula::symbol(name));
    Linear each = readEach(*expr.operands[2]);
    Formula condition = expr.operands.size() > 3 ? number(*expr.operands[3]) : Formula(1);
    variables[expr.variable] = outer;
    Formula::Over kind = expr.op == Op::SumOver       ? Formula::Over::Sum
                         : expr.op == Op::MinimumOver ? Formula::Over::Minimum
                                                      : Formula::Over::Maximum;
    return Linear::each(each, each, [&](auto &f, auto &) {
      return f == Formula(0) ? Formula(0) : Formula::over(kind, f, name, lo, hi, condition);
    });
  }

  Formula integer(const ir::Expr &expr) {
    switch (expr.op) {
    case Op::Constant:
      if (expr.value == ir::none)
        throw NoFormula();
      return expr.value;
    case Op::Variable:
      if (expr.type == ir::Type::Tree || !variables[expr.variable])
        throw NoFormula();
      return *variables[expr.variable];
    case Op::Length:
      return Formula::symbol("n");
    case Op::Element: {
      std::vector<Formula> indices;
      for (const ir::Expr *index : expr.operands)
        indices.push_back(number(*index));
      return Formula::entry(schedule.tables[expr.variable].name, indices);
    }
    case Op::MinimumOver:
    case Op::MaximumOver:
      return over(expr, [&](const ir::Expr &each) { return Linear{number(each), 0, 0, 0}; }).constant;
    case Op::Call:
      return call(expr);
    case Op::TreeField:
      return treeField(expr);
    case Op::BuildTree:
      throw NoFormula();
    default:
      break;
    }
    std::vector<Formula> operands;
    for (const ir::Expr *each : expr.operands)
      operands.push_back(number(*each));
    if (std::optional<Formula> result = formulaOf(expr.op, operands))
      return *result;
    throw NoFormula();
  }

  Formula call(const ir::Expr &expr) {
    std::vector<Formula> arguments;
    for (const ir::Expr *operand : expr.operands)
      arguments.push_back(number(*operand));
    const ir::Function &function = *expr.function;
    std::set<const ir::Function *> seen;
    if (plain == PlainFunctions::Called || reaches(*function.body, function, seen) || inlined >= limits::inlinedFunctions) {
      remember(functions, function.name, &function);
      if (callees)
        callees->functions[function.name] = &function;
      return Formula::call(function.name, arguments);
    }
    std::vector<std::optional<Formula>> outer = std::move(variables);
    variables.assign(function.variables.size(), std::nullopt);
    std::copy(arguments.begin(), arguments.end(), variables.begin());
    ++inlined;
    Formula value = number(*function.body);
    --inlined;
    variables = std::move(outer);
    return value;
  }

  /// Whether evaluating the expression may call the function.
  static bool reaches(const ir::Expr &expr, const ir::Function &function, std::set<const ir::Function *> &seen) {
    if (expr.op == Op::Call &&
        (expr.function == &function || (seen.insert(expr.function).second && reaches(*expr.function->body, function, seen))))
      return true;
    return llvm::any_of(expr.operands, [&](const ir::Expr *operand) { return reaches(*operand, function, seen); });
  }

  /// A field of a tree, such as `height(inorder(0 ..< p, root))`: a call whose operands are the arguments of the tree.
  Formula treeField(const ir::Expr &expr) {
    const ir::Expr *tree = expr.operands[0];
    while (const ir::Expr *value = letValue(*tree))
      tree = value;
    bool isHeight = expr.field == ir::TreeFieldKind::Height;
    if ((!isHeight && expr.field != ir::TreeFieldKind::Root) || tree->op != Op::BuildTree)
      throw NoFormula();
    // The name is a text with a place for each argument. A tree given by parents and children has no range in its text.
    std::vector<Formula> arguments;
    std::string list;
    for (const ir::Expr *operand : tree->operands) {
      bool isHidden = tree->tree->byRelatives && arguments.empty(), isEndOfRange = !tree->tree->byRelatives && arguments.size() == 1;
      if (!isHidden)
        list += (list.empty() ? "$" : isEndOfRange ? " ..< $" : ", $") + std::to_string(arguments.size());
      arguments.push_back(number(*operand));
    }
    std::string text = tree->tree->name + "(" + list + ")";
    text = isHeight ? "height(" + text + ")" : text + ".root";
    remember(trees, tree->tree->name, tree->tree);
    if (callees)
      callees->fields[text] = {tree->tree, expr.field};
    return Formula::call(text, arguments);
  }

  /// Throws NoFormula for two functions or trees of the same name (one hides the other): formulas cannot tell them apart.
  template <typename T> static void remember(llvm::StringMap<const T *> &known, llvm::StringRef name, const T *what) {
    if (!known.try_emplace(name, what).second && known[name] != what)
      throw NoFormula();
  }

  /// The definition of a variable, if a `let` at the top level of the schedule defines it. Null inside functions.
  const ir::Expr *letValue(const ir::Expr &expr) const {
    if (expr.op != Op::Variable || inlined > 0)
      return nullptr;
    for (const auto &stmt : schedule.body)
      if (auto *let = llvm::dyn_cast<ir::LetStmt>(stmt.get()); let && let->variable == expr.variable)
        return let->value;
    return nullptr;
  }

  const ir::Schedule &schedule;
  const PlainFunctions plain;
  Callees *callees;
  std::vector<std::optional<Formula>> variables; // values of the variables of the current frame
  llvm::StringMap<const ir::Function *> functions;
  llvm::StringMap<const ir::Tree *> trees;
  unsigned operations = 0, inlined = 0;
};

std::optional<Linear> readClause(const ir::CostClause &claim, const ir::Schedule &schedule, PlainFunctions functions,
                                 Callees *callees) {
  try {
    return ClauseReader(schedule, functions, callees).read(*claim.formula);
  } catch (const NoFormula &) {
  } catch (const FormulaTooLarge &) {
  }
  return std::nullopt;
}

// ---- values ------------------------------------------------------------------------------------------------------------

} // namespace

struct ScheduleFunctions::Store {
  const ir::Schedule &schedule;
  Callees callees;
  std::mutex mutex; // guards the remembered results
  TreeCache trees;
};

ScheduleFunctions::ScheduleFunctions(const ir::Schedule &schedule) : store(new Store{schedule, {}, {}, {}}) {
  for (const std::optional<ir::CostClause> *claim : {&schedule.cost, &schedule.rounds})
    for (PlainFunctions functions : {PlainFunctions::WrittenOut, PlainFunctions::Called})
      if (*claim)
        readClause(**claim, schedule, functions, &store->callees);
}

std::unique_ptr<FormulaValues> ScheduleFunctions::at(std::int64_t p, llvm::ArrayRef<std::int64_t> numbers,
                                                     const Lengths &lengths) const {
  class Values : public FormulaValues {
  public:
    Values(std::shared_ptr<Store> store, std::int64_t p, llvm::ArrayRef<std::int64_t> numbers, const Lengths &lengths)
        : store(std::move(store)), p(p), numbers(numbers.begin(), numbers.end()), lengths(lengths) {}

    std::optional<Rational> symbol(llvm::StringRef name) const override {
      if (name == "p")
        return Rational(p);
      if (name == "n")
        return Rational(lengths.n);
      for (size_t i = 0; i < numbers.size(); ++i)
        if (store->schedule.variables[ir::Schedule::firstNumber + i].name == name)
          return Rational(numbers[i]);
      return std::nullopt;
    }

    std::optional<Rational> call(llvm::StringRef name, llvm::ArrayRef<Rational> given) const override {
      std::optional<std::vector<std::int64_t>> arguments = integers(given);
      if (!arguments)
        return std::nullopt;
      std::lock_guard<std::mutex> guard(store->mutex);
      try {
        if (const ir::Function *function = store->callees.functions.lookup(name)) {
          Frame frame;
          frame.trees = &store->trees;
          frame.values = *arguments;
          frame.values.resize(function->variables.size());
          return Rational(evaluate(*function->body, frame));
        }
        if (auto field = store->callees.fields.find(name); field != store->callees.fields.end()) {
          auto [tree, kind] = field->second;
          std::int64_t value = store->trees[store->trees.get(*tree, *arguments, tree->range)].field(kind, 0);
          return value == ir::none ? std::nullopt : std::optional<Rational>(value);
        }
      } catch (const EvaluationError &) {
      }
      return std::nullopt;
    }

    std::optional<Rational> entry(llvm::StringRef name, llvm::ArrayRef<Rational> given) const override {
      std::optional<std::vector<std::int64_t>> indices = integers(given);
      if (!indices || !lengths.tables)
        return std::nullopt;
      for (const LengthTable &table : *lengths.tables)
        if (table.name == name)
          if (std::optional<std::uint32_t> number = table.entry(*indices))
            return Rational(lengths.entries[*number]);
      return std::nullopt;
    }

  private:
    static std::optional<std::vector<std::int64_t>> integers(llvm::ArrayRef<Rational> given) {
      std::vector<std::int64_t> result;
      for (const Rational &each : given) {
        if (!each.isInteger())
          return std::nullopt;
        result.push_back(each.num());
      }
      return result;
    }

    const std::shared_ptr<Store> store;
    const std::int64_t p;
    const std::vector<std::int64_t> numbers;
    const Lengths lengths;
  };
  return std::make_unique<Values>(store, p, numbers, lengths);
}

std::optional<CostFormulas> clauseFormulas(const ir::CostClause &claim, const ir::Schedule &schedule, PlainFunctions functions) {
  std::optional<Linear> linear = readClause(claim, schedule, functions, nullptr);
  if (!linear)
    return std::nullopt;
  bool isRounds = schedule.rounds && &claim == &*schedule.rounds;
  if (isRounds)
    return linear->isNumber() ? std::optional(CostFormulas{linear->constant, 0, 0, 0}) : std::nullopt;
  return linear->constant == Formula(0) ? std::optional(CostFormulas{linear->a, linear->a, linear->b, linear->c}) : std::nullopt;
}

std::optional<ScheduleCost> costFormulas(const ir::Schedule &schedule, PlainFunctions functions) {
  std::optional<CostFormulas> cost = schedule.cost ? clauseFormulas(*schedule.cost, schedule, functions) : std::nullopt;
  if (!cost)
    return std::nullopt;
  ScheduleCost result;
  result.formulas = *cost;
  result.isUpperBound = result.isRoundsUpperBound = schedule.cost->upperBound;
  result.hasGamma = schedule.cost->mentionsGamma;
  if (std::optional<CostFormulas> rounds = schedule.rounds ? clauseFormulas(*schedule.rounds, schedule, functions) : std::nullopt)
    if (!schedule.rounds->upperBound || schedule.cost->upperBound) {
      result.formulas.rounds = rounds->rounds;
      result.isRoundsUpperBound = schedule.rounds->upperBound;
    }
  return result;
}

/// Whether `condition` is op(p), or a conjunction with such a part.
static bool states(const ir::Expr &condition, Op op) {
  if (condition.op == Op::And)
    return llvm::any_of(condition.operands, [&](const ir::Expr *part) { return states(*part, op); });
  return condition.op == op && condition.operands[0]->op == Op::Variable &&
         condition.operands[0]->variable == ir::Schedule::variableP;
}

FormulaFacts factsOf(const ir::Schedule &schedule) {
  FormulaFacts facts;
  for (const ir::Requirement &requirement : schedule.requirements) {
    facts.pIsPow2 |= states(*requirement.condition, Op::IsPow2);
    facts.pIsEven |= states(*requirement.condition, Op::IsEven);
  }
  return facts;
}

} // namespace quadrille::compiler
