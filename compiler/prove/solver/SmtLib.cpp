//===- SmtLib.cpp - Terms as text for solvers ---------------------------------------------------------------------------===//

#include "SmtLib.h"

#include "prove/terms/Operations.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <set>
#include <utility>

namespace quadrille::compiler::prove {

template <typename Visit> static void forEachOperand(Term a, Visit visit) {
  for (const Monomial &m : a->monomials)
    visit(m.atom);
  for (Term operand : a->operands)
    visit(operand);
}

static const char *sort(Term a) { return a->isBoolean() ? "Bool" : "Int"; }

/// The SMT-LIB name of a variable, which must differ from those of operations.
static std::string symbol(Term variable) {
  const bool isTaken = llvm::any_of(operations, [&](const TermOperation &f) { return variable->name == f.name; });
  return "|" + variable->name + (isTaken ? "'|" : "|");
}

static std::string number(std::int64_t value) {
  if (value >= 0)
    return std::to_string(value);
  return "(- " + std::to_string(value).substr(1) + ")";
}

SmtLibPrinter::SmtLibPrinter(llvm::ArrayRef<Term> assertions) : assertions(assertions) {
  forEachNode(assertions, [&](Term a) { forEachOperand(a, [&](Term operand) { ++uses[operand]; }); });
}

std::string SmtLibPrinter::declarations() {
  std::string result;
  llvm::DenseMap<int, bool> used;
  forEachNode(assertions, [&](Term a) { used[static_cast<int>(a->kind)] |= !literalDivisor(a); });
  for (const TermOperation &f : operations) {
    if (!used.lookup(static_cast<int>(f.kind)))
      continue;
    result += std::string("(declare-fun ") + f.name + (f.arity == 1 ? " (Int) " : " (Int Int) ") + (f.isTruth() ? "Bool" : "Int") + ")\n";
  }
  std::set<std::string> applied;
  forEachNode(assertions, [&](Term a) {
    if (a->kind != TermKind::Apply)
      return;
    std::string domain;
    for (size_t i = 0; i < a->operands.size(); ++i)
      domain += i == 0 ? "Int" : " Int";
    applied.insert("(declare-fun " + symbol(a) + " (" + domain + ") Int)\n");
  });
  for (const std::string &declaration : applied)
    result += declaration;
  for (Term variable : variablesOf(assertions))
    result += "(declare-fun " + symbol(variable) + " () Int)\n";
  return result;
}

/// The text itself if it is short, else a name that is defined as it.
std::string SmtLibPrinter::named(std::string text, const char *sort) {
  constexpr size_t longest = 24;
  if (text.size() <= longest)
    return text;
  std::string name = "t" + std::to_string(++names);
  definitions += "(define-fun " + name + " () " + sort + " " + text + ")\n";
  return name;
}

std::string SmtLibPrinter::assertion(Term a) {
  forEachNode({a}, [&](Term part) {
    if (texts.contains(part))
      return;
    std::string whole = print(part);
    texts[part] = uses.lookup(part) > 1 ? named(std::move(whole), sort(part)) : whole;
  });
  return std::exchange(definitions, {}) + "(assert " + texts[a] + ")\n";
}

std::string SmtLibPrinter::isOdd(Term a) {
  if (auto known = oddTexts.find(a); known != oddTexts.end())
    return known->second;
  std::string text = named(printOdd(a), "Bool");
  oddTexts[a] = text;
  return text;
}

std::string SmtLibPrinter::printOdd(Term a) {
  const Oddness how = oddness(a);
  switch (how.by) {
  case Oddness::By::Number:
    return "(= (mod " + texts[a] + " 2) 1)";
  case Oddness::By::Part:
    return isOdd(how.parts[0]);
  case Oddness::By::Choice:
    return "(ite " + texts[how.parts[0]] + " " + isOdd(how.parts[1]) + " " + isOdd(how.parts[2]) + ")";
  case Oddness::By::Count:
    break;
  }
  std::string result = how.constant ? "true" : "false";
  for (Term part : how.parts)
    result = "(xor " + result + " " + isOdd(part) + ")";
  return result;
}

std::string SmtLibPrinter::print(Term a) {
  auto operand = [&](unsigned i) { return texts[a->operands[i]]; };
  auto call = [&](llvm::StringRef name, llvm::ArrayRef<std::string> arguments) {
    return "(" + name.str() + " " + llvm::join(arguments, " ") + ")";
  };
  switch (a->kind) {
  case TermKind::Variable:
    return symbol(a);
  case TermKind::Sum: {
    std::vector<std::string> parts;
    for (const Monomial &m : a->monomials)
      parts.push_back(m.coefficient == 1    ? texts[m.atom]
                      : m.coefficient == -1 ? call("-", {texts[m.atom]})
                                            : call("*", {number(m.coefficient), texts[m.atom]}));
    if (a->constant != 0 || parts.empty())
      parts.push_back(number(a->constant));
    return parts.size() == 1 ? parts[0] : call("+", parts);
  }
  case TermKind::Apply: {
    std::vector<std::string> arguments;
    for (Term argument : a->operands)
      arguments.push_back(texts[argument]);
    return arguments.empty() ? symbol(a) : call(symbol(a), arguments);
  }
  case TermKind::Select:
    return call("ite", {operand(0), operand(1), operand(2)});
  case TermKind::True:
    return "true";
  case TermKind::False:
    return "false";
  case TermKind::AtLeastZero:
    return call(">=", {operand(0), "0"});
  case TermKind::IsZero:
    return call("=", {operand(0), "0"});
  case TermKind::Not:
    return call("not", {operand(0)});
  case TermKind::And:
  case TermKind::Or: {
    std::vector<std::string> parts;
    for (Term part : a->operands)
      parts.push_back(texts[part]);
    return call(a->kind == TermKind::And ? "and" : "or", parts);
  }
  default:
    break;
  }
  if (auto divisor = literalDivisor(a)) {
    if (isOddByParts(a))
      return call("ite", {isOdd(a->operands[0]), "1", "0"});
    if (a->kind == TermKind::Modulo)
      return call("mod", {operand(0), operand(1)});
    std::string quotient = call("div", {operand(0), operand(1)});
    return a->kind == TermKind::Quotient ? quotient : call("=", {call("mod", {quotient, "2"}), "1"});
  }
  const char *name = operationOf(a->kind)->name;
  if (a->operands.size() == 1)
    return call(name, {operand(0)});
  std::string result = call(name, {operand(0), operand(1)});
  for (unsigned i = 2; i < a->operands.size(); ++i)
    result = call(name, {result, operand(i)});
  return result;
}

} // namespace quadrille::compiler::prove
