//===- Pace.h - How long a range of checks still takes ------------------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_REPORT_PACE_H
#define QUADRILLE_REPORT_PACE_H

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace quadrille::compiler {

/// Foretells when the last p of a list will be done. The time up to p is taken for a power of p, found from the times up to the
/// present p and up to half of it: so it is right for what takes p*log(p), p^2 or p^3 steps for each p.
class Pace {
public:
  /// Before p begins, `seconds` after the start.
  void reach(std::int64_t p, double seconds) { reached.emplace_back(p, seconds); }

  /// Seconds from the last p that was reached to the end of `last`; nothing while too little is known.
  std::optional<double> secondsTo(std::int64_t last) const;

private:
  std::vector<std::pair<std::int64_t, double>> reached;
};

/// "40 seconds", "8 minutes", "3 hours", "5 days": rounded to what matters.
std::string waitText(double seconds);

} // namespace quadrille::compiler

#endif // QUADRILLE_REPORT_PACE_H
