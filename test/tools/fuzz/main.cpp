//===- main.cpp - Random programs through all of the compiler -----------------------------------------------------------===//
//
// quadrille-fuzz [--seed N] [--programs N | --seconds S] [--kind K,...] [--edits N] [--ask Q,...] [--proofs PERCENT]
//               [--run PERCENT] [--keep DIR] [--jobs J]
// quadrille-fuzz --reproduce SEED:KIND:INDEX
// quadrille-fuzz --examine FILE
//
// Generates programs from a seed, about half of which are right, and compares the compiler's answers about each with one another
// and with runs (Oracle.h). Each program is examined in a separate process with bounds on time and memory. A program with
// contradicting answers, or on which the compiler crashes, is made smaller and printed, with the name that reproduces it.
// `--keep` writes such programs to a folder, in their original and in their smaller form. On SIGINT or SIGTERM it finishes what
// it has begun and prints its counts. Exit status 0: nothing was found; 1: something was; 2: wrong command line, or the library
// cannot be read.
//
//===----------------------------------------------------------------------------------------------------------------===//

#include "Generate.h"
#include "Run.h"
#include "Shrinker.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"

#include <chrono>
#include <csignal>
#include <map>
#include <random>
#include <set>

using namespace quadrille::compiler;
using namespace quadrille::compiler::fuzz;

namespace cl = llvm::cl;
namespace fs = llvm::sys::fs;

static cl::opt<std::uint64_t> seed("seed", cl::desc("What all programs are made from; default: another one every time"));
static cl::opt<std::uint64_t> programs("programs", cl::init(1000), cl::desc("How many; default 1000"));
static cl::opt<unsigned> seconds("seconds", cl::desc("Begin no program after so long, instead of counting them"));
static cl::list<std::string> kindNames("kind", cl::CommaSeparated,
                                       cl::desc("statements, patterns, compositions, fillings, library, tokens; default: all"));
static cl::opt<unsigned> edits("edits", cl::init(2), cl::desc("In how many places a program is changed at most; default 2"));
static cl::bits<Question> asked("ask", cl::CommaSeparated, cl::desc("What is compared with the verdicts; default: everything"),
                                cl::values(clEnumValN(AskEngines, "engines", "lockstep and simulation"),
                                           clEnumValN(AskData, "data", "the interpreter and the promise"),
                                           clEnumValN(AskPictures, "pictures", "what draws"),
                                           clEnumValN(AskRounds, "rounds", "port models and costs, counted once more"),
                                           clEnumValN(AskCosts, "costs", "clauses at other lengths"),
                                           clEnumValN(AskFormulas, "formulas", "what `cost` finds"),
                                           clEnumValN(AskEmission, "emission", "emitted texts"),
                                           clEnumValN(AskProofs, "proofs", "the prover")));
static cl::opt<unsigned> proofPercent("proofs", cl::init(25), cl::desc("Of how many of a hundred programs proofs and formulas are asked for; default 25"));
static cl::opt<unsigned> runPercent("run", cl::init(10), cl::desc("How many of a hundred are compiled and run; default 10"));
static cl::opt<std::string> keepFolder("keep", cl::desc("Write what is found to this folder"));
static cl::opt<unsigned> jobs("jobs", cl::init(2), cl::desc("Processes at once; default 2"));
static cl::opt<unsigned> shrinkSeconds("shrink", cl::init(120), cl::desc("Seconds to make one program smaller; 0: none is made"));
static cl::opt<std::string> reproduce("reproduce", cl::desc("One program again"));
static cl::opt<std::string> examined("examine", cl::desc("The program of a file"));

namespace {

/// Set by a signal: start no further programs.
volatile std::sig_atomic_t isInterrupted = 0;

/// Identifies a program.
struct Number {
  std::uint64_t seed = 0, index = 0;
  Kind kind = Kind::Statements;

