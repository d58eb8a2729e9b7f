//===- FormulaCosts.h - What a case costs by the formulas for all p ------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_REPORT_FORMULACOSTS_H
#define QUADRILLE_REPORT_FORMULACOSTS_H

#include "CostData.h"

#include "closedform/ClosedForms.h"

namespace quadrille::compiler {

/// Evaluates formulas that are proved for all p, in cases that are too large to be run.
class FormulaCosts {
public:
  /// Derives the formulas, which may ask the solver. Throws Finding if a check of a small case fails.
  FormulaCosts(const ir::Schedule &schedule, const ClosedFormOptions &options)
      : schedule(schedule), functions(schedule), forms(closedForms(schedule, options)) {}

  /// Why the formulas tell the cost of no case; nothing if they do.
  std::optional<diag::NoFormula> whyNot() const;
  /// Sets the costs of a case. False if they do not fit in 64 bits.
  bool set(CaseCost &c) const;

private:
  bool set(Cost &cost, const CostReading &reading, const FormulaValues &values) const;

  const ir::Schedule &schedule;
  ScheduleFunctions functions;
  ClosedForms forms;
};

} // namespace quadrille::compiler

#endif // QUADRILLE_REPORT_FORMULACOSTS_H
