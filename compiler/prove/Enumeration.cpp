//===- Enumeration.cpp - All small expressions over a sample of rows ---------------------------------------------------------===//

#include "Enumeration.h"

#include "llvm/ADT/Sequence.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace quadrille::prove {

static std::size_t padded(std::size_t count) { return (count + 15) / 16 * 16; }

Enumeration::Enumeration(TermPool &pool, const FeatureTable &table, llvm::ArrayRef<std::uint32_t> sampleRows,
                         const FitLimits &limits)
    : pool(pool), table(table), limits(limits), rows(padded(sampleRows.size())), sample(sampleRows), scratch(rows) {
  // Rows that fill up the last vector are the first row once more.
  if (!sample.empty())
    sample.resize(rows, sample[0]);
  ends.push_back(0);
  if (rows == 0)
    return;
  auto columnOf = [&](Term term, std::vector<Cell> &cells) {
    std::vector<std::int64_t> values;
    if (!table.evaluate(term, sample, values) ||
        llvm::any_of(values, [](std::int64_t v) { return v < -largest || v > largest; }))
      return false;
    cells.assign(values.begin(), values.end());
    return true;
  };
  auto take = [&](llvm::ArrayRef<Term> list, std::vector<Term> &kept, std::vector<std::vector<Cell>> &columns) {
    for (Term term : list)
      if (std::vector<Cell> cells; columnOf(term, cells) && llvm::all_of(cells, [](Cell v) { return v > 0; })) {
        kept.push_back(term);
        columns.push_back(std::move(cells));
      }
  };
  take(table.atoms.moduli, modulusTerms, moduli);
  take(table.atoms.granularities, granularityTerms, granularities);
  for (std::int64_t literal : {0, 1, 2})
    addLeaf(pool.integer(literal));
  for (llvm::ArrayRef<Term> list : {llvm::ArrayRef(table.variables), llvm::ArrayRef(table.atoms.moduli),
                                    llvm::ArrayRef(table.atoms.granularities)})
    for (Term term : list)
      addLeaf(term);
  // What a `let` defines may be large.
  auto addSized = [&](Term term) { addLeaf(term, static_cast<unsigned>(std::min<std::size_t>(1 + sizeOf(term) / 3, 8))); };
  for (Term term : table.atoms.others)
    addSized(term);
  for (Term condition : table.atoms.conditions)
    addSized(pool.select(condition, pool.integer(1), pool.integer(0)));
  ends.push_back(entries.size());
}

// ---- enumerating ------------------------------------------------------------------------------------------------------------

void Enumeration::addLeaf(Term term, unsigned size) {
  std::vector<std::int64_t> values;
  if (!table.evaluate(term, sample, values) ||
      llvm::any_of(values, [](std::int64_t v) { return v < -largest || v > largest; }))
    return;
  std::vector<Cell> cells(values.begin(), values.end());
  leaves.push_back(term);
  add(Op::Leaf, size, static_cast<std::uint32_t>(leaves.size() - 1), 0, cells.data());
}

/// Two columns are taken for equal if this is; a mistake would cost an expression, no more.
static std::uint64_t hashOf(const std::int16_t *cells, std::size_t count) {
  std::uint64_t hash = 0x9E3779B97F4A7C15ull, other = 0xBF58476D1CE4E5B9ull;
  for (std::size_t i = 0; i < count; i += 8) {
    std::uint64_t words[2];
    std::memcpy(words, cells + i, sizeof words);
    hash = (hash ^ words[0]) * 0x94D049BB133111EBull;
    hash ^= hash >> 31;
    other = (other ^ words[1]) * 0xD6E8FEB86659FD93ull;
    other ^= other >> 29;
  }
  return hash ^ (other * 0x2545F4914F6CDD1Dull);
}

