//===- Coefficients.cpp - What a cost clause says, term by term ---------------------------------------------------------------------===//

#include "Coefficients.h"

#include "ir/ExprWriter.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace quadrille::compiler {

using ir::Op;

namespace {

/// How tightly the outermost operator of a text binds.
enum Binding { Loose, Sum, Quotient, Product, Sign, Atom };

/// The text of a factor; empty for zero.
struct Factor {
  std::string text;
  Binding binding = Atom;

  bool isZero() const { return text.empty(); }
  bool isOne() const { return text == "1"; }
  std::string inside(Binding least) const { return binding < least ? "(" + text + ")" : text; }
};

Factor one() { return {"1", Atom}; }

Factor add(const Factor &x, const Factor &y) {
  if (x.isZero() || y.isZero())
    return x.isZero() ? y : x;
  return {x.inside(Sum) + " + " + y.inside(Sum), Sum};
}

Factor negate(const Factor &x) { return x.isZero() ? x : Factor{"-" + x.inside(Product), Sum}; }

Factor subtract(const Factor &x, const Factor &y) {
  if (x.isZero() || y.isZero())
    return y.isZero() ? x : negate(y);
  return {x.inside(Sum) + " - " + y.inside(Quotient), Sum};
}

/// Division `/` is exact, so x*(y/z) may be written x*y/z. With `div` and `mod` parentheses are needed.
Factor multiply(const Factor &x, const Factor &y) {
  if (x.isZero() || y.isZero())
    return {};
  if (x.isOne() || y.isOne())
    return x.isOne() ? y : x;
  return {x.inside(Product) + "*" + y.inside(Product), Product};
}

Factor divide(const Factor &x, const Factor &y) {
  return x.isZero() ? x : Factor{x.inside(Product) + "/" + y.inside(Sign), Product};
}

/// The factors of 1, alpha, beta and gamma.
struct Factors {
  Factor constant, a, b, c;

  bool isNumber() const { return a.isZero() && b.isZero() && c.isZero(); }

  template <typename F> static Factors each(const Factors &x, const Factors &y, F f) {
    return {f(x.constant, y.constant), f(x.a, y.a), f(x.b, y.b), f(x.c, y.c)};
  }
};

class Splitter {
public:
  explicit Splitter(const ir::Schedule &schedule)
      : schedule(schedule), writer(schedule.variables, ir::tableNames(schedule), ir::Parentheses::Needed, [this](unsigned variable) { return definitionOf(variable); }) {}

  bool isLinear = true; // false once a part was found that is not linear

  Factors split(const ir::Expr &expr) {
    switch (expr.op) {
    case Op::Alpha:
      return {{}, one(), {}, {}};
    case Op::Beta:
      return {{}, {}, one(), {}};
    case Op::Gamma:
      return {{}, {}, {}, one()};
    default:
      break;
    }
    if (isNumber(expr))
      return {number(expr), {}, {}, {}};
    switch (expr.op) {
    case Op::Add:
      return Factors::each(split(*expr.operands[0]), split(*expr.operands[1]), add);
    case Op::Subtract:
      return Factors::each(split(*expr.operands[0]), split(*expr.operands[1]), subtract);
    case Op::Negate: {
      Factors x = split(*expr.operands[0]);
      return Factors::each(x, x, [](const Factor &f, const Factor &) { return negate(f); });
    }
    case Op::Multiply: {
      Factors x = split(*expr.operands[0]), y = split(*expr.operands[1]);
      isLinear &= x.isNumber() || y.isNumber();
      bool left = x.isNumber();
      const Factor &by = left ? x.constant : y.constant;
      const Factors &of = left ? y : x;
      return Factors::each(of, of,
                           [&](const Factor &f, const Factor &) { return left ? multiply(by, f) : multiply(f, by); });
    }
    case Op::Ratio: {
      Factors x = split(*expr.operands[0]);
      Factor by = number(*expr.operands[1]);
      return Factors::each(x, x, [&](const Factor &f, const Factor &) { return divide(f, by); });
    }
    case Op::Select: {
      std::string condition = text(*expr.operands[0]);
      return Factors::each(split(*expr.operands[1]), split(*expr.operands[2]),
                           [&](const Factor &yes, const Factor &no) {
                             if (yes.text == no.text)
                               return yes;
                             auto shown = [](const Factor &f) { return f.isZero() ? std::string("0") : f.text; };
                             return Factor{"if " + condition + " then " + shown(yes) + " else " + shown(no), Loose};
                           });
    }
    default:
      isLinear = false;
      return {};
    }
  }

