//===- Machine.h - What startups, words and operations take -------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_COST_MACHINE_H
#define QUADRILLE_COST_MACHINE_H

namespace quadrille {

struct MachineParameters {
  double alpha = 1e-6, beta = 1e-9, gamma = 1e-10; // seconds
};

} // namespace quadrille

#endif // QUADRILLE_COST_MACHINE_H