void Enumeration::add(Op op, unsigned size, std::uint32_t a, std::uint32_t b, const Cell *values) {
  ++looked;
  if (!known.try_emplace(hashOf(values, rows), static_cast<std::uint32_t>(entries.size())).second)
    return;
  bool isConditional = op == Op::Minimum || op == Op::Maximum;
  if (op != Op::Leaf)
    isConditional |= entries[a].isConditional;
  if (op == Op::Add || op == Op::Subtract)
    isConditional |= entries[b].isConditional;
  entries.push_back({op, static_cast<std::uint8_t>(size), isConditional, a, b});
  cells.insert(cells.end(), values, values + rows);
}

void Enumeration::addBinary(Op op, unsigned size, std::uint32_t a, std::uint32_t b) {
  if (isFull())
    return;
  const Cell *x = column(a), *y = column(b);
  Cell *out = scratch.data();
  Cell low = 0, high = 0;
  auto each = [&](auto f) {
    for (std::size_t i = 0; i < rows; ++i) {
      out[i] = static_cast<Cell>(f(x[i], y[i]));
      low = std::min(low, out[i]);
      high = std::max(high, out[i]);
    }
  };
  switch (op) {
  case Op::Add: each([](Cell u, Cell v) { return u + v; }); break;
  case Op::Subtract: each([](Cell u, Cell v) { return u - v; }); break;
  case Op::Minimum: each([](Cell u, Cell v) { return std::min(u, v); }); break;
  default: each([](Cell u, Cell v) { return std::max(u, v); }); break;
  }
  if (low < -largest || high > largest) {
    ++looked;
    return;
  }
  add(op, size, a, b, out);
}

/// Only where a few multiples of the modulus are in question: nothing else can be proved.
void Enumeration::addModulo(unsigned size, std::uint32_t a, std::uint32_t modulus) {
  if (isFull())
    return;
  const Cell *x = column(a), *m = moduli[modulus].data();
  Cell *out = scratch.data();
  bool within = true;
  for (std::size_t i = 0; i < rows; ++i) {
    std::int32_t v = x[i], n = m[i];
    within &= v >= -2 * n && v < 3 * n;
    v += v < 0 ? n : 0;
    v += v < 0 ? n : 0;
    v -= v >= n ? n : 0;
    v -= v >= n ? n : 0;
    out[i] = static_cast<Cell>(v);
  }
  if (within)
    add(Op::Modulo, size, a, modulus, out);
}

void Enumeration::addLow(unsigned size, std::uint32_t a, std::uint32_t granularity) {
  if (isFull())
    return;
  const Cell *x = column(a), *w = granularities[granularity].data();
  Cell *out = scratch.data();
  for (std::size_t i = 0; i < rows; ++i) {
    if (x[i] < 0)
      return;
    out[i] = static_cast<Cell>(x[i] % w[i]);
  }
  add(Op::Low, size, a, granularity, out);
}

/// What invariants are mostly made of: how far two positions are from each other, their low and their high digits.
void Enumeration::addFeatures() {
  std::vector<std::uint32_t> positions;
  for (std::uint32_t i = 0; i < entries.size(); ++i)
    if (entries[i].op == Op::Leaf && (llvm::is_contained(table.positions, leaves[entries[i].a]) ||
                                      llvm::is_contained(table.atoms.positions, leaves[entries[i].a])))
      positions.push_back(i);
  // The differences stay as expressions of their own, of the size that they have.
  auto difference = [&](std::uint32_t a, std::uint32_t b, unsigned size) -> std::optional<std::uint32_t> {
    for (std::size_t i = 0; i < rows; ++i)
      scratch[i] = static_cast<Cell>(column(a)[i] - column(b)[i]);
    std::uint64_t hash = hashOf(scratch.data(), rows);
    if (!known.contains(hash))
      add(Op::Subtract, size, a, b, scratch.data());
    auto found = known.find(hash);
    return found == known.end() ? std::nullopt : std::optional(found->second);
  };
  const std::size_t before = entries.size();
  for (std::uint32_t v : positions)
    for (std::uint32_t w = 0; w < granularities.size(); ++w)
      addLow(2, v, w);
  const std::size_t lows = entries.size();
  std::vector<std::vector<std::uint32_t>> digits(granularities.size()), aligned(granularities.size()); // of positions
  for (std::uint32_t low = static_cast<std::uint32_t>(before); low < lows; ++low)
    if (auto d = difference(entries[low].a, low, 2)) {
      digits[entries[low].b].push_back(low);
      aligned[entries[low].b].push_back(*d);
    }
  auto distances = [&](llvm::ArrayRef<std::uint32_t> of, unsigned size) {
    for (std::uint32_t a : of)
      for (std::uint32_t b : of)
        if (a != b)
          if (auto d = difference(a, b, 2))
            for (std::uint32_t m = 0; m < moduli.size(); ++m)
              addModulo(size, *d, m);
  };
  distances(positions, 2);
  for (std::uint32_t w = 0; w < granularities.size(); ++w) {
    distances(aligned[w], 3);
    distances(digits[w], 3);
  }
}

