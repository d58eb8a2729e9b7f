//===- main.cpp - Compiles mutants of schedules ---------------------------------------------===//
//
// quadrille-mutate [--equivalent LIST] [--prove] [--every N] [--ps LIST] [--verbose] FILE|FOLDER...
// quadrille-mutate --wrong [--ps LIST] FILE|FOLDER...
//
// Passes every mutant of every schedule through the compiler: parser, sema, all checks for p = 1..17 with all clauses. An
// accepted mutant is an error, unless LIST names it as equivalent, with the reason. A line of LIST is
//
//   allgather/ring | loop-longer#2 | `p - 1` becomes `(p - 1) + 1` | why this cannot be told from the original
//
// A line that matches no accepted mutant is an error, too, so the list stays up to date. Exit status 0: all mutants are refused
// or equivalent; 1: some are not; 2: wrong command line or unreadable input.
//
// With --prove every mutant, or every Nth, is also passed to the prover, without the result of the checks. It is an error if
// the prover proves all claims that the refusal contradicts. It may try the invariants of the original schedule. Accepted
// mutants are no errors then; they are counted, with those proved and those not decided. With --wrong the schedules are used
// unchanged: each must be refused for one of the given p, and must not be proved.
//
//===----------------------------------------------------------------------------------------------------------------===//

#include "Mutations.h"
#include "Pipeline.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"

using namespace quadrille::compiler;
using namespace quadrille::compiler::mutate;

namespace cl = llvm::cl;
namespace path = llvm::sys::path;

static cl::opt<std::string> equivalentFile("equivalent", cl::desc("Mutants that are proved equivalent"));
static cl::opt<bool> verbose("verbose", cl::desc("Say what becomes of every mutant"));
static cl::opt<bool> asksProver("prove", cl::desc("Ask the prover too; it must not prove what is refused"));
static cl::opt<unsigned> every("every", cl::init(1), cl::desc("With --prove: take every Nth mutant only"));
static cl::opt<bool> wrong("wrong", cl::desc("The schedules are wrong themselves"));
static cl::list<std::int64_t> ps("ps", cl::CommaSeparated, cl::desc("The p to check; default 1,...,17"));
static cl::list<std::string> inputs(cl::Positional, cl::OneOrMore, cl::desc("FILE|FOLDER..."));

namespace {

struct Count {
  unsigned tried = 0, killed = 0, bySema = 0, equivalent = 0;
  unsigned asked = 0;                         // mutants passed to the prover: not refused by sema
  unsigned proved = 0, provedThoughKilled = 0; // of those asked

  unsigned undecided() const {
    return asked - (killed - bySema) - (proved - provedThoughKilled);
  }

  void operator+=(const Count &other) {
    tried += other.tried;
    killed += other.killed;
    bySema += other.bySema;
    equivalent += other.equivalent;
    asked += other.asked;
    proved += other.proved;
    provedThoughKilled += other.provedThoughKilled;
  }
};

/// Counts of diagnostics that name p, rank, round and line.
struct Naming {
  unsigned count = 0, p = 0, rank = 0, round = 0, line = 0;

  void add(const Outcome &outcome) {
    ++count;
    p += outcome.namesP;
    rank += outcome.namesRank;
    round += outcome.namesRound;
    line += outcome.namesLine;
  }
};

struct Equivalent {
  unsigned line;
  bool used = false;
};

class Tester {
public:
  explicit Tester(Pipeline &pipeline) : pipeline(pipeline) {}

  bool readEquivalent(const std::string &name);
  bool test(const std::string &file);
  bool testWrong(const std::string &file);
  bool report();

private:
  void failure(const llvm::Twine &text) {
    failures.push_back(text.str());
  }
  void judge(const std::string &place, const Outcome &outcome);

