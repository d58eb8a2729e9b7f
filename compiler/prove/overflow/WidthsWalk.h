//===- WidthsWalk.h - Intervals that numbers of a schedule lie in -----------------------------------------------------*- C++ -*-===//
//
// Used only by Widths*.cpp: expressions (Widths), functions and trees (WidthsOfFunctions), statements (WidthsOfStatements),
// cost clauses (WidthsOfClauses).
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_PROVE_OVERFLOW_WIDTHSWALK_H
#define QUADRILLE_PROVE_OVERFLOW_WIDTHSWALK_H

#include "Widths.h"

#include "arithmetic/Interval.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

#include <limits>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace quadrille::compiler::prove::widths {

using namespace arithmetic; // intervals and their operations

/// Thrown when an expression that may overflow has been found: the rest need not be looked at.
struct Found {
  NotModelled gap;
};

/// The intervals of the variables of a schedule, a function or a tree. A variable that is a tree has the interval of the tree's
/// ranks.
using Frame = std::vector<Interval>;

class Widths {
public:
  /// `byLevels`: follow recursive calls level by level where possible, which takes longer and gives smaller intervals.
  Widths(FactsOf factsOf, bool costIsProved, bool byLevels)
      : factsOf(factsOf), costIsProved(costIsProved), byLevels(byLevels) {}

  Overflows run(const ir::Schedule &schedule);
  Interval intervalOf(const ir::Expr &expr, const Frame &frame);

  struct Growth; // WidthsOfFunctions.cpp

private:
  // ---- Widths.cpp
  Interval of(const ir::Expr &expr, const Frame &frame);
  Interval operation(const ir::Expr &expr, const Frame &frame);
  Interval arithmetic(const ir::Expr &expr, const Frame &frame);
  bool isLowerPower(const ir::Expr &power, const ir::Expr &other, const Frame &frame);
  bool isFactor(const ir::Expr &x, const ir::Expr &y, const Frame &frame);
  Interval ofNodes(const ir::Expr &expr, const Frame &frame);
  struct Given;
  bool isAtMost(const ir::Expr &expr, const Given *given, const ir::Expr &other);
  bool isSameCall(const ir::Expr &call, const Given *given, const ir::Expr &other);
  std::optional<Interval> powerOfDigits(const ir::Expr &power, const Frame &frame);
  std::optional<Interval> timesQuotient(const ir::Expr &factor, const ir::Expr &quotient, const Frame &frame);
  const ir::Expr *quotientAbove(const ir::Expr &expr) const;
  std::optional<Extended> timesFactorsOfDivisor(llvm::ArrayRef<const ir::Expr *> factors, const Frame &frame);
  std::optional<Frame> where(const ir::Expr &condition, bool holds, Frame frame);
  void visit(const ir::Expr *expr, const Frame &frame) {
    if (expr)
      of(*expr, frame);
  }

  // ---- WidthsOfFunctions.cpp
  struct Recursion;
  struct TreeRule;
  bool callsItself(const ir::Function &function);
  Interval call(const ir::Expr &expr, const Frame &frame);
  Interval callAgain(const ir::Expr &expr, const Frame &frame, Frame arguments);
  std::optional<Growth> stepOf(const ir::Expr &argument, unsigned number, const Recursion &recursion, const Frame &frame);
  bool addSteps(Recursion &recursion, Frame &all);
  Interval followRecursion(const ir::Function &function, const Frame &arguments);
  std::optional<Interval> followLevels(Recursion &recursion);
  Interval followAll(Recursion &recursion);
  Interval bodyOf(Recursion &recursion, const Frame &arguments, Interval itself);
  std::optional<Interval> growOver(Recursion &recursion, const Frame &all);
  std::optional<Growth> growthOf(const ir::Expr &expr, const Recursion &recursion, const Frame &frame,
                                 const std::vector<std::optional<Growth>> &given);
  Interval tree(const ir::Expr &expr, const Frame &frame);
  void followTree(const ir::Tree &tree, Interval ranks, Frame frame);