  std::string text() const { return std::to_string(seed) + ":" + kindName(kind) + ":" + std::to_string(index); }
};

/// The finding of an examination, in words that do not change when the program gets smaller; empty if there is none.
std::string whatIsFound(const Ended &ended) {
  auto isFinding = [](const auto &said) { return said.first == "finding" || (said.first == "ran" && said.second != "ok"); };
  if (ended.how != Ended::Well) {
    llvm::StringRef stage = lastOf(ended.told, "stage");
    return (ended.how == Ended::Crashed ? "a crash while " : "no end while ") + (stage.empty() ? "generating" : stage.str());
  }
  auto found = llvm::find_if(ended.told, isFinding);
  return found == ended.told.end() ? "" : llvm::StringRef(found->second).split('\n').first.str();
}

std::string detailsOf(const Ended &ended) {
  if (ended.how != Ended::Well)
    return ended.problem;
  for (const auto &[about, text] : ended.told)
    if (about == "finding" || (about == "ran" && text != "ok"))
      return llvm::StringRef(text).split('\n').second.str();
  return "";
}

/// Programs to be compiled and run together.
struct Batch {
  emit::Backend backend = emit::Backend::Shm;
  bool isOfRefused = false;
  std::vector<std::pair<Number, Runnable>> programs;

  static constexpr size_t most = 24;
};

class Fuzzer {
public:
  Fuzzer(Compiler &compiler, const Material &material, std::string scratch, std::string executable)
      : compiler(compiler), material(material), scratch(std::move(scratch)), executable(std::move(executable)) {}

  void run(std::uint64_t seed, const std::vector<Kind> &wanted);
  /// Examines a given text.
  void runText(const std::string &text);
  void runOne(const Number &number);
  bool report();

private:
  Questions questionsFor(const Number &number) const;
  void examineText(const std::string &text, const Questions &questions, const Teller &teller);
  void take(const Number &number, const Ended &ended);
  void chooseToRun(const Number &number, const Ended &ended);
  void runBatch(const Batch &batch, const Teller &teller);
  void takeBatch(const Batch &batch, const Ended &ended);
  using Work = std::function<void(const std::string &text, const Teller &teller)>;
  /// Makes a program with a finding smaller, with `tries` tries of `work`, and prints it.
  void show(const std::string &name, const Ended &ended, const std::string &text, const Work &work, unsigned tries);

  struct Count {
    unsigned programs = 0;
    std::map<std::string, unsigned> verdicts, proofs;
  };

