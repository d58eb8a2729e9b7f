//===- MeasuredGantt.h - What every rank did when ------------------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_REPORT_MEASUREDGANTT_H
#define QUADRILLE_REPORT_MEASUREDGANTT_H

#include "Measurements.h"

#include "draw/Gantt.h"

namespace quadrille::compiler {

/// A traced case as a Gantt chart. If times of ranks can be compared, a transfer begins when both sides have reached it, as in predicted
/// charts; until then a rank waits.
draw::Gantt measuredGantt(const MeasuredCase &measured);

} // namespace quadrille::compiler

#endif // QUADRILLE_REPORT_MEASUREDGANTT_H
