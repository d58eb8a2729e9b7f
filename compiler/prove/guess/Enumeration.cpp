//===- Enumeration.cpp - All small expressions over a sample of rows ---------------------------------------------------------===//

#include "Enumeration.h"

#include "limits/Limits.h"
#include "prove/terms/Symbols.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstring>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

namespace quadrille::compiler::prove {

Enumeration::Enumeration(TermPool &pool, const FeatureTable &table, llvm::ArrayRef<std::uint32_t> sampleRows,
                         const FitLimits &limits)
    : pool(pool), table(table), limits(limits), rows(padded(sampleRows.size())), sample(sampleRows), scratch(rows) {
  // Pad the last vector with copies of the first row.
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
  // Terms that `let`s define may be large: their size grows with the number of nodes.
  auto addSized = [&](Term term) {
    // For small numbers the trailing zeros are the lowest bit less 1; addShifts adds the lowest bit itself.
    if (!limits.inPieces || term->kind != TermKind::Apply)
      addLeaf(term, static_cast<unsigned>(std::min<std::size_t>(1 + sizeOf(term) / 3, 8)));
  };
  for (Term term : table.atoms.promised)
    addLeaf(term, 2);
  for (Term term : table.atoms.others)
    addSized(term);
  for (Term condition : table.atoms.conditions)
    addSized(pool.select(condition, pool.integer(1), pool.integer(0)));
  for (Term run : table.atoms.runs)
    addLeaf(pool.select(run, pool.integer(1), pool.integer(0)), 2);
  ends.push_back(entries.size());
}

// ---- enumerating ------------------------------------------------------------------------------------------------------------


/// A hash of a column. Columns with equal hashes are treated as equal; a collision only loses an expression.
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

std::optional<std::uint32_t> Enumeration::addLeaf(Term term, unsigned size) {
  std::vector<std::int64_t> values;
  if (!table.evaluate(term, sample, values) ||
      llvm::any_of(values, [](std::int64_t v) { return v < -largest || v > largest; }))
    return std::nullopt;
  std::vector<Cell> cells(values.begin(), values.end());
  leaves.push_back(term);
  add(Op::Leaf, size, static_cast<std::uint32_t>(leaves.size() - 1), 0, cells.data());
  return known.at(hashOf(cells.data(), rows));
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

/// Adds a mod m if a is between -2m and 3m in all rows: the solver knows no remainders of numbers beyond.
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

std::optional<std::uint32_t> Enumeration::addLow(unsigned size, std::uint32_t a, std::uint32_t granularity) {
  if (isFull())
    return std::nullopt;
  const Cell *x = column(a), *w = granularities[granularity].data();
  Cell *out = scratch.data();
  for (std::size_t i = 0; i < rows; ++i) {
    if (x[i] < 0)
      return std::nullopt;
    out[i] = static_cast<Cell>(x[i] % w[i]);
  }
  add(Op::Low, size, a, granularity, out);
  return known.at(hashOf(out, rows));
}

/// Adds the expressions that invariants mostly consist of, before others: distances of two positions, of their low and high
/// digits, and of their rows in a grid.
void Enumeration::addFeatures() {
  std::vector<std::uint32_t> positions;
  for (std::uint32_t i = 0; i < entries.size(); ++i)
    if (entries[i].op == Op::Leaf && (llvm::is_contained(table.positions, leaves[entries[i].a]) ||
                                      llvm::is_contained(table.atoms.positions, leaves[entries[i].a])))
      positions.push_back(i);
  // The differences become entries themselves.
  auto difference = [&](std::uint32_t a, std::uint32_t b, unsigned size) -> std::optional<std::uint32_t> {
    for (std::size_t i = 0; i < rows; ++i)
      scratch[i] = static_cast<Cell>(column(a)[i] - column(b)[i]);
    std::uint64_t hash = hashOf(scratch.data(), rows);
    if (!known.contains(hash))
      add(Op::Subtract, size, a, b, scratch.data());
    auto found = known.find(hash);
    return found == known.end() ? std::nullopt : std::optional(found->second);
  };
  std::vector<std::vector<std::uint32_t>> digits(granularities.size()), aligned(granularities.size()); // of positions
  for (std::uint32_t v : positions)
    for (std::uint32_t w = 0; w < granularities.size(); ++w) {
      const std::optional<std::uint32_t> low = addLow(2, v, w); // a `let` may have defined it
      if (!low || *low == v || llvm::is_contained(digits[w], *low))
        continue;
      if (auto d = difference(v, *low, 2)) {
        digits[w].push_back(*low);
        aligned[w].push_back(*d);
      }
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
  // The rows of positions in a grid, and their distances.
  for (Term width : table.atoms.widths) {
    std::vector<std::uint32_t> rowsOfGrid;
    for (Term position : llvm::concat<const Term>(table.positions, table.atoms.positions))
      if (std::optional<std::uint32_t> row = addLeaf(pool.quotient(position, width), 2); row && !llvm::is_contained(rowsOfGrid, *row))
        rowsOfGrid.push_back(*row);
    for (Term position : table.atoms.positions) // the text may name a row, or a place in it
      if (std::optional<std::uint32_t> row = addLeaf(position); row && !llvm::is_contained(rowsOfGrid, *row))
        rowsOfGrid.push_back(*row);
    distances(rowsOfGrid, 3);
    for (Term position : table.positions) { // where a row begins
      addLeaf(pool.multiply(position, width), 2);
      for (Term granularity : granularityTerms)
        if (!granularity->isPower)
          addLeaf(pool.multiply(pool.modulo(position, granularity), width), 3);
    }
  }
  // Digits of positions, remainders by weight*base, positions without these remainders, and distances of digits and of such positions.
  for (const auto &[weight, base] : table.atoms.digits) {
    std::vector<Term> digitsOf;
    std::vector<std::uint32_t> rowsOfDigits;
    for (Term position : table.positions) {
      const Term digit = pool.modulo(pool.quotient(position, weight), base);
      if (addLeaf(digit, 2))
        digitsOf.push_back(digit);
      if (const auto at = addLeaf(position), low = addLeaf(pool.modulo(position, pool.multiply(weight, base)), 2); at && low)
        if (auto row = difference(*at, *low, 2))
          rowsOfDigits.push_back(*row);
    }
    for (Term a : digitsOf)
      for (Term b : digitsOf)
        if (a != b)
          addLeaf(pool.modulo(pool.subtract(a, b), base), 3);
    distances(rowsOfDigits, 3);
  }
  for (std::uint32_t w = 0; w < granularities.size(); ++w) {
    distances(aligned[w], 3);
    distances(digits[w], 3);
  }
}

/// Adds (place +- amount) mod m, also times the width of a row, where `place` is a position, its row or its place in the row, and
/// `amount` is a loop variable or a number of the schedule, or one more or less. Also adds the lowest bits of ranks.
void Enumeration::addShifts() {
  std::vector<Term> places, amounts;
  auto addPlace = [&](Term place) {
    if (!llvm::is_contained(places, place))
      places.push_back(place);
  };
  for (Term position : llvm::concat<const Term>(table.positions, table.atoms.positions)) {
    addPlace(position);
    for (Term width : table.atoms.widths) {
      addPlace(pool.quotient(position, width));
      addPlace(pool.modulo(position, width));
    }
  }
  const Term one = pool.integer(1);
  for (Term variable : table.variables)
    if (!llvm::is_contained(table.positions, variable) && !llvm::is_contained(modulusTerms, variable) && !variable->isPower)
      for (Term amount : {variable, pool.subtract(variable, one), pool.add(variable, one)})
        amounts.push_back(amount);
  for (Term place : places)
    for (Term amount : amounts)
      for (Term moved : {pool.subtract(place, amount), pool.add(place, amount)})
        for (Term modulus : modulusTerms) {
          const Term around = pool.modulo(moved, modulus);
          addLeaf(around, 3);
          for (Term width : table.atoms.widths)
            addLeaf(pool.multiply(around, width), 4);
        }
  for (Term power : granularityTerms)
    if (power->kind == TermKind::Power2) // at the heads of a descending loop, the power of its next iteration
      addLeaf(pool.power2(pool.subtract(power->operands[0], one)));
  for (Term number : table.atoms.dividends)
    addLeaf(pool.power2(pool.apply(trailingZerosName, {number})), 1);
}

void Enumeration::grow(unsigned size) {
  while (ends.size() <= size && rows) {
    const unsigned n = static_cast<unsigned>(ends.size());
    if (n == 2) {
      addFeatures();
      if (limits.inPieces)
        addShifts();
    }
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
          // Entries that addFeatures added may be larger than their place among the sizes says.
          const unsigned size = entries[a].size + entries[b].size + 1u;
          addBinary(Op::Subtract, size, x, y);
          if (left < right || (left == right && a > b))
            continue; // the other operations commute: try one order
          addBinary(Op::Add, size, x, y);
          addBinary(Op::Minimum, size, x, y);
          addBinary(Op::Maximum, size, x, y);
        }
    }
    ends.push_back(entries.size());
  }
}

Term Enumeration::term(std::uint32_t i) {
  assert(i < entries.size() && "an entry that has been kept");
  if (terms.size() < entries.size())
    terms.resize(entries.size());
  if (terms[i])
    return terms[i];
  const Entry &e = entries[i];
  // Terms are numbered as they are made, so the order in which operands are made must not depend on the compiler.
  auto combined = [&](auto combine) {
    const Term second = term(e.b), first = term(e.a);
    return combine(first, second);
  };
  Term result;
  switch (e.op) {
  case Op::Leaf: result = leaves[e.a]; break;
  case Op::Add: result = combined([&](Term a, Term b) { return pool.add(a, b); }); break;
  case Op::Subtract: result = combined([&](Term a, Term b) { return pool.subtract(a, b); }); break;
  case Op::Minimum: result = combined([&](Term a, Term b) { return pool.minimum(a, b); }); break;
  case Op::Maximum: result = combined([&](Term a, Term b) { return pool.maximum(a, b); }); break;
  case Op::Modulo: result = pool.modulo(term(e.a), modulusTerms[e.b]); break;
  case Op::Low: result = pool.modulo(term(e.a), granularityTerms[e.b]); break;
  }
  return terms[i] = result;
}

std::vector<Term> Enumeration::best(std::vector<Sized> found) {
  llvm::stable_sort(found, [](const Sized &a, const Sized &b) { return a.size < b.size; });
  std::vector<Term> result;
  for (const Sized &f : found)
    if (result.size() < limits::fitCompared && !llvm::is_contained(result, f.term))
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
  // A small constant needs no search.
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
  if (found.empty() && limits.inPieces)
    selectByRest(target, where, found);
  return best(std::move(found));
}

std::vector<Enumeration::Cover> Enumeration::coversOf(llvm::ArrayRef<std::int32_t> target, llvm::ArrayRef<std::uint32_t> where,
                                                      unsigned largest) const {
  std::vector<Cover> covers;
  for (std::uint32_t i = 0; i < upTo(largest); ++i) {
    Cover cover{i, 0, std::vector<std::uint64_t>((where.size() + 63) / 64)};
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
  return covers;
}

/// Finds target = if c then a else b, where a is right in many rows and b is fitted to the others, so b may be larger than in `select`.
void Enumeration::selectByRest(llvm::ArrayRef<std::int32_t> target, llvm::ArrayRef<std::uint32_t> where, std::vector<Sized> &found) {
  constexpr unsigned largestBranch = 6;
  std::vector<Cover> covers = coversOf(target, where, largestBranch);
  unsigned looked = 0;
  for (const Cover &cover : covers) {
    if (looked++ == limits::fitFirstBranches || !found.empty())
      return;
    std::vector<std::uint32_t> rest;
    for (std::size_t k = 0; k < where.size(); ++k)
      if (!(cover.right[k / 64] >> (k % 64) & 1))
        rest.push_back(where[k]);
    std::vector<Sized> others;
    meet(target, rest, others);
    llvm::stable_sort(others, [](const Sized &x, const Sized &y) { return x.size < y.size; });
    for (const Sized &other : llvm::ArrayRef(others).take_front(2)) {
      std::vector<std::int64_t> values;
      if (!table.evaluate(other.term, sample, values))
        continue;
      std::vector<std::int32_t> isFirst(sample.size());
      std::vector<std::uint8_t> differ(sample.size());
      for (std::size_t k = 0; k < where.size(); ++k) {
        isFirst[where[k]] = cover.right[k / 64] >> (k % 64) & 1;
        differ[where[k]] = !isFirst[where[k]] || values[where[k]] != target[where[k]];
      }
      std::vector<Sized> conditions = findBooleans(isFirst, differ, Effort::Junction);
      llvm::stable_sort(conditions, [](const Sized &x, const Sized &y) { return x.size < y.size; });
      for (const Sized &condition : llvm::ArrayRef(conditions).take_front(2))
        found.push_back({entries[cover.entry].size + other.size + condition.size + 1,
                         pool.select(condition.term, term(cover.entry), other.term)});
    }
  }
}

/// Finds target = if c then a else b: pairs (a, b) of which one is right in every row, and a condition c that tells which one.
void Enumeration::select(llvm::ArrayRef<std::int32_t> target, llvm::ArrayRef<std::uint32_t> where,
                         std::vector<Sized> &found) {
  constexpr unsigned largestBranch = 5;
  const unsigned enough = limits.inPieces ? limits::fitBranchesInPieces : limits::fitBranches;
  const std::size_t words = (where.size() + 63) / 64;
  std::vector<Cover> covers = coversOf(target, where, largestBranch);
  if (covers.size() > limits::fitConditionals)
    covers.resize(limits::fitConditionals);
  struct Pair {
    unsigned size;
    std::size_t a, b;
  };
  std::vector<Pair> pairs;
  for (std::size_t a = 0; a < covers.size(); ++a)
    for (std::size_t b = a + 1; b < covers.size(); ++b) {
      if (covers[a].count + covers[b].count < where.size())
        break; // later entries are right in fewer rows
      std::size_t right = 0;
      for (std::size_t w = 0; w < words; ++w)
        right += static_cast<std::size_t>(std::popcount(covers[a].right[w] | covers[b].right[w]));
      if (right == where.size())
        pairs.push_back({entries[covers[a].entry].size + 0u + entries[covers[b].entry].size, a, b});
    }
  llvm::stable_sort(pairs, [](const Pair &x, const Pair &y) { return x.size < y.size; });
  const std::size_t most = (limits.inPieces ? 4u : 1u) * limits::fitPairs;
  if (pairs.size() > most)
    pairs.resize(most);
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
    for (std::size_t i = 0; i < std::min<std::size_t>(2, conditions.size()); ++i) {
      const Term otherwise = term(covers[pair.b].entry), then = term(covers[pair.a].entry);
      found.push_back({pair.size + conditions[i].size + 1, pool.select(conditions[i].term, then, otherwise)});
    }
    fitted += !conditions.empty();
  };
  for (const Pair &pair : pairs)
    if (fitted < enough)
      fitConditions(pair, Effort::Comparison);
  for (const Pair &pair : llvm::ArrayRef(pairs).take_front(enough))
    if (fitted == 0)
      fitConditions(pair, Effort::Junction);
}

} // namespace quadrille::compiler::prove
