//===- Data.cpp - Results of the interpreter and promises -----------------------------------------------===//

#include "Examination.h"

#include "emit/IrToCpp.h"
#include "run/Cases.h"
#include "run/Expected.h"
#include "run/Reference.h"

namespace quadrille::compiler::fuzz {

namespace {

/// The error of the interpreter's results in a case; empty if they are right.
std::string wrongOn(const ir::Schedule &schedule, const run::CallCase &c, std::uint64_t seed, const Limits &limits) {
  const size_t bytes = harness::elementBytes(c.element);
  const DataCase data = run::interpreted(c, seed, limits);
  if (!data.problem.empty())
    return data.problem;
  run::Expected expected(*schedule.collective, c, {c.numbers.begin() + schedule.parameterCount, c.numbers.end()}, seed);
  for (std::int64_t rank = 0; rank < c.p; ++rank)
    for (unsigned output = 0; output < c.outputs.size(); ++output) {
      const run::DataShape &shape = c.outputs[output];
      for (std::int64_t block = 0; block < shape.blocks; ++block) {
        const Bytes *wanted = expected.block(output, rank, block);
        if (!shape.isAt(rank)) {
          if (wanted)
            return "rank " + std::to_string(rank) + " is promised `" + schedule.outputs[output]->name + "`, which it does not have";
          continue;
        }
        const Bytes &whole = data.outputs[static_cast<size_t>(rank)][output];
        const size_t at = shape.offset(rank, block, c.n) * bytes, end = shape.offset(rank, block + 1, c.n) * bytes;
        if (wanted && !std::equal(wanted->begin(), wanted->end(), whole.begin() + static_cast<std::ptrdiff_t>(at), whole.begin() + static_cast<std::ptrdiff_t>(end)))
          return "rank " + std::to_string(rank) + " has not what is promised of block " + std::to_string(block) + " of `" +
                 schedule.outputs[output]->name + "`";
      }
    }
  return "";
}

/// Whether an error with this code shows in the results of every failing case, for some lengths.
bool showsOnData(llvm::StringRef code) {
  return code == "Q0301" || code == "Q0302" || code == "Q0304" || code == "Q0305" || code == "Q0501" || code == "Q0502" ||
         code == "Q0504";
}

} // namespace

void Examination::runOnData() {
  stage("running on data");
  run::RunRequest request;
  request.program = &compiler.program();
  request.types = {emit::needsCommutative(schedule) ? "uint32" : "mat2"};
  request.ns = {0, 1, 2, 7};
  std::vector<std::int64_t> ps = questions.ps;
  if (verdict.failure) // the last case tried is the one that failed
    std::erase_if(ps, [&](std::int64_t p) { return llvm::is_contained(verdict.checkedPs, p); });
  bool someFailed = false;
  for (const Case &instance : cases(ps, questions.parameters)) {
    request.nodes.labels = instance.nodes ? instance.nodes->nodeOf : std::vector<std::int64_t>();
    // Entries at which a schedule is wrong may be 0 in one of the tables.
    for (LengthPattern pattern : {LengthPattern::Uneven, LengthPattern::Single, LengthPattern::Even}) {
      if (pattern != LengthPattern::Uneven && schedule.tables.empty())
        continue;
      request.tables.pattern = pattern;
      if (schedule.parameterCount > 1)
        return; // all ranks get the same value
      request.parameters = {schedule.parameterCount ? instance.numbers[0] : 0};
      request.roots = {schedule.rootVariable() ? instance.numbers.back() : 0};
      Diagnostics ignored(compiler.sources, llvm::nulls(), DiagnosticsFormat::Text, false);
      try {
        auto made = run::casesFor(schedule, request, instance.p, ignored);
        for (const run::CallCase &c : made ? *made : std::vector<run::CallCase>()) {
          const std::string wrong = wrongOn(schedule, c, request.seed, options.limits);
          if (wrong.empty())
            continue;
          if (verdict.ok)
            return finding("accepted, but wrong on data", run::describe(c, request) + ": " + wrong);
          someFailed = true;
        }
      } catch (const Finding &found) {
        if (verdict.ok && !isLimit(found.diagnostic.id()))
          return finding("accepted, but the interpreter fails", textOf(instance) + ": " + textOf(found.diagnostic));
        someFailed = true;
      } catch (const EvaluationError &error) {
        if (verdict.ok)
          return finding("accepted, but the interpreter fails", textOf(instance) + ": " + formatMessage(error.facts));
        someFailed = true;
      }
      if (someFailed)
        return;
    }
  }
  if (!verdict.failure || (verdict.failure->id() == diag::Id::OrderBroken && emit::needsCommutative(schedule)))
    return; // a used schedule needs a commutative operator
  if (showsOnData(diag::codeText(verdict.failure->id())))
    finding("refused, but right on data", textOf(*verdict.failure));
}

} // namespace quadrille::compiler::fuzz
