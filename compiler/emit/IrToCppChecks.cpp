//===- IrToCppChecks.cpp - What the public function checks ----------------------------------------------------------------===//
//
// The public function checks everything that can be wrong with a call before the first message: a rank that fails later leaves
// the others waiting.
//
//===----------------------------------------------------------------------------------------------------------------------===//

#include "EntryLowering.h"

#include "Queries.h"

#include "ir/Walk.h"

namespace quadrille::compiler::emit {

using namespace ir;
using cpp::ExprPtr;

void EntryLowering::checks(cpp::Body &body) {
  // Conditions about one parameter come first: the others may divide by it.
  for (const Requirement &requirement : schedule.requirements)
    if (onlyNumber(*requirement.condition))
      require(requirement, body);
  divisors(body);
  splits(body);
  for (const Requirement &requirement : schedule.requirements)
    if (!onlyNumber(*requirement.condition))
      require(requirement, body);
  if (needsCommutative(schedule))
    body.push_back(cpp::returnIfBad(cpp::call("call.requireCommutative", {})));
  for (unsigned i = schedule.parameterCount; i < schedule.numberCount; ++i)
    body.push_back(cpp::returnIfBad(cpp::call("call.requireRoot", {cpp::atom(numberName(i))})));
  if (known)
    known->check(body);
  for (size_t i = 0; !known && i < schedule.tables.size(); ++i)
    body.push_back(cpp::returnIfBad(
        cpp::call("call.requireLengths", {cpp::atom(quoted(schedule.tables[i].name)), cpp::atom(tableNames[i]), entries(schedule.tables[i])})));
  lengthNames.resize(schedule.buffers.size());
  for (const auto *list : {&schedule.inputs, &schedule.outputs})
    for (const Buffer *buffer : *list)
      nameLength(*buffer, body);
  if (isForMpi)
    takeInPlace(body);
  for (const auto *list : {&schedule.inputs, &schedule.outputs})
    for (const Buffer *buffer : *list) {
      const std::string &name = bufferNames[buffer->index];
      cpp::Stmt check = cpp::returnIfBad(
          cpp::call(buffer->length ? "call.requireBufferOf" : "call.requireBuffer",
                    {cpp::atom(quoted(buffer->name)), cpp::atom(name), count(*buffer), lengthOf(*buffer)}));
      if (buffer->presence)
        check = cpp::ifThen(isPresent(*buffer), {std::move(check)});
      body.push_back(std::move(check));
    }
  // Collectives without data synchronize by their messages anyway.
  const bool hasData = !schedule.inputs.empty() || !schedule.outputs.empty();
  if (hasData && llvm::any_of(schedule.collective->promises, [](const Promise &promise) { return promise.isHeard; }))
    body.push_back(cpp::expression(cpp::call("call.synchronizes", {})));
}

void EntryLowering::divisors(cpp::Body &body) {
  llvm::SmallVector<unsigned, 4> checked;
  std::function<void(const Expr *)> visit = [&](const Expr *expr) {
    if (!expr)
      return;
    for (const Expr *operand : expr->operands)
      visit(operand);
    if (expr->op != Op::Divide && expr->op != Op::Modulo)
      return;
    const Expr &divisor = *expr->operands[1];
    if (divisor.op != Op::Variable || divisor.variable < Schedule::firstNumber ||
        divisor.variable >= Schedule::firstNumber + schedule.parameterCount || llvm::is_contained(checked, divisor.variable))
      return;
    checked.push_back(divisor.variable);
    // A `requires` clause about one number has been checked before, and may exclude 0.
    if (isAtLeast(exprs.frame[divisor.variable], 1))
      return;
    const ExprPtr &value = exprs.names[divisor.variable];
    const std::string &name = schedule.variables[divisor.variable].name;
    body.push_back(cpp::returnIfBad(
        cpp::call("call.requireParameter", {cpp::atom(quoted(name)), value, cpp::infix(value, "!=", cpp::number(0)),
                                            cpp::atom(quoted(name + " != 0"))})));
  };
  for (const Requirement &requirement : schedule.requirements)
    visit(requirement.condition);
  visitStmts(schedule.body, [&](const Stmt &stmt) {
    if (const auto *let = llvm::dyn_cast<LetStmt>(&stmt)) {
      visit(let->value);
    } else if (const auto *branch = llvm::dyn_cast<IfStmt>(&stmt)) {
      visit(branch->condition);
    } else if (const auto *loop = llvm::dyn_cast<ForStmt>(&stmt)) {
      visit(loop->lo);
      visit(loop->hi);
    } else if (const auto *transfer = llvm::dyn_cast<TransferStmt>(&stmt)) {
      visit(transfer->peer);
    }
    visitSlices(stmt, [&](const Slice &slice, bool) {
      for (const Index *index : {&slice.blocks, &slice.packets})
        for (const Expr *expr : {index->a, index->b, index->c})
          visit(expr);
    });
  });
}

void EntryLowering::splits(cpp::Body &body) {
  std::vector<const Expr *> done;
  for (const auto &buffer : schedule.buffers) {
    if (!buffer->parts || llvm::any_of(done, [&](const Expr *before) { return sameExpr(before, buffer->parts); }))
      continue;
    done.push_back(buffer->parts);
    const Expr &parts = *buffer->parts;
    bool overNumbers = true;
    visitVariables(&parts, [&](unsigned variable) { overNumbers &= variable < Schedule::firstNumber + schedule.numberCount; });
    // The bounds of a number that is split into already assume this check.
    bool isNumber = parts.op == Op::Variable && parts.variable >= Schedule::firstNumber;
    if (!overNumbers || (!isNumber && isAtLeast(boundsOf(parts, exprs.frame), 1)))
      continue;
    std::string text = isNumber ? schedule.variables[parts.variable].name
                                : std::string(parts.range.Start.getPointer(), parts.range.End.getPointer());
    if (asksForNodes(parts)) {
      requireOfNodes(parts, [](ExprPtr value) { return cpp::infix(value, ">=", cpp::number(1)); }, text + " >= 1", body);
      continue;
    }
    ExprPtr value = exprs.lower(parts);
    // If 0 asks for a choice and is still there, a later check fails and says why.
    const int least = choice && isNumber && parts.variable == PacketRule::parameter ? 0 : 1;
    body.push_back(cpp::returnIfBad(
        cpp::call("call.requireParameter", {cpp::atom(quoted(text)), value, cpp::infix(value, ">=", cpp::number(least)),
                                            cpp::atom(quoted(text + " >= " + std::to_string(least)))})));
  }
}

void EntryLowering::require(const Requirement &requirement, cpp::Body &body) {
  if (asksForNodes(*requirement.condition))
    return requireOfNodes(*requirement.condition, [](ExprPtr holds) { return holds; }, requirement.text, body);
  const ExprPtr holds = exprs.lower(*requirement.condition);
  const ExprPtr text = cpp::atom(quoted(requirement.text));
  if (std::optional<unsigned> number = onlyNumber(*requirement.condition))
    body.push_back(cpp::returnIfBad(
        cpp::call("call.requireParameter",
                  {cpp::atom(quoted(schedule.variables[*number].name)), exprs.names[*number], holds, text})));
  else
    body.push_back(cpp::returnIfBad(cpp::call("call.requireSize", {holds, text})));
}

void EntryLowering::requireOfNodes(const Expr &condition, llvm::function_ref<ExprPtr(ExprPtr)> holds, const std::string &text, cpp::Body &body) {
  exprs.nodes = cpp::atom(local.settle("nodes"));
  const ExprPtr origin = schedule.origin ? exprs.lower(*schedule.origin) : cpp::number(0);
  const ExprPtr test = cpp::lambda("const quadrille::Nodes &" + exprs.nodes->text, holds(exprs.lower(condition)));
  body.push_back(cpp::returnIfBad(
      cpp::call("call.requireNodes", {cpp::atom("comm.everyone()"), origin, cpp::atom(quoted(text)), test})));
}

void EntryLowering::takeInPlace(cpp::Body &body) {
  const std::optional<InPlace> form = inPlaceForm(schedule);
  if (!form)
    return;
  const Buffer &input = *schedule.inputs[0], &output = *schedule.outputs[0];
  const Buffer &left = form->isOutput ? output : input, &given = form->isOutput ? input : output;
  const ExprPtr name = cpp::atom(bufferNames[left.index]), other = cpp::atom(bufferNames[given.index]);
  ExprPtr data = other;
  if (form->isOwnBlock) {
    data = cpp::call("call.blockOf", {other, cpp::atom("comm.rank()"), lengthOf(given)});
    if (form->isOutput)
      data = cpp::call("const_cast<void *>", {data});
  }
  ExprPtr isLeft = cpp::call("Communicator::isInPlace", {name});
  if (given.presence)
    isLeft = cpp::infix(isPresent(given), "&&", isLeft);
  body.push_back(cpp::ifThen(isLeft, {cpp::assignment(name, data)}));
}

ExprPtr EntryLowering::entries(const Table &table) const {
  ExprPtr product = exprs.lower(*table.extents[0]);
  for (size_t i = 1; i < table.extents.size(); ++i)
    product = cpp::infix(product, "*", exprs.lower(*table.extents[i]));
  return product;
}

void EntryLowering::nameLength(const Buffer &buffer, cpp::Body &body) {
  if (!buffer.length)
    return;
  const std::string binder = buffer.length->binder ? schedule.variables[*buffer.length->binder].name : "";
  ExprPtr function = exprs.lengthFunction(schedule, *buffer.length, binder, tableNames);
  for (const auto &[known, name] : namedLengths)
    if (cpp::same(known, function)) {
      lengthNames[buffer.index] = name;
      return;
    }
  std::string &name = lengthNames[buffer.index] = local.settle(buffer.name + "Length");
  body.push_back(cpp::declaration("const auto", name, function));
  namedLengths.push_back({function, name});
}

std::optional<unsigned> EntryLowering::onlyNumber(const Expr &condition) const {
  std::optional<unsigned> found;
  bool several = false;
  visitVariables(&condition, [&](unsigned variable) {
    several |= (found && *found != variable) || variable < Schedule::firstNumber;
    found = variable;
  });
  return several ? std::nullopt : found;
}

} // namespace quadrille::compiler::emit
