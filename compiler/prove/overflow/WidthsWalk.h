//===- WidthsWalk.h - Intervals that numbers of a schedule lie in -----------------------------------------------------*- C++ -*-===//
//
// Private to prove/Widths*.cpp: expressions (Widths), functions and trees (WidthsOfFunctions), statements (WidthsOfStatements),
// cost clauses (WidthsOfClauses).
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_PROVE_OVERFLOW_WIDTHSWALK_H
#define QUADRILLE_PROVE_OVERFLOW_WIDTHSWALK_H

#include "Widths.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace quadrille::prove::widths {

/// What values lie in. A long double tells integers up to 2^64 apart, and larger ones only have to be seen to be large.
struct Interval {
  long double lo = 0, hi = 0;
  bool operator==(const Interval &) const = default;
  bool operator<(const Interval &other) const { return std::pair(lo, hi) < std::pair(other.lo, other.hi); }
  long double magnitude() const { return std::max(std::fabs(lo), std::fabs(hi)); }
  /// There is no value: nothing gets there.
  bool isNothing() const { return lo > hi; }
  bool contains(Interval other) const { return other.isNothing() || (lo <= other.lo && other.hi <= hi); }
};

inline constexpr long double largest = 2147483647.0L;             // of p, ranks and parameters
inline constexpr long double tooWide = 9223372036854775808.0L;    // 2^63
inline constexpr long double unlimited = 0x1p200L;                // stands for all that is larger
inline constexpr Interval truth{0, 1}, yes{1, 1}, no{0, 0}, count{0, largest}, anything{-unlimited, unlimited}, nothing{1, 0};

inline Interval join(Interval a, Interval b) {
  return a.isNothing() ? b : b.isNothing() ? a : Interval{std::min(a.lo, b.lo), std::max(a.hi, b.hi)};
}
inline Interval meet(Interval a, Interval b) { return {std::max(a.lo, b.lo), std::min(a.hi, b.hi)}; }

/// 0 times what is unbounded is 0.
inline long double times(long double a, long double b) { return a == 0 || b == 0 ? 0 : a * b; }

inline Interval product(Interval a, Interval b) {
  const auto [lo, hi] = std::minmax({times(a.lo, b.lo), times(a.lo, b.hi), times(a.hi, b.lo), times(a.hi, b.hi)});
  return {lo, hi};
}

/// Of integers; 0 for what has no logarithm.
inline long double floorLog2(long double x) { return x < 2 ? 0 : std::ilogb(x); }
inline long double ceilLog2(long double x) { return x < 2 ? 0 : std::ilogb(x - 1) + 1; }

/// All that is below the next power of two.
inline long double filled(long double x) { return x < 1 ? 0 : std::exp2(floorLog2(x) + 1) - 1; }

/// What may overflow has been found; the rest need not be looked at.
struct Found {
  NotModelled gap;
};

/// Of the variables of a schedule, a function or a tree. That of a tree is the range of its ranks.
using Frame = std::vector<Interval>;

class Widths {
public:
  /// `byLevels`: the calls of functions are followed one by one as far as that goes, which is closer to the truth, and long.
  Widths(FactsOf factsOf, bool costIsProved, bool byLevels)
      : factsOf(factsOf), costIsProved(costIsProved), byLevels(byLevels) {}

  Overflows run(const ir::Schedule &schedule);

  struct Growth; // WidthsOfFunctions.cpp

private:
  // ---- Widths.cpp
  Interval of(const ir::Expr &expr, const Frame &frame);
  Interval operation(const ir::Expr &expr, const Frame &frame);
  Interval arithmetic(const ir::Expr &expr, const Frame &frame);
  struct Given;
  bool isAtMost(const ir::Expr &expr, const Given *given, const ir::Expr &other);
  bool isSameCall(const ir::Expr &call, const Given *given, const ir::Expr &other);
  std::optional<Interval> timesQuotient(const ir::Expr &factor, const ir::Expr &quotient, const Frame &frame);
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
  void collective(const ir::Schedule &schedule, const std::vector<Interval> &numbers);
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
  /// By kind of term, in alpha, beta, gamma or none: the largest numerator and denominator.
  using Fractions = std::map<unsigned, std::pair<long double, long double>>;
  Fractions clause(const ir::Expr &expr, Frame frame);
  Interval rangeOf(const ir::Expr &sum, const Frame &frame);
  Fractions eachTerm(const ir::Expr &sum, Interval binder, Frame frame);
  Fractions sum(const ir::Expr &expr, Frame frame);

  const FactsOf factsOf;
  const bool costIsProved, byLevels;
  const ir::Schedule *outermost = nullptr;
  struct {
    const ir::Schedule *schedule = nullptr;
    const ir::Function *function = nullptr;
  } current; // whose expressions are being followed
  Overflows found; // in what is claimed and stated
  unsigned steps = 0;

  // What expressions are is found out first, and only then whether it fits.
  bool isQuiet = false;
  bool isProved = false; // that functions are called with what facts are about: not where proofs do not look
  std::map<std::tuple<bool, bool, const ir::Function *, Frame>, Interval> results;
  std::vector<Recursion *> open; // functions that call themselves and are being followed
  size_t lowestCalled = std::numeric_limits<size_t>::max(); // of the open ones
  llvm::DenseMap<const ir::Function *, bool> recursive;
  std::vector<TreeRule *> openTrees;
  std::set<std::tuple<bool, bool, const ir::Tree *, Frame>> seenTrees;
  std::set<std::pair<const ir::Schedule *, Frame>> seenSchedules;
};

/// As written, on one line; empty if that is long.
std::string shortText(llvm::SMRange range);

/// What is said of a number that may be too large.
Found mayOverflow(llvm::SMRange range, const char *what);

} // namespace quadrille::prove::widths

#endif // QUADRILLE_PROVE_OVERFLOW_WIDTHSWALK_H
