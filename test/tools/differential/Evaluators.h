//===- Evaluators.h - All that says what an expression is ------------------------------------------------------*- C++ -*-===//
//
// The reference, evaluate/Evaluate.h, is asked first. Whatever else knows the value of an expression, or something about it, is
// an Evaluator: it answers for many expressions at once, and says where it contradicts.
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

/// What the reference says for a sample: a number, or why there is none.
struct Known {
  std::optional<std::int64_t> value;
  std::optional<diag::Id> problem; // neither: a fraction

  std::string text() const;
};

/// An expression, and what the reference says for each sample.
struct Task {
  const ir::Expr *expr;
  std::vector<Known> known;
};

/// Asks the reference. Expressions of costs are evaluated by what clauses are checked with (cost/LinearCost.h).
Task taskOf(Subject &subject, const ir::Expr &expr, llvm::ArrayRef<Sample> samples);

struct Answer {
  enum Kind { Silent, Agrees, Differs } kind = Silent;
  std::string text;
};

/// By expression, by sample.
using Answers = std::vector<std::vector<Answer>>;

class Evaluator {
public:
  explicit Evaluator(const char *name) : name(name) {}
  virtual ~Evaluator() = default;
  virtual Answers ask(Subject &subject, llvm::ArrayRef<Task> tasks, llvm::ArrayRef<Sample> samples) = 0;

  const char *const name;
};

/// One that is asked about one expression after the other.
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
/// Emitted code, compiled and run with the toolchain for what is beside the executable; its bounds.
void addEmission(Evaluators &to, std::string executable);

/// That a value is given, and whether it is the one known.
Answer answerOf(const Known &known, std::int64_t value);

/// "in 0 .. 7"
std::string textOf(const arithmetic::Interval &interval);

/// Whether everything that is divided by, needed or not, is positive: proofs are about nothing else.
bool dividesByPositive(const ir::Expr &expr, const Sample &sample);

/// Whether all numbers that it is made of, needed or not, have values not above `most`.
bool isSmallWithin(const ir::Expr &expr, const Sample &sample, std::int64_t most);

/// What stands in clauses of costs only.
bool isOfCosts(const ir::Expr &expr);

} // namespace quadrille::compiler::differential

#endif // QUADRILLE_TEST_DIFFERENTIAL_EVALUATORS_H
