//===- main.cpp - Are closed forms of costs true? ---------------------------------------------------------------------------===//
//
// quadrille-closed-forms [--every=P] [--work=MILLIONS] LIBRARY PMAX [FILE...]
//
// Prints the closed forms of every schedule of the files, or of the library, and compares them with the exact costs for all
// admitted p up to PMAX, at three roots, three values of each parameter and three lengths: first those that are found with the clauses
// of the author, then those that are found without. FILE: as for `quadrille`, also a
// folder or collective/algorithm. `--every=P`: beyond P only powers of two, their neighbours, and PMAX. `--work`: begins no larger
// p for a schedule after so many millions of units of evaluate/Work.h, and says where it ended. Exits with 1 if a value is wrong.
//
//===----------------------------------------------------------------------------------------------------------------===//

#include "Comparison.h"

#include "evaluate/Work.h"
#include "library/Library.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <limits>
#include <set>

using namespace quadrille::compiler;

namespace {

/// The evidence for a formula: "proved", "claimed", "fitted", with "<=" for a bound; "-" if there is no formula.
std::string kindText(const std::optional<CostFactor> &factor) {
  if (!factor)
    return "-";
  const std::string relation = factor->isBound ? "<=" : "";
  switch (factor->evidence) {
  case Evidence::Proved:
    return relation + "proved";
  case Evidence::Claimed:
    return relation + "claimed";
  case Evidence::Reached:
    return relation + "reached";
  case Evidence::Fitted:
    return relation + "fitted";
  }
  return "";
}

std::string kindsText(const ClosedForms &forms) {
  const CostReading &a = forms.synchronous, &b = forms.asynchronous;
  return "rounds " + kindText(a.alpha) + ", words " + kindText(a.beta) + ", applications " + kindText(a.gamma) + "; asynchronous " +
         kindText(b.alpha) + ", " + kindText(b.beta) + ", " + kindText(b.gamma);
}

/// The formulas with the author's clauses, and those without.
std::pair<ClosedForms, ClosedForms> formsOf(const ir::Schedule &schedule) {
  ClosedFormOptions options, alone;
  alone.fromClauses = false;
  if (schedule.usesNodes) // no formulas
    return {closedForms(schedule, options), closedForms(schedule, alone)};
  const CostEvidence evidence = costEvidence(schedule, options);
  return {closedForms(schedule, evidence, options), closedForms(schedule, evidence, alone)};
}

/// Whether p is a power of two or next to one, where logarithms change.
bool isNotable(std::int64_t p) {
  return llvm::any_of(std::initializer_list<std::int64_t>{p - 1, p, p + 1}, [](std::int64_t x) { return (x & (x - 1)) == 0; });
}

/// Which cases are compared.
struct Extent {
  std::int64_t mostRanks = 0;
  std::int64_t every = std::numeric_limits<std::int64_t>::max(); // beyond it only notable p
  std::uint64_t work = std::numeric_limits<std::uint64_t>::max();
};

/// Compares all cases. Returns the p at which the work has ended, 0: all are compared.
std::int64_t compareAll(const ir::Schedule &schedule, closedforms::Comparison &comparison, const Extent &extent) {
  const std::uint64_t begun = Work::done();
  CheckOptions options;
  options.wantBrackets = false;
  options.lengths = {1, 1000, 22};
  options.parameters = {1, 4, 7};
  TreeCache trees;
  for (std::int64_t p = 1; p <= extent.mostRanks; ++p) {
    if (p > extent.every && p != extent.mostRanks && !isNotable(p))
      continue;
    if (Work::done() - begun > extent.work)
      return p;
    trees = TreeCache();
    for (std::int64_t root : std::set<std::int64_t>{0, p / 2, p - 1}) {
      if (root > 0 && !schedule.rootVariable())
        break;
      options.root = root;
      bool allRoots = true;
      for (const Case &instance : casesAt(schedule, p, options, allRoots))
        if (admits(schedule, instance, trees))
          comparison.compare(instance, options, trees);
    }
  }
  return 0;
}

} // namespace

int main(int argc, char **argv) {
  std::vector<std::string> arguments(argv + 1, argv + argc);
  Extent extent;
  bool isUnderstood = true;
  while (!arguments.empty() && llvm::StringRef(arguments[0]).starts_with("--")) {
    llvm::StringRef option(arguments[0]);
    if (option.consume_front("--every="))
      isUnderstood &= !option.getAsInteger(10, extent.every);
    else if (std::uint64_t millions; option.consume_front("--work=") && !option.getAsInteger(10, millions))
      extent.work = millions * 1000000;
    else
      isUnderstood = false;
    arguments.erase(arguments.begin());
  }
  if (!isUnderstood || arguments.size() < 2 || llvm::StringRef(arguments[1]).getAsInteger(10, extent.mostRanks)) {
    llvm::errs() << "usage: quadrille-closed-forms [--every=P] [--work=MILLIONS] LIBRARY PMAX [FILE...]\n";
    return 2;
  }
  Sources sources;
  Diagnostics diagnostics(sources, llvm::errs(), DiagnosticsFormat::Text, /*colour=*/false);
  Library library(arguments[0], {}, sources, diagnostics);
  if (!library.loadStandard())
    return 2;
  std::vector<std::string> names(arguments.begin() + 2, arguments.end());
  if (names.empty())
    names = {arguments[0]};
  std::uint64_t compared = 0, wrong = 0, schedules = 0;
  for (const std::string &name : names)
    for (const ir::Schedule *schedule : library.find(name)) {
      try {
        const auto [forms, alone] = formsOf(*schedule);
        unsigned shown = 0;
        closedforms::Comparison comparison(*schedule, {forms, alone}, [&](const closedforms::Difference &difference) {
          if (++shown <= 3)
            llvm::outs() << schedule->path() << " at " << caseText(*schedule, difference.instance) << ", n = " << difference.n << ": "
                         << difference.what << " " << difference.exact << ", not " << difference.value << " = "
                         << difference.factor.formula.text() << '\n';
        });
        const std::int64_t endedAt = compareAll(*schedule, comparison, extent);
        llvm::outs() << schedule->path() << ": " << kindsText(forms) << "; without clauses " << kindsText(alone) << "; compared "
                     << comparison.compared << ", wrong " << comparison.wrong
                     << (endedAt ? ", ended before p = " + std::to_string(endedAt) : "") << '\n';
        compared += comparison.compared;
        wrong += comparison.wrong;
        ++schedules;
      } catch (const Finding &finding) {
        llvm::outs() << schedule->path() << ": " << formatMessage(finding.diagnostic.facts) << '\n';
        ++wrong;
      }
      llvm::outs().flush();
    }
  llvm::outs() << "total: " << schedules << " schedules, compared " << compared << ", wrong " << wrong << '\n';
  return wrong ? 1 : 0;
}
