//===- MeasuredGantt.h - What every rank did when ------------------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_REPORT_MEASUREDGANTT_H
#define QUADRILLE_REPORT_MEASUREDGANTT_H

#include "Measurements.h"

#include "draw/Gantt.h"

namespace quadrille::compiler {

/// A traced case as a Gantt chart. As in predicted ones, a transfer begins when both sides have reached it, if their times can be
/// compared; until then a rank waits.
draw::Gantt measuredGantt(const MeasuredCase &measured);

} // namespace quadrille::compiler

#endif // QUADRILLE_REPORT_MEASUREDGANTT_H
