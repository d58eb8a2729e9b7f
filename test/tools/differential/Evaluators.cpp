//===- Evaluators.cpp - The reference, and comparisons with it -----------------------------------------------------===//

#include "Evaluators.h"

#include "cost/LinearCost.h"
#include "evaluate/Evaluate.h"

namespace quadrille::compiler::differential {

std::string Known::text() const {
  if (value)
    return std::to_string(*value);
  return problem ? "no value, " + diag::codeText(*problem) : "a fraction";
}

bool isOfCosts(const ir::Expr &expr) {
  return ir::anyPart(expr, [](const ir::Expr &part) { return ir::isCostOnly(part.op); });
}

static Known knownOf(const ir::Expr &expr, const Sample &sample) {
  Frame frame;
  frame.values.assign(sample.values.begin(), sample.values.end());
  try {
    if (!isOfCosts(expr))
      return {evaluate(expr, frame), {}};
    const Rational value = evaluateClause(expr, frame, Lengths(sample.n)).constant.constant();
    return {value.den() == 1 ? std::optional(value.num()) : std::nullopt, {}};
  } catch (const EvaluationError &error) {
    return {{}, error.id()};
  }
}

Task taskOf(Subject &subject, const ir::Expr &expr, llvm::ArrayRef<Sample> samples) {
  const ir::Expr *asked = &expr;
  if (isOfCosts(expr) && expr.type == ir::Type::Boolean) // clauses are numbers
    asked = subject.make(ir::Op::Select, ir::Type::Integer, {&expr, subject.constant(1), subject.constant(0)});
  Task task{&expr, {}};
  for (const Sample &sample : samples)
    task.known.push_back(knownOf(*asked, sample));
  return task;
}

Answers SingleEvaluator::ask(Subject &subject, llvm::ArrayRef<Task> tasks, llvm::ArrayRef<Sample> samples) {
  Answers result(tasks.size());
  for (size_t i = 0; i < tasks.size(); ++i) {
    result[i].resize(samples.size());
    one(subject, tasks[i], samples, result[i]);
  }
  return result;
}

Answer answerOf(const Known &known, std::int64_t value) {
  return {!known.value ? Answer::Silent : *known.value == value ? Answer::Agrees : Answer::Differs, std::to_string(value)};
}

std::string textOf(const arithmetic::Interval &interval) {
  auto end = [](arithmetic::Extended number) {
    const std::optional<std::int64_t> word = number.word();
    return word ? std::to_string(*word) : number < 0 ? "..-2^63" : "2^63..";
  };
  return "in " + end(interval.lo) + " .. " + end(interval.hi);
}

bool dividesByPositive(const ir::Expr &expr, const Sample &sample) {
  if (expr.op == ir::Op::Divide || expr.op == ir::Op::Modulo)
    if (const Known by = knownOf(*expr.operands[1], sample); !by.value || *by.value <= 0)
      return false;
  return llvm::all_of(expr.operands, [&](const ir::Expr *operand) { return dividesByPositive(*operand, sample); });
}

bool isSmallWithin(const ir::Expr &expr, const Sample &sample, std::int64_t most) {
  const Known known = expr.op == ir::Op::Constant ? Known{expr.value, {}} : knownOf(expr, sample);
  return known.value && std::abs(*known.value) <= most &&
         llvm::all_of(expr.operands, [&](const ir::Expr *operand) { return isSmallWithin(*operand, sample, most); });
}

} // namespace quadrille::compiler::differential
