//===- main.cpp - Random expressions for all evaluators ---------------------------------------------------------===//
//
// quadrille-differential [--seed N] [--batches N | --seconds S] [--ask NAME,...] [--shrink N]
//
// Generates random expressions of all operations from a seed, in batches, and evaluates them by all evaluators (Evaluators.h) for
// several values of their variables. An expression for which an evaluator disagrees with the reference is made smaller and
// printed, with the values of its variables and all results. Exit status 0: all agree; 1: some disagree, or an operation did not
// occur; 2: wrong command line.
//
//===----------------------------------------------------------------------------------------------------------------===//

#include "Evaluators.h"

#include "ir/Operations.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/InitLLVM.h"

#include <chrono>
#include <map>
#include <random>

using namespace quadrille::compiler;
using namespace quadrille::compiler::differential;

namespace cl = llvm::cl;

static cl::opt<std::uint64_t> seed("seed", cl::desc("What all expressions are made from; default: another one every time"));
static cl::opt<unsigned> batches("batches", cl::init(4), cl::desc("How many batches; default 4"));
static cl::opt<unsigned> first("first", cl::init(0), cl::desc("The number of the first one; default 0"));
static cl::opt<unsigned> seconds("seconds", cl::desc("Begin no batch after so long, instead of counting them"));
static cl::opt<unsigned> perBatch("size", cl::init(500), cl::desc("Expressions of a batch; default 500"));
static cl::opt<unsigned> depth("depth", cl::init(4), cl::desc("How deep expressions are at most; default 4"));
static cl::list<std::string> askedNames("ask", cl::CommaSeparated, cl::desc("Parts of the names of those that are asked; default: all"));
static cl::opt<unsigned> shrinkTries("shrink", cl::init(60), cl::desc("How often an expression is made smaller; default 60"));
static cl::opt<unsigned> mostFound("found", cl::init(3), cl::desc("Stop looking in a batch after so many of an evaluator; default 3"));

namespace {

class Comparison {
public:
  explicit Comparison(Evaluators &evaluators) : evaluators(evaluators) {}

  void batch(std::uint64_t number);
  bool report() const;

private:
  void show(Subject &subject, Evaluator &by, const ir::Expr *expr, llvm::ArrayRef<Sample> samples, std::uint64_t number, size_t index);

  struct Count {
    std::uint64_t agree = 0, differ = 0;
  };

