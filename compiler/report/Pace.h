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

/// Foretells when the last p of a list will be done. How many cases each p has is known beforehand; how long one takes is supposed to
/// be a power of p, which is found by comparing the first half of the time that has passed with the second one. So it is right for
/// what takes p*log(p), p^2 or p^3 steps for each p, also where few of them are admitted and where only the small ones are checked for all
/// roots.
class Pace {
public:
  /// `ps` rise. `casesOf(p)`: how many there are; asked once, when it matters.
  Pace(std::vector<std::int64_t> ps, std::function<double(std::int64_t p)> casesOf) : ps(std::move(ps)), casesOf(std::move(casesOf)) {}

  /// Before p begins, `seconds` after the start.
  void reach(std::int64_t p, double seconds);

  /// Seconds from the last p that was reached to the end; nothing while too little is known.
  std::optional<double> secondsLeft();

private:
  static constexpr size_t exponents = 6; // 0, 1, ...: steps for a case
  /// Work of the p before number i: cases times a power of p, for each power. Rises with i.
  using Work = std::array<double, exponents>;
  void addUpWork();

  std::vector<std::int64_t> ps;
  std::function<double(std::int64_t p)> casesOf;
  std::vector<std::pair<size_t, double>> reached; // number among `ps`, and when
  std::vector<Work> workBefore;                   // empty: not asked for yet
};

/// "40 seconds", "8 minutes", "3 hours", "5 days": rounded to what matters.
std::string waitText(double seconds);

} // namespace quadrille::compiler

#endif // QUADRILLE_REPORT_PACE_H