  Compiler &compiler;
  const Material &material;
  const std::string scratch, executable;
  std::vector<Batch> waiting = {{emit::Backend::Shm, false, {}}, {emit::Backend::Mpi, false, {}}, {emit::Backend::Shm, true, {}}};
  std::map<Kind, Count> counts;
  unsigned ran = 0, ranUnchecked = 0;
  std::map<std::string, unsigned> found; // number of findings, by their words
  std::map<std::string, unsigned> codes;
};

Questions someQuestions() {
  Questions questions;
  if (asked.getNumOccurrences())
    for (Question question : {AskEngines, AskData, AskPictures, AskRounds, AskCosts, AskFormulas, AskEmission, AskProofs})
      if (!asked.isSet(question))
        questions.asked.erase(question);
  return questions;
}

/// The questions for a program depend on its number only.
Questions Fuzzer::questionsFor(const Number &number) const {
  Questions questions = someQuestions();
  if (number.kind == Kind::Tokens || Random(number.seed ^ 0x5EED, number.index).below(100) >= proofPercent)
    for (Question question : {AskFormulas, AskProofs})
      questions.asked.erase(question);
  return questions;
}

void Fuzzer::examineText(const std::string &text, const Questions &questions, const Teller &teller) {
  // Each process uses its own file.
  const std::string path = scratch + "/" + std::to_string(llvm::sys::Process::getProcessId()) + ".quad";
  std::error_code failure;
  llvm::raw_fd_ostream(path, failure) << text;
  examine(compiler, path, questions, teller);
  fs::remove(path);
}

void Fuzzer::run(std::uint64_t seed, const std::vector<Kind> &wanted) {
  // Kinds that find more occur more often.
  static const std::vector<Kind> turns = {Kind::Statements, Kind::Patterns,   Kind::Compositions, Kind::Library,    Kind::Tokens,
                                          Kind::Statements, Kind::Patterns,   Kind::Compositions, Kind::Fillings,   Kind::Compositions};
  std::vector<Kind> order;
  llvm::copy_if(turns, std::back_inserter(order), [&](Kind kind) { return llvm::is_contained(wanted, kind); });
  const auto begin = std::chrono::steady_clock::now();
  Processes processes;
  std::map<Kind, std::uint64_t> indices;
  std::map<std::uint64_t, Number> running;
  std::map<std::uint64_t, Batch> runningBatches;
  constexpr std::uint64_t firstBatch = std::uint64_t(1) << 62;
  std::uint64_t batches = firstBatch;
  for (std::uint64_t started = 0;;) {
    const bool isDone =
        isInterrupted || (seconds ? std::chrono::steady_clock::now() - begin > std::chrono::seconds(seconds) : started >= programs);
    // A batch runs when it is full, and at the end.
    auto batch = llvm::find_if(waiting, [&](const Batch &b) {
      return b.programs.size() >= Batch::most || (isDone && running.empty() && !b.programs.empty());
    });
    if (isDone && processes.running() == 0 && batch == waiting.end())
      break;
    if (batch != waiting.end() && processes.running() < jobs) {
      Batch &now = runningBatches[batches] = *batch;
      batch->programs.clear();
      processes.start(batches++, {1200, 3600, 8192}, [&](const Teller &teller) { runBatch(now, teller); });
      continue;
    }
    if (!isDone && processes.running() < jobs) {
      const Kind kind = order[started % order.size()];
      const Number number{seed, indices[kind]++, kind};
      running[started] = number;
      processes.start(started++, {}, [&](const Teller &teller) {
        const std::string text = generate(number.kind, number.seed, number.index, edits, material, compiler);
        teller.tell("text", text);
        examineText(text, questionsFor(number), teller);
      });
      continue;
    }
    auto [id, ended] = processes.wait();
    if (id >= firstBatch) {
      takeBatch(runningBatches[id], ended);
      runningBatches.erase(id);
    } else {
      take(running[id], ended);
      running.erase(id);
    }
  }
}

void Fuzzer::chooseToRun(const Number &number, const Ended &ended) {
  Random random(number.seed ^ 0xC0DE, number.index * kinds.size() + static_cast<std::uint64_t>(number.kind));
  if (number.kind == Kind::Tokens || random.below(100) >= runPercent)
    return;
  Runnable program{lastOf(ended.told, "text").str(), ""};
  const llvm::StringRef verdict = lastOf(ended.told, "verdict");
  if (verdict == "accepted") {
    waiting[0].programs.push_back({number, program});
    if (random.chance(50))
      waiting[1].programs.push_back({number, program});
  } else if (verdict == "refused by a check" && showsWhenRun(lastOf(ended.told, "code"))) {
    program.code = lastOf(ended.told, "code").str();
    waiting[2].programs.push_back({number, program});
  }
}

void Fuzzer::runBatch(const Batch &batch, const Teller &teller) {
  llvm::SmallString<128> folder;
  if (fs::createUniqueDirectory(scratch + "/run", folder))
    return;
  std::vector<Runnable> programs;
  for (const auto &[number, program] : batch.programs)
    programs.push_back(program);
  compileAndRun(compiler, programs, {batch.backend, executable, folder.str().str()}, teller);
  fs::remove_directories(folder);
}

void Fuzzer::takeBatch(const Batch &batch, const Ended &ended) {
  std::vector<std::string> results;
  for (const auto &[about, text] : ended.told)
    if (about == "ran")
      results.push_back(text);
  (batch.isOfRefused ? ranUnchecked : ran) += static_cast<unsigned>(results.size());
  const std::string backend = emit::backendName(batch.backend).str();
  if (results.size() < batch.programs.size()) {
    // One of the programs ended the process: run each alone.
    if (batch.programs.size() > 1) {
      for (const auto &program : batch.programs) {
        const Batch alone{batch.backend, batch.isOfRefused, {program}};
        takeBatch(alone, runAlone({1200, 3600, 8192}, [&](const Teller &teller) { runBatch(alone, teller); }));
      }
      return;
    }
    results = {whatIsFound(ended) + "\n" + detailsOf(ended)};
  }
  for (size_t i = 0; i < results.size(); ++i) {
    if (results[i] == "ok")
      continue;
    const auto &[number, program] = batch.programs[i];
    Ended one;
    one.told = {{"finding", results[i]}};
    show(number.text() + " (" + backend + ")", one, program.text, [&, code = program.code](const std::string &smaller, const Teller &teller) {
      runBatch({batch.backend, batch.isOfRefused, {{Number(), Runnable{smaller, code}}}}, teller);
    }, 80);
  }
}

void Fuzzer::take(const Number &number, const Ended &ended) {
  Count &count = counts[number.kind];
  ++count.programs;
  const std::string what = whatIsFound(ended);
  llvm::StringRef verdict = lastOf(ended.told, "verdict"), proof = lastOf(ended.told, "proof"), code = lastOf(ended.told, "code");
  ++count.verdicts[verdict.empty() ? "none" : verdict.str()];
  if (!proof.empty())
    ++count.proofs[proof.str()];
  if (!code.empty())
    ++codes[code.str()];
  if (what.empty())
    return chooseToRun(number, ended);
  const Questions questions = questionsFor(number);
  show(number.text(), ended, lastOf(ended.told, "text").str(),
       [&](const std::string &smaller, const Teller &teller) { examineText(smaller, questions, teller); }, 600);
}

void Fuzzer::show(const std::string &name, const Ended &ended, const std::string &text, const Work &work, unsigned tries) {
  const std::string what = whatIsFound(ended);
  llvm::outs() << "\nfound: " << name << ": " << what << "\n  " << detailsOf(ended) << '\n';
  // Make only the first few findings of each sort smaller.
  std::string small = text, smallDetails;
  if (++found[what] <= 3 && shrinkSeconds > 0 && !text.empty()) {
    Shrinker shrinker{compiler, jobs, tries, shrinkSeconds, work,
                      [&](const Ended &again) {
                        if (whatIsFound(again) != what)
                          return false;
                        smallDetails = detailsOf(again);
                        return true;
                      },
                      {600, 1200, 8192}};
    small = shrinker.run(text);
  }
  if (!smallDetails.empty())
    llvm::outs() << "  made smaller: " << smallDetails << '\n';
  llvm::outs() << small << '\n';
  llvm::outs().flush();
  if (keepFolder.empty())
    return;
  fs::create_directories(keepFolder);
  std::string file = keepFolder + "/" + name;
  std::replace_if(file.begin() + static_cast<std::ptrdiff_t>(keepFolder.size()), file.end(), [](char c) { return c == ':' || c == ' '; }, '-');
  std::error_code failure;
  llvm::raw_fd_ostream(file + ".quad", failure) << "// " << what << '\n' << text;
  llvm::raw_fd_ostream(file + ".small.quad", failure) << "// " << what << '\n' << small;
}

void Fuzzer::runText(const std::string &text) {
  const Questions questions = someQuestions();
  const Ended ended = runAlone({}, [&](const Teller &teller) { examineText(text, questions, teller); });
  for (const auto &[about, said] : ended.told)
    llvm::outs() << about << ": " << said << '\n';
  const Work again = [&](const std::string &smaller, const Teller &teller) { examineText(smaller, questions, teller); };
  if (!whatIsFound(ended).empty())
    return show("file", ended, text, again, 600);
  const std::string code = lastOf(ended.told, "code").str();
  if (runPercent > 0 && (lastOf(ended.told, "verdict") == "accepted" || showsWhenRun(code)))
    for (emit::Backend backend : {emit::Backend::Shm, emit::Backend::Mpi}) {
      const Batch alone{backend, !code.empty(), {{Number(), Runnable{text, code}}}};
      takeBatch(alone, runAlone({1200, 3600, 8192}, [&](const Teller &teller) { runBatch(alone, teller); }));
    }
}

void Fuzzer::runOne(const Number &number) {
  Ended ended = runAlone({}, [&](const Teller &teller) {
    const std::string text = generate(number.kind, number.seed, number.index, edits, material, compiler);
    teller.tell("text", text);
    examineText(text, questionsFor(number), teller);
  });
  for (const auto &[about, said] : ended.told)
    llvm::outs() << about << ": " << said << '\n';
  take(number, ended);
  for (const Batch &batch : waiting)
    if (!batch.programs.empty())
      takeBatch(batch, runAlone({1200, 3600, 8192}, [&](const Teller &teller) { runBatch(batch, teller); }));
}

bool Fuzzer::report() {
  unsigned all = 0;
  for (const auto &[kind, count] : counts) {
    llvm::outs() << llvm::left_justify(kindName(kind), 13) << llvm::format("%6u", count.programs) << " programs:";
    for (const auto &[verdict, number] : count.verdicts)
      llvm::outs() << " " << verdict << " " << number << ";";
    if (!count.proofs.empty()) {
      llvm::outs() << " of the accepted ones that were to be proved";
      for (const auto &[proof, number] : count.proofs)
        llvm::outs() << ", " << proof << " " << number;
    }
    llvm::outs() << '\n';
    all += count.programs;
  }
  llvm::outs() << "diagnostics:";
  for (const auto &[code, number] : codes)
    llvm::outs() << " " << code << " " << number;
  llvm::outs() << "\ncompiled and run: " << ran << ", and " << ranUnchecked << " that are refused\n" << all << " programs, ";
  if (found.empty())
    llvm::outs() << "nothing disagrees\n";
  for (const auto &[what, number] : found)
    llvm::outs() << "\n  " << number << " times: " << what;
  llvm::outs() << '\n';
  return found.empty();
}

std::optional<Kind> kindOf(llvm::StringRef name) {
  for (Kind kind : kinds)
    if (name == kindName(kind))
      return kind;
  llvm::errs() << "no kind of program: " << name << '\n';
  return std::nullopt;
}

} // namespace

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  cl::ParseCommandLineOptions(argc, argv, "random programs through all of the compiler, whose answers have to agree\n\n"
      "  quadrille-fuzz --seconds 7200 --jobs 4 --keep found   hours by hand; the seed is printed\n"
      "  quadrille-fuzz --reproduce SEED:KIND:INDEX            one program again, by the name with which it is printed\n"
      "  quadrille-fuzz --examine FILE                         one that is given; smaller if something is found\n\n"
      "  Exit status 0: nothing was found; 1: something was; 2: wrong command line, or the library cannot be read.\n");
  for (int signal : {SIGINT, SIGTERM})
    std::signal(signal, [](int) { isInterrupted = 1; });
  std::vector<Kind> wanted;
  for (const std::string &name : kindNames)
    if (std::optional<Kind> kind = kindOf(name))
      wanted.push_back(*kind);
    else
      return 2;
  if (wanted.empty())
    wanted.assign(kinds.begin(), kinds.end());
  Compiler compiler(llvm::sys::Process::GetEnv("QUADRILLE_LIBRARY").value_or(QUADRILLE_SOURCE_FOLDER "/schedules"));
  Material material;
  llvm::SmallString<128> scratch;
  if (!compiler.load() || !material.load(compiler, QUADRILLE_SOURCE_FOLDER "/test/tools/fuzz/patterns.txt") ||
      fs::createUniqueDirectory("quadrille-fuzz", scratch))
    return 2;
  const std::string executable = fs::getMainExecutable(argv[0], reinterpret_cast<void *>(&kindOf));
  Fuzzer fuzzer(compiler, material, scratch.str().str(), executable);
  if (!examined.empty()) {
    auto text = llvm::MemoryBuffer::getFile(examined);
    if (!text) {
      llvm::errs() << examined << ": " << text.getError().message() << '\n';
      return 2;
    }
    fuzzer.runText((*text)->getBuffer().str());
  } else if (!reproduce.empty()) {
    auto [seedText, rest] = llvm::StringRef(reproduce).split(':');
    auto [kindText, indexText] = rest.split(':');
    Number number;
    const std::optional<Kind> kind = kindOf(kindText);
    if (!kind || seedText.getAsInteger(10, number.seed) || indexText.getAsInteger(10, number.index)) {
      llvm::errs() << "--reproduce takes SEED:KIND:INDEX\n";
      return 2;
    }
    number.kind = *kind;
    fuzzer.runOne(number);
  } else {
    const std::uint64_t chosen = seed.getNumOccurrences() ? seed.getValue() : std::random_device()() % 1000000;
    llvm::outs() << "seed " << chosen << '\n';
    llvm::outs().flush();
    fuzzer.run(chosen, wanted);
  }
  const bool isGood = fuzzer.report();
  fs::remove_directories(scratch);
  return isGood ? 0 : 1;
}