  /// The source text of an expression in one line, with lets replaced by their definitions; of one that stands in no text, what the IR says.
  std::string text(const ir::Expr &expr) const {
    if (const ir::Expr *value = letValue(expr))
      return text(*value);
    if (!standsInText(expr))
      return writer.text(expr);
    llvm::SmallVector<const ir::Expr *, 4> parts;
    for (const ir::Expr *operand : expr.operands)
      if (operand->range.isValid() && liesIn(operand->range, expr.range) && mentionsLet(*operand))
        parts.push_back(operand);
    llvm::sort(parts, [](const ir::Expr *x, const ir::Expr *y) {
      return x->range.Start.getPointer() < y->range.Start.getPointer();
    });
    const char *at = expr.range.Start.getPointer();
    std::string result;
    for (const ir::Expr *part : parts) {
      if (part->range.Start.getPointer() < at)
        continue; // in a chain such as 0 <= a < b, `a` is an operand twice
      result.append(at, part->range.Start.getPointer());
      // The definition that replaces the name may need parentheses.
      bool alone = expr.op == Op::Call || expr.op == Op::TreeField || expr.op == Op::BuildTree || isFunction(expr.op);
      result += letValue(*part) && !alone ? Factor{text(*part), bindingOf(*part)}.inside(Atom) : text(*part);
      at = part->range.End.getPointer();
    }
    result.append(at, expr.range.End.getPointer());
    return oneLine(result);
  }

private:
  static bool isNumber(const ir::Expr &expr) {
    bool isUnit = expr.op == Op::Alpha || expr.op == Op::Beta || expr.op == Op::Gamma;
    return !isUnit && llvm::all_of(expr.operands, [](const ir::Expr *operand) { return isNumber(*operand); });
  }

  Factor number(const ir::Expr &expr) const {
    Factor result{text(expr), bindingOf(expr)};
    if (isParenthesized(result.text))
      result.text = result.text.substr(1, result.text.size() - 2);
    if (result.text == "0")
      return {};
    return result;
  }

  Binding bindingOf(const ir::Expr &expr) const {
    if (const ir::Expr *value = letValue(expr))
      return bindingOf(*value);
    switch (expr.op) {
    case Op::Add:
    case Op::Subtract:
    case Op::Negate:
      return Sum;
    case Op::Divide:
    case Op::Modulo:
      return Quotient;
    case Op::Multiply:
    case Op::Ratio:
      return Product;
    case Op::Power:
      return Sign;
    default:
      return ir::operationOf(expr.op).binding == ir::Binding::Atom ? Atom : Loose;
    }
  }

  /// Whether the operation is written name(operands).
  static bool isFunction(Op op) { return ir::operationOf(op).form == ir::Form::Function; }

  /// Whether the text at its place says just this: clauses of instances have other arguments, and what is derived has other parts.
  bool standsInText(const ir::Expr &expr) const {
    if (!expr.range.isValid())
      return false;
    if (expr.op == Op::Variable) {
      const char *begin = expr.range.Start.getPointer();
      return llvm::StringRef(begin, static_cast<size_t>(expr.range.End.getPointer() - begin)) == writer.name(expr.variable);
    }
    return llvm::all_of(expr.operands, [&](const ir::Expr *operand) {
      // Defaults for what a tree is not given stand where the tree is defined.
      return liesIn(operand->range, expr.range) ? standsInText(*operand) : expr.op == Op::BuildTree;
    });
  }

  /// The definition of a variable, if a `let` at the top level of the schedule defines it; else null.
  const ir::Expr *definitionOf(unsigned variable) const {
    for (const auto &stmt : schedule.body)
      if (auto *let = llvm::dyn_cast<ir::LetStmt>(stmt.get()); let && let->variable == variable)
        return let->value;
    return nullptr;
  }
  const ir::Expr *letValue(const ir::Expr &expr) const { return expr.op == Op::Variable ? definitionOf(expr.variable) : nullptr; }

  bool mentionsLet(const ir::Expr &expr) const {
    return ir::anyPart(expr, [&](const ir::Expr &part) { return letValue(part) != nullptr; });
  }

  static bool liesIn(llvm::SMRange inner, llvm::SMRange outer) {
    return outer.Start.getPointer() <= inner.Start.getPointer() && inner.End.getPointer() <= outer.End.getPointer();
  }

  static bool isParenthesized(llvm::StringRef text) {
    if (!text.starts_with("(") || !text.ends_with(")"))
      return false;
    unsigned depth = 0;
    for (char c : text.drop_back()) {
      depth += c == '(';
      depth -= c == ')';
      if (depth == 0)
        return false;
    }
    return true;
  }

  /// The text without comments and line breaks.
  static std::string oneLine(llvm::StringRef text) {
    std::string result;
    while (!text.empty()) {
      if (text.starts_with("//"))
        text = text.drop_until([](char c) { return c == '\n'; });
      else if (text.starts_with("/*"))
        text = text.substr(text.find("*/") + 2);
      else if (llvm::isSpace(text[0])) {
        text = text.ltrim();
        result += result.empty() || result.back() == ' ' ? "" : " ";
      } else {
        result += text[0];
        text = text.drop_front();
      }
    }
    return llvm::StringRef(result).rtrim().str();
  }

  const ir::Schedule &schedule;
  const ir::ExprWriter writer;
};

} // namespace

std::optional<CoefficientTexts> coefficientTexts(const ir::Expr &formula, const ir::Schedule &schedule) {
  Splitter splitter(schedule);
  Factors factors = splitter.split(formula);
  if (!splitter.isLinear || !factors.constant.isZero())
    return std::nullopt;
  auto shown = [](const Factor &factor) { return factor.isZero() ? std::string("0") : factor.text; };
  return CoefficientTexts{shown(factors.a), shown(factors.b), shown(factors.c)};
}

std::string formulaText(const ir::Expr &formula, const ir::Schedule &schedule) {
  return Splitter(schedule).text(formula);
}

} // namespace quadrille::compiler
