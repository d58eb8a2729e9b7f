//===- Costs.cpp - Clauses and formulas in further cases -------------------------------------------------===//

#include "Examination.h"

#include "../closed-forms/Comparison.h"

namespace quadrille::compiler::fuzz {

/// Usual and unusual lengths.
static std::vector<std::int64_t> manyLengths() {
  std::vector<std::int64_t> lengths;
  for (std::int64_t n = 0; n <= 24; ++n)
    lengths.push_back(n);
  lengths.insert(lengths.end(), {31, 32, 63, 100, 1023, 65536, 1000003});
  return lengths;
}

void Examination::compareClauses() {
  if (!schedule.cost && !schedule.rounds)
    return;
  stage("comparing costs with clauses");
  CheckOptions at = options;
  at.wantBrackets = false;
  at.lengths = manyLengths();
  for (const Case &instance : cases(questions.ps, questions.parameters))
    for (LengthPattern pattern : {LengthPattern::Even, LengthPattern::Uneven, LengthPattern::Single}) {
      if (pattern != LengthPattern::Even && schedule.tables.empty())
        continue;
      at.tables.pattern = pattern;
      try {
        checkCase(schedule, instance, at, schedule.requiresCommutative, trees);
      } catch (const Finding &found) {
        if (!isLimit(found.diagnostic.id()))
          return finding("accepted, but refused at other lengths", textOf(instance) + ": " + textOf(found.diagnostic));
      }
    }
}

void Examination::compareFormulas() {
  stage("looking for formulas of costs");
  ClosedFormOptions wanted;
  wanted.limits = options.limits;
  wanted.transfers = 5000;
  try {
    const ClosedForms forms = closedForms(schedule, wanted);
    stage("comparing costs with formulas");
    bool isWrong = false;
    closedforms::Comparison comparison(schedule, {forms}, [&](const closedforms::Difference &difference) {
      if (difference.factor.evidence != Evidence::Proved || isWrong)
        return;
      isWrong = true;
      finding("a formula is proved, and the cost is another", textOf(difference.instance) + ", n = " + std::to_string(difference.n) + ": " +
                                                difference.what + " " + std::to_string(difference.exact) + ", not " +
                                                difference.value + " = " + difference.factor.formula.text());
    });
    CheckOptions at = options;
    at.wantBrackets = false;
    at.lengths = {0, 1, 2, 3, 5, 7, 12, 23, 1000};
    at.tables.pattern = LengthPattern::Uneven;
    std::vector<Case> compared = cases(questions.ps, questions.parameters), later = laterCases();
    compared.insert(compared.end(), later.begin(), later.end());
    for (const Case &instance : compared) {
      if (instance.p > 33 || comparison.compared > 5000)
        continue;
      try {
        comparison.compare(instance, at, trees);
      } catch (const Finding &found) { // the prover is responsible for errors at larger numbers
        if (isLimit(found.diagnostic.id()))
          break;
      }
    }
  } catch (const Finding &) {
    // The samples may be larger than the cases that were checked.
  }
}

} // namespace quadrille::compiler::fuzz
