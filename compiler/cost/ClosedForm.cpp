//===- ClosedForm.cpp - Formulas of clauses, and their values ----------------------------------------------------------------===//

#include "ClosedForm.h"
#include "Coefficients.h"

namespace quadrille {
namespace {
struct No {};
using F = FormulaFunction;
struct Converter {
  const ir::Schedule &schedule;
  std::vector<std::vector<Formula>> calls;
  std::map<unsigned, Formula> bound;
  Formula operator()(const ir::Expr &e) {
    using ir::Op;
    auto op = [&](unsigned i) { return (*this)(*e.operands[i]); };
    auto un = [&](F f) { return Formula::apply(f, {op(0)}); };
    auto bi = [&](F f) { return Formula::apply(f, {op(0), op(1)}); };
    switch (e.op) {
    case Op::Constant: return Formula(e.value);
    case Op::Variable: {
      if (!calls.empty()) return calls.back()[e.variable];
      if (auto b = bound.find(e.variable); b != bound.end()) return b->second;
      for (const auto &stmt : schedule.body)
        if (auto *let = llvm::dyn_cast<ir::LetStmt>(stmt.get()); let && let->variable == e.variable) return (*this)(*let->value);
      return Formula::symbol(schedule.variables[e.variable].name);
    }
    case Op::Alpha: return Formula::symbol("alpha");
    case Op::Beta: return Formula::symbol("beta");
    case Op::Gamma: return Formula::symbol("gamma");
    case Op::Length: return Formula::symbol("n");
    case Op::Negate: return -op(0);
    case Op::Add: return op(0) + op(1);
    case Op::Subtract: return op(0) - op(1);
    case Op::Multiply: return op(0) * op(1);
    case Op::Ratio: return op(0) / op(1);
    case Op::Power: return op(0).power(op(1));
    case Op::ShiftLeft: return op(0) * Formula(2).power(op(1));
    case Op::ShiftRight: return Formula::apply(F::Divide, {op(0), Formula(2).power(op(1))});
    case Op::Log2: return un(F::Log2);
    case Op::FloorLog2: return un(F::FloorLog2);
    case Op::CeilLog2: return un(F::CeilLog2);
    case Op::Ceiling: return un(F::Ceiling);
    case Op::Floor: return un(F::Floor);
    case Op::IsPow2: return un(F::IsPow2);
    case Op::IsEven: return un(F::IsEven);
    case Op::IsOdd: return Formula::apply(F::Not, {un(F::IsEven)});
    case Op::Not: return un(F::Not);
    case Op::SquareRoot: return un(F::SquareRoot);
    case Op::TrailingZeros: return un(F::TrailingZeros);
    case Op::Divide: return bi(F::Divide);
    case Op::Modulo: return bi(F::Modulo);
    case Op::Minimum: return bi(F::Minimum);
    case Op::Maximum: return bi(F::Maximum);
    case Op::BitAnd: return bi(F::BitAnd);
    case Op::BitOr: return bi(F::BitOr);
    case Op::BitXor: return bi(F::BitXor);
    case Op::Bit: return bi(F::Bit);
    case Op::Equal: return bi(F::Equal);
    case Op::NotEqual: return Formula::apply(F::Not, {bi(F::Equal)});
    case Op::Less: return bi(F::Less);
    case Op::LessEqual: return bi(F::LessEqual);
    case Op::And: return bi(F::And);
    case Op::Or: return bi(F::Or);
    case Op::Select: return Formula::apply(F::Select, {op(0), op(1), op(2)});
    case Op::Call: {
      llvm::SmallVector<Formula, 4> args;
      for (const ir::Expr *o : e.operands) args.push_back((*this)(*o));
      return Formula::call(e.function->name, args);
    }
    case Op::Element: {
      llvm::SmallVector<Formula, 4> args;
      for (const ir::Expr *o : e.operands) args.push_back((*this)(*o));
      return Formula::entry(schedule.tables[e.variable].name, args);
    }
    case Op::SumOver: case Op::MaximumOver: case Op::MinimumOver: {
      std::string name = schedule.variables[e.variable].name;
      Formula lo = op(0), hi = op(1);
      bound[e.variable] = Formula::symbol(name);
      Formula each = op(2), cond = e.operands.size() > 3 ? op(3) : Formula(1);
      bound.erase(e.variable);
      return Formula::over(e.op == Op::SumOver ? Formula::Over::Sum : e.op == Op::MaximumOver ? Formula::Over::Maximum : Formula::Over::Minimum, each, name, lo, hi, cond);
    }
    default: throw No{};
    }
  }
};
struct Values : FormulaValues {
  const ir::Schedule &schedule; std::int64_t p; std::vector<std::int64_t> numbers; Lengths lengths; TreeCache &trees;
  Values(const ir::Schedule &s, std::int64_t p, llvm::ArrayRef<std::int64_t> n, const Lengths &l, TreeCache &t) : schedule(s), p(p), numbers(n.begin(), n.end()), lengths(l), trees(t) {}
  std::optional<Rational> symbol(llvm::StringRef name) const override {
    if (name == "p") return Rational(p);
    if (name == "n") return Rational(lengths.n);
    for (size_t i = 0; i < numbers.size(); ++i) if (schedule.variables[ir::Schedule::firstNumber + i].name == name) return Rational(numbers[i]);
    return std::nullopt;
  }
  const ir::Function *find(const ir::Expr &e, llvm::StringRef name) const {
    if (e.op == ir::Op::Call && e.function->name == name) return e.function;
    for (const ir::Expr *o : e.operands) if (auto *f = find(*o, name)) return f;
    return nullptr;
  }
  std::optional<Rational> call(llvm::StringRef name, llvm::ArrayRef<Rational> arguments) const override {
    const ir::Function *f = nullptr;
    for (auto *c : {&schedule.cost, &schedule.rounds}) if (*c && !f) f = find(*(*c)->formula, name);
    if (!f) return std::nullopt;
    ir::Expr e; e.op = ir::Op::Call; e.function = f;
    std::deque<ir::Expr> args;
    for (const Rational &a : arguments) { args.emplace_back(); args.back().op = ir::Op::Constant; args.back().value = a.num(); e.operands.push_back(&args.back()); }
    Frame frame; frame.trees = &trees; frame.values.assign(schedule.variables.size(), 0);
    try { return Rational(evaluate(e, frame)); } catch (const EvaluationError &) { return std::nullopt; }
  }
  std::optional<Rational> entry(llvm::StringRef table, llvm::ArrayRef<Rational> indices) const override {
    if (!lengths.tables) return std::nullopt;
    for (const LengthTable &t : *lengths.tables) if (t.name == table) {
      llvm::SmallVector<std::int64_t, 2> i; for (const Rational &r : indices) i.push_back(r.num());
      if (auto e = t.entry(i)) return Rational(lengths.entries[*e]);
    }
    return std::nullopt;
  }
};
}
std::optional<CostFormulas> clauseFormulas(const ir::Claim &claim, const ir::Schedule &schedule) {
  try {
    Formula f = Converter{schedule, {}, {}}(*claim.formula);
    CostFormulas r; 
    auto a = f.coefficient("alpha", 1), b = f.coefficient("beta", 1), g = f.coefficient("gamma", 1);
    r.rounds = f; r.alpha = a ? *a : 0; r.beta = b ? *b : 0; r.gamma = g ? *g : 0;
    return r;
  } catch (const No &) { return std::nullopt; }
}
std::unique_ptr<FormulaValues> valuesAt(const ir::Schedule &schedule, std::int64_t p, llvm::ArrayRef<std::int64_t> numbers, const Lengths &lengths, TreeCache &trees) {
  return std::make_unique<Values>(schedule, p, numbers, lengths, trees);
}
} // namespace quadrille
