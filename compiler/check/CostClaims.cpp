//===- CostClaims.cpp - Are the `cost` and `rounds` clauses true? -------------------------------------------------------------------===//

#include "CostClaims.h"

#include "Check.h"

#include "cost/Formula.h"

#include <set>

namespace quadrille {

std::vector<std::int64_t> sampleLengths(std::int64_t unit) {
  constexpr std::int64_t large = (std::int64_t(1) << 30) + 1; // no power, and sums over many ranks still fit
  std::set<std::int64_t> lengths = {1, unit, 3 * unit + 1, 1000, large};
  if (unit > 2)
    lengths.insert(2 * unit - 1);
  return {lengths.begin(), lengths.end()};
}

std::vector<Lengths> sampleLengths(std::int64_t unit, const LengthTables &tables) {
  std::vector<Lengths> samples;
  if (tables) {
    samples.push_back(fill(tables, 1, LengthPattern::Even));
    for (std::int64_t n : {std::int64_t(1), 3 * unit + 1, std::int64_t(1000)})
      for (LengthPattern pattern : {LengthPattern::Uneven, LengthPattern::Single})
        samples.push_back(fill(tables, n, pattern));
    // What forgets an entry, or takes one for another, is seen where that alone is not 0.
    constexpr std::uint64_t mostEntries = 9;
    const std::uint64_t entries = entryCount(tables);
    for (std::uint64_t entry = 0; entry < entries && entries <= mostEntries; ++entry) {
      Lengths &single = samples.emplace_back(fill(tables, 0, LengthPattern::Even));
      single.n = single.entries[entry] = 1000;
    }
  } else {
    for (std::int64_t n : sampleLengths(unit))
      samples.push_back(n);
  }
  return samples;
}

void checkCostClaims(const ir::Schedule &schedule, const Case &instance, const MeasuredCost &cost,
                     std::uint32_t rounds, std::int64_t unit, llvm::ArrayRef<std::int64_t> given, TreeCache &trees) {
  if (!schedule.cost && !schedule.rounds)
    return;
  Frame frame = clauseFrame(schedule, instance.p, instance.numbers, trees);
  std::vector<Lengths> samples = cost.samples;
  if (cost.perBlock) {
    std::vector<std::int64_t> ns = sampleLengths(unit);
    llvm::copy_if(given, std::back_inserter(ns), [&](std::int64_t n) { return !llvm::is_contained(ns, n); });
    llvm::sort(ns);
    samples.assign(ns.begin(), ns.end());
  }
  for (size_t s = 0; s < samples.size(); ++s) {
    std::int64_t n = samples[s].n;
    std::string at = caseText(schedule, instance) + (schedule.tables.empty() ? ", n = " + std::to_string(n) : ", " + lengthsText(samples[s]));
    if (schedule.cost) {
      const ir::Claim &claim = *schedule.cost;
      LinearCost wanted = evaluateFormula(*claim.formula, frame, samples[s]);
      if (!wanted.constant.isZero())
        throw EvaluationError{diag::Id::CostNotLinear, claim.formula->range, {}};
      LinearCost found = LinearCost::of(cost.at(cost.synchronous, s, n));
      auto holds = [&](const Rational &x, const Rational &y) { return claim.upperBound ? x <= y : x == y; };
      if (!holds(found.a, wanted.a) || !holds(found.b, wanted.b) || (claim.mentionsGamma && !holds(found.c, wanted.c)))
        throw Finding{Diagnostic(claim.upperBound ? diag::Id::CostExceeded : diag::Id::CostWrong, claim.formula->range,
                                 {found.text(claim.mentionsGamma), wanted.text(claim.mentionsGamma), at})};
    }
    if (schedule.rounds) {
      const ir::Claim &claim = *schedule.rounds;
      LinearCost wanted = evaluateFormula(*claim.formula, frame, samples[s]);
      if (!wanted.isNumber())
        throw EvaluationError{diag::Id::TypeMismatch, claim.formula->range, {"a number", "a cost"}};
      Rational found(rounds);
      if (claim.upperBound ? !(found <= wanted.constant) : found != wanted.constant)
        throw Finding{Diagnostic(claim.upperBound ? diag::Id::RoundsExceeded : diag::Id::RoundsWrong, claim.formula->range,
                                 {found.text() + (rounds == 1 ? " round" : " rounds"), wanted.constant.text(), at})};
    }
  }
}

} // namespace quadrille
