//===- EnumerationBooleans.cpp - Conditions made of enumerated expressions -----------------------------------------------===//

#include "Enumeration.h"

#include "limits/Limits.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <functional>

namespace quadrille::compiler::prove {

std::vector<Term> Enumeration::booleans(llvm::ArrayRef<std::int32_t> target, llvm::ArrayRef<std::uint8_t> mask) {
  return best(findBooleans(target, mask, Effort::Everything));
}

Enumeration::Arranged Enumeration::arrange(llvm::ArrayRef<std::int32_t> target, llvm::ArrayRef<std::uint8_t> mask,
                                           std::size_t count) const {
  std::vector<std::uint32_t> order, no;
  for (std::uint32_t row = 0; row < mask.size(); ++row)
    if (mask[row])
      (target[row] ? order : no).push_back(row);
  Arranged result;
  if (!order.empty())
    order.resize(padded(order.size()), order[0]);
  if (!no.empty())
    no.resize(padded(no.size()), no[0]);
  result.trueRows = order.size();
  result.falseRows = no.size();
  if (result.isConstant())
    return result;
  result.entries = count;
  order.insert(order.end(), no.begin(), no.end());
  result.cells.resize(count * order.size());
  Cell *out = result.cells.data();
  for (std::size_t i = 0; i < count; ++i) {
    const Cell *values = column(i);
    for (std::uint32_t row : order)
      *out++ = values[row];
  }
  return result;
}

std::vector<std::uint32_t> Enumeration::rights(std::size_t atMost) const {
  std::vector<std::uint32_t> result;
  for (std::uint32_t i = 0; i < upTo(3) && result.size() < atMost; ++i)
    result.push_back(i);
  return result;
}

namespace {
struct Bounds {
  std::int16_t low, high;
};
} // namespace

/// The smallest and the largest difference of two columns.
static Bounds boundsOf(const std::int16_t *a, const std::int16_t *b, std::size_t count) {
  std::int16_t low = std::numeric_limits<std::int16_t>::max(), high = std::numeric_limits<std::int16_t>::min();
  for (std::size_t i = 0; i < count; ++i) {
    std::int16_t d = static_cast<std::int16_t>(a[i] - b[i]);
    low = std::min(low, d);
    high = std::max(high, d);
  }
  return {low, high};
}

/// The largest absolute constant in a comparison: larger ones would only describe the cases that were traced.
static constexpr std::int32_t largestConstant = 2;

/// The constant c in lo .. hi for which `d <= c` is easiest to read: 0 and -1 (`d < 0`) before others; nothing if all are too
/// large.
static std::optional<std::int32_t> niceConstant(std::int32_t lo, std::int32_t hi) {
  for (std::int32_t c : {0, -1, 1, -2, 2})
    if (lo <= c && c <= hi)
      return c;
  return std::nullopt;
}

/// Comparisons of expressions larger than this, or of conditional ones, are no better than two comparisons joined by `and` or
/// `or`: the penalty is added to their size.
static constexpr unsigned largestPlain = 7, complexPenalty = 4;

/// The condition a == value. If a is `if c then 1 else 0`, that is c or its negation.
static Term isValue(TermPool &pool, Term a, std::int32_t value) {
  if (a->kind == TermKind::Select && TermPool::asInteger(a->operands[1]) == 1 && TermPool::asInteger(a->operands[2]) == 0 &&
      (value == 0 || value == 1))
    return value ? a->operands[0] : pool.negate(a->operands[0]);
  return pool.equal(a, pool.integer(value));
}

/// Finds comparisons of an entry from `first` on with a small entry that are true in all true rows and false in all false rows.
void Enumeration::compare(const Arranged &rows, std::size_t first, std::size_t atMostRights, std::vector<Sized> &found) {
  constexpr std::size_t some = 16;
  for (std::uint32_t r : rights(atMostRights))
    for (std::size_t i = first; i < rows.entries; ++i) {
      if (i == r)
        continue;
      const Cell *t = rows.trueCells(i), *f = rows.falseCells(i), *rt = rows.trueCells(r), *rf = rows.falseCells(r);
      auto hopeless = [](Bounds yes, Bounds no) {
        return yes.high >= no.low && yes.low <= no.high && yes.low != yes.high && no.low != no.high;
      };
      Bounds yes = boundsOf(t, rt, some), no = boundsOf(f, rf, some);
      if (hopeless(yes, no))
        continue;
      yes = boundsOf(t, rt, rows.trueRows);
      no = boundsOf(f, rf, rows.falseRows);
      if (hopeless(yes, no))
        continue;
      const bool isConditional = entries[i].isConditional || entries[r].isConditional;
      unsigned size = entries[i].size + entries[r].size + 1u;
      size += size > largestPlain || isConditional ? complexPenalty : 0;
      auto difference = [&] {
        const Term second = term(r), first = term(static_cast<std::uint32_t>(i));
        return pool.subtract(first, second);
      };
      auto contains = [](const Cell *a, const Cell *b, std::size_t count, std::int32_t value) {
        bool any = false;
        for (std::size_t k = 0; k < count; ++k)
          any |= a[k] - b[k] == value;
        return any;
      };
      if (yes.low == yes.high && std::abs(yes.low) <= largestConstant && !contains(f, rf, rows.falseRows, yes.low))
        found.push_back({size, isValue(pool, difference(), yes.low)});
      if (no.low == no.high && std::abs(no.low) <= largestConstant && !contains(t, rt, rows.trueRows, no.low))
        found.push_back({size + 1, pool.negate(isValue(pool, difference(), no.low))});
      if (yes.high < no.low)
        if (auto c = niceConstant(yes.high, no.low - 1)) {
          const Term bound = pool.integer(*c);
          found.push_back({size + (*c < -1 || *c > 0), pool.lessEqual(difference(), bound)});
        }
      if (yes.low > no.high)
        if (auto c = niceConstant(-yes.low, -no.high - 1)) { // the comparison r - i <= c
          const Term bound = pool.integer(*c);
          found.push_back({size + (*c < -1 || *c > 0), pool.lessEqual(pool.scale(-1, difference()), bound)});
        }
    }
}

/// Packs flags of 0 and 1 into bits, eight at a time.
static void packBits(llvm::ArrayRef<std::uint8_t> flags, std::vector<std::uint64_t> &bits) {
  for (std::size_t w = 0; w < bits.size(); ++w) {
    bits[w] = 0;
    for (unsigned byte = 0; byte < 8; ++byte) {
      std::uint64_t eight;
      std::memcpy(&eight, flags.data() + 64 * w + 8 * byte, sizeof eight);
      bits[w] |= (eight * 0x0102040810204080ull >> 56) << (8 * byte);
    }
  }
}

/// The number of bits in which `combine` of two sets of bits is 1.
template <typename Combine>
static std::size_t countBits(const std::vector<std::uint64_t> &a, const std::vector<std::uint64_t> &b, Combine combine) {
  std::size_t result = 0;
  for (std::size_t w = 0; w < a.size(); ++w)
    result += static_cast<std::size_t>(std::popcount(std::uint64_t(combine(a[w], b[w]))));
  return result;
}

/// A comparison that is true in all true rows, and false in some false ones.
struct Enumeration::Atom {
  enum Kind { AtMost, AtLeast, Equal, NotEqual } kind;
  std::uint32_t left, right;
  std::int32_t constant;
  unsigned size;
  std::size_t count;                   // of the rows that it excludes
  std::vector<std::uint64_t> excluded; // the false rows in which it is false, as bits

