//===- CostCommand.cpp - quadrille cost -----------------------------------------------------------------------------------------------===//

#include "Commands.h"
#include "CostFacts.h"
#include "Report.h"

#include "cost/Formula.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

namespace quadrille {

static LinearCost linear(const Cost &cost) { return {Rational(0), Rational(cost.a), Rational(cost.b), Rational(cost.c)}; }

/// Prints the costs of one case at every n asked for.
static void printCase(const ir::Schedule &schedule, const Case &instance, const CheckOptions &options, TreeCache &trees,
                      llvm::raw_ostream &out) {
  CaseResult result = checkCase(schedule, instance, options, schedule.requiresCommutative, trees);
  for (size_t s = 0; s < options.lengths.size(); ++s) {
    std::int64_t n = options.lengths[s];
    bool gamma = schedule.usesOperator;
    Lengths lengths = result.cost.perBlock ? Lengths(n) : result.cost.samples[s];
    out << schedule.path() << " at " << caseText(schedule, instance) << ", "
        << (lengths.tables ? lengthsText(lengths) : "n = " + std::to_string(n)) << '\n';
    if (lengths.tables)
      for (const LengthTable &table : *lengths.tables)
        out << (table.extents.size() == 1 ? "  total         " : "  volume h      ") << bottleneckVolume(lengths, table) << '\n';
    out << "  rounds        " << result.rounds << '\n';
    std::string synchronous = linear(result.cost.at(result.cost.synchronous, s, n)).text(gamma);
    std::string asynchronous = linear(result.cost.at(result.cost.asynchronous, s, n)).text(gamma);
    out << "  synchronous   " << synchronous << '\n';
    out << "  asynchronous  " << asynchronous << '\n';
    if (schedule.cost) {
      const ir::Claim &claim = *schedule.cost;
      Frame frame = clauseFrame(schedule, instance.p, instance.numbers, trees);
      out << "  claimed       " << (claim.upperBound ? "at most " : "") << claim.text << " = "
          << evaluateFormula(*claim.formula, frame, lengths).text(claim.mentionsGamma) << '\n';
    }
    if (!lengths.tables)
      printCostFacts(schedule, instance, n, result, result.cost.at(result.cost.synchronous, s, n), trees, out);
  }
}

int costCommand(Session &session) {
  if (!session.options.compare.empty())
    return compareCommand(session);
  CheckOptions options = checkOptions(session.options);
  if (session.options.ps.empty())
    options.ps = {8};
  options.lengths = session.options.ns.empty() ? std::vector<std::int64_t>{1000} : session.options.ns;
  options.tables = session.options.tables;
  if (options.parameters.empty())
    options.parameters = {4};
  if (!options.root && !session.options.allRoots)
    options.root = 0;
  bool first = true;
  for (const std::string &file : session.options.files)
    for (const ir::Schedule *schedule : session.library.find(file)) {
      TreeCache trees;
      bool allRoots = true, any = false;
      try {
        for (std::int64_t p : options.ps)
          for (const Case &instance : casesAt(*schedule, p, options, allRoots)) {
            if (!admits(*schedule, instance, trees))
              continue;
            any = true;
            if (!first)
              llvm::outs() << '\n';
            first = false;
            printCase(*schedule, instance, options, trees, llvm::outs());
          }
        if (!any)
          session.diagnostics.report(noAdmissibleCase(*schedule, options));
      } catch (Finding &finding) {
        if (!finding.diagnostic.range.isValid())
          finding.diagnostic.range = schedule->nameRange;
        session.diagnostics.report(std::move(finding.diagnostic));
      } catch (const EvaluationError &error) {
        session.diagnostics.report(error.id, error.range, error.args);
      }
    }
  return session.diagnostics.errorCount() ? 1 : 0;
}

} // namespace quadrille
