//===- Options.cpp - The command line -----------------------------------------------------------------------------------------------===//

#include "Options.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"

namespace quadrille {

namespace cl = llvm::cl;

namespace {

cl::OptionCategory category("Options");

cl::SubCommand checkCommand("check", "run all checks (the default command)");
cl::SubCommand costCommand("cost", "startups, words and operator applications");
cl::SubCommand emitCommand("emit", "write C++ that calls the runtime");
cl::SubCommand runCommand("run", "compile the emitted C++, run it and verify the results");
cl::SubCommand drawCommand("draw", "space-time diagram of one case");
cl::SubCommand listCommand("list", "the schedules of the library");
cl::SubCommand explainCommand("explain", "explain a diagnostic code such as Q0301");

cl::list<std::string> files(cl::Positional, cl::desc("FILE..."), cl::cat(category), cl::sub(checkCommand),
                            cl::sub(costCommand), cl::sub(emitCommand), cl::sub(runCommand), cl::sub(drawCommand),
                            cl::sub(explainCommand));
cl::opt<std::string> ranks("p", cl::desc("numbers of ranks: 8, 1..33, 1,2,5 (default 1..17)"), cl::value_desc("P"),
                           cl::cat(category), cl::sub(checkCommand), cl::sub(costCommand), cl::sub(runCommand),
                           cl::sub(drawCommand));
cl::opt<std::string> lengths("n", cl::desc("elements per block; Ki, Mi, Gi are understood"), cl::value_desc("N"),
                             cl::cat(category), cl::sub(costCommand), cl::sub(runCommand), cl::sub(drawCommand));
cl::opt<std::string> parameters("k", cl::desc("values of the schedule's own parameters"), cl::value_desc("K"),
                                cl::cat(category), cl::sub(checkCommand), cl::sub(costCommand), cl::sub(runCommand),
                                cl::sub(drawCommand));
cl::opt<std::string> root("root", cl::desc("the root: a rank, or all"), cl::value_desc("R"), cl::cat(category),
                          cl::sub(checkCommand), cl::sub(costCommand), cl::sub(runCommand), cl::sub(drawCommand));
cl::opt<std::string> model("model", cl::desc("check this port model instead of the one declared"), cl::value_desc("M"),
                           cl::cat(category), cl::sub(checkCommand));
cl::opt<bool> verbose("v", cl::desc("say more about each schedule"), cl::cat(category), cl::sub(checkCommand),
                      cl::sub(runCommand));
cl::opt<std::string> diagnosticsFormat("diagnostics-format", cl::desc("text, json or sarif"), cl::init("text"),
                                       cl::value_desc("F"), cl::cat(category), cl::sub(cl::SubCommand::getAll()));
cl::opt<unsigned> memory("memory", cl::desc("megabytes that checking one case may take (default 4096)"), cl::init(4096),
                         cl::value_desc("MB"), cl::cat(category), cl::sub(checkCommand), cl::sub(costCommand),
                         cl::sub(drawCommand), cl::sub(runCommand));
cl::opt<std::uint64_t> maxSteps("max-steps", cl::desc("steps that one case may take"), cl::init(std::uint64_t(100) << 20),
                                cl::value_desc("N"), cl::cat(category), cl::sub(checkCommand), cl::sub(costCommand),
                                cl::sub(drawCommand), cl::sub(runCommand));
cl::opt<std::string> backend("backend", cl::desc("shm (threads) or mpi"), cl::init("shm"), cl::value_desc("B"),
                             cl::cat(category), cl::sub(emitCommand), cl::sub(runCommand));
cl::opt<std::string> output("o", cl::desc("output folder or file; - for standard output"), cl::value_desc("PATH"),
                            cl::cat(category), cl::sub(emitCommand), cl::sub(drawCommand));
cl::opt<std::string> format("format", cl::desc("text or svg; default: by the ending of -o, else text"), cl::value_desc("F"),
                            cl::cat(category), cl::sub(drawCommand));
cl::opt<std::string> nameSpace("namespace", cl::desc("C++ namespace of the emitted functions"), cl::init("collectives"),
                               cl::value_desc("NAME"), cl::cat(category), cl::sub(emitCommand));
cl::opt<std::string> types("type", cl::desc("element types, e.g. double or int32,mat2"), cl::value_desc("T"),
                           cl::cat(category), cl::sub(runCommand));
cl::opt<std::string> operators("op", cl::desc("operators, e.g. sum or max,matmul"), cl::value_desc("O"),
                               cl::cat(category), cl::sub(runCommand));
cl::opt<bool> verify("verify", cl::desc("compare results with a sequential computation and the interpreter"),
                     cl::cat(category), cl::sub(runCommand));
cl::opt<bool> inPlace("in-place", cl::desc("run every case also with the result in the memory of the input"),
                      cl::cat(category), cl::sub(runCommand));
cl::opt<unsigned> repeat("repeat", cl::desc("time R calls"), cl::value_desc("R"), cl::cat(category), cl::sub(runCommand));
cl::opt<unsigned> timeoutSeconds("timeout", cl::desc("seconds a case may take (default 60)"), cl::init(60),
                                 cl::value_desc("S"), cl::cat(category), cl::sub(runCommand));
cl::opt<std::uint64_t> seed("seed", cl::desc("of the random data (default 1)"), cl::init(1), cl::value_desc("N"),
                            cl::cat(category), cl::sub(runCommand));

void printVersion(llvm::raw_ostream &out) { out << "quadrille " QUADRILLE_VERSION "\n"; }

void complain(const llvm::Twine &message) {
  llvm::errs() << "quadrille: " << message << "\nquadrille: see 'quadrille --help'\n";
}

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

/// "1..33", "1,2,5", "8". At most a million values: more is a slip of the finger.
bool parseList(llvm::StringRef text, llvm::StringRef option, std::int64_t least, std::vector<std::int64_t> &values) {
  llvm::SmallVector<llvm::StringRef, 8> parts;
  text.split(parts, ',');
  for (llvm::StringRef part : parts) {
    auto [from, to] = part.split("..");
    std::int64_t lo = 0, hi = 0;
    bool isRange = part.contains("..");
    if (!parseNumber(from, lo) || (isRange && !parseNumber(to, hi))) {
      complain("option -" + option + ": '" + part + "' is neither a number nor a range such as 1..33");
      return false;
    }
    if (!isRange)
      hi = lo;
    if (lo < least || hi < lo) {
      complain("option -" + option + ": '" + part + "' is empty or below " + llvm::Twine(least));
      return false;
    }
    if (hi - lo > 1000000 || values.size() > 1000000) {
      complain("option -" + option + ": '" + part + "' has more than a million values");
      return false;
    }
    for (std::int64_t v = lo; v <= hi; ++v)
      values.push_back(v);
  }
  llvm::sort(values);
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return true;
}

std::vector<std::string> splitNames(llvm::StringRef text) {
  llvm::SmallVector<llvm::StringRef, 8> parts;
  text.split(parts, ',', -1, /*KeepEmpty=*/false);
  return {parts.begin(), parts.end()};
}

} // namespace

std::optional<Options> parseCommandLine(int argc, char **argv, int &exitStatus) {
  static const llvm::StringRef commands[] = {"check", "cost", "emit", "run", "draw", "list", "explain"};
  std::vector<const char *> arguments(argv, argv + argc);
  // `quadrille ring.quad` checks; options that ask for help stay with the whole program.
  if (argc > 1 && !llvm::is_contained(commands, llvm::StringRef(argv[1]))) {
    llvm::StringRef first(argv[1]);
    bool general = first == "--help" || first == "-help" || first == "-h" || first == "--version" ||
                   first == "--help-hidden" || first == "--help-list";
    if (!general) {
      bool looksLikeFile = !first.starts_with("-") || first == "-";
      if (looksLikeFile && first != "-" && !first.contains('.') && !first.contains('/')) {
        complain("unknown command '" + first + "'");
        exitStatus = 2;
        return std::nullopt;
      }
      arguments.insert(arguments.begin() + 1, "check");
    }
  }
  cl::HideUnrelatedOptions(category);
  for (cl::SubCommand *command : {&checkCommand, &costCommand, &emitCommand, &runCommand, &drawCommand, &listCommand,
                                  &explainCommand})
    cl::HideUnrelatedOptions(category, *command);
  cl::SetVersionPrinter(printVersion);
  std::string errors;
  llvm::raw_string_ostream errorStream(errors);
  if (argc <= 1) {
    const char *help[] = {"quadrille", "--help"};
    exitStatus = 2;
    complain("no command and no file");
    (void)help;
    return std::nullopt;
  }
  if (!cl::ParseCommandLineOptions(static_cast<int>(arguments.size()), arguments.data(),
                                   "Quadrille: schedules of collective operations, checked, costed, emitted as C++\n",
                                   &errorStream)) {
    llvm::errs() << errors;
    exitStatus = 2;
    return std::nullopt;
  }
  Options options;
  options.command = checkCommand     ? Command::Check
                    : costCommand    ? Command::Cost
                    : emitCommand    ? Command::Emit
                    : runCommand     ? Command::Run
                    : drawCommand    ? Command::Draw
                    : listCommand    ? Command::List
                                     : Command::Explain;
  options.files.assign(files.begin(), files.end());
  exitStatus = 2;
  auto list = [](const std::string &text, llvm::StringRef option, std::int64_t least, std::vector<std::int64_t> &into) {
    return text.empty() || parseList(text, option, least, into);
  };
  if (!list(ranks, "p", 1, options.ps) || !list(lengths, "n", 0, options.ns) || !list(parameters, "k", 1, options.ks))
    return std::nullopt;
  for (std::int64_t p : options.ps)
    if (p > (std::int64_t(1) << 30)) {
      complain("option -p: " + llvm::Twine(p) + " is more than 2^30 ranks");
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
  if (!format.empty() && !choice("format", format, {"text", "svg"}))
    return std::nullopt;
  if (!model.empty()) {
    llvm::StringRef name(model);
    std::int64_t ports = 0;
    bool hasPorts = name.consume_front("ports(") && name.consume_back(")") && parseNumber(name, ports) && ports > 0;
    if (!hasPorts && !choice("model", model, {"half_duplex", "telephone", "full_duplex", "ports(k)", "shared"}))
      return std::nullopt;
  }
  bool needsFile = options.command != Command::List;
  if (needsFile && options.files.empty()) {
    complain(options.command == Command::Explain ? "explain which code?" : "no schedule file given");
    return std::nullopt;
  }
  bool single = options.command == Command::Run || options.command == Command::Draw;
  if (single && options.files.size() > 1) {
    complain("this command takes one schedule at a time");
    return std::nullopt;
  }
  options.model = model;
  options.verbose = verbose;
  options.diagnosticsFormat = diagnosticsFormat == "json"    ? DiagnosticsFormat::Json
                              : diagnosticsFormat == "sarif" ? DiagnosticsFormat::Sarif
                                                             : DiagnosticsFormat::Text;
  options.memoryBytes = std::uint64_t(memory) << 20;
  options.maxSteps = maxSteps;
  options.backend = backend == "mpi" ? BackendChoice::Mpi : BackendChoice::Shm;
  options.output = output;
  options.format = format;
  options.nameSpace = nameSpace;
  options.types = splitNames(types);
  options.operators = splitNames(operators);
  options.verify = verify;
  options.inPlace = inPlace;
  options.repeat = repeat;
  options.timeoutSeconds = timeoutSeconds;
  options.seed = seed;
  exitStatus = 0;
  return options;
}

} // namespace quadrille
