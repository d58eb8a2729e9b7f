//===- CostFit.h - alpha, beta and gamma from times of whole collectives -------------------------------------------------*- C++ -*-===//
//
// `calibrate` measures single messages and combinations. Here times of whole calls are fitted, in which startups overlap and ranks wait for each
// other: a = startups, b = words and c = combined words of a call are known, so its time is to be a*alpha + b*beta + c*gamma.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_MACHINES_COSTFIT_H
#define QUADRILLE_MACHINES_COSTFIT_H

#include "MachineDescription.h"

#include "llvm/ADT/ArrayRef.h"

#include <optional>

namespace quadrille::compiler {

/// The cost of a call, and its measured time.
struct TimedCost {
  Cost cost;
  double seconds = 0; // > 0
};

/// Parameters that fit times.
struct CostFit {
  MachineParameters parameters; // none is negative
  size_t times = 0;
  double typicalError = 0; // half of the times differ from what the parameters say by no more than this share of them
};

/// Fits by least squares of relative errors, so that short calls count as much as long ones. What is known of a parameter before, if it is not
/// 0, counts as one more call: so a parameter of which the times tell little, as beta where all calls are short, stays what it was. Nothing if
/// there are fewer than three times, or if all costs are 0.
std::optional<CostFit> fitCosts(llvm::ArrayRef<TimedCost> times, const MachineParameters &before);

} // namespace quadrille::compiler

#endif // QUADRILLE_MACHINES_COSTFIT_H
