//===- Comparison.h - Formulas and exact costs ---------------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_TEST_CLOSEDFORMS_COMPARISON_H
#define QUADRILLE_TEST_CLOSEDFORMS_COMPARISON_H

#include "closedform/ClosedForms.h"
#include "cost/CostFormulas.h"

#include <functional>
#include <vector>

namespace quadrille::compiler::closedforms {

/// A formula whose value differs from the exact cost in a case.
struct Difference {
  const Case &instance;
  std::int64_t n;
  const char *what;  // "rounds", "asynchronous words"
  std::int64_t exact;
  std::string value; // of the formula; "undefined" if it has none
  const CostFactor &factor;
};

class Comparison {
public:
  /// `forms`: the schedule's, found in different ways.
  Comparison(const ir::Schedule &schedule, std::vector<std::reference_wrapper<const ClosedForms>> forms, std::function<void(const Difference &)> onWrong)
      : schedule(schedule), forms(std::move(forms)), onWrong(std::move(onWrong)), functions(schedule) {}

  /// Compares one case that the schedule admits, at the lengths of the options. Throws Finding if a check of the case fails.
  void compare(const Case &instance, const CheckOptions &options, TreeCache &trees);

  std::uint64_t compared = 0, wrong = 0;

private:
  const ir::Schedule &schedule;
  const std::vector<std::reference_wrapper<const ClosedForms>> forms;
  const std::function<void(const Difference &)> onWrong;
  const ScheduleFunctions functions;
};

} // namespace quadrille::compiler::closedforms

#endif // QUADRILLE_TEST_CLOSEDFORMS_COMPARISON_H
