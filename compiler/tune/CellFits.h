//===- CellFits.h - The cost model, fitted to what was measured -----------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_TUNE_CELLFITS_H
#define QUADRILLE_TUNE_CELLFITS_H

#include "SelectionTable.h"

#include "machines/CostFit.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <map>
#include <string>
#include <vector>

namespace quadrille::compiler::tune {

/// Fits alpha, beta and gamma to the measured times of each p, and predicts all times of that p by these. `before`: what is known of the machine
/// without these times, for the words that the cells count.
std::map<std::int64_t, CostFit> fitCells(llvm::MutableArrayRef<Cell> cells, llvm::function_ref<MachineParameters(std::int64_t p)> before);

/// A line for each p: the parameters, for words of `wordBytes` bytes, and how well they fit.
std::vector<std::string> fitTexts(const std::map<std::int64_t, CostFit> &fits, std::int64_t wordBytes);

} // namespace quadrille::compiler::tune

#endif // QUADRILLE_TUNE_CELLFITS_H
