//===- TermText.cpp - Terms in the syntax of the language --------------------------------------------------------===//

#include "Term.h"

#include "llvm/ADT/STLExtras.h"

namespace quadrille::compiler::prove {

namespace {
/// How tightly an operator binds, as in docs/language.md.
enum Binding { Loosest, OrLevel, AndLevel, NotLevel, CompareLevel, BitOrLevel, BitXorLevel, BitAndLevel, ShiftLevel, SumLevel,
               ProductLevel, SignLevel, AtomLevel };

struct Printed {
  std::string text;
  Binding binding;
};

Printed print(Term a);

std::string within(const Printed &p, Binding needed) { return p.binding >= needed ? p.text : "(" + p.text + ")"; }
std::string within(Term a, Binding needed) { return within(print(a), needed); }

Printed printMonomials(std::int64_t constant, llvm::ArrayRef<Monomial> monomials) {
  std::string text;
  unsigned parts = 0;
  auto append = [&](bool negative, const std::string &part) {
    text += parts == 0 ? (negative ? "-" : "") : (negative ? " - " : " + ");
    text += part;
    ++parts;
  };
  auto appendMonomial = [&](const Monomial &m) {
    std::int64_t size = m.coefficient < 0 ? -m.coefficient : m.coefficient;
    std::string atom = within(m.atom, ProductLevel);
    if (size != 1)
      atom = std::to_string(size) + "*" + within(m.atom, SignLevel);
    append(m.coefficient < 0, atom);
  };
  for (const Monomial &m : monomials) // positive coefficients are printed first
    if (m.coefficient > 0)
      appendMonomial(m);
  bool constantFirst = parts == 0 && constant > 0;
  if (constantFirst)
    append(false, std::to_string(constant));
  for (const Monomial &m : monomials)
    if (m.coefficient < 0)
      appendMonomial(m);
  if ((constant != 0 && !constantFirst) || parts == 0)
    append(constant < 0, std::to_string(constant < 0 ? -constant : constant));
  return {text, parts > 1 ? SumLevel : text[0] == '-' ? SignLevel : monomials.empty() ? AtomLevel : ProductLevel};
}

/// Prints `difference == 0`, `difference != 0` or `0 <= difference`. Monomials with negative coefficients move to the left, so
/// b - a - 1 >= 0 becomes `a < b`.
Printed printComparison(Term difference, llvm::StringRef relation) { // relation: ==, != or <=
  llvm::SmallVector<Monomial, 3> left, right;
  for (Monomial m : TermPool::monomialsOf(difference)) {
    if (m.coefficient < 0)
      left.push_back({-m.coefficient, m.atom});
    else
      right.push_back(m);
  }
  std::int64_t constant = TermPool::constantOf(difference);
  const bool isEquality = relation != "<=";
  std::string op = " " + relation.str() + " ";
  if (isEquality && left.empty()) {
    return {within(printMonomials(0, right), BitOrLevel) + op + std::to_string(-constant), CompareLevel};
  }
  if (left.empty()) // right >= -constant
    return {within(printMonomials(0, right), BitOrLevel) + (constant == -1 ? " > " : " >= ") +
                std::to_string(constant == -1 ? 0 : -constant),
            CompareLevel};
  if (!isEquality && constant < 0) {
    op = " < ";
    ++constant;
  }
  if (right.empty())
    return {within(printMonomials(0, left), BitOrLevel) + op + std::to_string(constant), CompareLevel};
  std::int64_t leftConstant = constant < 0 ? -constant : 0, rightConstant = constant > 0 ? constant : 0;
  return {within(printMonomials(leftConstant, left), BitOrLevel) + op +
              within(printMonomials(rightConstant, right), BitOrLevel),
          CompareLevel};
}

Printed printList(llvm::ArrayRef<Term> terms, const char *word, Binding binding) {
  std::string text;
  for (Term term : terms)
    text += (text.empty() ? "" : std::string(" ") + word + " ") + within(term, static_cast<Binding>(binding + 1));
  return {text, binding};
}

/// The text of the exponent of a power of two, for the second argument of `bit`.
std::string exponentOf(Term power) {
  if (power->kind == TermKind::Power2)
    return print(power->operands[0]).text;
  return "log2(" + print(power).text + ")";
}

Printed print(Term a) {
  auto operand = [&](unsigned i) { return a->operands[i]; };
  auto call = [&](const char *name) { return Printed{name + ("(" + print(operand(0)).text + ")"), AtomLevel}; };
  auto binary = [&](const char *op, Binding level) {
    return Printed{within(operand(0), level) + op + within(operand(1), static_cast<Binding>(level + 1)), level};
  };
  switch (a->kind) {
  case TermKind::Variable:
    return {a->name, AtomLevel};
  case TermKind::Sum:
    return printMonomials(a->constant, a->monomials);
  case TermKind::Product: {
    std::string text;
    for (Term factor : a->operands)
      text += (text.empty() ? "" : "*") + within(factor, SignLevel);
    return {text, ProductLevel};
  }
  case TermKind::Modulo:
    return binary(" mod ", ProductLevel);
  case TermKind::Quotient:
    return binary(" div ", ProductLevel);
  case TermKind::Power2:
    return {"1 << " + within(operand(0), SumLevel), ShiftLevel};
  case TermKind::Power:
    return {within(operand(0), AtomLevel) + "**" + within(operand(1), AtomLevel), SignLevel};
  case TermKind::CeilLog2:
    return call("ceil_log2");
  case TermKind::FloorLog2:
    return call("floor_log2");
  case TermKind::BitXor:
    return binary(" xor ", BitXorLevel);
  case TermKind::BitAnd:
    return binary(" & ", BitAndLevel);
  case TermKind::BitOr:
    return binary(" | ", BitOrLevel);
  case TermKind::Select:
    return {"if " + print(operand(0)).text + " then " + print(operand(1)).text + " else " + print(operand(2)).text, Loosest};
  case TermKind::Apply: {
    std::string text;
    for (Term argument : a->operands)
      text += (text.empty() ? "" : ", ") + print(argument).text;
    llvm::StringRef name = a->name; // names of functions end in "()" inside, which keeps them apart from variables
    name.consume_back("()");
    return {name.str() + "(" + text + ")", AtomLevel};
  }
  case TermKind::True:
    return {"0 == 0", CompareLevel};
  case TermKind::False:
    return {"0 == 1", CompareLevel};
  case TermKind::AtLeastZero:
    return printComparison(operand(0), "<=");
  case TermKind::IsZero:
    return printComparison(operand(0), "==");
  case TermKind::Bit:
    return {"bit(" + print(operand(0)).text + ", " + exponentOf(operand(1)) + ") == 1", CompareLevel};
  case TermKind::IsPower2:
    return call("pow2");
  case TermKind::Not:
    if (operand(0)->kind == TermKind::IsZero)
      return printComparison(operand(0)->operands[0], "!=");
    if (operand(0)->kind == TermKind::Bit) {
      std::string text = print(operand(0)).text;
      text.back() = '0';
      return {text, CompareLevel};
    }
    return {"not " + within(operand(0), NotLevel), NotLevel};
  case TermKind::And:
    return printList(a->operands, "and", AndLevel);
  case TermKind::Or:
    return printList(a->operands, "or", OrLevel);
  }
  return {"?", AtomLevel};
}
} // namespace

std::string text(Term a) { return print(a).text; }

} // namespace quadrille::compiler::prove