void Enumeration::grow(unsigned size) {
  while (ends.size() <= size && rows) {
    const unsigned n = static_cast<unsigned>(ends.size());
    if (n == 2)
      addFeatures();
    const std::size_t first = ends[n - 2], last = ends[n - 1];
    for (std::size_t a = first; a < last && !isFull(); ++a) {
      for (std::uint32_t m = 0; m < moduli.size(); ++m)
        if (entries[a].op != Op::Modulo)
          addModulo(n, static_cast<std::uint32_t>(a), m);
      for (std::uint32_t w = 0; n <= 4 && w < granularities.size(); ++w)
        if (entries[a].op == Op::Leaf || entries[a].op == Op::Add || entries[a].op == Op::Subtract)
          addLow(n, static_cast<std::uint32_t>(a), w);
    }
    for (unsigned left = 1; left + 2 <= n; ++left) {
      const unsigned right = n - 1 - left;
      for (std::size_t a = ends[left - 1]; a < ends[left] && !isFull(); ++a)
        for (std::size_t b = ends[right - 1]; b < ends[right] && !isFull(); ++b) {
          std::uint32_t x = static_cast<std::uint32_t>(a), y = static_cast<std::uint32_t>(b);
          // Features may be larger than where they stand.
          const unsigned size = entries[a].size + entries[b].size + 1u;
          addBinary(Op::Subtract, size, x, y);
          if (left < right || (left == right && a > b))
            continue; // the others commute
          addBinary(Op::Add, size, x, y);
          addBinary(Op::Minimum, size, x, y);
          addBinary(Op::Maximum, size, x, y);
        }
    }
    ends.push_back(entries.size());
  }
}

Term Enumeration::term(std::uint32_t i) {
  if (terms.size() < entries.size())
    terms.resize(entries.size());
  if (terms[i])
    return terms[i];
  const Entry &e = entries[i];
  Term result;
  switch (e.op) {
  case Op::Leaf: result = leaves[e.a]; break;
  case Op::Add: result = pool.add(term(e.a), term(e.b)); break;
  case Op::Subtract: result = pool.subtract(term(e.a), term(e.b)); break;
  case Op::Minimum: result = pool.minimum(term(e.a), term(e.b)); break;
  case Op::Maximum: result = pool.maximum(term(e.a), term(e.b)); break;
  case Op::Modulo: result = pool.modulo(term(e.a), modulusTerms[e.b]); break;
  case Op::Low: result = pool.modulo(term(e.a), granularityTerms[e.b]); break;
  }
  return terms[i] = result;
}

std::vector<Term> Enumeration::best(std::vector<Sized> found) {
  llvm::stable_sort(found, [](const Sized &a, const Sized &b) { return a.size < b.size; });
  std::vector<Term> result;
  for (const Sized &f : found)
    if (result.size() < answers && !llvm::is_contained(result, f.term))
      result.push_back(f.term);
  return result;
}

// ---- integers --------------------------------------------------------------------------------------------------------------

