//===- FormulaCompile.cpp - Formulas in floating point --------------------------------------------------------------------===//

#include "FormulaImpl.h"

#include "limits/Limits.h"

#include "llvm/ADT/STLExtras.h"

#include <cmath>
#include <limits>

namespace quadrille::compiler {

using F = FormulaFunction;

static constexpr double none = std::numeric_limits<double>::quiet_NaN();

namespace {
enum class Kind { Number, Variable, Sum, Product, Quotient, Power, Apply, Call, Entry, Over };

struct Instruction {
  Kind kind = Kind::Number;
  double number = 0;   // Number; Product: the coefficient
  unsigned slot = 0;   // Variable, Over
  F function = F::Log2;
  Formula::Over over = Formula::Over::Sum;
  std::string name;    // Call, Entry
  std::vector<unsigned> operands;
};
} // namespace

struct CompiledFormula::Code {
  std::vector<Instruction> instructions;
  unsigned result = 0, slots = 0;
  const FormulaValues *values = nullptr;
};

namespace {
class Compiler {
public:
  Compiler(std::vector<Instruction> &out, llvm::ArrayRef<std::string> symbols) : out(out), names(symbols) {}

  unsigned compile(const Formula &f) {
    const FormulaImpl::Node &node = FormulaImpl::node(f);
    unsigned above = sum(node.numerator);
    if (node.isPolynomial())
      return above;
    Instruction quotient;
    quotient.kind = Kind::Quotient;
    quotient.operands = {above, sum(node.denominator)};
    return add(std::move(quotient));
  }

  unsigned slots() const { return most; }

private:
  unsigned add(Instruction instruction) {
    out.push_back(std::move(instruction));
    return static_cast<unsigned>(out.size() - 1);
  }

  unsigned number(double value) {
    Instruction result;
    result.number = value;
    return add(std::move(result));
  }

  unsigned sum(const Monomials &terms) {
    Instruction result;
    result.kind = Kind::Sum;
    // With one common denominator, so that integer values are computed exactly.
    Number multiple = 1;
    for (const Monomial &term : terms)
      multiple = GiNaC::lcm(multiple, term.coefficient.denom());
    for (const Monomial &term : terms) {
      Instruction product;
      product.kind = Kind::Product;
      product.number = Number(term.coefficient * multiple).to_double();
      for (auto &[a, exponent] : term.factors)
        for (int i = 0; i < exponent && exponent <= 8; ++i)
          product.operands.push_back(atom(*a));
      for (auto &[a, exponent] : term.factors)
        if (exponent > 8) {
          Instruction power;
          power.kind = Kind::Power;
          power.operands = {atom(*a), number(exponent)};
          product.operands.push_back(add(std::move(power)));
        }
      result.operands.push_back(add(std::move(product)));
    }
    unsigned above = add(std::move(result));
    if (multiple.is_equal(1))
      return above;
    Instruction quotient;
    quotient.kind = Kind::Quotient;
    quotient.operands = {above, number(multiple.to_double())};
    return add(std::move(quotient));
  }

  unsigned atom(const Atom &a) {
    Instruction result;
    switch (a.kind) {
    case AtomKind::Symbol: {
      result.kind = Kind::Variable;
      // The innermost variable of that name.
      auto found = std::find(names.rbegin(), names.rend(), a.name);
      if (found == names.rend())
        return number(none);
      result.slot = static_cast<unsigned>(names.rend() - found - 1);
      most = std::max(most, static_cast<unsigned>(names.size()));
      return add(std::move(result));
    }
    case AtomKind::Over: {
      result.kind = Kind::Over;
      result.over = a.over;
      result.operands = {0, compile(a.operands[1]), compile(a.operands[2]), 0};
      result.slot = static_cast<unsigned>(names.size());
      names.push_back(a.name);
      most = std::max(most, static_cast<unsigned>(names.size()));
      result.operands[0] = compile(a.operands[0]);
      result.operands[3] = compile(a.operands[3]);
      names.pop_back();
      return add(std::move(result));
    }
    case AtomKind::Call:
    case AtomKind::Entry:
      result.kind = a.kind == AtomKind::Call ? Kind::Call : Kind::Entry;
      result.name = a.name;
      break;
    case AtomKind::Power:
      result.kind = Kind::Power;
      break;
    case AtomKind::Apply:
      result.kind = Kind::Apply;
      result.function = a.function;
      break;
    }
    for (const Formula &operand : a.operands)
      result.operands.push_back(compile(operand));
    return add(std::move(result));
  }

  std::vector<Instruction> &out;
  std::vector<std::string> names; // names of the variables in the slots
  unsigned most = 0;
};

class Run {
public:
  Run(llvm::ArrayRef<Instruction> code, const FormulaValues *values, llvm::MutableArrayRef<double> frame)
      : code(code), values(values), frame(frame) {}

  double value(unsigned index) {
    const Instruction &instruction = code[index];
    auto operand = [&](unsigned i) { return value(instruction.operands[i]); };
    switch (instruction.kind) {
    case Kind::Number:
      return instruction.number;
    case Kind::Variable:
      return frame[instruction.slot];
    case Kind::Sum: {
      double sum = 0;
      for (unsigned i : instruction.operands)
        sum += value(i);
      return sum;
    }
    case Kind::Product: {
      double product = instruction.number;
      for (unsigned i : instruction.operands)
        product *= value(i);
      return product;
    }
    case Kind::Quotient: {
      double below = operand(1);
      return below == 0 ? none : operand(0) / below;
    }
    case Kind::Power:
      return std::pow(operand(0), operand(1));
    case Kind::Apply:
      return applied(instruction);
    case Kind::Call:
    case Kind::Entry:
      return asked(instruction);
    case Kind::Over:
      return over(instruction);
    }
    return none;
  }

private:
  static constexpr double largest = 9007199254740992.0; // 2 ** 53: whole numbers up to it are exact