  static bool excludesMore(const Atom &a, const Atom &b) { return a.count > b.count; }
};

/// Collects atoms. Of those that exclude the same rows it keeps the smallest.
class Enumeration::Atoms {
public:
  explicit Atoms(const Arranged &rows) : rows(rows), excluded((rows.falseRows + 63) / 64), flags(excluded.size() * 64) {}

  void consider(Atom::Kind kind, std::uint32_t i, std::uint32_t r, std::int32_t c, unsigned size) {
    findExcluded(kind, i, r, static_cast<Cell>(c));
    std::size_t count = 0;
    for (std::uint64_t word : excluded)
      count += static_cast<std::size_t>(std::popcount(word));
    if (count == 0)
      return;
    std::uint64_t hash = count;
    for (std::uint64_t word : excluded)
      hash = ((hash ^ word) * 0x94D049BB133111EBull) ^ ((hash ^ word) >> 29);
    auto [entry, isNew] = bySet.try_emplace(hash, atoms.size());
    if (isNew)
      atoms.push_back({kind, i, r, c, size, count, excluded});
    else if (size < atoms[entry->second].size)
      atoms[entry->second] = {kind, i, r, c, size, count, excluded};
  }

  /// The atoms, those that exclude most rows first. If there are too many: the smallest, and those of the others that exclude most.
  std::vector<Atom> take() {
    if (atoms.size() > limits::fitAtoms) {
      llvm::stable_sort(atoms, [](const Atom &a, const Atom &b) { return a.size < b.size; });
      std::stable_sort(atoms.begin() + limits::fitAtoms / 2, atoms.end(), Atom::excludesMore);
      atoms.resize(limits::fitAtoms);
    }
    llvm::stable_sort(atoms, Atom::excludesMore);
    return std::move(atoms);
  }

private:
  void findExcluded(Atom::Kind kind, std::uint32_t i, std::uint32_t r, Cell bound) {
    const Cell *f = rows.falseCells(i), *rf = rows.falseCells(r);
    auto each = [&](auto isExcluded) {
      for (std::size_t k = 0; k < rows.falseRows; ++k)
        flags[k] = isExcluded(static_cast<Cell>(f[k] - rf[k]));
    };
    switch (kind) {
    case Atom::AtMost: each([bound](Cell d) { return d > bound; }); break;
    case Atom::AtLeast: each([bound](Cell d) { return d < bound; }); break;
    case Atom::Equal: each([bound](Cell d) { return d != bound; }); break;
    case Atom::NotEqual: each([bound](Cell d) { return d == bound; }); break;
    }
    packBits(flags, excluded);
  }

