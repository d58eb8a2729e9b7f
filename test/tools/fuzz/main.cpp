//===- main.cpp - Random programs through all of the compiler -----------------------------------------------------------===//
//
// quadrille-fuzz [--seed N] [--programs N | --seconds S] [--kind K,...] [--edits N] [--ask Q,...] [--proofs PERCENT]
//               [--keep DIR] [--jobs J]
// quadrille-fuzz --reproduce SEED:KIND:INDEX
// quadrille-fuzz --examine FILE
//
// Makes programs from a seed, half of which or so are right, and sees whether the answers of the compiler about each agree with
// one another and with what happens (Oracle.h). Each is examined in a process of its own with bounds on its time and memory. A
// program about which answers disagree, or which the compiler does not survive, is made smaller and printed, with what says how to
// make it again. `--keep` writes these to a folder, as they were and made smaller. Exit status 0: nothing was found; 1: something
// was; 2: wrong command line, or the library cannot be read.
//
//===----------------------------------------------------------------------------------------------------------------===//

#include "Generate.h"
#include "Shrink.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"

#include <chrono>
#include <map>
#include <random>
#include <set>

using namespace quadrille;
using namespace quadrille::fuzz;

namespace cl = llvm::cl;
namespace fs = llvm::sys::fs;

static cl::opt<std::uint64_t> seed("seed", cl::desc("What all programs are made from; default: another one every time"));
static cl::opt<std::uint64_t> programs("programs", cl::init(1000), cl::desc("How many; default 1000"));
static cl::opt<unsigned> seconds("seconds", cl::desc("Begin no program after so long, instead of counting them"));
static cl::list<std::string> kindNames("kind", cl::CommaSeparated,
                                       cl::desc("statements, patterns, compositions, library, tokens; default: all"));
static cl::opt<unsigned> edits("edits", cl::init(2), cl::desc("In how many places a program is changed at most; default 2"));
static cl::bits<Question> asked("ask", cl::CommaSeparated, cl::desc("What is compared with the verdicts; default: everything"),
                                cl::values(clEnumValN(AskEngines, "engines", "lockstep and simulation"),
                                           clEnumValN(AskData, "data", "the interpreter and the promise"),
                                           clEnumValN(AskPictures, "pictures", "what draws"),
                                           clEnumValN(AskCosts, "costs", "clauses at other lengths"),
                                           clEnumValN(AskFormulas, "formulas", "what `cost` finds"),
                                           clEnumValN(AskEmission, "emission", "emitted texts"),
                                           clEnumValN(AskProofs, "proofs", "the prover")));
static cl::opt<unsigned> proofPercent("proofs", cl::init(25), cl::desc("Of how many of a hundred programs proofs and formulas are asked for; default 25"));
static cl::opt<std::string> keepFolder("keep", cl::desc("Write what is found to this folder"));
static cl::opt<unsigned> jobs("jobs", cl::init(2), cl::desc("Processes at once; default 2"));
static cl::opt<unsigned> shrinkSeconds("shrink", cl::init(120), cl::desc("Seconds to make one program smaller; 0: none is made"));
static cl::opt<std::string> reproduce("reproduce", cl::desc("One program again"));
static cl::opt<std::string> examined("examine", cl::desc("The program of a file"));

namespace {

/// Which program.
struct Number {
  std::uint64_t seed = 0, index = 0;
  Kind kind = Kind::Statements;

  std::string text() const { return std::to_string(seed) + ":" + kindName(kind) + ":" + std::to_string(index); }
};

/// What is wrong with how an examination ended, in words that stay the same while the program gets smaller; empty: nothing.
std::string whatIsFound(const Ended &ended) {
  if (ended.how != Ended::Well) {
    llvm::StringRef stage = lastOf(ended.told, "stage");
    return (ended.how == Ended::Crashed ? "a crash while " : "no end while ") + (stage.empty() ? "generating" : stage.str());
  }
  for (const auto &[about, text] : ended.told)
    if (about == "finding")
      return llvm::StringRef(text).split('\n').first.str();
  return "";
}

std::string detailsOf(const Ended &ended) {
  if (ended.how != Ended::Well)
    return ended.problem;
  for (const auto &[about, text] : ended.told)
    if (about == "finding")
      return llvm::StringRef(text).split('\n').second.str();
  return "";
}

class Fuzzer {
public:
  Fuzzer(Compiler &compiler, const Material &material, std::string scratch)
      : compiler(compiler), material(material), scratch(std::move(scratch)) {}

