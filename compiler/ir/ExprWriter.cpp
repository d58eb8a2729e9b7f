//===- ExprWriter.cpp - Expressions as text -----------------------------------------------------------------------------===//

#include "ExprWriter.h"

namespace quadrille::compiler::ir {

static llvm::StringRef fieldName(TreeFieldKind field) {
  static constexpr llvm::StringLiteral names[] = {"root", "height", "parent", "left", "right", "depth", "size", "lo", "hi"};
  return names[static_cast<unsigned>(field)];
}

const Expr &ExprWriter::written(const Expr &expr) const {
  const Expr *definition = expr.op == Op::Variable && definitionOf ? definitionOf(expr.variable) : nullptr;
  return definition ? written(*definition) : expr;
}

std::string ExprWriter::operand(const Expr &expr, Binding least) const {
  const Operation &operation = operationOf(written(expr).op);
  const bool isBare = !operation.isOpen() || (parentheses == Parentheses::Needed && operation.binding >= least);
  return isBare ? text(expr) : "(" + text(expr) + ")";
}

std::string ExprWriter::infix(const Expr &expr) const {
  const Expr &left = *expr.operands[0], &right = *expr.operands[1];
  const Operation &operation = operationOf(expr.op);
  // Powers are right-associative, comparisons would form chains, all others are left-associative.
  const Binding tighter = static_cast<Binding>(static_cast<unsigned>(operation.binding) + 1);
  const bool isPower = expr.op == Op::Power, isComparison = operation.binding == Binding::Compare;
  const std::string x = operand(left, isPower || isComparison ? tighter : operation.binding);
  const std::string y = operand(right, isPower ? operation.binding : tighter);
  // As formulas are set: 2*n, n/k, 2**d, but p div k * n.
  const auto hasWord = [&](const Expr &of) { return written(of).op == Op::Divide || written(of).op == Op::Modulo; };
  const bool isTight = parentheses == Parentheses::Needed && !hasWord(left) && (isPower || expr.op == Op::Multiply || expr.op == Op::Ratio);
  return x + (isTight ? "" : " ") + operation.word.str() + (isTight ? "" : " ") + y;
}

std::string ExprWriter::tree(const Expr &expr) const {
  const unsigned first = expr.tree->firstParameter();
  std::vector<std::string> arguments;
  if (!expr.tree->byRelatives)
    arguments.push_back(range(*expr.operands[0], *expr.operands[1]));
  for (const Expr *argument : llvm::ArrayRef(expr.operands).drop_front(first))
    arguments.push_back(text(*argument));
  return expr.tree->name + "(" + llvm::join(arguments, ", ") + ")";
}

std::string ExprWriter::field(const Expr &expr) const {
  if (expr.field == TreeFieldKind::Height)
    return "height(" + text(*expr.operands[0]) + ")";
  std::string result = operand(*expr.operands[0], Binding::Atom) + "." + fieldName(expr.field).str();
  // Only clocks mention fields of other ranks than `me`.
  const bool isOfMe = expr.operands.size() < 2 || (expr.operands[1]->op == Op::Variable && name(expr.operands[1]->variable) == "me");
  return isOfMe ? result : result + "@(" + text(*expr.operands[1]) + ")";
}

std::string ExprWriter::aggregate(const Expr &expr, llvm::StringRef word) const {
  const auto &x = expr.operands;
  return word.str() + "(" + text(*x[2]) + " for " + name(expr.variable).str() + " in " + range(*x[0], *x[1]) +
         (x.size() > 3 ? " if " + text(*x[3]) : "") + ")";
}

std::string ExprWriter::text(const Expr &named) const {
  const Expr &expr = written(named);
  const auto &x = expr.operands;
  const Operation &operation = operationOf(expr.op);
  const llvm::StringRef word = operation.word;
  switch (operation.form) {
  case Form::Function:
    return (word + "(" + list(x) + ")").str();
  case Form::Prefix:
    return (word + (llvm::isAlpha(word.back()) ? " " : "")).str() + operand(*x[0], operation.binding);
  case Form::Infix:
    return infix(expr);
  case Form::Name:
    return word.str();
  case Form::Aggregate:
    return aggregate(expr, word);
  case Form::Own:
    break;
  }
  switch (expr.op) {
  case Op::Constant:
    if (expr.type == Type::Boolean)
      return expr.value ? "true" : "false";
    return expr.value == none ? "none" : std::to_string(expr.value);
  case Op::Variable:
    return name(expr.variable).str();
  case Op::Select:
    return "if " + text(*x[0]) + " then " + operand(*x[1]) + " else " + operand(*x[2], Binding::Select);
  case Op::Call:
    return expr.function->name + "(" + list(x) + ")";
  case Op::BuildTree:
    return tree(expr);
  case Op::TreeField:
    return field(expr);
  case Op::Element: {
    std::string result = table(expr.variable);
    for (const Expr *index : x)
      result += "[" + text(*index) + "]";
    return result;
  }
  default:
    return "";
  }
}

std::string ExprWriter::lengthText(const LengthOf &length) const {
  std::string entry = table(length.table);
  for (const Expr *index : length.indices)
    entry += "[" + text(*index) + "]";
  return length.parts ? "packet(" + entry + ", " + text(*length.parts) + ", " + text(*length.part) + ")" : entry;
}

std::string ExprWriter::knowledgeText(const Knowledge &known) const {
  std::string result = table(known.table);
  for (const Knowledge::Index &index : known.indices)
    result += "[" + (index.variable ? name(*index.variable).str() : text(*index.value)) + "]";
  return result + (known.condition ? " if " + text(*known.condition) : "");
}

std::string namesOf(llvm::ArrayRef<Variable> variables) {
  return llvm::join(llvm::map_range(variables, [](const Variable &v) { return v.name; }), ", ");
}

std::string dataAtRank(llvm::StringRef data, const std::string &rank, const std::string &index) {
  return data.str() + "@" + rank + (index.empty() ? "" : "[" + index + "]");
}

std::string rankText(const Expr &rank, const ExprWriter &writer) {
  const bool isPlain = rank.op == Op::Constant || rank.op == Op::Variable;
  return isPlain ? writer.text(rank) : "(" + writer.text(rank) + ")";
}

} // namespace quadrille::compiler::ir
