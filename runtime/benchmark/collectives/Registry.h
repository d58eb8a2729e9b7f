//===- Registry.h - The emitted schedules of a program ----------*- C++ -*-===//
//
// tools/bench writes a unit for each, which includes what was emitted and, for
// each number of packets that is to be tried,
//
//   static const benchmark::Emitted<&collectives::scan_doubling> unit(benchmark::Scan, "doubling", 0);
//
//===----------------------------------------------------------------------===//

#ifndef QUADRILLE_BENCHMARK_COLLECTIVES_REGISTRY_H
#define QUADRILLE_BENCHMARK_COLLECTIVES_REGISTRY_H

#include "Contestants.h"
#include "Data.h"
#include "World.h"

namespace benchmark {

/// Filled before `main` begins.
inline std::vector<Contestant<World>> &emitted() {
  static std::vector<Contestant<World>> all;
  return all;
}

template <auto function> struct Emitted {
  Emitted(int collective, const char *name, quadrille::Index parameter) { emitted().push_back({collective, "emitted", name, call, parameter}); }

  static quadrille::Status call(World &world, const Contestant<World> &c, const Arguments &arguments) {
    return callEmitted(function, world.communicator(), arguments, c.parameter, isRooted(c.collective), world.type, world.op);
  }
};

} // namespace benchmark

#endif // QUADRILLE_BENCHMARK_COLLECTIVES_REGISTRY_H
