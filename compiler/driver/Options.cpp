//===- Options.cpp - The options of all commands ---------------------------------------------------------------------------------===//

#include "Options.h"

#include "CommandLine.h"
#include "CommandTable.h"
#include "OptionValues.h"

#include "scene/Picture.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"

#include <algorithm>
#include <functional>

namespace quadrille::compiler {

namespace cl = llvm::cl;

namespace {

// ---- the options -------------------------------------------------------------------------------------------------------------

cl::OptionCategory category("Options");

cl::SubCommand checkCommand("check", "run all checks on schedules (the default command)");
cl::SubCommand proveCommand("prove", "prove schedules for all p");
cl::SubCommand costCommand("cost", "rounds, startups, words and operator applications");
cl::SubCommand emitCommand("emit", "write C++ that calls the runtime, after all checks");
cl::SubCommand runCommand("run", "compile the emitted C++ and run it; --verify compares the results");
cl::SubCommand drawCommand("draw", "draw the space-time diagram of a schedule");
cl::SubCommand plotCommand("plot", "plot times, speed-ups, who does what when, who sends to whom, trees");
cl::SubCommand listCommand("list", "list the schedules of the library");
cl::SubCommand colourCommand("colour", "write a schedule for an all-to-all with given sizes, by edge colouring");
cl::SubCommand calibrateCommand("calibrate", "measure what startups, words and operators take on this machine");
cl::SubCommand tuneCommand("tune", "measure which schedule is fastest where, and write the table by which libquadrille chooses");
cl::SubCommand cacheCommand("cache", "show what is kept from one run to the next, or delete it");
cl::SubCommand fmtCommand("fmt", "format schedule files in the style of the library");
cl::SubCommand lspCommand("lsp", "serve an editor: diagnostics, completion and more, by the Language Server Protocol");
cl::SubCommand explainCommand("explain", "explain a diagnostic code such as Q0301");
cl::SubCommand configCommand("config", "print what the C++ compiler needs for emitted code");
cl::SubCommand newCommand("new", "write a project: a collective, a schedule, tests, a program that calls it, a file for CMake");
cl::SubCommand testCommand("test", "run the tests of a project");
cl::SubCommand completionCommand("completion", "print what completes command lines in bash, zsh or fish");
cl::SubCommand manCommand("man", "print the manual page");

/// The subcommands, in the order of the enumeration `Command`.
cl::SubCommand *const commands[] = {&checkCommand, &proveCommand, &costCommand,   &emitCommand,      &runCommand,
                                    &drawCommand,  &plotCommand,  &listCommand,  &colourCommand, &calibrateCommand, &tuneCommand, &cacheCommand,
                                    &fmtCommand,   &lspCommand,    &explainCommand, &configCommand, &newCommand,       &testCommand,  &completionCommand, &manCommand};

/// A modifier that names the commands to which an option belongs.
struct of {
  of(std::initializer_list<cl::SubCommand *> commands) : commands(commands) {}
  template <class Opt> void apply(Opt &option) const {
    option.addCategory(category);
    for (cl::SubCommand *command : commands)
      option.addSubCommand(*command);
  }
  std::vector<cl::SubCommand *> commands;
};

constexpr llvm::StringLiteral completed[] = {"bash", "zsh", "fish", "schedules"};

constexpr std::int64_t most64 = std::numeric_limits<std::int64_t>::max(), most32 = std::numeric_limits<std::uint32_t>::max();

cl::list<std::string> files(cl::Positional, cl::desc("FILE..."),
    of{&checkCommand, &proveCommand, &costCommand, &emitCommand, &runCommand, &drawCommand, &plotCommand, &listCommand, &colourCommand, &cacheCommand,
       &fmtCommand, &explainCommand, &newCommand, &testCommand, &completionCommand, &tuneCommand});
cl::list<std::string> searchedFolders("I", cl::desc("look for used schedules in this folder; may be repeated"), cl::value_desc("DIR"), cl::Prefix,
    of{&checkCommand, &proveCommand, &costCommand, &emitCommand, &runCommand, &drawCommand, &plotCommand, &lspCommand});
RangesOption ranks("p",
    cl::desc("numbers of ranks, as in 8, 1..33 or 1,2,5 (default: check and prove 1..17, cost, draw and plot 8, run and emit 4, calibrate the cores, tune powers of two)"),
    cl::value_desc("P"), atLeast{1}, atMost{std::int64_t(1) << 30, "2^30 ranks"},
    of{&checkCommand, &proveCommand, &costCommand, &emitCommand, &runCommand, &drawCommand, &plotCommand, &calibrateCommand, &tuneCommand});
RangesOption planRanks("rank", cl::desc("of --explain and --plan: whose plan, as in 3 or 0..2,5 (default 0)"), cl::value_desc("R"),
    of{&emitCommand, &drawCommand});
RangesOption lengths("n", cl::desc("elements per block, as in 1000 or 16Mi (default 1000)"), cl::value_desc("N"),
    atMost{std::int64_t(1) << 40, "2^40 elements"}, of{&checkCommand, &costCommand, &drawCommand, &plotCommand});
RangesOption runLengths("n", cl::desc("elements per block, as in 1000 or 16Mi (default 1000)"), cl::value_desc("N"), of{&runCommand});
LengthsOption tableLengths("lengths",
    cl::desc("how blocks with lengths of their own are filled: uneven (default), even or single, around n; or numbers such as 3,0,5"),
    cl::value_desc("L"), of{&costCommand, &runCommand});
RangesOption parameters("k", cl::desc("values of the schedule's parameter, as in 4 or 1..8"), cl::value_desc("K"), atLeast{1},
    of{&checkCommand, &costCommand, &emitCommand, &drawCommand, &plotCommand});
RangesOption runParameters("k", cl::desc("values of the schedule's parameter, as in 4 or 1..8; 0 chooses the number of packets"),
    cl::value_desc("K"), of{&runCommand});
RootOption root("root", cl::desc("the root, a rank or all"), cl::value_desc("R"),
    of{&checkCommand, &costCommand, &emitCommand, &runCommand, &drawCommand, &plotCommand});
NodesOption nodes("nodes",
    cl::desc("for schedules that ask on which node ranks are: as many nodes of consecutive ranks, or the node of each rank, as in 0,0,1,2"),
    cl::value_desc("NODES"), of{&checkCommand, &proveCommand, &costCommand, &emitCommand, &runCommand, &drawCommand, &plotCommand});
ModelOption model("model", cl::desc("check this port model instead of the declared one; --compare: what this port model allows"),
    cl::value_desc("M"), of{&checkCommand, &costCommand});
CollectiveOption compareOption("compare",
    cl::desc("which schedule of this collective is fastest where; -p and -n as in 2..1024 and 1..16Mi"),
    cl::value_desc("COLLECTIVE"), of{&costCommand});
cl::opt<bool> noncommutative("noncommutative", cl::desc("--compare: leave out what requires a commutative operator"),
    of{&costCommand});
WordOption dataFormat("format", cl::desc("text (default), or json, junit: results for programs; default with -o: by the ending of the file"),
    cl::value_desc("F"), choices{{"text", "json", "junit"}}, of{&checkCommand, &proveCommand});
WordOption runFormat("format", cl::desc("text (default), or json, junit, csv: results for programs; default with -o: by the ending of the file"),
    cl::value_desc("F"), choices{{"text", "json", "junit", "csv"}}, of{&runCommand});
WordOption costFormat("format", cl::desc("text (default), json, junit or csv; of --compare: text, json, or svg, pdf, png, tex, html; default with -o: by the ending of the file"),
    cl::value_desc("F"), choices{{"text", "json", "junit", "csv", "svg", "pdf", "png", "tex", "html"}}, of{&costCommand});
cl::opt<bool> trace("trace", cl::desc("show what every rank holds after every round, for one case (default p = 8)"),
    of{&checkCommand});
cl::opt<bool> printIr("print-ir", cl::desc("print the schedules as the compiler has understood them, and check nothing"),
    of{&checkCommand});
cl::opt<bool> verbose("v", cl::desc("say more"), of{&checkCommand, &proveCommand, &runCommand, &calibrateCommand});
cl::opt<bool> explain("explain", cl::desc("print the invariants and clocks that the proof found"), of{&proveCommand});
cl::opt<bool> explainPlan("explain", cl::desc("write no code: print what a rank does in a call, and what waits for what"),
    of{&emitCommand});
cl::opt<bool> plan("plan", cl::desc("draw what a rank of the emitted code does in a call, and what waits for what"), of{&drawCommand});
cl::opt<bool> checkFormat("check", cl::desc("write nothing: list the files that are not formatted, and say where"), of{&fmtCommand});
TextOption dump("dump", cl::desc("write every obligation to this folder, in SMT-LIB 2"), cl::value_desc("DIR"),
    of{&proveCommand});
cl::opt<bool> deep("deep", cl::desc("check cases beyond those of -p, too: large ones at which something may change, within a minute or two"),
    of{&checkCommand});
cl::opt<bool> noProof("no-proof", cl::desc("do not prove anything for all p; list: show nothing that was proved, either"), of{&checkCommand, &listCommand, &lspCommand});
cl::opt<bool> proveListed("prove", cl::desc("prove what is not remembered; for the whole library this takes minutes"), of{&listCommand});
cl::opt<bool> noCache("no-cache", cl::desc("do not remember what was proved before"),
    of{&checkCommand, &proveCommand, &costCommand, &listCommand, &lspCommand});
WordOption diagnosticsFormat("diagnostics-format", cl::desc("text (default), json or sarif"), cl::init("text"),
    cl::value_desc("F"), choices{{"text", "json", "sarif"}}, of{&cl::SubCommand::getAll()});
cl::opt<bool> warningsAreErrors("Werror", cl::desc("report warnings as errors"), of{&cl::SubCommand::getAll()});
cl::opt<bool> requireProof("require-proof", cl::desc("it is an error if a schedule is not proved for all p in all that it claims"), of{&checkCommand});
ClaimsOption requiredClaims("require",
    cl::desc("it is an error if one of these claims is not proved for all p: all, or names as -v prints them, as in result,operand-order,cost"),
    cl::value_desc("CLAIM,..."), of{&proveCommand});
NumberOption jobs("jobs", cl::desc("how many schedules are proved at a time (default: as many as cores may be used)"), cl::value_desc("N"),
    atLeast{1, "it takes at least one"}, atMost{most32}, of{&checkCommand, &proveCommand, &listCommand});
EffortOption effortOption("effort", cl::desc("multiplies the limits of searches and proofs, as in 4 or 0.5 (default 1); docs/limits.md"),
    cl::value_desc("N"), of{&checkCommand, &proveCommand, &costCommand, &emitCommand, &listCommand, &runCommand, &lspCommand});
NumberOption memory("memory", cl::desc("megabytes that checking one case may take (default 4096)"), cl::init(4096),
    cl::value_desc("MB"), atMost{most64 >> 20}, of{&checkCommand, &proveCommand, &costCommand, &drawCommand, &plotCommand, &runCommand, &lspCommand});
NumberOption maxSteps("max-steps", cl::desc("steps that one case may take (default 100Mi)"), cl::init(100 << 20),
    cl::value_desc("N"), of{&checkCommand, &proveCommand, &costCommand, &drawCommand, &plotCommand, &runCommand, &lspCommand});
NumberOption maxSeconds("max-seconds", cl::desc("end the checks of a schedule before the first p at which they have taken this long"),
    cl::value_desc("S"), atLeast{1, "a check takes at least a second"}, atMost{most32}, of{&checkCommand, &lspCommand});
WordOption backend("backend", cl::desc("shm (threads, the default) or mpi"), cl::init("shm"), cl::value_desc("B"),
    choices{{"shm", "mpi"}}, of{&emitCommand, &runCommand, &drawCommand, &calibrateCommand, &tuneCommand, &configCommand});
TextOption output("o",
    cl::desc("output folder (emit) or file (draw, plot, colour, calibrate, tune, results as data); - for standard output"),
    cl::value_desc("PATH"), of{&checkCommand, &proveCommand, &costCommand, &emitCommand, &runCommand, &drawCommand, &plotCommand, &colourCommand, &calibrateCommand, &tuneCommand});
NumberOption packetSize("packet", cl::desc("elements per packet, by which the sizes are divided (default 1)"), cl::init(1),
    cl::value_desc("N"), atLeast{1, "a packet has at least one element"}, of{&colourCommand});
WordOption format("format", cl::desc("text, or svg, pdf, png, tex (TikZ), html: pictures; default: by the ending of -o, else text"), cl::value_desc("F"),
    choices{{"text", "svg", "pdf", "png", "tex", "html"}}, of{&drawCommand});
WordOption plotFormat("format", cl::desc("csv, or svg, pdf, png, tex (TikZ), html: pictures; default: by the ending of -o, else csv"), cl::value_desc("F"),
    choices{{"csv", "svg", "pdf", "png", "tex", "html"}}, of{&plotCommand});
WordOption plotOver("over", cl::desc("what is to the right: n (default), p or k"), cl::init("n"), cl::value_desc("X"), choices{{"n", "p", "k"}}, of{&plotCommand});
TextOption plotAgainst("against", cl::desc("plot how much faster than this schedule others are"), cl::value_desc("FILE"), of{&plotCommand});
cl::list<std::string> plotMeasured("measured", cl::desc("results of run --format=json: of --repeat=R points beside the curves, of --trace-times what --gantt shows; may be repeated"),
    cl::value_desc("FILE"), of{&plotCommand});
cl::opt<bool> plotGantt("gantt", cl::desc("what every rank does when, in seconds, in one case"), of{&plotCommand});
cl::opt<bool> plotMatrix("matrix", cl::desc("how much every rank sends to every other, in one case"), of{&plotCommand});
cl::opt<bool> plotTree("tree", cl::desc("the tree of who hears from whom first, or tells whom last, in one case"), of{&plotCommand});
cl::opt<bool> noTitle("no-title", cl::desc("leave out the heading, for pictures that have a caption"), of{&drawCommand, &plotCommand});
NumberOption pictureWidth("width", cl::desc("how wide the picture is, in pixels of 1/96 inch, or the text in columns; what does not fit goes on below"),
    cl::value_desc("W"), atLeast{20, "a picture is at least 20 wide"}, atMost{32000}, of{&drawCommand, &plotCommand});
RangesOption shownRounds("rounds", cl::desc("which rounds are shown, as in 3 or 0..7"), cl::value_desc("A..B"), atMost{most32 - 1, "2^32"}, of{&drawCommand});
RangesOption shownRanks("ranks", cl::desc("which ranks are shown, as in 0..15; of others, the ends of messages"), cl::value_desc("A..B"),
    atMost{most32 - 1, "2^32"}, of{&drawCommand});
WordOption palette("palette", cl::desc("colours: okabe-ito (default) and tol are told apart by those who see few, grey is for paper"),
    cl::init("okabe-ito"), cl::value_desc("NAME"), choices{scene::paletteNames().vec()}, of{&drawCommand, &plotCommand});
WordOption listFormat("format", cl::desc("text (default), markdown or json"), cl::init("text"), cl::value_desc("F"),
    choices{{"text", "markdown", "json"}}, of{&listCommand});
NamespaceOption nameSpace("namespace", cl::desc("C++ namespace of the emitted functions (default collectives)"),
    cl::init("collectives"), cl::value_desc("NAME"), of{&emitCommand});
TextOption dependencies("depfile", cl::desc("also write a rule for make: what is written depends on all files that were read"),
    cl::value_desc("FILE"), of{&emitCommand});
TextOption dependencyTarget("depfile-target", cl::desc("of --depfile: what depends on them, instead of what is written"),
    cl::value_desc("NAME"), of{&emitCommand});
cl::opt<bool> listOutputs("list-outputs", cl::desc("write nothing: print the names of the files that would be written"), of{&emitCommand});
TextOption libraryFolder("library",
    cl::desc("write to this folder the sources of a library that chooses among all schedules: those of FILE... and Quadrille's own"),
    cl::value_desc("DIR"), of{&emitCommand});
cl::opt<bool> compileFlags("cflags", cl::desc("print the flags to compile emitted code with"), of{&configCommand});
cl::opt<bool> linkFlags("libs", cl::desc("print the flags to link it with"), of{&configCommand});
cl::opt<bool> litFile("lit", cl::desc("print the file that a lit test suite loads to test schedules"), of{&configCommand});
WordOption configFormat("format", cl::desc("json: print the version, the folders, the backends with their flags, and the launcher"),
    cl::value_desc("F"), choices{{"json"}}, of{&configCommand});
cl::opt<std::string> projectName("name", cl::desc("the name of the project and its collective (default: that of the folder)"), cl::value_desc("NAME"),
    of{&newCommand});
cl::opt<std::string> filter("filter", cl::desc("run only the tests whose names match this regular expression"), cl::value_desc("REGEX"),
    of{&testCommand});
TextOption junit("junit", cl::desc("also write the results to this file, in the format of JUnit"), cl::value_desc("FILE"), of{&testCommand});
NumberOption testJobs("jobs", cl::desc("how many tests run at a time (default: as many as cores may be used)"), cl::value_desc("N"),
    atLeast{1, "it takes at least one"}, atMost{most32}, of{&testCommand});
TextOption launcher("launcher",
    cl::desc("the command that starts MPI programs, as in \"srun --mpi=pmix\" or \"mpiexec -f hosts -n {p}\" (default: MPIEXEC, else that of the build)"),
    cl::value_desc("CMD"), of{&runCommand, &calibrateCommand, &tuneCommand, &configCommand});
WordsOption types("type", cl::desc("element types, e.g. double or int32,mat2"), cl::value_desc("T"),
    of{&runCommand, &calibrateCommand});
WordsOption operators("op", cl::desc("operators, e.g. sum or max,matmul"), cl::value_desc("O"), of{&runCommand});
cl::opt<bool> verify("verify", cl::desc("compare results with a sequential computation and the interpreter"), of{&runCommand});
cl::opt<bool> validate("validate",
    cl::desc("run nothing: compare what the emitted code records with the interpreter, for every rank"), of{&runCommand});
cl::opt<bool> inPlace("in-place", cl::desc("run every case also with the result in the memory of the input"), of{&runCommand});
cl::opt<bool> nonblocking("nonblocking", cl::desc("start several calls at once instead of waiting for each"), of{&runCommand});
cl::opt<bool> persistent("persistent", cl::desc("prepare every case once and start it several times"), of{&runCommand});
WordsOption input("input", cl::desc("what the ranks put in, as in 3,1,4,0,2, instead of random data (default n = 1)"),
    cl::value_desc("V,..."), noEmptyWords(), of{&runCommand});
cl::opt<bool> show("show", cl::desc("print what every rank ends with"), of{&runCommand});
cl::opt<bool> unchecked("unchecked", cl::desc("run also what fails the checks, to see what it does"), of{&runCommand});
NumberOption repeat("repeat", cl::desc("time this many calls"), cl::value_desc("R"),
    atLeast{1, "it takes at least a call that is timed"}, atMost{most32}, of{&runCommand});
cl::opt<bool> traceTimes("trace-times",
    cl::desc("also time every transfer and combination of a call, for plot --gantt --measured; of --format=json"), of{&runCommand});
cl::opt<bool> compareMpi("compare-mpi",
    cl::desc("of --backend=mpi: also time the MPI library's own collective, call by call in turn, and compare the results"), of{&runCommand});
TextOption machine("machine", cl::desc("what calibrate measured: seconds beside formulas and measurements, and the predictions of tune"),
    cl::value_desc("FILE"), of{&costCommand, &plotCommand, &runCommand, &tuneCommand});
NumberOption budget("budget", cl::desc("begin no further measurement after so many seconds (default 600); run again to go on"), cl::init(600),
    cl::value_desc("S"), atMost{most32}, of{&tuneCommand});
cl::opt<bool> predictOnly("predict", cl::desc("measure nothing: a table of what the machine and formulas predict"), of{&tuneCommand});
TextOption callsFile("from", cl::desc("tune for what a program calls: the file that QUADRILLE_CALLS has named for the preload library"), cl::value_desc("CALLS"),
    of{&tuneCommand});
cl::opt<bool> showTable("show", cl::desc("print which schedule a table chooses where: that of FILE, or the library's own"), of{&tuneCommand});
WordOption exportOption("export", cl::desc("write what a table chooses, that of FILE or the library's own, as rules for another library: ompi (Open MPI 4.1), mpich (MPICH 4.0) or ucc (UCC)"),
    cl::value_desc("LIBRARY"), choices{{"ompi", "mpich", "ucc"}}, of{&tuneCommand});
CollectiveOption plotOption("plot", cl::desc("draw what --show prints of this collective, as SVG or what -o ends in, to the file of -o"), cl::value_desc("COLLECTIVE"),
    of{&tuneCommand});
DurationOption alpha("alpha", cl::desc("a startup, as in 2us"), cl::value_desc("T"), of{&costCommand, &plotCommand});
DurationOption beta("beta", cl::desc("an element sent, as in 0.5ns"), cl::value_desc("T"), of{&costCommand, &plotCommand});
DurationOption gamma("gamma", cl::desc("an element combined, as in 0.2ns"), cl::value_desc("T"), of{&costCommand, &plotCommand});
NumberOption timeoutSeconds("timeout", cl::desc("seconds a case may take (default 60)"), cl::init(60), cl::value_desc("S"),
    atLeast{1, "it takes at least a second"}, atMost{most32}, of{&runCommand});
cl::opt<bool> showCache("show", cl::desc("print the folder, and what its parts hold (the default)"), of{&cacheCommand});
cl::opt<bool> clear("clear", cl::desc("delete these parts; without a name all but `machines`, which take minutes to measure"), of{&cacheCommand});
NumberOption seed("seed", cl::desc("seed of random data (run) or noise (cost) (default 1)"), cl::init(1), cl::value_desc("N"),
    of{&costCommand, &runCommand});
LateRanksOption lateRanks("late", cl::desc("ranks that come late, as in 3:50us,5:1ms: when is every rank done?"),
    cl::value_desc("R:T,..."), of{&costCommand});
DurationOption noise("noise", cl::desc("mean of a random delay of every rank before each of its steps, as in 1us"),
    cl::value_desc("T"), of{&costCommand});
TopologiesOption topologies("topology",
    cl::desc("the network: line, ring:8, mesh:4x4, torus:4x4x4, hypercube, tree:2,4,8, fattree:2,4,8, full or a file; may be repeated for cost"),
    cl::value_desc("T"), of{&costCommand, &drawCommand});

// ---- options that exclude each other -----------------------------------------------------------------------------------------

bool isComparison() { return !compareOption.empty(); }
/// Whether the command takes only some numbers of a range.
bool isSampled() { return isComparison() || plotCommand; }
bool isGiven(const cl::Option &option) { return option.getNumOccurrences() > 0; }

bool readsTable() { return showTable || isGiven(plotOption) || isGiven(exportOption); }

bool isPlotOfCase() { return plotGantt || plotMatrix || plotTree; }

bool isLibrary() { return isGiven(libraryFolder); }

/// Options of a command that are refused if a condition holds.
struct Exclusion {
  cl::SubCommand *command;
  bool (*holds)();
  std::vector<std::reference_wrapper<const cl::Option>> options;
  const char *why;
};

const Exclusion exclusions[] = {
    {&costCommand, [] { return !isComparison(); }, {noncommutative}, " is for --compare"},
    // A comparison is by formulas, at the best k and for root 0.
    {&costCommand, isComparison, {parameters, root, nodes, tableLengths, topologies, lateRanks, noise}, " is not for --compare"},
    {&runCommand, [] { return traceTimes.getValue(); }, {nonblocking, persistent}, " is not for --trace-times, which traces blocking calls"},
    {&runCommand, [] { return validate.getValue(); }, {backend, nonblocking, persistent, repeat, traceTimes}, " is not for --validate, which runs nothing"},
    {&runCommand, [] { return persistent.getValue(); }, {nonblocking}, " is not for --persistent"},
    {&runCommand, [] { return backend != "mpi"; }, {compareMpi}, " is for --backend=mpi"},
    {&runCommand, [] { return compareMpi.getValue(); }, {validate, inPlace, nonblocking, persistent}, " is not for --compare-mpi, which compares blocking calls"},
    {&emitCommand, [] { return !explainPlan; }, {ranks, planRanks, root, nodes, parameters}, " is for --explain"},
    {&emitCommand, [] { return explainPlan.getValue(); }, {output, nameSpace, dependencies, dependencyTarget, listOutputs}, " is not for --explain, which writes no code"},
    {&emitCommand, isLibrary, {output, backend, nameSpace, listOutputs, explainPlan}, " is not for --library, which writes sources for all backends to its folder"},
    {&emitCommand, [] { return dependencies.empty(); }, {dependencyTarget}, " is for --depfile"},
    {&emitCommand, [] { return output == "-"; }, {dependencies, listOutputs}, " is for files, and -o - writes none"},
    {&emitCommand, [] { return listOutputs.getValue(); }, {dependencies}, " is not for --list-outputs, which writes nothing"},
    {&drawCommand, [] { return !plan; }, {planRanks, backend}, " is for --plan"},
    {&drawCommand, [] { return plan.getValue(); }, {lengths, topologies, shownRounds, shownRanks}, " is not for --plan"},
    {&drawCommand, [] { return !topologies.empty(); }, {shownRanks}, " is not for --topology"},
    {&plotCommand, isPlotOfCase, {plotOver, plotAgainst}, " is for curves"},
    {&plotCommand, [] { return plotMatrix || plotTree; }, {plotMeasured}, " is for curves and --gantt"},
    {&plotCommand, [] { return plotGantt && !plotMeasured.empty(); }, {machine, alpha, beta, gamma}, " is not for --gantt of what was measured"},
    {&plotCommand, [] { return !isPlotOfCase(); }, {root, nodes}, " is for --gantt, --matrix and --tree"},
    {&plotCommand, [] { return plotGantt.getValue(); }, {plotMatrix, plotTree}, " is not for --gantt"},
    {&plotCommand, [] { return plotMatrix.getValue(); }, {plotTree, machine, alpha, beta, gamma}, " is not for --matrix"},
    {&plotCommand, [] { return plotTree.getValue(); }, {machine, alpha, beta, gamma}, " is not for --tree"},
    {&plotCommand, [] { return isGiven(plotAgainst); }, {plotMeasured}, " is not for --against, which compares formulas"},
    {&configCommand, [] { return isGiven(configFormat); }, {compileFlags, linkFlags, litFile, backend}, " is not for --format, which prints all of it"},
    {&configCommand, [] { return litFile.getValue(); }, {compileFlags, linkFlags, backend}, " is not for --lit, which prints a file"},
    {&configCommand, [] { return !isGiven(configFormat); }, {launcher}, " is for --format"},
    {&runCommand, [] { return backend != "mpi"; }, {launcher}, " is for --backend=mpi"},
    {&calibrateCommand, [] { return backend != "mpi"; }, {launcher}, " is for --backend=mpi"},
    {&tuneCommand, [] { return backend != "mpi" && (isGiven(backend) || !isGiven(callsFile)); }, {launcher, callsFile}, " is for --backend=mpi"},
    {&tuneCommand, [] { return predictOnly.getValue(); }, {budget}, " is not for --predict, which measures nothing"},
    {&tuneCommand, readsTable, {budget, predictOnly, machine, launcher, callsFile}, " is not for --show, --plot and --export, which read a table"},
    {&tuneCommand, [] { return isGiven(exportOption); }, {showTable, plotOption, backend}, " is not for --export, which writes rules for processes"},
    {&tuneCommand, [] { return showTable.getValue(); }, {plotOption, output}, " is not for --show, which prints a table"},
    {&cacheCommand, [] { return clear.getValue(); }, {showCache}, " is not for --clear"},
    {&checkCommand, [] { return noProof.getValue(); }, {requireProof}, " is not for --no-proof"},
    {&listCommand, [] { return noProof.getValue(); }, {proveListed}, " is not for --no-proof"},
    {&checkCommand, [] { return trace.getValue(); }, {deep, dataFormat, output}, " is not for --trace"},
    {&checkCommand, [] { return printIr.getValue(); }, {dataFormat, output}, " is not for --print-ir"},
    {&checkCommand, [] { return !trace; }, {lengths}, ": a check holds for all lengths; it is for --trace"},
};

/// Conditions under which only one case is allowed.
struct Single {
  bool (*holds)();
  const char *what;
};

const Single singles[] = {
    {[] { return trace.getValue(); }, "a trace shows one case, not several"},
    {[] { return explainPlan.getValue(); }, "a plan is one case, not several"},
    {[] { return static_cast<bool>(drawCommand); }, "a diagram shows one case, not several"},
    {isPlotOfCase, "this plot is of one case, not several"},
};

/// The --format of a command that has results for programs; null if it has none.
const WordOption *formatOfData(const cl::SubCommand &command) {
  return &command == &checkCommand || &command == &proveCommand ? &dataFormat
         : &command == &runCommand                              ? &runFormat
         : &command == &costCommand                             ? &costFormat
                                                                : nullptr;
}

/// The format that --format names or, without it, the ending of the file of -o; empty: text.
std::string givenFormat(const cl::SubCommand &command) {
  const WordOption *option = formatOfData(command);
  if (!option || !option->empty() || isComparison())
    return option ? option->getValue() : "";
  const std::string byEnding = llvm::StringSwitch<std::string>(llvm::sys::path::extension(output))
                                   .Case(".json", "json")
                                   .Case(".xml", "junit")
                                   .Case(".csv", "csv")
                                   .Default("");
  return llvm::is_contained(choicesOf(*option), byEnding) ? byEnding : "";
}

/// The mistake in --format and -o of a command that has results for programs; empty: none.
std::string whatDoesNotFitTheFormat(const cl::SubCommand &command) {
  const std::string format = givenFormat(command);
  if (isComparison())
    return format == "junit" || format == "csv" ? "option --format: " + format + " is not for --compare" : "";
  if (scene::pictureFormat(format))
    return "option --format: " + format + " is for --compare";
  if (output.empty() || output == "-" || (!format.empty() && format != "text"))
    return "";
  std::string endings = &command == &runCommand || &command == &costCommand ? ".json, .xml or .csv" : ".json or .xml";
  return "option -o: results for programs go to files that end in " + endings + "; --format says what to write";
}

bool takesNoFile(const cl::SubCommand &command) {
  return &command == &calibrateCommand || &command == &configCommand || &command == &lspCommand || &command == &manCommand;
}

/// The first mistake that is found in the options together; empty: none.
std::string whatDoesNotFit(cl::SubCommand &command, const Options &options) {
  for (const Exclusion &exclusion : exclusions)
    if (exclusion.command == &command && exclusion.holds())
      for (const cl::Option &option : exclusion.options)
        if (isGiven(option))
          return "option " + spelled(option) + exclusion.why;
  for (const RangesOption *option : {&ranks, &planRanks, &lengths, &runLengths, &parameters, &runParameters})
    if (option->isTooLong() && !isSampled())
      return "option " + spelled(*option) + ": more than a million values";
  if (&command == &runCommand && traceTimes && givenFormat(command) != "json")
    return "option --trace-times: what it measures is part of the results for programs; -o FILE.json or --format=json asks for them";
  if (formatOfData(command))
    if (std::string wrong = whatDoesNotFitTheFormat(command); !wrong.empty())
      return wrong;
  if (&command == &configCommand && !compileFlags && !linkFlags && !litFile && !isGiven(configFormat))
    return "nothing is asked for; --cflags, --libs, --lit or --format=json are";
  if (&command == &completionCommand && (options.files.size() != 1 || !llvm::is_contained(completed, options.files[0])))
    return "completion takes one of bash, zsh, fish";
  const bool needsFile = !takesNoFile(command) && !(&command == &emitCommand && isLibrary()) && &command != &listCommand && &command != &cacheCommand && &command != &testCommand && &command != &tuneCommand &&
                         !isComparison();
  if (needsFile && options.files.empty())
    return &command == &explainCommand  ? "no code given, such as Q0301"
           : &command == &colourCommand ? "no file of sizes given"
           : &command == &fmtCommand    ? "no file given"
           : &command == &newCommand    ? "no folder given"
                                        : "no schedule file given";
  if (llvm::is_contained(options.files, ""))
    return "an argument is empty";
  if ((&command == &drawCommand || &command == &colourCommand) && options.files.size() > 1)
    return "'" + command.getName().str() + "' takes one " + (&command == &colourCommand ? "file of sizes" : "schedule") + " at a time";
  if (&command == &tuneCommand && readsTable() && options.files.size() > 1)
    return "--show, --plot and --export take one table at a time";
  if ((&command == &newCommand || &command == &testCommand) && options.files.size() > 1)
    return "'" + command.getName().str() + "' takes one folder at a time";
  if (takesNoFile(command) && !options.files.empty())
    return "unexpected argument '" + options.files[0] + "'";
  for (const Single &single : singles) {
    const char *several = options.ps.size() > 1   ? "-p"
                          : options.ns.size() > 1 ? "-n"
                          : options.ks.size() > 1 ? "-k"
                          : options.allRoots      ? "--root"
                                                  : nullptr;
    if (single.holds() && several)
      return std::string("option ") + several + ": " + single.what;
  }
  if (&command == &plotCommand) {
    const llvm::StringRef ending = llvm::sys::path::extension(output);
    if (plotFormat.empty() && !ending.empty() && ending != ".csv" && !scene::pictureFormat(ending.drop_front()))
      return "option -o: '" + ending.str() + "' is none of .csv, .svg, .pdf, .png, .tex, .html; --format says what to write";
    if (isPlotOfCase() && options.files.size() > 1)
      return "'plot' takes one schedule at a time for this plot";
    const std::pair<const char *, size_t> fixed[] = {{"p", options.ps.size()}, {"n", options.ns.size()}, {"k", options.ks.size()}};
    for (const auto &[name, count] : fixed)
      if (count > 1 && plotOver != name)
        return std::string("option -") + name + ": one number, unless --over=" + name;
  }
  if (&command == &drawCommand) {
    const llvm::StringRef ending = llvm::sys::path::extension(output);
    if (format.empty() && !ending.empty() && ending != ".txt" && !scene::pictureFormat(ending.drop_front()))
      return "option -o: '" + ending.str() + "' is none of .txt, .svg, .pdf, .png, .tex, .html; --format says what to write";
    for (const RangesOption *option : {&shownRounds, &shownRanks})
      if (option->ranges.size() > 1)
        return "option " + spelled(*option) + ": a picture shows one range, not several";
    if (options.topologies.size() > 1)
      return "option --topology: a picture shows one network, not several";
  }
  if (&command == &calibrateCommand && options.ps.size() > 1)
    return "option -p: a calibration is for one number of ranks, not several";
  if (&command == &calibrateCommand && options.types.size() > 1)
    return "option --type: a calibration is for one type of words, not several";
  if (const size_t placed = options.nodes.labels.size(); placed > 0 && isGiven(nodes))
    for (std::int64_t p : options.ps)
      if (static_cast<std::uint64_t>(p) != placed)
        return "option --nodes: it says where " + std::to_string(placed) + " ranks are, and -p names " + std::to_string(p);
  const auto &late = options.delays.late;
  const auto twice = std::adjacent_find(late.begin(), late.end(), [](const LateRank &a, const LateRank &b) { return a.rank == b.rank; });
  return twice == late.end() ? "" : "option --late: rank " + std::to_string(twice->rank) + " is late twice";
}

// ---- conversion to Options -------------------------------------------------------------------------------------------------

std::vector<std::int64_t> numbers(const NumberRanges &given) {
  return isSampled() ? given.sampled() : given.isTooLong() ? std::vector<std::int64_t>() : given.all();
}

template <typename T, class Parser> std::optional<T> ifGiven(const cl::opt<T, false, Parser> &option) {
  return isGiven(option) ? std::optional<T>(option.getValue()) : std::nullopt;
}

std::optional<draw::Interval> interval(const NumberRanges &given) {
  if (given.ranges.empty())
    return std::nullopt;
  return draw::Interval{static_cast<std::uint32_t>(given.ranges[0].first), static_cast<std::uint32_t>(given.ranges[0].second)};
}

Delays delays() {
  Delays result;
  for (const LateRanks &given : lateRanks)
    llvm::append_range(result.late, given.list);
  llvm::sort(result.late, [](const LateRank &a, const LateRank &b) { return a.rank < b.rank; });
  result.noise = ifGiven(noise).value_or(0);
  result.seed = static_cast<std::uint64_t>(seed.value);
  return result;
}

/// What QUADRILLE_NODES says to the runtime; nothing if it says nothing that the runtime takes.
NodeChoice nodesOfEnvironment() {
  NodeChoice result;
  const std::optional<std::string> text = llvm::sys::Process::GetEnv("QUADRILLE_NODES");
  const size_t refused = refusals().size();
  if (text && !text->empty() && NodesParser(nodes).parse(nodes, "", *text, result))
    result = {};
  refusals().resize(refused);
  return result;
}

Options gather(cl::SubCommand &command) {
  Options options;
  options.command = static_cast<Command>(llvm::find(commands, &command) - std::begin(commands));
  const bool isRun = options.command == Command::Run;
  options.files.assign(files.begin(), files.end());
  options.searched.assign(searchedFolders.begin(), searchedFolders.end());
  options.searchedByOption = options.searched.size();
  if (std::optional<std::string> path = llvm::sys::Process::GetEnv("QUADRILLE_PATH")) {
    llvm::SmallVector<llvm::StringRef> folders;
    llvm::StringRef(*path).split(folders, llvm::sys::EnvPathSeparator, -1, /*KeepEmpty=*/false);
    for (llvm::StringRef folder : folders)
      options.searched.push_back(folder.str());
  }
  options.ps = numbers(ranks);
  options.nodes = nodes;
  if (isRun && !options.nodes.isGiven())
    options.nodes = nodesOfEnvironment();
  if (options.ps.empty() && !options.nodes.labels.empty())
    options.ps = {static_cast<std::int64_t>(options.nodes.labels.size())};
  options.ns = numbers(isRun ? runLengths : lengths);
  options.ks = numbers(isRun ? runParameters : parameters);
  options.tables = tableLengths;
  options.hasTableLengths = isGiven(tableLengths);
  options.root = root.rank;
  options.allRoots = root.isAll;
  options.model = model;
  options.compare = compareOption;
  options.noncommutative = noncommutative;
  options.verbose = verbose;
  options.printIr = printIr;
  options.deep = deep;
  options.wantProof = !noProof;
  options.provesListed = proveListed;
  options.useCache = !noCache;
  options.warningsAreErrors = warningsAreErrors;
  options.requiredClaims = requiredClaims.list;
  if (requireProof)
    options.requiredClaims = {"all"};
  options.jobs = static_cast<unsigned>(options.command == Command::Test ? testJobs.value : jobs.value);
  options.explain = explain || explainPlan;
  options.plan = plan;
  options.planRanks = numbers(planRanks);
  options.look.title = !noTitle;
  if (isGiven(pictureWidth))
    options.look.width = static_cast<double>(pictureWidth.value);
  options.look.rounds = interval(shownRounds);
  options.look.ranks = interval(shownRanks);
  options.palette = scene::paletteNamed(palette);
  options.plotKind = plotGantt ? PlotKind::Gantt : plotMatrix ? PlotKind::Matrix : plotTree ? PlotKind::Tree : PlotKind::Curves;
  options.over = plotOver;
  options.against = plotAgainst;
  options.measured.assign(plotMeasured.begin(), plotMeasured.end());
  options.checkFormat = checkFormat;
  options.dump = dump;
  options.diagnosticsFormat = diagnosticsFormat == "json"    ? DiagnosticsFormat::Json
                              : diagnosticsFormat == "sarif" ? DiagnosticsFormat::Sarif
                                                             : DiagnosticsFormat::Text;
  options.effort = isGiven(effortOption) ? effortOption.getValue().thousandths : defaultEffort;
  options.memoryBytes = static_cast<std::uint64_t>(memory.value) << 20;
  options.maxSteps = static_cast<std::uint64_t>(maxSteps.value);
  if (isGiven(maxSeconds))
    options.maxSeconds = static_cast<std::uint64_t>(maxSeconds.value);
  options.backend = backend == "mpi" || isGiven(callsFile) ? BackendChoice::Mpi : BackendChoice::Shm;
  options.output = output;
  options.format = options.command == Command::List     ? listFormat
                   : options.command == Command::Config ? configFormat
                   : options.command == Command::Plot   ? plotFormat
                   : formatOfData(command)              ? givenFormat(command)
                                                        : format;
  options.nameSpace = nameSpace;
  options.dependencies = dependencies;
  options.dependencyTarget = dependencyTarget;
  options.listOutputs = listOutputs;
  options.libraryFolder = libraryFolder;
  options.compileFlags = compileFlags;
  options.linkFlags = linkFlags;
  options.litFile = litFile;
  options.name = projectName;
  options.filter = filter;
  options.junit = junit;
  options.launcher = launcher;
  options.packetSize = static_cast<std::uint64_t>(packetSize.value);
  options.types = types.list;
  options.operators = operators.list;
  options.input = input.list;
  options.trace = trace;
  options.show = show;
  options.verify = verify;
  options.validate = validate;
  options.persistent = persistent;
  options.inPlace = inPlace;
  options.nonblocking = nonblocking;
  options.unchecked = unchecked;
  options.budget = static_cast<std::uint64_t>(budget.value);
  options.predict = predictOnly;
  options.showTable = showTable;
  options.callsFile = callsFile;
  options.exportFor = exportOption;
  options.plotted = plotOption;
  options.compareMpi = compareMpi;
  options.traceTimes = traceTimes;
  constexpr unsigned comparedCalls = 31; // if the command line does not say how many
  options.repeat = compareMpi && !isGiven(repeat) ? comparedCalls : static_cast<unsigned>(repeat.value);
  options.timeoutSeconds = static_cast<unsigned>(timeoutSeconds.value);
  options.clear = clear;
  options.machine = machine;
  for (const TopologyTexts &given : topologies)
    llvm::append_range(options.topologies, given.list);
  options.alpha = ifGiven(alpha);
  options.beta = ifGiven(beta);
  options.gamma = ifGiven(gamma);
  options.delays = delays();
  options.seed = options.delays.seed;
  return options;
}

} // namespace

llvm::ArrayRef<cl::SubCommand *> allCommands() { return commands; }
const cl::OptionCategory &shownOptions() { return category; }

std::optional<Options> parseCommandLine(int argc, char **argv, int &exitStatus) {
  cl::SubCommand *command = readCommandLine(argc, argv, commands, category, exitStatus);
  if (!command)
    return std::nullopt;
  Options options = gather(*command);
  if (const std::string wrong = whatDoesNotFit(*command, options); !wrong.empty()) {
    complain(wrong, command->getName());
    exitStatus = 2;
    return std::nullopt;
  }
  return options;
}

} // namespace quadrille::compiler
