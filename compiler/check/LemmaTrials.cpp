//===- LemmaTrials.cpp - Are stated lemmas true? -----------------------------------------------------------------------------------===//

#include "LemmaTrials.h"

#include "evaluate/Evaluate.h"
#include "instantiate/Machine.h"
#include "ir/Walk.h"
#include "limits/Limits.h"

#include <algorithm>

namespace quadrille::compiler {

namespace {
/// Tries a lemma for one list of arguments after the other.
class Trial {
public:
  Trial(const ir::Lemma &lemma, unsigned depth) : lemma(lemma) {
    trees.callDepth = depth;
    frame.trees = &trees;
  }

  bool isWrong(llvm::ArrayRef<std::int64_t> arguments) {
    frame.values.assign(lemma.variables.size(), 0);
    std::copy(arguments.begin(), arguments.end(), frame.values.begin());
    try {
      return (!lemma.condition || evaluate(*lemma.condition, frame) != 0) && evaluate(*lemma.claim, frame) == 0;
    } catch (const EvaluationError &error) { // the lemma says nothing here
      tooDeep += error.id() == diag::Id::RecursionTooDeep || error.id() == diag::Id::TooManyCalls;
      return false;
    }
  }

  bool hardlyEnds() const { return tooDeep > limits::lemmaCasesTooDeep; }

private:
  const ir::Lemma &lemma;
  TreeCache trees;
  Frame frame;
  unsigned tooDeep = 0;
};

/// Tries all arguments in 0 .. bound, for bound = 0, 1, ... up to a limit, until another limit is reached.
std::optional<std::vector<std::int64_t>> whereWrongSmall(const ir::Lemma &lemma) {
  size_t cases = 0;
  for (std::int64_t bound = 0; bound <= limits::lemmaArguments; ++bound) {
    Trial trial(lemma, limits::lemmaDepth);
    std::vector<std::int64_t> values(lemma.argumentCount, 0);
    for (bool more = true; more;) {
      if (++cases > limits::lemmaCases || trial.hardlyEnds())
        return std::nullopt;
      if (trial.isWrong(values))
        return values;
      more = false;
      for (unsigned i = lemma.argumentCount; i-- > 0 && !more;) {
        more = values[i] < bound;
        values[i] = more ? values[i] + 1 : 0;
      }
    }
  }
  return std::nullopt;
}

/// Numbers at which a lemma may change its truth: constants of the lemma and its functions, powers of two, and their neighbours.
std::vector<std::int64_t> suggestedBy(const ir::Lemma &lemma) {
  std::vector<std::int64_t> result{-2, -1, 0, 1, 2, 3, 5, 10, 12, 20, 40, 100};
  auto around = [&](std::int64_t c) {
    if (-(1 << 30) < c && c < 1 << 30)
      result.insert(result.end(), {c - 1, c, c + 1});
  };
  for (std::int64_t power = 16; power <= 128; power *= 2)
    around(power);
  ir::forEachPart({lemma.condition, lemma.claim}, [&](const ir::Expr &part) {
    if (part.op == ir::Op::Constant && part.type == ir::Type::Integer && part.value != ir::none)
      around(part.value);
  });
  llvm::sort(result, [](std::int64_t a, std::int64_t b) { return std::pair(std::abs(a), a) < std::pair(std::abs(b), b); });
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

std::optional<std::vector<std::int64_t>> whereWrongSuggested(const ir::Lemma &lemma) {
  if (lemma.argumentCount == 0)
    return std::nullopt;
  const std::vector<std::int64_t> numbers = suggestedBy(lemma);
  Trial trial(lemma, limits::lemmaDepthSuggested);
  std::vector<std::int64_t> values(lemma.argumentCount);
  std::uint64_t random = 1; // a fixed seed, for reproducible results
  auto choose = [&] {
    random = random * 6364136223846793005u + 1442695040888963407u;
    return numbers[(random >> 33) % numbers.size()];
  };
  for (size_t i = 0; i < limits::lemmaCasesSuggested && !trial.hardlyEnds(); ++i) {
    // Give each of the numbers to one argument at a time.
    for (size_t k = 0; k < values.size(); ++k)
      values[k] = k == i / numbers.size() % values.size() ? numbers[i % numbers.size()] : choose();
    if (trial.isWrong(values))
      return values;
  }
  return std::nullopt;
}
} // namespace

bool isWrongFor(const ir::Lemma &lemma, llvm::ArrayRef<std::int64_t> arguments) {
  return Trial(lemma, limits::callDepth).isWrong(arguments);
}

std::optional<std::vector<std::int64_t>> whereWrong(const ir::Lemma &lemma) {
  std::optional<std::vector<std::int64_t>> wrong = whereWrongSmall(lemma);
  return wrong ? wrong : whereWrongSuggested(lemma);
}

Diagnostic lemmaWrong(const ir::Lemma &lemma, llvm::ArrayRef<std::int64_t> arguments) {
  std::vector<std::pair<std::string, std::int64_t>> values;
  for (unsigned i = 0; i < lemma.argumentCount; ++i)
    values.emplace_back(lemma.variables[i].name, arguments[i]);
  return Diagnostic(lemma.range, diag::LemmaWrong{.lemma = lemma.name, .values = std::move(values)});
}

const LemmaTrials::Arguments &LemmaTrials::whereWrong(const ir::Lemma &lemma) {
  std::lock_guard lock(mutex);
  auto [entry, isNew] = tried.try_emplace(&lemma);
  if (isNew)
    entry->second = compiler::whereWrong(lemma);
  return entry->second;
}

void LemmaTrials::check(const ir::Schedule &schedule) {
  llvm::SetVector<const ir::Lemma *> lemmas;
  ir::forEachPart(schedule, [&](const ir::Expr &part) {
    if (part.op == ir::Op::Call)
      lemmas.insert(part.function->lemmas.begin(), part.function->lemmas.end());
  });
  auto inOrder = lemmas.takeVector();
  llvm::stable_sort(inOrder, [](const ir::Lemma *a, const ir::Lemma *b) { return a->number < b->number; });
  for (const ir::Lemma *lemma : inOrder)
    if (const Arguments &wrong = whereWrong(*lemma))
      throw Finding{lemmaWrong(*lemma, *wrong)};
}

} // namespace quadrille::compiler
