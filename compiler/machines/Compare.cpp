//===- Compare.cpp - The fastest schedule of a collective for each p and n --------------------------------------------------------===//

#include "Pricing.h"

#include "limits/Limits.h"

#include "llvm/ADT/STLExtras.h"

#include <cmath>

namespace quadrille::compiler {

std::vector<std::int64_t> sampled(std::int64_t from, std::int64_t to) {
  std::vector<std::int64_t> result = {from, to};
  auto add = [&](std::int64_t value) {
    if (from < value && value < to)
      result.push_back(value);
  };
  for (std::int64_t v = 0; v < 8; ++v)
    add(v);
  for (std::int64_t unit = 1; unit <= to / 4; unit *= 2) {
    for (std::int64_t v = 4; v < 8; ++v)
      add(v * unit);
    add(8 * unit - 1);
    add(8 * unit + 1);
  }
  llvm::sort(result);
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

namespace {
class Contest {
public:
  Contest(llvm::ArrayRef<Pricing> prices, std::vector<size_t> admitted, std::int64_t p)
      : prices(prices), admitted(std::move(admitted)), p(p) {}

  /// The fastest candidate at n; among equal ones, up to rounding errors, the first.
  std::optional<size_t> best(std::int64_t n) const {
    std::optional<size_t> result;
    double least = 0;
    for (size_t i : admitted) {
      double seconds = prices[i].at(p, n).seconds;
      if (!std::isnan(seconds) && (!result || seconds < least * (1 - 1e-9))) {
        result = i;
        least = seconds;
      }
    }
    return result;
  }

  Stretch stretch(std::int64_t from, std::int64_t to, size_t best) const {
    Stretch result{from, to, best, std::nullopt, 0, 0, 1, 0};
    double middle = std::sqrt(static_cast<double>(std::max<std::int64_t>(1, from)) * static_cast<double>(std::max<std::int64_t>(1, to)));
    result.middle = std::clamp(static_cast<std::int64_t>(std::llround(middle)), from, to);
    BestK price = prices[best].at(p, result.middle, limits::packetCountsCompared);
    result.seconds = price.seconds;
    result.k = price.k;
    for (size_t i : admitted) {
      double seconds = prices[i].at(p, result.middle, limits::packetCountsCompared).seconds;
      if (i == best || std::isnan(seconds))
        continue;
      double factor = result.seconds > 0 ? seconds / result.seconds : 1;
      if (!result.second || factor < result.factor) {
        result.second = i;
        result.factor = factor;
      }
    }
    return result;
  }

private:
  llvm::ArrayRef<Pricing> prices;
  std::vector<size_t> admitted;
  std::int64_t p;
};
} // namespace

Comparison compare(llvm::ArrayRef<Candidate> candidates, llvm::ArrayRef<std::int64_t> ps, llvm::ArrayRef<std::int64_t> ns,
                   const MachineParameters &machine, Admission admits) {
  std::vector<Pricing> prices;
  for (const Candidate &candidate : candidates)
    prices.emplace_back(candidate, machine);
  Comparison result;
  for (std::int64_t p : ps) {
    std::vector<size_t> admitted;
    for (size_t i = 0; i < candidates.size(); ++i)
      if (admits(candidates[i], p))
        admitted.push_back(i);
    Contest contest(prices, admitted, p);
    result.ps.push_back(p);
    std::vector<Stretch> &stretches = result.stretches.emplace_back();
    // The fastest may change several times between two samples. Roundings of ceil(n/k) could cause very many changes.
    std::optional<size_t> winner;
    std::int64_t from = 0, at = 0;
    unsigned changes = 0;
    for (size_t i = 0; i < ns.size();) {
      std::optional<size_t> next = contest.best(ns[i]);
      if (!winner || next == winner || !next || changes == limits::changesBetweenLengths) {
        if (!winner || (next && next != winner)) {
          if (winner)
            stretches.push_back(contest.stretch(from, ns[i] - 1, *winner));
          from = ns[i];
          winner = next;
        }
        at = ns[i++];
        changes = 0;
        continue;
      }
      // Search the n from which on the candidate is no longer the fastest.
      std::int64_t low = at, high = ns[i];
      while (high - low > 1) {
        std::int64_t middle = low + (high - low) / 2;
        (contest.best(middle) == winner ? low : high) = middle;
      }
      stretches.push_back(contest.stretch(from, low, *winner));
      from = at = high;
      winner = contest.best(high);
      ++changes;
    }
    if (winner)
      stretches.push_back(contest.stretch(from, ns.back(), *winner));
  }
  return result;
}

} // namespace quadrille::compiler
