//===- Costs.cpp - Clauses and formulas at cases that nobody has looked at -------------------------------------------------===//

#include "Examination.h"

#include "../closed-forms/Comparison.h"

namespace quadrille::fuzz {

void Examination::compareCosts() {
  stage("comparing costs with clauses");
  CheckOptions at = options;
  at.wantBrackets = false;
  for (std::int64_t n = 0; n <= 24; ++n)
    at.lengths.push_back(n);
  at.lengths.insert(at.lengths.end(), {31, 32, 63, 100, 1023, 65536, 1000003});
  std::vector<Case> compared = cases({1, 2, 3, 4, 5, 8}, {1, 2, 5});
  for (const Case &instance : compared)
    for (LengthPattern pattern : {LengthPattern::Even, LengthPattern::Uneven, LengthPattern::Single}) {
      if (pattern != LengthPattern::Even && schedule.tables.empty())
        continue;
      at.tables.pattern = pattern;
      try {
        checkCase(schedule, instance, at, schedule.requiresCommutative, trees);
      } catch (const Finding &found) {
        // The checks have looked at up to seven ranks and at three parameters.
        if (!isLimit(found.diagnostic.id) && llvm::is_contained(questions.ps, instance.p) &&
            (schedule.parameterCount == 0 || llvm::is_contained(questions.parameters, instance.numbers[0])))
          return finding("accepted, but refused at other lengths", textOf(instance) + ": " + textOf(found.diagnostic));
      }
    }

  stage("looking for formulas of costs");
  ClosedFormOptions wanted;
  wanted.limits = options.limits;
  wanted.transfers = 5000;
  try {
    const ClosedForms forms = closedForms(schedule, wanted);
    bool isWrong = false;
    closedforms::Comparison comparison(schedule, forms, [&](const closedforms::Difference &difference) {
      if (difference.factor.evidence != Evidence::Proved || isWrong)
        return;
      isWrong = true;
      finding("a formula is proved, and the cost is another", textOf(difference.instance) + ", n = " + std::to_string(difference.n) + ": " +
                                                difference.what + " " + std::to_string(difference.exact) + ", not " +
                                                difference.value + " = " + difference.factor.formula.text());
    });
    at.tables.pattern = LengthPattern::Uneven;
    std::vector<Case> later = laterCases();
    compared.insert(compared.end(), later.begin(), later.end());
    for (const Case &instance : compared) {
      if (instance.p > 33 || comparison.compared > 20000)
        continue;
      try {
        comparison.compare(instance, at, trees);
      } catch (const Finding &) { // what is wrong where numbers are larger is for the prover
      }
    }
  } catch (const Finding &found) {
    // The samples may be larger than what the checks have looked at.
  }
}

} // namespace quadrille::fuzz
