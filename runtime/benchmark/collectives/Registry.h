//===- Registry.h - The emitted schedules of a program ----------*- C++ -*-===//
//
// For each schedule tools/bench writes a source file, which includes the
// emitted code. It has a line for each number of packets that is measured:
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

/// The emitted schedules, which are registered before `main` begins.
inline std::vector<Contestant<World>> &emitted() {
  static std::vector<Contestant<World>> all;
  return all;
}

template <auto function> struct Emitted {
  Emitted(int collective, const char *name, quadrille::Index parameter) {
    emitted().push_back({collective, "emitted", name, call, parameter, -1, collective == Broadcast});
  }

  static quadrille::Status call(World &world, const Contestant<World> &c, const Arguments &arguments) {
    return callEmitted(function, world.communicator(), arguments, c.parameter, isRooted(c.collective), world.type, world.op);
  }
};

} // namespace benchmark

#endif // QUADRILLE_BENCHMARK_COLLECTIVES_REGISTRY_H
