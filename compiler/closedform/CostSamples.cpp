//===- CostSamples.cpp - Exact costs of small cases -------------------------------------------------------------------------===//

#include "CostSamples.h"

#include "cost/CostFormulas.h"
#include "instantiate/CaseRun.h"
#include "limits/Limits.h"

#include <set>

namespace quadrille::compiler {

/// The roots to try: all for small p; else those at both ends and in the middle, where trees change.
static std::vector<std::int64_t> rootsAt(std::int64_t p) {
  std::set<std::int64_t> roots{0, 1, p / 2 - 1, p / 2, p - 1};
  for (std::int64_t root = 0; root < p && p <= 5; ++root)
    roots.insert(root);
  roots.erase(roots.begin(), roots.lower_bound(0));
  roots.erase(roots.lower_bound(p), roots.end());
  return {roots.begin(), roots.end()};
}

CostSamples sampleCosts(const ir::Schedule &schedule, const Limits &limits, std::uint64_t transfers) {
  CostSamples result;
  result.trees = std::make_shared<TreeCache>();
  TreeCache &trees = *result.trees;
  const ScheduleFunctions functions(schedule);
  CheckOptions options;
  result.parameters = {1, 3, 8};
  options.limits = limits;
  options.wantBrackets = false;
  options.wantStated = false; // invariants and clocks do not affect costs
  options.lemmas = nullptr;
  const bool hasRoot = schedule.rootVariable().has_value();
  std::uint64_t seen = 0;
  std::vector<std::int64_t> ps;
  for (std::int64_t p = 1; p <= 17; ++p)
    ps.push_back(p);
  for (std::int64_t power = 32; power <= 256; power *= 2)
    ps.insert(ps.end(), {power - 1, power, power + 1});
  // Adds the cases with p ranks. Returns whether there are any.
  auto count = [&](std::int64_t p) {
    options.parameters = p <= limits::ranksOfAllParameters ? std::vector<std::int64_t>{1, 2, 3, 5, 8} : result.parameters;
    const std::vector<std::int64_t> roots = hasRoot ? rootsAt(p) : std::vector<std::int64_t>{0};
    result.allRoots &= !hasRoot || static_cast<std::int64_t>(roots.size()) == p;
    bool any = false;
    for (std::int64_t root : roots) {
      options.root = root;
      bool allRoots = true;
      for (Case &instance : casesAt(schedule, p, options, allRoots)) {
        if (!admits(schedule, instance, trees))
          continue;
        any = true;
        const CaseResult run = checkCase(schedule, instance, options, schedule.requiresCommutative, trees);
        result.clauses.join(run.clauses);
        seen += run.transfers + static_cast<std::uint64_t>(p);
        std::vector<Lengths> lengths = run.cost.samples;
        if (run.cost.perBlock)
          lengths = {Lengths(1), Lengths(1000)};
        for (size_t s = 0; s < lengths.size(); ++s) {
          CostSample sample{instance, lengths[s], run.unit, run.cost.at(run.cost.synchronous, s, lengths[s].n),
                            run.cost.at(run.cost.asynchronous, s, lengths[s].n),
                            functions.at(instance.p, instance.numbers, lengths[s])};
          result.samples.push_back(std::move(sample));
        }
      }
    }
    return any;
  };
  std::int64_t before = 0;
  for (std::int64_t p : ps) {
    if (seen > transfers || (p > limits::ranksWithTables && !schedule.tables.empty()))
      break;
    try {
      if (count(p))
        result.ps.push_back(p);
    } catch (const Finding &finding) {
      // A smaller p that was skipped may fail, too. Report the smallest.
      for (std::int64_t between = before + 1; between < p && !isLimit(finding.diagnostic.id()); ++between)
        count(between);
      throw;
    }
    before = p;
  }
  return result;
}

} // namespace quadrille::compiler