  void run(std::uint64_t seed, const std::vector<Kind> &wanted);
  /// One that is given.
  void runText(const std::string &text);
  void runOne(const Number &number);
  bool report();

private:
  Questions questionsFor(const Number &number) const;
  void examineText(const std::string &text, const Questions &questions, const Teller &teller);
  void take(const Number &number, const Ended &ended);
  void show(const std::string &name, const Ended &ended, const Questions &questions, const std::string &text);

  struct Count {
    unsigned programs = 0;
    std::map<std::string, unsigned> verdicts, proofs;
  };

  Compiler &compiler;
  const Material &material;
  const std::string scratch;
  std::uint64_t nextFile = 0;
  std::map<Kind, Count> counts;
  std::map<std::string, unsigned> found; // by what it is
  std::map<std::string, unsigned> codes;
};

Questions someQuestions() {
  Questions questions;
  if (asked.getNumOccurrences())
    for (Question question : {AskEngines, AskData, AskPictures, AskCosts, AskFormulas, AskEmission, AskProofs})
      if (!asked.isSet(question))
        questions.asked.erase(question);
  return questions;
}

/// What is asked does not depend on when or where.
Questions Fuzzer::questionsFor(const Number &number) const {
  Questions questions = someQuestions();
  if (number.kind == Kind::Tokens || Random(number.seed ^ 0x5EED, number.index).below(100) >= proofPercent)
    for (Question question : {AskFormulas, AskProofs})
      questions.asked.erase(question);
  return questions;
}

void Fuzzer::examineText(const std::string &text, const Questions &questions, const Teller &teller) {
  // Processes have names of their own for their files.
  const std::string path = scratch + "/" + std::to_string(llvm::sys::Process::getProcessId()) + ".quad";
  std::error_code failure;
  llvm::raw_fd_ostream(path, failure) << text;
  examine(compiler, path, questions, teller);
  fs::remove(path);
}

void Fuzzer::run(std::uint64_t seed, const std::vector<Kind> &wanted) {
  // Some kinds find more.
  static const std::vector<Kind> turns = {Kind::Statements, Kind::Patterns,   Kind::Compositions, Kind::Library,    Kind::Tokens,
                                          Kind::Statements, Kind::Patterns,   Kind::Compositions, Kind::Statements, Kind::Compositions};
  std::vector<Kind> order;
  llvm::copy_if(turns, std::back_inserter(order), [&](Kind kind) { return llvm::is_contained(wanted, kind); });
  const auto begin = std::chrono::steady_clock::now();
  Processes processes;
  std::map<Kind, std::uint64_t> indices;
  std::map<std::uint64_t, Number> running;
  std::vector<std::pair<Number, Ended>> toShow;
  for (std::uint64_t started = 0;;) {
    const bool isDone = seconds ? std::chrono::steady_clock::now() - begin > std::chrono::seconds(seconds) : started >= programs;
    if (isDone && processes.running() == 0)
      break;
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
    take(running[id], ended);
    running.erase(id);
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
  if (!what.empty())
    show(number.text(), ended, questionsFor(number), lastOf(ended.told, "text").str());
}

void Fuzzer::show(const std::string &name, const Ended &ended, const Questions &questions, const std::string &text) {
  const std::string what = whatIsFound(ended);
  llvm::outs() << "\nfound: " << name << ": " << what << "\n  " << detailsOf(ended) << '\n';
  // Of many of one sort, a few are made smaller.
  std::string small = text, smallDetails;
  if (++found[what] <= 3 && shrinkSeconds > 0 && !text.empty()) {
    Shrinker shrinker{compiler, jobs, 600, shrinkSeconds, [&](const std::string &smaller, const Teller &teller) { examineText(smaller, questions, teller); },
                      [&](const Ended &again) {
                        if (whatIsFound(again) != what)
                          return false;
                        smallDetails = detailsOf(again);
                        return true;
                      },
                      {}};
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
  std::replace(file.begin() + static_cast<std::ptrdiff_t>(keepFolder.size()), file.end(), ':', '-');
  std::error_code failure;
  llvm::raw_fd_ostream(file + ".quad", failure) << "// " << what << '\n' << text;
  llvm::raw_fd_ostream(file + ".small.quad", failure) << "// " << what << '\n' << small;
}

void Fuzzer::runText(const std::string &text) {
  const Questions questions = someQuestions();
  const Ended ended = runAlone({}, [&](const Teller &teller) { examineText(text, questions, teller); });
  for (const auto &[about, said] : ended.told)
    llvm::outs() << about << ": " << said << '\n';
  if (const std::string what = whatIsFound(ended); !what.empty())
    show("file", ended, questions, text);
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
  llvm::outs() << '\n' << all << " programs, ";
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
  cl::ParseCommandLineOptions(argc, argv, "random programs through all of the compiler\n");
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
  Fuzzer fuzzer(compiler, material, scratch.str().str());
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