  Evaluators &evaluators;
  std::map<std::string, Count> counts;
  std::map<ir::Op, std::uint64_t> operations; // number of expressions with a value, by operation
  std::uint64_t expressions = 0;
};

std::optional<size_t> firstDifference(llvm::ArrayRef<Answer> answers) {
  for (size_t i = 0; i < answers.size(); ++i)
    if (answers[i].kind == Answer::Differs)
      return i;
  return std::nullopt;
}

void Comparison::batch(std::uint64_t number) {
  Random random(seed, number);
  Subject subject;
  // A third of the batches is small enough for solvers, a third consists of expressions of costs.
  Wishes wishes;
  wishes.depth = depth;
  wishes.small = number % 3 == 1;
  wishes.ofCosts = number % 3 == 2;
  const std::vector<Sample> samples = randomSamples(random, 4, wishes.small);
  std::vector<Task> tasks;
  for (unsigned i = 0; i < perBatch; ++i) {
    tasks.push_back(taskOf(subject, *randomExpression(subject, random, wishes), samples));
    if (llvm::any_of(tasks.back().known, [](const Known &known) { return known.value.has_value(); }))
      ir::anyPart(*tasks.back().expr, [&](const ir::Expr &part) {
        ++operations[part.op];
        return false;
      });
  }
  expressions += tasks.size();
  for (const auto &evaluator : evaluators) {
    const Answers answers = evaluator->ask(subject, tasks, samples);
    Count &count = counts[evaluator->name];
    unsigned shown = 0;
    for (size_t i = 0; i < tasks.size(); ++i) {
      for (const Answer &answer : answers[i]) {
        count.agree += answer.kind == Answer::Agrees;
        count.differ += answer.kind == Answer::Differs;
      }
      if (const std::optional<size_t> at = firstDifference(answers[i]); at && shown < mostFound) {
        ++shown;
        // Pass all samples of the case, since ranks are evaluated together.
        const size_t ofCase = *at / ranksOfCase * ranksOfCase;
        show(subject, *evaluator, tasks[i].expr, llvm::ArrayRef(samples).slice(ofCase, ranksOfCase), number, i);
      }
    }
  }
}

void Comparison::show(Subject &subject, Evaluator &by, const ir::Expr *expr, llvm::ArrayRef<Sample> ofCase, std::uint64_t number, size_t index) {
  std::vector<Sample> samples(ofCase.begin(), ofCase.end());
  auto answersOf = [&](llvm::ArrayRef<const ir::Expr *> exprs) {
    std::vector<Task> tasks;
    for (const ir::Expr *each : exprs)
      tasks.push_back(taskOf(subject, *each, samples));
    return by.ask(subject, tasks, samples);
  };
  // Use a single sample if it shows the disagreement.
  for (const Sample &sample : ofCase) {
    samples = {sample};
    if (firstDifference(answersOf({expr})[0]))
      break;
    samples.assign(ofCase.begin(), ofCase.end());
  }
  for (unsigned tries = 0; tries < shrinkTries; ++tries) {
    std::vector<const ir::Expr *> candidates = smaller(subject, *expr);
    llvm::erase_if(candidates, [&](const ir::Expr *each) { return sizeOf(*each) >= sizeOf(*expr); });
    llvm::stable_sort(candidates, [](const ir::Expr *a, const ir::Expr *b) { return sizeOf(*a) < sizeOf(*b); });
    if (candidates.size() > 200)
      candidates.resize(200);
    const Answers answers = answersOf(candidates);
    const ir::Expr *next = nullptr;
    for (size_t i = 0; i < candidates.size() && !next; ++i)
      if (firstDifference(answers[i]))
        next = candidates[i];
    if (!next)
      break;
    expr = next;
  }
  const std::size_t at = firstDifference(answersOf({expr})[0]).value_or(0);
  const Sample sample = samples[at];
  llvm::outs() << "seed " << seed << ", batch " << number << ", expression " << index << ": " << by.name << " and the reference disagree\n  "
               << shortText(*expr) << "\n  where " << sample.text() << (samples.size() > 1 ? ", beside other ranks" : "") << "\n";
  const Task task = taskOf(subject, *expr, samples);
  llvm::outs() << "  " << llvm::left_justify("the reference", 28) << task.known[at].text() << "\n";
  for (const auto &evaluator : evaluators)
    if (const Answer answer = evaluator->ask(subject, {task}, samples)[0][at]; answer.kind != Answer::Silent || evaluator.get() == &by)
      llvm::outs() << (answer.kind == Answer::Differs ? "! " : "  ") << llvm::left_justify(evaluator->name, 28) << answer.text << "\n";
  llvm::outs().flush();
}

bool Comparison::report() const {
  bool isFine = true;
  llvm::outs() << "seed " << seed << ": " << expressions << " expressions\n";
  for (const auto &[name, count] : counts) {
    llvm::outs() << "  " << llvm::left_justify(name, 28) << count.agree << " values agree";
    if (count.differ)
      llvm::outs() << ", " << count.differ << " DIFFER";
    llvm::outs() << "\n";
    isFine &= count.differ == 0;
  }
  // Report operations that did not occur with a value.
  for (const ir::Operation &operation : ir::operations())
    if (operation.signature != ir::Signature::Own && !operations.count(operation.op) && expressions >= 3 * perBatch) {
      llvm::outs() << "  no expression with a value has the operation " << operation.name << "\n";
      isFine = false;
    }
  return isFine;
}

} // namespace

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  cl::ParseCommandLineOptions(argc, argv, "Random expressions, and all that evaluates them\n");
  if (!seed.getNumOccurrences())
    seed = std::random_device()();
  llvm::outs() << "seed " << seed << "\n";
  llvm::outs().flush();
  Evaluators all, asked;
  addEvaluatorsOfRanks(all);
  addEvaluatorsOfFormulas(all);
  addEvaluatorsOfProofs(all);
  addSolvers(all);
  addWriters(all);
  static int anchor;
  addEmission(all, llvm::sys::fs::getMainExecutable(argv[0], &anchor));
  for (auto &evaluator : all)
    if (askedNames.empty() || llvm::any_of(askedNames, [&](const std::string &part) { return llvm::StringRef(evaluator->name).contains(part); }))
      asked.push_back(std::move(evaluator));
  if (asked.empty()) {
    llvm::errs() << "nothing has such a name\n";
    return 2;
  }
  Comparison comparison(asked);
  const auto start = std::chrono::steady_clock::now();
  for (std::uint64_t i = first; seconds ? std::chrono::steady_clock::now() - start < std::chrono::seconds(seconds) : i < first + batches; ++i)
    comparison.batch(i);
  return comparison.report() ? 0 : 1;
}
