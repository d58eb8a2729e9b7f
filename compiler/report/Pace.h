//===- Pace.h - How long a range of checks still takes ------------------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_REPORT_PACE_H
#define QUADRILLE_REPORT_PACE_H

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace quadrille::compiler {

/// Predicts when the last p of a list will be done. The number of cases of each p is known. The time of one case is taken to be a
/// power of p, whose exponent follows from how far the first and the second half of the time have come. So predictions hold for
/// p*log(p), p^2 or p^3 steps for each p, if few p are admitted, and if only small p are checked for all roots.
class Pace {
public:
  /// `ps` are ascending. `casesOf(p)`: the number of cases; asked once, when it is needed first.
  Pace(std::vector<std::int64_t> ps, std::function<double(std::int64_t p)> casesOf) : ps(std::move(ps)), casesOf(std::move(casesOf)) {}

  /// To be called before p begins, `seconds` after the start.
  void reach(std::int64_t p, double seconds);

  /// Seconds from the last p that was reached to the end; nothing while too little is known.
  std::optional<double> secondsLeft();

private:
  static constexpr size_t exponents = 6; // the time of a case is p to the power of 0, 1, ...
  /// The work of several p: for each exponent, the sum of cases times the power of p.
  using Work = std::array<double, exponents>;
  void addUpWork();

  std::vector<std::int64_t> ps;
  std::function<double(std::int64_t p)> casesOf;
  std::vector<std::pair<size_t, double>> reached; // the index in `ps`, and when it was reached
  std::vector<Work> workBefore;                   // by index in `ps`: of all p before; empty until it is needed
};

/// "40 seconds", "8 minutes", "3 hours", "5 days": in one unit, rounded.
std::string waitText(double seconds);

} // namespace quadrille::compiler

#endif // QUADRILLE_REPORT_PACE_H
