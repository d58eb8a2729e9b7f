//===- Proofs.cpp - Agreement of proofs and checks -----------------------------------------------------------------------------------===//

#include "Examination.h"

#include "../mutate/Claims.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Regex.h"

namespace quadrille::compiler::fuzz {

/// Whether all claims that a failure may contradict have been proved.
static bool contradicts(const prove::ProofVerdict &proof, const Diagnostic &failure) {
  if (isLimit(failure.id()) || proof.claims.empty())
    return false;
  return llvm::all_of(mutate::claimsBrokenBy(diag::codeText(failure.id())), [&](prove::Claim claim) {
    return llvm::all_of(proof.claims, [&](const prove::ClaimVerdict &v) { return v.claim != claim || v.isProved(); });
  });
}

static prove::ProofOptions proofOptions(const CheckOptions &check, std::uint64_t effort) {
  prove::ProofOptions options;
  options.check = check;
  options.totalResources = limits::proofSteps.at(effort);
  options.effort = {limits::solverSteps.at(effort / 4), limits::solverStepsOther.at(effort / 40)};
  return options;
}

void Examination::prove() {
  stage("proving");
  const prove::ProofVerdict proof = prove::prove(schedule, proofOptions(options, questions.effort));
  teller.tell("proof", proof.isRefuted() ? "refuted" : proof.isProved() ? "proved" : "open");
  stage("checking larger cases");
  if (proof.isRefuted()) {
    // The checks must refuse the case that refutes the schedule.
    const Diagnostic &failure = *proof.checked.failure;
    const diag::Values *instance = smallestCase(failure);
    if (!instance)
      return finding("refuted without a case", textOf(failure));
    const std::int64_t p = instance->find("p").value_or(0);
    CheckOptions there = options;
    there.ps = {p};
    there.parameters.clear();
    for (unsigned i = 0; i < schedule.parameterCount; ++i)
      if (auto value = instance->find(schedule.variables[ir::Schedule::firstNumber + i].name))
        there.parameters.push_back(*value);
    there.limits = {};
    if (p <= 1000 && checkSchedule(schedule, there).ok)
      finding("refuted, but accepted there", textOf(failure));
    return;
  }
  if (proof.nothingAdmitted)
    return finding("nothing to prove, but some cases are checked", textOf(cases(questions.ps, questions.parameters).front()));
  std::uint64_t transfers = 0;
  for (const Case &instance : laterCases())
    try {
      transfers += checkCase(schedule, instance, options, schedule.requiresCommutative, trees).transfers;
      if (transfers > 200000)
        break;
    } catch (const Finding &found) {
      // Later cases are larger still.
      if (isLimit(found.diagnostic.id()))
        break;
      if (contradicts(proof, found.diagnostic))
        return finding("proved, but refused where numbers are larger", textOf(instance) + ": " + textOf(found.diagnostic));
    }
}

void Examination::proveAlone() {
  stage("proving what is refused");
  prove::ProofOptions alone = proofOptions(options, questions.effort);
  alone.proofOnly = true;
  const prove::ProofVerdict proof = prove::prove(schedule, alone);
  if (contradicts(proof, *verdict.failure))
    finding("proved, but refused", textOf(*verdict.failure));
}

} // namespace quadrille::compiler::fuzz
