//===- Options.cpp - The command line -----------------------------------------------------------------------------------------------===//

#include "Options.h"

#include "Help.h"

#include "machines/Compare.h"
#include "machines/MachineDescription.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

#include <limits>
#include <type_traits>

namespace quadrille {

namespace cl = llvm::cl;

namespace {

cl::OptionCategory category("Options");

cl::SubCommand checkCommand("check", "run all checks on schedules (the default command)");
cl::SubCommand proveCommand("prove", "prove schedules for all p");
cl::SubCommand costCommand("cost", "rounds, startups, words and operator applications");
cl::SubCommand emitCommand("emit", "write C++ that calls the runtime, after all checks");
cl::SubCommand runCommand("run", "compile the emitted C++ and run it; --verify compares the results");
cl::SubCommand drawCommand("draw", "draw the space-time diagram of a schedule");
cl::SubCommand listCommand("list", "list the schedules of the library");
cl::SubCommand colourCommand("colour", "write a schedule for an all-to-all with given sizes, by edge colouring");
cl::SubCommand calibrateCommand("calibrate", "measure what startups, words and operators take on this machine");
cl::SubCommand explainCommand("explain", "explain a diagnostic code such as Q0301");

cl::list<std::string> files(cl::Positional, cl::desc("FILE..."), cl::cat(category), cl::sub(checkCommand),
                            cl::sub(proveCommand), cl::sub(costCommand), cl::sub(emitCommand), cl::sub(runCommand),
                            cl::sub(drawCommand), cl::sub(listCommand), cl::sub(colourCommand), cl::sub(explainCommand));
cl::opt<std::string> ranks("p", cl::desc("numbers of ranks, as in 8, 1..33 or 1,2,5 (default: check and prove 1..17, cost 8, run 4, calibrate the cores)"), cl::value_desc("P"),
                           cl::cat(category), cl::sub(checkCommand), cl::sub(proveCommand), cl::sub(costCommand),
                           cl::sub(runCommand), cl::sub(drawCommand), cl::sub(calibrateCommand));
cl::opt<std::string> lengths("n", cl::desc("elements per block, as in 1000 or 16Mi (default 1000)"),
                             cl::value_desc("N"), cl::cat(category), cl::sub(checkCommand), cl::sub(costCommand),
                             cl::sub(runCommand), cl::sub(drawCommand));
cl::opt<std::string> tableLengths("lengths", cl::desc("how blocks with lengths of their own are filled: uneven (default), even or single, around n; or numbers such as 3,0,5"),
                                  cl::value_desc("L"), cl::cat(category), cl::sub(costCommand), cl::sub(runCommand));
cl::opt<std::string> parameters("k", cl::desc("values of the schedule's parameter, as in 4 or 1..8; run: 0 chooses the number of packets"), cl::value_desc("K"),
                                cl::cat(category), cl::sub(checkCommand), cl::sub(costCommand), cl::sub(runCommand),
                                cl::sub(drawCommand));
cl::opt<std::string> root("root", cl::desc("the root, a rank or all"), cl::value_desc("R"), cl::cat(category),
                          cl::sub(checkCommand), cl::sub(costCommand), cl::sub(runCommand), cl::sub(drawCommand));
cl::opt<std::string> model("model", cl::desc("check this port model instead of the declared one; --compare: what this port model allows"), cl::value_desc("M"),
                           cl::cat(category), cl::sub(checkCommand), cl::sub(costCommand));
cl::opt<std::string> compareOption("compare", cl::desc("which schedule of this collective is fastest where; -p and -n as in 2..1024 and 1..16Mi"),
                                   cl::value_desc("COLLECTIVE"), cl::cat(category), cl::sub(costCommand));
cl::opt<bool> noncommutative("noncommutative", cl::desc("--compare: leave out what requires a commutative operator"), cl::cat(category),
                             cl::sub(costCommand));
cl::opt<std::string> compareFormat("format", cl::desc("--compare: text, json or svg; default: by the ending of -o, else text"), cl::value_desc("F"),
                                   cl::cat(category), cl::sub(costCommand));
cl::opt<bool> trace("trace", cl::desc("show what every rank holds after every round, for one case (default p = 8)"),
                    cl::cat(category), cl::sub(checkCommand));
cl::opt<bool> printIr("print-ir", cl::desc("print the schedules as the compiler has understood them, and check nothing"), cl::cat(category),
                      cl::sub(checkCommand));
cl::opt<bool> verbose("v", cl::desc("say more"), cl::cat(category), cl::sub(checkCommand),
                      cl::sub(proveCommand), cl::sub(runCommand), cl::sub(calibrateCommand));
cl::opt<bool> explain("explain", cl::desc("print the invariants and clocks that the proof found"), cl::cat(category),
                      cl::sub(proveCommand));
cl::opt<std::string> dump("dump", cl::desc("write every obligation to this folder, in SMT-LIB 2"), cl::value_desc("DIR"),
                          cl::cat(category), cl::sub(proveCommand));
cl::opt<bool> noProof("no-proof", cl::desc("do not prove anything for all p"), cl::cat(category), cl::sub(checkCommand),
                      cl::sub(listCommand));
cl::opt<bool> noCache("no-cache", cl::desc("do not remember what was proved before"), cl::cat(category),
                      cl::sub(checkCommand), cl::sub(proveCommand), cl::sub(costCommand), cl::sub(listCommand));
cl::opt<std::string> diagnosticsFormat("diagnostics-format", cl::desc("text (default), json or sarif"), cl::init("text"),
                                       cl::value_desc("F"), cl::cat(category), cl::sub(cl::SubCommand::getAll()));
cl::opt<std::string> memory("memory", cl::desc("megabytes that checking one case may take (default 4096)"),
                            cl::init("4096"), cl::value_desc("MB"), cl::cat(category), cl::sub(checkCommand), cl::sub(proveCommand), cl::sub(costCommand),
                         cl::sub(drawCommand), cl::sub(runCommand));
cl::opt<std::string> maxSteps("max-steps", cl::desc("steps that one case may take (default 100Mi)"), cl::init("100Mi"),
                              cl::value_desc("N"), cl::cat(category), cl::sub(checkCommand), cl::sub(proveCommand), cl::sub(costCommand),
                                cl::sub(drawCommand), cl::sub(runCommand));
cl::opt<std::string> backend("backend", cl::desc("shm (threads, the default) or mpi"), cl::init("shm"), cl::value_desc("B"),
                             cl::cat(category), cl::sub(emitCommand), cl::sub(runCommand), cl::sub(calibrateCommand));
cl::opt<std::string> output("o", cl::desc("output folder (emit) or file (draw, colour, calibrate, cost --compare); - for standard output"), cl::value_desc("PATH"),
                            cl::cat(category), cl::sub(costCommand), cl::sub(emitCommand), cl::sub(drawCommand), cl::sub(colourCommand), cl::sub(calibrateCommand));
cl::opt<std::string> packetSize("packet", cl::desc("elements per packet, by which the sizes are divided (default 1)"), cl::init("1"),
                                cl::value_desc("N"), cl::cat(category), cl::sub(colourCommand));
cl::opt<std::string> format("format", cl::desc("text or svg; default: by the ending of -o, else text"), cl::value_desc("F"),
                            cl::cat(category), cl::sub(drawCommand));
cl::opt<std::string> listFormat("format", cl::desc("text (default), markdown or json"), cl::init("text"),
                                cl::value_desc("F"), cl::cat(category), cl::sub(listCommand));
cl::opt<std::string> nameSpace("namespace", cl::desc("C++ namespace of the emitted functions (default collectives)"), cl::init("collectives"),
                               cl::value_desc("NAME"), cl::cat(category), cl::sub(emitCommand));
cl::opt<std::string> types("type", cl::desc("element types, e.g. double or int32,mat2"), cl::value_desc("T"),
                           cl::cat(category), cl::sub(runCommand), cl::sub(calibrateCommand));
cl::opt<std::string> operators("op", cl::desc("operators, e.g. sum or max,matmul"), cl::value_desc("O"),
                               cl::cat(category), cl::sub(runCommand));
cl::opt<bool> verify("verify", cl::desc("compare results with a sequential computation and the interpreter"),
                     cl::cat(category), cl::sub(runCommand));
cl::opt<bool> inPlace("in-place", cl::desc("run every case also with the result in the memory of the input"),
                      cl::cat(category), cl::sub(runCommand));
cl::opt<bool> nonblocking("nonblocking", cl::desc("start several calls at once instead of waiting for each"), cl::cat(category),
                          cl::sub(runCommand));
cl::opt<std::string> input("input",
                           cl::desc("what the ranks put in, as in 3,1,4,0,2, instead of random data (default n = 1)"),
                           cl::value_desc("V,..."), cl::cat(category), cl::sub(runCommand));
cl::opt<bool> show("show", cl::desc("print what every rank ends with"), cl::cat(category), cl::sub(runCommand));
cl::opt<bool> unchecked("unchecked", cl::desc("run also what fails the checks, to see what it does"), cl::cat(category),
                        cl::sub(runCommand));
cl::opt<std::string> repeat("repeat", cl::desc("time this many calls"), cl::init("0"), cl::value_desc("R"), cl::cat(category), cl::sub(runCommand));
cl::opt<std::string> machine("machine", cl::desc("what calibrate measured: print seconds beside formulas and measurements"),
                             cl::value_desc("FILE"), cl::cat(category), cl::sub(costCommand), cl::sub(runCommand));
cl::opt<std::string> alpha("alpha", cl::desc("a startup, as in 2us"), cl::value_desc("T"), cl::cat(category), cl::sub(costCommand));
cl::opt<std::string> beta("beta", cl::desc("an element sent, as in 0.5ns"), cl::value_desc("T"), cl::cat(category), cl::sub(costCommand));
cl::opt<std::string> gamma("gamma", cl::desc("an element combined, as in 0.2ns"), cl::value_desc("T"), cl::cat(category),
                           cl::sub(costCommand));
cl::opt<std::string> timeoutSeconds("timeout", cl::desc("seconds a case may take (default 60)"), cl::init("60"),
                                    cl::value_desc("S"), cl::cat(category), cl::sub(runCommand));
cl::opt<std::string> seed("seed", cl::desc("seed of random data (run) or noise (cost) (default 1)"), cl::init("1"), cl::value_desc("N"),
                            cl::cat(category), cl::sub(costCommand), cl::sub(runCommand));

cl::list<std::string> lateRanks("late", cl::desc("ranks that come late, as in 3:50us,5:1ms: when is every rank done?"),
                                cl::value_desc("R:T,..."), cl::cat(category), cl::sub(costCommand));
cl::opt<std::string> noise("noise", cl::desc("mean of a random delay of every rank before each of its steps, as in 1us"),
                           cl::value_desc("T"), cl::cat(category), cl::sub(costCommand));
cl::list<std::string> topologies("topology",
                                 cl::desc("the network: line, ring:8, mesh:4x4, torus:4x4x4, hypercube, tree:2,4,8, fattree:2,4,8, full or a file; may be repeated for cost"),
                                 cl::value_desc("T"), cl::cat(category), cl::sub(costCommand), cl::sub(drawCommand));

void printVersion(llvm::raw_ostream &out) { out << "quadrille " QUADRILLE_VERSION "\n"; }

void complain(const llvm::Twine &message, llvm::StringRef command = "") {
  llvm::errs() << "quadrille: " << message << "\nquadrille: see 'quadrille " << command << (command.empty() ? "" : " ")
               << "--help'\n";
}

/// What LLVM's command line library says about an option that it does not know, in our words:
///   quadrille: Unknown command line argument '--frob'.  Try: '/usr/bin/quadrille --help'
std::string worded(llvm::StringRef errors) {
  auto [before, after] = errors.split("Unknown command line argument '");
  llvm::StringRef option = after.take_until([](char c) { return c == '\''; });
  if (option.empty())
    return "a value does not fit its option";
  return (option.starts_with("-") ? "unknown option '" : "unexpected argument '") + option.str() + "'";
}

/// No block has more elements, so that costs are numbers that can be computed with.
constexpr std::int64_t maxElements = std::int64_t(1) << 40;

/// "-p", "--root"
std::string spelled(const cl::Option &option) { return (option.ArgStr.size() > 1 ? "--" : "-") + option.ArgStr.str(); }

/// "16Mi" -> 16777216
bool parseNumber(llvm::StringRef text, std::int64_t &value) {
  std::int64_t factor = 1;
  if (text.consume_back("Ki"))
    factor = 1 << 10;
  else if (text.consume_back("Mi"))
    factor = 1 << 20;
  else if (text.consume_back("Gi"))
    factor = 1 << 30;
  return !text.getAsInteger(10, value) && value >= 0 && !__builtin_mul_overflow(value, factor, &value);
}

/// Whether what `parseNumber` has refused is a number all the same.
bool isTooLarge(llvm::StringRef text) {
  for (llvm::StringRef unit : {"Ki", "Mi", "Gi"})
    if (text.consume_back(unit))
      break;
  return !text.empty() && llvm::all_of(text, llvm::isDigit);
}

/// "1..33", "1,2,5", "8". At most a million values: more is a slip of the finger. `isSampled`: some values of each range.
bool parseList(llvm::StringRef text, llvm::StringRef option, std::int64_t least, std::vector<std::int64_t> &values,
               bool isSampled = false) {
  llvm::SmallVector<llvm::StringRef, 8> parts;
  text.split(parts, ',');
  for (llvm::StringRef part : parts) {
    auto [from, to] = part.split("..");
    std::int64_t lo = 0, hi = 0;
    bool isRange = part.contains("..");
    const bool isFrom = parseNumber(from, lo);
    if (!isFrom || (isRange && !parseNumber(to, hi))) {
      if (isTooLarge(isFrom ? to : from)) {
        complain("option -" + option + ": '" + part + "' is beyond 2^63");
        return false;
      }
      complain("option -" + option + ": '" + part + "' is neither a number nor a range such as 1..33");
      return false;
    }
    if (!isRange)
      hi = lo;
    if (lo < least || hi < lo) {
      complain("option -" + option + ": '" + part + "' is empty or below " + llvm::Twine(least));
      return false;
    }
    if (isSampled) {
      llvm::append_range(values, sampled(lo, hi));
      continue;
    }
    if (hi - lo > 1000000 || values.size() > 1000000) {
      complain("option -" + option + ": '" + part + "' has more than a million values");
      return false;
    }
    for (std::int64_t more = 0; more <= hi - lo; ++more) // the largest number has no successor
      values.push_back(lo + more);
  }
  llvm::sort(values);
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return true;
}

/// "uneven", or "3,0,5": one number per entry.
bool parseLengths(llvm::StringRef text, LengthChoice &choice) {
  for (LengthPattern pattern : {LengthPattern::Uneven, LengthPattern::Even, LengthPattern::Single})
    if (text == patternName(pattern)) {
      choice.pattern = pattern;
      return true;
    }
  llvm::SmallVector<llvm::StringRef, 16> words;
  text.split(words, ',');
  for (llvm::StringRef word : words) {
    if (!parseNumber(word, choice.entries.emplace_back())) {
      complain("option --lengths: '" + word + "' is neither a number nor one of uneven, even, single");
      return false;
    }
    if (choice.entries.back() > maxElements) {
      complain("option --lengths: " + word + " is more than 2^40 elements");
      return false;
    }
  }
  return true;
}

std::vector<std::string> splitNames(llvm::StringRef text) {
  llvm::SmallVector<llvm::StringRef, 8> parts;
  text.split(parts, ',', -1, /*KeepEmpty=*/false);
  return {parts.begin(), parts.end()};
}

/// --late and --noise; not the seed.
bool addDelays(Options &options, llvm::StringRef command) {
  for (const std::string &given : lateRanks) {
    llvm::SmallVector<llvm::StringRef, 4> parts;
    llvm::StringRef(given).split(parts, ',');
    for (llvm::StringRef part : parts) {
      auto [rank, time] = part.split(':');
      std::int64_t number = 0;
      std::optional<double> seconds = parseDuration(time);
      if (!parseNumber(rank, number) || number > std::numeric_limits<std::int32_t>::max() || !seconds) {
        complain("option --late: '" + part + "' is not a rank and a time such as 3:50us", command);
        return false;
      }
      options.delays.late.push_back({static_cast<std::uint32_t>(number), *seconds});
    }
  }
  llvm::sort(options.delays.late, [](const LateRank &a, const LateRank &b) { return a.rank < b.rank; });
  for (size_t i = 1; i < options.delays.late.size(); ++i)
    if (options.delays.late[i].rank == options.delays.late[i - 1].rank) {
      complain("option --late: rank " + llvm::Twine(options.delays.late[i].rank) + " is late twice", command);
      return false;
    }
  if (noise.getNumOccurrences() == 0)
    return true;
  std::optional<double> mean = parseDuration(noise);
  if (!mean)
    complain("option --noise: '" + noise + "' is not a time such as 1us", command);
  options.delays.noise = mean.value_or(0);
  return mean.has_value();
}

/// Every --topology holds one or several, divided by blanks.
bool addTopologies(Options &options, llvm::StringRef command) {
  for (const std::string &given : topologies) {
    llvm::SmallVector<llvm::StringRef, 4> texts;
    llvm::SplitString(given, texts);
    if (texts.empty())
      texts.push_back("");
    for (llvm::StringRef text : texts) {
      std::string error;
      std::optional<topology::TopologyText> parsed = topology::parseTopology(text, error);
      if (!parsed) {
        complain("option --topology: '" + text + "': " + error, command);
        return false;
      }
      options.topologies.push_back(std::move(*parsed));
    }
  }
  if (options.command == Command::Draw && options.topologies.size() > 1) {
    complain("option --topology: a picture shows one network, not several", command);
    return false;
  }
  return true;
}

} // namespace

std::optional<Options> parseCommandLine(int argc, char **argv, int &exitStatus) {
  static cl::SubCommand *const commands[] = {&checkCommand, &proveCommand,  &costCommand,      &emitCommand,   &runCommand,
                                             &drawCommand,  &listCommand,   &colourCommand,    &calibrateCommand, &explainCommand};
  exitStatus = 2;
  if (argc <= 1) {
    complain("no command and no file");
    return std::nullopt;
  }
  std::vector<const char *> arguments(argv, argv + argc);
  cl::SubCommand *command = nullptr;
  llvm::StringRef first(argv[1]);
  for (cl::SubCommand *candidate : commands)
    if (candidate->getName() == first)
      command = candidate;
  auto isHelp = [](llvm::StringRef argument) { return argument == "--help" || argument == "-help" || argument == "-h"; };
  for (int i = 1; i < argc; ++i) {
    if (isHelp(argv[i])) {
      if (command)
        printHelp(*command, category, llvm::outs());
      else
        printHelp(commands, llvm::outs());
      exitStatus = 0;
      return std::nullopt;
    }
    if (llvm::StringRef(argv[i]) == "--version") {
      printVersion(llvm::outs());
      exitStatus = 0;
      return std::nullopt;
    }
  }
  if (!command) {
    bool isWord = llvm::all_of(first, [](char c) { return llvm::isAlnum(c) || c == '_'; });
    if (isWord && !llvm::sys::fs::exists(first)) {
      std::string nearest;
      for (cl::SubCommand *candidate : commands)
        if (first.edit_distance(candidate->getName()) <= 2)
          nearest = "; did you mean '" + candidate->getName().str() + "'?";
      complain("unknown command '" + first + "'" + nearest);
      return std::nullopt;
    }
    // `quadrille ring.quad` checks.
    command = &checkCommand;
    arguments.insert(arguments.begin() + 1, "check");
  }
  // The options that LLVM's library brings along are none of ours.
  llvm::StringMap<cl::Option *> &known = cl::getRegisteredOptions(*command);
  for (llvm::StringRef argument : llvm::drop_begin(arguments, 1)) {
    if (argument == "--")
      break;
    auto found = known.find(argument.ltrim('-').split('=').first);
    if (!argument.starts_with("-") || found == known.end())
      continue;
    if (!llvm::is_contained(found->second->Categories, &category)) {
      complain("unknown option '" + argument + "'", command->getName());
      return std::nullopt;
    }
  }
  llvm::StringRef last(arguments.back());
  if (auto found = known.find(last.ltrim('-')); last.starts_with("-") && found != known.end() &&
                                                found->second->getValueExpectedFlag() == cl::ValueRequired) {
    complain("option " + last + ": a value is missing", command->getName());
    return std::nullopt;
  }
  std::string errors;
  llvm::raw_string_ostream errorStream(errors);
  if (!cl::ParseCommandLineOptions(static_cast<int>(arguments.size()), arguments.data(), "", &errorStream)) {
    complain(worded(errors), command->getName());
    return std::nullopt;
  }
  for (auto &entry : known) {
    const cl::Option &option = *entry.second;
    if (option.getNumOccurrences() > 1 && option.getNumOccurrencesFlag() == cl::Optional && llvm::is_contained(option.Categories, &category)) {
      complain("option " + spelled(option) + " is given more than once", command->getName());
      return std::nullopt;
    }
  }
  for (const cl::opt<std::string> *option : {&ranks, &lengths, &parameters, &tableLengths, &root})
    if (option->getNumOccurrences() > 0 && option->empty()) {
      complain("option " + spelled(*option) + ": a value is missing", command->getName());
      return std::nullopt;
    }
  Options options;
  options.command = checkCommand     ? Command::Check
                    : proveCommand   ? Command::Prove
                    : costCommand    ? Command::Cost
                    : emitCommand    ? Command::Emit
                    : runCommand     ? Command::Run
                    : drawCommand    ? Command::Draw
                    : listCommand    ? Command::List
                    : colourCommand  ? Command::Colour
                    : calibrateCommand ? Command::Calibrate
                                     : Command::Explain;
  options.files.assign(files.begin(), files.end());
  exitStatus = 2;
  const bool isComparison = options.command == Command::Cost && !compareOption.empty();
  auto list = [&](const std::string &text, llvm::StringRef option, std::int64_t least, std::vector<std::int64_t> &into) {
    return text.empty() || parseList(text, option, least, into, isComparison);
  };
  if (!list(ranks, "p", 1, options.ps) || !list(lengths, "n", 0, options.ns) || !list(parameters, "k", options.command == Command::Run ? 0 : 1, options.ks))
    return std::nullopt;
  if (!tableLengths.empty() && !parseLengths(tableLengths, options.tables))
    return std::nullopt;
  for (std::int64_t p : options.ps)
    if (p > (std::int64_t(1) << 30)) {
      complain("option -p: " + llvm::Twine(p) + " is more than 2^30 ranks");
      return std::nullopt;
    }
  if (options.command != Command::Run) // which has a limit of its own
    for (std::int64_t n : options.ns)
      if (n > maxElements) {
        complain("option -n: " + llvm::Twine(n) + " is more than 2^40 elements");
        return std::nullopt;
      }
  if (root == "all") {
    options.allRoots = true;
  } else if (!root.empty()) {
    std::int64_t value = 0;
    if (!parseNumber(root, value)) {
      complain("option --root: '" + root + "' is neither a rank nor 'all'");
      return std::nullopt;
    }
    options.root = value;
  }
  auto choice = [](llvm::StringRef option, llvm::StringRef value, std::initializer_list<llvm::StringRef> allowed) {
    if (llvm::is_contained(allowed, value))
      return true;
    complain("option --" + option + ": '" + value + "' is none of " + llvm::join(allowed, ", "));
    return false;
  };
  if (!choice("backend", backend, {"shm", "mpi"}) || !choice("diagnostics-format", diagnosticsFormat, {"text", "json", "sarif"}))
    return std::nullopt;
  if ((!format.empty() && !choice("format", format, {"text", "svg"})) ||
      !choice("format", listFormat, {"text", "markdown", "json"}) ||
      (!compareFormat.empty() && !choice("format", compareFormat, {"text", "json", "svg"})))
    return std::nullopt;
  auto given = [&](std::initializer_list<std::reference_wrapper<const cl::Option>> refused, llvm::StringRef why) {
    for (const cl::Option &option : refused)
      if (option.getNumOccurrences() > 0) {
        complain("option " + spelled(option) + why, command->getName());
        return true;
      }
    return false;
  };
  if (options.command == Command::Cost && !isComparison && given({noncommutative, compareFormat, output}, " is for --compare"))
    return std::nullopt;
  // A table of formulas, over all k, with rank 0 as the root.
  if (isComparison && given({parameters, root, tableLengths, topologies, lateRanks, noise}, " is not for --compare"))
    return std::nullopt;
  if (options.command == Command::Cost && compareOption.getNumOccurrences() > 0 && compareOption.empty()) {
    complain("option --compare: no collective given, such as allreduce", command->getName());
    return std::nullopt;
  }
  if (!model.empty()) {
    llvm::StringRef name(model);
    std::int64_t ports = 0;
    bool hasPorts = name.consume_front("ports(") && name.consume_back(")") && parseNumber(name, ports) && ports > 0;
    if (!hasPorts && !choice("model", model, {"half_duplex", "telephone", "full_duplex", "ports(k)", "shared"}))
      return std::nullopt;
  }
  bool needsFile = options.command != Command::List && options.command != Command::Calibrate && !isComparison;
  if (needsFile && options.files.empty()) {
    complain(options.command == Command::Explain  ? "no code given, such as Q0301"
             : options.command == Command::Colour ? "no file of sizes given"
                                                  : "no schedule file given",
             command->getName());
    return std::nullopt;
  }
  bool single = options.command == Command::Draw || options.command == Command::Colour;
  if (single && options.files.size() > 1) {
    complain("'" + command->getName() + "' takes one " + (options.command == Command::Colour ? "file of sizes" : "schedule") + " at a time",
             command->getName());
    return std::nullopt;
  }
  if (options.command == Command::Check && !trace && !options.ns.empty()) {
    complain("option -n: a check holds for all lengths; it is for --trace", command->getName());
    return std::nullopt;
  }
  if (options.command == Command::Draw || trace) {
    const char *several = options.ps.size() > 1   ? "-p"
                          : options.ns.size() > 1 ? "-n"
                          : options.ks.size() > 1 ? "-k"
                          : options.allRoots      ? "--root"
                                                  : nullptr;
    if (several) {
      complain("option " + llvm::Twine(several) + ": a " + (trace ? "trace" : "diagram") +
                   " shows one case, not several",
               command->getName());
      return std::nullopt;
    }
  }
  if (options.command == Command::Draw) {
    llvm::StringRef ending = llvm::sys::path::extension(output);
    if (format.empty() && !ending.empty() && ending != ".svg" && ending != ".txt") {
      complain("option -o: '" + ending + "' is neither .svg nor .txt; --format says what to write", command->getName());
      return std::nullopt;
    }
  }
  if (options.command == Command::Calibrate && !options.files.empty()) {
    complain("unexpected argument '" + options.files[0] + "'", command->getName());
    return std::nullopt;
  }
  if (options.command == Command::Calibrate && options.ps.size() > 1) {
    complain("option -p: a calibration is for one number of ranks, not several", command->getName());
    return std::nullopt;
  }
  options.machine = machine;
  options.hasTableLengths = tableLengths.getNumOccurrences() > 0;
  if (!addTopologies(options, command->getName()) || !addDelays(options, command->getName()))
    return std::nullopt;
  for (auto [name, text, into] : {std::tuple("alpha", &alpha, &options.alpha), std::tuple("beta", &beta, &options.beta),
                                  std::tuple("gamma", &gamma, &options.gamma)})
    if (text->getNumOccurrences() > 0) {
      *into = parseDuration(*text);
      if (!*into) {
        complain("option --" + llvm::Twine(name) + ": '" + *text + "' is not a time such as 2us or 0.5ns", command->getName());
        return std::nullopt;
      }
    }
  options.model = model;
  options.compare = compareOption;
  options.noncommutative = noncommutative;
  options.trace = trace;
  options.printIr = printIr;
  options.verbose = verbose;
  options.wantProof = !noProof;
  options.useCache = !noCache;
  options.explain = explain;
  options.dump = dump;
  options.diagnosticsFormat = diagnosticsFormat == "json"    ? DiagnosticsFormat::Json
                              : diagnosticsFormat == "sarif" ? DiagnosticsFormat::Sarif
                                                             : DiagnosticsFormat::Text;
  auto number = [](llvm::StringRef option, const std::string &text, std::int64_t most, auto &into) {
    std::int64_t value = 0;
    bool good = parseNumber(text, value) && value <= most;
    if (!good)
      complain("option --" + option + ": '" + text + "' is not a number from 0 to " + llvm::Twine(most));
    into = static_cast<std::remove_reference_t<decltype(into)>>(value);
    return good;
  };
  const std::int64_t most = std::numeric_limits<std::int64_t>::max(), most32 = std::numeric_limits<std::uint32_t>::max();
  std::uint64_t megabytes = 0;
  if (!number("memory", memory, most >> 20, megabytes) || !number("max-steps", maxSteps, most, options.maxSteps) ||
      !number("repeat", repeat, most32, options.repeat) ||
      !number("timeout", timeoutSeconds, most32, options.timeoutSeconds) || !number("seed", seed, most, options.seed) ||
      !number("packet", packetSize, most, options.packetSize))
    return std::nullopt;
  options.delays.seed = options.seed;
  for (const auto &[option, value, what] : {std::tuple(&repeat, options.repeat, "a call that is timed"),
                                            std::tuple(&timeoutSeconds, options.timeoutSeconds, "a second")})
    if (option->getNumOccurrences() > 0 && value == 0) {
      complain("option --" + option->ArgStr + ": it takes at least " + what, command->getName());
      return std::nullopt;
    }
  if (options.packetSize < 1) {
    complain("option --packet: a packet has at least one element");
    return std::nullopt;
  }
  options.memoryBytes = megabytes << 20;
  options.backend = backend == "mpi" ? BackendChoice::Mpi : BackendChoice::Shm;
  options.output = output;
  options.format = options.command == Command::List ? listFormat : isComparison ? compareFormat : format;
  llvm::SmallVector<llvm::StringRef, 4> components;
  llvm::StringRef(nameSpace).split(components, "::");
  for (llvm::StringRef component : components)
    if (component.empty() || llvm::isDigit(component[0]) ||
        !llvm::all_of(component, [](char c) { return llvm::isAlnum(c) || c == '_'; })) {
      complain("option '--namespace': '" + nameSpace + "' is no C++ namespace");
      exitStatus = 2;
      return std::nullopt;
    }
  options.nameSpace = nameSpace;
  options.types = splitNames(types);
  if (options.command == Command::Calibrate && options.types.size() > 1) {
    complain("option --type: a calibration is for one type of words, not several", command->getName());
    exitStatus = 2;
    return std::nullopt;
  }
  options.operators = splitNames(operators);
  llvm::SmallVector<llvm::StringRef, 16> values;
  llvm::StringRef(input).split(values, ',');
  for (llvm::StringRef value : values)
    if (input.getNumOccurrences() > 0)
      options.input.push_back(value.trim().str());
  if (llvm::is_contained(options.input, "")) {
    complain("option --input: a value is missing");
    exitStatus = 2;
    return std::nullopt;
  }
  options.show = show;
  options.verify = verify;
  options.inPlace = inPlace;
  options.nonblocking = nonblocking;
  options.unchecked = unchecked;
  exitStatus = 0;
  return options;
}

} // namespace quadrille
