//===- Evaluators.h - All evaluators of expressions ------------------------------------------------------*- C++ -*-===//
//
// The reference is evaluate/Evaluate.h. Everything else in the compiler that computes the value of an expression, or knows
// something about it, is wrapped in an Evaluator. It is asked about many expressions at once, and reports where it disagrees.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_TEST_DIFFERENTIAL_EVALUATORS_H
#define QUADRILLE_TEST_DIFFERENTIAL_EVALUATORS_H

#include "Expressions.h"

#include "arithmetic/Interval.h"
#include "diagnostics/Diagnostics.h"

#include <memory>
#include <optional>

namespace quadrille::compiler::differential {

/// The result of the reference for a sample: a number, or why there is none.
struct Known {
  std::optional<std::int64_t> value;
  std::optional<diag::Id> problem; // both are empty for a fraction

  std::string text() const;
};

/// An expression, and the result of the reference for each sample.
struct Task {
  const ir::Expr *expr;
  std::vector<Known> known;
};

/// Evaluates by the reference; for expressions of costs that is the evaluator of clauses (cost/LinearCost.h).
Task taskOf(Subject &subject, const ir::Expr &expr, llvm::ArrayRef<Sample> samples);

struct Answer {
  enum Kind { Silent, Agrees, Differs } kind = Silent;
  std::string text;
};

/// [expression][sample]
using Answers = std::vector<std::vector<Answer>>;

class Evaluator {
public:
  explicit Evaluator(const char *name) : name(name) {}
  virtual ~Evaluator() = default;
  virtual Answers ask(Subject &subject, llvm::ArrayRef<Task> tasks, llvm::ArrayRef<Sample> samples) = 0;

  const char *const name;
};

/// An evaluator that handles one expression at a time.
class SingleEvaluator : public Evaluator {
public:
  using Evaluator::Evaluator;
  Answers ask(Subject &subject, llvm::ArrayRef<Task> tasks, llvm::ArrayRef<Sample> samples) override;

protected:
  virtual void one(Subject &subject, const Task &task, llvm::ArrayRef<Sample> samples, std::vector<Answer> &answers) = 0;
};

using Evaluators = std::vector<std::unique_ptr<Evaluator>>;

void addEvaluatorsOfRanks(Evaluators &to);    // columns; clauses at given lengths, and at growing ones
void addEvaluatorsOfFormulas(Evaluators &to); // algebra
void addEvaluatorsOfProofs(Evaluators &to);   // terms, intervals
void addSolvers(Evaluators &to);              // Z3
void addWriters(Evaluators &to);              // texts, read again
/// Emitted code, compiled and run; and the bounds of the emitter. `executable`: beside it are the runtime's files.
void addEmission(Evaluators &to, std::string executable);

/// Compares a value with the known one.
Answer answerOf(const Known &known, std::int64_t value);

/// "in 0 .. 7"
std::string textOf(const arithmetic::Interval &interval);

/// Whether all divisors in the expression, evaluated or not, are positive, as the prover assumes.
bool dividesByPositive(const ir::Expr &expr, const Sample &sample);

/// Whether all parts of the expression, evaluated or not, have values of magnitude at most `most`.
bool isSmallWithin(const ir::Expr &expr, const Sample &sample, std::int64_t most);

/// Whether the expression has operations that only cost clauses may have.
bool isOfCosts(const ir::Expr &expr);

} // namespace quadrille::compiler::differential

#endif // QUADRILLE_TEST_DIFFERENTIAL_EVALUATORS_H
