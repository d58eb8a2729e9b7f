//===- quadrille/harness.h - Registration of collectives ------*- C++ -*-===//
//
// A program that runs emitted collectives consists of one translation unit for
// each collective, which `quadrille run` generates, and of the library
// quadrille_harness_shm or quadrille_harness_mpi, which contains `main`. A unit:
//
//   #include "scan_hypercube.cpp"
//   #include "quadrille/harness.h"
//
//   static quadrille::Status run(Communicator &comm, const quadrille::harness::Arguments &a,
//                                const Communicator::Datatype &type,
//                                const Communicator::Operator &op) {
//     return scan_hypercube(comm, a.inputs[0], a.outputs[0], a.n, type, op);
//   }
//   static const quadrille::harness::Collective<Communicator> collective("scan_hypercube", run, start, prepare);
//
// `start` and `prepare` are like `run`, but call the nonblocking and the persistent
// form, and return a Request and a Persistent.
//
//===----------------------------------------------------------------------===//

#ifndef QUADRILLE_HARNESS_H
#define QUADRILLE_HARNESS_H

#include "quadrille/index.h"
#include "quadrille/request.h"
#include "quadrille/status.h"

#include <cstddef>
#include <vector>

namespace quadrille {
namespace harness {

/// The arguments that a generated `run` passes to the collective.
struct Arguments {
  std::vector<Index> numbers;
  std::vector<std::vector<std::size_t>> tables;
  std::vector<const void *> inputs;
  std::vector<void *> outputs;
  std::size_t n = 0;
  /// Whether the call is recorded only, so that no rank can be told lengths.
  bool isRecorded = false;
  mutable Index chosen = 0; ///< set by `run`: the number of packets chosen for a parameter 0; 0: none was chosen
};

/// Registers a collective of the program, in all its forms. Cases refer to it by
/// its name. All are registered before `main` begins.
template <class Communicator> struct Collective {
  using Datatype = typename Communicator::Datatype;
  using Operator = typename Communicator::Operator;
  using Run = Status(Communicator &, const Arguments &, const Datatype &, const Operator &);
  using Start = Request(Communicator &, const Arguments &, const Datatype &, const Operator &);

  using Prepare = Persistent(Communicator &, const Arguments &, const Datatype &, const Operator &);

  Collective(const char *name, Run *run, Start *start, Prepare *prepare)
      : name(name), run(run), start(start), prepare(prepare), next(first) {
    first = this;
  }
  Collective(const Collective &) = delete;

  const char *name;
  Run *run;
  Start *start;
  Prepare *prepare;
  const Collective *next;
  inline static const Collective *first = nullptr;
};

} // namespace harness
} // namespace quadrille

#endif // QUADRILLE_HARNESS_H
