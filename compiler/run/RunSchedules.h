//===- RunSchedules.h - Compiling schedules, running them and looking at what came out ------------------------------*- C++ -*-===//
//
// One program per backend has all schedules in it, and is launched once per p. In it all cases (lengths, roots, types, operators,
// in place or not) run one after the other. Ranks report hashes of what they computed; here they are compared with what the
// collective promises and, if there is one, with the reference interpreter (Judge.h).
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_RUN_RUNSCHEDULES_H
#define QUADRILLE_RUN_RUNSCHEDULES_H

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

struct Case;

/// What is asked of every schedule.
struct RunRequest {
  const ir::Program *program = nullptr;
  emit::Backend backend = emit::Backend::Shm;
  std::vector<std::int64_t> ns{1000};
  std::vector<std::int64_t> roots{0};
  bool allRoots = false;              // instead of `roots`
  LengthChoice tables;                // how tables of lengths are filled
  std::vector<std::int64_t> parameters{4}; // values of the parameter; 0: chosen by the machine, see emit/PacketRule.h
  std::vector<std::string> types;     // empty: `double`, or what tells most where nothing is run
  std::vector<std::string> operators; // empty: `sum`, and `matmul` on mat2
  bool inPlace = false;               // every case also with the output in the input's memory
  std::vector<std::string> input;     // what ranks put in, one after the other; empty: random data
  bool show = false;                  // print the results
  bool verify = false;
  bool validate = false;              // nothing runs: what the emitted code records is compared with the reference interpreter
  bool nonblocking = false;           // several calls in flight at once
  bool persistent = false;            // prepared once and started several times
  unsigned repeat = 0;                // timed calls per case
  unsigned timeoutSeconds = 60;       // per case
  std::uint64_t seed = 1;
  std::string executable;             // Quadrille's own path, beside which the runtime may be installed
  std::optional<Limits> interpreterLimits; // what the reference interpreter may take for a case; nothing: it is not asked
  /// What startups and bytes take where p ranks run: for choices of packets.
  std::function<MachineTimes(std::int64_t p)> machine;
  /// The seconds that a call should take; nothing, or null, if there is no prediction.
  std::function<std::optional<double>(const Case &)> predict;
  /// For those who wait: what is being done; empty: it is done. May be null.
  std::function<void(const std::string &what)> progress;
  /// Where there is to be a line for every case; may be null.
  llvm::raw_ostream *caseLines = nullptr;
};

/// A schedule, and the numbers of ranks to run it on.
struct ScheduleToRun {
  const ir::Schedule *schedule = nullptr;
  std::vector<std::int64_t> ps;
};

/// How it went.
struct ScheduleResult {
  enum Stage { Refused, NotCompiled, Ran } stage = Refused;
  unsigned cases = 0, failed = 0;
  std::string firstFailure; // "p=5 n=100 backend=shm: rank 2, `y` element 0 is 7, promised is 4"
  bool endedBadly = false;  // a launch did, at its cases

  bool isGood() const { return stage == Ran && failed == 0 && !endedBadly; }
};

/// Runs all of them; whatever goes wrong with one is reported and does not keep the others from running. The results, in the order
/// of `schedules`; nothing after an error that is not about one of them, which has been reported.
std::optional<std::vector<ScheduleResult>> runSchedules(llvm::ArrayRef<ScheduleToRun> schedules, const RunRequest &request,
                                                        const Sources &sources, Diagnostics &diagnostics);

} // namespace run
} // namespace quadrille::compiler

#endif // QUADRILLE_RUN_RUNSCHEDULES_H
