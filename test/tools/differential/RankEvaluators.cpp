//===- RankEvaluators.cpp - Evaluation for many ranks or all lengths -------------------------------===//

#include "Evaluators.h"

#include "cost/LinearCost.h"
#include "evaluate/Columns.h"

namespace quadrille::compiler::differential {

namespace {

/// The number of samples from `first` on that belong to the same case.
size_t samplesOfCase(llvm::ArrayRef<Sample> samples, size_t first) {
  auto isSameCase = [&](const Sample &a, const Sample &b) {
    return a.values[P] == b.values[P] && a.values[K] == b.values[K] && a.values[Root] == b.values[Root] && a.n == b.n;
  };
  size_t count = 1;
  while (first + count < samples.size() && isSameCase(samples[first], samples[first + count]))
    ++count;
  return count;
}

class Columns : public SingleEvaluator {
public:
  Columns() : SingleEvaluator("columns of ranks") {}

private:
  void one(Subject &, const Task &task, llvm::ArrayRef<Sample> samples, std::vector<Answer> &answers) override {
    if (isOfCosts(*task.expr))
      return;
    for (size_t first = 0, count; first < samples.size(); first += count) {
      count = samplesOfCase(samples, first);
      ofCase(task, first, samples.slice(first, count), answers);
    }
  }

  static void ofCase(const Task &task, size_t first, llvm::ArrayRef<Sample> samples, std::vector<Answer> &answers) {
    TreeCache trees;
    ColumnEvaluator evaluator(trees);
    evaluator.variables.resize(variableCount);
    std::array<std::vector<std::int64_t>, variableCount> arrays;
    for (unsigned v = 0; v < variableCount; ++v) {
      ColumnVariable &variable = evaluator.variables[v];
      variable.scalar = samples[0].values[v];
      if (v != Me && v != I)
        continue;
      for (const Sample &sample : samples)
        arrays[v].push_back(sample.values[v]);
      variable.kind = ColumnVariable::Array;
      variable.array = arrays[v].data();
      variable.bounds = {*std::min_element(arrays[v].begin(), arrays[v].end()), *std::max_element(arrays[v].begin(), arrays[v].end())};
    }
    std::vector<std::uint8_t> active;
    for (size_t i = 0; i < samples.size(); ++i)
      active.push_back(task.known[first + i].value.has_value());
    // First without the ranks that have no value, then with them: they must be reported.
    auto failing = std::find(active.begin(), active.end(), 0) - active.begin();
    try {
      evaluator.select(0, samples.size(), active.data());
      const Column column = evaluator.evaluate(*task.expr);
      for (size_t i = 0; i < samples.size(); ++i)
        if (active[i]) {
          answers[first + i] = answerOf(task.known[first + i], column[i]);
          // Fast loops rest on this. What is `none` is in no bounds.
          if (column[i] != ir::none && !column.bounds.contains(arithmetic::point(column[i])))
            answers[first + i] = {Answer::Differs, answers[first + i].text + ", not " + textOf(column.bounds)};
        }
    } catch (const EvaluationError &error) {
      for (size_t i = 0; i < samples.size(); ++i)
        if (active[i])
          answers[first + i] = {Answer::Differs, "no value, " + diag::codeText(error.id())};
    }
    if (failing == static_cast<std::ptrdiff_t>(samples.size()))
      return;
    try {
      evaluator.select(0, samples.size(), nullptr);
      const Column column = evaluator.evaluate(*task.expr);
      answers[first + static_cast<size_t>(failing)] = {Answer::Differs, std::to_string(column[static_cast<size_t>(failing)])};
    } catch (const EvaluationError &error) {
      answers[first + static_cast<size_t>(failing)] = {Answer::Agrees, "no value, " + diag::codeText(error.id())};
    }
  }
};

/// The expression as a number, since a clause is one.
const ir::Expr *clauseOf(Subject &subject, const ir::Expr &expr) {
  if (expr.type == ir::Type::Integer)
    return &expr;
  return subject.make(ir::Op::Select, ir::Type::Integer, {&expr, subject.constant(1), subject.constant(0)});
}

Frame frameOf(const Sample &sample) {
  Frame frame;
  frame.values.assign(sample.values.begin(), sample.values.end());
  return frame;
}

class FixedLengths : public SingleEvaluator {
public:
  FixedLengths() : SingleEvaluator("clauses at a length") {}

private:
  void one(Subject &subject, const Task &task, llvm::ArrayRef<Sample> samples, std::vector<Answer> &answers) override {
    if (isOfCosts(*task.expr)) // this evaluator is the reference for them
      return;
    const ir::Expr *clause = clauseOf(subject, *task.expr);
    for (size_t i = 0; i < samples.size(); ++i)
      try {
        const Rational value = evaluateClause(*clause, frameOf(samples[i]), Lengths(samples[i].n)).constant.constant();
        answers[i] = answerOf(task.known[i], value.num());
      } catch (const EvaluationError &error) {
        // Fractions may overflow where integers do not.
        if (task.known[i].value && error.id() != diag::Id::Overflow)
          answers[i] = {Answer::Differs, "no value, " + diag::codeText(error.id())};
      }
  }
};

class GrowingLengthsEvaluator : public SingleEvaluator {
public:
  GrowingLengthsEvaluator() : SingleEvaluator("clauses at growing lengths") {}

private:
  void one(Subject &subject, const Task &task, llvm::ArrayRef<Sample> samples, std::vector<Answer> &answers) override {
    if (!isOfCosts(*task.expr))
      return;
    const ir::Expr *clause = clauseOf(subject, *task.expr);
    for (size_t i = 0; i < samples.size(); i += 3)
      if (task.known[i].value)
        answers[i] = ofSample(*clause, task.known[i], samples[i]);
  }

