//===- Pace.cpp - How long a range of checks still takes ---------------------------------------------------------------------===//

#include "Pace.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cmath>

namespace quadrille::compiler {

std::optional<double> Pace::secondsTo(std::int64_t last) const {
  if (reached.empty())
    return std::nullopt;
  const auto [p, seconds] = reached.back();
  const auto half = llvm::partition_point(reached, [p = p](const auto &entry) { return entry.first < p / 2; });
  if (p < 8 || seconds < 1 || half == reached.end() || half->second <= 0 || half->first >= p)
    return std::nullopt;
  // More than p^5 would be an accident of the first, short times.
  const double power = std::clamp(std::log(seconds / half->second) / std::log(static_cast<double>(p) / static_cast<double>(half->first)), 1.0, 5.0);
  return seconds * (std::pow(static_cast<double>(last + 1) / static_cast<double>(p), power) - 1);
}

std::string waitText(double seconds) {
  struct Unit {
    double seconds;
    const char *name;
  };
  constexpr Unit units[] = {{86400, "day"}, {3600, "hour"}, {60, "minute"}, {1, "second"}};
  for (const Unit &unit : units)
    if (const double count = std::round(seconds / unit.seconds); count >= 2 || unit.seconds == 1)
      return std::to_string(static_cast<std::int64_t>(count)) + " " + unit.name + (count == 1 ? "" : "s");
  return "";
}

} // namespace quadrille::compiler
