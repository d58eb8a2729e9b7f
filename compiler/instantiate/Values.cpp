//===- Values.cpp - Blocks as elements of the free monoid -----------------------------------------------------------------===//

#include "Values.h"

#include "evaluate/Work.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <map>
#include <stdexcept>

namespace quadrille::compiler {

ValueDomain::ValueDomain(std::uint64_t p, std::uint64_t blocks, bool commutative)
    : p(p), rankBits(static_cast<std::uint64_t>(std::bit_width(p))), rankMask((std::uint64_t(1) << rankBits) - 1),
      commutative(commutative) {
  if (2 * rankBits + static_cast<std::uint64_t>(std::bit_width(blocks)) > 62)
    throw std::length_error("too many ranks and blocks");
}

size_t ValueDomain::RunsHash::operator()(const std::vector<Run> &runs) const {
  std::uint64_t hash = runs.size();
  for (const Run &run : runs) {
    hash ^= (std::uint64_t(run.block) << 40) ^ (std::uint64_t(run.lo) << 20) ^ run.length;
    hash *= 0x9E3779B97F4A7C15ull;
    hash ^= hash >> 29;
  }
  return hash;
}

std::vector<Run> ValueDomain::runs(Value value) const {
  if (value == emptyValue)
    return {};
  if (value & inlineTag)
    return {Run{static_cast<std::uint32_t>((value & ~inlineTag) >> (2 * rankBits)),
                static_cast<std::uint32_t>((value >> rankBits) & rankMask), static_cast<std::uint32_t>(value & rankMask)}};
  assert((value & tableTag) && (value & ~tableTag) < table.size() && "a product of another domain");
  return *table[value & ~tableTag];
}

Value ValueDomain::intern(std::vector<Run> runs) {
  assert(!runs.empty() && "the empty product is no entry");
  if (runs.size() == 1 && runs[0].length <= p)
    return interval(runs[0].block, runs[0].lo, runs[0].length);
  auto [entry, isNew] = index.try_emplace(std::move(runs), 0);
  if (isNew) {
    runTotal += entry->first.size();
    entry->second = tableTag | table.size();
    table.push_back(&entry->first);
  }
  return entry->second;
}

/// Splits the run of a cyclic interval where it wraps around p. The runs of all other commutative products are in canonical form.
static void unwrap(std::vector<Run> &runs, std::uint64_t p) {
  if (runs.size() != 1 || runs[0].lo + std::uint64_t(runs[0].length) <= p)
    return;
  const std::uint32_t head = static_cast<std::uint32_t>(p - runs[0].lo);
  runs.push_back({runs[0].block, runs[0].lo, head});
  runs[0] = {runs[0].block, 0, runs[0].length - head};
}

Value ValueDomain::combineSlow(Value a, Value b) {
  std::vector<Run> left = runs(a), right = runs(b);
  Work::count(Work::ofFactor * (left.size() + right.size()));
  if (commutative) {
    // The canonical form of a multiset: runs that do not wrap, sorted, adjacent ones joined.
    unwrap(left, p);
    unwrap(right, p);
    std::vector<Run> joined;
    joined.reserve(left.size() + right.size());
    auto append = [&](const Run &run) {
      assert(run.length != 0);
      if (!joined.empty() && joined.back().block == run.block && joined.back().lo + joined.back().length == run.lo)
        joined.back().length += run.length;
      else
        joined.push_back(run);
    };
    auto x = left.begin(), y = right.begin();
    while (x != left.end() || y != right.end())
      append(y == right.end() || (x != left.end() && !(*y < *x)) ? *x++ : *y++);
    return intern(std::move(joined));
  }
  std::vector<Run> joined = std::move(left);
  joined.insert(joined.end(), right.begin(), right.end());
  std::vector<Run> merged;
  for (const Run &run : joined) {
    if (!merged.empty()) {
      Run &last = merged.back();
      if (last.block == run.block && (last.lo + std::uint64_t(last.length)) % p == run.lo &&
          std::uint64_t(last.length) + run.length <= p) {
        last.length += run.length;
        continue;
      }
    }
    merged.push_back(run);
  }
  return intern(std::move(merged));
}

bool ValueDomain::inRankOrder(Value value) const {
  std::vector<Run> all = runs(value);
  return all.size() <= 1 && (all.empty() || all[0].lo + std::uint64_t(all[0].length) <= p);
}

bool ValueDomain::sameFactors(Value a, Value b) const {
  // The multiplicity of a factor, as a function of its rank, changes only where runs begin and end. Compare the changes.
  std::map<std::pair<std::uint32_t, std::uint64_t>, std::int64_t> changes; // by block and rank
  auto add = [&](Value value, std::int64_t sign) {
    for (const Run &run : runs(value)) {
      const std::uint64_t end = run.lo + std::uint64_t(run.length);
      changes[{run.block, run.lo}] += sign;
      changes[{run.block, std::min(end, p)}] -= sign;
      if (end > p) {
        changes[{run.block, 0}] += sign;
        changes[{run.block, end - p}] -= sign;
      }
    }
  };
  add(a, 1);
  add(b, -1);
  return std::all_of(changes.begin(), changes.end(), [](const auto &change) { return change.second == 0; });
}

} // namespace quadrille::compiler
