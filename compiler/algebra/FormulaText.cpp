//===- FormulaText.cpp - Formulas as texts --------------------------------------------------------------------------------===//
//
// A polynomial can be written expanded, as a product, or as a sum of groups with a common factor. Each is tried, and the
// shortest taken.
//
//===----------------------------------------------------------------------------------------------------------------------===//

#include "FormulaFactors.h"
#include "FormulaImpl.h"

#include "limits/Limits.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace quadrille::compiler {

using F = FormulaFunction;

namespace {
/// How tightly the outermost operator of a text binds, as in the grammar of the language.
enum Binding { Select, Or, And, Not, Compare, BitOr, BitXor, BitAnd, Shift, Sum, Quotient, Product, Sign, Power, Atomic };

struct Text {
  std::string text;
  Binding binding = Atomic;

  std::string inside(Binding least) const { return binding < least ? "(" + text + ")" : text; }
};

/// How hard a text is to read: weights names most, then numbers; a sum of quotients counts more than one quotient of sums. Ties
/// are broken by length.
std::pair<size_t, size_t> effort(llvm::StringRef text) {
  struct Level {
    bool hasSum = false;
    size_t quotients = 0;
  };
  size_t result = 0;
  std::vector<Level> levels(1);
  auto close = [&] {
    result += levels.back().quotients * (levels.back().hasSum ? 3 : 1);
    levels.pop_back();
  };
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    bool startsWord = i == 0 || !(llvm::isAlnum(text[i - 1]) || text[i - 1] == '_');
    if (startsWord && llvm::isAlnum(c))
      result += llvm::isDigit(c) ? 1 : 2;
    if (c == '(')
      levels.push_back({});
    else if (c == ')')
      close();
    else if ((c == '+' || c == '-') && i > 0 && text[i - 1] == ' ')
      levels.back().hasSum = true;
    else if (c == '/' && i + 1 < text.size() && !llvm::isDigit(text[i + 1]))
      ++levels.back().quotients;
  }
  close();
  return {result, text.size()};
}

bool isShorter(const Text &a, const Text &b) { return effort(a.text) < effort(b.text); }

class Writer {
public:
  Text write(const Formula &f) {
    auto known = texts.find(FormulaImpl::key(f));
    if (known != texts.end())
      return known->second;
    Text text = quotient(f);
    texts[FormulaImpl::key(f)] = text;
    return text;
  }

private:
  std::map<std::string, Text> texts; // by key; keys of polynomials have the prefix p, those of polynomials in a group g

  std::string argument(const Formula &f) { return write(f).text; }

  Text atom(const Atom &a) {
    switch (a.kind) {
    case AtomKind::Symbol:
      return {a.name, Atomic};
    case AtomKind::Call:
    case AtomKind::Entry: {
      if (a.operands.empty() || llvm::StringRef(a.name).contains('$'))
        return {filledIn(a), Atomic};
      std::string list;
      for (const Formula &operand : a.operands)
        list += (list.empty() ? "" : a.kind == AtomKind::Call ? ", " : "][") + argument(operand);
      return {a.name + (a.kind == AtomKind::Call ? "(" + list + ")" : "[" + list + "]"), Atomic};
    }
    case AtomKind::Power:
      return {write(a.operands[0]).inside(Atomic) + "**" + write(a.operands[1]).inside(Power), Power};
    case AtomKind::Over: {
      const char *name = a.over == Formula::Over::Sum ? "sum" : a.over == Formula::Over::Minimum ? "min" : "max";
      std::string condition = a.operands[3] == Formula(1) ? "" : " if " + argument(a.operands[3]);
      return {std::string(name) + "(" + argument(a.operands[0]) + " for " + a.name + " in " +
                  write(a.operands[1]).inside(BitOr) + " ..< " + write(a.operands[2]).inside(BitOr) + condition + ")",
              Atomic};
    }
    case AtomKind::Apply:
      return applied(a);
    }
    return {};
  }

  /// The name with the operands filled in for $0, $1, ...
  std::string filledIn(const Atom &a) {
    std::string result;
    llvm::StringRef rest = a.name;
    while (!rest.empty()) {
      auto [before, after] = rest.split('$');
      result += before;
      unsigned place = 0;
      if (after.empty() || after.consumeInteger(10, place) || place >= a.operands.size())
        break;
      result += write(a.operands[place]).inside(Shift);
      rest = after;
    }
    return result;
  }

