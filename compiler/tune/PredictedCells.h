//===- PredictedCells.h - What the schedules of a table are expected to take ------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_TUNE_PREDICTEDCELLS_H
#define QUADRILLE_TUNE_PREDICTEDCELLS_H

#include "Contestants.h"
#include "TuningGrid.h"

#include "report/ProgressLine.h"
#include "run/Cases.h"
#include "run/Predictions.h"

namespace quadrille::compiler::tune {

/// A cell for each collective, p and length of the grid, with all schedules that admit p and their predicted times. Cells in which there
/// is none, or that no call is about, are left out. `request`: what all runs have in common.
std::vector<Cell> predictedCells(const TuningGrid &grid, Contestants &contestants, run::Predictions &predictions, run::RunRequest request,
                                 ProgressLine &progress, Diagnostics &diagnostics);

} // namespace quadrille::compiler::tune

#endif // QUADRILLE_TUNE_PREDICTEDCELLS_H