std::vector<Term> Enumeration::integers(llvm::ArrayRef<std::int32_t> target, llvm::ArrayRef<std::uint8_t> mask) {
  std::vector<std::uint32_t> where;
  for (std::uint32_t row = 0; row < mask.size(); ++row)
    if (mask[row])
      where.push_back(row);
  if (where.empty())
    return {pool.integer(0)};
  // A number that is always the same needs no search.
  if (llvm::all_of(where, [&](std::uint32_t row) { return target[row] == target[where[0]]; }) && target[where[0]] <= 2)
    return {pool.integer(target[where[0]])};
  std::vector<Sized> found;
  constexpr unsigned small = 4;
  for (unsigned size = 1; size <= limits.size; ++size) {
    grow(size);
    for (std::size_t i = upTo(size - 1); i < upTo(size); ++i) {
      const Cell *values = column(i);
      if (llvm::all_of(where, [&](std::uint32_t row) { return values[row] == target[row]; }))
        found.push_back({size, term(static_cast<std::uint32_t>(i))});
    }
    if (size == small && found.empty())
      meet(target, where, found);
    if (!found.empty() && size >= 3)
      break;
  }
  if (found.empty())
    select(target, where, found);
  if (found.empty())
    meet(target, where, found);
  return best(std::move(found));
}

/// target = a + b, a - b, or (a + b) mod m or (a - b) mod m: what is missing to `a` is looked up.
void Enumeration::meet(llvm::ArrayRef<std::int32_t> target, llvm::ArrayRef<std::uint32_t> where, std::vector<Sized> &found) {
  const std::size_t count = padded(where.size());
  std::vector<Cell> wanted(count), buffer(count);
  auto gather = [&](const Cell *values, auto map) {
    for (std::size_t i = 0; i < where.size(); ++i)
      buffer[i] = static_cast<Cell>(map(values[where[i]], i));
    return hashOf(buffer.data(), count);
  };
  for (std::size_t i = 0; i < where.size(); ++i)
    wanted[i] = static_cast<Cell>(target[where[i]]);
  const std::size_t last = entries.size();
  // Without a modulus first.
  for (std::size_t m = 0; m <= moduli.size(); ++m) {
    auto reduce = [&](std::int32_t v, std::size_t i) {
      if (m == 0)
        return v;
      std::int32_t n = moduli[m - 1][where[i]], r = v % n;
      return r < 0 ? r + n : r;
    };
    if (m && !llvm::all_of(llvm::seq<std::size_t>(0, where.size()),
                           [&](std::size_t i) { return wanted[i] >= 0 && wanted[i] < moduli[m - 1][where[i]]; }))
      continue;
    std::unordered_map<std::uint64_t, std::uint32_t> index;
    for (std::uint32_t i = 0; i < last; ++i)
      index.try_emplace(gather(column(i), reduce), i);
    auto look = [&](std::uint32_t a, std::uint64_t hash, bool isSum) {
      auto other = index.find(hash);
      if (other == index.end())
        return;
      std::uint32_t b = other->second;
      Term sum = isSum ? pool.add(term(a), term(b)) : pool.subtract(term(a), term(b));
      unsigned size = entries[a].size + entries[b].size + 1u;
      found.push_back(m ? Sized{size + 1, pool.modulo(sum, modulusTerms[m - 1])} : Sized{size, sum});
    };
    for (std::uint32_t a = 0; a < last && found.size() < 4 * answers; ++a) {
      look(a, gather(column(a), [&](Cell v, std::size_t i) { return reduce(wanted[i] - v, i); }), true);
      look(a, gather(column(a), [&](Cell v, std::size_t i) { return reduce(v - wanted[i], i); }), false);
    }
  }
}

