//===- CostFit.cpp - alpha, beta and gamma from times of whole collectives -------------------------------------------------===//

#include "CostFit.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace quadrille::compiler {

namespace {

constexpr size_t parameterCount = 3;
using Vector = std::array<double, parameterCount>;

/// The sums of least squares: of products of counts, and of products of counts and times. All are divided by times.
struct NormalEquations {
  std::array<Vector, parameterCount> products{};
  Vector right{};
};

} // namespace

static Vector countsOf(const TimedCost &time) {
  return {static_cast<double>(time.cost.a) / time.seconds, static_cast<double>(time.cost.b) / time.seconds, static_cast<double>(time.cost.c) / time.seconds};
}

/// Solves the equations for the parameters in `used`, the others are 0, by elimination; nothing if they do not determine them.
static std::optional<Vector> solve(const NormalEquations &equations, unsigned used) {
  std::array<Vector, parameterCount> left = equations.products;
  Vector right = equations.right;
  for (size_t i = 0; i < parameterCount; ++i)
    if (!(used >> i & 1)) {
      for (size_t j = 0; j < parameterCount; ++j)
        if (j != i)
          left[i][j] = left[j][i] = 0;
      left[i][i] = std::max(1.0, left[i][i]); // its equation says 0
      right[i] = 0;
    }
  for (size_t i = 0; i < parameterCount; ++i) {
    // The matrix is positive definite unless counts depend on each other, so its diagonal needs no exchange of rows.
    const double pivot = left[i][i];
    if (!(pivot > 1e-12 * equations.products[i][i]) || pivot <= 0)
      return std::nullopt;
    for (size_t row = i + 1; row < parameterCount; ++row) {
      const double factor = left[row][i] / pivot;
      for (size_t j = i; j < parameterCount; ++j)
        left[row][j] -= factor * left[i][j];
      right[row] -= factor * right[i];
    }
  }
  Vector result{};
  for (size_t i = parameterCount; i-- > 0;) {
    double value = right[i];
    for (size_t j = i + 1; j < parameterCount; ++j)
      value -= left[i][j] * result[j];
    result[i] = value / left[i][i];
  }
  return result;
}

std::optional<CostFit> fitCosts(llvm::ArrayRef<TimedCost> times, const MachineParameters &before) {
  if (times.size() < parameterCount)
    return std::nullopt;
  NormalEquations equations;
  for (const TimedCost &time : times) {
    const Vector counts = countsOf(time);
    for (size_t i = 0; i < parameterCount; ++i) {
      for (size_t j = 0; j < parameterCount; ++j)
        equations.products[i][j] += counts[i] * counts[j];
      equations.right[i] += counts[i];
    }
  }
  if (llvm::all_of(equations.right, [](double sum) { return sum == 0; }))
    return std::nullopt;
  const Vector known{before.alpha, before.beta, before.gamma};
  for (size_t i = 0; i < parameterCount; ++i)
    if (known[i] > 0) {
      equations.products[i][i] += 1 / (known[i] * known[i]);
      equations.right[i] += 1 / known[i];
    }
  // A parameter that comes out negative is 0 in the best solution, or another one is: three parameters have few subsets.
  std::optional<CostFit> best;
  double smallest = 0;
  for (unsigned used = 1; used < 1u << parameterCount; ++used) {
    const std::optional<Vector> found = solve(equations, used);
    if (!found || llvm::any_of(*found, [](double value) { return !(value >= 0); }))
      continue;
    CostFit fit{{(*found)[0], (*found)[1], (*found)[2]}, times.size(), 0};
    std::vector<double> errors;
    double squares = 0;
    for (const TimedCost &time : times) {
      errors.push_back(std::abs(fit.parameters.seconds(time.cost) / time.seconds - 1));
      squares += errors.back() * errors.back();
    }
    for (size_t i = 0; i < parameterCount; ++i)
      if (known[i] > 0)
        squares += ((*found)[i] / known[i] - 1) * ((*found)[i] / known[i] - 1);
    if (best && squares >= smallest)
      continue;
    llvm::sort(errors);
    fit.typicalError = errors[(errors.size() - 1) / 2];
    smallest = squares;
    best = fit;
  }
  return best;
}

} // namespace quadrille::compiler
