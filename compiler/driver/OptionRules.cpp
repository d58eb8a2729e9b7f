//===- OptionRules.cpp - Which options do not fit together ----------------------------------------------------------------===//

#include "OptionRules.h"

#include "DeclaredOptions.h"

#include "scene/Picture.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Path.h"

#include <algorithm>
#include <functional>

namespace quadrille::compiler {

using namespace declared;

namespace {

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
    {&costCommand, [] { return !isGiven(noise); }, {seed}, " is for --noise"},
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
    {&tuneCommand, [] { return !readsTable(); }, {tableCores}, " is for --show, --plot and --export, which read a table"},
    {&tuneCommand, readsTable, {budget, predictOnly, machine, launcher, callsFile}, " is not for --show, --plot and --export, which read a table"},
    {&tuneCommand, [] { return isGiven(exportOption); }, {showTable, plotOption, backend}, " is not for --export, which writes rules for processes"},
    {&tuneCommand, [] { return showTable.getValue(); }, {plotOption, output}, " is not for --show, which prints a table"},
    {&cacheCommand, [] { return clear.getValue(); }, {showCache}, " is not for --clear"},
    {&checkCommand, [] { return noProof.getValue(); }, {requireProof}, " is not for --no-proof"},
    {&listCommand, [] { return noProof.getValue(); }, {proveListed}, " is not for --no-proof"},
    {&checkCommand, [] { return trace.getValue(); }, {deep, requireProof, dataFormat, output}, " is not for --trace"},
    {&checkCommand, [] { return printIr.getValue(); }, {deep, requireProof, trace, dataFormat, output}, " is not for --print-ir"},
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

} // namespace

const WordOption *formatOfData(const cl::SubCommand &command) {
  return &command == &checkCommand || &command == &proveCommand ? &dataFormat
         : &command == &runCommand                              ? &runFormat
         : &command == &costCommand                             ? &costFormat
                                                                : nullptr;
}

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

namespace {

/// The mistake in --format and -o of a command that has results for programs; empty: none.
std::string whatDoesNotFitTheFormat(const cl::SubCommand &command) {
  const std::string format = givenFormat(command);
  if (isComparison()) {
    const llvm::StringRef ending = llvm::sys::path::extension(output);
    if (format.empty() && !ending.empty() && ending != ".txt" && ending != ".json" && !scene::pictureFormat(ending.drop_front()))
      return "option -o: '" + ending.str() + "' is none of .txt, .json, .svg, .pdf, .png, .tex, .html; --format says what to write";
    return format == "junit" || format == "csv" ? "option --format: " + format + " is not for --compare" : "";
  }
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

} // namespace

std::string whatDoesNotFit(cl::SubCommand &command, const Options &options) {
  if (!refusals().empty()) // of the environment
    return refusals().front();
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
  if (&command == &emitCommand && libraryFolder == "-")
    return "option --library: sources are written to a folder, not to the standard output";
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
        return "option --nodes: it says where " + std::to_string(placed) + (placed == 1 ? " rank is" : " ranks are") + ", and -p names " + std::to_string(p);
  const auto &late = options.delays.late;
  const auto twice = std::adjacent_find(late.begin(), late.end(), [](const LateRank &a, const LateRank &b) { return a.rank == b.rank; });
  return twice == late.end() ? "" : "option --late: rank " + std::to_string(twice->rank) + " is late twice";
}

} // namespace quadrille::compiler
