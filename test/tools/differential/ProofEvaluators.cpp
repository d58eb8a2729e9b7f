//===- ProofEvaluators.cpp - Expressions as terms, and their intervals --------------------------------------------------===//

#include "Evaluators.h"
#include "TermOf.h"

#include "closedform/TermFormulas.h"
#include "prove/guess/FeatureTable.h"
#include "prove/overflow/WidthsWalk.h"

namespace quadrille::compiler::differential {

using namespace prove;

TermOf::TermOf(const ir::Expr &expr) {
  Numbers numbers(pool);
  std::vector<prove::Value> values;
  for (const char *name : variableNames) {
    variables.push_back(pool.variable(name));
    values.push_back({variables.back(), {}, {}});
  }
  try {
    term = numbers.term(expr, values);
    for (const Numbers::Need &need : numbers.needs)
      needs.push_back(need.condition);
  } catch (const NotModelled &) {
    term = {};
  } catch (const TermOverflow &) {
    term = {};
  }
}

std::optional<std::int64_t> TermOf::at(Term a, const Sample &sample) const {
  return prove::evaluate(a, [&](Term variable) {
    return sample.values[static_cast<size_t>(llvm::find(variables, variable) - variables.begin())];
  });
}

std::optional<bool> TermOf::hasValue(const Sample &sample) const {
  bool all = true;
  for (Term need : needs) {
    const std::optional<std::int64_t> holds = at(need, sample);
    if (!holds)
      return std::nullopt;
    all &= *holds != 0;
  }
  return all;
}

namespace {

class Terms : public SingleEvaluator {
public:
  Terms() : SingleEvaluator("terms") {}

private:
  void one(Subject &, const Task &task, llvm::ArrayRef<Sample> samples, std::vector<Answer> &answers) override {
    if (isOfCosts(*task.expr))
      return;
    TermOf formula(*task.expr);
    if (!formula.term)
      return;
    for (size_t i = 0; i < samples.size(); ++i) {
      const std::optional<bool> hasValue = formula.hasValue(samples[i]);
      const Known &known = task.known[i];
      if (!hasValue || !*hasValue)
        continue;
      if (known.problem) {
        if (*known.problem != diag::Id::Overflow)
          answers[i] = {Answer::Differs, "some value"};
        continue;
      }
      if (std::optional<std::int64_t> value = formula.at(formula.term, samples[i]))
        answers[i] = answerOf(known, *value);
      // Substituting numbers for some variables must not change the value.
      for (unsigned which : {7u, 21u, 31u}) {
        TermPool::Substitution by;
        for (unsigned v = 0; v < variableCount; ++v)
          if (which >> v & 1)
            by[formula.variables[v].get()] = formula.pool.integer(samples[i].values[v]);
        try {
          const Term replaced = formula.pool.substitute(formula.term, by);
          const std::optional<std::int64_t> value = formula.at(replaced, samples[i]);
          if (value && known.value && *value != *known.value && answers[i].kind != Answer::Differs)
            answers[i] = {Answer::Differs, std::to_string(*value) + ", of " + text(replaced)};
        } catch (const TermOverflow &) {
        }
      }
      if (answers[i].kind == Answer::Differs)
        answers[i].text += ", of " + text(formula.term);
    }
  }
};

class TermColumns : public SingleEvaluator {
public:
  TermColumns() : SingleEvaluator("columns of terms") {}

private:
  void one(Subject &, const Task &task, llvm::ArrayRef<Sample> samples, std::vector<Answer> &answers) override {
    if (isOfCosts(*task.expr))
      return;
    TermOf formula(*task.expr);
    if (!formula.term)
      return;
    auto isSmall = [](const Sample &sample) { return llvm::all_of(sample.values, [](std::int64_t v) { return std::abs(v) < 1000; }); };
    for (size_t i = 0; i < samples.size(); ++i) {
      // One row at a time, since a row without value hides the values of all others.
      if (!isSmall(samples[i]) || !task.known[i].value || std::abs(*task.known[i].value) > 100000 || formula.hasValue(samples[i]) != true)
        continue;
      // Intermediate values must be small, too.
      bool isSmallWithin = true;
      forEachNode({formula.term}, [&](Term part) {
        const std::optional<std::int64_t> value = formula.at(part, samples[i]);
        isSmallWithin &= value && std::abs(*value) < std::int64_t(1) << 40;
      });
      if (!isSmallWithin)
        continue;
      FeatureTable table;
      for (unsigned v = 0; v < variableCount; ++v)
        table.add(formula.variables[v], {static_cast<std::int32_t>(samples[i].values[v])});
      std::vector<std::int64_t> values;
      if (table.evaluate(formula.term, {0}, values))
        answers[i] = answerOf(task.known[i], values[0]);
    }
  }
};

/// Formulas of terms (closedform/TermFormulas.h). They cannot contain `me`.
class TermFormulas : public SingleEvaluator {
public:
  TermFormulas() : SingleEvaluator("formulas of terms") {}

private:
  struct Values : FormulaValues {
    explicit Values(const Sample &sample) : sample(sample) {}
    std::optional<Rational> symbol(llvm::StringRef name) const override {
      for (unsigned v = 0; v < variableCount; ++v)
        if (name == variableNames[v])
          return Rational(sample.values[v]);
      return std::nullopt;
    }
    const Sample &sample;
  };

