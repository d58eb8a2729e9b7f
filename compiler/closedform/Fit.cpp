//===- Fit.cpp - Formulas through exact values ---------------------------------------------------------------------------===//

#include "Fit.h"

#include "llvm/ADT/STLExtras.h"

#include <cassert>

namespace quadrille::compiler {

bool fits(const Formula &formula, llvm::ArrayRef<FitSample> samples) {
  return !samples.empty() && llvm::all_of(samples, [&](const FitSample &sample) {
    std::optional<Rational> value = evaluate(formula, *sample.values);
    return value && value->valid() && *value == sample.wanted;
  });
}

namespace {

/// A number modulo the prime 2^61 - 1. A linear system without a solution modulo a prime has none at all, unless the prime
/// divides one of its determinants, which is unlikely for this prime.
class Residue {
public:
  Residue(std::int64_t number = 0) : value(static_cast<std::uint64_t>((number % prime + prime) % prime)) {}

  static std::optional<Residue> of(const Rational &fraction) {
    const Residue denominator(fraction.den());
    if (denominator.isZero())
      return std::nullopt;
    return Residue(fraction.num()) / denominator;
  }

  bool valid() const { return true; }
  bool isZero() const { return value == 0; }
  bool operator==(const Residue &) const = default;
  Residue operator-(Residue other) const { return from((value + prime - other.value) % prime); }
  Residue operator*(Residue other) const {
    return from(static_cast<std::uint64_t>(static_cast<unsigned __int128>(value) * other.value % prime));
  }
  Residue operator/(Residue other) const {
    assert(!other.isZero() && "a divisor is not 0");
    Residue inverse(1); // x ** (prime - 2), by Fermat's little theorem
    for (std::uint64_t exponent = prime - 2; exponent; exponent >>= 1) {
      if (exponent & 1)
        inverse = inverse * other;
      other = other * other;
    }
    return *this * inverse;
  }

private:
  static constexpr std::int64_t prime = (std::int64_t(1) << 61) - 1;
  static Residue from(std::uint64_t value) {
    Residue result;
    result.value = value;
    return result;
  }

  std::uint64_t value;
};

/// A linear system in echelon form. Each row ends with its right side.
template <typename Number>
class Echelon {
public:
  using Row = std::vector<Number>;

  explicit Echelon(size_t unknowns) : unknowns(unknowns) {}

  /// Adds an equation. Returns false if it contradicts earlier ones, or numbers grow too large.
  bool add(Row row) {
    assert(row.size() == unknowns + 1 && "a row ends with its right side");
    for (const auto &[pivot, known] : rows) {
      const Number factor = row[pivot];
      for (size_t i = 0; i <= unknowns && !factor.isZero(); ++i)
        row[i] = row[i] - factor * known[i];
    }
    if (!llvm::all_of(row, [](const Number &r) { return r.valid(); }))
      return false;
    size_t pivot = 0;
    while (pivot < unknowns && row[pivot].isZero())
      ++pivot;
    if (pivot == unknowns)
      return row[unknowns].isZero();
    const Number leading = row[pivot];
    for (Number &r : row)
      r = r / leading;
    // Eliminate the new pivot from earlier rows.
    for (auto &[other, known] : rows) {
      const Number factor = known[pivot];
      for (size_t i = 0; i <= unknowns && !factor.isZero(); ++i)
        known[i] = known[i] - factor * row[i];
    }
    rows.push_back({pivot, std::move(row)});
    return true;
  }

  bool isDetermined() const { return rows.size() == unknowns; }

  Row solution() const {
    assert(isDetermined() && "each unknown has a row");
    Row result(unknowns);
    for (const auto &[pivot, row] : rows)
      result[pivot] = row[unknowns];
    return result;
  }

  /// The rows sorted by pivot, equivalent to all equations added.
  std::vector<Row> independentRows() const {
    std::vector<Row> result;
    for (const auto &entry : rows)
      result.push_back(entry.second);
    return result;
  }

private:
  const size_t unknowns;
  std::vector<std::pair<size_t, Row>> rows;
};

/// Solves the system for the `chosen` unknowns, with all others 0.
template <typename Number>
std::optional<std::vector<Number>> solve(llvm::ArrayRef<std::vector<Number>> rows, llvm::ArrayRef<size_t> chosen) {
  Echelon<Number> system(chosen.size());
  for (const std::vector<Number> &row : rows) {
    std::vector<Number> part;
    for (size_t term : chosen)
      part.push_back(row[term]);
    part.push_back(row.back());
    if (!system.add(std::move(part)))
      return std::nullopt;
  }
  return system.isDetermined() ? std::optional(system.solution()) : std::nullopt;
}

/// A minimal system modulo the prime that is equivalent to `rows`. Nothing if `rows` contradict each other.
std::optional<std::vector<std::vector<Residue>>> residues(llvm::ArrayRef<std::vector<Rational>> rows) {
  Echelon<Residue> all(rows.front().size() - 1);
  for (const std::vector<Rational> &row : rows) {
    std::vector<Residue> numbers;
    for (const Rational &r : row)
      if (std::optional<Residue> number = Residue::of(r))
        numbers.push_back(*number);
    if (numbers.size() < row.size() || !all.add(std::move(numbers)))
      return std::nullopt;
  }
  return all.independentRows();
}

} // namespace

std::optional<Formula> fit(llvm::ArrayRef<Formula> terms, llvm::ArrayRef<FitSample> samples, unsigned mostTerms,
                           unsigned spare) {
  if (llvm::all_of(samples, [](const FitSample &sample) { return sample.wanted.isZero(); }))
    return samples.empty() ? std::nullopt : std::optional<Formula>(0);
  // One row per sample: values of the terms, and the wanted value. Terms without a value in some sample are dropped.
  std::vector<std::vector<Rational>> rows(samples.size()), columns;
  std::vector<Formula> usable;
  for (const Formula &term : terms) {
    std::vector<Rational> column;
    for (const FitSample &sample : samples)
      if (std::optional<Rational> value = evaluate(term, *sample.values); value && value->valid())
        column.push_back(*value);
    if (column.size() == samples.size() && !llvm::is_contained(columns, column)) {
      columns.push_back(std::move(column));
      usable.push_back(term);
    }
  }
  for (size_t s = 0; s < samples.size(); ++s) {
    for (const std::vector<Rational> &column : columns)
      rows[s].push_back(column[s]);
    rows[s].push_back(samples[s].wanted);
  }
  const std::optional<std::vector<std::vector<Residue>>> modulo = residues(rows);
  if (!modulo)
    return std::nullopt;
  std::vector<size_t> chosen;
  std::optional<std::vector<Rational>> factors;
  auto choose = [&](auto &self, size_t from, unsigned left) -> bool {
    if (left == 0)
      return solve<Residue>(*modulo, chosen) && (factors = solve<Rational>(rows, chosen));
    for (size_t i = from; i + left <= usable.size(); ++i) {
      chosen.push_back(i);
      if (self(self, i + 1, left - 1))
        return true;
      chosen.pop_back();
    }
    return false;
  };
  for (unsigned count = 1; count <= mostTerms && count + spare <= samples.size(); ++count)
    if (choose(choose, 0, count)) {
      Formula sum = 0;
      for (size_t i = 0; i < chosen.size(); ++i)
        sum = sum + Formula((*factors)[i]) * usable[chosen[i]];
      return sum;
    }
  return std::nullopt;
}

} // namespace quadrille::compiler
