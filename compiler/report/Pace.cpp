//===- Pace.cpp - How long a range of checks still takes ---------------------------------------------------------------------===//

#include "Pace.h"

#include "source/Counted.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cmath>

namespace quadrille::compiler {

void Pace::reach(std::int64_t p, double seconds) {
  const auto number = static_cast<size_t>(llvm::lower_bound(ps, p) - ps.begin());
  reached.emplace_back(number, seconds);
}

void Pace::addUpWork() {
  Work sum{};
  workBefore.push_back(sum);
  const double last = static_cast<double>(ps.back());
  for (std::int64_t p : ps) {
    double work = casesOf(p);
    for (double &ofExponent : sum) {
      ofExponent += work;
      work *= static_cast<double>(p) / last;
    }
    workBefore.push_back(sum);
  }
}

std::optional<double> Pace::secondsLeft() {
  constexpr size_t fewest = 8; // so many p must have been reached
  if (reached.size() < fewest || reached.back().second < 1)
    return std::nullopt;
  const auto [now, seconds] = reached.back();
  const auto half = llvm::partition_point(reached, [seconds = seconds](const auto &entry) { return entry.second < seconds / 2; });
  const auto [middle, firstHalf] = *half;
  if (middle == 0 || middle >= now || firstHalf >= seconds)
    return std::nullopt;
  if (workBefore.empty())
    addUpWork();
  const Work &atMiddle = workBefore[middle], &atNow = workBefore[now], &atEnd = workBefore.back();
  // For each exponent, `halves` compares the two halves, and `left` what is left with what is done. With rising exponents `halves`
  // falls and `left` rises.
  auto halves = [&](size_t e) { return std::log(atMiddle[e] / (atNow[e] - atMiddle[e])); };
  auto left = [&](size_t e) { return atEnd[e] / atNow[e] - 1; };
  const double measured = std::log(firstHalf / (seconds - firstHalf));
  if (!(atMiddle[exponents - 1] > 0 && atNow[0] > atMiddle[0]))
    return std::nullopt;
  if (measured >= halves(0))
    return seconds * left(0);
  for (size_t e = 1; e < exponents; ++e)
    if (measured >= halves(e)) {
      const double share = (halves(e - 1) - measured) / (halves(e - 1) - halves(e)), below = left(e - 1), above = left(e);
      return seconds * (below > 0 ? below * std::pow(above / below, share) : above * share);
    }
  return seconds * left(exponents - 1);
}

std::string waitText(double seconds) {
  struct Unit {
    double seconds;
    const char *name;
  };
  constexpr Unit units[] = {{86400, "day"}, {3600, "hour"}, {60, "minute"}, {1, "second"}};
  for (const Unit &unit : units)
    if (const double count = std::round(seconds / unit.seconds); count >= 2 || unit.seconds == 1)
      return counted(static_cast<std::int64_t>(count), unit.name);
  return "";
}

} // namespace quadrille::compiler
