//===- RunSchedules.h - Compiling schedules, running them and looking at what came out ------------------------------*- C++ -*-===//
//
// One program per backend contains all schedules, and is launched once per p. It runs all cases (lengths, roots, types,
// operators, in place or not) one after the other. Ranks report hashes of their results, which are compared here with the
// promises of the collective and, if wanted, with the reference interpreter (Judge.h).
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_RUN_RUNSCHEDULES_H
#define QUADRILLE_RUN_RUNSCHEDULES_H

#include "CallTrace.h"

#include "emit/Emit.h"
#include "evaluate/Lengths.h"
#include "quadrille/machine.h"

#include "llvm/Support/raw_ostream.h"

#include <functional>
#include <optional>

namespace quadrille::compiler {

class Diagnostics;
class Sources;

namespace run {

struct CallCase;

/// The times of the calls of a case in seconds, in the order of the calls. A call takes as long as its slowest rank.
struct Timing {
  std::vector<double> calls;
  std::vector<double> library;     // calls of the MPI library's own collective, made in between
  std::optional<double> predicted; // by a machine
};

/// How a case came out.
struct CaseReport {
  const CallCase &c;
  std::string wrong; // what is wrong with it; empty: nothing
  bool wasRun = true;
  Timing timing;
  std::vector<std::string> shown; // with `show`: what the ranks end with, a line each
  std::optional<CallTrace> trace; // with `tracedCalls`
};

/// The cases and options of a run, the same for all its schedules.
struct RunRequest {
  const ir::Program *program = nullptr;
  emit::Backend backend = emit::Backend::Shm;
  std::vector<std::int64_t> ns{1000};
  std::vector<std::int64_t> roots{0};
  bool allRoots = false;              // all roots instead of `roots`
  NodeChoice nodes;                   // where ranks are, which QUADRILLE_NODES tells those that are started
  LengthChoice tables;                // how tables of lengths are filled
  std::vector<std::int64_t> parameters{4}; // values of the parameter; 0: the emitted code chooses it, see emit/PacketRule.h
  std::vector<std::string> types;     // empty: `double`; with `validate` the type that shows most errors
  std::vector<std::string> operators; // empty: `sum`, and `matmul` on mat2
  bool inPlace = false;               // run every case also with the output in the input's memory
  std::vector<std::string> input;     // the elements of all inputs, rank after rank; empty: random data
  bool show = false;                  // print the results
  bool verify = false;
  bool validate = false;              // nothing runs: recorded plans are compared with the reference interpreter
  bool nonblocking = false;           // several calls are in flight at once
  bool persistent = false;            // calls are prepared once and started several times
  unsigned repeat = 0;                // timed calls per case
  unsigned tracedCalls = 0;           // further calls per case, whose operations are timed
  bool compareMpi = false;            // also time the MPI library's own collective; there must be one for each schedule
  unsigned timeoutSeconds = 60;       // per case
  std::uint64_t seed = 1;
  std::string executable;             // Quadrille's own path: the runtime may be installed beside it
  std::string launcher;               // the command that starts MPI programs; empty: the usual one
  std::optional<Limits> interpreterLimits; // limits of the reference interpreter per case; nothing: it is not used
  /// The machine's times with p ranks, by which numbers of packets are chosen; null: from the environment, or the usual ones.
  std::function<MachineTimes(std::int64_t p)> machine;
  /// Predicts the seconds of a call; may be null or return nothing.
  std::function<std::optional<double>(const CallCase &)> predict;
  /// Gets a text of what is being done, for users who wait; "" when it is done. May be null.
  std::function<void(const std::string &what)> progress;
  /// Asked before each p; if it returns false the runs end. May be null.
  std::function<bool()> goesOn;
  /// Gets every case when it is judged; all cases of a schedule come one after the other. May be null.
  std::function<void(const CaseReport &)> caseDone;
};

/// A schedule, and the numbers of ranks to run it on.
struct ScheduleToRun {
  const ir::Schedule *schedule = nullptr;
  std::vector<std::int64_t> ps;
};

/// The result of one schedule.
struct ScheduleResult {
  enum Stage { Refused, NotCompiled, Ran } stage = Refused;
  unsigned cases = 0, failed = 0;
  std::string firstFailure; // "p=5 n=100 backend=shm: rank 2, `y` element 0 is 7, promised is 4"
  bool endedBadly = false;  // a launch ended badly at its cases
  std::vector<std::int64_t> notRun; // the p before which `goesOn` has ended the runs, and those after it

  bool isGood() const { return stage == Ran && failed == 0 && !endedBadly; }
};

/// Runs all schedules and returns their results in the same order. An error of one schedule is reported, and the others run
/// nevertheless. Nothing after an error that is not about one of them, which has been reported.
std::optional<std::vector<ScheduleResult>> runSchedules(llvm::ArrayRef<ScheduleToRun> schedules, const RunRequest &request,
                                                        const Sources &sources, Diagnostics &diagnostics);

} // namespace run
} // namespace quadrille::compiler

#endif // QUADRILLE_RUN_RUNSCHEDULES_H
