//===- FormulaEvaluators.cpp - Expressions as formulas --------------------------------------------------------------------===//

#include "Evaluators.h"

#include "cost/CostFormulas.h"

#include <cmath>

namespace quadrille::compiler::differential {

namespace {

class Values : public FormulaValues {
public:
  explicit Values(const Sample &sample) : sample(sample) {}
  std::optional<Rational> symbol(llvm::StringRef name) const override {
    if (name == "n")
      return Rational(sample.n);
    for (unsigned v = 0; v < variableCount; ++v)
      if (name == variableNames[v])
        return Rational(sample.values[v]);
    return std::nullopt;
  }

private:
  const Sample &sample;
};

/// Formulas of clauses (cost/CostFormulas.h). These do not depend on a rank, so `i` replaces `me`.
class Formulas : public SingleEvaluator {
public:
  Formulas() : SingleEvaluator("formulas") {}

private:
  void one(Subject &subject, const Task &given, llvm::ArrayRef<Sample> samples, std::vector<Answer> &answers) override {
    const Task task = taskOf(subject, *withIn(subject, *given.expr, Me, I), samples);
    const ir::Expr *clause = task.expr;
    if (clause->type == ir::Type::Boolean)
      clause = subject.make(ir::Op::Select, ir::Type::Integer, {clause, subject.constant(1), subject.constant(0)});
    ir::Schedule &schedule = subject.schedule;
    schedule.rounds.emplace();
    schedule.rounds->formula = clause;
    std::optional<CostFormulas> formulas;
    try {
      formulas = clauseFormulas(*schedule.rounds, schedule);
      if (!formulas)
        return;
      const std::vector<std::string> symbols = {"p", "k", "i", "root", "n"};
      const CompiledFormula compiled(formulas->rounds, symbols);
      // In floating point, cancellation in long polynomials loses precision.
      const bool isPrecise = formulas->rounds.text().size() < 80;
      for (size_t i = 0; i < samples.size(); ++i) {
        const Sample &sample = samples[i];
        if (!task.known[i].value)
          continue;
        if (std::optional<Rational> value = evaluate(formulas->rounds, Values(sample))) {
          answers[i] = value->den() == 1 ? answerOf(task.known[i], value->num()) : Answer{Answer::Differs, value->text()};
          if (answers[i].kind == Answer::Differs)
            answers[i].text += ", of " + formulas->rounds.text();
        }
        const double known = static_cast<double>(*task.known[i].value);
        if (answers[i].kind != Answer::Agrees)
          continue;
        auto number = [&](unsigned v) { return static_cast<double>(sample.values[v]); };
        const double about = compiled({number(P), number(K), number(I), number(Root), static_cast<double>(sample.n)});
        if (isPrecise && isSmallWithin(*task.expr, sample, 100000) && !std::isnan(about) && std::fabs(about - known) > 1e-3)
          answers[i] = {Answer::Differs, std::to_string(about) + " in floating point, of " + formulas->rounds.text()};
      }
    } catch (const FormulaTooLarge &) {
    }
  }
};

} // namespace

void addEvaluatorsOfFormulas(Evaluators &to) { to.push_back(std::make_unique<Formulas>()); }

} // namespace quadrille::compiler::differential