  double asked(const Instruction &instruction) {
    std::vector<Rational> arguments;
    for (unsigned i : instruction.operands) {
      double x = value(i);
      if (!(std::abs(x) <= largest) || x != std::floor(x))
        return none;
      arguments.push_back(Rational(static_cast<std::int64_t>(x)));
    }
    if (!values)
      return none;
    std::optional<Rational> result = instruction.kind == Kind::Call ? values->call(instruction.name, arguments)
                                                                    : values->entry(instruction.name, arguments);
    return result && result->valid() ? static_cast<double>(result->num()) / static_cast<double>(result->den()) : none;
  }

  double over(const Instruction &instruction) {
    double lo = value(instruction.operands[1]), hi = value(instruction.operands[2]), result = 0;
    if (!(hi - lo <= static_cast<double>(limits::evaluatedTerms)))
      return none;
    bool isFirst = true;
    for (double i = lo; i < hi; ++i) {
      frame[instruction.slot] = i;
      double counts = value(instruction.operands[3]);
      if (counts == 0)
        continue;
      double term = std::isnan(counts) ? none : value(instruction.operands[0]);
      if (std::isnan(term))
        return none;
      if (instruction.over == Formula::Over::Sum)
        result += term;
      else if (isFirst || (term < result) == (instruction.over == Formula::Over::Minimum))
        result = term;
      isFirst = false;
    }
    return result;
  }

  double applied(const Instruction &instruction) {
    double x = value(instruction.operands[0]);
    if (std::isnan(x))
      return none;
    auto second = [&] { return value(instruction.operands[1]); };
    auto truth = [](bool holds) { return holds ? 1.0 : 0.0; };
    auto whole = [](double v) { return std::abs(v) <= largest && v == std::floor(v); };
    int exponent = 0;
    switch (instruction.function) {
    case F::Select:
      return value(instruction.operands[x != 0 ? 1 : 2]);
    case F::And:
      return x == 0 ? 0 : truthOf(second());
    case F::Or:
      return x != 0 ? 1 : truthOf(second());
    case F::Not:
      return truth(x == 0);
    case F::Ceiling:
      return std::ceil(x);
    case F::Floor:
      return std::floor(x);
    case F::SquareRoot:
      return x < 0 ? none : std::sqrt(x);
    case F::Minimum:
    case F::Maximum:
      for (unsigned i : llvm::drop_begin(instruction.operands)) {
        double y = value(i);
        x = std::isnan(y) || std::isnan(x) ? none : (y < x) == (instruction.function == F::Minimum) ? y : x;
      }
      return x;
    default:
      break;
    }
    if (instruction.operands.size() == 2) {
      double y = second();
      if (std::isnan(y))
        return none;
      switch (instruction.function) {
      case F::Divide:
        return y == 0 ? none : std::floor(x / y);
      case F::Modulo:
        return y == 0 ? none : x - std::abs(y) * std::floor(x / std::abs(y));
      case F::Equal:
        return truth(x == y);
      case F::Less:
        return truth(x < y);
      case F::LessEqual:
        return truth(x <= y);
      default:
        break;
      }
      if (!whole(x) || !whole(y))
        return none;
      std::int64_t a = static_cast<std::int64_t>(x), b = static_cast<std::int64_t>(y);
      switch (instruction.function) {
      case F::BitXor:
        return static_cast<double>(a ^ b);
      case F::BitAnd:
        return static_cast<double>(a & b);
      case F::BitOr:
        return static_cast<double>(a | b);
      case F::Bit:
        return b < 0 ? none : static_cast<double>((a >> std::min<std::int64_t>(b, 63)) & 1);
      default:
        return none;
      }
    }
    if (!whole(x))
      return none;
    double fraction = std::frexp(x, &exponent); // x = fraction * 2 ** exponent, fraction in 1/2 ..< 1
    bool isPow2 = x > 0 && fraction == 0.5;
    switch (instruction.function) {
    case F::Log2:
      return isPow2 ? exponent - 1 : none;
    case F::FloorLog2:
      return x > 0 ? exponent - 1 : none;
    case F::CeilLog2:
      return x > 0 ? exponent - (isPow2 ? 1 : 0) : none;
    case F::IsPow2:
      return truth(isPow2);
    case F::IsEven:
      return truth(std::fmod(x, 2) == 0);
    case F::TrailingZeros:
      return x == 0 ? none : std::countr_zero(static_cast<std::uint64_t>(static_cast<std::int64_t>(x)));
    default:
      return none;
    }
  }

  static double truthOf(double x) { return std::isnan(x) ? none : x != 0 ? 1 : 0; }

  llvm::ArrayRef<Instruction> code;
  const FormulaValues *values;
  llvm::MutableArrayRef<double> frame;
};
} // namespace

CompiledFormula::CompiledFormula(const Formula &formula, llvm::ArrayRef<std::string> symbols, const FormulaValues *values)
    : code(std::make_unique<Code>()) {
  AlgebraLock lock;
  Compiler compiler(code->instructions, symbols);
  code->result = compiler.compile(formula);
  code->slots = std::max(compiler.slots(), static_cast<unsigned>(symbols.size()));
  code->values = values;
}

CompiledFormula::~CompiledFormula() = default;
CompiledFormula::CompiledFormula(CompiledFormula &&) noexcept = default;

double CompiledFormula::operator()(llvm::ArrayRef<double> values) const {
  llvm::SmallVector<double, 16> frame(values);
  frame.resize(code->slots);
  return Run(code->instructions, code->values, frame).value(code->result);
}

} // namespace quadrille::compiler
