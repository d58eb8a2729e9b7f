//===- RunSchedule.h - Compiling a schedule, running it and looking at what came out --------------------------------*- C++ -*-===//
//
// One program per schedule and backend, one launch per p, in which all cases (lengths, roots, types, operators, in
// place or not) run one after the other. Ranks report hashes of what they computed; here they are compared with what
// the collective promises and, if there is one, with the reference interpreter.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_RUN_RUNSCHEDULE_H
#define QUADRILLE_RUN_RUNSCHEDULE_H

#include "emit/Emit.h"
#include "instantiate/Lengths.h"

#include "quadrille/machine.h"

#include "llvm/Support/raw_ostream.h"

#include <functional>

namespace quadrille {

class Diagnostics;
class Sources;

namespace run {

/// A case for the reference interpreter: it fills `outputs`, each as large as it comes, from `inputs`. What it leaves
/// as it is, is not compared.
struct ReferenceCase {
  const ir::Schedule *schedule = nullptr;
  std::int64_t p = 1;
  std::vector<std::int64_t> numbers; // as in Schedule::numbers: parameters, then the collective's
  Lengths lengths;
  std::uint64_t elementBytes = 0;
  /// into := left <> right on `count` elements; `into` may be either operand.
  std::function<void(void *into, const void *left, const void *right, std::uint64_t count)> combine;
  std::vector<std::vector<std::vector<unsigned char>>> inputs;  // [rank][input]; empty where the rank has none
  std::vector<std::vector<std::vector<unsigned char>>> outputs; // [rank][output]
};
/// What kept it from doing the case; empty: it has done it.
using ReferenceInterpreter = std::function<std::string(ReferenceCase &)>;

struct Case;

struct RunRequest {
  const ir::Schedule *schedule = nullptr;
  const ir::Program *program = nullptr;
  emit::Backend backend = emit::Backend::Shm;
  std::vector<std::int64_t> ps{4}, ns{1000};
  std::vector<std::int64_t> roots{0};
  bool allRoots = false;              // instead of `roots`
  LengthChoice tables;                // how tables of lengths are filled
  std::vector<std::int64_t> params;   // one per parameter of the schedule; 0: chosen by the machine, see emit/PacketChoice.h
  std::vector<std::string> types{"double"};
  std::vector<std::string> operators; // empty: `sum`, and `matmul` on mat2
  bool inPlace = false;               // every case also with the output in the input's memory
  std::vector<std::string> input;     // what ranks put in, one after the other; empty: random data
  bool show = false;                  // print the results
  bool verify = false;
  bool nonblocking = false;           // several calls in flight at once
  unsigned repeat = 0;                // timed calls per case
  unsigned timeoutSeconds = 60;       // per case
  std::uint64_t seed = 1;
  std::string executable;             // Quadrille's own path, beside which the runtime may be installed
  ReferenceInterpreter reference;     // may be null
  /// What startups and bytes take where p ranks run: for choices of packets.
  std::function<MachineTimes(std::int64_t p)> machine;
  /// The seconds that a call should take; nothing, or null, if there is no prediction.
  std::function<std::optional<double>(const Case &)> predict;
};

/// Prints a line per case to `out`. True if all of them ended well (and, with `verify`, with the promised results);
/// otherwise something has been reported.
bool runSchedule(const RunRequest &request, const Sources &sources, llvm::raw_ostream &out, Diagnostics &diagnostics);

/// The `main` that runs both forms of the emitted function on cases.
std::string mainSource(const ir::Schedule &schedule, const emit::EmittedCode &code);

} // namespace run
} // namespace quadrille

#endif // QUADRILLE_RUN_RUNSCHEDULE_H