  Text infix(const Atom &a, const char *op, Binding binding) {
    auto next = static_cast<Binding>(binding + 1);
    // x div p*k would be read as (x div p)*k: the right operand needs parentheses.
    const Binding right = binding == Quotient ? Sign : next;
    return {write(a.operands[0]).inside(next) + " " + op + " " + write(a.operands[1]).inside(right), binding};
  }

  Text applied(const Atom &a) {
    auto call = [&](const char *name) {
      std::string result = argument(a.operands.back());
      // `min` of the language has two operands: nest the others.
      for (size_t i = a.operands.size() - 1; i-- > 0;)
        result = argument(a.operands[i]) + ", " + (i + 2 < a.operands.size() ? name + ("(" + result + ")") : result);
      return Text{std::string(name) + "(" + result + ")", Atomic};
    };
    switch (a.function) {
    case F::Log2:
      return call("log2");
    case F::FloorLog2:
      return call("floor_log2");
    case F::CeilLog2:
      return call("ceil_log2");
    case F::Ceiling:
      return call("ceil");
    case F::Floor:
      return call("floor");
    case F::SquareRoot:
      return call("sqrt");
    case F::IsPow2:
      return call("pow2");
    case F::IsEven:
      return call("even");
    case F::TrailingZeros:
      return call("trailing_zeros");
    case F::Minimum:
      return call("min");
    case F::Maximum:
      return call("max");
    case F::Bit:
      return call("bit");
    case F::Not:
      if (const Atom *negated = FormulaImpl::asAtom(a.operands[0]); negated && negated->kind == AtomKind::Apply) {
        if (negated->function == F::Equal)
          return infix(*negated, "!=", Compare);
        if (negated->function == F::IsEven)
          return {"odd(" + argument(negated->operands[0]) + ")", Atomic};
      }
      return {"not " + write(a.operands[0]).inside(Not), Not};
    case F::Divide:
      return infix(a, "div", Quotient);
    case F::Modulo:
      return infix(a, "mod", Quotient);
    case F::BitXor:
      return infix(a, "xor", BitXor);
    case F::BitAnd:
      return infix(a, "&", BitAnd);
    case F::BitOr:
      return infix(a, "|", BitOr);
    case F::Equal:
      return infix(a, "==", Compare);
    case F::Less:
      return infix(a, "<", Compare);
    case F::LessEqual:
      return infix(a, "<=", Compare);
    case F::And:
      return infix(a, "and", And);
    case F::Or:
      return infix(a, "or", Or);
    case F::Select:
      return {"if " + argument(a.operands[0]) + " then " + argument(a.operands[1]) + " else " + argument(a.operands[2]),
              Select};
    }
    return {};
  }

  /// atom ** exponent.
  Text power(const Atom &a, int exponent) {
    Text base = atom(a);
    if (exponent == 1)
      return base;
    if (a.kind == AtomKind::Power) // (2**d)**3 = 2**(3*d)
      return {write(a.operands[0]).inside(Atomic) + "**" + write(a.operands[1] * Formula(exponent)).inside(Power), Power};
    return {base.inside(Atomic) + "**" + std::to_string(exponent), Power};
  }

  /// The exponent of the atom's power. Moves a power of two from the coefficient into it: 2*2**d = 2**(d + 1).
  static Formula joined(const Atom &a, int exponent, Number &coefficient) {
    Formula result = a.operands[1] * Formula(exponent);
    if (!(a.operands[0] == Formula(2)))
      return result;
    long twos = 0;
    Number rest = GiNaC::abs(coefficient);
    for (; rest.numer().is_even(); ++twos)
      rest = rest / 2;
    for (; rest.denom().is_even(); --twos)
      rest = rest * 2;
    if (!rest.is_equal(1) || twos == 0)
      return result;
    coefficient = coefficient.is_negative() ? -1 : 1;
    return result + Formula(twos);
  }

  static std::string digits(const Number &n) {
    std::ostringstream out;
    out << n;
    return out.str();
  }

