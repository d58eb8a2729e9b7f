//===- Engines.cpp - Agreement of lockstep and simulation ---------------------------------------------------------------===//

#include "Examination.h"

#include "instantiate/CaseRun.h"

namespace quadrille::compiler::fuzz {

namespace {

/// The result of an engine for a case.
struct Outcome {
  std::optional<Diagnostic> failure;
  bool isUnmatched = false; // lockstep threw UnmatchedInLockstep
  std::vector<Value> values;
  std::vector<std::uint64_t> brackets;
};

Outcome runOn(Engine engine, CaseRun &run, ValueDomain &values) {
  Outcome outcome;
  RunObserver nobody;
  try {
    Machine &machine = run.prepare(
        {.wantBrackets = run.schedule.usesOperator, .samples = {fill(run.tables, 1, LengthPattern::Even)}, .values = &values});
    const FinalState &state = run.run(nobody, engine);
    for (const Storage *output : state.outputs)
      for (std::uint32_t rank = 0; rank < machine.ranks; ++rank)
        for (std::uint32_t slot = 0; slot < output->stride; ++slot) {
          outcome.values.push_back(machine.read(*output, rank, slot));
          outcome.brackets.push_back(machine.bracket(*output, rank, slot));
        }
  } catch (const UnmatchedInLockstep &unmatched) {
    outcome.failure = unmatched.diagnostic;
    outcome.isUnmatched = true;
  } catch (const Finding &finding) {
    outcome.failure = finding.diagnostic;
  } catch (const EvaluationError &error) {
    outcome.failure = Diagnostic(error.range, error.facts);
  }
  return outcome;
}

/// Whether a failure is about a `let`. Lockstep does not evaluate unused ones.
bool isAboutLet(const Outcome &outcome) {
  if (!outcome.failure || !outcome.failure->range.isValid())
    return false;
  const char *line = outcome.failure->range.Start.getPointer();
  while (line[-1] != '\n' && line[-1] != ';' && line[-1] != '{' && line[-1] != '}') // there is a schedule's head before it
    --line;
  return llvm::StringRef(line).ltrim().starts_with("let ");
}

} // namespace

void Examination::compareEngines() {
  if (needsSimulation(schedule))
    return;
  stage("comparing the engines");
  for (const Case &instance : cases(questions.ps, questions.parameters)) {
    try {
      CaseRun run(schedule, instance, trees, options.limits);
      ValueDomain values(static_cast<std::uint64_t>(instance.p), run.inputBlocks(), false);
      const Outcome lockstep = runOn(Engine::Preferred, run, values);
      if (lockstep.isUnmatched || (lockstep.failure && isLimit(lockstep.failure->id())))
        return;
      const Outcome simulated = runOn(Engine::Simulation, run, values);
      if (simulated.failure && isLimit(simulated.failure->id()))
        return;
      auto say = [&](const Outcome &outcome) { return outcome.failure ? textOf(*outcome.failure) : std::string("nothing is wrong"); };
      if (!lockstep.failure && isAboutLet(simulated))
        return;
      if (lockstep.failure.has_value() != simulated.failure.has_value())
        return finding("the engines disagree", textOf(instance) + ": lockstep: " + say(lockstep) + "; simulation: " + say(simulated));
      if (lockstep.values != simulated.values)
        return finding("the engines end with different blocks", textOf(instance));
      if (lockstep.brackets != simulated.brackets)
        return finding("the engines bracket differently", textOf(instance));
      if (lockstep.failure)
        return;
    } catch (const Finding &) { // too large; the checks refuse it, too
      return;
    } catch (const EvaluationError &) {
      return;
    } catch (const std::length_error &) {
      return;
    }
  }
}

} // namespace quadrille::compiler::fuzz
