//===- EnumerationSums.cpp - Sums of two enumerated expressions, met in the middle ----------------------------------------------===//

#include "Enumeration.h"

#include "limits/Limits.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <utility>
#include <vector>

namespace quadrille::compiler::prove {

namespace {
/// A hash of a few cells that is linear, so that the one of a sum or a difference needs no look at its cells.
class LinearHash {
public:
  explicit LinearHash(std::size_t count) : weights(count) {
    std::uint64_t state = 0x9E3779B97F4A7C15ull;
    for (std::int16_t &weight : weights) {
      state = state * 0xD1342543DE82EF95ull + 1;
      weight = static_cast<std::int16_t>(state >> 48);
    }
  }
  std::uint32_t operator()(const std::int16_t *cells) const {
    std::uint32_t result = 0;
    for (std::size_t k = 0; k < weights.size(); ++k)
      result += static_cast<std::uint32_t>(std::int32_t(cells[k]) * weights[k]);
    return result;
  }

private:
  std::vector<std::int16_t> weights;
};

/// value mod n; mostly it is below n already.
std::int16_t reduced(std::int32_t value, std::int32_t n) {
  if (0 <= value && value < n)
    return static_cast<std::int16_t>(value);
  const std::int32_t r = value % n;
  return static_cast<std::int16_t>(r < 0 ? r + n : r);
}
} // namespace

/// Finds target = a + b, a - b, (a + b) mod m or (a - b) mod m: for each a it looks up b by its values.
void Enumeration::meet(llvm::ArrayRef<std::int32_t> target, llvm::ArrayRef<std::uint32_t> where, std::vector<Sized> &found) {
  // A few rows tell most expressions apart; those that agree there are compared in all rows.
  constexpr std::size_t runs = 4, ofRun = 8, count = runs * ofRun;
  std::vector<std::size_t> some;
  for (std::size_t run = 1; run <= runs; ++run)
    for (std::size_t i = std::max(run * where.size() / runs, ofRun) - ofRun; i < run * where.size() / runs; ++i)
      if (some.empty() || some.back() < i)
        some.push_back(i);
  std::vector<Cell> wanted(where.size());
  for (std::size_t i = 0; i < where.size(); ++i)
    wanted[i] = static_cast<Cell>(target[where[i]]);
  const std::size_t last = entries.size();
  // The cells of these rows, by entry, and those modulo m. What is missing is 0.
  std::vector<Cell> cellsThere(last * count), remainders;
  for (std::size_t i = 0; i < last; ++i)
    for (std::size_t k = 0; k < some.size(); ++k)
      cellsThere[i * count + k] = column(i)[where[some[k]]];
  std::array<Cell, count> wantedThere{}, modulusThere{}, rest;
  for (std::size_t k = 0; k < some.size(); ++k)
    wantedThere[k] = wanted[some[k]];
  const LinearHash hash(count);
  const std::uint32_t wantedHash = hash(wantedThere.data());
  // The entries by the hash of their values in these rows, in chains that begin with the first one.
  constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
  const std::size_t chains = std::bit_ceil(2 * last + 1);
  auto chainOf = [&](std::uint32_t h) { return h * 0x9E3779B9u & (chains - 1); };
  std::vector<std::uint32_t> begin(chains), next(last), hashes(last);
  // m = 0: without a modulus.
  for (std::size_t m = 0; m <= moduli.size(); ++m) {
    const Cell *const modulus = m ? moduli[m - 1].data() : nullptr;
    if (m && !llvm::all_of(llvm::seq<std::size_t>(0, where.size()),
                           [&](std::size_t i) { return wanted[i] >= 0 && wanted[i] < modulus[where[i]]; }))
      continue;
    if (m) {
      for (std::size_t k = 0; k < some.size(); ++k)
        modulusThere[k] = modulus[where[some[k]]];
      remainders.resize(last * count);
      for (std::size_t i = 0; i < last * count; i += count)
        for (std::size_t k = 0; k < some.size(); ++k)
          remainders[i + k] = reduced(cellsThere[i + k], modulusThere[k]);
    }
    const Cell *const values = m ? remainders.data() : cellsThere.data();
    std::fill(begin.begin(), begin.end(), none);
    for (std::size_t i = last; i-- > 0;) {
      hashes[i] = hash(values + i * count);
      next[i] = std::exchange(begin[chainOf(hashes[i])], static_cast<std::uint32_t>(i));
    }
    // The hash of what b has to be: the difference of two numbers in 0 ..< m, modulo m.
    auto hashOfRest = [&](const Cell *minuend, const Cell *subtrahend) {
      for (std::size_t k = 0; k < count; ++k) {
        const Cell d = static_cast<Cell>(minuend[k] - subtrahend[k]);
        rest[k] = static_cast<Cell>(d + (d < 0 ? modulusThere[k] : Cell(0)));
      }
      return hash(rest.data());
    };
    auto look = [&](std::uint32_t a, bool isSum) {
      const Cell *const there = values + a * count;
      const std::uint32_t restHash = m == 0 ? (isSum ? wantedHash - hashes[a] : hashes[a] - wantedHash)
                                     : isSum ? hashOfRest(wantedThere.data(), there)
                                             : hashOfRest(there, wantedThere.data());
      const Cell *const first = column(a);
      auto fits = [&](std::uint32_t b) {
        const Cell *const second = column(b);
        return llvm::all_of(llvm::seq<std::size_t>(0, where.size()), [&](std::size_t i) {
          const std::int32_t x = first[where[i]], y = second[where[i]], sum = isSum ? x + y : x - y;
          return wanted[i] == (m ? reduced(sum, modulus[where[i]]) : sum);
        });
      };
      std::uint32_t other = begin[chainOf(restHash)];
      while (other != none && !(hashes[other] == restHash && fits(other)))
        other = next[other];
      if (other == none)
        return;
      const Term right = term(other), left = term(a);
      Term sum = isSum ? pool.add(left, right) : pool.subtract(left, right);
      unsigned size = entries[a].size + entries[other].size + 1u;
      found.push_back(m ? Sized{size + 1, pool.modulo(sum, modulusTerms[m - 1])} : Sized{size, sum});
    };
    for (std::uint32_t a = 0; a < last && found.size() < 4 * limits::fitCompared; ++a) {
      look(a, true);
      look(a, false);
    }
  }
}

} // namespace quadrille::compiler::prove
