//===- Options.cpp - The options of all commands ---------------------------------------------------------------------------------===//

#include "Options.h"

#include "CommandLine.h"
#include "CommandTable.h"
#include "DeclaredOptions.h"
#include "OptionRules.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Process.h"

#include <cmath>

namespace quadrille::compiler {

using namespace declared;

namespace {

std::vector<std::int64_t> numbers(const NumberRanges &given) {
  return isSampled() ? given.sampled() : given.isTooLong() ? std::vector<std::int64_t>() : given.all();
}

template <typename T, class Parser> std::optional<T> ifGiven(const cl::opt<T, false, Parser> &option) {
  return isGiven(option) ? std::optional<T>(option.getValue()) : std::nullopt;
}

std::optional<draw::NumberRange> interval(const NumberRanges &given) {
  if (given.ranges.empty())
    return std::nullopt;
  return draw::NumberRange{static_cast<std::uint32_t>(given.ranges[0].first), static_cast<std::uint32_t>(given.ranges[0].second)};
}

/// The folders of $QUADRILLE_PATH.
std::vector<std::string> foldersOfEnvironment() {
  std::vector<std::string> result;
  const std::optional<std::string> path = llvm::sys::Process::GetEnv("QUADRILLE_PATH");
  llvm::SmallVector<llvm::StringRef> folders;
  if (path)
    llvm::StringRef(*path).split(folders, llvm::sys::EnvPathSeparator, -1, /*KeepEmpty=*/false);
  for (llvm::StringRef folder : folders)
    result.push_back(folder.str());
  return result;
}

draw::Look look() {
  draw::Look result;
  result.title = !noTitle;
  if (isGiven(pictureWidth))
    result.width = static_cast<double>(pictureWidth.value);
  result.rounds = interval(shownRounds);
  result.ranks = interval(shownRanks);
  return result;
}

/// The format of what a command prints; empty: text, or by the ending of the file of -o.
std::string formatFor(const cl::SubCommand &command) {
  return &command == &listCommand     ? listFormat
         : &command == &configCommand ? configFormat
         : &command == &plotCommand   ? plotFormat
         : formatOfData(command)      ? givenFormat(command)
                                      : format;
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

/// What QUADRILLE_NODES says to the runtime. A value that the runtime would ignore is refused.
NodeChoice nodesOfEnvironment() {
  NodeChoice result;
  const std::optional<std::string> text = llvm::sys::Process::GetEnv("QUADRILLE_NODES");
  if (!text || text->empty() || !NodesParser(nodes).parse(nodes, "", *text, result))
    return result;
  std::string &refusal = refusals().back();
  refusal = "QUADRILLE_NODES" + refusal.substr(refusal.find(':'));
  return {};
}

/// Refuses what the runtime would ignore of its variables, since a program that `run` has started says so to nobody.
void refuseIgnoredSettings() {
  auto refuseUnless = [](const char *name, bool (*fits)(llvm::StringRef), const char *expected) {
    const std::string text = llvm::sys::Process::GetEnv(name).value_or("");
    if (!text.empty() && !fits(text))
      refusals().push_back(std::string(name) + ": '" + text + "' is not " + expected);
  };
  auto isNumber = [](llvm::StringRef text) {
    std::int64_t number = 0;
    return !text.getAsInteger(10, number) && number >= 0;
  };
  auto isTime = [](llvm::StringRef text) {
    double seconds = 0;
    return !text.getAsDouble(seconds) && std::isfinite(seconds) && seconds > 0;
  };
  refuseUnless("QUADRILLE_ALPHA", isTime, "a number of seconds above zero, such as 1e-6");
  refuseUnless("QUADRILLE_BETA", isTime, "a number of seconds above zero, such as 1e-9");
  refuseUnless("QUADRILLE_TIMEOUT_MS", isNumber, "a number of milliseconds");
  refuseUnless("QUADRILLE_PROGRESS_THREAD", isNumber, "0 or 1");
  refuseUnless("QUADRILLE_SHARED_MEMORY", [](llvm::StringRef text) { return text == "0" || text == "1"; }, "0 or 1");
}

Options gather(cl::SubCommand &command) {
  Options options;
  options.command = static_cast<Command>(llvm::find(commands, &command) - std::begin(commands));
  const bool isRun = options.command == Command::Run;
  options.files.assign(files.begin(), files.end());
  options.searched.assign(searchedFolders.begin(), searchedFolders.end());
  options.searchedByOption = options.searched.size();
  llvm::append_range(options.searched, foldersOfEnvironment());
  options.ps = numbers(ranks);
  options.nodes = nodes;
  if (isRun && !options.nodes.isGiven())
    options.nodes = nodesOfEnvironment();
  if (isRun || options.command == Command::Emit || options.command == Command::Draw)
    refuseIgnoredSettings();
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
  options.look = look();
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
  options.format = formatFor(command);
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
  options.sharesCores = tableCores == "shared";
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