  static Answer ofSample(const ir::Expr &clause, const Known &known, const Sample &sample) {
    const Frame frame = frameOf(sample);
    const Lengths unit(sample.n);
    GrowingLengths growing{unit, 1, 1, std::int64_t(1) << 20};
    for (unsigned tries = 0; tries < 4; ++tries)
      try {
        std::uint64_t operations = 0;
        const CostStretch stretch = evaluateClause(clause, frame, growing, 0, operations);
        const Rational value = stretch.cost.constant.at(0);
        Answer answer = answerOf(known, value.num());
        if (value.den() != 1)
          answer = {Answer::Differs, value.text()};
        // The polynomial must have the values that are found at other lengths.
        for (std::int64_t step : {std::int64_t(1), std::int64_t(2), std::int64_t(3), std::int64_t(7), stretch.last / 2, stretch.last})
          if (answer.kind == Answer::Agrees && step <= stretch.last && step < 100000)
            answer = atStep(clause, frame, stretch, unit, growing.scale(step), step, answer);
        return answer;
      } catch (const WiderSteps &wider) {
        growing.width *= wider.factor;
        if (growing.width > growing.maxWidth)
          return {};
      } catch (const EvaluationError &) {
        return {}; // coefficients may overflow
      }
    return {};
  }

  static Answer atStep(const ir::Expr &clause, const Frame &frame, const CostStretch &stretch, const Lengths &unit, std::int64_t scale,
                       std::int64_t step, const Answer &otherwise) {
    const std::optional<Lengths> there = unit.times(scale);
    if (!there)
      return otherwise;
    try {
      const Rational known = evaluateClause(clause, frame, *there).constant.constant(), said = stretch.cost.constant.at(step);
      if (said.valid() && !(said == known))
        return {Answer::Differs, otherwise.text + "; for n = " + std::to_string(there->n) + " " + said.text() + " in place of " + known.text()};
    } catch (const EvaluationError &) {
    }
    return otherwise;
  }
};

} // namespace

void addEvaluatorsOfRanks(Evaluators &to) {
  to.push_back(std::make_unique<Columns>());
  to.push_back(std::make_unique<FixedLengths>());
  to.push_back(std::make_unique<GrowingLengthsEvaluator>());
}

} // namespace quadrille::compiler::differential