  void one(Subject &subject, const Task &given, llvm::ArrayRef<Sample> samples, std::vector<Answer> &answers) override {
    if (isOfCosts(*given.expr))
      return;
    const Task task = taskOf(subject, *withIn(subject, *given.expr, Me, I), samples);
    TermOf formula(*task.expr);
    if (!formula.term)
      return;
    try {
      const std::optional<Formula> result = formulaOf(formula.term, subject.schedule);
      if (!result)
        return;
      for (size_t i = 0; i < samples.size(); ++i)
        if (task.known[i].value && formula.hasValue(samples[i]) == true)
          if (std::optional<Rational> value = quadrille::compiler::evaluate(*result, Values(samples[i]))) {
            answers[i] = value->den() == 1 ? answerOf(task.known[i], value->num()) : Answer{Answer::Differs, value->text()};
            if (answers[i].kind == Answer::Differs)
              answers[i].text += ", of " + result->text();
          }
    } catch (const FormulaTooLarge &) {
    }
  }
};

class Intervals : public SingleEvaluator {
public:
  Intervals() : SingleEvaluator("intervals") {}

private:
  void one(Subject &, const Task &task, llvm::ArrayRef<Sample> samples, std::vector<Answer> &answers) override {
    if (isOfCosts(*task.expr))
      return;
    for (size_t first = 0; first < samples.size(); first += ranksOfCase) {
      // Use the union of the intervals of all samples of a case.
      const llvm::ArrayRef<Sample> ofCase = samples.slice(first, std::min<size_t>(ranksOfCase, samples.size() - first));
      widths::Frame joined(variableCount, arithmetic::nothing);
      for (const Sample &sample : ofCase)
        for (unsigned v = 0; v < variableCount; ++v)
          joined[v] = join(joined[v], arithmetic::point(sample.values[v]));
      const arithmetic::Interval ofAll = widths::intervalOf(*task.expr, joined);
      for (size_t i = first; i < first + ofCase.size(); ++i) {
        if (!task.known[i].value || !dividesByPositive(*task.expr, samples[i]))
          continue;
        widths::Frame exact;
        for (std::int64_t value : samples[i].values)
          exact.push_back(arithmetic::point(value));
        for (const arithmetic::Interval &said : {ofAll, widths::intervalOf(*task.expr, exact)}) {
          const bool holds = said.contains(arithmetic::point(*task.known[i].value));
          if (answers[i].kind != Answer::Differs)
            answers[i] = {holds ? Answer::Agrees : Answer::Differs, textOf(said)};
        }
      }
    }
  }
};

} // namespace

void addEvaluatorsOfProofs(Evaluators &to) {
  to.push_back(std::make_unique<Terms>());
  to.push_back(std::make_unique<TermColumns>());
  to.push_back(std::make_unique<TermFormulas>());
  to.push_back(std::make_unique<Intervals>());
}

} // namespace quadrille::compiler::differential
