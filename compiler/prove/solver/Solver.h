//===- Solver.h - Deciding obligations -----------------------------------------------------------------------*- C++ -*-===//
//
// A question says that a goal follows from hypotheses, for all values of their variables. Two ways to decide it:
//
//  - `prove` asks Z3 for a counterexample among the unbounded integers. Nonlinear operations are unknown functions that satisfy
//    the lemmas of Lemmas.h. If there is no counterexample, the question holds for all integers.
//  - `refute` asks for a counterexample among bit-vectors of a few bits, where all operations have their exact meaning.
//
// Z3's models are only candidates: a counterexample is reported only if exact evaluation of the formulas confirms it.
// This folder promises that a question that `prove` answers by Proved holds, if Z3 is right; `refute` promises nothing.
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
  std::vector<Term> suppositions = {}; // further hypotheses; the answer says which of them the proof used
  bool isShared = false;               // it is likely to be asked for other schedules too, see SharedAnswers.h
};

enum class Answer {
  Proved,  // holds for all values of the variables
  Refuted, // does not hold: there is a counterexample
  Unknown, // neither was found, for the reason given
};

/// Values of the variables, in the order of their creation.
struct Model {
  std::vector<std::pair<Term, std::int64_t>> values;
};

struct SolverResult {
  Answer answer = Answer::Unknown;
  Model model;           // Refuted: the counterexample
  std::string reason;    // Unknown: why
  bool outOfMemory = false; // Unknown because memory ran out: depends on other questions asked meanwhile
  std::vector<Term> restsOn; // Proved: the suppositions that the proof used
  std::optional<LimitInForce> ranOut; // Unknown because this limit ran out; none: the lemmas do not suffice
  bool searched = false; // `refute`: Unknown because no counterexample is that small
};

/// Bounds the memory of all solvers together. A question that needs more is answered Unknown, with reason "memory". Must not be
/// called while a question is being asked.
void limitSolverMemory(unsigned megabytes);

/// The bound that limitSolverMemory has set.
LimitInForce solverMemory();

/// Whether some of this memory is left, so that a proof can be begun.
bool solverMemoryLeft();

/// The version of Z3. Another version may give other answers.
std::string solverVersion();

/// What Z3 may spend on a question, in its resource units, which do not depend on the machine. Z3 has two arithmetics. The first
/// one does 16 to 30 million units in a second; the other one, used if the first does not finish, two million. 0: it is not used.
struct Effort {
  LimitInForce first, other;
};

class SharedAnswers;

class Solver {
public:
  /// `shared`: the answers to shared questions; null: each is asked.
  explicit Solver(TermPool &pool, SharedAnswers *shared = nullptr);
  ~Solver();
  Solver(const Solver &) = delete;
  Solver &operator=(const Solver &) = delete;

  /// Decides the question over all integers.
  SolverResult prove(const Question &question, Effort effort);

  /// Whether the hypotheses can hold together. Proved: an example was found. Refuted: they contradict each other, and a proof
  /// from them is vacuous.
  Answer satisfiable(llvm::ArrayRef<Term> hypotheses, Effort effort);

  /// Searches for a counterexample with absolute values below 2^(bits - 3), and within the upper bounds given. Answers Refuted or
  /// Unknown. Two million resources take about a second.
  SolverResult refute(const Question &question, unsigned bits, llvm::ArrayRef<std::pair<Term, std::int64_t>> upperBounds,
                 const LimitInForce &resources);

  /// The question that `prove` asks as an SMT-LIB 2 script for any other solver: unsat means proved. Throws TermOverflow.
  std::string smtlib(const Question &question);

  /// The resource units that all questions so far have taken.
  std::uint64_t resourcesUsed() const;

private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation;
};

} // namespace quadrille::compiler::prove

#endif // QUADRILLE_PROVE_SOLVER_SOLVER_H
