//===- Fit.cpp - Formulas through exact values ---------------------------------------------------------------------------===//

#include "Fit.h"

#include "llvm/ADT/STLExtras.h"

namespace quadrille {

bool fits(const Formula &formula, llvm::ArrayRef<FitSample> samples) {
  return !samples.empty() && llvm::all_of(samples, [&](const FitSample &sample) {
    std::optional<Rational> value = evaluate(formula, *sample.values);
    return value && value->valid() && *value == sample.wanted;
  });
}

namespace {

/// Rows of a linear system in echelon form, each with its right side at the end.
class Echelon {
public:
  explicit Echelon(size_t unknowns) : unknowns(unknowns) {}

  /// False if the row contradicts those before, or numbers grow too large.
  bool add(std::vector<Rational> row) {
    for (const auto &[pivot, known] : rows) {
      const Rational factor = row[pivot];
      for (size_t i = 0; i <= unknowns && !factor.isZero(); ++i)
        row[i] = row[i] - factor * known[i];
    }
    if (!llvm::all_of(row, [](const Rational &r) { return r.valid(); }))
      return false;
    size_t pivot = 0;
    while (pivot < unknowns && row[pivot].isZero())
      ++pivot;
    if (pivot == unknowns)
      return row[unknowns].isZero();
    const Rational leading = row[pivot];
    for (Rational &r : row)
      r = r / leading;
    // Those before do without the new one's unknown.
    for (auto &[other, known] : rows) {
      const Rational factor = known[pivot];
      for (size_t i = 0; i <= unknowns && !factor.isZero(); ++i)
        known[i] = known[i] - factor * row[i];
    }
    rows.push_back({pivot, std::move(row)});
    return true;
  }

  bool isDetermined() const { return rows.size() == unknowns; }

  std::vector<Rational> solution() const {
    std::vector<Rational> result(unknowns);
    for (const auto &[pivot, row] : rows)
      result[pivot] = row[unknowns];
    return result;
  }

private:
  const size_t unknowns;
  std::vector<std::pair<size_t, std::vector<Rational>>> rows;
};

} // namespace

std::optional<Formula> fit(llvm::ArrayRef<Formula> terms, llvm::ArrayRef<FitSample> samples, unsigned mostTerms,
                           unsigned spare) {
  if (llvm::all_of(samples, [](const FitSample &sample) { return sample.wanted.isZero(); }))
    return samples.empty() ? std::nullopt : std::optional<Formula>(0);
  // values[term][sample]; terms without a value somewhere are of no use.
  std::vector<std::vector<Rational>> values;
  std::vector<Formula> usable;
  for (const Formula &term : terms) {
    std::vector<Rational> column;
    for (const FitSample &sample : samples)
      if (std::optional<Rational> value = evaluate(term, *sample.values); value && value->valid())
        column.push_back(*value);
    if (column.size() == samples.size() && !llvm::is_contained(values, column)) {
      values.push_back(std::move(column));
      usable.push_back(term);
    }
  }
  std::vector<size_t> chosen;
  std::optional<Formula> found;
  auto solve = [&] {
    if (samples.size() < chosen.size() + spare)
      return false;
    Echelon system(chosen.size());
    for (size_t s = 0; s < samples.size(); ++s) {
      std::vector<Rational> row;
      for (size_t term : chosen)
        row.push_back(values[term][s]);
      row.push_back(samples[s].wanted);
      if (!system.add(std::move(row)))
        return false;
    }
    if (!system.isDetermined())
      return false;
    Formula sum = 0;
    const std::vector<Rational> factors = system.solution();
    for (size_t i = 0; i < chosen.size(); ++i)
      sum = sum + Formula(factors[i]) * usable[chosen[i]];
    found = sum;
    return true;
  };
  auto choose = [&](auto &self, size_t from, unsigned left) -> bool {
    if (left == 0)
      return solve();
    for (size_t i = from; i + left <= usable.size(); ++i) {
      chosen.push_back(i);
      if (self(self, i + 1, left - 1))
        return true;
      chosen.pop_back();
    }
    return false;
  };
  for (unsigned count = 1; count <= mostTerms; ++count)
    if (choose(choose, 0, count))
      return found;
  return std::nullopt;
}

} // namespace quadrille