/// if c then a else b, where a or b is right in every row, and c tells which.
void Enumeration::select(llvm::ArrayRef<std::int32_t> target, llvm::ArrayRef<std::uint32_t> where,
                         std::vector<Sized> &found) {
  constexpr std::size_t mostCandidates = 200;
  constexpr unsigned mostPairs = 16, enough = 3, largestBranch = 5;
  const std::size_t words = (where.size() + 63) / 64;
  struct Cover {
    std::uint32_t entry;
    std::size_t count;
    std::vector<std::uint64_t> right;
  };
  std::vector<Cover> covers;
  for (std::uint32_t i = 0; i < upTo(largestBranch); ++i) {
    Cover cover{i, 0, std::vector<std::uint64_t>(words)};
    const Cell *values = column(i);
    for (std::size_t k = 0; k < where.size(); ++k)
      if (values[where[k]] == target[where[k]]) {
        cover.right[k / 64] |= std::uint64_t(1) << (k % 64);
        ++cover.count;
      }
    if (cover.count)
      covers.push_back(std::move(cover));
  }
  llvm::stable_sort(covers, [](const Cover &a, const Cover &b) { return a.count > b.count; });
  if (covers.size() > mostCandidates)
    covers.resize(mostCandidates);
  struct Pair {
    unsigned size;
    std::size_t a, b;
  };
  std::vector<Pair> pairs;
  for (std::size_t a = 0; a < covers.size(); ++a)
    for (std::size_t b = a + 1; b < covers.size(); ++b) {
      if (covers[a].count + covers[b].count < where.size())
        break; // and those that follow have fewer
      std::size_t right = 0;
      for (std::size_t w = 0; w < words; ++w)
        right += static_cast<std::size_t>(std::popcount(covers[a].right[w] | covers[b].right[w]));
      if (right == where.size())
        pairs.push_back({entries[covers[a].entry].size + 0u + entries[covers[b].entry].size, a, b});
    }
  llvm::stable_sort(pairs, [](const Pair &x, const Pair &y) { return x.size < y.size; });
  if (pairs.size() > mostPairs)
    pairs.resize(mostPairs);
  unsigned fitted = 0;
  auto fitConditions = [&](const Pair &pair, Effort effort) {
    std::vector<std::int32_t> first(sample.size());
    std::vector<std::uint8_t> differ(sample.size());
    for (std::size_t k = 0; k < where.size(); ++k) {
      bool a = covers[pair.a].right[k / 64] >> (k % 64) & 1, b = covers[pair.b].right[k / 64] >> (k % 64) & 1;
      first[where[k]] = a;
      differ[where[k]] = a != b;
    }
    std::vector<Sized> conditions = findBooleans(first, differ, effort);
    llvm::stable_sort(conditions, [](const Sized &x, const Sized &y) { return x.size < y.size; });
    for (std::size_t i = 0; i < std::min<std::size_t>(2, conditions.size()); ++i)
      found.push_back({pair.size + conditions[i].size + 1, pool.select(conditions[i].term, term(covers[pair.a].entry),
                                                                       term(covers[pair.b].entry))});
    fitted += !conditions.empty();
  };
  for (const Pair &pair : pairs)
    if (fitted < enough)
      fitConditions(pair, Effort::Comparison);
  for (const Pair &pair : llvm::ArrayRef(pairs).take_front(enough))
    if (fitted == 0)
      fitConditions(pair, Effort::Junction);
}

// ---- truth values --------------------------------------------------------------------------------------------------------------

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

/// Of the differences of two columns.
static Bounds boundsOf(const std::int16_t *a, const std::int16_t *b, std::size_t count) {
  std::int16_t low = std::numeric_limits<std::int16_t>::max(), high = std::numeric_limits<std::int16_t>::min();
  for (std::size_t i = 0; i < count; ++i) {
    std::int16_t d = static_cast<std::int16_t>(a[i] - b[i]);
    low = std::min(low, d);
    high = std::max(high, d);
  }
  return {low, high};
}

/// Constants in comparisons are small: others would tell of the cases that were looked at.
static constexpr std::int32_t largestConstant = 2;

/// The constant in lo .. hi that is nicest to read after `<=`; 0 and -1 (which is `<`) before all others.
static std::optional<std::int32_t> niceConstant(std::int32_t lo, std::int32_t hi) {
  for (std::int32_t c : {0, -1, 1, -2, 2})
    if (lo <= c && c <= hi)
      return c;
  return std::nullopt;
}

