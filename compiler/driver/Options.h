//===- Options.h - The command line -------------------------------------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_DRIVER_OPTIONS_H
#define QUADRILLE_DRIVER_OPTIONS_H

#include "diagnostics/Diagnostics.h"
#include "evaluate/Lengths.h"
#include "limits/Limits.h"
#include "machines/Delays.h"
#include "topology/TopologyText.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace quadrille::compiler {

enum class Command { Check, Prove, Cost, Emit, Run, Draw, List, Colour, Calibrate, Explain, Config, Completion, Man };

enum class BackendChoice { Shm, Mpi };

/// What the user asked for, checked as far as that needs no schedule.
struct Options {
  Command command = Command::Check;
  std::vector<std::string> files;
  std::vector<std::int64_t> ps, ns, ks;
  LengthChoice tables; // --lengths
  bool hasTableLengths = false;
  std::optional<std::int64_t> root; // empty: all, or 0 where one is needed
  bool allRoots = false;
  std::string model;
  std::string compare;         // cost: the collective whose schedules are compared
  bool noncommutative = false; // cost: compare only what needs no commutative operator
  bool verbose = false;
  bool printIr = false;   // check
  bool wantProof = true; // check, list
  bool useCache = true;  // check, cost, list, prove
  bool explain = false; // prove: print invariants; emit: print plans
  bool plan = false;    // draw
  std::vector<std::int64_t> planRanks; // emit, draw: whose plans; empty: that of rank 0
  std::string dump;     // prove: the folder for obligations
  unsigned jobs = 0;    // check, list, prove: schedules that are proved at a time; 0: as many as there are cores
  DiagnosticsFormat diagnosticsFormat = DiagnosticsFormat::Text;
  std::uint64_t effort = defaultEffort; // in thousandths
  std::uint64_t memoryBytes = 0, maxSteps = 0;
  BackendChoice backend = BackendChoice::Shm;
  std::string output;
  std::string format;
  std::string nameSpace;
  std::string dependencies, dependencyTarget; // emit: the file of --depfile, and what depends on what it lists
  bool listOutputs = false;                   // emit
  bool compileFlags = false, linkFlags = false; // config
  std::uint64_t packetSize = 1; // colour: sizes are divided by it
  std::vector<std::string> types, operators, input;
  bool trace = false, show = false, verify = false, validate = false, persistent = false, inPlace = false, nonblocking = false, unchecked = false;
  unsigned repeat = 0, timeoutSeconds = 60;
  std::string machine;                            // cost, run: the file of --machine
  std::vector<topology::TopologyText> topologies; // cost, draw
  std::optional<double> alpha, beta, gamma;       // cost: in seconds, instead of the machine's
  Delays delays;                                  // cost
  std::uint64_t seed = 1;
  std::string executable; // our own path, beside which things are installed
};

/// Parses the command line; on a mistake, or after --help and --version, returns nothing and sets the exit status.
std::optional<Options> parseCommandLine(int argc, char **argv, int &exitStatus);

} // namespace quadrille::compiler

#endif // QUADRILLE_DRIVER_OPTIONS_H
