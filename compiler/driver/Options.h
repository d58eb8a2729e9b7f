//===- Options.h - The command line -------------------------------------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_DRIVER_OPTIONS_H
#define QUADRILLE_DRIVER_OPTIONS_H

#include "diagnostics/Diagnostics.h"
#include "draw/Look.h"
#include "evaluate/Lengths.h"
#include "limits/Limits.h"
#include "machines/Delays.h"
#include "scene/Colour.h"
#include "topology/TopologyText.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace quadrille::compiler {

enum class Command { Check, Prove, Cost, Emit, Run, Draw, Plot, List, Colour, Calibrate, Tune, Cache, Fmt, Lsp, Explain, Config, New, Test, Completion, Man };

enum class PlotKind { Curves, Gantt, Matrix, Tree };

enum class BackendChoice { Shm, Mpi };

/// The options of the command line, checked as far as possible without schedules. A comment names the commands that use an
/// option.
struct Options {
  Command command = Command::Check;
  std::vector<std::string> files;
  std::vector<std::string> searched; // -I, then $QUADRILLE_PATH
  size_t searchedByOption = 0;       // how many of these are from -I
  std::vector<std::int64_t> ps, ns, ks;
  LengthChoice tables; // --lengths
  bool hasTableLengths = false;
  NodeChoice nodes; // --nodes; run: or QUADRILLE_NODES
  std::optional<std::int64_t> root; // nothing: all roots, or 0 if one is needed
  bool allRoots = false;
  std::string model;
  std::string compare;         // cost: the collective whose schedules are compared
  bool noncommutative = false; // cost: compare only schedules that do not require a commutative operator
  bool verbose = false;
  bool printIr = false;   // check
  bool deep = false;     // check
  bool wantProof = true; // check, list, lsp
  bool provesListed = false; // list: also what is not remembered
  bool useCache = true;  // check, cost, list, lsp, prove
  bool explain = false; // prove: print invariants; emit: print plans
  bool plan = false;    // draw
  draw::Look look;                                   // draw, plot
  scene::Palette palette = scene::Palette::OkabeIto; // draw, plot
  PlotKind plotKind = PlotKind::Curves;              // plot
  std::string over = "n", against;                   // plot: the horizontal axis, and the schedule that others are compared with
  std::vector<std::string> measured;                 // plot: files of measurements
  std::vector<std::int64_t> planRanks; // emit, draw: the ranks whose plans are wanted; empty: rank 0
  bool checkFormat = false; // fmt: write nothing
  std::string dump;     // prove: the folder for obligations
  bool warningsAreErrors = false;
  std::vector<std::string> requiredClaims; // check, prove: their names, or "all"
  unsigned jobs = 0;    // check, list, prove: how many schedules are proved at once; test: how many tests run at once; 0: one per core
  DiagnosticsFormat diagnosticsFormat = DiagnosticsFormat::Text;
  std::uint64_t effort = defaultEffort; // in thousandths
  std::uint64_t memoryBytes = 0, maxSteps = 0;
  BackendChoice backend = BackendChoice::Shm;
  std::string output;
  std::string format;
  std::string nameSpace;
  std::string dependencies, dependencyTarget; // emit: the file of --depfile, and the target of the rule in it
  bool listOutputs = false;                   // emit
  std::string libraryFolder;                  // emit: the folder of --library
  bool compileFlags = false, linkFlags = false, litFile = false; // config
  std::string name;                             // new: the name of the project; empty: that of the folder
  std::string filter, junit;                    // test
  std::uint64_t packetSize = 1; // colour: elements per packet
  std::vector<std::string> types, operators, input;
  bool trace = false, show = false, verify = false, validate = false, persistent = false, inPlace = false, nonblocking = false, unchecked = false;
  std::optional<std::uint64_t> maxSeconds; // check, lsp, prove, run
  std::uint64_t budget = 0;                    // tune: in seconds
  bool predict = false, showTable = false;     // tune
  bool sharesCores = false;                    // tune: for whom a table that is read chooses
  std::string callsFile;                       // tune: the file of --from
  std::string exportFor;                       // tune: the library of --export
  std::string plotted;                         // tune: the collective of --plot
  unsigned repeat = 0, timeoutSeconds = 60;
  bool compareMpi = false;                        // run
  bool traceTimes = false;                        // run
  bool clear = false;                             // cache
  std::string launcher;                           // calibrate, config, run: the command that starts MPI programs; empty: the usual one
  std::string machine;                            // cost, run: the file of --machine
  std::vector<topology::TopologyText> topologies; // cost, draw
  std::optional<double> alpha, beta, gamma;       // cost: in seconds, override the machine's
  Delays delays;                                  // cost
  std::uint64_t seed = 1;
  std::string executable; // Quadrille's own path: the library and the runtime may be installed beside it
};

/// Parses the command line. Returns nothing after --help or --version, or after a mistake, which is reported; sets the exit
/// status then.
std::optional<Options> parseCommandLine(int argc, char **argv, int &exitStatus);

} // namespace quadrille::compiler

#endif // QUADRILLE_DRIVER_OPTIONS_H