/// Comparisons of larger expressions, or of conditional ones, are no better than two comparisons joined by `and` or `or`:
/// they count as so much larger.
static constexpr unsigned largestPlain = 7, complexPenalty = 4;

/// a == value; a condition that is used as a number is found again.
static Term isValue(TermPool &pool, Term a, std::int32_t value) {
  if (a->kind == TermKind::Select && TermPool::asInteger(a->operands[1]) == 1 && TermPool::asInteger(a->operands[2]) == 0 &&
      (value == 0 || value == 1))
    return value ? a->operands[0] : pool.negate(a->operands[0]);
  return pool.equal(a, pool.integer(value));
}

/// Comparisons of the entries from `first` on with small ones that are true and false as wanted.
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
      auto difference = [&] { return pool.subtract(term(static_cast<std::uint32_t>(i)), term(r)); };
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
        if (auto c = niceConstant(yes.high, no.low - 1))
          found.push_back({size + (*c < -1 || *c > 0), pool.lessEqual(difference(), pool.integer(*c))});
      if (yes.low > no.high)
        if (auto c = niceConstant(-yes.low, -no.high - 1)) // r - i <= c
          found.push_back({size + (*c < -1 || *c > 0), pool.lessEqual(pool.scale(-1, difference()), pool.integer(*c))});
    }
}

/// Flags of 0 and 1, eight of them at a time, to bits.
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

