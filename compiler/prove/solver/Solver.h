//===- Solver.h - Deciding obligations -----------------------------------------------------------------------*- C++ -*-===//
//
// A question says that a goal follows from hypotheses, for all values of their variables. Two ways to decide it:
//
//  - `prove` asks Z3 for a counterexample among the integers, without bounds, with everything nonlinear an unknown
//    function of which it knows the instances of Lemmas.h. If there is none, the question holds for all integers.
//  - `refute` asks for a counterexample among bit-vectors of a few bits, where everything has its exact meaning.
//
// Z3's models are only candidates: a counterexample is reported after the formulas have been evaluated on it exactly.
// This folder promises that what `prove` answers yes to follows, if Z3 is right; `refute` promises nothing.
// Effort is counted in Z3's resource units, not in seconds, so that answers do not depend on the machine.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_PROVE_SOLVER_SOLVER_H
#define QUADRILLE_PROVE_SOLVER_SOLVER_H

#include "prove/terms/Term.h"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace quadrille::compiler::prove {

struct Question {
  std::string name;
  std::vector<Term> hypotheses;
  Term goal;
  std::vector<Term> suppositions = {}; // hypotheses, too; the answer tells which of them it rests on
};

enum class Answer {
  Proved,  // holds for all values of the variables
  Refuted, // does not: there is a counterexample
  Unknown, // neither was found, for the reason given
};

/// Values of the variables, in the order of their creation.
struct Model {
  std::vector<std::pair<Term, std::int64_t>> values;
};

struct Outcome {
  Answer answer = Answer::Unknown;
  Model model;           // Refuted: the counterexample
  std::string reason;    // Unknown: why
  bool outOfMemory = false; // Unknown for want of it: the answer depends on what else is being asked
  std::vector<Term> restsOn; // Proved: those of the suppositions that were needed
  std::optional<LimitInForce> ranOut; // Unknown for want of that; none where all was done and what is known does not suffice
  bool searched = false; // `refute`: Unknown because there is no counterexample as small as that
};

/// Bounds the memory of all solvers together; what would take more is Unknown, for the reason "memory". Not while
/// questions are being asked.
void limitSolverMemory(unsigned megabytes);

/// That bound.
LimitInForce solverMemory();

/// Whether there is enough of it left to begin with anything.
bool solverMemoryLeft();

/// Which Z3 it is: another one may answer otherwise.
std::string solverVersion();

/// How much Z3 may do for a question, in units of its own that do not depend on the machine. It has two arithmetics. The first
/// one takes a second for 16 to 30 million of them; the other one, which is asked where the first does not come to an end, for
/// two million. 0: it is not asked.
struct Effort {
  LimitInForce first, other;
};

class Solver {
public:
  explicit Solver(TermPool &pool);
  ~Solver();
  Solver(const Solver &) = delete;
  Solver &operator=(const Solver &) = delete;

  /// Over all integers.
  Outcome prove(const Question &question, Effort effort);

  /// Whether the hypotheses can hold at once. Proved: an example was found. Refuted: they contradict each other, and
  /// whatever follows from them says nothing.
  Answer satisfiable(llvm::ArrayRef<Term> hypotheses, Effort effort);

  /// Looks for a counterexample with values below 2^(bits - 3) in size, and at most as large as the bounds given.
  /// Answers Refuted or Unknown. Two million resources are about a second.
  Outcome refute(const Question &question, unsigned bits, llvm::ArrayRef<std::pair<Term, std::int64_t>> upperBounds,
                 const LimitInForce &resources);

  /// What `prove` asks, as a script in SMT-LIB 2 for any other solver: unsat means proved. Throws TermOverflow.
  std::string smtlib(const Question &question);

  /// Of all questions so far.
  std::uint64_t resourcesUsed() const;

private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation;
};

} // namespace quadrille::compiler::prove

#endif // QUADRILLE_PROVE_SOLVER_SOLVER_H
