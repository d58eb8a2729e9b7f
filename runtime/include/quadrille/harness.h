//===- quadrille/harness.h - Makes an emitted collective known -*- C++ -*-===//
//
// A program that runs emitted collectives on many cases is made of one unit
// for each, which `quadrille run` generates, and of the library
// quadrille_harness_shm or quadrille_harness_mpi, which has the `main`:
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
// where `start` and `prepare` are the same for the nonblocking and the persistent
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

/// What a generated `run` hands to the collective.
struct Arguments {
  std::vector<Index> numbers;
  std::vector<std::vector<std::size_t>> tables;
  std::vector<const void *> inputs;
  std::vector<void *> outputs;
  std::size_t n = 0;
  mutable Index chosen = 0; ///< the number of packets that a generated `run` found to be taken for 0; 0: none was
};

/// A collective of the program, in all forms, under the name by which cases
/// ask for it. All of them are known before `main` begins.
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