/// Conjunctions of comparisons. `negated`: the rows are those of the negation, so they become disjunctions.
void Enumeration::conjoin(const Arranged &rows, bool negated, std::vector<Sized> &found) {
  constexpr std::size_t mostEntries = 1200, mostRights = 40, mostAtoms = 400, mostConjuncts = 4;
  struct Atom {
    enum Kind { AtMost, AtLeast, Equal, NotEqual } kind;
    std::uint32_t left, right;
    std::int32_t constant;
    unsigned size;
    std::size_t count;
    std::vector<std::uint64_t> excluded; // false rows
  };
  const std::size_t words = (rows.falseRows + 63) / 64;
  std::vector<Atom> atoms;
  std::unordered_map<std::uint64_t, std::size_t> bySet;
  std::vector<std::uint64_t> excluded(words);
  std::vector<std::uint8_t> flags(words * 64);
  auto consider = [&](Atom::Kind kind, std::uint32_t i, std::uint32_t r, std::int32_t c, unsigned size) {
    const Cell *f = rows.falseCells(i), *rf = rows.falseCells(r);
    const Cell bound = static_cast<Cell>(c);
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
  };
  const std::size_t last = std::min(mostEntries, rows.entries);
  for (std::uint32_t r : rights(mostRights))
    for (std::uint32_t i = 0; i < last; ++i) {
      if (i == r || entries[i].isConditional || entries[r].isConditional)
        continue;
      const unsigned size = entries[i].size + entries[r].size + 1u;
      Bounds yes = boundsOf(rows.trueCells(i), rows.trueCells(r), rows.trueRows);
      Bounds no = boundsOf(rows.falseCells(i), rows.falseCells(r), rows.falseRows);
      if (yes.low == yes.high) {
        if (std::abs(yes.low) <= largestConstant)
          consider(Atom::Equal, i, r, yes.low, size);
        continue;
      }
      if (std::abs(yes.high) <= largestConstant && no.high > yes.high)
        consider(Atom::AtMost, i, r, yes.high, size);
      if (std::abs(yes.low) <= largestConstant && no.low < yes.low)
        consider(Atom::AtLeast, i, r, yes.low, size);
      if (no.low > 0 || no.high < 0)
        continue;
      bool touches = false;
      const Cell *t = rows.trueCells(i), *rt = rows.trueCells(r);
      for (std::size_t k = 0; k < rows.trueRows; ++k)
        touches |= t[k] == rt[k];
      if (!touches)
        consider(Atom::NotEqual, i, r, 0, size + 1);
    }
  auto byCount = [](const Atom &a, const Atom &b) { return a.count > b.count; };
  // The smallest, which may exclude little, and of the others those that exclude most.
  if (atoms.size() > mostAtoms) {
    llvm::stable_sort(atoms, [](const Atom &a, const Atom &b) { return a.size < b.size; });
    std::stable_sort(atoms.begin() + mostAtoms / 2, atoms.end(), byCount);
    atoms.resize(mostAtoms);
  }
  llvm::stable_sort(atoms, byCount);
  auto termOf = [&](const Atom &atom) {
    Term d = pool.subtract(term(atom.left), term(atom.right)), c = pool.integer(atom.constant);
    Term result = atom.kind == Atom::AtMost    ? pool.lessEqual(d, c)
                  : atom.kind == Atom::AtLeast ? pool.lessEqual(c, d)
                  : atom.kind == Atom::Equal   ? isValue(pool, d, atom.constant)
                                               : pool.negate(isValue(pool, d, atom.constant));
    return negated ? pool.negate(result) : result;
  };
  auto join = [&](llvm::ArrayRef<Term> terms) { return negated ? pool.disjunction(terms) : pool.conjunction(terms); };
  struct Pair {
    unsigned size;
    std::size_t a, b;
  };
  std::vector<Pair> pairs;
  for (std::size_t a = 0; a < atoms.size(); ++a)
    for (std::size_t b = a + 1; b < atoms.size() && atoms[a].count + atoms[b].count >= rows.falseRows; ++b) {
      std::size_t out = 0;
      for (std::size_t w = 0; w < words; ++w)
        out += static_cast<std::size_t>(std::popcount(atoms[a].excluded[w] | atoms[b].excluded[w]));
      if (out == rows.falseRows)
        pairs.push_back({atoms[a].size + atoms[b].size + 1, a, b});
    }
  llvm::stable_sort(pairs, [](const Pair &x, const Pair &y) { return x.size < y.size; });
  if (pairs.size() > answers)
    pairs.resize(answers);
  for (const Pair &pair : pairs)
    found.push_back({pair.size, join({termOf(atoms[pair.a]), termOf(atoms[pair.b])})});
  if (!pairs.empty())
    return;
  // More than two: always the one that excludes most of what is left.
  std::vector<std::uint64_t> left(words);
  for (std::size_t k = 0; k < rows.falseRows; ++k)
    left[k / 64] |= std::uint64_t(1) << (k % 64);
  std::vector<Term> chosen;
  unsigned size = 0;
  while (chosen.size() < mostConjuncts) {
    const Atom *bestAtom = nullptr;
    std::size_t most = 0;
    for (const Atom &atom : atoms) {
      std::size_t out = 0;
      for (std::size_t w = 0; w < words; ++w)
        out += static_cast<std::size_t>(std::popcount(atom.excluded[w] & left[w]));
      if (out > most || (out == most && bestAtom && out && atom.size < bestAtom->size)) {
        most = out;
        bestAtom = &atom;
      }
    }
    if (!bestAtom)
      return;
    chosen.push_back(termOf(*bestAtom));
    size += bestAtom->size + 1;
    bool done = true;
    for (std::size_t w = 0; w < words; ++w) {
      left[w] &= ~bestAtom->excluded[w];
      done &= left[w] == 0;
    }
    if (done) {
      found.push_back({size, join(chosen)});
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
    compare(arrange(target, mask, upTo(size)), size == 3 ? 0 : upTo(size - 1), quickly ? 30 : 80, found);
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
  return found;
}

/// Ranks of two kinds: what is 0 or 1 tells them apart.
void Enumeration::divide(llvm::ArrayRef<std::int32_t> target, llvm::ArrayRef<std::uint8_t> mask, std::vector<Sized> &found) {
  constexpr unsigned mostKinds = 6, some = 3;
  unsigned kinds = 0;
  for (std::uint32_t i = 0; i < upTo(2) && kinds < mostKinds; ++i) {
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
      parts.resize(std::min<std::size_t>(parts.size(), some));
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

} // namespace quadrille::prove