  /// |term|, and whether it is negative.
  std::pair<Text, bool> monomial(const Monomial &term, const Monomial &below = {1, {}}) {
    Number coefficient = term.coefficient / below.coefficient;
    bool isNegative = coefficient.is_negative();
    std::vector<std::string> above, under;
    bool isJoined = false;
    for (auto &[a, exponent] : term.factors) {
      if (a->kind == AtomKind::Power && !isJoined) {
        isJoined = true;
        Formula sum = joined(*a, exponent, coefficient);
        above.push_back(write(a->operands[0]).inside(Atomic) + "**" + write(sum).inside(Power));
      } else {
        above.push_back(power(*a, exponent).inside(Product));
      }
    }
    coefficient = GiNaC::abs(coefficient);
    if (!coefficient.numer().is_equal(1) || above.empty())
      above.insert(above.begin(), digits(coefficient.numer()));
    if (!coefficient.denom().is_equal(1))
      under.push_back(digits(coefficient.denom()));
    for (auto &[a, exponent] : below.factors)
      under.push_back(power(*a, exponent).inside(Sign));
    bool isBare = above.size() == 1 && under.empty();
    std::string text = llvm::join(above, "*");
    if (!under.empty())
      text += under.size() == 1 ? "/" + under[0] : "/(" + llvm::join(under, "*") + ")";
    if (isBare && term.factors.empty())
      return {Text{text, Atomic}, isNegative};
    if (isBare && term.factors.size() == 1 && coefficient.is_equal(1) && !isJoined)
      return {power(*term.factors[0].first, term.factors[0].second), isNegative};
    return {Text{text, isBare ? Power : Product}, isNegative};
  }

  /// The sum of texts with signs (true: negative). Begins with a positive one, if there is one.
  static Text sum(std::vector<std::pair<Text, bool>> parts) {
    auto first = llvm::find_if(parts, [](auto &part) { return !part.second; });
    if (first != parts.end())
      std::rotate(parts.begin(), first, first + 1);
    if (parts.size() == 1 && !parts[0].second)
      return parts[0].first;
    std::string result;
    for (auto &[text, isNegative] : parts)
      if (result.empty())
        result = isNegative ? "-" + text.inside(Product) : text.inside(Quotient);
      else
        result += (isNegative ? " - " : " + ") + text.inside(Quotient);
    return {result, Sum};
  }

  Text expanded(const Monomials &terms, const Monomial &below = {1, {}}) {
    if (terms.empty())
      return {"0", Atomic};
    std::vector<std::pair<Text, bool>> parts;
    for (Monomial above : terms) {
      Monomial under{below.coefficient, {}};
      for (auto [a, exponent] : below.factors) {
        auto same = llvm::find_if(above.factors, [&, atom = a](auto &factor) { return factor.first == atom; });
        if (same != above.factors.end()) {
          int common = std::min(same->second, exponent);
          exponent -= common;
          if ((same->second -= common) == 0)
            above.factors.erase(same);
        }
        if (exponent > 0)
          under.factors.push_back({a, exponent});
      }
      parts.push_back(monomial(above, under));
    }
    return sum(std::move(parts));
  }

  // ---- products of factors ----------------------------------------------------------------------------------------------

  /// The place of a factor in a product: 0: p and other numbers; 1: alpha, beta, gamma; 2: n and what depends on it; sums with
  /// units last.
  static int place(const Formula &f) {
    int result = 0;
    for (const std::string &name : f.symbols())
      result = std::max(result, name == "n" ? 2 : name == "alpha" || name == "beta" || name == "gamma" ? 1 : 0);
    bool isSum = FormulaImpl::node(f).numerator.size() > 1;
    const Atom *single = FormulaImpl::asAtom(f);
    bool isFunction = single && single->kind != AtomKind::Symbol;
    return 4 * result + (isSum ? (result > 0 ? 8 : 2) : isFunction ? 1 : 0);
  }