  const Arranged &rows;
  std::vector<Atom> atoms;
  std::unordered_map<std::uint64_t, std::size_t> bySet; // the number of the atom, by the hash of what it excludes
  std::vector<std::uint64_t> excluded;                  // by the last one considered
  std::vector<std::uint8_t> flags;                      // the same, a byte for each row
};

namespace {
/// What atoms need to know of the true rows: the bounds of the difference of two columns, and whether they are equal in a row.
struct TrueRows {
  Bounds bounds;
  bool anyEqual;
};
} // namespace

/// Nothing, as soon as it is known that no atom is true in all rows.
static std::optional<TrueRows> lookAtTrueRows(const std::int16_t *a, const std::int16_t *b, std::size_t count) {
  constexpr std::size_t block = 64;
  TrueRows result{{std::numeric_limits<std::int16_t>::max(), std::numeric_limits<std::int16_t>::min()}, false};
  for (std::size_t first = 0; first < count; first += block) {
    const std::size_t rows = std::min(block, count - first);
    const Bounds some = boundsOf(a + first, b + first, rows);
    result.bounds = {std::min(result.bounds.low, some.low), std::max(result.bounds.high, some.high)};
    for (std::size_t k = first; k < first + rows; ++k)
      result.anyEqual |= a[k] == b[k];
    if (result.anyEqual && result.bounds.low < -largestConstant && result.bounds.high > largestConstant)
      return std::nullopt;
  }
  return result;
}

std::vector<Enumeration::Atom> Enumeration::atomsOf(const Arranged &rows) const {
  Atoms atoms(rows);
  const std::size_t last = std::min(limits::fitCompares.value(), rows.entries);
  for (std::uint32_t r : rights(limits::fitRights))
    for (std::uint32_t i = 0; i < last; ++i) {
      if (i == r || entries[i].isConditional || entries[r].isConditional)
        continue;
      const unsigned size = entries[i].size + entries[r].size + 1u;
      const std::optional<TrueRows> found = lookAtTrueRows(rows.trueCells(i), rows.trueCells(r), rows.trueRows);
      if (!found)
        continue;
      const Bounds yes = found->bounds;
      if (yes.low == yes.high) {
        if (std::abs(yes.low) <= largestConstant)
          atoms.consider(Atom::Equal, i, r, yes.low, size);
        continue;
      }
      const Bounds no = boundsOf(rows.falseCells(i), rows.falseCells(r), rows.falseRows);
      if (std::abs(yes.high) <= largestConstant && no.high > yes.high)
        atoms.consider(Atom::AtMost, i, r, yes.high, size);
      if (std::abs(yes.low) <= largestConstant && no.low < yes.low)
        atoms.consider(Atom::AtLeast, i, r, yes.low, size);
      if (!found->anyEqual && no.low <= 0 && no.high >= 0)
        atoms.consider(Atom::NotEqual, i, r, 0, size + 1);
    }
  return atoms.take();
}

/// The atom, or its negation, as a term.
Term Enumeration::termOf(const Atom &atom, bool negated) {
  const Term right = term(atom.right), left = term(atom.left);
  Term d = pool.subtract(left, right), c = pool.integer(atom.constant);
  Term result = atom.kind == Atom::AtMost    ? pool.lessEqual(d, c)
                : atom.kind == Atom::AtLeast ? pool.lessEqual(c, d)
                : atom.kind == Atom::Equal   ? isValue(pool, d, atom.constant)
                                             : pool.negate(isValue(pool, d, atom.constant));
  return negated ? pool.negate(result) : result;
}

/// Finds conjunctions of comparisons. `negated`: the rows are those of the negated target, so the results are disjunctions.
void Enumeration::conjoin(const Arranged &rows, bool negated, std::vector<Sized> &found) {
  const std::vector<Atom> atoms = atomsOf(rows);
  if (!conjoinPairs(atoms, rows.falseRows, negated, found))
    conjoinGreedily(atoms, rows.falseRows, negated, found);
}

/// Finds pairs of atoms that exclude all false rows, if there are any.
bool Enumeration::conjoinPairs(llvm::ArrayRef<Atom> atoms, std::size_t falseRows, bool negated, std::vector<Sized> &found) {
  struct Pair {
    unsigned size;
    std::size_t a, b;
  };
  std::vector<Pair> pairs;
  for (std::size_t a = 0; a < atoms.size(); ++a)
    for (std::size_t b = a + 1; b < atoms.size() && atoms[a].count + atoms[b].count >= falseRows; ++b)
      if (countBits(atoms[a].excluded, atoms[b].excluded, std::bit_or<>()) == falseRows)
        pairs.push_back({atoms[a].size + atoms[b].size + 1, a, b});
  llvm::stable_sort(pairs, [](const Pair &x, const Pair &y) { return x.size < y.size; });
  if (pairs.size() > limits::fitCompared)
    pairs.resize(limits::fitCompared);
  for (const Pair &pair : pairs)
    found.push_back({pair.size, join({termOf(atoms[pair.a], negated), termOf(atoms[pair.b], negated)}, negated)});
  return !pairs.empty();
}

/// Takes the atom that excludes most of the remaining false rows, until there are none.
void Enumeration::conjoinGreedily(llvm::ArrayRef<Atom> atoms, std::size_t falseRows, bool negated, std::vector<Sized> &found) {
  std::vector<std::uint64_t> left((falseRows + 63) / 64);
  for (std::size_t k = 0; k < falseRows; ++k)
    left[k / 64] |= std::uint64_t(1) << (k % 64);
  std::vector<Term> chosen;
  unsigned size = 0;
  while (chosen.size() < limits::fitConjuncts) {
    const Atom *bestAtom = nullptr;
    std::size_t most = 0;
    for (const Atom &atom : atoms) {
      const std::size_t out = countBits(atom.excluded, left, std::bit_and<>());
      if (out > most || (out == most && bestAtom && out && atom.size < bestAtom->size)) {
        most = out;
        bestAtom = &atom;
      }
    }
    if (!bestAtom)
      return;
    chosen.push_back(termOf(*bestAtom, negated));
    size += bestAtom->size + 1;
    for (std::size_t w = 0; w < left.size(); ++w)
      left[w] &= ~bestAtom->excluded[w];
    if (llvm::all_of(left, [](std::uint64_t word) { return word == 0; })) {
      found.push_back({size, join(chosen, negated)});
      return;
    }
  }
}

std::vector<Enumeration::Sized> Enumeration::findBooleans(llvm::ArrayRef<std::int32_t> target,
                                                          llvm::ArrayRef<std::uint8_t> mask, Effort effort) {
  std::vector<Sized> found;
  bool someTrue = false, someFalse = false;
  for (std::size_t row = 0; row < mask.size(); ++row) {
    someTrue |= mask[row] && target[row];
    someFalse |= mask[row] && !target[row];
  }
  if (!someTrue || !someFalse)
    return {{1, pool.truth(someTrue)}};
  const bool quickly = effort != Effort::Everything;
  for (unsigned size : {3u, 4u, 5u}) {
    if (quickly && size == 5)
      break;
    grow(size);
    compare(arrange(target, mask, upTo(size)), size == 3 ? 0 : upTo(size - 1), quickly ? limits::fitRightsQuickly : limits::fitRightsAtMost, found);
    if (llvm::any_of(found, [](const Sized &f) { return f.size <= largestPlain; }))
      return found;
  }
  if (effort == Effort::Comparison)
    return found;
  conjoin(arrange(target, mask, upTo(4)), false, found);
  std::vector<std::int32_t> opposite(target.size());
  for (std::size_t row = 0; row < target.size(); ++row)
    opposite[row] = !target[row];
  conjoin(arrange(opposite, mask, upTo(4)), true, found);
  constexpr unsigned largestJunction = 12;
  if (!quickly && llvm::none_of(found, [](const Sized &f) { return f.size <= largestJunction; }))
    divide(target, mask, found);
  if (!quickly && found.empty()) {
    cover(target, mask, false, found);
    cover(opposite, mask, true, found);
  }
  return found;
}

// An expression with the values 0 and 1 divides the rows, as if ranks were of two kinds.
void Enumeration::divide(llvm::ArrayRef<std::int32_t> target, llvm::ArrayRef<std::uint8_t> mask, std::vector<Sized> &found) {
  unsigned kinds = 0;
  for (std::uint32_t i = 0; i < upTo(2) && kinds < limits::fitKinds; ++i) {
    const Cell *values = column(i);
    std::vector<std::uint8_t> yes(mask.size()), no(mask.size());
    bool isFlag = true;
    for (std::size_t row = 0; row < mask.size(); ++row) {
      isFlag &= values[row] == 0 || values[row] == 1;
      yes[row] = mask[row] && values[row] == 1;
      no[row] = mask[row] && values[row] == 0;
    }
    if (!isFlag || !llvm::is_contained(yes, 1) || !llvm::is_contained(no, 1))
      continue;
    ++kinds;
    auto simplest = [&](llvm::ArrayRef<std::uint8_t> where) {
      std::vector<Sized> parts = findBooleans(target, where, Effort::Comparison);
      llvm::stable_sort(parts, [](const Sized &a, const Sized &b) { return a.size < b.size; });
      parts.resize(std::min<std::size_t>(parts.size(), limits::fitsOfKind));
      return parts;
    };
    std::vector<Sized> ifYes = simplest(yes);
    if (ifYes.empty())
      continue;
    Term condition = isValue(pool, term(i), 1);
    for (const Sized &b : simplest(no))
      for (const Sized &a : ifYes)
        found.push_back({entries[i].size + a.size + b.size + 1, pool.select(condition, a.term, b.term)});
  }
}

} // namespace quadrille::compiler::prove