  Pipeline &pipeline;
  std::map<std::string, Equivalent> equivalent; // by "schedule | id | change"
  std::string equivalentName;
  Count total;
  std::map<std::string, Count> byKind;
  std::map<std::string, unsigned> byCode;
  Naming communication, results;
  std::vector<std::string> failures;
};

bool Tester::readEquivalent(const std::string &name) {
  auto text = llvm::MemoryBuffer::getFile(name, /*IsText=*/true);
  if (!text) {
    llvm::errs() << name << ": " << text.getError().message() << '\n';
    return false;
  }
  equivalentName = name;
  llvm::SmallVector<llvm::StringRef, 0> lines;
  (*text)->getBuffer().split(lines, '\n');
  for (unsigned i = 0; i < lines.size(); ++i) {
    llvm::StringRef line = lines[i].trim();
    if (line.empty() || line.starts_with("#"))
      continue;
    // Split at the last bar: the change may contain one.
    auto [key, reason] = line.rsplit(" | ");
    if (key.count(" | ") < 2 || reason.trim().empty()) {
      llvm::errs() << name << ':' << i + 1 << ": expected: schedule | mutation | change | reason\n";
      return false;
    }
    equivalent[key.trim().str()] = {i + 1, false};
  }
  return true;
}

/// Reports an error if the prover contradicts a refusal.
void Tester::judge(const std::string &place, const Outcome &outcome) {
  if (!outcome.refused || outcome.bySema)
    return;
  if (outcome.wasProved) {
    failure(place + ": PROVED, but refused: " + outcome.message + " [" + outcome.code + "]");
    return;
  }
  std::vector<prove::Claim> broken = outcome.broken();
  if (llvm::none_of(broken, [&](prove::Claim claim) { return llvm::is_contained(outcome.openClaims, claim); }))
    failure(place + ": proved as far as `" + prove::claimName(broken[0]) + "` goes, but refused: " + outcome.message +
            " [" + outcome.code + "]; open is " + outcome.open);
}

static Pipeline::Work workOn(const std::string &schedule) {
  Pipeline::Work work;
  work.ps.assign(ps.begin(), ps.end());
  if (work.ps.empty())
    for (std::int64_t p = 1; p <= 17; ++p)
      work.ps.push_back(p);
  work.schedule = schedule;
  work.prove = asksProver || wrong;
  return work;
}

bool Tester::testWrong(const std::string &file) {
  llvm::StringRef text;
  std::optional<ast::File> syntax = pipeline.syntax(file, text);
  if (!syntax) {
    llvm::errs() << file << ": cannot be read\n";
    return false;
  }
  for (const ast::Schedule &schedule : syntax->schedules) {
    const std::string name = schedule.collective.text + "/" + schedule.name.text;
    Outcome outcome = pipeline.run(text.str(), file, workOn(name));
    if (!outcome.refused || outcome.bySema)
      failure(name + ": not refused by a check: " + outcome.message);
    judge(name, outcome);
    llvm::outs() << llvm::left_justify(name, 32) << outcome.code << "  not proved: " << outcome.open << '\n';
  }
  return true;
}

/// The texts of the files beside `file` with instances of the schedules that it leaves open. What is wrong with those shows in these.
static std::string instancesOf(Pipeline &pipeline, const std::string &file, const ast::File &syntax) {
  std::string result;
  const auto isOpen = [](const ast::Schedule &schedule) {
    return llvm::any_of(schedule.params, [](const ast::ScheduleParameter &param) { return param.isTree; });
  };
  if (llvm::none_of(syntax.schedules, isOpen))
    return result;
  std::vector<std::string> beside;
  std::error_code error;
  for (llvm::sys::fs::directory_iterator i(path::parent_path(file), error), end; i != end && !error; i.increment(error))
    if (path::extension(i->path()) == ".quad")
      beside.push_back(i->path());
  llvm::sort(beside);
  for (const std::string &other : beside) {
    llvm::StringRef text;
    std::optional<ast::File> tree = pipeline.syntax(other, text);
    if (tree && llvm::any_of(tree->schedules, [&](const ast::Schedule &instance) {
          return instance.instance && llvm::any_of(syntax.schedules, [&](const ast::Schedule &schedule) {
                   return isOpen(schedule) && schedule.name.text == instance.instance->schedule.text;
                 });
        }))
      result += "\n" + text.str();
  }
  return result;
}

bool Tester::test(const std::string &file) {
  llvm::StringRef text;
  std::optional<ast::File> syntax = pipeline.syntax(file, text);
  if (!syntax) {
    llvm::errs() << file << ": cannot be read\n";
    return false;
  }
  const std::string instances = instancesOf(pipeline, file, *syntax);
  Pipeline::Work whole = workOn("");
  whole.prove = false;
  if (Outcome original = pipeline.run(text.str() + instances, file, whole); original.refused) {
    llvm::errs() << file << ": refused as it is: " << original.message << " [" << original.code << "]\n";
    return false;
  }
  for (const ast::Schedule &schedule : syntax->schedules) {
    std::string name = schedule.collective.text + "/" + schedule.name.text;
    Count count;
    unsigned number = 0;
    for (const Mutation &mutation : mutationsOf(schedule, text, asksProver)) {
      if (asksProver && number++ % every != 0)
        continue;
      Pipeline::Work work = workOn(asksProver && instances.empty() ? name : "");
      if (asksProver && instances.empty())
        work.like = pipeline.original(schedule.collective.text, schedule.name.text);
      Outcome outcome = pipeline.run(mutation.applyTo(text) + instances, file, work);
      Count one;
      one.tried = 1;
      llvm::StringRef before = text.take_front(mutation.offset);
      size_t line = before.count('\n') + 1, column = mutation.offset - (before.rfind('\n') + 1) + 1;
      std::string change = "`" + mutation.before + "` becomes " +
                           (mutation.replacement.empty() ? "nothing" : "`" + mutation.after + "`");
      std::string place = path::parent_path(file).str() + "/" + path::filename(file).str() + ":" + std::to_string(line) + ":" + std::to_string(column) + ": " +
                          mutation.id + ": " + change;
      if (verbose)
        llvm::outs() << place << ": "
                     << (outcome.refused ? outcome.code + ": " + outcome.message : std::string("ACCEPTED"))
                     << (!asksProver ? "" : outcome.wasProved ? "; proved" : "; open is " + outcome.open) << '\n';
      if (asksProver) {
        one.killed = outcome.refused;
        one.bySema = outcome.bySema;
        one.equivalent = !outcome.refused;
        one.asked = !outcome.bySema;
        one.proved = outcome.wasProved;
        one.provedThoughKilled = outcome.wasProved && outcome.refused;
        judge(place, outcome);
      } else if (outcome.refused) {
        one.killed = 1;
        one.bySema = outcome.bySema;
        ++byCode[outcome.code];
        if (!outcome.bySema) {
          bool isResult = llvm::StringRef(outcome.code).starts_with("Q05");
          if (outcome.isCommunication() || isResult)
            (isResult ? results : communication).add(outcome);
          if (outcome.isCommunication() &&
              !(outcome.namesP && outcome.namesRank && outcome.namesRound && outcome.namesLine))
            failure(place + ": the message does not name p, rank, round and line: " + outcome.message + " [" +
                    outcome.code + "]");
        }
      } else if (auto known = equivalent.find(name + " | " + mutation.id + " | " + change); known != equivalent.end()) {
        known->second.used = true;
        one.equivalent = 1;
      } else {
        failure(place + ": accepted");
      }
      count += one;
      byKind[mutation.kind] += one;
    }
    total += count;
    llvm::outs() << llvm::left_justify(name, 28) << "tried " << llvm::format("%4u", count.tried) << "  killed "
                 << llvm::format("%4u", count.killed) << "  equivalent " << llvm::format("%3u", count.equivalent);
    if (asksProver)
      llvm::outs() << "  proved " << llvm::format("%3u", count.proved) << "  undecided " << llvm::format("%3u", count.undecided());
    llvm::outs() << '\n';
    llvm::outs().flush();
  }
  return true;
}

bool Tester::report() {
  if (asksProver || wrong) {
    if (asksProver)
      llvm::outs() << "\ntotal: tried " << total.asked << ": refused " << total.killed - total.bySema << ", of these proved "
                   << total.provedThoughKilled << "; accepted " << total.equivalent << ", of these proved "
                   << total.proved - total.provedThoughKilled << ", undecided " << total.undecided() << '\n';
    llvm::outs() << (failures.empty() ? "nothing that is refused is proved\n" : "");
    llvm::outs().flush();
    for (const std::string &text : failures)
      llvm::errs() << text << '\n';
    return failures.empty();
  }
  for (const auto &[key, entry] : equivalent)
    if (!entry.used)
      failure(equivalentName + ":" + llvm::Twine(entry.line) + ": no mutant that survives is meant: " + key);
  llvm::outs() << "\nby kind\n";
  for (const auto &[kind, count] : byKind)
    llvm::outs() << "  " << llvm::left_justify(kind, 26) << "tried " << llvm::format("%4u", count.tried) << "  killed "
                 << llvm::format("%4u", count.killed) << "  equivalent " << llvm::format("%3u", count.equivalent)
                 << '\n';
  llvm::outs() << "\nby diagnostic\n";
  for (const auto &[code, count] : byCode)
    llvm::outs() << "  " << code << llvm::format("  %4u", count) << '\n';
  auto naming = [](const char *what, const Naming &n) {
    llvm::outs() << what << n.count << ", naming p " << n.p << ", rank " << n.rank << ", round " << n.round
                 << ", line " << n.line << '\n';
  };
  llvm::outs() << '\n';
  naming("messages about communication: ", communication);
  naming("messages about results: ", results);
  llvm::outs() << "\ntotal: tried " << total.tried << ", killed " << total.killed << " (" << total.bySema
               << " of them before anything was run), equivalent " << total.equivalent << ", survived "
               << total.tried - total.killed - total.equivalent << '\n';
  llvm::outs().flush();
  for (const std::string &text : failures)
    llvm::errs() << text << '\n';
  return failures.empty();
}

/// The schedule files of a folder, sorted, without the standard files directly in it.
std::vector<std::string> filesOf(const std::string &input) {
  if (!llvm::sys::fs::is_directory(input))
    return {input};
  std::vector<std::string> result;
  std::error_code error;
  for (llvm::sys::fs::recursive_directory_iterator i(input, error), end; i != end && !error; i.increment(error))
    if (path::extension(i->path()) == ".quad" && i.level() > 0)
      result.push_back(i->path());
  llvm::sort(result);
  return result;
}

} // namespace

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  cl::ParseCommandLineOptions(argc, argv, "breaks schedules in one place and asks whether the compiler notices\n");
  Pipeline pipeline(llvm::sys::Process::GetEnv("QUADRILLE_LIBRARY").value_or(QUADRILLE_SOURCE_FOLDER "/schedules"));
  Tester tester(pipeline);
  if (!pipeline.load() || (!equivalentFile.empty() && !tester.readEquivalent(equivalentFile)))
    return 2;
  for (const std::string &input : inputs)
    for (const std::string &file : filesOf(input))
      if (!(wrong ? tester.testWrong(file) : tester.test(file)))
        return 2;
  return tester.report() ? 0 : 1;
}