  // ---- WidthsOfStatements.cpp
  void schedule(const ir::Schedule &schedule, const std::vector<Interval> &numbers);
  Frame frameOfCollective(const ir::Schedule &schedule, llvm::ArrayRef<Interval> numbers);
  void collective(const ir::Schedule &schedule, llvm::ArrayRef<Interval> numbers);
  void promises(const ir::Schedule &schedule, llvm::ArrayRef<Interval> numbers);
  void body(const ir::Body &statements, Frame &frame);
  void statement(const ir::Stmt &stmt, Frame &frame);
  void loop(const ir::ForStmt &stmt, Frame &frame);
  void invariant(const ir::Invariant &stated, Frame frame);
  void use(const ir::UseStmt &stmt, Frame &frame);
  void buffer(const ir::Buffer &buffer, Frame &frame);
  void index(const ir::Index &index, Frame &frame);
  void slice(const ir::Slice &slice, Frame &frame);
  void data(const ir::DataExpr &data, Frame &frame);
  void length(const ir::LengthOf &length, Interval blocks, Frame frame);
  void clock(const ir::Clock *clock, Frame frame);
  void visitClaim(std::optional<NotModelled> &gap, llvm::function_ref<void()> visit);

  // ---- WidthsOfClauses.cpp
  /// The largest numerator and denominator of a clause's terms, by kind of term: a set of bits for alpha, beta and gamma.
  using Fractions = std::map<unsigned, std::pair<Extended, Extended>>;
  Fractions clause(const ir::Expr &expr, Frame frame);
  Interval rangeOf(const ir::Expr &sum, const Frame &frame);
  std::optional<Frame> insideOf(const ir::Expr &sum, Interval binder, Frame frame);
  Fractions eachTerm(const ir::Expr &sum, Interval binder, Frame frame);
  Fractions sum(const ir::Expr &expr, Frame frame);
  std::optional<Fractions> distributed(const ir::Expr &expr, const Frame &frame,
                                       llvm::function_ref<Extended(llvm::ArrayRef<const ir::Expr *>)> times);

  const FactsOf factsOf;
  const bool costIsProved, byLevels;
  const ir::Schedule *outermost = nullptr;
  struct {
    const ir::Schedule *schedule = nullptr;
    const ir::Function *function = nullptr;
  } current; // the owner of the current expressions
  Overflows found; // in claims and statements
  unsigned steps = 0;

  /// An upper bound of a variable of the current schedule: the value of `expr` and `plus` more.
  struct Top {
    const ir::Expr *expr;
    std::int64_t plus;
  };
  std::map<unsigned, Top> tops;

  // True while intervals of loops and recursions are being found: only the final ones are checked.
  bool isQuiet = false;
  bool isProved = false; // proofs cover this place, so calls here satisfy a condition of FunctionFacts
  std::map<std::tuple<bool, bool, const ir::Function *, Frame>, Interval> results;
  std::vector<Recursion *> open; // recursive functions that are being followed
  size_t lowestCalled = std::numeric_limits<size_t>::max(); // the lowest index in `open` that was called again
  llvm::DenseMap<const ir::Function *, bool> recursive;
  std::vector<TreeRule *> openTrees;
  std::set<std::tuple<bool, bool, const ir::Tree *, Frame>> seenTrees;
  std::set<std::pair<const ir::Schedule *, Frame>> seenSchedules;
};

/// Adds the factors of a product, as the text nests it.
void addFactors(const ir::Expr &product, llvm::SmallVectorImpl<const ir::Expr *> &factors);

/// An interval that contains all values of an expression, which may exceed 64 bits. Divisors are assumed to be positive.
Interval intervalOf(const ir::Expr &expr, const Frame &frame);

/// The source text on one line; empty if it is long.
std::string shortText(llvm::SMRange range);

/// The report that a number may be too large; `what` describes it if its text is long.
Found mayOverflow(llvm::SMRange range, const char *what);

} // namespace quadrille::compiler::prove::widths

#endif // QUADRILLE_PROVE_OVERFLOW_WIDTHSWALK_H
