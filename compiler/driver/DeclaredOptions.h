//===- DeclaredOptions.h - The commands and the options, as the command line has them ---------------------------*- C++ -*-===//
//
// Private to Options.cpp, which takes their values, and OptionRules.cpp, which knows what does not fit together.
//
//===----------------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_DRIVER_DECLAREDOPTIONS_H
#define QUADRILLE_DRIVER_DECLAREDOPTIONS_H

#include "OptionValues.h"

#include "ir/Schedule.h"
#include "quadrille/harness/data.h"
#include "scene/Colour.h"

namespace quadrille::compiler::declared {

namespace cl = llvm::cl;

inline cl::OptionCategory category("Options");

inline cl::SubCommand checkCommand("check", "run all checks on schedules (the default command)");
inline cl::SubCommand proveCommand("prove", "prove schedules for all p");
inline cl::SubCommand costCommand("cost", "rounds, startups, words and operator applications");
inline cl::SubCommand emitCommand("emit", "write C++ that calls the runtime, after all checks");
inline cl::SubCommand runCommand("run", "compile the emitted C++ and run it; --verify compares the results");
inline cl::SubCommand drawCommand("draw", "draw the space-time diagram of a schedule");
inline cl::SubCommand plotCommand("plot", "plot times, speed-ups, who does what when, who sends to whom, trees");
inline cl::SubCommand listCommand("list", "list the schedules of the library");
inline cl::SubCommand colourCommand("colour", "write a schedule for an all-to-all with given sizes, by edge colouring");
inline cl::SubCommand calibrateCommand("calibrate", "measure what startups, words and operators take on this machine");
inline cl::SubCommand tuneCommand("tune", "measure which schedule is fastest where, and write the table by which libquadrille chooses");
inline cl::SubCommand cacheCommand("cache", "show what is kept from one run to the next, or delete it");
inline cl::SubCommand fmtCommand("fmt", "format schedule files in the style of the library");
inline cl::SubCommand lspCommand("lsp", "serve an editor: diagnostics, completion and more, by the Language Server Protocol");
inline cl::SubCommand explainCommand("explain", "explain a diagnostic code such as Q0301");
inline cl::SubCommand configCommand("config", "print what the C++ compiler needs for emitted code");
inline cl::SubCommand newCommand("new", "write a project: a collective, a schedule, tests, a program that calls it, a file for CMake");
inline cl::SubCommand testCommand("test", "run the tests of a project");
inline cl::SubCommand completionCommand("completion", "print what completes command lines in bash, zsh or fish");
inline cl::SubCommand manCommand("man", "print the manual page");

/// The subcommands, in the order of the enumeration `Command`.
inline cl::SubCommand *const commands[] = {&checkCommand, &proveCommand, &costCommand,   &emitCommand,      &runCommand,
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

inline constexpr llvm::StringLiteral completed[] = {"bash", "zsh", "fish", "schedules"};

inline constexpr std::int64_t most64 = std::numeric_limits<std::int64_t>::max(), most32 = std::numeric_limits<std::uint32_t>::max();

inline cl::list<std::string> files(cl::Positional, cl::desc("FILE..."),
    of{&checkCommand, &proveCommand, &costCommand, &emitCommand, &runCommand, &drawCommand, &plotCommand, &listCommand, &colourCommand, &cacheCommand,
       &fmtCommand, &explainCommand, &newCommand, &testCommand, &completionCommand, &tuneCommand});
inline cl::list<std::string> searchedFolders("I", cl::desc("look for used schedules in this folder; may be repeated"), cl::value_desc("DIR"), cl::Prefix,
    of{&checkCommand, &proveCommand, &costCommand, &emitCommand, &runCommand, &drawCommand, &plotCommand, &lspCommand});
inline RangesOption ranks("p",
    cl::desc("numbers of ranks, as in 8, 1..33 or 1,2,5 (default 1..17)"), cl::value_desc("P"),
    in{{&costCommand}, "numbers of ranks, as in 8, 1..33 or 1,2,5 (default 8)"},
    in{{&plotCommand}, "the number of ranks (default 8), or several with --over=p, as in 1..33 or 1,2,5"},
    in{{&drawCommand}, "the number of ranks (default 8)"},
    in{{&runCommand}, "numbers of ranks, as in 8, 1..33 or 1,2,5 (default 4)"},
    in{{&emitCommand}, "of --explain: the number of ranks (default 4)"},
    in{{&calibrateCommand}, "the number of ranks (default: of cores)"},
    in{{&tuneCommand}, "numbers of ranks, as in 8, 1..33 or 1,2,5 (default: powers of two, up to the number of cores)"}, atLeast{1}, atMost{std::int64_t(1) << 30, "2^30 ranks"},
    of{&checkCommand, &proveCommand, &costCommand, &emitCommand, &runCommand, &drawCommand, &plotCommand, &calibrateCommand, &tuneCommand});
inline RangesOption planRanks("rank", cl::desc("of --explain: whose plan, as in 3 or 0..2,5 (default 0)"), cl::value_desc("R"),
    in{{&drawCommand}, "of --plan: whose plan, as in 3 (default 0)"},
    of{&emitCommand, &drawCommand});
inline RangesOption lengths("n", cl::desc("elements per block, as in 1000 or 16Mi (default 1000)"), cl::value_desc("N"),
    in{{&checkCommand}, "of --trace: elements per block, as in 1000, for what costs depend on"},
    in{{&drawCommand}, "elements per block, as in 1000 (default: costs are formulas in n)"},
    in{{&plotCommand}, "elements per block, as in 1..16Mi; with --over=p or --over=k one number, as in 1000"},
    atMost{std::int64_t(1) << 40, "2^40 elements"}, of{&checkCommand, &costCommand, &drawCommand, &plotCommand});
inline RangesOption runLengths("n", cl::desc("elements per block, as in 1000 or 16Mi (default 1000)"), cl::value_desc("N"), of{&runCommand});
inline LengthsOption tableLengths("lengths",
    cl::desc("how blocks with lengths of their own are filled: uneven (default), even or single, around n; or numbers such as 3,0,5"),
    cl::value_desc("L"), of{&costCommand, &runCommand});
inline RangesOption parameters("k", cl::desc("values of the schedule's parameter, as in 4 or 1..8"), cl::value_desc("K"), atLeast{1},
    in{{&drawCommand}, "the value of the schedule's parameter"},
    in{{&plotCommand}, "the value of the schedules' parameter, or several with --over=k, as in 1..8"},
    in{{&emitCommand}, "of --explain: the value of the schedule's parameter"},
    of{&checkCommand, &costCommand, &emitCommand, &drawCommand, &plotCommand});
inline RangesOption runParameters("k", cl::desc("values of the schedule's parameter, as in 4 or 1..8; 0 chooses the number of packets"),
    cl::value_desc("K"), of{&runCommand});
inline RootOption root("root", cl::desc("the root, a rank (default 0) or all"), cl::value_desc("R"),
    in{{&checkCommand}, "the root, a rank or all (the default)"},
    in{{&drawCommand, &plotCommand}, "the root, a rank (default 0)"},
    in{{&emitCommand}, "of --explain: the root, a rank (default 0)"},
    of{&checkCommand, &costCommand, &emitCommand, &runCommand, &drawCommand, &plotCommand});
inline NodesOption nodes("nodes",
    cl::desc("for schedules that ask on which node ranks are: as many nodes of consecutive ranks, or the node of each rank, as in 0,0,1,2"),
    cl::value_desc("NODES"), of{&checkCommand, &proveCommand, &costCommand, &emitCommand, &runCommand, &drawCommand, &plotCommand});
inline ModelOption model("model", cl::desc("check this port model instead of the declared one; --compare: what this port model allows"),
    cl::value_desc("M"), offers{{std::begin(ir::portModelNames), std::end(ir::portModelNames)}}, of{&checkCommand, &costCommand});
inline CollectiveOption compareOption("compare",
    cl::desc("which schedule of this collective is fastest where; -p and -n as in 2..1024 and 1..16Mi"),
    cl::value_desc("COLLECTIVE"), of{&costCommand});
inline cl::opt<bool> noncommutative("noncommutative", cl::desc("--compare: leave out what requires a commutative operator"),
    of{&costCommand});
inline WordOption dataFormat("format", cl::desc("text (default), or json, junit: results for programs; default with -o: by the ending of the file"),
    cl::value_desc("F"), choices{{"text", "json", "junit"}}, of{&checkCommand, &proveCommand});
inline WordOption runFormat("format", cl::desc("text (default), or json, junit, csv: results for programs; default with -o: by the ending of the file"),
    cl::value_desc("F"), choices{{"text", "json", "junit", "csv"}}, of{&runCommand});
inline WordOption costFormat("format", cl::desc("text (default), json, junit or csv; of --compare: text, json, or svg, pdf, png, tex, html; default with -o: by the ending of the file"),
    cl::value_desc("F"), choices{{"text", "json", "junit", "csv", "svg", "pdf", "png", "tex", "html"}}, of{&costCommand});
inline cl::opt<bool> trace("trace", cl::desc("show what every rank holds after every round, for one case (default p = 8)"),
    of{&checkCommand});
inline cl::opt<bool> printIr("print-ir", cl::desc("print the schedules as the compiler has understood them, and check nothing"),
    of{&checkCommand});
inline cl::opt<bool> verbose("v", cl::desc("say more"), of{&checkCommand, &proveCommand, &runCommand, &calibrateCommand});
inline cl::opt<bool> explain("explain", cl::desc("print the invariants and clocks that the proof found"), of{&proveCommand});
inline cl::opt<bool> explainPlan("explain", cl::desc("write no code: print what a rank does in a call, and what waits for what"),
    of{&emitCommand});
inline cl::opt<bool> plan("plan", cl::desc("draw what a rank of the emitted code does in a call, and what waits for what"), of{&drawCommand});
inline cl::opt<bool> checkFormat("check", cl::desc("write nothing: list the files that are not formatted, and say where"), of{&fmtCommand});
inline TextOption dump("dump", cl::desc("write every obligation to this folder, in SMT-LIB 2"), cl::value_desc("DIR"),
    of{&proveCommand});
inline cl::opt<bool> deep("deep", cl::desc("check cases beyond those of -p, too: large ones at which something may change, within a minute or two"),
    of{&checkCommand});
inline cl::opt<bool> noProof("no-proof", cl::desc("do not prove anything for all p; list: show nothing that was proved, either"), of{&checkCommand, &listCommand, &lspCommand});
inline cl::opt<bool> proveListed("prove", cl::desc("prove what is not remembered; for the whole library this takes minutes"), of{&listCommand});
inline cl::opt<bool> noCache("no-cache", cl::desc("do not remember what was proved before"),
    of{&checkCommand, &proveCommand, &costCommand, &listCommand, &lspCommand});
inline WordOption diagnosticsFormat("diagnostics-format", cl::desc("text (default), json or sarif"), cl::init("text"),
    cl::value_desc("F"), choices{{"text", "json", "sarif"}}, of{&cl::SubCommand::getAll()});
inline cl::opt<bool> warningsAreErrors("Werror", cl::desc("report warnings as errors"), of{&cl::SubCommand::getAll()});
inline cl::opt<bool> requireProof("require-proof", cl::desc("it is an error if a schedule is not proved for all p in all that it claims"), of{&checkCommand});
inline ClaimsOption requiredClaims("require",
    cl::desc("it is an error if one of these claims is not proved for all p: all, or names as -v prints them, as in result,operand-order,cost"),
    cl::value_desc("CLAIM,..."), offers{claimWords()}, of{&proveCommand});
inline NumberOption jobs("jobs", cl::desc("how many schedules are proved at a time (default: as many as cores may be used)"), cl::value_desc("N"),
    atLeast{1, "it takes at least one"}, atMost{most32}, of{&proveCommand, &listCommand});
inline EffortOption effortOption("effort", cl::desc("multiplies the limits of searches and proofs, as in 4 or 0.5 (default 1); docs/limits.md"),
    cl::value_desc("N"), of{&checkCommand, &proveCommand, &costCommand, &emitCommand, &listCommand, &runCommand, &lspCommand});
inline NumberOption memory("memory", cl::desc("megabytes that checking one case may take (default 4096)"), cl::init(4096),
    cl::value_desc("MB"), atMost{most64 >> 20}, of{&checkCommand, &proveCommand, &costCommand, &drawCommand, &plotCommand, &runCommand, &lspCommand});
inline NumberOption maxSteps("max-steps", cl::desc("steps that one case may take (default 100Mi)"), cl::init(100 << 20),
    cl::value_desc("N"), of{&checkCommand, &proveCommand, &costCommand, &drawCommand, &plotCommand, &runCommand, &lspCommand});
inline NumberOption maxSeconds("max-seconds", cl::desc("end the checks of a schedule before the first p at which they have taken this long"),
    in{{&proveCommand}, "end the checks of a schedule, before its proof, at the first p at which they have taken this long"},
    in{{&runCommand}, "end the checks of a schedule, and then the runs of all, before the first p at which they have taken this long"},
    cl::value_desc("S"), atLeast{1, "a check takes at least a second"}, atMost{most32}, of{&checkCommand, &proveCommand, &runCommand, &lspCommand});
inline WordOption backend("backend", cl::desc("shm (threads, the default) or mpi"), cl::init("shm"), cl::value_desc("B"),
    choices{{"shm", "mpi"}}, of{&emitCommand, &runCommand, &drawCommand, &calibrateCommand, &tuneCommand, &configCommand});
inline TextOption output("o",
    cl::desc("the file for the results as data; - for standard output"), cl::value_desc("PATH"),
    in{{&emitCommand}, "the folder for the sources; - for standard output (default: the current folder)"},
    in{{&drawCommand, &plotCommand}, "the file for the picture; - for standard output"},
    in{{&costCommand}, "the file for the results as data or, with --compare, the map; - for standard output"},
    in{{&colourCommand}, "the file for the schedule; - for standard output"},
    in{{&calibrateCommand}, "the file for what is measured; - for standard output (default: the cache, where the other commands find it)"},
    in{{&tuneCommand}, "the file for the table, the map or the rules; - for standard output"},
    of{&checkCommand, &proveCommand, &costCommand, &emitCommand, &runCommand, &drawCommand, &plotCommand, &colourCommand, &calibrateCommand, &tuneCommand});
inline NumberOption packetSize("packet", cl::desc("elements per packet, by which the sizes are divided (default 1)"), cl::init(1),
    cl::value_desc("N"), atLeast{1, "a packet has at least one element"}, of{&colourCommand});
inline WordOption format("format", cl::desc("text, or svg, pdf, png, tex (TikZ), html: pictures; default: by the ending of -o, else text"), cl::value_desc("F"),
    choices{{"text", "svg", "pdf", "png", "tex", "html"}}, of{&drawCommand});
inline WordOption plotFormat("format", cl::desc("csv, or svg, pdf, png, tex (TikZ), html: pictures; default: by the ending of -o, else csv"), cl::value_desc("F"),
    choices{{"csv", "svg", "pdf", "png", "tex", "html"}}, of{&plotCommand});
inline WordOption plotOver("over", cl::desc("what is to the right: n (default), p or k"), cl::init("n"), cl::value_desc("X"), choices{{"n", "p", "k"}}, of{&plotCommand});
inline TextOption plotAgainst("against", cl::desc("plot how much faster than this schedule others are"), cl::value_desc("FILE"), of{&plotCommand});
inline cl::list<std::string> plotMeasured("measured", cl::desc("results of run --format=json: of --repeat=R points beside the curves, of --trace-times what --gantt shows; may be repeated"),
    cl::value_desc("FILE"), of{&plotCommand});
inline cl::opt<bool> plotGantt("gantt", cl::desc("what every rank does when, in seconds, in one case"), of{&plotCommand});
inline cl::opt<bool> plotMatrix("matrix", cl::desc("how much every rank sends to every other, in one case"), of{&plotCommand});
inline cl::opt<bool> plotTree("tree", cl::desc("the tree of who hears from whom first, or tells whom last, in one case"), of{&plotCommand});
inline cl::opt<bool> noTitle("no-title", cl::desc("leave out the heading, for pictures that have a caption"), of{&drawCommand, &plotCommand});
inline NumberOption pictureWidth("width", cl::desc("how wide the picture is, in pixels of 1/96 inch, or the text in columns; what does not fit goes on below"),
    cl::value_desc("W"), atLeast{20, "a picture is at least 20 wide"}, atMost{32000}, of{&drawCommand, &plotCommand});
inline RangesOption shownRounds("rounds", cl::desc("which rounds are shown, as in 3 or 0..7"), cl::value_desc("A..B"), atMost{most32 - 1, "2^32"}, of{&drawCommand});
inline RangesOption shownRanks("ranks", cl::desc("which ranks are shown, as in 0..15; of others, the ends of messages"), cl::value_desc("A..B"),
    atMost{most32 - 1, "2^32"}, of{&drawCommand});
inline WordOption palette("palette", cl::desc("colours: okabe-ito (default) and tol are told apart by those who see few, grey is for paper"),
    cl::init("okabe-ito"), cl::value_desc("NAME"), choices{scene::paletteNames().vec()}, of{&drawCommand, &plotCommand});
inline WordOption listFormat("format", cl::desc("text (default), markdown or json"), cl::init("text"), cl::value_desc("F"),
    choices{{"text", "markdown", "json"}}, of{&listCommand});
inline NamespaceOption nameSpace("namespace", cl::desc("C++ namespace of the emitted functions (default collectives)"),
    cl::init("collectives"), cl::value_desc("NAME"), of{&emitCommand});
inline TextOption dependencies("depfile", cl::desc("also write a rule for make: what is written depends on all files that were read"),
    cl::value_desc("FILE"), of{&emitCommand});
inline TextOption dependencyTarget("depfile-target", cl::desc("of --depfile: what depends on them, instead of what is written"),
    cl::value_desc("NAME"), of{&emitCommand});
inline cl::opt<bool> listOutputs("list-outputs", cl::desc("write nothing: print the names of the files that would be written"), of{&emitCommand});
inline TextOption libraryFolder("library",
    cl::desc("write to this folder the sources of a library that chooses among all schedules: those of FILE... and Quadrille's own"),
    cl::value_desc("DIR"), of{&emitCommand});
inline cl::opt<bool> compileFlags("cflags", cl::desc("print the flags to compile emitted code with"), of{&configCommand});
inline cl::opt<bool> linkFlags("libs", cl::desc("print the flags to link it with"), of{&configCommand});
inline cl::opt<bool> litFile("lit", cl::desc("print the file that a lit test suite loads to test schedules"), of{&configCommand});
inline WordOption configFormat("format", cl::desc("json: print the version, the folders, the backends with their flags, and the launcher"),
    cl::value_desc("F"), choices{{"json"}}, of{&configCommand});
inline cl::opt<std::string> projectName("name", cl::desc("the name of the project and its collective (default: that of the folder)"), cl::value_desc("NAME"),
    of{&newCommand});
inline cl::opt<std::string> filter("filter", cl::desc("run only the tests whose names match this regular expression"), cl::value_desc("REGEX"),
    of{&testCommand});
inline TextOption junit("junit", cl::desc("also write the results to this file, in the format of JUnit"), cl::value_desc("FILE"), of{&testCommand});
inline NumberOption testJobs("jobs", cl::desc("how many tests run at a time (default: as many as cores may be used)"), cl::value_desc("N"),
    atLeast{1, "it takes at least one"}, atMost{most32}, of{&testCommand});
inline CommandOption launcher("launcher",
    cl::desc("the command that starts MPI programs, as in \"srun --mpi=pmix\" or \"mpiexec -f hosts -n {p}\" (default: MPIEXEC, else that of the build)"),
    cl::value_desc("CMD"), of{&runCommand, &calibrateCommand, &tuneCommand, &configCommand});
inline WordsOption types("type", cl::desc("element types, e.g. double or int32,mat2"), cl::value_desc("T"), noEmptyWords(),
    offers{namesOf(harness::elementNames)}, of{&runCommand, &calibrateCommand});
inline WordsOption operators("op", cl::desc("operators, e.g. sum or max,matmul"), cl::value_desc("O"), noEmptyWords(),
    offers{namesOf(harness::combinerNames)}, of{&runCommand});
inline cl::opt<bool> verify("verify", cl::desc("compare results with a sequential computation and the interpreter"), of{&runCommand});
inline cl::opt<bool> validate("validate",
    cl::desc("run nothing: compare what the emitted code records with the interpreter, for every rank"), of{&runCommand});
inline cl::opt<bool> inPlace("in-place", cl::desc("run every case also with the result in the memory of the input"), of{&runCommand});
inline cl::opt<bool> nonblocking("nonblocking", cl::desc("start several calls at once instead of waiting for each"), of{&runCommand});
inline cl::opt<bool> persistent("persistent", cl::desc("prepare every case once and start it several times"), of{&runCommand});
inline WordsOption input("input", cl::desc("what the ranks put in, as in 3,1,4,0,2, instead of random data (default n = 1)"),
    cl::value_desc("V,..."), noEmptyWords(), of{&runCommand});
inline cl::opt<bool> show("show", cl::desc("print what every rank ends with"), of{&runCommand});
inline cl::opt<bool> unchecked("unchecked", cl::desc("run also what fails the checks, to see what it does"), of{&runCommand});
inline NumberOption repeat("repeat", cl::desc("time this many calls"), cl::value_desc("R"),
    atLeast{1, "it takes at least a call that is timed"}, atMost{most32}, of{&runCommand});
inline cl::opt<bool> traceTimes("trace-times",
    cl::desc("also time every transfer and combination of a call, for plot --gantt --measured; of --format=json"), of{&runCommand});
inline cl::opt<bool> compareMpi("compare-mpi",
    cl::desc("of --backend=mpi: also time the MPI library's own collective, call by call in turn, and compare the results"), of{&runCommand});
inline TextOption machine("machine", cl::desc("what calibrate measured: seconds beside formulas and measurements, and the predictions of tune"),
    cl::value_desc("FILE"), of{&costCommand, &plotCommand, &runCommand, &tuneCommand});
inline NumberOption budget("budget", cl::desc("begin no further measurement after so many seconds (default 600); run again to go on"), cl::init(600),
    cl::value_desc("S"), atMost{most32}, of{&tuneCommand});
inline cl::opt<bool> predictOnly("predict", cl::desc("measure nothing: a table of what the machine and formulas predict"), of{&tuneCommand});
inline TextOption callsFile("from", cl::desc("tune for what a program calls: the file that QUADRILLE_CALLS has named for the preload library"), cl::value_desc("CALLS"),
    of{&tuneCommand});
inline cl::opt<bool> showTable("show", cl::desc("print which schedule a table chooses where: that of FILE, or the library's own"), of{&tuneCommand});
inline WordOption exportOption("export", cl::desc("write what a table chooses, that of FILE or the library's own, as rules for another library: ompi (Open MPI 4.1), mpich (MPICH 4.0) or ucc (UCC)"),
    cl::value_desc("LIBRARY"), choices{{"ompi", "mpich", "ucc"}}, of{&tuneCommand});
inline CollectiveOption plotOption("plot", cl::desc("draw what --show prints of this collective, as SVG or what -o ends in, to the file of -o"), cl::value_desc("COLLECTIVE"),
    of{&tuneCommand});
inline WordOption tableCores("cores", cl::desc("of --show, --plot and --export: what a table chooses where each rank has a core of its own (own, the default) or not (shared)"),
    cl::init("own"), cl::value_desc("C"), choices{{"own", "shared"}}, of{&tuneCommand});
inline DurationOption alpha("alpha", cl::desc("a startup, as in 2us"), cl::value_desc("T"), of{&costCommand, &plotCommand});
inline DurationOption beta("beta", cl::desc("an element sent, as in 0.5ns"), cl::value_desc("T"), of{&costCommand, &plotCommand});
inline DurationOption gamma("gamma", cl::desc("an element combined, as in 0.2ns"), cl::value_desc("T"), of{&costCommand, &plotCommand});
inline NumberOption timeoutSeconds("timeout", cl::desc("seconds a case may take (default 60)"), cl::init(60), cl::value_desc("S"),
    atLeast{1, "it takes at least a second"}, atMost{most32}, of{&runCommand});
inline cl::opt<bool> standardStreams("stdio", cl::desc("read standard input and write standard output, as it always does: some editors say so"), of{&lspCommand});
inline cl::opt<bool> showCache("show", cl::desc("print the folder, and what its parts hold (the default)"), of{&cacheCommand});
inline cl::opt<bool> clear("clear", cl::desc("delete these parts; without a name all but `machines`, which take minutes to measure"), of{&cacheCommand});
inline NumberOption seed("seed", cl::desc("seed of random data (run) or noise (cost) (default 1)"), cl::init(1), cl::value_desc("N"),
    of{&costCommand, &runCommand});
inline LateRanksOption lateRanks("late", cl::desc("ranks that come late, as in 3:50us,5:1ms: when is every rank done?"),
    cl::value_desc("R:T,..."), of{&costCommand});
inline DurationOption noise("noise", cl::desc("mean of a random delay of every rank before each of its steps, as in 1us"),
    cl::value_desc("T"), of{&costCommand});
inline TopologiesOption topologies("topology",
    cl::desc("the network: line, ring:8, mesh:4x4, torus:4x4x4, hypercube, tree:2,4,8, fattree:2,4,8, full or a file; may be repeated"),
    in{{&drawCommand}, "the network: line, ring:8, mesh:4x4, torus:4x4x4, hypercube, tree:2,4,8, fattree:2,4,8, full or a file"},
    cl::value_desc("T"), of{&costCommand, &drawCommand});

inline bool isGiven(const cl::Option &option) { return option.getNumOccurrences() > 0; }
inline bool isComparison() { return !compareOption.empty(); }
/// Whether the command takes only some numbers of a range.
inline bool isSampled() { return isComparison() || plotCommand; }

} // namespace quadrille::compiler::declared

#endif // QUADRILLE_DRIVER_DECLAREDOPTIONS_H
