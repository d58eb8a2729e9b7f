//===- Refute.cpp - Counterexamples at large p ----------------------------------------------------------------------------===//

#include "Refute.h"

#include "llvm/ADT/STLExtras.h"

#include <set>

namespace quadrille::prove {

namespace {
/// The largest p that the checks are asked to confirm.
constexpr std::int64_t largestP = 5000;
constexpr unsigned bits = 17;
/// Bounds on p, one after the other: small counterexamples are the ones that people want to see.
constexpr std::int64_t ladder[] = {20, 40, 140, 600, 2200, largestP};
/// Cases that are run.
constexpr unsigned maxReplays = 24;

std::int64_t valueIn(const Model &model, llvm::StringRef name, std::int64_t otherwise) {
  for (const auto &[variable, value] : model.values)
    if (variable->name == name)
      return value;
  return otherwise;
}
} // namespace

std::optional<Verdict> refute(const ir::Schedule &schedule, llvm::ArrayRef<Obligation> open, TermPool &pool,
                              Solver &solver, const ProofOptions &options) {
  std::set<std::vector<std::int64_t>> tried;
  const Term p = pool.variable("p");
  auto replay = [&](const Model &model) -> std::optional<Verdict> {
    std::vector<std::int64_t> key{valueIn(model, "p", 1)};
    for (unsigned i = 0; i < schedule.numberCount; ++i)
      key.push_back(valueIn(model, schedule.variables[ir::Schedule::firstNumber + i].name, i < schedule.parameterCount ? 1 : 0));
    if (key[0] < 1 || key[0] > largestP || tried.size() >= maxReplays || !tried.insert(key).second)
      return std::nullopt;
    CheckOptions check = options.check;
    check.ps = {key[0]};
    if (schedule.parameterCount == 1)
      check.parameters = {key[1]};
    if (schedule.rootVariable())
      check.root = key.back();
    Verdict verdict = checkSchedule(schedule, check);
    if (verdict.failure)
      return verdict;
    return std::nullopt;
  };
  // What does not depend on invariants is the surer hint.
  std::vector<const Obligation *> order;
  for (const Obligation &obligation : open)
    order.push_back(&obligation);
  llvm::stable_sort(order, [](const Obligation *a, const Obligation *b) {
    auto rank = [](const Obligation *o) { return o->claim == Claim::Invariant ? 1 : 0; };
    return rank(a) < rank(b);
  });
  std::optional<Verdict> found;
  for (const Obligation *obligation : order) {
    for (std::int64_t bound : ladder) {
      Outcome outcome = solver.refute({obligation->name, obligation->hypotheses, obligation->goal}, bits, {{p, bound}},
                                      options.resources);
      if (outcome.answer != Answer::Refuted)
        continue;
      if (std::optional<Verdict> verdict = replay(outcome.model))
        return verdict;
      break; // larger ones only repeat it
    }
    if (tried.size() >= maxReplays)
      break;
  }
  return found;
}

} // namespace quadrille::prove
