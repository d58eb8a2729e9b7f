//===- FrameVerifier.cpp - Whether expressions are well formed ----------------------------------------------------===//

#include "FrameVerifier.h"

#include "Operations.h"

#include "llvm/Support/SaveAndRestore.h"

namespace quadrille::compiler::ir {

void FrameVerifier::operands(const Expr &expr, llvm::ArrayRef<Type> types, bool isOfCost) {
  require(expr.operands.size() == types.size(), operationOf(expr.op).name + " has " + llvm::Twine(expr.operands.size()) + " operands");
  for (auto [operand, type] : llvm::zip(expr.operands, types))
    this->expr(operand, type, isOfCost);
}

void FrameVerifier::call(const Expr &expr, bool isOfCost) {
  require(expr.function, "a call of no function");
  require(expr.function->type == expr.type, "a call of `" + expr.function->name + "` has another type than what it yields");
  require(expr.operands.size() == expr.function->argumentCount, "a call of `" + expr.function->name + "` has " +
                                                                    llvm::Twine(expr.operands.size()) + " operands");
  // Arguments may be numbers or conditions.
  for (const Expr *operand : expr.operands) {
    require(operand, "a call of `" + expr.function->name + "` has no operand where one belongs");
    this->expr(operand, operand->type, isOfCost);
  }
}

void FrameVerifier::tree(const Expr &expr, bool isOfCost) {
  require(expr.tree, "a tree without a rule");
  const size_t first = expr.tree->firstParameter(), most = first + expr.tree->presets.size();
  require(expr.operands.size() >= first + expr.tree->requiredParameters && expr.operands.size() <= most,
          "a tree `" + expr.tree->name + "` has " + llvm::Twine(expr.operands.size()) + " operands");
  operands(expr, std::vector<Type>(expr.operands.size(), Type::Integer), isOfCost);
}

void FrameVerifier::field(const Expr &expr, bool isOfCost) {
  const bool isOfTree = expr.field == TreeFieldKind::Root || expr.field == TreeFieldKind::Height;
  operands(expr, isOfTree ? llvm::ArrayRef<Type>{Type::Tree} : llvm::ArrayRef<Type>{Type::Tree, Type::Integer}, isOfCost);
}

void FrameVerifier::aggregate(const Expr &expr) {
  require(expr.operands.size() == 3 || expr.operands.size() == 4, operationOf(expr.op).name + " has " + llvm::Twine(expr.operands.size()) + " operands");
  const llvm::SaveAndRestore<llvm::SmallBitVector> around(known);
  this->expr(expr.operands[0], Type::Integer, true);
  this->expr(expr.operands[1], Type::Integer, true);
  define(expr.variable);
  this->expr(expr.operands[2], Type::Integer, true);
  if (expr.operands.size() > 3)
    this->expr(expr.operands[3], Type::Boolean, true);
}

void FrameVerifier::expr(const Expr *given, Type type, bool isOfCost) {
  require(given, "no expression where one belongs");
  const Expr &expr = *given;
  const Operation &operation = operationOf(expr.op);
  const llvm::StringRef name = operation.name;
  for (const Expr *operand : expr.operands)
    require(expr.dependsOnRank || !operand || !operand->dependsOnRank, name + " is said to be the same on all ranks, and has an operand that is not");
  require(expr.type == type, name + " has another type than what is wanted");
  require(isOfCost || !operation.isCostOnly(), name + " stands outside clauses of costs");
  require(operation.signature == Signature::Own || type == operation.result, name + (operation.result == Type::Integer ? " is no number" : " is no condition"));
  switch (operation.signature) {
  case Signature::Unary:
    return operands(expr, {operation.operands}, isOfCost);
  case Signature::Binary:
    return operands(expr, {operation.operands, operation.operands}, isOfCost);
  case Signature::Equality: {
    require(expr.operands.size() == 2 && expr.operands[0], name + " compares nothing");
    const Type compared = expr.operands[0]->type;
    require(compared != Type::Tree, name + " compares trees");
    return operands(expr, {compared, compared}, isOfCost);
  }
  case Signature::Own:
    return special(expr, isOfCost);
  }
}

/// Verifies operations whose signature is Own.
void FrameVerifier::special(const Expr &expr, bool isOfCost) {
  const llvm::StringRef name = operationOf(expr.op).name;
  switch (expr.op) {
  case Op::Constant:
    return operands(expr, {}, isOfCost);
  case Op::Alpha:
  case Op::Beta:
  case Op::Gamma:
  case Op::Length:
    require(expr.type == Type::Integer, name + " is no number");
    return operands(expr, {}, isOfCost);
  case Op::Variable:
    require(expr.variable < variables.size(), "variable " + llvm::Twine(expr.variable) + " is none of the frame");
    require(known[expr.variable], "`" + variables[expr.variable].name + "` is read where it has no value");
    require(variables[expr.variable].type == expr.type, "`" + variables[expr.variable].name + "` is read as another type than it has");
    require(expr.dependsOnRank || !variables[expr.variable].dependsOnRank,
            "`" + variables[expr.variable].name + "` is said to be the same on all ranks, and is not");
    return operands(expr, {}, isOfCost);
  case Op::Select:
    require(expr.type != Type::Tree, "a choice between trees");
    return operands(expr, {Type::Boolean, expr.type, expr.type}, isOfCost);
  case Op::Call:
    return call(expr, isOfCost);
  case Op::BuildTree:
    require(expr.type == Type::Tree, name + " is no tree");
    return tree(expr, isOfCost);
  case Op::TreeField:
    require(expr.type == Type::Integer, name + " is no number");
    return field(expr, isOfCost);
  case Op::NodeOf:
  case Op::LocalRank:
  case Op::NodeSize:
    require(expr.type == Type::Integer, name + " is no number");
    return operands(expr, {Type::Integer}, isOfCost);
  case Op::RankOn:
    require(expr.type == Type::Integer, name + " is no number");
    return operands(expr, {Type::Integer, Type::Integer}, isOfCost);
  case Op::Nodes:
  case Op::LargestNode:
    require(expr.type == Type::Integer, name + " is no number");
    return operands(expr, {}, isOfCost);
  case Op::ConsecutiveNodes:
    require(expr.type == Type::Boolean, name + " is no condition");
    return operands(expr, {}, isOfCost);
  case Op::Element:
    require(expr.variable < tables, "an element of a table that there is not");
    return operands(expr, std::vector<Type>(expr.operands.size(), Type::Integer), isOfCost);
  case Op::SumOver:
  case Op::MinimumOver:
  case Op::MaximumOver:
    return aggregate(expr);
  default:
    require(false, name + " has a shape that nobody knows");
  }
}

void FrameVerifier::length(const LengthOf &length) {
  require(length.table < tables, "a length from a table that there is not");
  require(!length.indices.empty(), "a length without an index");
  require(!length.parts == !length.part, "the length of a packet without its number, or the reverse");
  const llvm::SaveAndRestore<llvm::SmallBitVector> around(known);
  define(length.binder);
  for (const Expr *index : length.indices)
    integer(index);
  optionalInteger(length.parts);
  optionalInteger(length.part);
}

void FrameVerifier::knowledge(const Knowledge &known) {
  require(known.table < tables, "entries are known of a table that there is not");
  require(!known.indices.empty(), "an entry is known without an index");
  const llvm::SaveAndRestore<llvm::SmallBitVector> around(this->known);
  for (const Knowledge::Index &index : known.indices) {
    require(index.variable.has_value() != (index.value != nullptr), "an index of what is known has a variable and a value, or neither");
    optionalInteger(index.value);
  }
  for (const Knowledge::Index &index : known.indices)
    define(index.variable);
  optionalBoolean(known.condition);
}

} // namespace quadrille::compiler::ir
