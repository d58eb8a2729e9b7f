//===- WidthsWalk.h - Intervals that numbers of a schedule lie in -----------------------------------------------------*- C++ -*-===//
//
// Private to prove/Widths.cpp and prove/WidthsOfClauses.cpp.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_PROVE_WIDTHSWALK_H
#define QUADRILLE_PROVE_WIDTHSWALK_H

#include "Widths.h"

#include "llvm/ADT/SmallVector.h"

#include <algorithm>
#include <cmath>
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
};

inline constexpr long double largest = 2147483647.0L;             // of p, ranks and parameters
inline constexpr long double tooWide = 9223372036854775808.0L;     // 2^63
inline constexpr Interval truth{0, 1}, count{0, largest}, anyNumber{-largest, largest};

inline Interval join(Interval a, Interval b) { return {std::min(a.lo, b.lo), std::max(a.hi, b.hi)}; }

/// 0 times what is unbounded is 0.
inline long double times(long double a, long double b) { return a == 0 || b == 0 ? 0 : a * b; }

inline Interval product(Interval a, Interval b) {
  const auto [lo, hi] = std::minmax({times(a.lo, b.lo), times(a.lo, b.hi), times(a.hi, b.lo), times(a.hi, b.hi)});
  return {lo, hi};
}

/// All that is below the next power of two.
inline long double filled(long double x) { return x < 1 ? 0 : std::exp2(std::floor(std::log2(x)) + 1) - 1; }

/// What may overflow has been found; the rest need not be looked at.
struct Found {
  NotModelled gap;
};

class Widths {
public:
  explicit Widths(const ArgumentBounds &bounded) : bounded(bounded) {}

  void schedule(const ir::Schedule &schedule, std::vector<Interval> numbers);

private:
  using Frame = std::vector<Interval>;

  // expressions
  Interval of(const ir::Expr &expr, const Frame &frame);
  Interval operation(const ir::Expr &expr, const Frame &frame);
  Interval call(const ir::Expr &expr, const Frame &frame);
  void tree(const ir::Tree &tree, llvm::ArrayRef<Interval> arguments);
  Frame where(const ir::Expr &condition, bool holds, Frame frame);
  void visit(const ir::Expr *expr, const Frame &frame) {
    if (expr)
      of(*expr, frame);
  }

  // statements
  void body(const ir::Body &statements, Frame &frame);
  void statement(const ir::Stmt &stmt, Frame &frame);
  void loop(const ir::ForStmt &stmt, Frame &frame);
  void invariant(const ir::Invariant &stated, Frame frame);
  void use(const ir::UseStmt &stmt, Frame &frame);
  void buffer(const ir::Buffer &buffer, Frame &frame);
  void index(const ir::Index &index, Frame &frame);
  void slice(const ir::Slice &slice, Frame &frame);
  void data(const ir::DataExpr &data, Frame &frame);
  void length(const ir::LengthOf &length, Frame frame);
  void clock(const ir::Clock *clock, Frame frame);
  /// By kind of term, in alpha, beta, gamma or none: the largest numerator and denominator.
  using Fractions = std::map<unsigned, std::pair<long double, long double>>;
  Fractions clause(const ir::Expr &expr, Frame frame); // WidthsOfClauses.cpp
  void collective(const ir::Schedule &schedule, const std::vector<Interval> &numbers);

  const ArgumentBounds &bounded;
  llvm::DenseMap<const ir::Function *, bool> isWithinBound; // the outermost call of those that are being followed
  unsigned inherited = 0; // how often a call was within its bound because of that
  std::map<std::pair<const ir::Function *, Frame>, Interval> results;
  std::map<std::pair<const ir::Schedule *, Frame>, bool> seenSchedules;
  std::set<std::pair<const ir::Tree *, Frame>> seenTrees;
  bool inTree = false;
  llvm::SmallVector<const ir::Function *, 8> calls; // that are being followed
  unsigned steps = 0;
};

/// As written, on one line; empty if that is long.
std::string shortText(llvm::SMRange range);

} // namespace quadrille::prove::widths

#endif // QUADRILLE_PROVE_WIDTHSWALK_H
