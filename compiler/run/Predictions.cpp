//===- Predictions.cpp - The times of runs, predicted by a machine -------------------------------------------------------===//

#include "Predictions.h"

#include "cache/MachineFiles.h"
#include "cost/LinearCost.h"
#include "evaluate/Lengths.h"
#include "ir/Telling.h"
#include "source/Counted.h"

namespace quadrille::compiler::run {

Predictions::Predictions(const RunRequest &request, std::set<std::int64_t> ps, CheckOptions options, std::string file, Diagnostics &diagnostics)
    : request(request), ps(std::move(ps)), check(std::move(options)), given(std::move(file)), diagnostics(diagnostics) {
  check.root.reset();
  check.lengths = request.ns;
  check.tables = request.tables;
}

bool Predictions::find() {
  const std::string backend = emit::backendName(request.backend).str();
  for (std::int64_t p : ps) {
    std::optional<std::string> file = given.empty() ? nearestMachine(backend, p) : given;
    if (!file)
      continue;
    std::optional<MachineDescription> &machine = files[*file];
    if (!machine && !(machine = readMachine(*file, diagnostics)))
      return false;
    if (!machine->backend.empty() && machine->backend != backend && ofRanks.empty())
      diagnostics.reportFile(*file, diag::OtherBackend{.measured = machine->backend, .backend = backend});
    ofRanks[p] = &*machine;
  }
  return true;
}

void Predictions::otherwise(const MachineDescription &machine) {
  const MachineDescription &kept = *(files[""] = machine);
  for (std::int64_t p : ps)
    ofRanks.try_emplace(p, &kept);
}

void Predictions::announce(llvm::raw_ostream &out) const {
  if (ofRanks.empty())
    out << "no machine to predict by: `quadrille calibrate --backend=" << emit::backendName(request.backend)
        << " -p " << std::max<std::int64_t>(2, *ps.rbegin()) << "` measures this one\n";
  for (const auto &[file, machine] : files)
    out << "machine: " << machine->parameters.text()
        << (machine->ranks ? ", measured with " + counted(machine->ranks, "rank") : "") << '\n';
}

MachineTimes Predictions::machine(std::int64_t p) const {
  auto found = ofRanks.find(p);
  if (found == ofRanks.end())
    return machineFromEnvironment(request.backend == emit::Backend::Mpi ? usualMpiMachine : usualShmMachine);
  const MachineParameters bytes = found->second->forWordsOf(1);
  return {bytes.alpha, bytes.beta};
}

std::optional<Cost> Predictions::cost(const CallCase &c) {
  auto found = ofRanks.find(c.p);
  if (found == ofRanks.end())
    return std::nullopt;
  auto [entry, isNew] = costs.try_emplace({c.schedule, c.p, c.numbers});
  if (isNew) {
    try {
      TreeCache trees;
      entry->second = checkCase(*c.schedule, compiler::Case{c.p, c.numbers, c.nodes}, check, c.schedule->requiresCommutative, trees).cost;
    } catch (const Finding &) { // possible with --unchecked, or if memory runs out
    } catch (const EvaluationError &) {
    }
  }
  const auto n = llvm::find(request.ns, static_cast<std::int64_t>(c.n));
  if (!entry->second || (n == request.ns.end() && c.n != 0))
    return std::nullopt;
  const size_t sample = n == request.ns.end() ? 0 : static_cast<size_t>(n - request.ns.begin());
  Cost cost = entry->second->at(entry->second->asynchronous, sample, static_cast<std::int64_t>(c.n));
  if (!c.schedule->tellsLengths())
    return cost;
  auto [telling, isFirst] = tellingCosts.try_emplace({c.schedule, c.p, c.numbers});
  if (isFirst)
    telling->second = costOfTelling(c);
  if (!telling->second)
    return std::nullopt;
  cost.a += telling->second->a;
  cost.b += telling->second->b;
  return cost;
}

std::optional<Cost> Predictions::costOfTelling(const CallCase &c) {
  Cost sum;
  try {
    const LengthTables tables = lengthTables(*c.schedule, {c.p, c.numbers, c.nodes});
    for (unsigned table = 0; table < c.schedule->tables.size(); ++table) {
      const ir::Knowledge *known = c.schedule->tellingOf(table);
      if (!known)
        continue;
      const ir::Schedule &by = *known->toldBy;
      const bool isOfRows = ir::tellingBy(by) == ir::Telling::Rows;
      const std::int64_t n = (*tables)[table].entries / (isOfRows ? c.p : 1);
      compiler::Case instance{c.p, {}};
      if (!isOfRows)
        instance.numbers.push_back(c.numbers.back());
      CheckOptions own = check;
      own.lengths = {n};
      own.tables = {};
      TreeCache trees;
      const MeasuredCost measured = checkCase(by, instance, own, /*commutative=*/false, trees).cost;
      const Cost cost = measured.at(measured.asynchronous, 0, n);
      sum.a += cost.a;
      sum.b += cost.b;
    }
  } catch (const Finding &) { // if memory runs out
    return std::nullopt;
  }
  return sum;
}

MachineParameters Predictions::parameters(std::int64_t p, std::int64_t bytes) const { return ofRanks.at(p)->forWordsOf(bytes); }

std::optional<double> Predictions::seconds(const CallCase &c) {
  const std::optional<Cost> counted = cost(c);
  return counted ? std::optional(parameters(c.p, static_cast<std::int64_t>(harness::elementBytes(c.element))).seconds(*counted)) : std::nullopt;
}

} // namespace quadrille::compiler::run
