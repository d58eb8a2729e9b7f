//===- Given.cpp - The command line as options of checks, proofs and machines ----------------------------------------------------===//

#include "Given.h"
#include "OptionValues.h"
#include "WatchedCheck.h"

#include "check/CaseSearch.h"
#include "limits/Limits.h"
#include "report/ProgressLine.h"

#include "llvm/ADT/STLExtras.h"

namespace quadrille::compiler {

// ---- cases -------------------------------------------------------------------------------------------------------------

CheckOptions defaultCheckOptions(const Options &options) {
  CheckOptions result;
  for (std::int64_t p = 1; p <= limits::defaultRanks; ++p)
    result.ps.push_back(p);
  result.psAreUsual = true;
  result.limits.memoryBytes = options.memoryBytes;
  result.limits.maxSteps = options.maxSteps;
  return result;
}

CheckOptions checkOptions(const Options &options) {
  CheckOptions result = defaultCheckOptions(options);
  if (!options.ps.empty()) {
    result.ps = options.ps;
    result.psAreUsual = false;
  }
  result.parameters = options.ks;
  result.root = options.root;
  result.nodes = options.nodes;
  result.model = parseModel(options.model); // empty: none
  return result;
}

bool hasDefaultCases(const Options &options) {
  return options.ps.empty() && options.ks.empty() && !options.root && !options.nodes.isGiven() && options.ns.empty() && !options.hasTableLengths && options.model.empty();
}

void warnOfUnreadOptions(llvm::ArrayRef<const ir::Schedule *> schedules, Session &session) {
  const Options &options = session.options;
  auto warnUnless = [&](const char *option, const diag::Lacking &what, bool (*has)(const ir::Schedule *)) {
    if (!schedules.empty() && llvm::none_of(schedules, has))
      session.diagnostics.report(schedules[0]->nameRange,
                                 diag::OptionUnread{.option = option, .schedule = schedules[0]->path(), .has = what});
  };
  if (options.hasTableLengths)
    warnUnless("--lengths", diag::LackingLengths{}, [](const ir::Schedule *s) { return !s->tables.empty(); });
  if (!options.ks.empty())
    warnUnless("-k", diag::LackingParameter{}, [](const ir::Schedule *s) { return s->parameterCount > 0; });
  // Costs by nodes, networks and programs that are started have nodes for every schedule.
  const bool hasNodes = options.command == Command::Cost || options.command == Command::Run || !options.topologies.empty();
  if (options.nodes.isGiven() && !hasNodes)
    warnUnless("--nodes", diag::LackingNodes{}, [](const ir::Schedule *s) { return s->usesNodes; });
  if (options.root || options.allRoots)
    warnUnless("--root", diag::LackingRoot{}, [](const ir::Schedule *s) { return s->rootVariable().has_value(); });
}

// ---- machines ----------------------------------------------------------------------------------------------------------

std::optional<MachineParameters> givenParameters(Session &session) {
  const Options &options = session.options;
  if (options.machine.empty() && !options.alpha && !options.beta && !options.gamma)
    return std::nullopt;
  MachineParameters result = commonMachine;
  if (!options.machine.empty()) {
    std::optional<MachineDescription> machine = readMachine(options.machine, session.diagnostics);
    if (!machine)
      return std::nullopt;
    result = machine->parameters;
  }
  result.alpha = options.alpha.value_or(result.alpha);
  result.beta = options.beta.value_or(result.beta);
  result.gamma = options.gamma.value_or(result.gamma);
  return result;
}

// ---- proofs ------------------------------------------------------------------------------------------------------------

prove::ProofOptions defaultProofOptions(const Options &options) {
  prove::ProofOptions result;
  result.check = defaultCheckOptions(options);
  return result;
}

Proofs givenProofs(const Session &session) {
  Proofs result(session.options.useCache
                    ? std::make_unique<ProofCache>(session.library, session.sources, session.options.executable, session.diagnostics)
                    : nullptr,
                session.options.memoryBytes, session.options.jobs);
  if (session.options.command == Command::Prove)
    result.endChecksAfter(session.options.maxSeconds);
  return result;
}

void proveAll(const Session &session, llvm::ArrayRef<const ir::Schedule *> schedules, const prove::ProofOptions &options,
              llvm::function_ref<bool(prove::ProofVerdict &)> use) {
  ProgressLine progress;
  Proofs proofs = givenProofs(session);
  prove::ProofOptions given = options;
  std::optional<Verdict> checked;
  if (schedules.size() == 1 && !options.checked && !proofs.remembered(*schedules[0], options)) {
    checked = checkWatched(*schedules[0], admittedOptions(*schedules[0], options.check), session.options.maxSeconds);
    given.checked = &*checked;
  }
  auto waitFor = [&](size_t i) {
    const std::string path = schedules[i]->path();
    progress.show(schedules.size() == 1 ? "proving " + path
                                        : "[" + std::to_string(i + 1) + "/" + std::to_string(schedules.size()) + "] " + path);
  };
  proofs.prove(schedules, given, waitFor, [&](prove::ProofVerdict &verdict) {
    progress.hide();
    return use(verdict);
  });
}

} // namespace quadrille::compiler
