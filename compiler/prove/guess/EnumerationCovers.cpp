//===- EnumerationCovers.cpp - Conditions put together of what implies them ---------------------------------------------===//

#include "Enumeration.h"

#include "limits/Limits.h"

#include <algorithm>
#include <unordered_set>

namespace quadrille::compiler::prove {

Term Enumeration::Implicant::termIn(Enumeration &enumeration) const {
  TermPool &pool = enumeration.pool;
  const Term second = enumeration.term(right), first = enumeration.term(left);
  const Term difference = pool.subtract(first, second), bound = pool.integer(constant);
  switch (kind) {
  case AtMost: return pool.lessEqual(difference, bound);
  case AtLeast: return pool.lessEqual(bound, difference);
  case Equal: return pool.equal(difference, bound);
  }
  llvm_unreachable("a comparison is of one of these kinds");
}

std::vector<Enumeration::Implicant> Enumeration::implicants(llvm::ArrayRef<std::int32_t> target,
                                                            llvm::ArrayRef<std::uint8_t> mask) {
  constexpr std::int32_t largestConstant = 2; // as in other comparisons: larger ones describe the cases that were traced
  grow(4);
  const Arranged rows = arrange(target, mask, std::min(limits::fitCompares.value(), upTo(4)));
  if (rows.isConstant())
    return {};
  std::vector<Implicant> result;
  std::unordered_set<std::uint64_t> seen;
  auto consider = [&](Implicant::Kind kind, std::uint32_t i, std::uint32_t r, std::int32_t c) {
    const Cell *t = rows.trueCells(i), *rt = rows.trueCells(r);
    Implicant implicant{kind, i, r, c, entries[i].size + entries[r].size + 1u + (c != 0 && c != -1), 0, {}};
    implicant.covered.resize(rows.trueRows);
    std::uint64_t hash = 0x9E3779B97F4A7C15ull;
    for (std::size_t k = 0; k < rows.trueRows; ++k) {
      const std::int32_t d = t[k] - rt[k];
      const bool holds = kind == Implicant::AtMost ? d <= c : kind == Implicant::AtLeast ? d >= c : d == c;
      implicant.covered[k] = holds;
      implicant.count += holds;
      hash = (hash ^ static_cast<std::uint64_t>(holds) ^ (hash >> 31)) * 0x94D049BB133111EBull;
    }
    if (implicant.count != 0 && seen.insert(hash).second)
      result.push_back(std::move(implicant));
  };
  for (std::uint32_t r : rights(limits::fitRights))
    for (std::uint32_t i = 0; i < rows.entries; ++i) {
      if (i == r || entries[i].isConditional || entries[r].isConditional)
        continue;
      const Cell *f = rows.falseCells(i), *rf = rows.falseCells(r);
      std::int32_t low = std::numeric_limits<std::int32_t>::max(), high = std::numeric_limits<std::int32_t>::min();
      bool isZero = false;
      for (std::size_t k = 0; k < rows.falseRows; ++k) {
        const std::int32_t d = f[k] - rf[k];
        low = std::min(low, d);
        high = std::max(high, d);
        isZero |= d == 0;
      }
      if (low > -largestConstant)
        consider(Implicant::AtMost, i, r, std::min(low - 1, largestConstant));
      if (high < largestConstant)
        consider(Implicant::AtLeast, i, r, std::max(high + 1, -largestConstant));
      if (!isZero && low < 0 && high > 0)
        consider(Implicant::Equal, i, r, 0);
    }
  llvm::stable_sort(result, [](const Implicant &a, const Implicant &b) {
    return a.count != b.count ? a.count > b.count : a.size < b.size;
  });
  return result;
}

void Enumeration::cover(llvm::ArrayRef<std::int32_t> target, llvm::ArrayRef<std::uint8_t> mask, bool negated,
                        std::vector<Sized> &found) {
  const std::vector<Implicant> all = implicants(target, mask);
  for (const Implicant &first : llvm::ArrayRef(all).take_front(limits::fitCovers)) {
    std::vector<std::uint8_t> left(mask.begin(), mask.end());
    std::size_t k = 0; // counts the true rows, as `arrange` orders them
    for (std::size_t row = 0; row < left.size(); ++row)
      if (mask[row] && target[row])
        left[row] = !first.covered[k++];
    const Arranged rest = arrange(target, left, upTo(4));
    if (rest.isConstant())
      continue;
    std::vector<Sized> conjunctions;
    conjoin(rest, false, conjunctions);
    llvm::stable_sort(conjunctions, [](const Sized &a, const Sized &b) { return a.size < b.size; });
    for (const Sized &conjunction : llvm::ArrayRef(conjunctions).take_front(limits::fitCoverRests)) {
      const Term either = pool.either(first.termIn(*this), conjunction.term);
      found.push_back({first.size + conjunction.size + 1, negated ? pool.negate(either) : either});
    }
  }
}

std::vector<Term> Enumeration::within(llvm::ArrayRef<std::int32_t> target, llvm::ArrayRef<std::uint8_t> mask) {
  const std::size_t flags = limits::fitConditions, bounds = limits::fitBounds;
  struct Part {
    std::size_t count;
    Term term;
  };
  std::vector<Part> parts;
  const std::vector<Implicant> anywhere = implicants(target, mask);
  for (const Implicant &implicant : llvm::ArrayRef(anywhere).take_front(limits::fitCompared))
    parts.push_back({implicant.count, implicant.termIn(*this)});
  // Implicants among those rows in which a small expression is 0, such as the rows of the first ranks of groups.
  std::size_t tried = 0;
  for (std::uint32_t i = 0; i < upTo(2) && tried < flags; ++i) {
    std::vector<std::uint8_t> where(mask.size());
    bool some = false, all = true;
    for (std::size_t row = 0; row < mask.size(); ++row) {
      where[row] = mask[row] && column(i)[row] == 0;
      some |= where[row] != 0;
      all &= where[row] == mask[row];
    }
    if (!some || all)
      continue;
    ++tried;
    const Term condition = pool.equal(term(i), pool.integer(0));
    const std::vector<Implicant> there = implicants(target, where);
    for (const Implicant &implicant : llvm::ArrayRef(there).take_front(bounds))
      parts.push_back({implicant.count, pool.both(condition, implicant.termIn(*this))});
  }
  llvm::stable_sort(parts, [](const Part &a, const Part &b) { return a.count > b.count; });
  std::vector<Term> result;
  for (const Part &part : parts)
    if (result.size() < limits::fitCompared)
      result.push_back(part.term);
  return result;
}

} // namespace quadrille::compiler::prove