  Text product(const Factors &factors, const Factors &below, bool *isNegative, bool isInGroup = false) {
    Number coefficient = factors.coefficient / below.coefficient;
    *isNegative = coefficient.is_negative();
    coefficient = GiNaC::abs(coefficient);
    auto list = [&](const Factors &all) {
      struct Item {
        int place;
        const Atom *single;
        std::string key, text;
        bool operator<(const Item &other) const {
          if (place != other.place)
            return place < other.place;
          return single && other.single ? comesBefore(*single, *other.single) : key < other.key;
        }
      };
      std::vector<Item> items;
      for (auto &[f, exponent] : all.factors) {
        const Atom *single = FormulaImpl::asAtom(f);
        Text text = single ? power(*single, exponent) : polynomial(f, isInGroup);
        if (!single && exponent > 1)
          text = {text.inside(Atomic) + "**" + std::to_string(exponent), Power};
        items.push_back({place(f), single, FormulaImpl::key(f), text.inside(Sign)});
      }
      llvm::sort(items);
      std::vector<std::string> texts;
      for (const Item &item : items)
        texts.push_back(item.text);
      return texts;
    };
    std::vector<std::string> above = list(factors), under = list(below);
    if (!coefficient.numer().is_equal(1) || above.empty())
      above.insert(above.begin(), digits(coefficient.numer()));
    if (!coefficient.denom().is_equal(1))
      under.insert(under.begin(), digits(coefficient.denom()));
    std::string text = llvm::join(above, "*");
    if (!under.empty())
      text += under.size() == 1 ? "/" + under[0] : "/(" + llvm::join(under, "*") + ")";
    return {text, Product};
  }

  static Text signedText(Text text, bool isNegative) {
    return isNegative ? Text{"-" + text.inside(Product), Sum} : text;
  }

  /// The shortest text of a polynomial. `isInGroup`: do not split it into groups again.
  Text polynomial(const Formula &f, bool isInGroup = false) {
    std::string key = (isInGroup ? "g" : "p") + FormulaImpl::key(f);
    if (auto known = texts.find(key); known != texts.end())
      return known->second;
    Text text = shortest(f, isInGroup);
    texts[key] = text;
    return text;
  }

  Text shortest(const Formula &f, bool isInGroup) {
    const Monomials &terms = FormulaImpl::node(f).numerator;
    Text best = expanded(terms);
    if (terms.size() < 2 || terms.size() > limits::factoredTerms)
      return best;
    auto offer = [&](Text text) {
      if (isShorter(text, best))
        best = std::move(text);
    };
    Factors factors = factorsOf(f);
    bool isProduct = factors.factors.size() > 1 || (factors.factors.size() == 1 && factors.factors[0].second > 1) ||
                     !factors.coefficient.is_equal(1);
    if (isProduct) {
      bool isNegative = false;
      Text text = product(factors, {}, &isNegative, isInGroup);
      offer(signedText(text, isNegative));
    }
    if (isInGroup)
      return best;
    // Groups of terms, each factored.
    if (llvm::any_of(FormulaImpl::atoms(f), [](const Atom *a) { return unitName(*a); }))
      offer(groupedByUnit(f));
    for (const Atom *atom : FormulaImpl::atoms(f))
      offer(grouped(f, *atom));
    return best;
  }

  static bool unitName(const Atom &a) {
    return a.kind == AtomKind::Symbol && (a.name == "alpha" || a.name == "beta" || a.name == "gamma");
  }

  Text grouped(const Formula &f, const Atom &atom) {
    std::map<int, Monomials, std::greater<>> byExponent;
    for (const Monomial &term : FormulaImpl::node(f).numerator) {
      int exponent = 0;
      for (auto &[a, e] : term.factors)
        if (a == &atom)
          exponent = e;
      byExponent[exponent].push_back(term);
    }
    std::vector<std::pair<Text, bool>> parts;
    if (byExponent.size() < 2)
      return expanded(FormulaImpl::node(f).numerator);
    for (auto &[exponent, terms] : byExponent)
      addGroup(terms, parts);
    return sum(std::move(parts));
  }

  Text groupedByUnit(const Formula &f) {
    std::map<std::string, Monomials> byUnit;
    for (const Monomial &term : FormulaImpl::node(f).numerator) {
      std::string unit;
      for (auto &[a, e] : term.factors)
        if (unitName(*a))
          unit += a->name + std::to_string(e);
      byUnit[unit.empty() ? "~" : unit].push_back(term);
    }
    std::vector<std::pair<Text, bool>> parts;
    if (byUnit.size() < 2)
      return expanded(FormulaImpl::node(f).numerator);
    for (auto &[unit, terms] : byUnit)
      addGroup(terms, parts);
    return sum(std::move(parts));
  }

