//===- Solvers.cpp - Values of terms by Z3 ------------------------------------------------------------------------------===//

#include "Evaluators.h"
#include "TermOf.h"

#include "prove/solver/Solver.h"

namespace quadrille::compiler::differential {

using prove::Monomial, prove::SolverResult, prove::Question, prove::Solver, prove::Term, prove::TermKind, prove::TermOverflow;

namespace {

/// Asks Z3 whether the term can have the known value, with numbers for all variables.
class Z3 : public SingleEvaluator {
public:
  /// `every`: one of so many expressions is examined, as this is slow.
  Z3(const char *name, unsigned every) : SingleEvaluator(name), every(every) {}

protected:
  virtual Answer answer(TermOf &formula, const Question &question, std::int64_t value) = 0;

private:
  void one(Subject &, const Task &task, llvm::ArrayRef<Sample> samples, std::vector<Answer> &answers) override {
    // While an expression is being made smaller, always ask.
    const bool isAlone = samples.size() <= ranksOfCase;
    if ((!isAlone && asked++ % every != 0) || isOfCosts(*task.expr))
      return;
    TermOf formula(*task.expr);
    if (!formula.term)
      return;
    for (size_t i = 0; i < samples.size(); i += isAlone ? 1 : samples.size() / 3 + 1) {
      if (!task.known[i].value || formula.hasValue(samples[i]) != true || !isSmall(formula, samples[i]))
        continue;
      const std::int64_t value = *task.known[i].value;
      Question question;
      question.name = "the value";
      for (unsigned v = 0; v < variableCount; ++v)
        question.hypotheses.push_back(formula.pool.equal(formula.variables[v], formula.pool.integer(samples[i].values[v])));
      question.goal = formula.term->isBoolean() ? (value ? formula.pool.negate(formula.term) : formula.term)
                                                : formula.pool.notEqual(formula.term, formula.pool.integer(value));
      try {
        answers[i] = answer(formula, question, value);
      } catch (const TermOverflow &) {
      }
    }
  }

  /// Whether all parts of the term fit into few bits.
  static bool isSmall(const TermOf &formula, const Sample &sample) {
    bool result = true;
    std::vector<Term> all(formula.variables);
    all.push_back(formula.term);
    forEachNode(all, [&](Term part) {
      const std::optional<std::int64_t> value = formula.at(part, sample);
      result = result && value && std::abs(*value) < std::int64_t(1) << (bits - 5);
      // Some factors of a product of 0 may be multiplied before the 0.
      std::int64_t product = 1;
      if (part->kind == TermKind::Product)
        for (Term factor : part->operands)
          if (const std::optional<std::int64_t> of = formula.at(factor, sample); of && std::abs(product) < std::int64_t(1) << bits)
            product *= std::max<std::int64_t>(1, std::min<std::int64_t>(std::abs(*of), std::int64_t(1) << bits));
      result = result && product < std::int64_t(1) << (bits - 5);
      result = result && (part->kind != TermKind::Power2 || *formula.at(part->operands[0], sample) < 10);
      for (const Monomial &m : part->monomials)
        result = result && std::abs(m.coefficient) < std::int64_t(1) << (bits - 5);
      result = result && std::abs(part->constant) < std::int64_t(1) << (bits - 5);
    });
    return result;
  }

protected:
  static constexpr unsigned bits = 20;

private:
  const unsigned every;
  unsigned asked = 0;
};

class BitVectors : public Z3 {
public:
  BitVectors() : Z3("Z3 with bit-vectors", 4) {}

private:
  differential::Answer answer(TermOf &formula, const Question &question, std::int64_t value) override {
    const SolverResult outcome = Solver(formula.pool).refute(question, bits, {}, limits::refuteQuestion.at(20'000'000));
    if (outcome.answer == prove::Answer::Refuted)
      return {Answer::Agrees, std::to_string(value)};
    const bool isSure = outcome.searched || outcome.reason == "all candidates overflow";
    return {isSure ? Answer::Differs : Answer::Silent, isSure ? "another value" : outcome.reason};
  }
};

class Integers : public Z3 {
public:
  Integers() : Z3("Z3 with lemmas", 8) {}

private:
  differential::Answer answer(TermOf &formula, const Question &question, std::int64_t value) override {
    const SolverResult outcome = Solver(formula.pool).prove(question, {limits::solverSteps.at(1'000'000), limits::solverStepsOther.at(0)});
    if (outcome.answer == prove::Answer::Proved)
      return {Answer::Differs, "another value"};
    return {Answer::Agrees, "nothing against " + std::to_string(value)};
  }
};

} // namespace

void addSolvers(Evaluators &to) {
  to.push_back(std::make_unique<BitVectors>());
  to.push_back(std::make_unique<Integers>());
}

} // namespace quadrille::compiler::differential