  /// Adds a group to the parts of a sum: as a product if it has one, else term by term.
  void addGroup(const Monomials &terms, std::vector<std::pair<Text, bool>> &parts) {
    if (terms.size() > 1) {
      Formula f = FormulaImpl::make(terms);
      Factors factors = factorsOf(f);
      bool isNegative = false;
      if (factors.factors.size() > 1) {
        Text text = product(factors, {}, &isNegative, true);
        parts.push_back({text, isNegative});
        return;
      }
    }
    for (const Monomial &term : terms)
      parts.push_back(monomial(term));
  }

  Text quotient(const Formula &f) {
    const FormulaImpl::Node &node = FormulaImpl::node(f);
    if (node.isPolynomial())
      return root(f, polynomial(f));
    Factors above = factorsOf(FormulaImpl::polynomial(f)), below = factorsOf(FormulaImpl::denominator(f));
    bool isNegative = false;
    Text best = signedText(product(above, below, &isNegative), isNegative);
    if (isNegative)
      best = {"-" + product(above, below, &isNegative).text, Sum};
    if (node.denominator.size() == 1) {
      Text terms = expanded(node.numerator, node.denominator[0]);
      if (isShorter(terms, best))
        best = terms;
      best = distributed(above, below, best);
    }
    return root(f, best);
  }

  /// Tries to divide one factor by the denominator: (p + k - 2)*(alpha + beta*n/k).
  Text distributed(const Factors &above, const Factors &below, Text best) {
    for (size_t i = 0; i < above.factors.size(); ++i) {
      auto &[f, exponent] = above.factors[i];
      if (exponent > 1 || FormulaImpl::node(f).numerator.size() < 2)
        continue;
      Formula inner = f;
      for (auto &[g, times] : below.factors)
        inner = inner / g.power(Formula(times));
      Factors rest = above;
      rest.factors.erase(rest.factors.begin() + static_cast<std::ptrdiff_t>(i));
      Text part = expanded(FormulaImpl::node(inner).numerator, FormulaImpl::node(inner).denominator[0]);
      Factors number;
      number.coefficient = below.coefficient;
      bool isNegative = false;
      Text outer = product(rest, number, &isNegative);
      Text text = outer.text == "1" ? part : Text{outer.inside(Product) + "*" + part.inside(Sign), Product};
      if (isNegative)
        text = {"-" + text.inside(Product), Sum};
      if (isShorter(text, best))
        best = text;
    }
    return best;
  }

  /// Tries to move divisors under the square root of a product: sqrt(2*n/p) for sqrt(2*n*p)/p.
  Text root(const Formula &f, Text best) {
    const FormulaImpl::Node &node = FormulaImpl::node(f);
    if (node.numerator.size() != 1 || node.numerator[0].coefficient.is_negative())
      return best;
    const Atom *found = nullptr;
    for (auto &[a, exponent] : node.numerator[0].factors)
      if (a->kind == AtomKind::Apply && a->function == F::SquareRoot) {
        if (found)
          return best;
        found = a;
      }
    if (!found || FormulaImpl::asAtom(f))
      return best;
    Formula outside = f / FormulaImpl::make(GiNaC::ex(found->symbol));
    // Multipliers stay before the root, which reads better.
    std::optional<Number> above = FormulaImpl::number(FormulaImpl::polynomial(outside));
    if (!above || !above->numer().is_equal(1))
      return best;
    Formula below = Formula(1) / outside;
    if (!FormulaImpl::isNonnegative(below))
      return best;
    Text text{"sqrt(" + quotient(found->operands[0] / (below * below)).text + ")", Atomic};
    return isShorter(text, best) ? text : best;
  }
};
} // namespace

std::string Formula::text() const {
  AlgebraLock lock;
  const Text apart = Writer().write(*this);
  const Formula joined = FormulaImpl::joinedSums(*this);
  if (joined == *this)
    return apart.text;
  const Text together = Writer().write(joined);
  return isShorter(together, apart) ? together.text : apart.text;
}

} // namespace quadrille::compiler
